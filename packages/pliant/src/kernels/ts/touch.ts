import { squared } from '../../math/elementary.js';
import { FIELDS, FRAME_ROW, Frame, Row } from '../../state/fields.js';
import { UNTOUCHED, type Views } from '../../state/layout.js';
import { TOUCH } from '../constants.js';
import { enterProxy, placeProxy } from './proxy.js';

/**
 * The search for particles in proxies (SPEC K2). Trees are described in proxy/tree.ts, rings and far nodes in
 * proxy/neighbours.ts.
 */

/** Bounds of particles [first, last) over the step, from xOld to x. */
export function boundParticles({ x, xOld, stepBox }: Views, first: number, last: number): void {
  for (let i = first; i < last; i++)
    for (let a = 0; a < 3; a++) {
      const [now, then] = [x[4 * i + a], xOld[4 * i + a]];
      // NaN if either is not finite.
      const odd = (now - then) * 0;
      stepBox[8 * i + a] = Math.min(now, then) + odd;
      stepBox[8 * i + 4 + a] = Math.max(now, then) + odd;
    }
}

/**
 * Bounds of a body's clusters [start, end), from those of their particles and grown by `pad`; then of all nodes of its
 * tree.
 */
export function boundClusters(s: Views, start: number, end: number, pad: number): void {
  const { x, stepBox, treeNode, treeBox, memberParticle } = s;
  const root = 2 * start;
  // Children have higher numbers than their parent.
  for (let node = 2 * end - 2; node >= root; node--)
    for (let a = 0; a < 3; a++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      if (treeNode[2 * node] === 0) {
        const c = start + treeNode[2 * node + 1];
        s.firstMemberNow[Row.firstMemberNow * c + a] = x[4 * memberParticle[s.memberStart[c]] + a];
        for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
          const o = 8 * memberParticle[k] + a;
          // NaN if that of a particle is: such a box meets nothing.
          low = Math.min(low, stepBox[o]);
          high = Math.max(high, stepBox[o + 4]);
        }
        low -= pad;
        high += pad;
      } else {
        const [l, r] = [8 * (node + 1) + a, 8 * (root + treeNode[2 * node]) + a];
        low = Math.min(treeBox[l], treeBox[r]);
        high = Math.max(treeBox[l + 4], treeBox[r + 4]);
      }
      treeBox[8 * node + a] = low;
      treeBox[8 * node + 4 + a] = high;
    }
}

/** Whether the path of particle i in this step, grown by `margin`, meets the box of a node. */
function comesTo({ x, xOld, treeBox }: Views, i: number, node: number, margin: number): boolean {
  for (let a = 0; a < 3; a++) {
    const [now, then] = [x[4 * i + a], xOld[4 * i + a]];
    if (Math.max(now, then) + margin < treeBox[8 * node + a]) return false;
    if (Math.min(now, then) - margin > treeBox[8 * node + 4 + a]) return false;
  }
  return true;
}

/**
 * Stack of a tree walk: nodes, in touchAcross each with the length of its list. A tree of n clusters is ⌈log₂ n⌉ deep
 * and one node per level waits.
 */
const stack = new Uint32Array(2 * 64);

/**
 * Tests particles [first, last) of one body against the proxies of another, whose first cluster is `start`. The
 * particles whose paths meet the root's box are listed. At every node the part of the list that meets the node's box
 * goes on to the children. At a leaf the rest is tested against the cluster's proxy. Returns the new length of
 * `touching`.
 */
export function touchAcross(
  s: Views,
  first: number,
  last: number,
  start: number,
  margin: number,
  skip: number,
  quick: boolean,
  h: number,
  round: number,
  touched: number,
): number {
  const { candidate, treeNode } = s;
  const root = 2 * start;
  let count = 0;
  for (let i = first; i < last; i++) if (!(s.flags[i] & skip) && comesTo(s, i, root, margin)) candidate[count++] = i;
  let top = 0;
  stack[top++] = root;
  stack[top++] = count;
  while (top > 0) {
    const length = stack[--top];
    const node = stack[--top];
    // Particles that meet the box move to the front. The list that waits for the other child is then the same set in
    // another order.
    let near = 0;
    for (let n = 0; n < length; n++) {
      const i = candidate[n];
      if (!comesTo(s, i, node, margin)) continue;
      candidate[n] = candidate[near];
      candidate[near++] = i;
    }
    if (near === 0) continue;
    if (treeNode[2 * node] === 0)
      touched = touchCandidates(s, start + treeNode[2 * node + 1], near, touched, quick, h, round);
    else {
      stack[top++] = root + treeNode[2 * node];
      stack[top++] = near;
      stack[top++] = node + 1;
      stack[top++] = near;
    }
  }
  return touched;
}

/**
 * Finds which of the first `count` candidates enter the proxy of cluster c. The proxy is placed first if it was not in
 * this round. Of several clusters the one is chosen whose centre is nearest, in proxy radii, to the place of entry.
 * With `quick` and an implicit surface it is the one nearest to the particle, in the proxy or not. Returns the new
 * length of `touching`.
 */
function touchCandidates(
  s: Views,
  c: number,
  count: number,
  touched: number,
  quick: boolean,
  h: number,
  round: number,
): number {
  if (s.placedRound[c] !== round) placeProxy(s, c, h);
  s.placedRound[c] = round;
  const lightly = quick && s.surfaceParameters[Row.surfaceParameters * c] > 0;
  for (let n = 0; n < count; n++) {
    const i = s.candidate[n];
    if (lightly)
      for (let a = 0; a < 3; a++) entry[a] = s.x[Row.x * i + a] - s.proxyFrame[FRAME_ROW * c + Frame.CENTRE + a];
    else if (!enterProxy(entry, s, i, c)) continue;
    let off =
      (squared(entry[0]) + squared(entry[1]) + squared(entry[2])) / squared(s.proxyFrame[FRAME_ROW * c + Frame.RADIUS]);
    if (!lightly && off > TOUCH.RIM) off = 1;
    if (s.touchCluster[i] === UNTOUCHED) s.touching[touched++] = i;
    else {
      // The lower cluster number wins a tie, so that the order of the tests does not matter.
      const [kept, now] = [s.touchCentreOffset[i], Math.fround(off)];
      if (now > kept || (now === kept && s.touchCluster[i] < c)) continue;
    }
    s.touchCluster[i] = c;
    s.touchCentreOffset[i] = off;
    // The WASM kernels store the position of entry here if they computed it; a value above 1 means that measureTouches
    // must compute it.
    s.touch[Row.touch * i + FIELDS.touch.DEPTH] = TOUCH.UNKNOWN;
  }
  return touched;
}
/** Place in rest space where the candidate under test enters the proxy. */
const entry = new Float64Array(3);

/**
 * Tests a body's clusters [start, end) against each other. Each is tested against the members of clusters that share no
 * particle with it and that have come nearer than at rest: those of its ring, and those in far nodes that it meets now
 * (proxy/neighbours.ts). The boxes of the ring always meet: without the test for coming nearer, a bunny of 200 clusters
 * has 6000 pairs. Returns the new length of `touching`.
 */
export function touchWithin(
  s: Views,
  start: number,
  end: number,
  margin: number,
  skip: number,
  quick: boolean,
  h: number,
  round: number,
  touched: number,
): number {
  const { treeNode } = s;
  s.sharesWith.fill(0, start, end);
  for (let leaf = 2 * start; leaf < 2 * end - 1; leaf++) {
    if (treeNode[2 * leaf] !== 0) continue;
    const target = start + treeNode[2 * leaf + 1];
    const count = gatherWithin(s, start, target, leaf, margin, skip);
    if (count > 0) touched = touchCandidates(s, target, count, touched, quick, h, round);
  }
  return touched;
}

/**
 * Lists the particles of the same body that may be in the proxy of cluster `target`, which is at this leaf of the tree.
 */
function gatherWithin(s: Views, start: number, target: number, leaf: number, margin: number, skip: number): number {
  const { treeNode, neighbour, neighbourStart } = s;
  const root = 2 * start;
  const mark = target - start + 1;
  const [ring, far, end] = [3 * target + 1, 3 * target + 2, 3 * target + 3].map((k) => neighbourStart[k]);
  markNear(s, start, target, mark);
  let count = 0;
  const gather = (source: number) => {
    if (s.sharesWith[source] !== mark && haveComeNearer(s, source, target))
      count = gatherMembers(s, source, leaf, margin, skip, mark, count);
  };
  for (let k = ring; k < far; k++) gather(start + neighbour[k]);
  for (let k = far; k < end; k++) {
    let top = 0;
    stack[top++] = root + neighbour[k];
    while (top > 0) {
      const node = stack[--top];
      if (!meet(s, leaf, node)) continue;
      if (treeNode[2 * node] === 0) gather(start + treeNode[2 * node + 1]);
      else {
        stack[top++] = root + treeNode[2 * node];
        stack[top++] = node + 1;
      }
    }
  }
  // The next body numbers its targets from 1 again.
  for (let k = 0; k < count; k++) s.listedFor[s.candidate[k]] = 0;
  return count;
}

/** Marks the target and all clusters that share a particle with it. */
function markNear({ sharesWith, neighbour, neighbourStart }: Views, start: number, target: number, mark: number): void {
  sharesWith[target] = mark;
  for (let k = neighbourStart[3 * target]; k < neighbourStart[3 * target + 1]; k++)
    sharesWith[start + neighbour[k]] = mark;
}

function meet({ treeBox: b }: Views, p: number, q: number): boolean {
  for (let a = 0; a < 3; a++) if (b[8 * p + a] > b[8 * q + 4 + a] || b[8 * q + a] > b[8 * p + 4 + a]) return false;
  return true;
}

/**
 * Whether the source is nearer to the target than the target's own deformation of the rest shape places it: where a
 * body flows or is squeezed, everything comes nearer in the same way.
 */
function haveComeNearer(
  { firstMemberNow, firstMemberRest, stretchFromRest }: Views,
  source: number,
  target: number,
): boolean {
  const [a, b, o] = [4 * source, 4 * target, 12 * target];
  const [x, y, z] = [
    firstMemberRest[a] - firstMemberRest[b],
    firstMemberRest[a + 1] - firstMemberRest[b + 1],
    firstMemberRest[a + 2] - firstMemberRest[b + 2],
  ];
  let [now, rest] = [0, 0];
  for (let k = 0; k < 3; k++) {
    now += squared(firstMemberNow[a + k] - firstMemberNow[b + k]);
    rest += squared(stretchFromRest[o + k] * x + stretchFromRest[o + 4 + k] * y + stretchFromRest[o + 8 + k] * z);
  }
  return now < TOUCH.NEARER * TOUCH.NEARER * rest;
}

/**
 * Lists the members of `source` whose paths meet the target's box, each once. Members of a marked cluster are left out.
 */
function gatherMembers(
  s: Views,
  source: number,
  leaf: number,
  margin: number,
  skip: number,
  mark: number,
  count: number,
): number {
  for (let k = s.memberStart[source]; k < s.memberStart[source + 1]; k++) {
    const i = s.memberParticle[k];
    if (s.listedFor[i] === mark || s.flags[i] & skip || !comesTo(s, i, leaf, margin) || isNear(s, i, mark)) continue;
    s.listedFor[i] = mark;
    s.candidate[count++] = i;
  }
  return count;
}

function isNear({ gatherRank, linkStart, linkCluster, sharesWith }: Views, i: number, mark: number): boolean {
  for (let l = linkStart[gatherRank[i]]; l < linkStart[gatherRank[i] + 1]; l++)
    if (sharesWith[linkCluster[l]] === mark) return true;
  return false;
}
