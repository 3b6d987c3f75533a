import { boundInto, List, type Neighbours, takeList } from '../proxy/neighbours.js';
import type { ClusterTree } from '../proxy/tree.js';
import { Scratch } from '../scratch.js';
import type { Views } from '../state/layout.js';
import type { Members } from '../state/members.js';
import type { Rows } from '../state/rows.js';
import { ancestorsOf } from './remapNeighbours.js';
import { DEEPEST, type Heirs, heirsOf, remapTree } from './remapTree.js';
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
  const found = listNew(s, draft, members, fate, positions.length / 3);
  const list = takeList();
  const start = new Uint32Array(3 * count + 3);
  let at = 0;
  for (let c = 0; c < count; c++) {
    const row = 3 * (rows.clusterStart + origin[c]);
    const [first, last] = [s.neighbourStart[row], s.neighbourStart[row + 1]];
    if (fate[c] === Fate.SAME && isShort(s, row)) {
      // Lists of clusters one behind the other move at once. Such clusters kept their numbers.
      let [end, to] = [c + 1, row + 3];
      for (; end < count && fate[end] === Fate.SAME && isShort(s, to); end++) to += 3;
      const gap = list.length - first;
      for (let k = row; k < to; k++) start[3 * c + k - row] = s.neighbourStart[k] + gap;
      list.addAll(s.neighbour, first, s.neighbourStart[to]);
      c = end - 1;
      continue;
    }
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

/** Whether a cluster has a short list: no ring, and the root of the tree. `row`: of its runs in `neighbourStart`. */
const isShort = ({ neighbourStart, neighbour }: Views, row: number) =>
  neighbourStart[row + 1] === neighbourStart[row + 2] &&
  neighbourStart[row + 2] + 1 === neighbourStart[row + 3] &&
  neighbour[neighbourStart[row + 2]] === 0;

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

/** No entry; and no entry yet of a particle that a cluster that lost members holds. */
const NONE = 0xffffffff;
const WANTED = 0xfffffffe;
const foundStart = new List(64);
const foundList = new List(1024);
const foundNext = new List(1024);
const foundBy = new List(1024);
const headRoom = new Scratch();
const holderRoom = new Scratch();
const holderNext = new List(1024);
const holderBy = new List(1024);
const seenRoom = new Scratch();

/**
 * Only clusters that lost members, and those in whose lists such a one was, can share a particle with one that lost members. One pass over their members notes who holds
 * the particles that matter. `particles`: how many the body was built with.
 */
function listNew(s: Views, draft: TopologyDraft, members: Members, fate: Uint8Array, particles: number): Found {
  const count = fate.length;
  const { ancestor, memberParticle } = s;
  const { base } = draft;
  const { start, order } = members;
  // Of each particle as built: the last entry of `holderBy` that holds it or a copy of it.
  const last = holderRoom.take(particles).fill(NONE);
  for (let c = 0; c < count; c++) {
    if (fate[c] !== Fate.NEW) continue;
    const end = start[c + 1];
    for (let n = start[c]; n < end; n++) last[ancestor[memberParticle[base + order[n]]]] = WANTED;
  }
  holderNext.length = holderBy.length = 0;
  for (let b = 0; b < count; b++) {
    if (fate[b] === Fate.SAME) continue;
    const end = start[b + 1];
    for (let n = start[b]; n < end; n++) {
      const i = ancestor[memberParticle[base + order[n]]];
      if (last[i] === NONE) continue;
      holderNext.add(last[i]);
      holderBy.add(b);
      last[i] = holderBy.length - 1;
    }
  }
  const head = headRoom.take(count).fill(NONE);
  foundStart.length = foundList.length = foundNext.length = foundBy.length = 0;
  const seen = seenRoom.take(count).fill(NONE);
  const [next, by] = [holderNext.items, holderBy.items];
  for (let c = 0; c < count; c++) {
    if (fate[c] !== Fate.NEW) continue;
    foundStart.add(foundList.length);
    seen[c] = c;
    const end = start[c + 1];
    for (let n = start[c]; n < end; n++)
      for (let m = last[ancestor[memberParticle[base + order[n]]]]; m !== WANTED; m = next[m]) {
        const b = by[m];
        if (seen[b] === c) continue;
        seen[b] = c;
        foundNext.add(head[b]);
        foundBy.add(c);
        head[b] = foundList.length;
        foundList.add(b);
      }
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
      const held = ancestorsOf(s, draft, members, c);
      boundInto(boxes, c, held, 0, held.length, positions);
    } else if (!isInPlace) {
      const from = 6 * (rows.clusterStart + origin[c]);
      for (let a = 0; a < 6; a++) boxes[6 * c + a] = s.restBox[from + a];
    }
  return boxes;
}
