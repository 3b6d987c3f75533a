/**
 * A bounding-volume hierarchy over triangles. Nodes are numbered depth-first: node 0 is the root and the left child of
 * an inner node n is n + 1. Triangles are copied in leaf order ("slots"), nine coordinates each, so that a leaf is read
 * from one stretch of memory. Read nodes through the accessors below, not by their offsets.
 */
export interface Bvh {
  readonly nodeCount: number;
  /** Per node: minX, minY, minZ, maxX, maxY, maxZ. */
  readonly bounds: Float64Array;
  /** Per node: its right child; 0 for a leaf (the root is no child). */
  readonly right: Uint32Array;
  /** Per node: the range of slots below it. */
  readonly first: Uint32Array;
  readonly count: Uint32Array;
  /** Slot → triangle of the mesh. */
  readonly triangles: Uint32Array;
  /** Per slot: ax, ay, az, bx, by, bz, cx, cy, cz. */
  readonly corners: Float64Array;
}

/** Triangles per leaf: four keeps the tree small, and four triangle tests cost about as much as two box tests. */
const LEAF_SIZE = 4;

/**
 * Splitting at the median halves the slots, so a tree over 2^32 triangles is 32 levels deep; a depth-first walk keeps at
 * most one waiting sibling per level.
 */
export const BVH_STACK_SIZE = 40;

export const isLeaf = (bvh: Bvh, node: number) => bvh.right[node] === 0;
export const leftChild = (node: number) => node + 1;
export const rightChild = (bvh: Bvh, node: number) => bvh.right[node];

/** Squared distance from a point to a node's box; 0 inside. */
export function boxDistanceSquared(bvh: Bvh, node: number, x: number, y: number, z: number): number {
  const b = bvh.bounds;
  const o = 6 * node;
  const dx = x < b[o] ? b[o] - x : x > b[o + 3] ? x - b[o + 3] : 0;
  const dy = y < b[o + 1] ? b[o + 1] - y : y > b[o + 4] ? y - b[o + 4] : 0;
  const dz = z < b[o + 2] ? b[o + 2] - z : z > b[o + 5] ? z - b[o + 5] : 0;
  return dx * dx + dy * dy + dz * dz;
}

/** Builds the hierarchy by splitting at the median centroid along the longest axis. The mesh must have a triangle. */
export function buildBvh(positions: ArrayLike<number>, indices: ArrayLike<number>): Bvh {
  const total = indices.length / 3;
  const triangles = Uint32Array.from({ length: total }, (_, t) => t);
  const centroids = new Float64Array(3 * total);
  for (let t = 0; t < total; t++)
    for (let axis = 0; axis < 3; axis++)
      centroids[3 * t + axis] =
        (positions[3 * indices[3 * t] + axis] +
          positions[3 * indices[3 * t + 1] + axis] +
          positions[3 * indices[3 * t + 2] + axis]) /
        3;

  // Halving more than LEAF_SIZE triangles leaves at least two on each side: at most total / 2 leaves, total − 1 nodes.
  const capacity = Math.max(1, total);
  const right = new Uint32Array(capacity);
  const first = new Uint32Array(capacity);
  const count = new Uint32Array(capacity);
  let nodeCount = 0;
  const split = (start: number, end: number): number => {
    const node = nodeCount++;
    first[node] = start;
    count[node] = end - start;
    if (end - start <= LEAF_SIZE) return node;
    const middle = (start + end) >> 1;
    selectMedian(triangles, centroids, longestAxis(triangles, centroids, start, end), start, end, middle);
    split(start, middle);
    right[node] = split(middle, end);
    return node;
  };
  split(0, total);

  const corners = new Float64Array(9 * total);
  for (let slot = 0; slot < total; slot++)
    for (let k = 0; k < 9; k++)
      corners[9 * slot + k] = positions[3 * indices[3 * triangles[slot] + Math.floor(k / 3)] + (k % 3)];
  const bvh: Bvh = {
    nodeCount,
    bounds: new Float64Array(6 * nodeCount),
    right: right.slice(0, nodeCount),
    first: first.slice(0, nodeCount),
    count: count.slice(0, nodeCount),
    triangles,
    corners,
  };
  // Children have higher numbers than their parents, so that their bounds are known first.
  for (let node = nodeCount - 1; node >= 0; node--) fitBounds(bvh, node);
  return bvh;
}

function fitBounds(bvh: Bvh, node: number): void {
  const { bounds, corners } = bvh;
  const o = 6 * node;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    if (isLeaf(bvh, node)) {
      for (let k = 3 * bvh.first[node]; k < 3 * (bvh.first[node] + bvh.count[node]); k++) {
        low = Math.min(low, corners[3 * k + axis]);
        high = Math.max(high, corners[3 * k + axis]);
      }
    } else {
      const l = 6 * leftChild(node);
      const r = 6 * rightChild(bvh, node);
      low = Math.min(bounds[l + axis], bounds[r + axis]);
      high = Math.max(bounds[l + axis + 3], bounds[r + axis + 3]);
    }
    bounds[o + axis] = low;
    bounds[o + axis + 3] = high;
  }
}

function longestAxis(triangles: Uint32Array, centroids: Float64Array, start: number, end: number): number {
  let best = 0;
  let extent = -1;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = start; k < end; k++) {
      const c = centroids[3 * triangles[k] + axis];
      if (c < low) low = c;
      if (c > high) high = c;
    }
    if (high - low > extent) {
      extent = high - low;
      best = axis;
    }
  }
  return best;
}

/** Hoare's quickselect: afterwards no slot before `middle` has a larger centroid than any slot from it on. */
function selectMedian(
  triangles: Uint32Array,
  centroids: Float64Array,
  axis: number,
  start: number,
  end: number,
  middle: number,
): void {
  let low = start;
  let high = end - 1;
  while (low < high) {
    const pivot = centroids[3 * triangles[(low + high) >> 1] + axis];
    let i = low;
    let j = high;
    while (i <= j) {
      while (centroids[3 * triangles[i] + axis] < pivot) i++;
      while (centroids[3 * triangles[j] + axis] > pivot) j--;
      if (i > j) break;
      const t = triangles[i];
      triangles[i++] = triangles[j];
      triangles[j--] = t;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}
