import { squared } from '../../math/elementary.js';
import { FIELDS, FRAME_ROW, Frame, Row } from '../../state/fields.js';
import { Flag } from '../../state/flags.js';
import { UNTOUCHED, type Views } from '../../state/layout.js';
import { TOUCH } from '../constants.js';
import { enterProxy, placeProxy } from './proxy.js';

/**
 * The search for particles in proxies (SPEC K2). Trees are described in proxy/tree.ts, rings and far nodes in
 * proxy/neighbours.ts.
 */

const { NODE, RIGHT, CLUSTER } = FIELDS.treeNode;
const { NODE: BOX, HIGH } = FIELDS.treeBox;

/** Bounds of particles [first, last) over the step together, from xOld to x, grown by `pad`: the box of the root of their body, whose first cluster is `start`. */
export function boundBody({ x, xOld, treeBox }: Views, first: number, last: number, start: number, pad: number): void {
  const box = BOX * 2 * start;
  for (let a = 0; a < 3; a++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = first; i < last; i++) {
      const [now, then] = [x[Row.x * i + a], xOld[Row.xOld * i + a]];
      const odd = (now - then) * 0;
      low = Math.min(low, Math.min(now, then) + odd);
      high = Math.max(high, Math.max(now, then) + odd);
    }
    treeBox[box + a] = low - pad;
    treeBox[box + HIGH + a] = high + pad;
  }
}

/** Bounds of particles [first, last) over the step, from xOld to x, and which of them are inner ones. */
export function boundParticles({ x, xOld, stepBox, flags }: Views, first: number, last: number): void {
  for (let i = first; i < last; i++) {
    stepBox[Row.stepBox * i + FIELDS.stepBox.INNER] = flags[i] & Flag.INNER ? TOUCH.ASIDE : 0;
    for (let a = 0; a < 3; a++) {
      const [now, then] = [x[Row.x * i + a], xOld[Row.xOld * i + a]];
      // Not a number where either is not finite.
      const odd = (now - then) * 0;
      stepBox[Row.stepBox * i + a] = Math.min(now, then) + odd;
      stepBox[Row.stepBox * i + FIELDS.stepBox.HIGH + a] = Math.max(now, then) + odd;
    }
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
      if (treeNode[NODE * node + RIGHT] === 0) {
        const c = start + treeNode[NODE * node + CLUSTER];
        s.firstMemberNow[Row.firstMemberNow * c + a] = x[Row.x * memberParticle[s.memberStart[c]] + a];
        for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
          const o = Row.stepBox * memberParticle[k] + a;
          // Not a number if a particle's is not: such a box meets nothing.
          low = Math.min(low, stepBox[o]);
          high = Math.max(high, stepBox[o + FIELDS.stepBox.HIGH]);
        }
        low -= pad;
        high += pad;
      } else {
        const [l, r] = [BOX * (node + 1) + a, BOX * (root + treeNode[NODE * node + RIGHT]) + a];
        low = Math.min(treeBox[l], treeBox[r]);
        high = Math.max(treeBox[l + HIGH], treeBox[r + HIGH]);
      }
      treeBox[BOX * node + a] = low;
      treeBox[BOX * node + HIGH + a] = high;
    }
}

/** Whether the path of particle i in this step, grown by `margin`, meets the box of a node. */
function comesTo({ x, xOld, treeBox }: Views, i: number, node: number, margin: number): boolean {
  for (let a = 0; a < 3; a++) {
    const [now, then] = [x[Row.x * i + a], xOld[Row.xOld * i + a]];
    if (Math.max(now, then) + margin < treeBox[BOX * node + a]) return false;
    if (Math.min(now, then) - margin > treeBox[BOX * node + HIGH + a]) return false;
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
    if (treeNode[NODE * node + RIGHT] === 0)
      touched = touchCandidates(s, start + treeNode[NODE * node + CLUSTER], near, touched, quick, h, round);
    else {
      stack[top++] = root + treeNode[NODE * node + RIGHT];
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
    if (treeNode[NODE * leaf + RIGHT] !== 0) continue;
    const target = start + treeNode[NODE * leaf + CLUSTER];
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
  const { RING, FAR } = FIELDS.neighbourStart;
  const o = Row.neighbourStart * target;
  const [ring, far, end] = [neighbourStart[o + RING], neighbourStart[o + FAR], neighbourStart[o + Row.neighbourStart]];
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
      if (treeNode[NODE * node + RIGHT] === 0) gather(start + treeNode[NODE * node + CLUSTER]);
      else {
        stack[top++] = root + treeNode[NODE * node + RIGHT];
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
  const o = Row.neighbourStart * target;
  for (let k = neighbourStart[o]; k < neighbourStart[o + FIELDS.neighbourStart.RING]; k++)
    sharesWith[start + neighbour[k]] = mark;
}

function meet({ treeBox: b }: Views, p: number, q: number): boolean {
  const [k, l] = [BOX * p, BOX * q];
  for (let a = 0; a < 3; a++) if (b[k + a] > b[l + HIGH + a] || b[l + a] > b[k + HIGH + a]) return false;
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
  const { Y, Z } = FIELDS.stretchFromRest;
  const [a, b, o] = [Row.firstMemberRest * source, Row.firstMemberRest * target, Row.stretchFromRest * target];
  const [x, y, z] = [
    firstMemberRest[a] - firstMemberRest[b],
    firstMemberRest[a + 1] - firstMemberRest[b + 1],
    firstMemberRest[a + 2] - firstMemberRest[b + 2],
  ];
  let [now, rest] = [0, 0];
  for (let k = 0; k < 3; k++) {
    now += squared(firstMemberNow[a + k] - firstMemberNow[b + k]);
    rest += squared(stretchFromRest[o + k] * x + stretchFromRest[o + Y + k] * y + stretchFromRest[o + Z + k] * z);
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
