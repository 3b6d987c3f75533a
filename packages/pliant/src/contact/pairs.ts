import type { Views } from '../state/layout.js';
import { overlaps } from './overlap.js';
import type { ContactShape } from './shape.js';
import { type ClusterTree, meet } from './tree.js';

/** Ordered pairs of clusters: particles of `source` are to be tested against the proxy of `target`. Grows, never shrinks. */
export class PairList {
  count = 0;
  source = new Uint32Array(256);
  target = new Uint32Array(256);
  /** The sources, sorted by target; those of target t are [start[t], start[t + 1]). */
  sorted = new Uint32Array(256);
  start = new Uint32Array(64);

  clear(): void {
    this.count = 0;
  }

  /** Both directions of a pair (SPEC K2). */
  add(a: number, b: number): void {
    if (this.count + 2 > this.source.length) this.grow();
    this.source[this.count] = a;
    this.target[this.count++] = b;
    this.source[this.count] = b;
    this.target[this.count++] = a;
  }

  /** Sorts by target, keeping the order of the sources. */
  sortByTarget(clusters: number): void {
    if (this.start.length < clusters + 1) this.start = new Uint32Array(2 * clusters + 1);
    const { start, source, target, sorted, count } = this;
    start.fill(0, 0, clusters + 1);
    for (let k = 0; k < count; k++) start[target[k] + 1]++;
    for (let c = 0; c < clusters; c++) start[c + 1] += start[c];
    for (let k = 0; k < count; k++) sorted[start[target[k]]++] = source[k];
    // Filling moved every start to its end, which is the next one's start.
    for (let c = clusters; c > 0; c--) start[c] = start[c - 1];
    start[0] = 0;
  }

  private grow(): void {
    for (const name of ['source', 'target', 'sorted'] as const) {
      const wider = new Uint32Array(2 * this[name].length);
      wider.set(this[name]);
      this[name] = wider;
    }
  }
}

/**
 * Node pairs that wait during a walk. Halving keeps a tree of n clusters ⌈log₂ n⌉ deep; of the pairs that a visited one opens
 * (three within a tree, two across) all but one wait, once per level of both trees: 2 · 2 · 32 for 2³² clusters.
 */
const stack = new Uint32Array(2 * 4 * 64);

/** All pairs of clusters of two bodies whose boxes meet; `a0` and `b0` are the first clusters of each. */
export function pairsAcross(a: ClusterTree, a0: number, b: ClusterTree, b0: number, out: PairList): void {
  let top = 0;
  stack[top++] = 0;
  stack[top++] = 0;
  while (top > 0) {
    const q = stack[--top];
    const p = stack[--top];
    if (!meet(a.bounds, p, b.bounds, q)) continue;
    const leafA = a.right[p] === 0;
    const leafB = b.right[q] === 0;
    if (leafA && leafB) out.add(a0 + a.cluster[p], b0 + b.cluster[q]);
    else if (leafB || (!leafA && size(a.bounds, p) >= size(b.bounds, q))) {
      stack[top++] = a.right[p];
      stack[top++] = q;
      stack[top++] = p + 1;
      stack[top++] = q;
    } else {
      stack[top++] = p;
      stack[top++] = b.right[q];
      stack[top++] = p;
      stack[top++] = q + 1;
    }
  }
}

/** Clusters of a body are tested against each other once they are this much nearer than at rest, where they do not touch. */
const NEARER = 0.85;

/**
 * All pairs of clusters within a body whose boxes meet, that share no particle and have come nearer than they are at rest. The
 * boxes of clusters that are next but one always meet: without the last condition a bunny of 200 has 6000 pairs.
 */
export function pairsWithin(s: Views, { tree, overlap, middles }: ContactShape, first: number, out: PairList): void {
  const { right, bounds, cluster } = tree;
  const haveComeNearer = (a: number, b: number) => {
    const p = 4 * s.memberParticle[s.memberStart[first + a]];
    const q = 4 * s.memberParticle[s.memberStart[first + b]];
    const now = (s.x[p] - s.x[q]) ** 2 + (s.x[p + 1] - s.x[q + 1]) ** 2 + (s.x[p + 2] - s.x[q + 2]) ** 2;
    const rest =
      (middles[3 * a] - middles[3 * b]) ** 2 +
      (middles[3 * a + 1] - middles[3 * b + 1]) ** 2 +
      (middles[3 * a + 2] - middles[3 * b + 2]) ** 2;
    return now < NEARER * NEARER * rest;
  };
  let top = 0;
  stack[top++] = 0;
  stack[top++] = 0;
  while (top > 0) {
    const q = stack[--top];
    const p = stack[--top];
    if (p === q) {
      if (right[p] === 0) continue;
      top = push(top, p + 1, p + 1);
      top = push(top, right[p], right[p]);
      top = push(top, p + 1, right[p]);
      continue;
    }
    if (!meet(bounds, p, bounds, q)) continue;
    if (right[p] === 0 && right[q] === 0) {
      if (haveComeNearer(cluster[p], cluster[q]) && !overlaps(overlap, cluster[p], cluster[q]))
        out.add(first + cluster[p], first + cluster[q]);
    } else if (right[q] === 0 || (right[p] !== 0 && size(bounds, p) >= size(bounds, q))) {
      top = push(top, right[p], q);
      top = push(top, p + 1, q);
    } else {
      top = push(top, p, right[q]);
      top = push(top, p, q + 1);
    }
  }
}

function push(top: number, p: number, q: number): number {
  stack[top] = p;
  stack[top + 1] = q;
  return top + 2;
}

/** Sum of a box's edges: the larger of two boxes is opened first. */
const size = (b: Float32Array, n: number) =>
  b[6 * n + 3] - b[6 * n] + b[6 * n + 4] - b[6 * n + 1] + b[6 * n + 5] - b[6 * n + 2];
