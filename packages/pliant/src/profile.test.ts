import { expect, test } from 'vitest';
import { STAGES } from './profile.js';
import { BLOCK, worldWith } from './testing/bodies.js';

test('the profile has exactly the stages, and their sum is not more than the time that passed', async () => {
  const { world } = await worldWith(BLOCK, { backend: 'ts' });
  const start = performance.now();
  for (let n = 0; n < 20; n++) world.step();
  const elapsed = performance.now() - start;
  const { profile } = world;
  expect(Object.keys(profile.total)).toEqual([...STAGES]);
  expect(Object.keys(profile.last)).toEqual([
    'external',
    'match',
    'levels',
    'integrate',
    'strainLimit',
    'velocity',
    'fracture',
    'plasticity',
    'recluster',
    'contact',
    'obstacles',
    'sleep',
  ]);
  const sum = Object.values(profile.total).reduce((a, b) => a + b);
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThanOrEqual(elapsed);
  expect(profile.steps).toBe(20);
  expect(profile.means().match).toBeCloseTo(profile.total.match / 20, 12);
  profile.reset();
  expect([profile.steps, ...Object.values(profile.means())]).toEqual(Array(1 + STAGES.length).fill(0));
});
