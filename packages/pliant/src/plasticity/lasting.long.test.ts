import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import type { MaterialOptions } from '../material/material.js';
import { determinant } from '../math/mat3.js';
import { BLOCK, distance, disturb, spinOf, turmoil, worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { rigidFit } from '../testing/rigidFit.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { deform, deviationFrom, plasticOf } from './testing/deform.js';

const SIZE = Math.hypot(0.9, 0.8, 0.7);
/** Sheared along x by y, and turned a little out of the axes; of determinant 1. */
const SHEAR = [1.1, 0.1, 0, 0.5, 1 / 1.1 + 0.05 / 1.1, 0, 0, 0, 1];

/** A slab on the ground, into which a ball is pressed from above for a second; then the ball is gone. */
async function dent(material: MaterialOptions) {
  // Under less than its weight on earth, by which a slab of this softness would already yield.
  const world = await World.create({ gravity: [0, -2, 0], sleepSpeed: 0 });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
  const slab: BodyOptions = {
    shape: { type: 'box', size: [1.6, 0.6, 1.6] },
    sampling: { method: 'grid', spacing: 0.1 },
    clustering: { count: 60, radius: 0.32 },
    position: [0, 0.3, 0],
    material: { ...material, raw: { ...material.raw, damping: 0.1, bodyDamping: 0.02 } },
  };
  const body = world.addBody(slab);
  const ball = world.addCollider({
    type: 'sphere',
    centre: [0, 1.1, 0],
    radius: 0.4,
    keyframes: [
      { time: 0, position: [0, 1.1, 0] },
      { time: 0.5, position: [0, 0.65, 0] },
    ],
  });
  const run = (seconds: number) => {
    for (let n = 0; n < Math.round(60 * seconds); n++) world.step();
  };
  // How deep the middle of the upper side lies below its rim.
  const depth = () => {
    let [rim, middle, rims] = [0, Number.POSITIVE_INFINITY, 0];
    for (let i = 0; i < body.particleCount; i++) {
      const [x, y, z] = body.restPositions.subarray(3 * i, 3 * i + 3);
      if (y < 0.5) continue;
      const r = Math.hypot(x, z);
      if (r < 0.2) middle = Math.min(middle, body.positions[4 * i + 1]);
      if (r > 0.9) [rim, rims] = [rim + body.positions[4 * i + 1], rims + 1];
    }
    return rim / rims - middle;
  };
  run(1);
  const pressed = depth();
  world.removeCollider(ball);
  return { world, body, run, depth, pressed };
}

describe('a dent', () => {
  it('stays for seconds in a body that yields, while an elastic one gets its shape back', async () => {
    const elastic = await dent({});
    elastic.run(3);
    const plastic = await dent({ yield: 0.03 });
    plastic.run(2);
    const early = plastic.depth();
    plastic.run(5);
    const late = plastic.depth();
    report(
      'depth of the dent',
      {
        pressed: { elastic: elastic.pressed, plastic: plastic.pressed },
        left: { elastic: elastic.depth(), after2s: early, after7s: late },
      },
      'm',
    );
    expect(Math.min(elastic.pressed, plastic.pressed)).toBeGreaterThan(0.15);
    expect(Math.abs(elastic.depth())).toBeLessThan(0.01);
    expect(late).toBeGreaterThan(0.05);
    // It does not creep back.
    expect(Math.abs(late - early)).toBeLessThan(0.05 * early);
    expect(Math.max(...plastic.body.plasticStrain)).toBeGreaterThan(0.1);
  });

  it('is gone after resetPlasticity', async () => {
    const { world, body, run, depth } = await dent({ yield: 0.03 });
    run(3);
    const before = depth();
    expect(before).toBeGreaterThan(0.05);
    body.sleep();
    body.resetPlasticity();
    expect(body.asleep).toBe(false);
    expect(body.plasticStrain.every((e) => e === 0)).toBe(true);
    const { plastic, hardened } = world.state.views;
    for (let c = 0; c < world.clusterCount; c++) {
      for (let k = 0; k < 9; k++) expect(plastic[9 * c + k]).toBe(k % 4 === 0 ? 1 : 0);
      expect(hardened[c]).toBe(0);
    }
    // Going back by as much it would yield again.
    body.setMaterial({ yield: Number.POSITIVE_INFINITY });
    run(3);
    expect(Math.abs(depth())).toBeLessThan(0.1 * before);
  });
});

describe.each(BACKENDS)('a body that has flowed (%s)', (backend) => {
  /** One that has taken on the shear as its rest shape, and yields no more. */
  async function sheared(options: BodyOptions, material: MaterialOptions) {
    const { world, body } = await worldWith({ ...BLOCK, ...options, material }, { backend });
    body.setMaterial({ yield: 0 });
    deform(body, SHEAR);
    world.step();
    body.setMaterial({ yield: Number.POSITIVE_INFINITY });
    deform(body, SHEAR);
    return { world, body };
  }
  const spin = (body: { positions: Float32Array; velocities: Float32Array }, w: number[]) => {
    const { positions: x, velocities: v } = body;
    for (let o = 0; o < x.length; o += 4) {
      v[o] = w[1] * x[o + 2] - w[2] * x[o + 1];
      v[o + 1] = w[2] * x[o] - w[0] * x[o + 2];
      v[o + 2] = w[0] * x[o + 1] - w[1] * x[o];
    }
  };

  it.each(['deformation', 'covariance'] as const)(
    'rotates freely in its new shape: rms below 0.1 % over 10 s at 1 rad/s (%s, SPEC P2, M9)',
    async (rotation) => {
      expect(determinant(SHEAR)).toBeCloseTo(1, 12);
      const { world, body } = await sheared({ clustering: { count: 1 } }, { raw: { rotation, damping: 0 } });
      expect(body.plasticStrain[0]).toBeGreaterThan(0.3);
      spin(body, [0.6, 0, 0.8]);
      const before = spinOf(world);
      let worst = 0;
      for (let k = 0; k < (backend === 'wasm' ? 600 : 200); k++) {
        world.step();
        worst = Math.max(worst, deviationFrom(body, SHEAR, rigidFit));
      }
      report(
        'rms deviation from the new shape and from the old one, as a share of the diagonal',
        { new: worst / SIZE, old: rigidFit(body).rms / SIZE },
        '',
      );
      expect(worst / SIZE).toBeLessThan(1e-3);
      expect(rigidFit(body).rms / SIZE).toBeGreaterThan(0.05);
      if (rotation === 'covariance')
        expect(distance(spinOf(world), before) / distance(before, [0, 0, 0])).toBeLessThan(1e-4);
    },
  );

  it.each(['deformation', 'covariance'] as const)(
    'moves as one that was built in that shape with the same clusters (%s)',
    async (rotation) => {
      // Without limiting, whose width is that of the shape a body was built in.
      const material = { raw: { rotation, damping: 0.02, limit: { iterations: 0 } } } as const;
      const flowed = await sheared({}, material);
      const { start, particle, weight } = flowed.body.clustering;
      const clusters = Array.from({ length: flowed.world.clusterCount }, (_, c) => ({
        members: Array.from(particle.subarray(start[c], start[c + 1])),
        weights: Array.from(weight.subarray(start[c], start[c + 1])),
      }));
      const built = await worldWith(
        {
          points: Array.from(flowed.body.positions).filter((_, k) => k % 4 < 3),
          clusters,
          material: { ...material, particleMass: flowed.body.positions[3] },
        },
        { backend },
      );
      for (const { world, body } of [flowed, built]) {
        disturb(world, 7, 0.02, 0.5);
        spin(body, [1, 0.5, 0]);
      }
      let worst = 0;
      for (let k = 0; k < (backend === 'wasm' ? 60 : 20); k++) {
        flowed.world.step();
        built.world.step();
        flowed.body.positions.forEach((value, n) => {
          worst = Math.max(worst, Math.abs(value - built.body.positions[n]));
        });
      }
      // Rest offsets are rounded to f32 in one shape or the other: 1e-7 at first, and it rings.
      expect(worst / SIZE).toBeLessThan(2e-6);
      expect(rigidFit(flowed.body).rms / SIZE).toBeGreaterThan(0.05);
    },
  );

  it('comes back to its new shape when it is disturbed', async () => {
    const { world, body } = await sheared({}, { raw: { damping: 0.1, bodyDamping: 0.1 } });
    disturb(world, testSeed('sheared'), 0.03, 1);
    for (let k = 0; k < 400; k++) world.step();
    expect(deviationFrom(body, SHEAR, rigidFit) / SIZE).toBeLessThan(1e-3);
  });

  it('keeps both momenta while it flows: linear to rounding, angular with the torque-free rotation (SPEC M3)', async () => {
    const seed = testSeed(`momentum in flow ${backend}`);
    const material = {
      yield: 0.02,
      raw: { rotation: 'covariance', stiffness: 0.7, damping: 0, limit: { iterations: 0 } },
    } as const;
    const { world, body } = await worldWith(
      { ...BLOCK, material, velocity: [1, 2, 3], angularVelocity: [0, 2, 1], stretch: [1.4, 0.8, 1] },
      { backend },
    );
    disturb(world, seed, 0.03, 1);
    const before = { ...world.measure(), spin: spinOf(world), scale: turmoil(world) };
    let [worst, flowed] = [0, 0];
    let last = body.plasticStrain.slice();
    for (let k = 0; k < 200; k++) {
      world.step();
      worst = Math.max(worst, distance(spinOf(world), before.spin) / before.scale);
      if (body.plasticStrain.some((e, c) => e !== last[c])) flowed++;
      last = body.plasticStrain.slice();
    }
    const after = world.measure();
    report('angular momentum off by, and steps of 200 that flowed', { worst, flowed }, '');
    expect(after.mass).toBe(before.mass);
    expect(distance(after.momentum, before.momentum)).toBeLessThan(1e-5 * before.scale);
    expect(worst).toBeLessThan(1e-5);
    expect(flowed).toBeGreaterThan(20);
  });

  it('keeps both momenta under the conserving limit too (SPEC M10)', async () => {
    const limit = { mode: 'conserving', gamma: 0.1, omega: 0.3, iterations: 3 } as const;
    const { world, body } = await worldWith(
      {
        ...BLOCK,
        clustering: { count: 30, radius: 0.36 },
        stretch: [2, 1, 1],
        material: { yield: 0.05, raw: { rotation: 'covariance', stiffness: 0.5, damping: 0, limit } },
      },
      { backend },
    );
    const { com } = world.measure();
    let scale = 0;
    for (let k = 0; k < 200; k++) {
      world.step();
      scale = Math.max(scale, turmoil(world));
    }
    expect(Math.max(...body.plasticStrain)).toBeGreaterThan(0.1);
    expect(distance(world.measure().com, com) / SIZE).toBeLessThan(1e-5);
    expect(distance(spinOf(world), [0, 0, 0]) / scale).toBeLessThan(1e-5);
  });

  it('does not turn by the stress that stays in it, unless the rotation of F is asked for (SPEC M3)', async () => {
    const turned: Record<string, number> = {};
    for (const rotation of [undefined, 'deformation'] as const) {
      const material = { yield: 0.2, raw: { ...(rotation && { rotation }) } };
      const { world, body } = await worldWith({ ...BLOCK, stretch: [1.5, 1, 0.8], material }, { backend });
      disturb(world, 3, 0.05, 0);
      for (let k = 0; k < 2; k++) world.step();
      expect(body.core.history.flowed).toBe(true);
      const before = spinOf(world);
      for (let k = 0; k < 300; k++) world.step();
      expect(Math.min(...body.plasticStrain)).toBeGreaterThan(0.01);
      // Angular momentum as the rate at which a solid block of this mass would turn.
      const { mass, rms } = world.measure();
      turned[rotation ?? 'default'] = distance(spinOf(world), before) / (mass * rms * rms);
    }
    report('spin after 5 s', turned, 'rad/s');
    expect(turned.default).toBeLessThan(1e-5);
    expect(turned.deformation).toBeGreaterThan(0.01);
  });
});

describe('a slab without any strength that falls on the floor', () => {
  it("spreads and lies still; in the papers' form it leaps, and goes on leaping", async () => {
    const highest: Record<string, number> = {};
    for (const flowMode of ['dissipative', 'paper'] as const) {
      const world = await World.create({ sleepSpeed: 0 });
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
      const body = world.addBody({
        shape: { type: 'box', size: [1.2, 0.6, 1.2] },
        sampling: { method: 'grid', spacing: 0.15 },
        clustering: { count: 25, radius: 0.42 },
        position: [0, 0.6, 0],
        material: {
          yield: 0,
          raw: { damping: 0.1, bodyDamping: 0.02, ...(flowMode === 'paper' && { flowMode, rotation: 'deformation' }) },
        },
      });
      highest[flowMode] = 0;
      for (let n = 0; n < 480; n++) {
        world.step();
        if (n > 120) highest[flowMode] = Math.max(highest[flowMode], world.measure().com[1]);
      }
      expect(body.enabled).toBe(true);
      const { kineticEnergy, mass, bboxMin, bboxMax } = world.measure();
      if (flowMode === 'paper') continue;
      expect(Math.sqrt((2 * kineticEnergy) / mass)).toBeLessThan(1e-3);
      expect(bboxMax[0] - bboxMin[0]).toBeGreaterThan(1.3);
    }
    report('highest centre after 2 s', highest, 'm');
    expect(highest.dissipative).toBeLessThan(0.3);
    expect(highest.paper).toBeGreaterThan(1);
  });
});

describe.each(BACKENDS)('degenerate bodies that yield (%s)', (backend) => {
  const STATES: Record<string, number[]> = {
    'inside out': [-1, 0, 0, 0, -1, 0, 0, 0, -1],
    mirrored: [-1, 0, 0, 0, 1, 0, 0, 0, 1],
    'nearly flat': [1, 0, 0, 0, 1, 0, 0, 0, 2e-4],
    'in a plane': [1, 0, 0, 0, 1, 0, 0, 0, 0],
    'in a line': [1, 0, 0, 0, 0, 0, 0, 0, 0],
    'in a point': [0, 0, 0, 0, 0, 0, 0, 0, 0],
    'a hundred times as large': [100, 0, 0, 0, 100, 0, 0, 0, 100],
  };
  it.each(Object.keys(STATES))('stay finite and come to rest: %s', async (state) => {
    for (const inversion of ['proper', 'mirror'] as const)
      for (const [limit, flowRate] of backend === 'wasm'
        ? ([
            [0, 1],
            [0.1, 50],
          ] as const)
        : ([[0.1, 50]] as const)) {
        const material = {
          yield: limit,
          raw: { flowRate, inversion, damping: 0.1, bodyDamping: 0.05, stiffness: 0.9 },
        };
        const { world, body } = await worldWith({ ...BLOCK, material }, { backend });
        deform(body, STATES[state]);
        for (let k = 0; k < (backend === 'wasm' ? 500 : 40); k++) world.step();
        const what = `${inversion}, yield ${limit}, flow rate ${flowRate}`;
        expect(body.enabled, what).toBe(true);
        expect(world.positions.every(Number.isFinite), what).toBe(true);
        for (let c = 0; c < world.clusterCount; c++)
          expect(Math.abs(determinant(plasticOf(world, c)) - 1), what).toBeLessThan(1e-6);
        if (backend === 'ts') continue;
        const { kineticEnergy, mass } = world.measure();
        expect(Math.sqrt((2 * kineticEnergy) / mass) / 60 / SIZE, what).toBeLessThan(1e-4);
      }
  });
});
