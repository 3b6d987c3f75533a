import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/build.js';
import type { Vec3 } from '../check.js';
import { polarInto } from '../math/polar.js';
import { random } from '../math/random.js';
import type { ShapeOptions } from '../sample/index.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { World, type WorldOptions } from '../world.js';
import { Blow, PATCH } from './blow.js';
import { contact } from './contact.js';

/** Torque-free rotation: that of F turns strain into spin and gains energy of itself (SPEC M3). */
const MATERIAL = { rotation: 'covariance', stiffness: 0.9, damping: 0.3 } as const;

const SHAPES = [
  { type: 'sphere', radius: 0.3 },
  { type: 'box', size: [0.5, 0.4, 0.45] },
  { type: 'capsule', radius: 0.18, height: 0.4 },
  { type: 'torus', radius: 0.28, tube: 0.12 },
] as const;

async function worldOf(bodies: BodyOptions[], options: WorldOptions = {}): Promise<World> {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0, ...options });
  for (const body of bodies) world.addBody(body);
  return world;
}

/** Σ m |v|: what a momentum is measured against. */
function bustle(world: World): number {
  const [x, v] = [world.positions, world.velocities];
  let sum = 0;
  for (let o = 0; o < x.length; o += 4) sum += x[o + 3] * Math.hypot(v[o], v[o + 1], v[o + 2]);
  return sum;
}

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
function watchBlows(world: World, heard: (change: number) => void): void {
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
    let [touched, worstMomentum, worstEnergy, worstBlow, scale] = [0, 0, 0, 0, 1];
    for (let pair = 0; pair < 50; pair++) {
      const damping = [0, 0.02, 0.3][pair % 3];
      const byDefault = pair % 4 === 0;
      const body = (): BodyOptions => ({
        shape: SHAPES[Math.floor(next() * SHAPES.length)],
        sampling: { count: 150 + Math.floor(200 * next()), seed: 1 + Math.floor(1e6 * next()) },
        clustering: { count: 1 + Math.floor(6 * next()) },
        material: {
          stiffness: 0.9,
          damping,
          density: between(200, 2000),
          rotation: byDefault ? undefined : 'covariance',
        },
      });
      const world = await worldOf([body(), body()], { dt: 1 / (pair % 2 ? 60 : 120) });
      watchBlows(world, (change) => {
        worstBlow = Math.max(worstBlow, change / scale);
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
      { touched, momentum: worstMomentum, contactAlone: worstBlow, energyAbove: worstEnergy },
      '',
    );
    expect(touched).toBeGreaterThan(1000);
    // 4.6e-6 at most of seeds 1 to 20, and that in fast collisions where the limit moves particles: f32 positions, over h. (Slow bodies, at 0.1 m/s, were
    // off by up to 2e-5 while what goals' rounding gave a body was left to it; see integrateParticles.)
    expect(worstMomentum).toBeLessThan(1e-5);
    // Both sides of a blow are rounded apart, each by up to 6e-8 of its speed, and there are many: 1.5e-8 at most of seeds 1 to 8.
    expect(worstBlow).toBeLessThan(1e-7);
    expect(worstBlow).toBeGreaterThan(0);
    // Rounding of f32 velocities: no more. (Undamped bodies ring, and their kinetic energy swings, but less than they lost by then.)
    expect(worstEnergy).toBeLessThan(1e-5);
  });
});

describe('restitution', () => {
  it.each([0, 0.3, 0.7, 1])('of %f gives a single particle that share of its approach back', async (restitution) => {
    const world = await worldOf([
      {
        shape: { type: 'box', size: [1, 0.3, 1] },
        sampling: { method: 'grid', spacing: 0.1 },
        clustering: { count: 4 },
        velocity: [0.2, 0.1, 0],
        material: { friction: 0, restitution },
      },
      { points: [0.03, 0.14, 0.02], velocity: [0.5, -2, 0.3], material: { friction: 0, particleMass: 0.7 } },
    ]);
    const { x, v, xOld, touch, blow, patch: members } = world.state.views;
    for (let o = 0; o < 4 * world.particleCount; o++) if (o % 4 < 3) xOld[o] = x[o] - world.dt * v[o];
    const i = world.bodies[1].rows.particleStart;
    const { momentum, kineticEnergy } = world.measure();
    contact(world);
    expect(world.contactPairs().map((pair) => pair.count)).toEqual([1]);
    for (let a = 0; a < 3; a++) expect(touch[4 * i + a]).toBeCloseTo(a === 1 ? 1 : 0, 6);
    // Velocities are f32; the patch is what there was a blow with.
    const patch = (a: number) => {
      let sum = 0;
      for (let n = 0; n < PATCH; n++) sum += blow[Blow.WEIGHT + n] * v[4 * members[n] + a];
      return sum;
    };
    expect(v[4 * i + 1] - patch(1)).toBeCloseTo(restitution * 2.1, 5);
    // No friction: nothing across.
    expect(v[4 * i]).toBeCloseTo(0.5, 6);
    expect(v[4 * i + 2]).toBeCloseTo(0.3, 6);
    const after = world.measure();
    for (let a = 0; a < 3; a++) expect(after.momentum[a]).toBeCloseTo(momentum[a], 4);
    if (restitution === 1) expect(after.kineticEnergy / kineticEnergy).toBeCloseTo(1, 6);
    else expect(after.kineticEnergy).toBeLessThan(kineticEnergy);
  });

  it.each<[string, ShapeOptions, number]>([
    ['balls', { type: 'sphere', radius: 0.3 }, 0.29],
    ['boxes', { type: 'box', size: [0.5, 0.5, 0.5] }, 0.245],
  ])('of e takes e² less energy from %s in the step that they meet than none does', async (_, shape, near) => {
    const lost = async (restitution: number) => {
      const world = await worldOf(
        [-1, 1].map((side) => ({
          shape,
          sampling: { count: 400 },
          clustering: { count: 1 },
          position: [near * side, 0, 0],
          velocity: [-side, 0.3 * side, 0],
          material: { restitution, friction: 0 },
        })),
      );
      const { x, v, xOld } = world.state.views;
      for (let o = 0; o < 4 * world.particleCount; o++) if (o % 4 < 3) xOld[o] = x[o] - world.dt * v[o];
      const { kineticEnergy } = world.measure();
      contact(world);
      return 1 - world.measure().kineticEnergy / kineticEnergy;
    };
    const all = await lost(0);
    expect(all).toBeGreaterThan(0.005);
    // f32 velocities: 6e-8 of each, of which a hundredth of the particles took part.
    for (const e of [0.25, 0.5, 1]) expect(Math.abs((await lost(e)) - (1 - e * e) * all)).toBeLessThan(1e-6);
  });

  /** How fast two bodies of one stiff cluster part that met at 2 m/s, and the share of the energy they then have. */
  async function bounce(shape: ShapeOptions, restitution: number, damping: number, dt: number, aside = 0) {
    const world = await worldOf(
      [-1, 1].map((side) => ({
        shape,
        sampling: { count: 400 },
        clustering: { count: 1 },
        position: [0.4 * side, aside * side, 0.7 * aside * side],
        velocity: [-side, 0, 0],
        material: { ...MATERIAL, stiffness: 1, damping, restitution, friction: 0 },
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
    // 1.07 and 1.25 for a ball at 60 Hz with e = 0 and 1, were corrections not held against what blows took (energy.ts).
    for (const shape of [BALL, CUBE])
      for (const rate of [60, 240])
        for (const e of [0, 0.5, 1]) expect((await bounce(shape, e, 0, 1 / rate)).energy).toBeLessThan(1.0001);
  });

  /*
   * What restitution should mean for a stiff body, and does not yet. The blows themselves are exact (above), but they only stop the
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

describe('a fast body', () => {
  // 30 m/s are half a metre a step: the sheet is 6 cm thick, the bullet 16. (At 100 m/s it drives the sheet before it, tears
  // off its clusters' shape and gets through: that wants fracture.)
  it.each([10, 20, 30])('of %i m/s does not get through a thin sheet at 60 Hz', async (speed) => {
    const world = await worldOf([
      {
        name: 'sheet',
        shape: { type: 'box', size: [1.2, 1.2, 0.06] },
        sampling: { spacing: 0.05 },
        clustering: { count: 60 },
        material: MATERIAL,
      },
      {
        name: 'bullet',
        shape: { type: 'sphere', radius: 0.08 },
        sampling: { count: 200 },
        clustering: { count: 2 },
        position: [0.05, 0.03, -0.9],
        velocity: [0, 0, speed],
        material: { ...MATERIAL, density: 300 },
      },
    ]);
    const [sheet, bullet] = world.bodies;
    world.addClamp({ region: { type: 'halfspace', normal: [0, 1, 0], offset: 0.55 }, bodies: [sheet] });
    world.addClamp({ region: { type: 'halfspace', normal: [0, -1, 0], offset: 0.55 }, bodies: [sheet] });
    let hit = false;
    for (let n = 0; n < 60; n++) {
      world.step();
      hit ||= world.contactPairs().length > 0;
      // Never beyond the sheet where the sheet is: its deepest particle there is in front of the bullet's.
      expect(world.measure(bullet).com[2]).toBeLessThan(world.measure(sheet).bboxMax[2] + 0.08);
    }
    expect(hit).toBe(true);
    const { com, momentum } = world.measure(bullet);
    report(
      'where the bullet ends (m) and how fast (m/s)',
      { z: com[2], speed: momentum[2] / world.measure(bullet).mass },
      '',
    );
    expect(com[2]).toBeLessThan(0.05);
    expect(momentum[2] / world.measure(bullet).mass).toBeLessThan(0.2 * speed);
  });
});

describe('contact', () => {
  const block = (y: number, more: BodyOptions = {}): BodyOptions => ({
    shape: { type: 'box', size: [1, 0.3, 1] },
    sampling: { spacing: 0.1 },
    clustering: { count: 8 },
    position: [0, y, 0],
    material: { ...MATERIAL, damping: 0.5, bodyDamping: 0.05 },
    ...more,
  });

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
      const material = { ...MATERIAL, damping: 0.5, bodyDamping: 0.05, friction };
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

  it('of bodies made by scaling is that of bodies made as large', async () => {
    const heights: number[] = [];
    for (const scale of [1, 10, 0.1]) {
      const sized = (more: BodyOptions, size: Vec3): BodyOptions => ({
        ...more,
        shape: { type: 'box', size: size.map((v) => v / scale) as unknown as Vec3 },
        sampling: { method: 'grid', spacing: 0.1 / scale },
        // Of several the clustering may differ: on a grid, ties are settled by rounding.
        clustering: { count: 1 },
        scale,
      });
      const world = await worldOf([sized(block(0), [1, 0.3, 1]), sized(block(0.31), [0.4, 0.3, 0.4])], {
        gravity: [0, -9.81, 0],
      });
      const [slab, body] = world.bodies;
      for (let i = 0; i < slab.particleCount; i++) slab.pin(i);
      for (let n = 0; n < 40; n++) world.step();
      heights.push(world.measure(body).com[1]);
    }
    // Rounding of 1/10, a few times over.
    for (const height of heights) expect(Math.abs(height - heights[0])).toBeLessThan(1e-4);
    expect(heights[0]).toBeGreaterThan(0.29);
  });

  const row = Array.from({ length: 12 }, (_, k) => 0.1 * k - 0.55);
  it.each<[string, BodyOptions, number]>([
    ['a grid', { shape: { type: 'box', size: [1.2, 0.1, 1.2] }, sampling: { method: 'grid', spacing: 0.1 } }, 0.05],
    ['points', { points: row.flatMap((x) => row.flatMap((z) => [x, 0, z])) }, 0],
  ])('lets a single layer of %s hold what falls on it', async (_, sheet, face) => {
    for (const [size, spacing] of [
      [0.4, 0.1],
      [0.4, 0.05],
      // Smaller than the gaps between the sheet's particles.
      [0.06, 0.02],
    ]) {
      const world = await worldOf(
        [
          { ...sheet, clustering: { count: 4 } },
          {
            shape: { type: 'box', size: [size, size, size] },
            sampling: { method: 'grid', spacing },
            clustering: { count: 1 },
            position: [0.013, face + size / 2 + 0.05, 0.027],
            material: { ...MATERIAL, damping: 0.5, bodyDamping: 0.05 },
          },
        ],
        { gravity: [0, -9.81, 0] },
      );
      const [held, body] = world.bodies;
      for (let i = 0; i < held.particleCount; i++) held.pin(i);
      for (let n = 0; n < 90; n++) world.step();
      // In 1.5 s it would fall 11 m; what is known of where the sheet ends is half a spacing, its own or the block's.
      const gap = world.measure(body).com[1] - size / 2 - face;
      expect(Math.abs(gap)).toBeLessThan(0.05);
    }
  });

  it('tells when bodies meet and part, and how hard', async () => {
    const ball = (side: number): BodyOptions => ({
      shape: { type: 'sphere', radius: 0.3 },
      sampling: { count: 300 },
      clustering: { count: 3 },
      position: [0.5 * side, 0, 0],
      velocity: [-2 * side, 0, 0],
      material: MATERIAL,
    });
    const world = await worldOf([ball(-1), ball(1)]);
    const [a, b] = world.bodies;
    const mass = world.measure(a).mass;
    let given = 0;
    for (let n = 0; n < 60; n++) {
      world.step();
      for (const pair of world.contactPairs()) given += pair.impulse[0];
    }
    const events = world.drainEvents();
    expect(events.map((e) => e.type)).toEqual(['touch', 'part']);
    const touch = events[0];
    if (touch.type !== 'touch') throw new Error('no touch');
    expect(touch.bodies).toEqual([a, b]);
    expect(Math.abs(touch.position[0])).toBeLessThan(0.05);
    expect(touch.normal[0]).toBeLessThan(-0.9);
    expect(touch.impulse[0]).toBeLessThan(0);
    // What b gave a over the whole collision is the change of a's momentum.
    expect(given / mass).toBeCloseTo(world.measure(a).momentum[0] / mass - 2, 2);
  });

  it('gives every body the impulses that are reported, in every step and when they first touch', async () => {
    const next = random(testSeed('impulses'));
    const world = await worldOf(
      SHAPES.map((shape, k) => ({
        shape,
        sampling: { count: 200 + 50 * k },
        clustering: { count: 1 + k },
        position: [0.62 * (k - 1.5), 0.1 * next(), 0.1 * next()],
        velocity: [3 * (1.5 - k), next() - 0.5, next() - 0.5],
        angularVelocity: [4 * next(), 4 * next(), 4 * next()],
        material: { ...MATERIAL, density: 500 + 1000 * next(), friction: next(), restitution: next() },
      })),
    );
    const scale = bustle(world);
    let [met, firsts] = [0, 0];
    for (let n = 0; n < 60; n++) {
      const before = world.bodies.map((body) => world.measure(body).momentum);
      world.step();
      const given = world.bodies.map(() => [0, 0, 0]);
      const pairs = world.contactPairs().filter((pair) => pair.frame === world.frame - 1);
      for (const { a, b, impulse } of pairs)
        for (let k = 0; k < 3; k++) {
          given[world.bodies.indexOf(a)][k] += impulse[k];
          given[world.bodies.indexOf(b)][k] -= impulse[k];
        }
      met += pairs.length;
      world.bodies.forEach((body, m) => {
        const now = world.measure(body).momentum;
        // Nothing else acts on them. Σ m |v| of f32 velocities, and some roundings a step.
        for (let k = 0; k < 3; k++) expect(Math.abs(now[k] - before[m][k] - given[m][k])).toBeLessThan(2e-6 * scale);
      });
      for (const event of world.drainEvents()) {
        if (event.type !== 'touch') continue;
        firsts++;
        const pair = pairs.find(({ a, b }) => a === event.bodies[0] && b === event.bodies[1]);
        expect(event.impulse).toEqual(pair?.impulse);
        expect(event.normal).toEqual(pair?.normal);
      }
    }
    expect(firsts).toBeGreaterThanOrEqual(3);
    expect(met).toBeGreaterThan(20);
  });

  it.each([
    ['coincident bodies', [0, 0, 0], [0, 0, 0]],
    ['a million m/s', [-2, 0, 0], [1e6, 0, 0]],
    ['nearly coincident bodies', [1e-7, 0, 0], [0, 0, 0]],
  ] as [string, Vec3, Vec3][])('%s stay finite', async (_, position, velocity) => {
    for (const backend of ['wasm', 'ts'] as const) {
      const body = (more: BodyOptions): BodyOptions => ({
        shape: { type: 'box', size: [0.5, 0.4, 0.3] },
        sampling: { spacing: 0.1, method: 'grid' },
        clustering: { count: 4 },
        material: MATERIAL,
        ...more,
      });
      const world = await worldOf([body({}), body({ position, velocity })], { backend });
      for (let n = 0; n < 60; n++) world.step();
      expect(world.drainEvents().filter((e) => e.type === 'quarantine')).toEqual([]);
      expect(world.positions.every(Number.isFinite)).toBe(true);
    }
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

it('a body whose open mesh cannot be its surface is refused, and nothing of it stays', async () => {
  const world = await World.create();
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) => [n & 1, (n >> 1) & 1, (n >> 2) & 1]);
  // A cube without its lid.
  const indices = [0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1];
  const open = { mesh: { positions: corners, indices }, sampling: { spacing: 0.2 } };
  expect(() => world.addBody({ ...open, contact: { mode: 'surface' } })).toThrow(/body\.mesh/);
  expect([world.bodies.length, world.particleCount, world.clusterCount, world.membershipCount]).toEqual([0, 0, 0, 0]);
  expect(world.addBody(open).particleCount).toBe(world.particleCount);
  world.step();
});
