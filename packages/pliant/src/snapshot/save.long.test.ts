import { describe, expect, it } from 'vitest';
import { BACKENDS } from '../kernels/kernels.js';
import { refusal } from '../testing/refusal.js';
import { World } from '../world.js';
import { decodeSnapshot } from './bytes.js';
import type { Snapshot } from './snapshot.js';
import { bitsOf, differences } from './testing/bits.js';
import { BLOCK, MORE_SCENES, newWorld, SCENES } from './testing/scenes.js';

const run = (world: World, steps: number): string[] => {
  const events: string[] = [];
  for (let n = 0; n < steps; n++) {
    world.step();
    events.push(...world.drainEvents().map((event) => `${event.type} ${event.time}`));
  }
  return events;
};

describe.each(BACKENDS)('what a world saves as bytes (%s)', (backend) => {
  it.each([...SCENES, ...MORE_SCENES])(
    'goes on bit by bit in an empty world, in one built alike, and in itself: %s',
    async (_, steps, more, make) => {
      const world = await make(backend);
      run(world, steps);
      const bytes = world.save();
      const before = bitsOf(world);
      const events = run(world, more);
      const after = bitsOf(world);
      for (const other of [await World.create({ backend }), await make(backend), world]) {
        other.restore(bytes);
        expect(differences(bitsOf(other), before)).toEqual([]);
        expect(run(other, more)).toEqual(events);
        expect(differences(bitsOf(other), after)).toEqual([]);
        expect(other.validate()).toEqual([]);
      }
    },
  );

  it.each([...SCENES, ...MORE_SCENES])(
    'may be a row of differences, each to the one before: %s',
    async (_, steps, more, make) => {
      const world = await make(backend);
      const chain: Uint8Array[] = [];
      const bits: Map<string, Uint8Array>[] = [];
      let base: Snapshot = world.snapshot();
      for (let n = 0; n < 4; n++) {
        run(world, Math.ceil(steps / 4));
        chain.push(world.save({ base }));
        base = world.snapshot();
        bits.push(bitsOf(world));
      }
      run(world, more);
      const other = await make(backend);
      // The other side has only its own world as it was built, and the bytes that came in.
      let known = other.snapshot();
      chain.forEach((bytes, n) => {
        other.restore(bytes, { base: known });
        expect(differences(bitsOf(other), bits[n])).toEqual([]);
        known = decodeSnapshot(bytes, { base: known });
      });
      run(other, more);
      expect(differences(bitsOf(other), bitsOf(world))).toEqual([]);
    },
  );
});

describe('world.save', () => {
  it('takes little more than what moves, as a difference to the world as it was built', async () => {
    const world = await newWorld('wasm');
    world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.4 });
    const body = world.addBody({ ...BLOCK, sampling: { spacing: 0.03, method: 'grid' }, clustering: { count: 40 } });
    const base = world.snapshot();
    run(world, 30);
    const complete = world.save();
    const difference = world.save({ base });
    // x, v, xOld of three numbers, and sleep's checked positions of three: 48 bytes a particle; 64 a cluster for its boxes.
    expect(difference.length).toBeLessThan(48 * body.particleCount + 100 * body.clusterCount + 4000);
    expect(complete.length).toBeLessThan(world.snapshot().byteLength);
    expect(complete.length).toBeGreaterThan(2 * difference.length);
  });

  it('gives the same bytes for the same world, and again from what it was restored to', async () => {
    const make = SCENES[1][3];
    const [world, other] = [await make('wasm'), await make('wasm')];
    run(world, 40);
    run(other, 40);
    const bytes = world.save();
    expect(Buffer.compare(bytes, other.save())).toBe(0);
    const empty = await World.create();
    empty.restore(bytes);
    expect(Buffer.compare(empty.save(), bytes)).toBe(0);
  });

  it('keeps time step, gravity and limits, which an empty world takes over', async () => {
    const world = await World.create({
      dt: 1 / 90,
      gravity: [1, 2, 3],
      sleepSpeed: 0.1,
      sleepAfter: 0.7,
      maxSpeed: 50,
    });
    world.addBody(BLOCK);
    world.advance(1 / 100);
    const other = await World.create();
    other.restore(world.save());
    expect([other.dt, other.gravity, other.sleepSpeed, other.sleepAfter, other.maxSpeed]).toEqual([
      1 / 90,
      [1, 2, 3],
      0.1,
      0.7,
      50,
    ]);
    expect(other.advance(0).alpha).toBe(world.advance(0).alpha);
  });

  it('says which function is missing, and goes on with the one that the world has', async () => {
    const make = async (backend: 'wasm') => {
      const world = await newWorld(backend);
      world.addForceField({ type: 'custom', at: (_x, y, _z, _vx, _vy, _vz, _time, out) => void (out[1] = 20 - y) });
      world.addBody(BLOCK);
      return world;
    };
    const world = await make('wasm');
    run(world, 5);
    const bytes = world.save();
    run(world, 5);
    const empty = await World.create();
    expect(refusal(() => empty.restore(bytes))).toBe(
      'snapshot.forceFields[0].id is 0; expected a force field of type "custom" that this world has, as a function cannot be stored.',
    );
    expect(empty.bodies.length).toBe(0);
    const other = await make('wasm');
    other.restore(bytes);
    run(other, 5);
    expect(differences(bitsOf(other), bitsOf(world))).toEqual([]);
  });

  it('replaces what a world of another kind has under the same numbers', async () => {
    const [world, other] = [await newWorld('wasm'), await newWorld('wasm')];
    world.addBody(BLOCK);
    world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.3, friction: 0.2 });
    const mine = world.addPick({ body: world.bodies[0], particle: 0, stiffness: 30 });
    const stranger = other.addBody({ ...BLOCK, clustering: { count: 2 } });
    const floor = other.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.3, friction: 0.9 });
    other.addPick({ body: stranger, particle: 0, stiffness: 10 });
    run(world, 20);
    run(other, 10);
    other.restore(world.save());
    expect([stranger.alive, other.colliders.includes(floor)]).toEqual([false, false]);
    expect(other.colliders[0].friction).toBe(0.2);
    expect(other.picks[0].stiffness).toBe(mine.stiffness);
    run(world, 20);
    run(other, 20);
    expect(differences(bitsOf(other), bitsOf(world))).toEqual([]);
  });

  it('refuses a difference without its base, or with another one', async () => {
    const world = await newWorld('wasm');
    world.addBody(BLOCK);
    const base = world.snapshot();
    run(world, 5);
    const bytes = world.save({ base });
    const stranger = await newWorld('wasm');
    stranger.addBody({ ...BLOCK, clustering: { count: 2 } });
    const before = bitsOf(stranger);
    expect(refusal(() => stranger.restore(bytes))).toBe(
      'snapshot is a difference; expected the base it was saved against as well.',
    );
    expect(refusal(() => stranger.restore(bytes, { base: stranger.snapshot() }))).toMatch(
      /^snapshot is a difference to another base: array \d+ is not in this one\.$/,
    );
    expect(differences(bitsOf(stranger), before)).toEqual([]);
    expect(refusal(() => world.save({ base: {} as never }))).toMatch(/^base is an object/);
    expect(refusal(() => world.save({ bass: base } as never))).toMatch(/^options\.bass/);
  });
});
