import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { boxMesh, icosphere, merged, reversed, type TestMesh, torusMesh, without } from '../mesh/testing/meshes.js';
import { testSeed } from '../testing/seed.js';
import { meshSolid } from './meshSolid.js';
import { volumeOf } from './volumeOf.js';

const BALL = (4 / 3) * Math.PI;

/** Random points at least `margin` from the surface, with where they are. */
function expectInside(
  mesh: TestMesh,
  signed: (x: number, y: number, z: number) => number,
  range: number,
  margin: number,
) {
  const solid = meshSolid(mesh);
  const next = random(testSeed('meshSolid'));
  let inside = 0;
  for (let n = 0; n < 3000; n++) {
    const p = [0, 1, 2].map(() => (2 * next() - 1) * range) as [number, number, number];
    const d = signed(...p);
    if (Math.abs(d) < margin) continue;
    expect(solid.inside(...p)).toBe(d < 0);
    if (d < 0) inside++;
  }
  expect(inside).toBeGreaterThan(50);
  return solid;
}

describe('meshSolid', () => {
  const box = (h: number) => (x: number, y: number, z: number) => Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) - h;
  const ball =
    (r: number, cx = 0) =>
    (x: number, y: number, z: number) =>
      Math.hypot(x - cx, y, z) - r;

  it('knows the inside of a box exactly, however its triangles are wound', () => {
    for (const mesh of [
      boxMesh([1, 1, 1]),
      boxMesh([1, 1, 1], [0, 0, 0], true),
      reversed(boxMesh([1, 1, 1])),
      reversed(boxMesh([1, 1, 1]), (t) => t % 2 === 0),
    ]) {
      const solid = expectInside(mesh, box(0.5), 0.8, 1e-9);
      expect(solid.warnings).toEqual([]);
      expect(solid.volume).toBeCloseTo(1, 12);
      expect(solid.distance(0.2, 0, 0)).toBeCloseTo(0.3, 12);
    }
  });

  it('knows the inside of a torus', () => {
    const torus = (x: number, y: number, z: number) => Math.hypot(Math.hypot(x, z) - 1, y) - 0.35;
    expectInside(torusMesh(1, 0.35, 80, 40), torus, 1.4, 0.01);
  });

  it('leaves a cavity out', () => {
    const hollow = expectInside(
      merged(icosphere(3), reversed(icosphere(3, 0.5))),
      (x, y, z) => Math.max(ball(1)(x, y, z), -ball(0.5)(x, y, z)),
      1.1,
      0.02,
    );
    expect(hollow.volume).toBeLessThan(BALL * (1 - 0.125));
    expect(hollow.volume).toBeGreaterThan(BALL * (1 - 0.125) * 0.98);
  });

  it('takes two disjoint shells as one body', () => {
    const mesh = merged(icosphere(3, 1, [-1.5, 0, 0]), reversed(icosphere(3, 1, [1.5, 0, 0])));
    expectInside(mesh, (x, y, z) => Math.min(ball(1, -1.5)(x, y, z), ball(1, 1.5)(x, y, z)), 2.5, 0.02);
  });

  it('takes overlapping shells as their union, the overlap included, and does not count it twice', () => {
    const mesh = merged(icosphere(3, 1, [-0.5, 0, 0]), reversed(icosphere(3, 1, [0.5, 0, 0])));
    const solid = expectInside(mesh, (x, y, z) => Math.min(ball(1, -0.5)(x, y, z), ball(1, 0.5)(x, y, z)), 1.5, 0.02);
    expect(volumeOf(solid) / (2 * BALL - (5 * Math.PI) / 12)).toBeCloseTo(0.99, 1);
    const twoBoxes = meshSolid(merged(boxMesh([2, 2, 2]), boxMesh([2, 2, 2], [1, 0.3, 0.3])));
    expect(Math.abs(volumeOf(twoBoxes) / (16 - 1 * 1.7 * 1.7) - 1)).toBeLessThan(0.005);
  });

  it('warns of an open mesh, and closes it where the hole is', () => {
    const open = without(icosphere(3), (t) => t % 320 < 4);
    const solid = expectInside(open, ball(1), 1.2, 0.1);
    expect(solid.warnings).toHaveLength(1);
    expect(solid.warnings[0]).toMatch(
      /^mesh is open \(\d+ boundary edges\): inside is decided by the generalised winding number$/,
    );
    expect(Math.abs(volumeOf(solid) / BALL - 1)).toBeLessThan(0.03);
    const lidless = meshSolid(
      without(boxMesh([1, 1, 1]), (t) => t < 2),
      'body.mesh',
    );
    expect(lidless.warnings).toEqual([
      'body.mesh is open (4 boundary edges): inside is decided by the generalised winding number',
    ]);
    expect(lidless.inside(0.3, 0, 0)).toBe(true);
    expect(lidless.inside(0, 0, 0)).toBe(true);
    expect(lidless.inside(-0.6, 0, 0)).toBe(false);
  });

  it('refuses a flat mesh', () => {
    const sheet = { positions: [0, 1, 0, 1, 1, 0, 0, 1, 1], indices: [0, 1, 2] };
    expect(() => meshSolid(sheet)).toThrow('mesh is flat: its extent along y is 0; expected a body with a volume.');
  });
});
