import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { MATERIALS } from '../material/presets.js';
import { World } from '../world.js';

/** Largest speed (m/s) of a particle in so many steps, on a floor. */
async function fastest(bodies: BodyOptions[], steps: number): Promise<number> {
  const world = await World.create({ threads: 1 });
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  for (const body of bodies) world.addBody(body);
  let most = 0;
  for (let n = 0; n < steps; n++) {
    world.step();
    const { velocities: v } = world;
    for (let o = 0; o < v.length; o += 4) most = Math.max(most, Math.hypot(v[o], v[o + 1], v[o + 2]));
  }
  expect(world.bodies.every(({ enabled }) => enabled)).toBe(true);
  world.dispose();
  return most;
}

describe('bodies that begin inside one another', () => {
  const box = (name: keyof typeof MATERIALS, position: [number, number, number]): BodyOptions => ({
    shape: { type: 'box', size: [0.4, 0.4, 0.4] },
    sampling: { count: 150 },
    material: MATERIALS[name].material,
    position,
  });

  it.each(['jelly', 'glass', 'wood'] as const)('of %s part slowly, however deep they are', async (name) => {
    for (const shift of [0.36, 0.2, 0.05]) {
      const speed = await fastest([box(name, [0, 0.2, 0]), box(name, [0.3 * shift, 0.2 + shift, 0.02])], 40);
      expect(speed, `${shift} m apart`).toBeLessThan(15);
    }
  });
});

it('a rigid body of one particle does not turn, so friction adds no speed to it', async () => {
  const point: BodyOptions = {
    shape: { type: 'box', size: [0.0656, 0.6914, 0.9465] },
    sampling: { count: 1, method: 'grid' },
    material: { young: 347512, poisson: 0.165, density: 420 },
    position: [-0.0839, 0.9376, -0.382],
  };
  const sheet: BodyOptions = {
    shape: { type: 'sheet', size: [1.983, 1.829], thickness: 0.0199 },
    sampling: { count: 3 },
    position: [0.1477, 0.8634, 0.0304],
  };
  expect(await fastest([point, sheet], 60)).toBeLessThan(15);
});
