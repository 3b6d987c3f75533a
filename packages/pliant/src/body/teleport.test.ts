import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import { BACKENDS } from '../kernels/kernels.js';
import { Pose } from '../spatial/pose.js';
import { BLOCK, distance, disturb, worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { World } from '../world.js';
import type { Body } from './body.js';

const HALF = Math.SQRT1_2;
/** A quarter turn about z. */
const QUARTER = [0, 0, HALF, HALF] as const;

/** Where a teleport takes a point. */
function moved(p: ArrayLike<number>, centre: Vec3, to: Vec3, rotation: readonly number[]): number[] {
  const pose = new Pose().set(to, rotation);
  const out = new Float64Array(3);
  pose.turnInto(out, p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]);
  return [0, 1, 2].map((a) => out[a] + to[a]);
}

const placeOf = (body: Body, i: number) => body.positions.slice(4 * i, 4 * i + 3);

describe.each(BACKENDS)('a teleported body (%s)', (backend) => {
  it('runs on as if nothing had happened, elsewhere and turned', async () => {
    const [moving, staying] = await Promise.all([0, 1].map(() => worldWith(BLOCK, { backend })));
    for (const { world } of [moving, staying]) {
      disturb(world, 3, 0.02, 0.5);
      for (let k = 0; k < 5; k++) world.step();
    }
    const centre = staying.body.centreOfMass;
    const to: Vec3 = [10, -3, 4];
    moving.body.setPose({ position: to, rotation: QUARTER });
    expect(distance(moving.body.centreOfMass, to)).toBeLessThan(1e-5);
    for (let k = 0; k < 10; k++) for (const { world } of [moving, staying]) world.step();
    // Linear velocity turns along.
    const drift = moved(staying.body.centreOfMass, centre, to, QUARTER);
    expect(distance(moving.body.centreOfMass, drift)).toBeLessThan(1e-4);
    for (let i = 0; i < staying.body.particleCount; i += 37)
      expect(distance(placeOf(moving.body, i), moved(placeOf(staying.body, i), centre, to, QUARTER))).toBeLessThan(
        1e-3,
      );
    expect(moving.world.measure().kineticEnergy).toBeCloseTo(staying.world.measure().kineticEnergy, 2);
  });

  it('is not seen on its way: previous positions and speed go along', async () => {
    const { world, body } = await worldWith({ ...BLOCK, velocity: [1, 0, 0] }, { backend, sleepSpeed: 0.03 });
    for (let k = 0; k < 40; k++) world.step();
    body.setPose({ position: [50, 0, 0] });
    const [x, old] = [body.positions, body.previousPositions];
    for (let o = 0; o < x.length; o += 4) expect(Math.abs(x[o] - old[o] - world.dt)).toBeLessThan(1e-4);
    world.step();
    expect(body.core.restState.speed).toBeCloseTo(1, 2);
    expect(distance(body.linearVelocity, [1, 0, 0])).toBeLessThan(1e-3);
  });
});

describe('setPose', () => {
  it('turns velocities, leaves what is not named, and takes the rotation from how the body lies', async () => {
    const { body } = await worldWith({
      ...BLOCK,
      position: [1, 2, 3],
      velocity: [1, 0, 0],
      angularVelocity: [0, 2, 0],
    });
    body.setPose({ rotation: QUARTER });
    expect(distance(body.centreOfMass, [1, 2, 3])).toBeLessThan(1e-6);
    expect(distance(body.linearVelocity, [0, 1, 0])).toBeLessThan(1e-6);
    expect(distance(body.angularVelocity, [-2, 0, 0])).toBeLessThan(1e-5);
    body.setPose({ rotation: QUARTER });
    expect(distance(body.linearVelocity, [-1, 0, 0])).toBeLessThan(1e-6);
    body.setPose({ position: [0, 0, 0] });
    expect(distance(body.linearVelocity, [-1, 0, 0])).toBeLessThan(1e-6);
    expect(distance(body.centreOfMass, [0, 0, 0])).toBeLessThan(1e-6);
  });

  it.each([
    ['that stands', {}],
    ['that moves and turns', { velocity: [0, 0.5, 0], angularVelocity: [0, 0, 1], centre: [0.4, 0, 0] }],
    ['that is led', { centre: [0.4, 0, 0] }],
  ] as const)('takes a clamp along %s', async (kind, motion) => {
    const { world, body } = await worldWith(BLOCK);
    const clamp = world.addClamp({ region: { type: 'halfspace', normal: [1, 0, 0], offset: 0.35 }, ...motion });
    if (kind === 'that is led') clamp.moveTo([0.42, 0.01, 0], [0, 0, 0.05, 1]);
    const run = () => {
      for (let k = 0; k < 5; k++) world.step();
      if (kind === 'that is led') clamp.moveTo([0.44, 0.02, 0], [0, 0, 0.1, 1]);
      for (let k = 0; k < 5; k++) world.step();
      return Float32Array.from(body.positions);
    };
    run();
    const snapshot = world.snapshot();
    const staying = run();
    world.restore(snapshot);
    const [x, y, z] = body.centreOfMass;
    body.setPose({ position: [x + 8, y, z] });
    const moving = run();
    for (let o = 0; o < staying.length; o += 4) {
      expect(Math.abs(moving[o] - staying[o] - 8)).toBeLessThan(1e-4);
      expect(Math.abs(moving[o + 1] - staying[o + 1])).toBeLessThan(1e-4);
    }
    expect(world.validate()).toEqual([]);
    // The snapshot from before the teleport still is what it was.
    world.restore(snapshot);
    expect(run()).toEqual(staying);
  });

  it('keeps pins where they then are', async () => {
    const { world, body } = await worldWith(BLOCK, { gravity: [0, -9.81, 0] });
    for (let i = 0; i < 8; i++) body.pin(i);
    body.setPose({ position: [0, 5, 0], rotation: QUARTER });
    const at = Array.from(body.positions.subarray(0, 32));
    for (let k = 0; k < 20; k++) world.step();
    expect(Array.from(body.positions.subarray(0, 32))).toEqual(at);
  });

  it('wakes it and the one that lay on it', async () => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    const lower = world.addBody({ ...BLOCK, position: [0, 0.41, 0] });
    const upper = world.addBody({ ...BLOCK, position: [0, 1.24, 0] });
    for (let k = 0; k < 120 && world.contactPairs().length === 0; k++) world.step();
    expect(world.contactPairs()).toHaveLength(1);
    lower.sleep();
    upper.sleep();
    world.step();
    expect([lower.asleep, upper.asleep]).toEqual([true, true]);
    const before = upper.centreOfMass[1];
    lower.setPose({ position: [5, 0.41, 0] });
    expect([lower.asleep, upper.asleep]).toEqual([false, false]);
    world.drainEvents();
    for (let k = 0; k < 60; k++) world.step();
    expect(upper.centreOfMass[1]).toBeLessThan(before - 0.3);
    expect(world.drainEvents().some((event) => event.type === 'part')).toBe(true);
    expect(world.contactPairs()).toEqual([]);
  });

  it('moves its skin along', async () => {
    const { body } = await worldWith(BLOCK);
    const before = Float32Array.from(body.getSkin().positions);
    body.setPose({ position: [7, 0, 0] });
    body.getSkin().update();
    const { positions } = body.getSkin();
    for (let k = 0; k < positions.length; k += 3) expect(positions[k] - before[k]).toBeCloseTo(7, 4);
  });

  it('refuses what is no pose before anything changes', async () => {
    const { body } = await worldWith(BLOCK);
    body.sleep();
    const before = Float32Array.from(body.positions);
    expect(refusal(() => body.setPose({ position: [1, 2, Infinity] }))).toContain('pose.position is');
    expect(refusal(() => body.setPose({ position: [1, 2, 1e10] }))).toContain('pose.position is');
    expect(refusal(() => body.setPose({ position: [1, 2, 3], rotation: [0, 0, 0, 0] }))).toContain('pose.rotation is');
    expect(refusal(() => body.setPose({ turn: QUARTER } as never))).toContain('pose.turn is not an option');
    expect(refusal(() => body.setPose(undefined as never))).toContain('pose is');
    expect(body.asleep).toBe(true);
    expect(body.positions).toEqual(before);
  });

  it('goes on after a snapshot to the bit', async () => {
    const { world, body } = await worldWith(BLOCK);
    world.addClamp({ region: { type: 'halfspace', normal: [1, 0, 0], offset: 0.35 }, velocity: [0, 1, 0] });
    for (let k = 0; k < 5; k++) world.step();
    body.setPose({ position: [2, 0, 0], rotation: QUARTER });
    const bytes = world.save();
    for (let k = 0; k < 5; k++) world.step();
    const end = Float32Array.from(body.positions);
    const other = await World.create();
    other.restore(bytes);
    for (let k = 0; k < 5; k++) other.step();
    expect(other.positions).toEqual(end);
  });
});
