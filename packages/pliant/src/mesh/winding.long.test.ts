import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { buildBvh } from './bvh.js';
import { solidAngle } from './solidAngle.js';
import { boxMesh, icosphere, merged, randomPoint, reversed, torusMesh, without } from './testing/meshes.js';
import { buildDipoles, isWoundAround, windingNumber } from './winding.js';

const meshes = {
  box: boxMesh([1, 1.5, 2]),
  icosphere: icosphere(3),
  torus: torusMesh(1, 0.35, 60, 30),
  'open icosphere': without(icosphere(3), (t) => t < 200),
  'sphere with cavity': merged(icosphere(3), reversed(icosphere(2, 0.5))),
};

describe.each(Object.entries(meshes))('windingNumber of %s', (_, mesh) => {
  const bvh = buildBvh(mesh.positions, mesh.indices);
  const dipoles = buildDipoles(bvh);
  const exact = (x: number, y: number, z: number) => {
    let sum = 0;
    for (let slot = 0; slot < bvh.triangles.length; slot++) sum += solidAngle(bvh.corners, 9 * slot, x, y, z);
    return sum / (4 * Math.PI);
  };

  it('is the exact sum to 1e-2 everywhere, near the surface and far away', () => {
    const next = random(testSeed('windingNumber'));
    let worst = 0;
    for (let n = 0; n < 1000; n++) {
      const p = randomPoint(next, n % 4 === 0 ? 5 : 1.2);
      worst = Math.max(worst, Math.abs(windingNumber(bvh, dipoles, ...p) - exact(...p)));
    }
    report('largest error', worst, '');
    expect(worst).toBeLessThan(1e-2);
  });

  it('is on the same side of ½ when only that is asked', () => {
    const next = random(testSeed('isWoundAround'));
    for (let n = 0; n < 1000; n++) {
      const p = randomPoint(next, 1.2);
      const w = exact(...p);
      if (Math.abs(w - 0.5) > 0.01) expect(isWoundAround(bvh, dipoles, ...p)).toBe(w > 0.5);
    }
  });

  it('is the exact sum when dipoles are never far enough', () => {
    const next = random(testSeed('windingNumber'));
    for (let n = 0; n < 100; n++) {
      const p = randomPoint(next, 1.2);
      expect(windingNumber(bvh, dipoles, ...p, 1e9)).toBeCloseTo(exact(...p), 10);
    }
  });
});

describe('windingNumber', () => {
  it('tells inside from outside right up to a faceted surface', () => {
    const mesh = boxMesh([1, 1.5, 2]);
    const bvh = buildBvh(mesh.positions, mesh.indices);
    const dipoles = buildDipoles(bvh);
    const next = random(testSeed('windingNumber inside'));
    for (let n = 0; n < 2000; n++) {
      const p = randomPoint(next, 1.1);
      const depth = Math.min(0.5 - Math.abs(p[0]), 0.75 - Math.abs(p[1]), 1 - Math.abs(p[2]));
      if (Math.abs(depth) < 1e-9) continue;
      expect(windingNumber(bvh, dipoles, ...p)).toBeCloseTo(depth > 0 ? 1 : 0, 1);
    }
  });

  it('is the same for a mesh far from the origin', () => {
    const mesh = icosphere(2, 1, [1000, -2000, 500]);
    const bvh = buildBvh(mesh.positions, mesh.indices);
    const dipoles = buildDipoles(bvh);
    expect(windingNumber(bvh, dipoles, 1000.2, -2000.3, 500.1)).toBeCloseTo(1, 2);
    expect(windingNumber(bvh, dipoles, 1001.2, -2000.3, 500.1)).toBeCloseTo(0, 2);
  });
});
