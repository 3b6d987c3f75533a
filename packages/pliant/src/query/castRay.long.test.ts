import { describe, expect, test } from 'vitest';
import { random } from '../math/random.js';
import { distance, worldWith } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { angle, enter, randomRay, SOLIDS, signedDistance, surfaceNormal } from './testing/shapes.js';

describe.each(Object.entries(SOLIDS))('random rays at a %s', (name, { body, solid }) => {
  test.each([
    { method: 'grid', spacing: 0.1 },
    { method: 'grid', spacing: 0.06 },
    { method: 'blue-noise', spacing: 0.08 },
  ] as const)('hit its surface ($method, $spacing m)', async ({ method, spacing }) => {
    const { world } = await worldWith({ ...body, sampling: { method, spacing } });
    const next = random(testSeed(`${name} ${method} ${spacing}`));
    const far: number[] = [];
    const turned: number[] = [];
    for (let k = 0; k < 300; k++) {
      const { origin, direction } = randomRay(next);
      const truth = enter(solid, origin, direction);
      const hit = world.castRay(origin, direction);
      // A ray that passes well below the surface must hit.
      if (!hit) {
        if (truth === undefined) continue;
        let deepest = 0;
        for (let t = truth; t < truth + 2; t += spacing / 4)
          deepest = Math.min(
            deepest,
            signedDistance(solid, [0, 1, 2].map((a) => origin[a] + t * direction[a]) as never),
          );
        expect(deepest).toBeGreaterThan(-0.75 * spacing);
        continue;
      }
      far.push(Math.abs(signedDistance(solid, hit.point)) / spacing);
      expect(
        distance(
          hit.point,
          [0, 1, 2].map((a) => origin[a] + hit.distance * direction[a]),
        ),
      ).toBeLessThan(1e-9);
      const { normal, bend } = surfaceNormal(solid, hit.point, spacing);
      // Away from edges and ridges.
      if (bend < 0.05) turned.push(angle(hit.normal, normal));
    }
    far.sort((a, b) => a - b);
    turned.sort((a, b) => a - b);
    expect(far.length).toBeGreaterThan(150);
    // Half a spacing; a little more at edges, and in hollows that are only some three spacings wide.
    const coarse = name === 'box' || spacing === 0.1;
    expect(far.at(-1)).toBeLessThan(coarse ? 1.25 : 0.75);
    expect(far[Math.floor(0.95 * far.length)]).toBeLessThan(0.5);
    expect(far[Math.floor(0.5 * far.length)]).toBeLessThan(0.1);
    expect(turned.length).toBeGreaterThan(20);
    // The tube of the torus is four spacings thick at most where it is coarse: its particles see it bend between them.
    expect(turned[Math.floor(0.9 * turned.length)]).toBeLessThan(spacing > 0.06 ? 20 : 15);
  });
});
