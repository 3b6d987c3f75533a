import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import type { Quaternion } from '../spatial/pose.js';
import { worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import type { ColliderOptions } from './options.js';
import { at, close, dust, run, turned, velocityOf } from './testing/specks.js';

const BALL = { type: 'sphere', centre: [1, 0, 0], radius: 0.1 } as const;
const Y: Vec3 = [0, 1, 0];

async function worldOf(collider: ColliderOptions, points = [50, 50, 50]) {
  const { world, body } = await worldWith(dust(points), { dt: 1 / 64 });
  return { world, body, collider: world.addCollider(collider) };
}

describe('an obstacle in motion', () => {
  it('by velocities: goes straight and turns about its own position, from when it was added', async () => {
    const { world } = await worldWith(dust([50, 50, 50]), { dt: 1 / 64 });
    run(world, 10);
    const collider = world.addCollider({
      type: 'box',
      size: [1, 1, 1],
      position: [1, 2, 3],
      rotation: turned([0, 0, 1], 0.5),
      velocity: [0, 0, 2],
      angularVelocity: [0, 0, -1],
    });
    run(world, 32);
    expect(collider.position).toEqual(close([1, 2, 4], 10));
    expect(collider.rotation).toEqual(close(turned([0, 0, 1], 0), 10));
    run(world, 32);
    expect(collider.rotation).toEqual(close(turned([0, 0, 1], -0.5), 10));
  });

  it('by keyframes: straight and evenly in between, held before and after', async () => {
    const keyframes = [
      { time: 0.25, position: [1, 0, 0], rotation: [0, 0, 0, 1] },
      { time: 0.75, position: [3, 0, 0], rotation: turned(Y, Math.PI / 2) },
      { time: 1.75, position: [3, 4, 0] },
    ] as const;
    const { world, collider } = await worldOf({ ...BALL, keyframes });
    const poseAt = (time: number) => {
      run(world, Math.round(64 * time) - world.frame);
      return [...collider.position, ...collider.rotation];
    };
    expect(poseAt(0)).toEqual([1, 0, 0, 0, 0, 0, 1]);
    expect(poseAt(0.25)).toEqual([1, 0, 0, 0, 0, 0, 1]);
    expect(poseAt(0.5)).toEqual(close([2, 0, 0, ...turned(Y, Math.PI / 4)], 10));
    // Key 2 has no rotation of its own: back to how it was added.
    expect(poseAt(1.25)).toEqual(close([3, 2, 0, ...turned(Y, Math.PI / 4)], 10));
    expect(poseAt(9)).toEqual(close([3, 4, 0, 0, 0, 0, 1], 10));
    expect(Array.from(collider.linear)).toEqual([0, 0, 0]);
  });

  it('turns the shorter way between keyframes, whichever sign their quaternions have', async () => {
    const quarter = turned(Y, Math.PI / 2).map((c) => -c) as unknown as Quaternion;
    const { world, collider } = await worldOf({
      ...BALL,
      keyframes: [{ time: 0 }, { time: 1, rotation: quarter }],
    });
    run(world, 32);
    expect(collider.angular[1]).toBeCloseTo(Math.PI / 2, 9);
    const [, y, , w] = collider.rotation;
    expect(Math.abs(2 * Math.atan(y / w))).toBeCloseTo(Math.PI / 4, 9);
  });

  it('repeats its keyframes with loop, and pushes what is in its way at the speed they make', async () => {
    const { world, body, collider } = await worldOf(
      {
        type: 'box',
        size: [1, 1, 1],
        friction: 0,
        keyframes: [
          { time: 0, position: [0, 0, 0] },
          { time: 0.5, position: [1, 0, 0] },
          { time: 1, position: [0, 0, 0] },
        ],
        loop: true,
      },
      [1, 0, 0],
    );
    run(world, 32);
    expect(velocityOf(body)).toEqual(close([2, 0, 0], 4));
    expect(at(body)).toEqual(close([1.5, 0, 0], 4));
    run(world, 16);
    expect(collider.position).toEqual(close([0.5, 0, 0], 10));
    run(world, 64 * 5);
    expect(collider.position).toEqual(close([0.5, 0, 0], 9));
  });

  it('led by moveTo: its velocity follows from the move, and it stands when it is not led on', async () => {
    const { world, body, collider } = await worldOf({ type: 'box', size: [1, 1, 1], friction: 0 }, [0.6, 0, 0]);
    world.step();
    expect(velocityOf(body)).toEqual([0, 0, 0]);
    for (let n = 1; n <= 16; n++) {
      collider.moveTo([n / 32, 0, 0]);
      world.step();
    }
    expect(collider.position).toEqual([0.5, 0, 0]);
    // 1/32 m a step of 1/64 s.
    expect(velocityOf(body)).toEqual(close([2, 0, 0], 4));
    expect(at(body)[0]).toBeCloseTo(1, 4);
    world.step();
    expect(Array.from(collider.linear)).toEqual([0, 0, 0]);
    expect(velocityOf(body)).toEqual(close([2, 0, 0], 4));
    collider.moveTo([0.5, 0, 0], turned(Y, 1));
    world.step();
    expect(Array.from(collider.angular)).toEqual(close([0, 64, 0], 9));
    expect(collider.rotation).toEqual(close(turned(Y, 1), 12));
  });

  it('led by moveTo takes over from a velocity where it is', async () => {
    const { world, collider } = await worldOf({ ...BALL, velocity: [0, 64, 0] });
    run(world, 3);
    collider.moveTo([1, 3, 5]);
    world.step();
    expect(Array.from(collider.linear)).toEqual(close([0, 0, 5 * 64], 9));
    run(world, 3);
    expect(collider.position).toEqual([1, 3, 5]);
  });

  it('a plane tilts about its position', async () => {
    const { world, body } = await worldOf(
      { type: 'plane', normal: Y, position: [1, 0, 0], angularVelocity: [0, 0, Math.PI / 4], friction: 0 },
      [3, 0.001, 0, -9, 0.001, 0],
    );
    world.step();
    // It rises at x > 1, at ω r, and sinks away on the other side.
    expect(velocityOf(body, 0)[1]).toBeCloseTo((Math.PI / 4) * 2, 1);
    expect(velocityOf(body, 1)).toEqual([0, 0, 0]);
    run(world, 63);
    const [x, y] = at(body, 0);
    expect(-(x - 1) + y).toBeGreaterThan(-1e-5);
    expect(at(body, 1)[1]).toBeCloseTo(0.001, 6);
  });

  it('a spinning box hits with the speed of the point that hits', async () => {
    // A paddle 2 m long, 2 cm thick, turning at 8 rad/s: it reaches the speck, 45° ahead, after 0.1 s.
    const { world, body } = await worldOf(
      { type: 'box', size: [4, 1, 0.02], angularVelocity: [0, -8, 0], friction: 0 },
      [Math.SQRT1_2, 0, Math.SQRT1_2],
    );
    run(world, 6);
    expect(velocityOf(body)).toEqual([0, 0, 0]);
    run(world, 2);
    expect(Math.hypot(...velocityOf(body))).toBeCloseTo(8, 0);
    const [vx, , vz] = velocityOf(body);
    // Across the paddle, ahead of it: (−sin, cos) of about 45°.
    expect(vz - vx).toBeGreaterThan(0.95 * 8 * Math.SQRT2);
  });

  it.each([
    [
      { velocity: [1, 0, 0], keyframes: [{ time: 0 }] },
      'collider gives keyframes and a velocity or angularVelocity; expected one of the two.',
    ],
    [{ keyframes: [] }, 'collider.keyframes is []; expected a list of at least one { time, position, rotation }.'],
    [
      { keyframes: [{ time: 1 }, { time: 1 }] },
      'collider.keyframes[1].time is 1; expected a time after 1, the one before.',
    ],
    [{ keyframes: [{ time: -1 }] }, 'collider.keyframes[0].time is -1; expected a finite number of at least 0.'],
    [
      { keyframes: [{ time: 0, position: [0, 0] }] },
      'collider.keyframes[0].position is [0, 0]; expected three finite numbers.',
    ],
    [
      { keyframes: [{ time: 0, turn: 1 }] },
      'collider.keyframes[0].turn is not an option; expected one of time, position, rotation.',
    ],
    [{ loop: true }, 'collider.loop is true; expected keyframes to go with it.'],
    [
      { angularVelocity: [0, 1e9, 0] },
      'collider.angularVelocity is [0, 1000000000, 0]; expected three numbers of a length of at most 10000000.',
    ],
  ])('is refused for %o', async (motion, message) => {
    const { world } = await worldWith(dust([0, 0, 0]));
    expect(refusal(() => world.addCollider({ ...BALL, ...motion } as ColliderOptions))).toBe(message);
  });

  it('moveTo refuses what is no pose, and colliders of the research code', async () => {
    const { collider } = await worldOf(BALL);
    expect(refusal(() => collider.moveTo([0, Number.NaN, 0]))).toBe(
      'position is [0, NaN, 0]; expected three finite numbers.',
    );
    expect(refusal(() => collider.moveTo([0, 0, 0], [0, 0, 0, 0]))).toBe(
      'rotation is [0, 0, 0, 0]; expected a quaternion x, y, z, w of non-zero length.',
    );
    const { collider: old } = await worldOf({ ...BALL, law: 'research' });
    expect(refusal(() => old.moveTo([0, 0, 0]))).toBe(
      'collider.law is "research"; expected "coulomb" for a collider that is led.',
    );
  });
});
