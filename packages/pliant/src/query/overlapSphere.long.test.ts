import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../check.js';
import { random } from '../math/random.js';
import { distance, worldWith } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { SOLIDS, signedDistance } from './testing/shapes.js';

describe.each(Object.entries(SOLIDS))('balls about a %s', (name, { body, solid }) => {
  test.each([0.1, 0.06])('know how far its surface is (%f m)', async (spacing) => {
    const { world } = await worldWith({ ...body, sampling: { method: 'grid', spacing } });
    const next = random(testSeed(`${name} ${spacing}`));
    const off: number[] = [];
    for (let k = 0; k < 150; k++) {
      const centre = [1.6, 1.6, 1.6].map((v) => v * (next() - 0.5)) as unknown as Vec3;
      const [found] = world.overlapSphere(centre, 3);
      off.push(Math.abs(found.distance - signedDistance(solid, centre)) / spacing);
      expect(distance(found.point, centre)).toBeCloseTo(Math.abs(found.distance), 9);
    }
    off.sort((a, b) => a - b);
    expect(off[Math.floor(0.98 * off.length)]).toBeLessThan(0.5);
    expect(off.at(-1)).toBeLessThan(1.2);
  });
});
