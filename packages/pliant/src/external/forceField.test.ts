import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import type { Vec3 } from '../check.js';
import { BACKENDS } from '../kernels/kernels.js';
import { BLOCK, worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { report } from '../testing/report.js';
import type { WorldOptions } from '../world/options.js';
import type { World } from '../world.js';
import type { ForceFieldOptions } from './forceField.js';

/** One free particle of the given mass. */
const speck = (x: Vec3, velocity: Vec3 = [0, 0, 0], particleMass = 2): BodyOptions => ({
  points: [...x],
  velocity,
  clusters: [{ members: [0] }],
  material: { particleMass, raw: { stiffness: 0, damping: 0, limit: { iterations: 0 } } },
});
const run = (world: World, steps: number) => {
  for (let n = 0; n < steps; n++) world.step();
};
const close = (values: readonly number[], digits = 4) => values.map((c) => expect.closeTo(c, digits));

/** Where a particle is and how fast after some steps in a field. */
async function drift(
  field: ForceFieldOptions,
  body: BodyOptions,
  steps = 64,
  options: WorldOptions = { dt: 1 / 64 },
): Promise<{ x: number[]; v: number[]; world: World }> {
  const { world, body: made } = await worldWith(body, options);
  world.addForceField(field);
  run(world, steps);
  return { x: Array.from(made.positions.slice(0, 3)), v: Array.from(made.velocities.slice(0, 3)), world };
}

describe.each(BACKENDS)('a force field (%s)', (backend) => {
  const dt = 1 / 64;

  it('uniform: as an acceleration the same for all masses, as a force by mass', async () => {
    for (const particleMass of [0.5, 4]) {
      const vector: Vec3 = [1, -2, 3];
      const a = await drift({ type: 'uniform', vector }, speck([0, 0, 0], [0, 0, 0], particleMass), 64, {
        dt,
        backend,
      });
      expect(a.v).toEqual(close([1, -2, 3]));
      const as = 'force';
      const f = await drift({ type: 'uniform', vector, as }, speck([0, 0, 0], [0, 0, 0], particleMass), 64, {
        dt,
        backend,
      });
      expect(f.v).toEqual(close(vector.map((c) => c / particleMass)));
    }
  });

  it('linear: oscillates with ω = √−s about its centre, and leaves the other axes alone', async () => {
    const omega = 2;
    const field = { type: 'linear', scale: [-(omega ** 2), 0, 0], centre: [5, 0, 0] } as const;
    const body = speck([6, 7, 8]);
    const { x, v } = await drift(field, body, Math.round((2 * Math.PI) / omega / 0.001), { dt: 0.001, backend });
    // A whole turn, to the length of a step.
    expect(x).toEqual(close([6, 7, 8], 3));
    expect(Math.abs(v[0])).toBeLessThan(5e-3);
    const half = await drift(field, body, Math.round(Math.PI / omega / 0.001), { dt: 0.001, backend });
    expect(half.x).toEqual(close([4, 7, 8], 2));
  });

  it('compresses a beam about its middle, which stays where it is, and lets go after its lifetime ([F17] ch. 4)', async () => {
    const beam: BodyOptions = {
      shape: { type: 'box', size: [2, 0.4, 0.4] },
      sampling: { method: 'grid', spacing: 0.1 },
      clustering: { count: 12 },
      material: { raw: { stiffness: 0.2, damping: 0.4 } },
    };
    const { world } = await worldWith(beam, { backend });
    world.addForceField({ type: 'linear', scale: [-40, 0, 0], lifetime: 1 });
    const length = () => world.measure().bboxMax[0] - world.measure().bboxMin[0];
    const before = length();
    const middle = world.measure().com[0];
    run(world, 60);
    const squeezed = length();
    run(world, 300);
    report('length', { before, squeezed, released: length() }, 'm');
    expect(squeezed).toBeLessThan(0.95 * before);
    expect(length()).toBeGreaterThan(0.99 * before);
    expect(world.measure().com[0]).toBeCloseTo(middle, 3);
    expect(world.drainEvents()).toEqual([]);
  });

  it('drag: v − u decays as e^{−kt} at any step, and stops dead at an enormous rate', async () => {
    for (const h of [1 / 10, 1 / 500]) {
      const { v } = await drift(
        { type: 'drag', rate: 3, velocity: [2, 0, 0] },
        speck([0, 0, 0], [-1, 4, 0]),
        Math.round(1 / h),
        { dt: h, backend },
      );
      expect(v).toEqual(close([2 - 3 * Math.exp(-3), 4 * Math.exp(-3), 0], 4));
    }
    // As a force the mass counts: k = 6/2.
    const heavy = await drift({ type: 'drag', rate: 6, as: 'force' }, speck([0, 0, 0], [0, 4, 0], 2), 64, {
      dt,
      backend,
    });
    expect(heavy.v[1]).toBeCloseTo(4 * Math.exp(-3), 4);
    const gale = await drift({ type: 'drag', rate: 1e30, velocity: [0, 0, 5] }, speck([0, 0, 0], [9, 9, 9]), 1, {
      dt,
      backend,
    });
    expect(gale.v).toEqual(close([0, 0, 5], 4));
  });
});

describe('a force field', () => {
  it('radial: s r/R inside, s (R/r)^p outside, out for positive strength; 0 in the very centre', async () => {
    const field = { type: 'radial', strength: -8, radius: 2, falloff: 2, centre: [1, 0, 0] } as const;
    const first = async (x: Vec3) => (await drift(field, speck(x), 1)).v.map((c) => 64 * c);
    expect(await first([1, 1, 0])).toEqual(close([0, -4, 0], 3));
    expect(await first([5, 0, 0])).toEqual(close([-2, 0, 0], 3));
    expect(await first([1, 0, 0])).toEqual([0, 0, 0]);
    const away = (await drift({ ...field, strength: 8 }, speck([5, 0, 0]), 1)).v;
    expect(away[0]).toBeGreaterThan(0);
    const same = (await drift({ ...field, falloff: 0 }, speck([101, 0, 0]), 1)).v;
    expect(same[0] * 64).toBeCloseTo(-8, 3);
  });

  it('radial attraction by the inverse square keeps a particle on its circle', async () => {
    // v² / r = s R² / r² with s R² = 4, r = 4: one turn takes 2π r / v = 8π s.
    const { x, world } = await drift(
      { type: 'radial', strength: -4, radius: 1 },
      speck([4, 0, 0], [0, 1, 0]),
      Math.round(8 * Math.PI * 250),
      { dt: 1 / 250 },
    );
    expect(x).toEqual(close([4, 0, 0], 1));
    expect(world.measure().kineticEnergy).toBeCloseTo(0.5 * 2, 2);
  });

  it('vortex: along axis × r, and nothing on the axis', async () => {
    const field = { type: 'vortex', axis: [0, 0, 3], strength: 6, radius: 1, falloff: 1, centre: [0, 0, 9] } as const;
    const first = async (x: Vec3) => (await drift(field, speck(x), 1)).v.map((c) => 64 * c);
    expect(await first([2, 0, -5])).toEqual(close([0, 3, 0], 3));
    expect(await first([0, 0.5, 0])).toEqual(close([-3, 0, 0], 3));
    expect(await first([0, 0, 0])).toEqual([0, 0, 0]);
  });

  it('custom: gets place, velocity and time, and starts from zero', async () => {
    const seen: number[][] = [];
    const { v } = await drift(
      {
        type: 'custom',
        as: 'force',
        at: (x, y, z, vx, vy, vz, time, out) => {
          seen.push([x, y, z, vx, vy, vz, time, ...out]);
          out[1] = 128 * time;
        },
      },
      speck([1, 2, 3], [4, 5, 6]),
      3,
    );
    expect(seen[0]).toEqual([1, 2, 3, 4, 5, 6, 0, 0, 0, 0]);
    expect(seen.map((s) => s[6])).toEqual([0, 1 / 64, 2 / 64]);
    expect(seen.map((s) => s[8])).toEqual([0, 0, 0]);
    // 128 t / 2 kg for two steps of 1/64 s each.
    expect(v[1]).toBeCloseTo(5 + 1 / 64 + 2 / 64, 5);
  });

  it('custom: a NaN stops the body that it was for, and no other; what is infinite is cut', async () => {
    const { world, body } = await worldWith(speck([0, 0, 0], [1, 0, 0]));
    const other = world.addBody({ ...speck([5, 0, 0]), name: 'other' });
    world.addForceField({
      type: 'custom',
      at: (x, _y, _z, _vx, _vy, _vz, _time, out) => {
        out[0] = x < 2 ? Number.NaN : Number.POSITIVE_INFINITY;
      },
    });
    run(world, 2);
    expect(world.drainEvents()).toEqual([{ type: 'quarantine', body, particles: 1, time: 0 }]);
    expect(Array.from(body.positions.slice(0, 3))).toEqual([0, 0, 0]);
    expect(body.enabled).toBe(false);
    expect(other.enabled).toBe(true);
    expect(other.velocities[0]).toBe(world.maxSpeed);
  });

  it('acts where its region is now, on its bodies, for its lifetime, and not when removed', async () => {
    const { world, body } = await worldWith(speck([0, 0, 0], [1, 0, 0]), { dt: 1 / 64 });
    const second = world.addBody(speck([0, 5, 0], [1, 0, 0]));
    const vector: Vec3 = [0, 64, 0];
    // Reached at x = 0.5, after 32 steps; left at 0.75.
    const region = { type: 'box', min: [0.5, -9, -9], max: [0.7499, 9, 9] } as const;
    const field = world.addForceField({ type: 'uniform', vector, region, bodies: [body] });
    expect(world.forceFields).toEqual([field]);
    run(world, 32);
    expect(body.velocities[1]).toBe(0);
    run(world, 32);
    expect(body.velocities[1]).toBe(16);
    expect(second.velocities[1]).toBe(0);
    world.removeForceField(field);
    expect(world.forceFields).toEqual([]);
    world.addForceField({ type: 'uniform', vector, lifetime: 4 / 64 });
    run(world, 20);
    expect(second.velocities[1]).toBe(4);
    expect(refusal(() => world.removeForceField(field))).toMatch(
      /^forceField is .*; expected a force field of this world\.$/,
    );
  });

  it('adds to the others and to what the user applies, and holds nothing that is pinned', async () => {
    const { world, body } = await worldWith(BLOCK, { dt: 1 / 64, substeps: 1 });
    world.addForceField({ type: 'uniform', vector: [64, 0, 0] });
    world.addForceField({ type: 'uniform', vector: [0, 64, 0] });
    body.pin(0);
    body.applyForce([0, 0, 64 * world.measure().mass]);
    const still = Array.from(body.positions.slice(0, 3));
    world.step();
    const last = body.velocities.slice(-4, -1);
    expect(Array.from(last)).toEqual(close([1, 1, 1], 4));
    expect(Array.from(body.positions.slice(0, 3))).toEqual(still);
    world.step();
    expect(body.velocities.at(-2)).toBeLessThan(1.5);
  });

  it('may outlive its bodies, and those that are added later feel it', async () => {
    const { world, body } = await worldWith(speck([0, 0, 0]), { dt: 1 / 64 });
    world.addForceField({ type: 'uniform', vector: [64, 0, 0], bodies: [body] });
    world.addForceField({ type: 'uniform', vector: [0, 64, 0] });
    world.step();
    world.removeBody(body);
    const later = world.addBody(speck([0, 0, 0]));
    world.step();
    expect(Array.from(later.velocities.slice(0, 3))).toEqual([0, 1, 0]);
  });

  it.each([
    [
      { type: 'wind' },
      'forceField.type is "wind"; expected one of "uniform", "linear", "radial", "vortex", "drag", "custom".',
    ],
    [
      undefined,
      'forceField.type is undefined; expected one of "uniform", "linear", "radial", "vortex", "drag", "custom".',
    ],
    [{ type: 'uniform', vector: [0, 1] }, 'forceField.vector is [0, 1]; expected three finite numbers.'],
    [
      { type: 'uniform', vector: [0, 1, 0], as: 'velocity' },
      'forceField.as is "velocity"; expected one of "force", "acceleration".',
    ],
    [{ type: 'drag', rate: -1 }, 'forceField.rate is -1; expected a finite number of at least 0.'],
    [{ type: 'radial', strength: 1, radius: 0 }, 'forceField.radius is 0; expected a finite number above 0.'],
    [
      { type: 'vortex', strength: 1, axis: [0, 0, 0] },
      'forceField.axis is [0, 0, 0]; expected a direction of non-zero length.',
    ],
    [
      { type: 'custom', at: 'x' },
      'forceField.at is "x"; expected a function (x, y, z, vx, vy, vz, time, out) => void.',
    ],
    [
      { type: 'drag', rate: 1, wind: [0, 0, 0] },
      'forceField.wind is not an option; expected one of type, bodies, region, as, lifetime, velocity, rate.',
    ],
    [
      { type: 'drag', rate: 1, region: { type: 'cone' } },
      'forceField.region.type is "cone"; expected one of "halfspace", "box", "sphere".',
    ],
    [{ type: 'drag', rate: 1, lifetime: -1 }, 'forceField.lifetime is -1; expected a finite number of at least 0.'],
  ])('is refused for %o', async (options, message) => {
    const { world } = await worldWith(speck([0, 0, 0]));
    expect(refusal(() => world.addForceField(options as ForceFieldOptions))).toBe(message);
    expect(world.forceFields).toEqual([]);
  });

  it('refuses bodies of another world', async () => {
    const { world } = await worldWith(speck([0, 0, 0]));
    const { body } = await worldWith({ ...speck([0, 0, 0]), name: 'stranger' });
    expect(refusal(() => world.addForceField({ type: 'drag', rate: 1, bodies: [body] }))).toBe(
      'forceField.bodies[0] is "stranger"; expected a body of this world.',
    );
  });
});
