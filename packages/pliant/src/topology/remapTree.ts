import type { ClusterTree } from '../proxy/tree.js';
import { Scratch } from '../scratch.js';

/** Which clusters came from each former cluster c: list[start[c]] … list[start[c + 1] − 1]. */
export interface Heirs {
  start: Uint32Array;
  list: Uint32Array;
}

/** Largest depth of a tree that is divided further. Deeper ones are grown anew: walks have room for 33 levels. */
export const DEEPEST = 32;

/** Value of `place` for a node without heirs. */
export const GONE = 0xffffffff;

export interface RemappedTree {
  tree: ClusterTree;
  /** Per former node: which node has its place, or GONE. */
  place: Uint32Array;
  /** Per cluster: its leaf. */
  leaf: Uint32Array;
  /** Nodes from the root to the lowest leaf. */
  depth: number;
}

const NO_BOXES = new Float64Array(0);
const sizeRoom = new Scratch();
const placeRoom = new Scratch();
const leafRoom = new Scratch();
const depthRoom = new Scratch(Uint8Array);

/**
 * The tree of a body whose clusters were divided or ended: each leaf gives way to the heirs of its cluster. The former tree has the branches of `branch` from index
 * `first` on. It has no boxes until `boundTree`. The result has the place and leaf of scratch: the next call overwrites them.
 */
export function remapTree(branch: Uint32Array, first: number, heirs: Heirs): RemappedTree {
  const before = heirs.start.length - 2;
  const clusters = heirs.list.length;
  const nodes = 2 * before - 1;
  const heirCount = (node: number) => {
    const c = branch[first + 2 * node + 1];
    return heirs.start[c + 1] - heirs.start[c];
  };
  // Nodes that each subtree will have. Children have higher numbers than their parent.
  const size = sizeRoom.take(nodes);
  for (let node = nodes - 1; node >= 0; node--) {
    const right = branch[first + 2 * node];
    if (right === 0) {
      const count = heirCount(node);
      size[node] = count === 0 ? 0 : 2 * count - 1;
    } else {
      const [l, r] = [size[node + 1], size[right]];
      size[node] = l + r + (l > 0 && r > 0 ? 1 : 0);
    }
  }
  const tree = { branch: new Uint32Array(4 * clusters - 2), boxes: NO_BOXES };
  const place = placeRoom.take(nodes);
  const leaf = leafRoom.take(clusters);
  const depth = depthRoom.take(2 * clusters - 1);
  place[0] = size[0] > 0 ? 0 : GONE;
  depth[0] = 1;
  let deepest = 1;
  for (let node = 0; node < nodes; node++) {
    const at = place[node];
    const right = branch[first + 2 * node];
    if (right === 0) {
      if (at === GONE) continue;
      const c = branch[first + 2 * node + 1];
      deepest = Math.max(
        deepest,
        layOutLeaves(tree.branch, leaf, heirs.list, heirs.start[c], heirs.start[c + 1], at, depth[at]),
      );
    } else if (at === GONE || size[node + 1] === 0 || size[right] === 0) {
      // A child without a sibling takes the place of its parent.
      place[node + 1] = size[node + 1] > 0 ? at : GONE;
      place[right] = size[right] > 0 ? at : GONE;
    } else {
      const other = at + 1 + size[node + 1];
      tree.branch[2 * at] = other;
      place[node + 1] = at + 1;
      place[right] = other;
      depth[at + 1] = depth[other] = depth[at] + 1;
    }
  }
  return { tree, place, leaf, depth: deepest };
}

/** Lays out clusters list[from] … list[to − 1] below node `at`. Returns the depth of the lowest. */
function layOutLeaves(
  branch: Uint32Array,
  leaf: Uint32Array,
  list: Uint32Array,
  from: number,
  to: number,
  at: number,
  depth: number,
): number {
  branch[2 * at + 1] = list[from];
  if (to - from === 1) {
    branch[2 * at] = 0;
    leaf[list[from]] = at;
    return depth;
  }
  const half = (from + to + 1) >> 1;
  const right = at + 2 * (half - from);
  branch[2 * at] = right;
  const low = layOutLeaves(branch, leaf, list, from, half, at + 1, depth + 1);
  return Math.max(low, layOutLeaves(branch, leaf, list, half, to, right, depth + 1));
}

/** Gives a tree the boxes of all nodes, from those of the clusters at rest, six numbers each, which grow by `pad`. */
export function boundTree(tree: ClusterTree, ofCluster: Float64Array, pad: number): void {
  const { branch } = tree;
  tree.boxes = new Float64Array(3 * branch.length);
  const { boxes } = tree;
  for (let node = branch.length / 2 - 1; node >= 0; node--) {
    const right = branch[2 * node];
    const to = 6 * node;
    if (right === 0) {
      const from = 6 * branch[2 * node + 1];
      for (let a = 0; a < 3; a++) {
        boxes[to + a] = ofCluster[from + a] - pad;
        boxes[to + 3 + a] = ofCluster[from + 3 + a] + pad;
      }
    } else {
      const [l, r] = [to + 6, 6 * right];
      for (let a = 0; a < 3; a++) {
        boxes[to + a] = Math.min(boxes[l + a], boxes[r + a]);
        boxes[to + 3 + a] = Math.max(boxes[l + 3 + a], boxes[r + 3 + a]);
      }
    }
  }
}

const startRoom = new Scratch();
const listRoom = new Scratch();

export function heirsOf(origin: Uint32Array, before: number): Heirs {
  const start = startRoom.takeZeros(before + 2);
  const list = listRoom.take(origin.length);
  for (const c of origin) start[c + 2]++;
  for (let c = 0; c < before; c++) start[c + 2] += start[c + 1];
  for (let n = 0; n < origin.length; n++) list[start[origin[n] + 1]++] = n;
  return { start, list };
}

export function forHeirs({ start, list }: Heirs, c: number, visit: (heir: number) => void): void {
  for (let n = start[c]; n < start[c + 1]; n++) visit(list[n]);
}
