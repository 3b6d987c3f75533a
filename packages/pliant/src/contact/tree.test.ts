import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';
import { testSeed } from '../testing/seed.js';
import { ClusterTree, meet } from './tree.js';

const FIRST = 3;
const PAD = 0.05;

/** `count` random boxes in rows FIRST and on, as boundClusters leaves them. */
function randomBoxes(next: () => number, count: number): Views {
  const box = new Float32Array(8 * (FIRST + count)).fill(Number.NaN);
  for (let c = FIRST; c < FIRST + count; c++)
    for (let a = 0; a < 3; a++) {
      box[8 * c + a] = 4 * next();
      box[8 * c + 4 + a] = box[8 * c + a] + 0.5 * next();
    }
  return { box } as Views;
}

const rows = { clusterStart: FIRST } as Rows;

describe.each([1, 2, 3, 7, 100, 1000])('a tree over %i clusters', (count) => {
  const next = random(testSeed(`tree ${count}`));
  const tree = new ClusterTree(Float64Array.from({ length: 3 * count }, () => next()));

  it('has each of them in one leaf, no deeper than halving needs', () => {
    const seen: number[] = [];
    let visited = 0;
    const walk = (node: number, depth: number) => {
      visited++;
      expect(depth).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
      if (tree.isLeaf(node)) {
        seen.push(tree.cluster[node]);
        return;
      }
      walk(node + 1, depth + 1);
      walk(tree.right[node], depth + 1);
    };
    walk(0, 0);
    expect(visited).toBe(tree.nodeCount);
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, c) => c));
  });

  it("has the clusters' padded boxes in its leaves after every refit, and in a node the hull of its children", () => {
    for (let step = 0; step < 3; step++) {
      const s = randomBoxes(next, count);
      tree.refit(s, rows, PAD);
      for (let node = 0; node < tree.nodeCount; node++) {
        const of = (n: number) => Array.from(tree.bounds.slice(6 * n, 6 * n + 6));
        const o = 8 * (FIRST + tree.cluster[node]);
        const [l, r] = [of(node + 1), of(tree.right[node])];
        const expected = tree.isLeaf(node)
          ? [0, 1, 2, 4, 5, 6].map((k) => Math.fround(s.box[o + k] + (k < 4 ? -PAD : PAD)))
          : l.map((v, k) => (k < 3 ? Math.min(v, r[k]) : Math.max(v, r[k])));
        expect(of(node)).toEqual(expected);
      }
    }
  });
});

it('splits clusters that all have the same centre, or lie in a row', () => {
  expect(new ClusterTree(new Float64Array(30)).nodeCount).toBe(19);
  // Neighbours in a row stay together.
  const tree = new ClusterTree(Float64Array.from({ length: 24 }, (_, k) => (k % 3 === 1 ? (k * 5) % 8 : 0)));
  const left: number[] = [];
  for (let n = 1; n < tree.right[0]; n++) if (tree.isLeaf(n)) left.push(((3 * tree.cluster[n] + 1) * 5) % 8);
  expect(left.sort((a, b) => a - b)).toEqual([0, 1, 2, 3]);
});

it('boxes meet when they do on every axis, borders included', () => {
  const boxes = Float32Array.of(0, 0, 0, 1, 1, 1, 1, 0.5, 0.5, 2, 2, 2, 1.001, 0, 0, 2, 1, 1, 0.2, 0.2, 3, 0.4, 0.4, 4);
  const pairs = [0, 1, 2, 3].map((a) => [0, 1, 2, 3].filter((b) => meet(boxes, a, boxes, b)));
  expect(pairs).toEqual([[0, 1], [0, 1, 2], [1, 2], [3]]);
});
