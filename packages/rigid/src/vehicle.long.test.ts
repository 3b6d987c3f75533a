import RAPIER from '@dimforge/rapier3d-compat';
import { World } from 'pliant';
import { expect, it } from 'vitest';
import { makeVehicle } from '../examples/vehicle.js';
import { RapierCoupling } from './rapier.js';

it('a vehicle on soft tyres stands on them, and drives straight ahead', async () => {
  await RAPIER.init();
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 1 });
  const coupling = new RapierCoupling(world, new RAPIER.World({ x: 0, y: -9.81, z: 0 }));
  const { chassis, hubs, tyres, drive } = makeVehicle(RAPIER, world, coupling, 0.45);
  const run = (seconds: number) => {
    for (let n = 0; n < Math.round(seconds / world.dt); n++) coupling.step();
  };
  run(0.6);
  const standing = hubs.map((hub) => hub.translation().y);
  // A tyre without load would hold its hub 0.31 m above the ground.
  for (const y of standing) {
    expect(y).toBeGreaterThan(0.22);
    expect(y).toBeLessThan(0.31);
  }
  const from = chassis.translation();
  drive(8);
  run(1);
  const to = chassis.translation();
  expect(to.x - from.x).toBeGreaterThan(1.2);
  expect(to.x - from.x).toBeLessThan(8 * 0.31);
  expect(Math.abs(to.z - from.z)).toBeLessThan(0.2);
  expect(to.y).toBeGreaterThan(0.25);
  for (const [k, tyre] of tyres.entries()) {
    const { x, y } = hubs[k].translation();
    expect(Math.hypot(tyre.centreOfMass[0] - x, tyre.centreOfMass[1] - y)).toBeLessThan(0.05);
  }
});
