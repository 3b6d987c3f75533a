import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { BVH_STACK_SIZE, boxDistanceSquared, buildBvh, isLeaf, leftChild, rightChild } from './bvh.js';
import { icosphere, merged, randomPoint, torusMesh } from './testing/meshes.js';

const meshes = {
  'one triangle': { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] },
  'five triangles in one place': {
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
    indices: [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2],
  },
  icosphere: icosphere(3),
  'torus and sphere': merged(torusMesh(1, 0.3, 30, 11), icosphere(1, 0.2)),
};

describe.each(Object.entries(meshes))('buildBvh of %s', (_, mesh) => {
  const bvh = buildBvh(mesh.positions, mesh.indices);
  const total = mesh.indices.length / 3;

  it('holds every triangle in exactly one leaf', () => {
    expect([...bvh.triangles].sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, t) => t));
    let slot = 0;
    for (let node = 0; node < bvh.nodeCount; node++)
      if (isLeaf(bvh, node)) {
        expect(bvh.first[node]).toBe(slot);
        slot += bvh.count[node];
      }
    expect(slot).toBe(total);
  });

  it('has boxes that hold their triangles, tightly', () => {
    for (let node = 0; node < bvh.nodeCount; node++)
      for (let axis = 0; axis < 3; axis++) {
        const values: number[] = [];
        for (let slot = bvh.first[node]; slot < bvh.first[node] + bvh.count[node]; slot++)
          for (let k = 0; k < 3; k++) values.push(mesh.positions[3 * mesh.indices[3 * bvh.triangles[slot] + k] + axis]);
        expect(bvh.bounds[6 * node + axis]).toBe(Math.min(...values));
        expect(bvh.bounds[6 * node + axis + 3]).toBe(Math.max(...values));
      }
  });

  it('is no deeper than the stack allows', () => {
    const depth = (node: number): number =>
      isLeaf(bvh, node) ? 1 : 1 + Math.max(depth(leftChild(node)), depth(rightChild(bvh, node)));
    expect(depth(0)).toBeLessThanOrEqual(Math.ceil(Math.log2(total + 1)) + 1);
    expect(depth(0)).toBeLessThan(BVH_STACK_SIZE);
  });

  it('measures the distance to a box', () => {
    const next = random(testSeed('boxDistanceSquared'));
    for (let n = 0; n < 100; n++) {
      const p = randomPoint(next, 2);
      const nearest = p.map((x, axis) => Math.min(Math.max(x, bvh.bounds[axis]), bvh.bounds[axis + 3]));
      const expected = p.reduce((sum, x, axis) => sum + (x - nearest[axis]) ** 2, 0);
      expect(boxDistanceSquared(bvh, 0, ...p)).toBeCloseTo(expected, 12);
    }
  });
});
