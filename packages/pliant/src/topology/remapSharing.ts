import { boundInto, List, type Neighbours, takeList } from '../proxy/neighbours.js';
import type { ClusterTree } from '../proxy/tree.js';
import { Scratch } from '../scratch.js';
import type { Views } from '../state/layout.js';
import type { Members } from '../state/members.js';
import type { Rows } from '../state/rows.js';
import { ancestorsOf, boxesMeet, isMarked, mark } from './remapNeighbours.js';
import { DEEPEST, forHeirs, type Heirs, heirsOf, remapTree } from './remapTree.js';
import type { TopologyDraft } from './topologyDraft.js';

/** Per cluster, what becomes of its list: it is copied as it is, or patched because a cluster in it changed, or the cluster itself changed. */
const Fate = { SAME: 0, PATCHED: 1, NEW: 2 } as const;

/**
 * The short lists (proxy/neighbours.ts, WALKED) of the clusters of a draft in which clusters only lost members; undefined if they are better listed anew. Two clusters share a particle
 * only if the clusters they came from did. So clusters that lost members are tested against those that their origins shared particles with, and no other list changes.
 * Arguments are those of remapNeighbours. `growAnew`, if given, makes the tree; otherwise the former one is divided where clusters were.
 */
export function remapSharing(
  s: Views,
  rows: Rows,
  draft: TopologyDraft,
  members: Members,
  origin: Uint32Array,
  positions: Float64Array,
  growAnew?: () => ClusterTree,
): Neighbours | undefined {
  const count = origin.length;
  const before = rows.clusterEnd - rows.clusterStart;
  const heirs = heirsOf(origin, before);
  const { tree, depth } = growAnew
    ? { tree: growAnew(), depth: 0 }
    : remapTree(s.treeNode, 4 * rows.clusterStart, heirs);
  if (depth > DEEPEST) return undefined;
  const isInPlace = keepNumbers(origin, before);
  const fate = decideFates(s, rows, members, origin, heirs, isInPlace);
  const boxes = boxesOf(s, rows, draft, members, origin, fate, isInPlace, positions);
  const found = listNew(s, rows, draft, members, origin, heirs, fate, boxes, positions.length / 3);
  const list = takeList();
  const start = new Uint32Array(3 * count + 3);
  let at = 0;
  for (let c = 0; c < count; c++) {
    const row = 3 * (rows.clusterStart + origin[c]);
    const [first, last] = [s.neighbourStart[row], s.neighbourStart[row + 1]];
    start[3 * c] = list.length;
    if (fate[c] === Fate.SAME) list.addAll(s.neighbour, first, last);
    else if (fate[c] === Fate.NEW) {
      list.addAll(found.list, found.start[at], found.start[at + 1]);
      at++;
    } else {
      for (let k = first; k < last; k++) {
        const to = heirs.start[s.neighbour[k] + 1];
        for (let n = heirs.start[s.neighbour[k]]; n < to; n++)
          if (fate[heirs.list[n]] !== Fate.NEW) list.add(heirs.list[n]);
      }
      for (let n = found.head[c]; n !== NONE; n = found.next[n]) list.add(found.by[n]);
    }
    start[3 * c + 1] = start[3 * c + 2] = list.length;
    list.add(0);
  }
  start.fill(list.length, 3 * count);
  return { tree, boxes, start, list: list.items.slice(0, list.length) };
}

/** Whether the former clusters keep their numbers, and new ones come behind them. */
function keepNumbers(origin: Uint32Array, before: number): boolean {
  if (origin.length < before) return false;
  for (let c = 0; c < before; c++) if (origin[c] !== c) return false;
  return true;
}

const fateRoom = new Scratch(Uint8Array);

function decideFates(
  s: Views,
  { clusterStart }: Rows,
  { changed }: Members,
  origin: Uint32Array,
  heirs: Heirs,
  isInPlace: boolean,
): Uint8Array {
  const count = origin.length;
  const fate = fateRoom.take(count).fill(isInPlace ? Fate.SAME : Fate.PATCHED);
  for (let c = 0; c < count; c++) {
    if (changed![c] !== 2) continue;
    fate[c] = Fate.NEW;
    const row = 3 * (clusterStart + origin[c]);
    for (let k = s.neighbourStart[row]; k < s.neighbourStart[row + 1]; k++) {
      const to = heirs.start[s.neighbour[k] + 1];
      for (let n = heirs.start[s.neighbour[k]]; n < to; n++)
        if (fate[heirs.list[n]] === Fate.SAME) fate[heirs.list[n]] = Fate.PATCHED;
    }
  }
  return fate;
}

/** The clusters that share particles with those that lost members. */
interface Found {
  /** Of each of them, ascending: list[start[n]] … list[start[n + 1] − 1]. */
  start: Uint32Array;
  list: Uint32Array;
  /** Per cluster: the last entry of `list` that names it, or NONE. */
  head: Uint32Array;
  /** Per entry of `list`: the one before it that names the same cluster, or NONE; and whose entry it is. */
  next: Uint32Array;
  by: Uint32Array;
}

const NONE = 0xffffffff;
const foundStart = new List(64);
const foundList = new List(1024);
const foundNext = new List(1024);
const foundBy = new List(1024);
const headRoom = new Scratch();

function listNew(
  s: Views,
  rows: Rows,
  draft: TopologyDraft,
  members: Members,
  origin: Uint32Array,
  heirs: Heirs,
  fate: Uint8Array,
  boxes: Float64Array,
  particles: number,
): Found {
  const head = headRoom.take(origin.length).fill(NONE);
  foundStart.length = foundList.length = foundNext.length = foundBy.length = 0;
  for (let c = 0; c < origin.length; c++) {
    if (fate[c] !== Fate.NEW) continue;
    foundStart.add(foundList.length);
    mark(ancestorsOf(s, rows, draft, members, c), particles);
    const test = (b: number) => {
      // A particle that both hold lies in the boxes of both.
      if (b === c || !boxesMeet(boxes, 6 * b, 6 * c) || !isMarked(s, rows, draft, members, b)) return;
      foundNext.add(head[b]);
      foundBy.add(c);
      head[b] = foundList.length;
      foundList.add(b);
    };
    const row = 3 * (rows.clusterStart + origin[c]);
    forHeirs(heirs, origin[c], test);
    for (let k = s.neighbourStart[row]; k < s.neighbourStart[row + 1]; k++) forHeirs(heirs, s.neighbour[k], test);
  }
  foundStart.add(foundList.length);
  return { start: foundStart.items, list: foundList.items, head, next: foundNext.items, by: foundBy.items };
}

/** Bounds of the clusters at rest: those of clusters that lost members anew. */
function boxesOf(
  s: Views,
  rows: Rows,
  draft: TopologyDraft,
  members: Members,
  origin: Uint32Array,
  fate: Uint8Array,
  isInPlace: boolean,
  positions: Float64Array,
): Float64Array {
  const boxes = new Float64Array(6 * origin.length);
  if (isInPlace) boxes.set(s.restBox.subarray(6 * rows.clusterStart, 6 * rows.clusterEnd));
  for (let c = 0; c < origin.length; c++)
    if (fate[c] === Fate.NEW) {
      const held = ancestorsOf(s, rows, draft, members, c);
      boundInto(boxes, c, held, 0, held.length, positions);
    } else if (!isInPlace) {
      const from = 6 * (rows.clusterStart + origin[c]);
      for (let a = 0; a < 6; a++) boxes[6 * c + a] = s.restBox[from + a];
    }
  return boxes;
}
