import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { buildBvh } from './bvh.js';
import { closestPoint } from './closestPoint.js';
import { boxMesh, icosphere, merged, randomPoint, type TestMesh, torusMesh } from './testing/meshes.js';

/** Least distance over all triangles, each minimised over the face and the three edges by other means than Ericson's. */
function bruteForce({ positions, indices }: TestMesh, p: readonly number[]): number {
  const at = (v: number) => positions.slice(3 * v, 3 * v + 3);
  const sub = (a: readonly number[], b: readonly number[]) => a.map((x, k) => x - b[k]);
  const dot = (a: number[], b: number[]) => a.reduce((sum, x, k) => sum + x * b[k], 0);
  const cross = (a: number[], b: number[]) => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const toSegment = (a: number[], b: number[]) => {
    const t = Math.min(Math.max(dot(sub(p, a), sub(b, a)) / dot(sub(b, a), sub(b, a)), 0), 1);
    return Math.hypot(
      ...sub(
        p,
        a.map((x, k) => x + t * (b[k] - x)),
      ),
    );
  };
  let best = Number.POSITIVE_INFINITY;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [at(indices[t]), at(indices[t + 1]), at(indices[t + 2])];
    const n = cross(sub(b, a), sub(c, a));
    const sides = [
      dot(cross(sub(b, a), sub(p, a)), n),
      dot(cross(sub(c, b), sub(p, b)), n),
      dot(cross(sub(a, c), sub(p, c)), n),
    ];
    if (sides.every((s) => s >= 0)) best = Math.min(best, Math.abs(dot(sub(p, a), n)) / Math.hypot(...n));
    best = Math.min(best, toSegment(a, b), toSegment(b, c), toSegment(c, a));
  }
  return best;
}

const meshes = {
  box: boxMesh([1, 2, 3]),
  icosphere: icosphere(2),
  'torus and sphere': merged(torusMesh(1, 0.4, 16, 9), icosphere(1, 0.2)),
};

describe.each(Object.entries(meshes))('closestPoint on %s', (_, mesh) => {
  const bvh = buildBvh(mesh.positions, mesh.indices);
  const next = random(testSeed('closestPoint'));

  it('is as near as brute force finds', () => {
    for (let n = 0; n < 300; n++) {
      const p = randomPoint(next, n % 3 === 0 ? 10 : 1.5);
      expect(closestPoint(bvh, ...p).distance).toBeCloseTo(bruteForce(mesh, p), 10);
    }
  });

  it('gives the point, its triangle and its weights consistently', () => {
    for (let n = 0; n < 300; n++) {
      const p = randomPoint(next, 2);
      const hit = closestPoint(bvh, ...p);
      expect(Math.min(hit.u, hit.v, hit.w)).toBeGreaterThanOrEqual(-1e-12);
      expect(hit.u + hit.v + hit.w).toBeCloseTo(1, 12);
      const [a, b, c] = [0, 1, 2].map((k) => 3 * mesh.indices[3 * hit.triangle + k]);
      [hit.x, hit.y, hit.z].forEach((x, k) => {
        const q = hit.u * mesh.positions[a + k] + hit.v * mesh.positions[b + k] + hit.w * mesh.positions[c + k];
        expect(x).toBeCloseTo(q, 12);
      });
      expect(Math.hypot(hit.x - p[0], hit.y - p[1], hit.z - p[2])).toBeCloseTo(hit.distance, 10);
    }
  });

  it('looks no farther than a limit', () => {
    for (let n = 0; n < 300; n++) {
      const p = randomPoint(next, 2);
      const { distance, triangle } = closestPoint(bvh, ...p);
      expect(closestPoint(bvh, ...p, undefined, distance * 1.1)).toMatchObject({ distance, triangle });
      expect(closestPoint(bvh, ...p, undefined, distance * 0.9)).toMatchObject({
        distance: distance * 0.9,
        triangle: -1,
      });
    }
  });

  it('finds a vertex at its own place', () => {
    for (let v = 0; v < mesh.positions.length / 3; v += 5) {
      const [x, y, z] = mesh.positions.slice(3 * v, 3 * v + 3);
      expect(closestPoint(bvh, x, y, z).distance).toBeLessThan(1e-12);
    }
  });
});
