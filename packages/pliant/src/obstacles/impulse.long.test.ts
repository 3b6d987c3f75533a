import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import { BACKENDS } from '../kernels/kernels.js';
import { boxMesh } from '../mesh/testing/meshes.js';
import { BLOCK, disturb, worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import type { ColliderOptions } from './options.js';
import { close, dust, run, strike } from './testing/specks.js';

const FLOORS: [string, ColliderOptions][] = [
  ['plane', { type: 'plane', normal: [0, 1, 0], offset: -0.5 }],
  ['box', { type: 'box', size: [9, 1, 9], position: [0, -1, 0] }],
  ['mesh', { type: 'mesh', mesh: boxMesh([9, 1, 9]), position: [0, -1, 0] }],
];

describe.each(BACKENDS)('the impulse that a collider receives (%s)', (backend) => {
  it.each(FLOORS)('on a %s: from a block that rests, its weight times the time, on average', async (_, floor) => {
    const { world, body } = await worldWith(
      { ...BLOCK, material: { raw: { damping: 0.3 } } },
      { backend, gravity: [0, -9.81, 0] },
    );
    const collider = world.addCollider(floor);
    run(world, 240);
    const steps = 240;
    const sum = [0, 0, 0];
    for (let n = 0; n < steps; n++) {
      world.step();
      collider.impulse.forEach((j, a) => {
        sum[a] += j / steps;
      });
    }
    const weight = 9.81 * world.measure(body).mass * world.dt;
    expect(sum[1] / -weight).toBeCloseTo(1, 2);
    expect(Math.hypot(sum[0], sum[2])).toBeLessThan(0.01 * weight);
  });

  it('is what the body loses, in every step, from a wall that is led against it', async () => {
    const { world, body } = await worldWith({ ...BLOCK, velocity: [3, 0.5, 0] }, { backend });
    disturb(world, testSeed('impulse'), 0.01, 0.3);
    const wall = world.addCollider({
      type: 'box',
      size: [0.2, 6, 6],
      position: [1, 0, 0],
      friction: 0.4,
      restitution: 0.3,
    });
    const { mass } = world.measure();
    let momentum = world.measure().momentum;
    let [hits, given] = [0, 0];
    for (let n = 1; n <= 60; n++) {
      wall.moveTo([1 - 0.01 * n, 0, 0]);
      world.step();
      const now = world.measure().momentum;
      // The step itself keeps momentum to rounding, so the difference is the contact's.
      for (let a = 0; a < 3; a++) expect(Math.abs(momentum[a] - now[a] - wall.impulse[a])).toBeLessThan(3e-6 * mass);
      if (wall.impulse[0] > 0) hits++;
      given += wall.impulse[0];
      momentum = now;
    }
    report('impulse given to the wall, and momentum of the body', { given, steps: hits, had: 3 * mass }, 'N s');
    expect(hits).toBeGreaterThan(5);
    expect(given).toBeGreaterThan(3 * mass);
    expect(body.enabled).toBe(true);
  });
});

describe('the impulse that a collider receives', () => {
  it('of one particle is exactly its own change, and about the position r × j', async () => {
    for (const collider of [
      { type: 'sphere', centre: [0, 0, 0], radius: 1, friction: 0, restitution: 0.5 },
      { type: 'box', size: [2, 2, 2], friction: 0.3 },
      { type: 'capsule', from: [-1, 0, 0], to: [1, 0, 0], radius: 1, friction: 0.7 },
      { type: 'cylinder', axis: [0, 0, 1], point: [0, 0, 0], radius: 1 },
      { type: 'plane', normal: [0, 1, 0], offset: 1 },
      { type: 'mesh', mesh: boxMesh([2, 2, 2]) },
    ] as const satisfies ColliderOptions[]) {
      const u: Vec3 = [4, -32, 8];
      const { collider: made, v, x, body } = await strike(collider, [0.1, 1.2, 0.2], u);
      const m = body.positions[3];
      const j = u.map((c, a) => m * (c - v[a]));
      expect(j[1]).toBeLessThan(-30 * m);
      expect(made.impulse).toEqual(close(j, 6));
      const r = x.map((c, a) => c - made.position[a]);
      const turn = [r[1] * j[2] - r[2] * j[1], r[2] * j[0] - r[0] * j[2], r[0] * j[1] - r[1] * j[0]];
      expect(made.angularImpulse).toEqual(close(turn, 4));
    }
  });

  it('is gone in the next step, and counts the research law as well', async () => {
    const plane = { type: 'plane', normal: [0, 1, 0], law: 'research' } as const;
    const { world, collider, body, v } = await strike(plane, [0, -1, 0], [1, 3, 0]);
    expect(v).toEqual(close([0.4, 0, 0]));
    expect(collider.impulse).toEqual(
      close(
        [0.6, 3, 0].map((c) => c * body.positions[3]),
        5,
      ),
    );
    world.step();
    expect(collider.impulse).toEqual([0, 0, 0]);
    expect(collider.angularImpulse).toEqual([0, 0, 0]);
  });

  it('of several particles and obstacles is shared out: what all lose is what all receive', async () => {
    const points: number[] = [];
    for (let k = 0; k < 300; k++)
      points.push((k % 20) / 10 - 1, 0.3 + (Math.floor(k / 20) % 5) / 10, Math.floor(k / 100) / 5);
    const { world } = await worldWith(dust(points, [1, -9, 2]), { dt: 1 / 64 });
    disturb(world, testSeed('shared'), 0.02, 3);
    const colliders = (
      [
        { type: 'plane', normal: [0, 1, 0], offset: -0.2 },
        { type: 'sphere', centre: [0, 0, 0.3], radius: 0.3, velocity: [0, 2, 0] },
        { type: 'box', size: [0.5, 0.5, 0.5], position: [-0.7, 0, 0], angularVelocity: [0, 5, 0] },
        { type: 'capsule', from: [0.5, 0, 0], to: [1, 0.2, 0.4], radius: 0.1, restitution: 0.5 },
      ] as const
    ).map((options) => world.addCollider(options));
    for (let n = 0; n < 30; n++) {
      const before = world.measure().momentum;
      world.step();
      const after = world.measure().momentum;
      for (let a = 0; a < 3; a++) {
        const received = colliders.reduce((sum, c) => sum + c.impulse[a], 0);
        expect(Math.abs(before[a] - after[a] - received)).toBeLessThan(1e-5 * world.measure().mass * 10);
      }
    }
  });
});
