import { World } from 'pliant';
import { expect, it } from 'vitest';
import { Energies, groundOf } from './energy.js';

const CUBE = { shape: { type: 'box', size: [1, 1, 1] }, sampling: { method: 'grid', spacing: 0.25 } } as const;

it('what falls gains in motion what it loses in height, above the ground', async () => {
  const world = await World.create({ gravity: [0, -10, 0] });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -1 });
  world.addCollider({ type: 'plane', normal: [1, 0, 0], offset: -9 });
  const body = world.addBody({ ...CUBE, position: [0, 3, 0], material: { mass: 2, raw: { damping: 0 } } });
  const energies = new Energies(world);
  expect(energies.gravity()).toBeCloseTo(2 * 10 * 4, 3);
  for (let n = 0; n < 30; n++) world.step();
  // Symplectic Euler: off by m g v h/2.
  const { kineticEnergy } = world.measure();
  expect(energies.gravity() + kineticEnergy).toBeGreaterThan(80 - 1);
  expect(energies.gravity() + kineticEnergy).toBeLessThan(80 + 1);
  // Rigid in its fall; the square of rounding, of metres, times α m/h².
  expect(energies.strain()).toBeLessThan(1e-3);
  const x = body.positions;
  for (let o = 0; o < x.length; o += 4) x[o] *= 1.1;
  expect(energies.strain()).toBeGreaterThan(1);
});

it('heights are above the ground, or the lowest particle where nothing level is below', async () => {
  const world = await World.create({ gravity: [0, -10, 0] });
  world.addBody({ ...CUBE, position: [0, 3, 0] });
  expect(groundOf(world)[1]).toBeCloseTo(2.5 + 0.125, 1);
  world.addCollider({ type: 'plane', normal: [0.6, 0.8, 0] });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 5 });
  expect(groundOf(world)[1]).toBeCloseTo(2.5 + 0.125, 1);
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0.5 });
  expect(groundOf(world)[1]).toBeCloseTo(0.5, 6);
  world.gravity = [0, 0, 0];
  expect(new Energies(world).gravity()).toBeCloseTo(0, 12);
});
