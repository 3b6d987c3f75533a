import { Scratch } from '../scratch.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import { type ClusterTree, growFast, growTree } from './tree.js';

/**
 * Candidate pairs of clusters for contact of a body with itself (SPEC K2). For every cluster, from its rest shape:
 * - the clusters that share a particle with it, which never collide with it;
 * - the *ring*: clusters whose boxes meet its own but that share no particle with it;
 * - the *far* nodes: the largest nodes of the tree whose boxes do not meet its own.
 *
 * A step tests only the ring and the far nodes. Walking the tree from its root would visit all nearby clusters in every step (a bunny of
 * 235 clusters: 0.2 ms a step, and 0.05 with the lists).
 */
export interface Neighbours {
  tree: ClusterTree;
  /** Bounds of every cluster's particles at rest: six numbers each, lowest and highest x y z (m). */
  boxes: Float64Array;
  /** Per cluster: where its three runs of `list` begin. A run ends where the next one begins. */
  start: Uint32Array;
  /** Clusters and nodes, counted from the body's first. */
  list: Uint32Array;
}

/** Memberships by cluster: cluster c holds particle[start[c]] … particle[start[c + 1] − 1]. */
interface Memberships {
  start: ArrayLike<number>;
  particle: ArrayLike<number>;
}

/** By particle: clusters cluster[start[i]] … cluster[start[i + 1] − 1] hold particle i. */
interface Holders {
  start: Uint32Array;
  cluster: Uint32Array;
}

/** Builds the lists; needed again whenever a body's memberships change. `pad`: how far the body's surface extends beyond its particles (m). */
export function findNeighbours(clusters: Memberships, positions: Float64Array, pad: number): Neighbours {
  return withKernels((space) => findFast(space, clusters, positions, pad)) ?? findPlain(clusters, positions, pad);
}

function findPlain(clusters: Memberships, positions: Float64Array, pad: number): Neighbours {
  const count = clusters.start.length - 1;
  const sharing = clustersOf(clusters, positions.length / 3);
  const boxes = restBoxes(clusters, positions);
  const overlaps = count <= SMALL ? overlapTable(sharing, count) : undefined;
  return listAll(boxes, pad, (c, seen, list) => {
    if (overlaps) addMarked(overlaps, count, c, seen, list);
    else addOverlapping(clusters, sharing, c, seen, list);
  });
}

/** The same in WASM. */
function findFast(
  space: Workspace,
  { start, particle }: Memberships,
  positions: Float64Array,
  pad: number,
): Neighbours {
  const { kernels } = space;
  const [count, particles] = [start.length - 1, positions.length / 3];
  const [starts, members, points] = [space.putWords(start), space.putWords(particle), space.putReals(positions)];
  const [first, holder] = [space.takeWords(particles + 2), space.takeWords(particle.length)];
  const bounds = space.takeReals(6 * count);
  // An address of 0 means that there is no table; `starts` is at 0.
  const table = count <= SMALL ? space.take(count * count) : 0;
  kernels.meetClusters(starts, count, members, points, particles, first, holder, bounds, table);
  const boxes = space.reals(bounds, 6 * count).slice();
  const tree = growFast(space, padded(boxes, pad));
  const [branch, nodes] = [space.putWords(tree.branch), space.putReals(tree.boxes)];
  const [leaf, seen] = [space.takeWords(count), space.takeWords(count)];
  const [far, open, runs] = [space.takeWords(2 * count), space.takeWords(OPEN), space.takeWords(3 * count + 3)];
  // A list that is longer than its room is counted and made again.
  for (let room = ENTRIES * count; ; ) {
    const out = space.takeWords(room);
    const length = kernels.listNeighbours(
      ...([branch, nodes, count, table, starts, members, first, holder] as const),
      ...([leaf, seen, far, open, runs, out, room] as const),
    );
    if (length <= room)
      return { tree, boxes, start: space.words(runs, 3 * count + 3).slice(), list: space.words(out, length).slice() };
    room = length;
  }
}
/** Entries of the lists that there is room for at first, for each cluster. */
const ENTRIES = 64;

/**
 * Number of clusters of a body that broke above which its lists name only the clusters that share a particle, and the root of the tree as the one far node: a step then walks
 * the tree. Rings and far nodes are some 120 entries a cluster there, and all of them change when a node of the tree does, while a walk visits about as many nodes as they name.
 */
export const WALKED = 512;

/** The lists of a body with more than WALKED clusters. `boxesNow` are where its clusters are: its tree is grown by them, because no list depends on the rest shape. */
export function findSharing(clusters: Memberships, positions: Float64Array, boxesNow: Float64Array): Neighbours {
  const count = clusters.start.length - 1;
  const sharing = clustersOf(clusters, positions.length / 3);
  const start = new Uint32Array(3 * count + 3);
  const list = takeList();
  const seen = new Int32Array(count).fill(-1);
  for (let c = 0; c < count; c++) {
    start[3 * c] = list.length;
    seen[c] = c;
    addOverlapping(clusters, sharing, c, seen, list);
    start[3 * c + 1] = start[3 * c + 2] = list.length;
    list.add(0);
  }
  start.fill(list.length, 3 * count);
  return {
    tree: growTree(boxesNow),
    boxes: restBoxes(clusters, positions),
    start,
    list: list.items.slice(0, list.length),
  };
}

/** Adds the clusters that share a particle with c by a table of all pairs. */
function addMarked(overlaps: Uint8Array, count: number, c: number, seen: Int32Array, list: List): void {
  for (let b = 0; b < count; b++)
    if (overlaps[count * c + b] !== 0 && b !== c) {
      seen[b] = c;
      list.add(b);
    }
}

/** Boxes that are wider by `pad` on every side. */
function padded(boxes: Float64Array, pad: number): Float64Array {
  const wider = boxes.slice();
  for (let c = 0; c < boxes.length / 6; c++)
    for (let a = 0; a < 3; a++) {
      wider[6 * c + a] -= pad;
      wider[6 * c + 3 + a] += pad;
    }
  return wider;
}

/** Builds tree and lists. `listSharing` adds the clusters that share a particle with c, and marks them as seen. */
function listAll(
  boxes: Float64Array,
  pad: number,
  listSharing: (c: number, seen: Int32Array, list: List) => void,
): Neighbours {
  const count = boxes.length / 6;
  const tree = growTree(padded(boxes, pad));
  const leaf = new Uint32Array(count);
  for (let node = 0; node < 2 * count - 1; node++)
    if (tree.branch[2 * node] === 0) leaf[tree.branch[2 * node + 1]] = node;
  const start = new Uint32Array(3 * count + 3);
  const list = takeList();
  // `seen[b]`: the last cluster for which b was found to share a particle.
  const seen = new Int32Array(count).fill(-1);
  const far = farRoom;
  for (let c = 0; c < count; c++) {
    start[3 * c] = list.length;
    seen[c] = c;
    listSharing(c, seen, list);
    start[3 * c + 1] = list.length;
    far.length = 0;
    walk(tree, leaf[c], seen, c, list, far);
    start[3 * c + 2] = list.length;
    for (let k = 0; k < far.length; k++) list.add(far.items[k]);
  }
  start.fill(list.length, 3 * count);
  return { tree, boxes, start, list: list.items.slice(0, list.length) };
}

/** Largest number of clusters for which a table of all pairs is used, which is faster. */
const SMALL = 1024;
let table = new Uint8Array(0);

/** Scratch for a table of all pairs of clusters, all 0. The next call overwrites it. */
function takeTable(count: number): Uint8Array {
  if (table.length < count * count) table = new Uint8Array(2 * count * count);
  return table.fill(0, 0, count * count);
}

/** Fills a table of all pairs of clusters: not 0 where they share a particle. */
function overlapTable({ start, cluster }: Holders, count: number): Uint8Array {
  const overlaps = takeTable(count);
  for (let i = 0; i < start.length - 1; i++) {
    const last = start[i + 1];
    for (let k = start[i]; k < last; k++) {
      const b = cluster[k];
      for (let l = k + 1; l < last; l++) overlaps[count * b + cluster[l]] = overlaps[count * cluster[l] + b] = 1;
    }
  }
  return overlaps;
}

/** Adds the clusters that share a particle with c, for bodies with more than SMALL clusters. */
function addOverlapping(clusters: Memberships, sharing: Holders, c: number, seen: Int32Array, list: List): void {
  for (let k = clusters.start[c]; k < clusters.start[c + 1]; k++)
    for (let l = sharing.start[clusters.particle[k]]; l < sharing.start[clusters.particle[k] + 1]; l++) {
      const b = sharing.cluster[l];
      if (seen[b] === c) continue;
      seen[b] = c;
      list.add(b);
    }
}

/**
 * Adds clusters whose boxes meet that of leaf `own` and that are not marked as seen, by `c`, to the ring. Adds the largest nodes whose boxes do not meet it
 * to `far`.
 */
export function walk(
  { branch, boxes }: ClusterTree,
  own: number,
  seen: Int32Array,
  c: number,
  ring: List,
  far: List,
): void {
  const o = 6 * own;
  const [lx, ly, lz] = [boxes[o], boxes[o + 1], boxes[o + 2]];
  const [hx, hy, hz] = [boxes[o + 3], boxes[o + 4], boxes[o + 5]];
  let top = 0;
  open[top++] = 0;
  while (top > 0) {
    const node = open[--top];
    const b = 6 * node;
    if (
      boxes[b] > hx ||
      lx > boxes[b + 3] ||
      boxes[b + 1] > hy ||
      ly > boxes[b + 4] ||
      boxes[b + 2] > hz ||
      lz > boxes[b + 5]
    )
      far.add(node);
    else if (branch[2 * node] === 0) {
      if (seen[branch[2 * node + 1]] !== c) ring.add(branch[2 * node + 1]);
    } else {
      open[top++] = branch[2 * node];
      open[top++] = node + 1;
    }
  }
}
/** Stack of nodes to visit: one for each level of the tree, whose levels halve the clusters. */
const OPEN = 128;
const open = new Uint32Array(OPEN);

function restBoxes({ start, particle }: Memberships, positions: Float64Array): Float64Array {
  const boxes = new Float64Array(6 * (start.length - 1));
  for (let c = 0; c < start.length - 1; c++) boundInto(boxes, c, particle, start[c], start[c + 1], positions);
  return boxes;
}

/** Box c of `boxes` := the bounds of particle[first] … particle[last − 1]. */
export function boundInto(
  boxes: Float64Array,
  c: number,
  particle: ArrayLike<number>,
  first: number,
  last: number,
  positions: Float64Array,
): void {
  let [lx, ly, lz, hx, hy, hz] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let k = first; k < last; k++) {
    const o = 3 * particle[k];
    const x = positions[o];
    const y = positions[o + 1];
    const z = positions[o + 2];
    if (x < lx) lx = x;
    if (x > hx) hx = x;
    if (y < ly) ly = y;
    if (y > hy) hy = y;
    if (z < lz) lz = z;
    if (z > hz) hz = z;
  }
  const o = 6 * c;
  boxes[o] = lx;
  boxes[o + 1] = ly;
  boxes[o + 2] = lz;
  boxes[o + 3] = hx;
  boxes[o + 4] = hy;
  boxes[o + 5] = hz;
}

const firstRoom = new Scratch();
const clusterRoom = new Scratch();

/** The clusters of every particle. */
function clustersOf({ start, particle }: Memberships, particles: number): Holders {
  const first = firstRoom.takeZeros(particles + 2);
  for (let k = 0; k < particle.length; k++) first[particle[k] + 2]++;
  for (let i = 0; i < particles; i++) first[i + 2] += first[i + 1];
  const cluster = clusterRoom.take(particle.length);
  for (let c = 0; c < start.length - 1; c++)
    for (let k = start[c]; k < start[c + 1]; k++) cluster[first[particle[k] + 1]++] = c;
  return { start: first.subarray(0, particles + 1), cluster };
}

export class List {
  length = 0;
  items: Uint32Array;

  constructor(room: number) {
    this.items = new Uint32Array(Math.max(room, 1));
  }

  add(item: number): void {
    if (this.length === this.items.length) {
      const wider = new Uint32Array(2 * this.length);
      wider.set(this.items);
      this.items = wider;
    }
    this.items[this.length++] = item;
  }

  /** Adds from[first] … from[last − 1]. */
  addAll(from: Uint32Array, first: number, last: number): void {
    const length = this.length + last - first;
    if (length > this.items.length) {
      const wider = new Uint32Array(2 * length);
      wider.set(this.items);
      this.items = wider;
    }
    // A call for a few numbers would cost more than they do.
    if (last - first > 32) this.items.set(from.subarray(first, last), this.length);
    else for (let k = first, to = this.length; k < last; k++) this.items[to++] = from[k];
    this.length = length;
  }
}

/** An empty list, for use until the next call. */
export function takeList(): List {
  listRoom.length = 0;
  return listRoom;
}
// Kept between calls: a body that breaks rebuilds its lists often, and every growth of a list leaves garbage.
const listRoom = new List(1024);
const farRoom = new List(64);
