import { boundInto, listNeighbours, type Neighbours, takeTable } from '../proxy/neighbours.js';
import { Scratch } from '../scratch.js';
import type { Views } from '../state/layout.js';
import type { Members } from '../state/members.js';
import type { Rows } from '../state/rows.js';
import type { TopologyDraft } from './topologyDraft.js';

/**
 * Neighbours of the clusters of a draft in which clusters only lost members. Two clusters share a particle only if the
 * clusters they came from did. So a cluster whose members did not change keeps its neighbours, and one that lost
 * members is tested only against those that its origin shared particles with. origin[c]: which of the body's clusters
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
): Neighbours {
  const count = origin.length;
  const changed = members.changed!;
  const heirs = heirsOf(origin, rows.clusterEnd - rows.clusterStart);
  const overlaps = takeTable(count);
  const boxes = new Float64Array(6 * count);
  for (let c = 0; c < count; c++) {
    const row = rows.clusterStart + origin[c];
    if (changed[c] === 2) {
      const held = ancestorsOf(s, rows, draft, members, c);
      boundInto(boxes, c, held, 0, held.length, positions);
      mark(held, positions.length / 3);
      const meets = (b: number) => {
        // A pair in which both clusters lost members is tested once.
        if (b === c || (b < c && changed[b] === 2) || !isMarked(s, rows, draft, members, b)) return;
        overlaps[count * c + b] = overlaps[count * b + c] = 1;
      };
      forHeirs(heirs, origin[c], meets);
      for (let k = s.neighbourStart[3 * row]; k < s.neighbourStart[3 * row + 1]; k++)
        forHeirs(heirs, s.neighbour[k], meets);
    } else {
      for (let a = 0; a < 6; a++) boxes[6 * c + a] = s.restBox[6 * row + a];
      for (let k = s.neighbourStart[3 * row]; k < s.neighbourStart[3 * row + 1]; k++) {
        const b = heirs.start[s.neighbour[k]];
        if (b < heirs.start[s.neighbour[k] + 1] && changed[heirs.list[b]] !== 2)
          overlaps[count * c + heirs.list[b]] = 1;
      }
    }
  }
  return listNeighbours(boxes, pad, overlaps);
}

interface Heirs {
  start: Uint32Array;
  list: Uint32Array;
}

const startRoom = new Scratch();
const listRoom = new Scratch();

/** Clusters that came from each former cluster c: list[start[c]] … list[start[c + 1] − 1]. */
function heirsOf(origin: Uint32Array, before: number): Heirs {
  const start = startRoom.takeZeros(before + 2);
  const list = listRoom.take(origin.length);
  for (const c of origin) start[c + 2]++;
  for (let c = 0; c < before; c++) start[c + 2] += start[c + 1];
  for (let n = 0; n < origin.length; n++) list[start[origin[n] + 1]++] = n;
  return { start, list };
}

function forHeirs({ start, list }: Heirs, c: number, visit: (heir: number) => void): void {
  for (let n = start[c]; n < start[c + 1]; n++) visit(list[n]);
}

const heldRoom = new Scratch();

/** Ancestors of the particles that a cluster holds. */
function ancestorsOf(
  { ancestor }: Views,
  { particleStart }: Rows,
  { particle, particleFrom }: TopologyDraft,
  { start, order }: Members,
  c: number,
): Uint32Array {
  const held = heldRoom.take(start[c + 1] - start[c]);
  for (let n = 0; n < held.length; n++) held[n] = ancestor[particleStart + particleFrom[particle[order[start[c] + n]]]];
  return held;
}

/** marks[i] === `marking` for the particles i of the last call of `mark`. */
let marks = new Uint32Array(0);
let marking = 0;

function mark(held: Uint32Array, particles: number): void {
  if (marks.length < particles || marking === 0xffffffff) {
    marks = new Uint32Array(Math.max(particles, marks.length));
    marking = 0;
  }
  marking++;
  for (const i of held) marks[i] = marking;
}

/** Whether a cluster holds a marked particle. */
function isMarked(
  { ancestor }: Views,
  { particleStart }: Rows,
  { particle, particleFrom }: TopologyDraft,
  { start, order }: Members,
  c: number,
): boolean {
  const last = start[c + 1];
  for (let n = start[c]; n < last; n++)
    if (marks[ancestor[particleStart + particleFrom[particle[order[n]]]]] === marking) return true;
  return false;
}
