import { expect, test } from 'vitest';
import { worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import type { LevelOptions } from './options.js';

/** Clusters of 15 particles reach so many spacings of a cubic grid: enough for them to overlap. */
const REACH = 2.4;

/** How far a beam of 2 × 0.5 × 0.5 m sags under its own weight, held at one end (m); found by stopping it whenever it begins to slow down. */
async function sag(particles: number, levels: LevelOptions | undefined): Promise<number> {
  const { world, body } = await worldWith(
    {
      shape: { type: 'box', size: [2, 0.5, 0.5] },
      sampling: { count: particles },
      clustering: { count: Math.floor(particles / 15), radius: REACH * Math.cbrt(0.5 / particles) },
      levels,
      contact: { mode: 'none' },
      material: { stiffness: 0.9, damping: 0, rotation: 'covariance' },
    },
    { dt: 1 / 200, gravity: [0, -0.5, 0] },
  );
  world.addClamp({ region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.8 } });
  const rest = body.restPositions;
  const tip = () => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < body.particleCount; i++)
      if (rest[3 * i] > 0.85) {
        sum += rest[3 * i + 1] - body.positions[4 * i + 1];
        count++;
      }
    return sum / count;
  };
  let [energy, last, still] = [0, 0, 0];
  for (let n = 0; n < 1500 && still < 10; n++) {
    world.step();
    const now = world.measure().kineticEnergy;
    if (now < energy) {
      body.velocities.fill(0);
      still = Math.abs(tip() - last) < 2e-3 * tip() ? still + 1 : 0;
      last = tip();
    }
    energy = now < energy ? 0 : now;
  }
  return tip();
}

test('stiffness does not depend on the resolution: a cantilever of 1000, 4000 and 16 000 particles sags alike', async () => {
  const weights = { type: 'gaussian', to: 'coarse' } as const;
  const found: number[] = [];
  for (const particles of [1000, 4000, 16_000]) found.push(await sag(particles, { weights }));
  report('sag with levels', found, 'm');
  expect(Math.max(...found) / Math.min(...found)).toBeLessThan(1.15);
  // One level alone: the finer, the softer.
  const [coarse, fine] = [await sag(1000, undefined), await sag(4000, undefined)];
  report('sag with one level', { coarse, fine }, 'm');
  expect(fine / coarse).toBeGreaterThan(2);
});
