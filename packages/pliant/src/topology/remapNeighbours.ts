import { boundInto, List, type Neighbours, takeList, walk } from '../proxy/neighbours.js';
import { Scratch } from '../scratch.js';
import type { Views } from '../state/layout.js';
import type { Members } from '../state/members.js';
import type { Rows } from '../state/rows.js';
import { boundTree, DEEPEST, forHeirs, GONE, type Heirs, heirsOf, remapTree } from './remapTree.js';
import type { TopologyDraft } from './topologyDraft.js';

/**
 * Neighbours of the clusters of a draft in which clusters only lost members; undefined if they are better listed anew. Two clusters share a particle only if the
 * clusters they came from did. So a cluster whose members did not change keeps its lists, in which the heirs of a cluster take its place; and one that lost
 * members is tested only against those that its origin shared particles with. The tree is divided further where clusters were. origin[c]: which of the body's clusters
 * cluster c is or came from.
 */
export function remapNeighbours(
  s: Views,
  rows: Rows,
  draft: TopologyDraft,
  members: Members,
  origin: Uint32Array,
  positions: Float64Array,
  pad: number,
): Neighbours | undefined {
  const count = origin.length;
  const changed = members.changed!;
  const heirs = heirsOf(origin, rows.clusterEnd - rows.clusterStart);
  const boxes = new Float64Array(6 * count);
  let others = 0;
  const order = orderRoom.take(count);
  for (let c = 0; c < count; c++) {
    if (changed[c] === 2) {
      const held = ancestorsOf(s, draft, members, c);
      boundInto(boxes, c, held, 0, held.length, positions);
      order[c] = others++;
    } else {
      const from = 6 * (rows.clusterStart + origin[c]);
      for (let a = 0; a < 6; a++) boxes[6 * c + a] = s.restBox[from + a];
    }
  }
  const { tree, place, leaf, depth } = remapTree(s.treeNode, 4 * rows.clusterStart, heirs);
  if (depth > DEEPEST) return undefined;
  boundTree(tree, boxes, pad);
  const shares = findSharing(s, rows, draft, members, origin, heirs, order, others, positions.length / 3);
  const list = takeList();
  const [left, far] = [leftRoom, farRoom];
  const start = new Uint32Array(3 * count + 3);
  const seen = seenRoom.takeZeros(count);
  const meets = (b: number, c: number) => boxesMeet(tree.boxes, 6 * leaf[b], 6 * leaf[c]);
  for (let c = 0; c < count; c++) {
    const row = 3 * (rows.clusterStart + origin[c]);
    const [shared, ring, end] = [s.neighbourStart[row], s.neighbourStart[row + 1], s.neighbourStart[row + 2]];
    start[3 * c] = list.length;
    left.length = far.length = 0;
    if (changed[c] === 2) {
      // `seen[b]` is the last cluster for which b was found to share a particle, plus 1.
      seen[c] = c + 1;
      const from = count * order[c];
      const look = (b: number) => {
        if (shares[from + b] === 0 || b === c) return;
        seen[b] = c + 1;
        list.add(b);
      };
      forHeirs(heirs, origin[c], look);
      for (let k = shared; k < ring; k++) forHeirs(heirs, s.neighbour[k], look);
      start[3 * c + 1] = list.length;
      walk(tree, leaf[c], seen, c + 1, list, far);
    } else {
      for (let k = shared; k < ring; k++) {
        const to = heirs.start[s.neighbour[k] + 1];
        for (let n = heirs.start[s.neighbour[k]]; n < to; n++) {
          const b = heirs.list[n];
          if (changed[b] !== 2 || shares[count * order[b] + c] !== 0) list.add(b);
          else left.add(b);
        }
      }
      start[3 * c + 1] = list.length;
      for (let n = 0; n < left.length; n++)
        if (meets(left.items[n], c)) list.add(left.items[n]);
        else far.add(leaf[left.items[n]]);
      for (let k = ring; k < end; k++) {
        const to = heirs.start[s.neighbour[k] + 1];
        for (let n = heirs.start[s.neighbour[k]]; n < to; n++) {
          const b = heirs.list[n];
          if (changed[b] !== 2 || meets(b, c)) list.add(b);
          else far.add(leaf[b]);
        }
      }
    }
    start[3 * c + 2] = list.length;
    for (let n = 0; n < far.length; n++) list.add(far.items[n]);
    if (changed[c] === 2) continue;
    for (let k = end; k < s.neighbourStart[row + 3]; k++) {
      const node = place[s.neighbour[k]];
      if (node !== GONE) list.add(node);
    }
  }
  start.fill(list.length, 3 * count);
  return { tree, boxes, start, list: list.items.slice(0, list.length) };
}

const orderRoom = new Scratch();
const seenRoom = new Scratch(Int32Array);
const leftRoom = new List(64);
const farRoom = new List(64);

export function boxesMeet(boxes: Float64Array, p: number, q: number): boolean {
  for (let a = 0; a < 3; a++) if (boxes[p + a] > boxes[q + 3 + a] || boxes[q + a] > boxes[p + 3 + a]) return false;
  return true;
}

/**
 * Of each of the `others` clusters that lost members, which are numbered by `order`: a row of a table of all clusters, not 0 where both share a particle.
 */
function findSharing(
  s: Views,
  rows: Rows,
  draft: TopologyDraft,
  members: Members,
  origin: Uint32Array,
  heirs: Heirs,
  order: Uint32Array,
  others: number,
  particles: number,
): Uint8Array {
  const count = origin.length;
  const changed = members.changed!;
  const shares = sharesRoom.takeZeros(others * count);
  const bits = bitsRoom.take(particles);
  let next = 0;
  // So many clusters that lost members at a time, each with a bit. Every other cluster is looked through once for all of them.
  while (next < count) {
    const first = next;
    bits.fill(0);
    const wanted = wantedRoom.takeZeros(count);
    for (let bit = 1; next < count && bit !== 0; next++) {
      if (changed[next] !== 2) continue;
      for (const i of ancestorsOf(s, draft, members, next)) bits[i] |= bit;
      const row = 3 * (rows.clusterStart + origin[next]);
      const want = (b: number) => {
        wanted[b] |= bit;
      };
      forHeirs(heirs, origin[next], want);
      for (let k = s.neighbourStart[row]; k < s.neighbourStart[row + 1]; k++) forHeirs(heirs, s.neighbour[k], want);
      bit <<= 1;
    }
    for (let b = 0; b < count; b++) {
      if (wanted[b] === 0) continue;
      const found = bitsOf(s, draft, members, b, bits, wanted[b]);
      let bit = 1;
      for (let c = first; c < next; c++) {
        if (changed[c] !== 2) continue;
        if ((found & bit) !== 0 && b !== c) shares[count * order[c] + b] = 1;
        bit <<= 1;
      }
    }
  }
  return shares;
}
const bitsRoom = new Scratch();
const wantedRoom = new Scratch();

/** Those bits of `wanted` that a particle of cluster b has. */
function bitsOf(
  { ancestor, memberParticle }: Views,
  { base }: TopologyDraft,
  { start, order }: Members,
  b: number,
  bits: Uint32Array,
  wanted: number,
): number {
  let found = 0;
  const last = start[b + 1];
  for (let n = start[b]; n < last; n++) {
    found |= bits[ancestor[memberParticle[base + order[n]]]] & wanted;
    if (found === (wanted | 0)) return found;
  }
  return found;
}
const sharesRoom = new Scratch(Uint8Array);

const heldRoom = new Scratch();

/**
 * Ancestors of the particles that a cluster of a draft that has not grown holds. A copy has the ancestor of its particle, which the state still has at the membership. The next
 * call overwrites them.
 */
export function ancestorsOf(
  { ancestor, memberParticle }: Views,
  { base }: TopologyDraft,
  { start, order }: Members,
  c: number,
): Uint32Array {
  const first = start[c];
  const held = heldRoom.take(start[c + 1] - first);
  for (let n = 0; n < held.length; n++) held[n] = ancestor[memberParticle[base + order[first + n]]];
  return held;
}
