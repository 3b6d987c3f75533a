import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';

/**
 * A tree of boxes over a body's clusters. Its branches follow the rest shape and stay; its boxes are refitted in every step of
 * an awake body. Nodes are numbered depth-first: the left child of n is n + 1, and node 0 is the root.
 */
export class ClusterTree {
  /** Per node: lowest x y z, highest x y z (m). */
  readonly bounds: Float32Array;
  /** Per node: its right child, or 0 for a leaf. */
  readonly right: Uint32Array;
  /** Per leaf: its cluster, counted from the body's first. */
  readonly cluster: Uint32Array;
  readonly nodeCount: number;

  /** `centres`: three numbers a cluster. */
  constructor(centres: ArrayLike<number>) {
    const count = centres.length / 3;
    this.nodeCount = 2 * count - 1;
    this.bounds = new Float32Array(6 * this.nodeCount);
    this.right = new Uint32Array(this.nodeCount);
    this.cluster = new Uint32Array(this.nodeCount);
    const order = Array.from({ length: count }, (_, c) => c);
    let next = 0;
    const split = (list: number[]): number => {
      const node = next++;
      if (list.length === 1) {
        this.cluster[node] = list[0];
        return node;
      }
      const axis = longestAxis(centres, list);
      list.sort((a, b) => centres[3 * a + axis] - centres[3 * b + axis] || a - b);
      split(list.slice(0, list.length >> 1));
      this.right[node] = split(list.slice(list.length >> 1));
      return node;
    };
    split(order);
  }

  isLeaf(node: number): boolean {
    return this.right[node] === 0;
  }

  /** Takes the clusters' boxes, each grown by `pad`, up to the root. Children have higher numbers than their parent. */
  refit({ box }: Views, { clusterStart }: Rows, pad: number): void {
    const { bounds, right, cluster } = this;
    for (let node = this.nodeCount - 1; node >= 0; node--) {
      const o = 6 * node;
      if (right[node] === 0) {
        const from = 8 * (clusterStart + cluster[node]);
        for (let a = 0; a < 3; a++) {
          bounds[o + a] = box[from + a] - pad;
          bounds[o + 3 + a] = box[from + 4 + a] + pad;
        }
        continue;
      }
      const [l, r] = [6 * (node + 1), 6 * right[node]];
      for (let a = 0; a < 3; a++) {
        bounds[o + a] = Math.min(bounds[l + a], bounds[r + a]);
        bounds[o + 3 + a] = Math.max(bounds[l + 3 + a], bounds[r + 3 + a]);
      }
    }
  }
}

function longestAxis(centres: ArrayLike<number>, list: number[]): number {
  let [best, most] = [0, -1];
  for (let a = 0; a < 3; a++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const c of list) {
      low = Math.min(low, centres[3 * c + a]);
      high = Math.max(high, centres[3 * c + a]);
    }
    if (high - low > most) [best, most] = [a, high - low];
  }
  return best;
}

/** Whether two nodes' boxes meet. */
export function meet(p: Float32Array, a: number, q: Float32Array, b: number): boolean {
  const [i, j] = [6 * a, 6 * b];
  return (
    p[i] <= q[j + 3] &&
    p[i + 1] <= q[j + 4] &&
    p[i + 2] <= q[j + 5] &&
    q[j] <= p[i + 3] &&
    q[j + 1] <= p[i + 4] &&
    q[j + 2] <= p[i + 5]
  );
}
