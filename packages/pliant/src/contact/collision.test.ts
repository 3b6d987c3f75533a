import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import type { Vec3 } from '../check.js';
import { random } from '../math/random.js';
import type { ShapeOptions } from '../sample/index.js';
import { ContactRow, PATCH } from '../state/contactRow.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { contact, endContact } from './contact.js';
import { block, bustle, MATERIAL, RAW, SHAPES, worldOf } from './testing/collisions.js';

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
    const { x, v, xOld, touch, contactRow, patch: members } = world.state.views;
    for (let o = 0; o < 4 * world.particleCount; o++) if (o % 4 < 3) xOld[o] = x[o] - world.dt * v[o];
    const i = world.bodies[1].rows.particleStart;
    const { momentum, kineticEnergy } = world.measure();
    contact(world);
    endContact(world);
    expect(world.contactPairs().map((pair) => pair.count)).toEqual([1]);
    for (let a = 0; a < 3; a++) expect(touch[4 * i + a]).toBeCloseTo(a === 1 ? 1 : 0, 6);
    // Velocities are f32. The patch is the set of particles that received an impulse.
    const patch = (a: number) => {
      let sum = 0;
      for (let n = 0; n < PATCH; n++) sum += contactRow[ContactRow.WEIGHT + n] * v[4 * members[n] + a];
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
          // Damped bodies resist rolling, too.
          material: { restitution, friction: 0, dampingRatio: 0 },
        })),
      );
      const { x, v, xOld } = world.state.views;
      for (let o = 0; o < 4 * world.particleCount; o++) if (o % 4 < 3) xOld[o] = x[o] - world.dt * v[o];
      const { kineticEnergy } = world.measure();
      contact(world);
      endContact(world);
      return 1 - world.measure().kineticEnergy / kineticEnergy;
    };
    const all = await lost(0);
    expect(all).toBeGreaterThan(0.005);
    // f32 velocities: 6e-8 of each, of which a hundredth of the particles took part.
    for (const e of [0.25, 0.5, 1]) expect(Math.abs((await lost(e)) - (1 - e * e) * all)).toBeLessThan(1e-6);
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
  it('of bodies made by scaling is that of bodies made as large', async () => {
    const heights: number[] = [];
    for (const scale of [1, 10, 0.1]) {
      const sized = (more: BodyOptions, size: Vec3): BodyOptions => ({
        ...more,
        shape: { type: 'box', size: size.map((v) => v / scale) as unknown as Vec3 },
        sampling: { method: 'grid', spacing: 0.1 / scale },
        // With several clusters the clustering may differ: on a grid, rounding decides ties.
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
            material: { raw: { ...RAW, damping: 0.5, bodyDamping: 0.05 } },
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
    // The impulses that b gave a sum up to the change of a's momentum.
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
