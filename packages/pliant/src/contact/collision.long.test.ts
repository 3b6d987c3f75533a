import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import type { Vec3 } from '../check.js';
import { polarInto } from '../math/polar.js';
import { random } from '../math/random.js';
import type { ShapeOptions } from '../sample/index.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import type { World } from '../world.js';
import { block, bustle, RAW, SHAPES, worldOf } from './testing/collisions.js';

/** Puts a body that is at rest in its shape elsewhere, turned at random, moving and spinning. */
function launch(body: Body, next: () => number, position: number[], velocity: number[], spin: number[]): void {
  const R = new Float64Array(9);
  polarInto(
    R,
    R.map(() => next() - 0.5),
  );
  const { positions: x, velocities: v, previousPositions: xOld, restPositions: rest, particleCount: count } = body;
  const centre = [0, 1, 2].map((a) => rest.reduce((sum, c, k) => sum + (k % 3 === a ? c : 0), 0) / count);
  for (let i = 0; i < count; i++) {
    const p = centre.map((c, a) => rest[3 * i + a] - c);
    const [rx, ry, rz] = [0, 1, 2].map((a) => R[a] * p[0] + R[3 + a] * p[1] + R[6 + a] * p[2]);
    const turning = [spin[1] * rz - spin[2] * ry, spin[2] * rx - spin[0] * rz, spin[0] * ry - spin[1] * rx];
    [rx, ry, rz].forEach((r, a) => {
      x[4 * i + a] = xOld[4 * i + a] = position[a] + r;
      v[4 * i + a] = velocity[a] + turning[a];
    });
  }
}

/** Hears by how much contact alone changes the momentum in each step (kg m/s). */
function watchImpacts(world: World, heard: (change: number) => void): void {
  const { profile } = world;
  const mark = profile.mark.bind(profile);
  let before: readonly number[] = [0, 0, 0];
  profile.mark = (stage) => {
    if (stage === 'recluster') before = world.measure().momentum;
    if (stage === 'contact') heard(Math.hypot(...world.measure().momentum.map((p, a) => p - before[a])));
    mark(stage);
  };
}

describe('two free bodies', () => {
  // Building a body takes ten times as long as its collision: each pair collides four times.
  it('keep their momentum to 1e-5 and never gain energy, over 200 random collisions', async () => {
    const seed = testSeed('collisions');
    const next = random(seed);
    const between = (low: number, high: number) => low + (high - low) * next();
    let [touched, worstMomentum, worstEnergy, worstImpact, scale] = [0, 0, 0, 0, 1];
    for (let pair = 0; pair < 50; pair++) {
      const damping = [0, 0.02, 0.3][pair % 3];
      const byDefault = pair % 4 === 0;
      const body = (): BodyOptions => ({
        shape: SHAPES[Math.floor(next() * SHAPES.length)],
        sampling: { count: 150 + Math.floor(200 * next()), seed: 1 + Math.floor(1e6 * next()) },
        clustering: { count: 1 + Math.floor(6 * next()) },
        material: {
          density: between(200, 2000),
          raw: { stiffness: 0.9, damping, rotation: byDefault ? undefined : 'covariance' },
        },
      });
      const world = await worldOf([body(), body()], { dt: 1 / (pair % 2 ? 60 : 120) });
      watchImpacts(world, (change) => {
        worstImpact = Math.max(worstImpact, change / scale);
      });
      for (let trial = 0; trial < 4; trial++) {
        const speed = between(0.5, 12);
        world.bodies.forEach((one, k) => {
          const side = 2 * k - 1;
          const position = [0.7 * side, between(-0.2, 0.2), between(-0.2, 0.2)];
          const velocity = [-side * speed * next(), 0.2 * speed * (next() - 0.5), 0.2 * speed * (next() - 0.5)];
          // In flight the rotation of F spins up what spins (SPEC M3): such bodies come without.
          const spin = byDefault ? 0 : 3;
          launch(one, next, position, velocity, [between(-spin, spin), between(-spin, spin), between(-spin, spin)]);
          one.setMaterial({ friction: next(), restitution: next() });
        });
        const { momentum, kineticEnergy } = world.measure();
        scale = bustle(world);
        for (let n = 0; n < 70; n++) {
          world.step();
          if (world.contactPairs().length > 0) touched++;
          const now = world.measure();
          worstEnergy = Math.max(worstEnergy, now.kineticEnergy / kineticEnergy - 1);
          const off = Math.hypot(...now.momentum.map((p, a) => p - momentum[a]));
          worstMomentum = Math.max(worstMomentum, off / scale);
        }
      }
      world.dispose();
    }
    report(
      '200 collisions: steps in contact, and by what share momentum and energy were off at most',
      { touched, momentum: worstMomentum, contactAlone: worstImpact, energyAbove: worstEnergy },
      '',
    );
    expect(touched).toBeGreaterThan(1000);
    // 4.6e-6 at most of seeds 1 to 20, and that in fast collisions where the limit moves particles: f32 positions, over h. (Slow bodies, at 0.1 m/s, were
    // off by up to 2e-5 while what goals' rounding gave a body was left to it; see integrateParticles.)
    expect(worstMomentum).toBeLessThan(1e-5);
    // The two sides of an impulse are rounded separately, each by up to 6e-8 of its speed, and there are many. Seeds 1 to 8 reach 1.5e-8.
    expect(worstImpact).toBeLessThan(1e-7);
    expect(worstImpact).toBeGreaterThan(0);
    // Rounding of f32 velocities: no more. (Undamped bodies ring, and their kinetic energy swings, but less than they lost by then.)
    expect(worstEnergy).toBeLessThan(1e-5);
  });
});

describe('restitution', () => {
  /** How fast two bodies of one stiff cluster part that met at 2 m/s, and the share of the energy they then have. */
  async function bounce(shape: ShapeOptions, restitution: number, damping: number, dt: number, aside = 0) {
    const world = await worldOf(
      [-1, 1].map((side) => ({
        shape,
        sampling: { count: 400 },
        clustering: { count: 1 },
        position: [0.4 * side, aside * side, 0.7 * aside * side],
        velocity: [-side, 0, 0],
        material: { restitution, friction: 0, raw: { ...RAW, stiffness: 1, damping } },
      })),
      { dt },
    );
    const { kineticEnergy } = world.measure();
    for (let n = 0; n < 1 / dt; n++) world.step();
    const [a, b] = world.bodies.map((body) => world.measure(body));
    return {
      parting: b.momentum[0] / b.mass - a.momentum[0] / a.mass,
      energy: world.measure().kineticEnergy / kineticEnergy,
    };
  }
  const BALL: ShapeOptions = { type: 'sphere', radius: 0.3 };
  const CUBE: ShapeOptions = { type: 'box', size: [0.5, 0.5, 0.5] };

  it.each<[string, number, ShapeOptions]>([
    ['balls', 60, BALL],
    ['balls', 240, BALL],
    ['cubes', 60, CUBE],
    ['cubes', 240, CUBE],
  ])('makes damped %s at %i Hz part faster, and never faster than they met', async (_, rate, shape) => {
    // Face to face, rounding decides which corners of a cube touch first: parting speeds of single launches differ by 8 %.
    const asides = [1e-6, -1e-6, 1e-4, -1e-4, 1e-3, -1e-3];
    const speeds: number[] = [];
    for (const e of [0, 0.5, 1]) {
      let sum = 0;
      for (const aside of asides) sum += (await bounce(shape, e, 1, 1 / rate, aside)).parting;
      speeds.push(sum / asides.length);
    }
    report('speed at which they part after 2 m/s, restitution 0, ½, 1', speeds, 'm/s');
    expect(speeds[0]).toBeGreaterThan(0);
    expect(speeds[1]).toBeGreaterThan(speeds[0]);
    expect(speeds[2]).toBeGreaterThan(speeds[1]);
    expect(speeds[2] - speeds[0]).toBeGreaterThan(0.06);
    expect(speeds[2]).toBeLessThan(2.0001);
  });

  it('of anything gives no energy to an undamped body', async () => {
    // A ball at 60 Hz with e = 0 and 1 would reach 1.07 and 1.25 if the energy of corrections were not limited by the energy that impulses took (energy.ts).
    for (const shape of [BALL, CUBE])
      for (const rate of [60, 240])
        for (const e of [0, 0.5, 1]) expect((await bounce(shape, e, 0, 1 / rate)).energy).toBeLessThan(1.0001);
  });

  /*
   * The meaning that restitution should have for a stiff body, and does not have yet. The impulses are exact (above), but they stop only the
   * particles in contact. The positions are then put right particle by particle, which strains the body, and in the next step its
   * goals turn that strain into speed: it bounces by its own elasticity whatever e is.
   */
  it.fails('of 0 leaves less than half of the approach', async () => {
    // Measured: 0.70 (ball) and 0.53 (cube) at 60 Hz with all damping there is, 0.90 and 0.80 with none.
    for (const shape of [BALL, CUBE]) expect((await bounce(shape, 0, 1, 1 / 60)).parting).toBeLessThan(1);
  });
  it.fails('of 1 keeps most of the energy of a damped body', async () => {
    // Measured with a damping of 0.5: 0.79 (ball) and 0.48 (cube) at 60 Hz; 0.90 and 0.58 at 240 Hz.
    for (const shape of [BALL, CUBE]) expect((await bounce(shape, 1, 0.5, 1 / 60)).energy).toBeGreaterThan(0.8);
  });
});

describe('contact', () => {
  it('lets a stack of four come to rest: below 1 % of its size per second after 5 s', async () => {
    const world = await worldOf(
      [0, 1, 2, 3].map((k) => block(0.15 + 0.32 * k)),
      { dt: 1 / 120, gravity: [0, -9.81, 0], sleepSpeed: 0.03 },
    );
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    for (let n = 0; n < 5 * 120; n++) world.step();
    const before = world.bodies.map((body) => body.positions.slice());
    for (let n = 0; n < 60; n++) world.step();
    world.bodies.forEach((body, k) => {
      let sum = 0;
      for (let o = 0; o < before[k].length; o += 4)
        for (let a = 0; a < 3; a++) sum += (body.positions[o + a] - before[k][o + a]) ** 2;
      const speed = Math.sqrt(sum / body.particleCount) / 0.5;
      expect(speed).toBeLessThan(0.01 * body.size);
      // And it is still a stack: each block lies on the one below.
      expect(Math.hypot(world.measure(body).com[0], world.measure(body).com[2])).toBeLessThan(0.1);
      expect(world.measure(body).com[1]).toBeGreaterThan(0.1 + 0.27 * k);
    });
  });

  it('holds a block on a slope by friction, and lets it slide without', async () => {
    const way = async (friction: number) => {
      const tilt = (15 * Math.PI) / 180;
      const rotation = [0, 0, -Math.sin(tilt / 2), Math.cos(tilt / 2)] as const;
      const up: Vec3 = [Math.sin(tilt), Math.cos(tilt), 0];
      const material = { friction, raw: { ...RAW, damping: 0.5, bodyDamping: 0.05 } };
      const world = await worldOf(
        [
          block(0, {
            shape: { type: 'box', size: [3, 0.3, 1.6] },
            clustering: { count: 30 },
            rotation,
            material,
            position: up.map((c) => -0.15 * c) as never,
          }),
          block(0, { rotation, material, position: up.map((c) => 0.16 * c) as never }),
        ],
        { dt: 1 / 120, gravity: [0, -9.81, 0] },
      );
      const [slope, body] = world.bodies;
      for (let i = 0; i < slope.particleCount; i++) slope.pin(i);
      for (let n = 0; n < 60; n++) world.step();
      const start = world.measure(body).com;
      for (let n = 0; n < 60; n++) world.step();
      return Math.hypot(...world.measure(body).com.map((c, a) => c - start[a]));
    };
    const [held, slid] = [await way(0.6), await way(0)];
    report('way in half a second with μ 0.6 and without friction', { held, slid }, 'm');
    expect(held).toBeLessThan(0.01);
    // ½ g sin 15° t² with the speed it has after the first half second: 0.95 m on a slope without friction.
    expect(slid).toBeGreaterThan(0.6);
  });

  it('of inverted, flat and collapsed bodies stays finite, and they recover', async () => {
    for (const stretch of [
      [-1, 1, 1],
      [1, 0, 1],
      [0, 0, 0],
      [1, 1e-6, 0],
    ] as Vec3[]) {
      const world = await worldOf([
        { ...block(0), stretch, stretchCentre: [0, 0, 0], contact: { self: true } },
        { ...block(0.35), velocity: [0, -1, 0] },
      ]);
      for (let n = 0; n < 240; n++) world.step();
      expect(world.drainEvents().filter((e) => e.type === 'quarantine')).toEqual([]);
      expect(world.positions.every(Number.isFinite)).toBe(true);
      expect(world.maxStretch()).toBeLessThan(1.6);
    }
  });
});
