import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import { report } from '../testing/report.js';
import { depthBetween, run, surfaceBall, surfaceBox, worldOf } from './testing/steps.js';

const GRAVITY: Vec3 = [0, -9.81, 0];
/** A clamp on everything of a body. */
const EVERYWHERE = { type: 'halfspace', normal: [0, 1, 0], offset: -100 } as const;

describe('a body dropped on a clamped one, by World.step()', () => {
  const slab = surfaceBox([2, 0.3, 2], 8, {
    sampling: { method: 'grid', spacing: 0.1 },
    clustering: { count: 1 },
    position: [0, -0.15, 0],
  });
  const cube = (count: number) =>
    surfaceBox([0.6, 0.6, 0.6], 5, { clustering: { count }, position: [0.03, 0.4, 0.02] });
  const ball = (count: number) => surfaceBall(0.3, 3, { clustering: { count }, position: [0.03, 0.4, 0.02] });

  it.each([1, 4, 8])(
    'comes to rest as a cube of %i clusters without sleep: below 1 % of its size per second',
    async (count) => {
      const world = await worldOf([slab, cube(count)], { gravity: GRAVITY });
      const [held, dropped] = world.bodies;
      world.addClamp({ region: EVERYWHERE, bodies: [held] });
      run(world, 4);
      const then = dropped.positions.slice();
      let [given, steps] = [0, 0];
      run(world, 1, () => {
        steps++;
        for (const pair of world.contactPairs()) given += pair.impulse[1];
      });
      let square = 0;
      for (let k = 0; k < then.length; k++) square += (dropped.positions[k] - then[k]) ** 2;
      const moved = Math.sqrt(square / dropped.particleCount);
      const depth = depthBetween(world, dropped, held);
      report('way in the fifth second, and depth', { moved, depth }, 'm');
      expect(moved).toBeLessThan(0.01 * dropped.size);
      expect(depth).toBeLessThan(0.02 * dropped.size);
      // The impulse that the slab reports for a second is the weight, downwards.
      expect(given / (world.measure(dropped).mass * 9.81 * steps * world.dt)).toBeCloseTo(-1, 1);
    },
  );

  // Without sleep a ball of eight clusters creeps on by 7 to 50 mm in a second.
  it.each([
    ['ball of 1 cluster', ball(1)],
    ['ball of 8 clusters', ball(8)],
    ['ball of 20 clusters', ball(20)],
  ])('comes to rest and sleeps within five seconds, not sunk in: a %s', async (_, body) => {
    const world = await worldOf([slab, body], { gravity: GRAVITY, sleepSpeed: 0.03 });
    const [held, dropped] = world.bodies;
    world.addClamp({ region: EVERYWHERE, bodies: [held] });
    run(world, 5);
    const depth = depthBetween(world, dropped, held);
    report('depth', { depth, of: dropped.size }, 'm');
    expect(dropped.asleep).toBe(true);
    expect(depth).toBeLessThan(0.02 * dropped.size);
    expect(world.contactPairs()).toHaveLength(1);
  });

  it('falls asleep there with it, and wakes by a touch, not by what passes near', async () => {
    const other = surfaceBall(0.2, 2, { position: [0, 0.85, 0] });
    const world = await worldOf([slab, cube(4)], { gravity: GRAVITY, sleepSpeed: 0.03 });
    const [held, dropped] = world.bodies;
    world.addClamp({ region: EVERYWHERE, bodies: [held] });
    run(world, 3);
    expect([held.asleep, dropped.asleep]).toEqual([true, true]);
    expect(world.contactPairs()).toHaveLength(1);
    const still = [...dropped.positions];
    // Its box and the cube's meet at the corner, their surfaces do not.
    const near = world.addBody({ ...other, position: [0.48, 0.45, 0.48] });
    world.gravity = [0, 0, 0];
    for (const body of [held, dropped]) body.sleep();
    run(world, 0.2);
    expect(near.core.surface!.bounds[0]).toBeLessThan(dropped.core.surface!.bounds[3]);
    expect([held.asleep, dropped.asleep]).toEqual([true, true]);
    expect([...dropped.positions]).toEqual(still);
    world.removeBody(near);
    world.addBody({ ...other, velocity: [0, -2, 0] });
    run(world, 0.1);
    expect(dropped.asleep).toBe(false);
  });

  it('lies on a sleeping one as on a held one while it is about to fall asleep itself', async () => {
    const world = await worldOf([slab, cube(1)], { gravity: GRAVITY, sleepSpeed: 0.03, sleepAfter: 1 });
    const [floor, dropped] = world.bodies;
    const clamp = world.addClamp({ region: EVERYWHERE, bodies: [floor] });
    run(world, 0.5);
    for (let n = 0; n < 240 && dropped.core.restState.slowTime === 0; n++) world.step();
    // Sleep looks at it twice a second and has found it at rest once: 0.5 s are left, in which it would fall by 1.2 m.
    world.removeClamp(clamp);
    // A step without the clamp, so that sleep alone holds the floor. In it both float, and a look of the sleep stage would find them moving.
    const { slowTime } = dropped.core.restState;
    world.step();
    dropped.core.restState.slowTime = slowTime;
    floor.sleep();
    const still = [...floor.positions];
    run(world, 0.45);
    expect([...floor.positions]).toEqual(still);
    expect([floor.asleep, dropped.asleep]).toEqual([true, false]);
    expect(depthBetween(world, dropped, floor)).toBeLessThan(0.02 * dropped.size);
    expect(world.measure(dropped).com[1]).toBeGreaterThan(0.28);
  });
});

it.each([0, 1])('body %i of two sleeps until the surface of the other touches it', async (sleeper) => {
  const world = await worldOf(
    [0, 1].map((k) => surfaceBall(0.3, 2, { position: [k, 0, 0], velocity: [k === sleeper ? 0 : 2 - 4 * k, 0, 0] })),
    { sleepSpeed: 0.03 },
  );
  world.bodies[sleeper].sleep();
  // The gap of 0.4 m is crossed in 0.2 s.
  run(world, 0.15);
  expect(world.bodies.map((body) => body.asleep)).toEqual([sleeper === 0, sleeper === 1]);
  run(world, 0.15);
  expect(world.bodies.map((body) => body.asleep)).toEqual([false, false]);
  const { momentum, mass } = world.measure(world.bodies[sleeper]);
  // Half of it at least: bodies that do not bounce go on together.
  expect(Math.abs(momentum[0] / mass)).toBeGreaterThan(0.95);
});
