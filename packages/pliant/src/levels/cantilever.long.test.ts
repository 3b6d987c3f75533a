import { expect, test } from 'vitest';
// @ts-expect-error: a plain script, shared with the bench and the plots.
import { sag } from '../../../../bench/cantilever.mjs';
import { report } from '../testing/report.js';
import { World } from '../world.js';

test('stiffness does not depend on the resolution: a cantilever of 1000, 4000 and 16 000 particles sags alike', async () => {
  const weights = { type: 'gaussian', to: 'coarse' } as const;
  const found: number[] = [];
  for (const particles of [1000, 4000, 16_000]) found.push(await sag(World, particles, { weights }));
  report('sag with levels', found, 'm');
  expect(Math.max(...found) / Math.min(...found)).toBeLessThan(1.15);
  // One level alone: the finer, the softer.
  const [coarse, fine] = [await sag(World, 1000), await sag(World, 4000)];
  report('sag with one level', { coarse, fine }, 'm');
  expect(fine / coarse).toBeGreaterThan(2);
});
