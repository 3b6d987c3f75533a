import { describe, expect, it } from 'vitest';
import { BACKENDS } from '../kernels/kernels.js';
import { MATERIALS } from '../material/presets.js';
import { hashSnapshot } from '../snapshot/hashSnapshot.js';
import { worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { World } from '../world.js';
import type { WorldOptions } from './options.js';

/** A cube of 6 × 6 × 6 particles that needs several substeps at 60 Hz. */
const CUBE = {
  shape: { type: 'box', size: [0.6, 0.6, 0.6] },
  sampling: { method: 'grid', spacing: 0.1 },
  material: { young: 3e5 },
} as const;
const substepsOf = (world: World) => Math.round(world.dt / world.h);

const cubeIn = (options: WorldOptions = {}, body: object = {}) => worldWith({ ...CUBE, ...body }, options);

describe('substeps', () => {
  it("'auto' takes as many as the stiffest awake body needs, up to maxSubsteps, and one without such bodies", async () => {
    const { world, body } = await cubeIn();
    world.step();
    const needed = substepsOf(world);
    expect(needed).toBeGreaterThan(1);
    // Stiffness goes with the square of the substeps.
    world.maxSubsteps = 64;
    body.setMaterial({ young: 100 * 3e5 });
    world.step();
    expect(Math.abs(substepsOf(world) - 10 * needed)).toBeLessThanOrEqual(10);
    world.maxSubsteps = 2;
    world.step();
    expect(substepsOf(world)).toBe(2);
    world.maxSubsteps = 8;
    body.sleep();
    world.step();
    expect(substepsOf(world)).toBe(1);
    const { world: plain } = await worldWith({ ...CUBE, material: { raw: { stiffness: 0.5 } } });
    plain.step();
    expect(substepsOf(plain)).toBe(1);
  });

  it('a number is taken as it is, and both settings are refused outside their ranges', async () => {
    const { world } = await cubeIn({ substeps: 5 });
    world.step();
    expect(substepsOf(world)).toBe(5);
    expect(world.frame).toBe(1);
    expect(world.time).toBe(world.dt);
    for (const value of [0, 1.5, -1, 1001, 'many'] as never[]) {
      expect(
        refusal(() => {
          world.substeps = value;
        }),
      ).toContain('substeps is');
      expect(
        refusal(() => {
          world.maxSubsteps = value;
        }),
      ).toContain('maxSubsteps is');
    }
    expect([world.substeps, world.maxSubsteps]).toEqual([5, 8]);
  });

  it('a body with an elastic law moves alike with more of them, and at another dt', async () => {
    const lengths = [];
    for (const [dt, substeps] of [
      [1 / 60, 'auto'],
      [1 / 60, 8],
      [1 / 120, 'auto'],
      [1 / 240, 4],
    ] as const) {
      const { world, body } = await cubeIn({ dt, substeps }, { stretch: [1.05, 1, 1] });
      for (let k = 0; k < 0.1 / dt - 1e-6; k++) world.step();
      const { bboxMin, bboxMax } = world.measure(body);
      lengths.push(bboxMax[0] - bboxMin[0]);
    }
    for (const length of lengths) expect(Math.abs(length - lengths[1])).toBeLessThan(2e-3);
  });

  it('dt may change while it runs', async () => {
    const paths = [];
    for (const later of [1 / 60, 1 / 240]) {
      const { world, body } = await cubeIn({ dt: 1 / 60 }, { stretch: [1.05, 1, 1] });
      for (let k = 0; k < 3; k++) world.step();
      world.dt = later;
      for (let k = 0; k < 0.1 / later - 1e-6; k++) world.step();
      const { bboxMin, bboxMax } = world.measure(body);
      paths.push(bboxMax[0] - bboxMin[0]);
    }
    expect(Math.abs(paths[0] - paths[1])).toBeLessThan(2e-3);
  });

  it.each(BACKENDS)('user forces and impulses give the same momentum with 1 and 4 of them (%s)', async (backend) => {
    for (const substeps of [1, 4]) {
      const { world, body } = await cubeIn({ substeps, backend });
      body.applyForce([100, 0, 0]);
      body.applyForce([0, 30, 0], 5);
      body.applyImpulse([0, 0, 2]);
      world.step();
      const { momentum } = world.measure();
      expect(momentum[0]).toBeCloseTo(100 / 60, 4);
      expect(momentum[1]).toBeCloseTo(30 / 60, 4);
      expect(momentum[2]).toBeCloseTo(2, 4);
      world.step();
      expect(world.measure().momentum[0]).toBeCloseTo(100 / 60, 4);
    }
  });

  it('force fields and gravity act in each of them: their momentum is that of the whole step', async () => {
    for (const substeps of [1, 4]) {
      const { world } = await cubeIn({ substeps, gravity: [0, -10, 0] });
      world.addForceField({ type: 'uniform', vector: [3, 0, 0] });
      world.step();
      const { momentum, mass } = world.measure();
      expect(momentum[0] / mass).toBeCloseTo(3 / 60, 5);
      expect(momentum[1] / mass).toBeCloseTo(-10 / 60, 5);
    }
  });

  it('a snapshot between two steps goes on to the bit', async () => {
    const { world, body } = await cubeIn({ gravity: [0, -9.81, 0] }, { position: [0, 0.35, 0] });
    world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
    for (let k = 0; k < 20; k++) world.step();
    const bytes = world.save();
    const before = body.previousPositions.slice();
    for (let k = 0; k < 20; k++) world.step();
    const expected = body.positions.slice();
    const other = await World.create();
    other.restore(bytes);
    expect(other.bodies[0].previousPositions.slice()).toEqual(before);
    for (let k = 0; k < 20; k++) other.step();
    expect(other.bodies[0].positions.slice()).toEqual(expected);
    expect(other.substeps).toBe('auto');
    world.restore(bytes);
    for (let k = 0; k < 20; k++) world.step();
    expect(world.bodies[0].positions.slice()).toEqual(expected);
  });

  it('a snapshot says the same whether or not one was taken before the length of substeps changed', async () => {
    const hashes = [];
    for (const early of [false, true]) {
      const { world } = await cubeIn({}, { stretch: [1.05, 1, 1] });
      world.step();
      if (early) world.snapshot();
      world.substeps = 7;
      world.step();
      hashes.push(hashSnapshot(world.snapshot()));
    }
    expect(hashes[1]).toBe(hashes[0]);
  });

  it('colliders and clamps that are led arrive at the end of the step', async () => {
    const { world, body } = await cubeIn({ substeps: 4 });
    const collider = world.addCollider({ type: 'sphere', radius: 0.1, centre: [2, 0, 0] });
    const clamp = world.addClamp({ region: { type: 'halfspace', normal: [0, 1, 0], offset: 0.24 } });
    const held = Array.from({ length: body.particleCount }, (_, i) => i).filter(
      (i) => body.positions[4 * i + 1] > 0.24,
    );
    const start = held.map((i) => body.positions[4 * i]);
    collider.moveTo([2, 0.4, 0]);
    clamp.moveTo([0.08, 0, 0]);
    world.step();
    expect(collider.position).toEqual([2, 0.4, 0]);
    expect(collider.linear[1]).toBeCloseTo(0.4 * 60, 6);
    held.forEach((i, n) => {
      expect(body.positions[4 * i] - start[n]).toBeCloseTo(0.08, 5);
    });
    world.step();
    held.forEach((i, n) => {
      expect(body.positions[4 * i] - start[n]).toBeCloseTo(0.08, 5);
      expect(Math.abs(body.velocities[4 * i])).toBeLessThan(1e-3);
    });
  });

  it('a collider that moves by keyframes or steadily is where its time says', async () => {
    const { world } = await cubeIn({ substeps: 4 });
    const steady = world.addCollider({ type: 'sphere', radius: 0.1, centre: [5, 0, 0], velocity: [0, 6, 0] });
    for (let k = 0; k < 10; k++) world.step();
    const keyed = world.addCollider({
      type: 'sphere',
      radius: 0.1,
      centre: [5, 0, 0],
      keyframes: [{ time: 0 }, { time: 0.5, position: [5, 3, 0] }],
    });
    for (let k = 0; k < 10; k++) world.step();
    expect(steady.position[1]).toBeCloseTo(2, 6);
    expect(keyed.position[1]).toBeCloseTo(1, 6);
  });

  it('bodies tell once that they touch and once that they part', async () => {
    const { world, body } = await cubeIn({ substeps: 4 }, { position: [0, 0, 0] });
    world.addBody({ ...CUBE, position: [0.75, 0, 0], velocity: [-2, 0, 0] });
    const events = [];
    for (let k = 0; k < 60; k++) {
      world.step();
      events.push(...world.drainEvents().map(({ type, time }) => ({ type, time })));
    }
    expect(events.map(({ type }) => type)).toEqual(['touch', 'part']);
    expect(body.positions.every(Number.isFinite)).toBe(true);
  });
});

describe('previousPositions with substeps', () => {
  it('are where a body was at the start of the step, not of its last part', async () => {
    const { world, body } = await cubeIn({ substeps: 4 }, { velocity: [6, 0, 0] });
    for (let k = 0; k < 3; k++) {
      const before = body.positions.slice();
      world.step();
      expect(body.previousPositions.slice()).toEqual(before);
    }
  });

  it('go along when a body is moved, and are its positions when it is new or falls asleep', async () => {
    const { world, body } = await cubeIn({ substeps: 4 }, { velocity: [6, 0, 0] });
    world.step();
    body.setPose({ position: [5, 0, 0] });
    for (let o = 0; o < body.positions.length; o += 4)
      expect(body.positions[o] - body.previousPositions[o]).toBeCloseTo(0.1, 4);
    const fresh = world.addBody({ ...CUBE, position: [0, 3, 0] });
    expect(fresh.previousPositions.slice()).toEqual(fresh.positions.slice());
    body.sleep();
    expect(body.previousPositions.slice()).toEqual(body.positions.slice());
    world.step();
    expect(body.previousPositions.slice()).toEqual(body.positions.slice());
  });

  it('stay those of a body when one before it is removed', async () => {
    const { world, body } = await cubeIn({ substeps: 4 });
    const second = world.addBody({ ...CUBE, position: [0, 3, 0], velocity: [6, 0, 0] });
    world.step();
    const before = second.previousPositions.slice();
    world.removeBody(body);
    expect(second.previousPositions.slice()).toEqual(before);
  });

  it('are those of copies too when a body tears', async () => {
    const { world, body } = await cubeIn(
      { substeps: 4 },
      { material: { young: 3e5, toughness: 0.05 }, stretch: [1.3, 1, 1], velocity: [0, 6, 0] },
    );
    const count = body.particleCount;
    for (let k = 0; k < 20 && body.particleCount === count; k++) world.step();
    expect(body.particleCount).toBeGreaterThan(count);
    for (let i = 0; i < body.particleCount; i++)
      expect(Math.abs(body.positions[4 * i + 1] - body.previousPositions[4 * i + 1] - 0.1)).toBeLessThan(0.05);
  });
});

describe('substeps of rigid bodies', () => {
  const brick = {
    shape: { type: 'box', size: [0.2, 0.1, 0.1] },
    sampling: { count: 60 },
    material: MATERIALS.wood.material,
  } as const;

  it('are four at 60 Hz and none at 240 Hz, however stiff they are, and more for fast ones', async () => {
    const world = await World.create();
    world.addBody({ ...brick, position: [0, 5, 0] });
    world.step();
    expect(substepsOf(world)).toBe(4);
    world.bodies[0].setVelocity({ linear: [12, 0, 0] });
    world.step();
    expect(substepsOf(world)).toBeGreaterThan(4);
    const fine = await World.create({ dt: 1 / 240 });
    fine.addBody(brick);
    fine.step();
    expect(substepsOf(fine)).toBe(1);
  });

  it('do not take from a soft body what it needs', async () => {
    const soft = {
      shape: { type: 'box', size: [0.4, 0.4, 0.4] },
      sampling: { spacing: 0.08 },
      material: { young: 2e5 },
    } as const;
    const alone = await World.create();
    alone.addBody(soft);
    alone.step();
    const mixed = await World.create();
    mixed.addBody(soft);
    mixed.addBody({ ...brick, position: [2, 0, 0] });
    mixed.step();
    expect(substepsOf(alone)).toBeGreaterThan(1);
    expect(substepsOf(mixed)).toBe(Math.max(4, substepsOf(alone)));
  });
});
