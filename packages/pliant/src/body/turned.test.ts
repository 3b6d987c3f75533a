import { expect, it } from 'vitest';
import { strainEnergy } from '../inspect.js';
import { World } from '../world.js';

/** Energy (J) of a free bar that was pulled along its length: at first, and after it has rung for a while. Its size (m). */
async function ring(rotation: readonly [number, number, number, number], axis: readonly [number, number, number]) {
  const world = await World.create({ threads: 1, gravity: [0, 0, 0], dt: 1 / 120 });
  const bar = world.addBody({
    shape: { type: 'box', size: [1, 0.2, 0.2] },
    sampling: { count: 700 },
    material: { young: 1e5, dampingRatio: 0.1 },
    rotation,
  });
  const { positions: x, velocities: v } = bar;
  for (let o = 0; o < x.length; o += 4) {
    const along = axis[0] * x[o] + axis[1] * x[o + 1] + axis[2] * x[o + 2];
    for (let a = 0; a < 3; a++) v[o + a] = 2 * along * axis[a];
  }
  const energies = [];
  for (let k = 0; k < 60; k++) {
    energies.push(world.measure().kineticEnergy + strainEnergy(world, bar));
    world.step();
  }
  const { size } = bar;
  const saved = world.snapshot();
  world.dispose();
  const other = await World.create({ threads: 1, gravity: [0, 0, 0], dt: 1 / 120 });
  other.restore(saved);
  expect(other.bodies[0].size).toBe(size);
  other.dispose();
  return { first: energies[0], last: energies[59], size };
}

it('a body rings as long and has the same size however it is turned when it is placed', async () => {
  const straight = await ring([0, 0, 0, 1], [1, 0, 0]);
  // The x axis goes to the diagonal of y and z beside x: (1, 1, 1)/√3.
  const [c, s] = [Math.sqrt((1 + 1 / Math.sqrt(3)) / 2), Math.sqrt((1 - 1 / Math.sqrt(3)) / 2)];
  const turned = await ring(
    [0, -s * Math.SQRT1_2, s * Math.SQRT1_2, c],
    [1 / Math.sqrt(3), 1 / Math.sqrt(3), 1 / Math.sqrt(3)],
  );
  expect(turned.size).toBeCloseTo(straight.size, 9);
  expect(turned.first / straight.first).toBeCloseTo(1, 4);
  expect(straight.last / straight.first).toBeLessThan(0.5);
  expect(turned.last / straight.last).toBeCloseTo(1, 2);
});
