import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { meshSolid } from '../sample/meshSolid.js';
import { testSeed } from '../testing/seed.js';
import { boxMesh, icosphere, randomPoint, torusMesh, without } from './testing/meshes.js';

describe.each([
  ['icosphere with a hole', without(icosphere(3), (t) => t % 320 < 40)],
  ['half an icosphere', without(icosphere(3), (t) => t < 640)],
  ['box without a lid', without(boxMesh([1, 1, 1]), (t) => t < 2)],
  ['slit torus', without(torusMesh(1, 0.4, 40, 20), (t) => t < 40)],
])('clearance of %s', (_, mesh) => {
  const solid = meshSolid(mesh);
  const next = random(testSeed('holeClearance'));

  it('is a step within which inside does not change', () => {
    for (let n = 0; n < 3000; n++) {
      const p = randomPoint(next, 1.2);
      const clear = Math.min(solid.clearance!(...p), solid.distance(...p)) * (1 - 1e-9);
      const u = randomPoint(next, 1);
      const step = clear / Math.hypot(...u);
      // Beyond the box nothing is inside, whatever the winding number says.
      const q = p.map((x, k) => x + step * u[k]) as [number, number, number];
      if ([p, q].some((r) => r.some((x, k) => x < solid.min[k] || x > solid.max[k]))) continue;
      expect(solid.inside(...q)).toBe(solid.inside(...p));
    }
  });

  it('is large enough to be of use', () => {
    let sum = 0;
    for (let n = 0; n < 1000; n++) {
      const p = randomPoint(next, 1);
      sum += Math.min(solid.clearance!(...p) / solid.distance(...p), 1) / 1000;
    }
    expect(sum).toBeGreaterThan(0.1);
  });
});
