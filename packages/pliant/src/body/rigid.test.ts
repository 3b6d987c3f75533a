import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import { BACKENDS } from '../kernels/kernels.js';
import { BLOCK, distance, disturb, worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';

const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const minus = (a: ArrayLike<number>, b: ArrayLike<number>): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const SPIN: Vec3 = [1, -2, 0.5];

describe('a body as a whole', () => {
  it('has the mass, centre and box of its particles', async () => {
    const { world, body } = await worldWith({ ...BLOCK, position: [3, -2, 1] });
    disturb(world, 1, 0.02, 1);
    const { mass, com, bboxMin, bboxMax, momentum } = world.measure(body);
    expect(body.mass).toBeCloseTo(mass, 9);
    expect(distance(body.centreOfMass, com)).toBeLessThan(1e-12);
    expect(body.bounds).toEqual({ min: bboxMin, max: bboxMax });
    expect(
      distance(
        body.linearVelocity,
        momentum.map((p) => p / mass),
      ),
    ).toBeLessThan(1e-9);
  });

  it('turns as it was told to, deformed and far from the origin', async () => {
    const { body } = await worldWith({
      ...BLOCK,
      position: [30, 0, 0],
      stretch: [1.2, 0.9, 1],
      stretchCentre: [30, 0, 0],
      velocity: [4, 5, 6],
      angularVelocity: SPIN,
    });
    expect(distance(body.angularVelocity, SPIN)).toBeLessThan(1e-5);
    expect(distance(body.linearVelocity, [4, 5, 6])).toBeLessThan(1e-5);
  });

  it.each([
    ['on a line', [0, 0, 0, 1, 0, 0, 2, 0, 0], [0, -2, 0.5]],
    ['in one place', [1, 1, 1], [0, 0, 0]],
  ])('turns about no line that its particles lie on: %s', async (_, points, expected) => {
    const { body } = await worldWith({ points, angularVelocity: SPIN });
    expect(distance(body.angularVelocity, expected)).toBeLessThan(1e-6);
  });

  it('refuses to tell once it is gone', async () => {
    const { world, body } = await worldWith(BLOCK);
    world.removeBody(body);
    expect(refusal(() => body.mass)).toContain('was removed');
    expect(refusal(() => body.bounds)).toContain('was removed');
  });
});

describe('setVelocity', () => {
  it('sets what it names and leaves the rest, and the motion within the body', async () => {
    const { world, body } = await worldWith({ ...BLOCK, angularVelocity: SPIN, velocity: [1, 2, 3] });
    disturb(world, 2, 0, 0.5);
    const angular = body.angularVelocity;
    body.setVelocity({ linear: [7, 0, 0] });
    expect(distance(body.linearVelocity, [7, 0, 0])).toBeLessThan(1e-5);
    expect(distance(body.angularVelocity, angular)).toBeLessThan(1e-5);
    const before = Float32Array.from(body.velocities);
    body.setVelocity({ angular: [0, 3, 0] });
    expect(distance(body.linearVelocity, [7, 0, 0])).toBeLessThan(1e-5);
    expect(distance(body.angularVelocity, [0, 3, 0])).toBeLessThan(1e-5);
    const [c, x, v] = [body.centreOfMass, body.positions, body.velocities];
    for (let i = 0; i < body.particleCount; i += 50) {
      const added = cross(minus([0, 3, 0], angular), minus(x.subarray(4 * i, 4 * i + 3), c));
      const expected = added.map((u, a) => before[4 * i + a] + u);
      expect(distance(v.subarray(4 * i, 4 * i + 3), expected)).toBeLessThan(1e-4);
    }
  });

  it('wakes it, and leaves held particles alone', async () => {
    const { body } = await worldWith(BLOCK);
    body.pin(3);
    body.sleep();
    body.setVelocity({ linear: [1, 0, 0] });
    expect(body.asleep).toBe(false);
    expect(Array.from(body.velocities.subarray(12, 16))).toEqual([0, 0, 0, 0]);
    expect(body.velocities[0]).toBeCloseTo(1, 5);
  });

  it('refuses what is no velocity before anything changes', async () => {
    const { body } = await worldWith(BLOCK);
    body.sleep();
    expect(refusal(() => body.setVelocity({ linear: [1, Number.NaN, 0] }))).toContain('velocity.linear is');
    expect(refusal(() => body.setVelocity({ linear: [1, 0, 0], angular: [1] as never }))).toContain('velocity.angular');
    expect(refusal(() => body.setVelocity({ speed: 1 } as never))).toContain('velocity.speed is not an option');
    expect(body.asleep).toBe(true);
    expect(body.linearVelocity).toEqual([0, 0, 0]);
  });
});

describe('an impulse at a point', () => {
  const J: Vec3 = [3, -1, 2];

  it.each([
    ['within the body', [0.12, 0.03, -0.2]],
    ['at a corner', [0.45, 0.4, 0.35]],
    ['outside', [2, -1, 0.5]],
    ['very far away', [1e4, 0, 0]],
  ] as const)('gives its linear and its angular momentum: %s', async (_, offset) => {
    const { world, body } = await worldWith({ ...BLOCK, position: [5, 1, 0], angularVelocity: SPIN });
    const point: Vec3 = [5 + offset[0], 1 + offset[1], offset[2]];
    const before = world.measure();
    body.applyImpulseAt(J, point);
    const after = world.measure();
    const arm = 1 + Math.hypot(...point);
    expect(distance(minus(after.momentum, before.momentum), J)).toBeLessThan(1e-4 + 1e-7 * arm);
    expect(distance(minus(after.angularMomentum, before.angularMomentum), cross(point, J))).toBeLessThan(2e-4 * arm);
  });

  it('is taken by the particles around the point', async () => {
    const { body } = await worldWith(BLOCK);
    body.applyImpulseAt([0, 0, 10], [0.4, 0, 0]);
    const [x, v] = [body.positions, body.velocities];
    const speed = (i: number) => Math.hypot(v[4 * i], v[4 * i + 1], v[4 * i + 2]);
    let [near, far] = [0, 0];
    for (let i = 0; i < body.particleCount; i++)
      if (x[4 * i] > 0.3 && Math.abs(x[4 * i + 1]) < 0.1 && Math.abs(x[4 * i + 2]) < 0.1)
        near = Math.max(near, speed(i));
      else if (x[4 * i] < -0.1) far = Math.max(far, speed(i));
    expect(near).toBeGreaterThan(20 * far);
  });

  it('gives held particles nothing, and single particles all of it', async () => {
    const { body } = await worldWith(BLOCK);
    for (let i = 0; i < body.particleCount; i++) body.pin(i);
    body.applyImpulseAt(J, [0, 0, 0]);
    expect(body.velocities.every((u) => u === 0)).toBe(true);
    const { body: point } = await worldWith({ points: [1, 1, 1], material: { mass: 2 } });
    point.applyImpulseAt(J, [1, 1, 1]);
    expect(Array.from(point.velocities)).toEqual([1.5, -0.5, 1, 0]);
  });

  it('stays finite for any finite impulse', async () => {
    const { body } = await worldWith(BLOCK);
    body.applyImpulseAt([1e308, -1e308, 1e308], [1e9, -1e9, 0]);
    body.applyForceAt([1e308, -1e308, 1e308], [1e9, -1e9, 0]);
    body.setVelocity({ linear: [-1e308, 0, 1e308], angular: [1e308, 0, 0] });
    expect(body.velocities.every(Number.isFinite)).toBe(true);
  });

  it('is refused before anything changes where it is none', async () => {
    const { body } = await worldWith(BLOCK);
    body.sleep();
    expect(refusal(() => body.applyImpulseAt([0, 1] as never, [0, 0, 0]))).toContain('impulse is');
    expect(refusal(() => body.applyImpulseAt(J, [2e9, 0, 0]))).toContain('point is');
    expect(refusal(() => body.applyForceAt(J, [Number.NaN, 0, 0]))).toContain('point is');
    expect(body.asleep).toBe(true);
  });

  it.each(BACKENDS)(
    'leaves a free body with its momenta, and with no more energy than it gave (%s)',
    async (backend) => {
      const { world, body } = await worldWith({ ...BLOCK, material: { raw: { rotation: 'covariance' } } }, { backend });
      const point: Vec3 = [0.45, 0.3, 0.1];
      body.applyImpulseAt(J, point);
      const { momentum, angularMomentum, kineticEnergy } = world.measure();
      for (let k = 0; k < 60; k++) {
        world.step();
        expect(world.measure().kineticEnergy).toBeLessThan(kineticEnergy * 1.001);
      }
      const after = world.measure();
      expect(distance(after.momentum, momentum)).toBeLessThan(1e-3);
      expect(distance(after.angularMomentum, angularMomentum)).toBeLessThan(1e-3);
      // Some of it moves the body as a whole: at least what its momenta need.
      expect(after.kineticEnergy).toBeGreaterThan((14 / body.mass) * 0.499);
    },
  );

  it('does the same to the bit every time', async () => {
    const [one, other] = await Promise.all([0, 1].map(() => worldWith(BLOCK)));
    for (const { world, body } of [one, other])
      for (let k = 0; k < 10; k++) {
        body.applyImpulseAt(J, [0.4, 0.1 * k, 0]);
        body.applyForceAt([0, 9, 0], [0, 0, 0.3]);
        if (k === 5) body.setPose({ position: [1, 1, 1], rotation: [0, 1, 0, 1] });
        if (k === 7) body.setVelocity({ angular: [0, 0, 2] });
        world.step();
      }
    expect(other.world.positions).toEqual(one.world.positions);
    expect(other.world.velocities).toEqual(one.world.velocities);
  });

  it('as a force is an impulse of one step', async () => {
    const { world, body } = await worldWith({ ...BLOCK, material: { raw: { rotation: 'covariance' } } });
    const point: Vec3 = [0.45, 0.2, 0];
    const force: Vec3 = [0, 0, 60];
    body.applyForceAt(force, point);
    const { force: f, x } = world.state.views;
    const [sum, torque] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    for (let o = 0; o < 4 * body.particleCount; o += 4)
      cross(x.subarray(o, o + 3), f.subarray(o, o + 3)).forEach((t, a) => {
        torque[a] += t;
        sum[a] += f[o + a];
      });
    expect(distance(sum, force)).toBeLessThan(1e-4);
    expect(distance(torque, cross(point, force))).toBeLessThan(1e-4);
    world.step();
    const { momentum, angularMomentum } = world.measure();
    expect(
      distance(
        momentum,
        force.map((c) => c * world.dt),
      ),
    ).toBeLessThan(1e-3);
    // The points of attack move within the step, by h² f/m.
    expect(
      distance(
        angularMomentum,
        cross(point, force).map((c) => c * world.dt),
      ),
    ).toBeLessThan(1e-2);
    world.step();
    expect(world.measure().momentum[2]).toBeCloseTo(1, 2);
  });
});

it('keeps what users hang on a body, and not in bytes', async () => {
  const { world, body } = await worldWith(BLOCK);
  const mine = { self: undefined as unknown };
  mine.self = mine;
  const snapshot = world.snapshot();
  const bytes = world.save();
  body.userData = mine;
  expect(world.save()).toEqual(bytes);
  world.removeBody(body);
  world.restore(snapshot);
  expect(world.bodies[0].userData).toBe(mine);
});

it('copies positions as x y z', async () => {
  const { world, body } = await worldWith(BLOCK);
  const other = world.addBody({ points: [1, 2, 3] });
  expect(Array.from(other.copyPositions())).toEqual([1, 2, 3]);
  const into = new Float32Array(5);
  expect(other.copyPositions(into)).toBe(into);
  expect(Array.from(into)).toEqual([1, 2, 3, 0, 0]);
  const all = world.copyPositions();
  expect(all.length).toBe(3 * (body.particleCount + 1));
  expect(Array.from(all.slice(-3))).toEqual([1, 2, 3]);
  expect(refusal(() => other.copyPositions(new Float32Array(2)))).toBe(
    'out has room for 2 numbers; expected at least 3.',
  );
  expect(refusal(() => other.copyPositions([] as never))).toContain('out is');
});
