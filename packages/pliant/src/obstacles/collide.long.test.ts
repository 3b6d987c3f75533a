import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import type { Vec3 } from '../check.js';
import { BACKENDS } from '../kernels/kernels.js';
import { BLOCK, worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { report } from '../testing/report.js';
import type { ColliderOptions } from './options.js';
import { at, close, dust, run, strike, velocityOf } from './testing/specks.js';

describe('a plane', () => {
  const FLOOR = { type: 'plane', normal: [0, 2, 0], offset: 1 } as const;

  it('puts what is behind it onto it along its unit normal, and leaves the free side alone', async () => {
    const hit = await strike({ ...FLOOR, friction: 0 }, [3, 1, 4], [64, -32, 0]);
    expect(hit.x).toEqual(close([4, 1, 4]));
    expect(hit.v).toEqual(close([64, 0, 0]));
    const missed = await strike(FLOOR, [3, 1.6, 4], [64, -32, 0]);
    expect(missed.x).toEqual(close([4, 1.1, 4]));
    expect(missed.v).toEqual([64, -32, 0]);
    const tilted = await strike({ type: 'plane', normal: [3, 4, 0], friction: 0 }, [-5, 0, 0], [0, 0, 0]);
    // Depth 3 along (0.6, 0.8, 0).
    expect(tilted.x).toEqual(close([-5 + 1.8, 2.4, 0]));
  });

  it('gives a position no velocity: what is put out of it does not fly off', async () => {
    const { v, x } = await strike(FLOOR, [0, -9, 0], [0, 0, 0]);
    expect(v).toEqual([0, 0, 0]);
    expect(x[1]).toBeCloseTo(1, 6);
  });

  it('follows the research law to the digit: 1e-5 above, no normal velocity even when parting, 0.4 of the rest', async () => {
    const law = 'research' as const;
    const hit = await strike({ ...FLOOR, law }, [0, 0.5, 0], [10, -5, 2]);
    expect(hit.x[1]).toBeCloseTo(1 + 1e-5, 6);
    expect(hit.v).toEqual(close([4, 0, 0.8]));
    const parting = await strike({ ...FLOOR, law }, [0, 0.5, 0], [10, 5, 2]);
    expect(parting.v).toEqual(close([4, 0, 0.8]));
  });

  it('in a corner of three damps once per plane and puts particles into the corner', async () => {
    const planes: Vec3[] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const { world, body } = await worldWith(dust([-1, -2, -3, 1, -1, 1], [-1, -1, -1]));
    for (const normal of planes) world.addCollider({ type: 'plane', normal, friction: 0 });
    world.step();
    expect(at(body, 0)).toEqual([0, 0, 0]);
    expect(velocityOf(body, 0)).toEqual([0, 0, 0]);
    expect(velocityOf(body, 1)).toEqual([-1, 0, -1]);

    const { world: research, body: speck } = await worldWith(dust([0.5, -1, -1], [1, -1, -1]));
    for (const normal of planes) research.addCollider({ type: 'plane', normal, law: 'research' });
    research.step();
    expect(velocityOf(speck)).toEqual(close([0.16, 0, 0]));
  });

  it('at an acute angle to another is swept until a particle is behind neither', async () => {
    const { world, body } = await worldWith(dust([0, -1, 0], [0, -1, 0]));
    world.addCollider({ type: 'plane', normal: [1, 2, 0], friction: 0 });
    world.addCollider({ type: 'plane', normal: [-1, 2, 0], friction: 0 });
    world.step();
    const [x, y] = at(body);
    expect(x + 2 * y).toBeGreaterThan(-1e-4);
    expect(-x + 2 * y).toBeGreaterThan(-1e-4);
  });

  it('that contradicts another ends all the same, with finite particles', async () => {
    for (const law of ['coulomb', 'research'] as const) {
      const { world, body } = await worldWith(dust([0, 0, 0], [1, 1, 1]));
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 1, law });
      world.addCollider({ type: 'plane', normal: [0, -1, 0], offset: 1, law });
      run(world, 10);
      expect(body.enabled).toBe(true);
      expect(Math.abs(at(body)[1])).toBeLessThan(1.1);
    }
  });

  it('that moves pushes what is in its way along, at its own speed', async () => {
    const { world, body } = await worldWith(dust([0, 0.5, 0, 0, 9, 0]), { dt: 1 / 64 });
    world.addCollider({ type: 'plane', normal: [0, 1, 0], velocity: [0, 2, 0] });
    run(world, 64);
    // Pushed at 2 m/s from where it was met; it coasts with the plane.
    expect(at(body, 0)[1]).toBeCloseTo(2, 4);
    expect(velocityOf(body, 0)).toEqual(close([0, 2, 0]));
    expect(at(body, 1)).toEqual([0, 9, 0]);
  });

  it.each([{ velocity: [0, 0, 0] as Vec3 }, { velocity: [0, 0.5, 0] as Vec3 }])(
    'is gone after its lifetime, standing or moving: %o',
    async ({ velocity }) => {
      const { world, body } = await worldWith(dust([0, 0, 0], [0, -1, 0]), { dt: 1 / 64 });
      world.addCollider({ type: 'plane', normal: [0, 1, 0], velocity, lifetime: 0.5 });
      run(world, 32);
      const edge = 0.5 * velocity[1];
      expect(at(body)[1]).toBeCloseTo(edge, 5);
      body.applyImpulse([0, -(1 + velocity[1]) * body.positions[3], 0]);
      run(world, 32);
      expect(at(body)[1]).toBeCloseTo(edge - 0.5, 4);
    },
  );

  it('spares what the clamp named by `except` holds, and no one else', async () => {
    for (const law of ['coulomb', 'research'] as const) {
      const { world, body } = await worldWith(dust([0, -1, 0, 5, -1, 0]));
      const clamp = world.addClamp({ region: { type: 'halfspace', normal: [1, 0, 0], offset: 1 }, drive: 'velocity' });
      world.addCollider({ type: 'plane', normal: [0, 1, 0], law, except: clamp });
      world.step();
      // The research code's moving planes put particles exactly onto themselves, without the 1e-5.
      expect(at(body, 0)).toEqual([0, 0, 0]);
      expect(at(body, 1)).toEqual([5, -1, 0]);
    }
  });

  it('goes on sparing the same particles when bodies come and go', async () => {
    const { world, body: first } = await worldWith(dust([0, 9, 0, 1, 9, 0, 2, 9, 0]));
    const second = world.addBody(dust([0, -1, 0, 5, -1, 0, 6, 9, 0]));
    const clamp = world.addClamp({
      region: { type: 'sphere', centre: [5, -1, 0], radius: 0.1 },
      bodies: [second],
      drive: 'velocity',
    });
    world.addCollider({ type: 'plane', normal: [0, 1, 0], law: 'research', except: clamp });
    world.step();
    world.removeBody(first);
    const expectSpared = () => {
      second.positions[1] = -1;
      world.step();
      expect([at(second, 0)[1], at(second, 1)[1]]).toEqual([0, -1]);
    };
    expectSpared();
    const third = world.addBody(dust([0, -1, 0, 5, -1, 0]));
    expectSpared();
    expect([at(third, 0)[1], at(third, 1)[1]]).toEqual([0, 0]);
  });

  it('by Coulomb leaves what is held alone', async () => {
    const { world, body } = await worldWith(dust([0, -1, 0, 5, -1, 0]));
    body.pin(1);
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    world.step();
    expect(at(body, 0)[1]).toBe(0);
    expect(at(body, 1)[1]).toBe(-1);
  });

  it('is not met by a body that is switched off', async () => {
    const { world, body } = await worldWith(dust([0, -1, 0]));
    body.enabled = false;
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    world.addCollider({ type: 'sphere', centre: [0, -1, 0], radius: 1 });
    world.step();
    expect(at(body)).toEqual([0, -1, 0]);
  });

  it('acts no more when it is removed', async () => {
    const { world, body } = await worldWith(dust([0, 1, 0], [0, -60, 0]));
    const plane = world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    expect(world.colliders).toEqual([plane]);
    world.removeCollider(plane);
    run(world, 2);
    expect(at(body)[1]).toBeCloseTo(-1, 4);
  });
});

describe('spheres and cylinders', () => {
  it('put a particle on the surface by the shortest way and take its approach', async () => {
    const ball = await strike({ type: 'sphere', centre: [1, 0, 0], radius: 2, friction: 0 }, [1.6, 0.8, 0], [0, 0, 0]);
    expect(ball.x).toEqual(close([1 + 1.2, 1.6, 0]));
    const rod = { type: 'cylinder', axis: [0, 0, 5], point: [1, 0, 7], radius: 2, friction: 0 } as const;
    const hit = await strike(rod, [1.6, 0.8, -40], [0, 0, 64]);
    expect(hit.x).toEqual(close([2.2, 1.6, -39], 4));
    expect(hit.v).toEqual(close([0, 0, 64], 4));
    const bounced = await strike({ ...rod, restitution: 0.5 }, [1 + 2.5, 0, 0], [-64, 0, 0]);
    expect(bounced.x).toEqual(close([3, 0, 0], 4));
    expect(bounced.v).toEqual(close([32, 0, 0], 4));
  });

  it.each<[string, ColliderOptions]>([
    ['sphere', { type: 'sphere', centre: [1, 2, 3], radius: 0.5 }],
    ['cylinder along x', { type: 'cylinder', axis: [1, 0, 0], point: [0, 2, 3], radius: 0.5 }],
    ['cylinder along y', { type: 'cylinder', axis: [0, 1, 0], point: [1, 0, 3], radius: 0.5 }],
    ['cylinder askew', { type: 'cylinder', axis: [1, 1, 1], point: [0, 1, 2], radius: 0.5 }],
  ])('%s: a particle exactly at the middle goes to the surface and stays finite', async (_, options) => {
    const { world, body } = await worldWith(dust([1, 2, 3]));
    world.addCollider(options);
    world.step();
    expect(Math.hypot(...at(body).map((c, a) => c - [1, 2, 3][a]))).toBeCloseTo(0.5, 5);
    expect(world.drainEvents()).toEqual([]);
  });

  it('move, and carry what they meet', async () => {
    const { world, body } = await worldWith(dust([0, 0, 0]), { dt: 1 / 64 });
    world.addCollider({ type: 'sphere', centre: [-1, 0, 0], radius: 0.5, velocity: [1, 0, 0] });
    run(world, 64);
    // The centre is at 0 now, its front at 0.5.
    expect(at(body)).toEqual(close([0.5, 0, 0], 4));
    expect(velocityOf(body)).toEqual(close([1, 0, 0]));
  });

  it('a projectile adds momentumScale times its velocity in every step of contact', async () => {
    const law = 'research' as const;
    const ball = {
      type: 'sphere',
      centre: [0, 0, 0],
      radius: 1,
      velocity: [0, 0, 2],
      momentumScale: 0.25,
      law,
    } as const;
    const { v, x } = await strike(ball, [0.5, 0, 0], [1, -1, 0]);
    expect(v).toEqual(close([1, -1, 0.5]));
    // Put on the sphere as it was when the step began.
    expect(Math.hypot(...x)).toBeCloseTo(1, 5);
    // A still particle inside a still ball: the kick is 0.25 · 0.
    const still = await strike({ ...ball, velocity: [0, 0, 0] }, [0.5, 0, 0], [0, 0, 0]);
    expect(still.v).toEqual([0, 0, 0]);

    const { world, body } = await worldWith(dust([0, 0, 0.25]), { dt: 1 / 64 });
    world.addCollider({
      type: 'sphere',
      centre: [0, 0, 0],
      radius: 1,
      velocity: [0, 0, 64],
      momentumScale: 0.125,
      law,
    });
    world.step();
    expect(velocityOf(body)[2]).toBe(8);
    expect(at(body)[2]).toBe(1);
    // The ball moves 1 a step, the particle 8/64: in contact again.
    world.step();
    expect(velocityOf(body)[2]).toBe(16);
    expect(at(body)[2]).toBe(2);
  });

  it('a cylinder of the research code adds 2 m/s outwards, and keeps the approach', async () => {
    const rod = { type: 'cylinder', axis: [0, 0, 1], point: [0, 0, 0], radius: 1, law: 'research' } as const;
    const { v, x } = await strike(rod, [0.5, 0, 0], [0, 0, 3]);
    expect(v).toEqual(close([2, 0, 3]));
    expect(x.slice(0, 2)).toEqual(close([1, 0]));
    const head = await strike(rod, [1.25, 0, 0], [-32, 0, 0]);
    expect(head.v).toEqual(close([-30, 0, 0]));
  });

  it('are gone after their lifetime', async () => {
    const { world, body } = await worldWith(dust([0.5, 0, 0, 0, 0, 0.25]), { dt: 1 / 64 });
    world.addCollider({ type: 'cylinder', axis: [0, 0, 1], point: [0, 0, 0], radius: 1, lifetime: 1 / 64 });
    world.step();
    expect(at(body)[0]).toBeCloseTo(1, 6);
    body.positions[0] = 0.5;
    world.step();
    expect(at(body)[0]).toBe(0.5);
  });

  it.each(BACKENDS)('no particle of a body that falls on them is inside after any step (%s)', async (backend) => {
    const { world, body } = await worldWith(
      { ...BLOCK, position: [0.1, 0.9, 0.05] },
      { backend, gravity: [0, -9.81, 0] },
    );
    world.addCollider({ type: 'sphere', centre: [0.2, 0, 0], radius: 0.3 });
    world.addCollider({ type: 'cylinder', axis: [1, 0, 0.2], point: [0, -0.8, 0], radius: 0.25 });
    const [ax, az] = [1 / Math.hypot(1, 0.2), 0.2 / Math.hypot(1, 0.2)];
    let [contacts, nearest] = [0, 1];
    for (let n = 0; n < 90; n++) {
      world.step();
      const x = body.positions;
      for (let o = 0; o < x.length; o += 4) {
        const toRod = Math.hypot(x[o + 1] + 0.8, x[o] * az - x[o + 2] * ax);
        const toBall = Math.hypot(x[o] - 0.2, x[o + 1], x[o + 2]);
        nearest = Math.min(nearest, toRod - 0.25, toBall - 0.3);
        if (toBall < 0.3 + 1e-5 || toRod < 0.25 + 1e-5) contacts++;
      }
    }
    expect(nearest).toBeGreaterThan(-1e-6);
    expect(contacts).toBeGreaterThan(50);
  });
});

describe.each(BACKENDS)('a block on the ground (%s)', (backend) => {
  /** A slab of three layers, too flat to topple, standing on the plane through the origin and turned with it. */
  const block = (angle: number, velocity: Vec3 = [0, 0, 0]): BodyOptions => ({
    shape: { type: 'box', size: [0.9, 0.3, 0.7] },
    sampling: { method: 'grid', spacing: 0.1 },
    rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
    position: [-0.1 * Math.sin(angle), 0.1 * Math.cos(angle), 0],
    clustering: { count: 1 },
    // The rotation of F can turn a flat body's strain into spin (SPEC M3): such a slab jumps higher than it fell.
    material: { raw: { stiffness: 1, damping: 0.3, rotation: 'covariance' } },
    velocity,
  });
  const slope = (angle: number): Vec3 => [-Math.sin(angle), Math.cos(angle), 0];

  it('slides and is slowed by μ g, within 5 %', async () => {
    const { world } = await worldWith(block(0, [3, 0, 0]), { backend, gravity: [0, -10, 0], dt: 1 / 240 });
    world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.3 });
    run(world, 24);
    const speed = () => world.measure().momentum[0] / world.measure().mass;
    const before = speed();
    run(world, 120);
    const slowed = (before - speed()) / 0.5;
    report('deceleration, where μ g = 3', slowed, 'm/s²');
    expect(slowed).toBeGreaterThan(0.95 * 3);
    expect(slowed).toBeLessThan(1.05 * 3);
  });

  it('sticks on a slope below atan μ, at any rate of steps, and slides with g (sin − μ cos) above', async () => {
    const mu = 0.5;
    for (const [degrees, dt] of [
      [20, 1 / 240],
      [20, 1 / 60],
      [35, 1 / 240],
    ]) {
      const angle = (degrees * Math.PI) / 180;
      const { world } = await worldWith(block(angle), { backend, gravity: [0, -10, 0], dt });
      world.addCollider({ type: 'plane', normal: slope(angle), friction: mu });
      const along = () => {
        const { com, momentum, mass } = world.measure();
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        return { place: com[0] * c + com[1] * s, speed: (momentum[0] * c + momentum[1] * s) / mass };
      };
      run(world, 1 / dt);
      const before = along();
      run(world, 1 / dt);
      const now = along();
      report(`way in a second on ${degrees}° at ${1 / dt} Hz`, now.place - before.place, 'm');
      // Velocity-only friction would creep by M/m h g sin θ: 4 cm at 240 Hz, 17 cm at 60 Hz.
      if (degrees === 20) expect(Math.abs(now.place - before.place)).toBeLessThan(5e-3);
      else {
        const expected = -10 * (Math.sin(angle) - mu * Math.cos(angle));
        expect((now.speed - before.speed) / expected).toBeCloseTo(1, 1);
      }
    }
  });

  it('that falls never gains energy, and bounces less than it fell', async () => {
    for (const restitution of [0, 0.5, 1]) {
      const { world } = await worldWith(
        { ...block(0.3), position: [0, 1.5, 0] },
        { backend, gravity: [0, -9.81, 0], dt: 1 / 240 },
      );
      world.addCollider({ type: 'plane', normal: [0, 1, 0], restitution, friction: 0.2 });
      const energy = () => {
        const { kineticEnergy, mass, com } = world.measure();
        return kineticEnergy + 9.81 * mass * com[1];
      };
      const first = energy();
      let most = 0;
      for (let n = 0; n < 480; n++) {
        world.step();
        most = Math.max(most, energy());
      }
      expect(most).toBeLessThan(1.001 * first);
    }
  });

  it('comes to rest on it when it is soft: nothing below, kinetic energy gone', async () => {
    const { world } = await worldWith(
      {
        shape: { type: 'box', size: [0.6, 0.5, 0.4] },
        sampling: { method: 'grid', spacing: 0.1 },
        clustering: { count: 4, radius: 0.35 },
        rotation: [0.1, 0.2, 0.3, 1],
        position: [0, 0.8, 0],
        material: { raw: { stiffness: 0.6, damping: 0.5, rotation: 'covariance' } },
      },
      { backend, gravity: [0, -9.81, 0] },
    );
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    let lowest = 1;
    for (let n = 0; n < 600; n++) {
      world.step();
      lowest = Math.min(lowest, world.measure().bboxMin[1]);
    }
    expect(lowest).toBeGreaterThan(-1e-6);
    const { kineticEnergy, mass, bboxMin, com } = world.measure();
    const speed = Math.sqrt((2 * kineticEnergy) / mass);
    report('at rest: speed (m/s) and height of the centre (m)', { speed, height: com[1] }, '');
    expect(speed).toBeLessThan(0.01);
    expect(bboxMin[1]).toBeLessThan(1e-3);
    // It lies on a face, half of 0.3, 0.4 or 0.5 m between the outer layers high, somewhat squashed.
    expect(com[1]).toBeGreaterThan(0.1);
    expect(com[1]).toBeLessThan(0.25);
  });
});

describe('a collider is refused', () => {
  it.each([
    [
      { type: 'cone' },
      'collider.type is "cone"; expected one of "plane", "sphere", "cylinder", "box", "capsule", "mesh".',
    ],
    [undefined, 'collider.type is undefined; expected one of "plane", "sphere", "cylinder", "box", "capsule", "mesh".'],
    [{ type: 'plane', normal: [0, 0, 0] }, 'collider.normal is [0, 0, 0]; expected a direction of non-zero length.'],
    [
      { type: 'plane', normal: [0, 1, 0], friction: -1 },
      'collider.friction is -1; expected a finite number of at least 0.',
    ],
    [
      { type: 'plane', normal: [0, 1, 0], restitution: 1.5 },
      'collider.restitution is 1.5; expected a finite number in [0, 1].',
    ],
    [
      { type: 'plane', normal: [0, 1, 0], law: 'none' },
      'collider.law is "none"; expected one of "coulomb", "research".',
    ],
    [{ type: 'plane', normal: [0, 1, 0], offset: Number.NaN }, 'collider.offset is NaN; expected a finite number.'],
    [
      { type: 'sphere', centre: [0, 0, 0], radius: -1 },
      'collider.radius is -1; expected a finite number of at least 0.',
    ],
    [{ type: 'sphere', radius: 1 }, 'collider.centre is undefined; expected three finite numbers.'],
    [
      { type: 'cylinder', axis: [0, 1, 0], point: [0, 0], radius: 1 },
      'collider.point is [0, 0]; expected three finite numbers.',
    ],
    [
      { type: 'plane', normal: [0, 1, 0], radius: 1 },
      'collider.radius is not an option; expected one of type, except, friction, restitution, velocity, angularVelocity, lifetime, law, groups, keyframes, loop, normal, offset, position.',
    ],
    [
      { type: 'sphere', centre: [0, 0, 0], radius: 1, lifetime: Number.NaN },
      'collider.lifetime is NaN; expected a finite number of at least 0.',
    ],
  ])('for %o', async (options, message) => {
    const { world } = await worldWith(dust([0, 0, 0]));
    expect(refusal(() => world.addCollider(options as ColliderOptions))).toBe(message);
    expect(world.core.actors).toEqual([]);
  });
});
