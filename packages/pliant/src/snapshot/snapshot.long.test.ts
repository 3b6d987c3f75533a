import { describe, expect, it } from 'vitest';
import { BACKENDS } from '../kernels/kernels.js';
import { refusal } from '../testing/refusal.js';
import type { World } from '../world.js';
import { bitsOf, differences, spoilScratch, staleArrays } from './testing/bits.js';
import { BAR, BLOCK, newWorld, pullApart, SCENES } from './testing/scenes.js';

const run = (world: World, steps: number) => {
  const events: string[] = [];
  for (let n = 0; n < steps; n++) {
    world.step();
    if (n % 16 === 0) expect(staleArrays(world, world.snapshot())).toEqual([]);
    events.push(...world.drainEvents().map((event) => `${event.type} ${event.time}`));
  }
  return events;
};

describe.each(BACKENDS)('a restored world (%s)', (backend) => {
  it.each(SCENES)('goes on bit by bit as before: %s', async (_, steps, more, make, tells) => {
    const world = await make(backend);
    run(world, steps);
    const before = bitsOf(world);
    const snapshot = world.snapshot();
    const events = run(world, more);
    const after = bitsOf(world);
    expect(differences(before, after)).toContain('x');
    for (const type of tells) expect(events.some((event) => event.startsWith(type))).toBe(true);
    for (const kept of [snapshot, structuredClone(snapshot)]) {
      spoilScratch(world, true);
      world.restore(kept);
      spoilScratch(world);
      expect(differences(bitsOf(world), before)).toEqual([]);
      expect(run(world, more)).toEqual(events);
      expect(differences(bitsOf(world), after)).toEqual([]);
      expect(world.validate()).toEqual([]);
    }
  });

  it.each(SCENES)('may be another one that was built alike: %s', async (_, steps, more, make) => {
    const [world, other] = [await make(backend), await make(backend)];
    run(world, steps);
    const snapshot = structuredClone(world.snapshot());
    run(world, more);
    other.restore(snapshot);
    run(other, more);
    expect(differences(bitsOf(other), bitsOf(world))).toEqual([]);
  });
});

describe('restore', () => {
  it('brings back bodies that were removed, under their handles, and removes those that came later', async () => {
    const world = await newWorld('wasm');
    const [stays, goes] = [
      world.addBody({ ...BLOCK, name: 'stays' }),
      world.addBody({ ...BLOCK, name: 'goes', position: [2, 0, 0] }),
    ];
    goes.pin(3);
    const snapshot = world.snapshot();
    world.removeBody(goes);
    const late = world.addBody({ ...BLOCK, name: 'late' });
    world.step();
    const later = world.snapshot();
    world.restore(snapshot);
    expect(world.bodies).toEqual([stays, goes]);
    expect([stays.alive, goes.alive, late.alive]).toEqual([true, true, false]);
    expect(world.getBody(goes.handle)).toBe(goes);
    expect([goes.pinnedCount, goes.isPinned(3)]).toEqual([1, true]);
    expect(refusal(() => world.getBody(late.handle))).toContain('was not removed');
    // No handle is given out twice, also those that were undone.
    world.removeBody(goes);
    const next = world.addBody(BLOCK);
    expect([goes.handle, late.handle, stays.handle]).not.toContain(next.handle);
    world.restore(later);
    expect(world.bodies).toEqual([stays, late]);
    expect(next.alive).toBe(false);
    world.step();
    expect(world.validate()).toEqual([]);
  });

  it('brings back colliders, clamps, force fields, picks, gravity and the rest of the accumulator', async () => {
    const world = await newWorld('wasm');
    const body = world.addBody(BLOCK);
    const floor = world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -1 });
    const clamp = world.addClamp({
      region: { type: 'halfspace', normal: [1, 0, 0], offset: 0.15 },
      velocity: [1, 0, 0],
    });
    const wind = world.addForceField({ type: 'uniform', vector: [1, 0, 0], bodies: [body] });
    const pick = world.addPick({ body, point: [-0.2, 0, 0], target: [-1, 1, 0] });
    world.advance(1.4 * world.dt);
    const snapshot = world.snapshot();
    const alphas = () => [1, 2, 3].map(() => world.advance(1.4 * world.dt).alpha);
    const goesOn = () => [alphas(), Array.from(world.positions), floor.impulse.slice(), [...pick.impulse]];
    const expected = goesOn();
    world.removePick(pick);
    world.removeClamp(clamp);
    world.removeCollider(floor);
    world.removeForceField(wind);
    world.addCollider({ type: 'sphere', centre: [0, 0, 0], radius: 0.1 });
    world.addPick({ body, particle: 0 });
    world.gravity = [5, 5, 5];
    world.step();
    world.restore(snapshot);
    expect(world.core.actors).toEqual([floor, clamp]);
    expect([world.forceFields, world.picks]).toEqual([[wind], [pick]]);
    expect(world.gravity).toEqual([0, -9.81, 0]);
    expect(goesOn()).toEqual(expected);
  });

  it("raises a body's topology version when that is not what it was, and never gives one out for two topologies", async () => {
    const world = await newWorld('wasm', { gravity: [0, 0, 0] });
    const bar = world.addBody({ ...BAR, material: { ...BAR.material, toughness: 0.1 } });
    pullApart(world, 1);
    const whole = world.snapshot();
    const [particles, pieces] = [bar.particleCount, bar.pieces.count];
    world.restore(whole);
    expect(bar.topologyVersion).toBe(0);
    run(world, 60);
    const version = bar.topologyVersion;
    expect(bar.pieces.count).toBeGreaterThan(1);
    world.restore(whole);
    expect(bar.topologyVersion).toBeGreaterThan(version);
    expect([bar.particleCount, bar.pieces.count]).toEqual([particles, pieces]);
  });

  it('undoes a separation: pieces are one body again, and come back', async () => {
    const world = await newWorld('wasm', { gravity: [0, 0, 0] });
    const bar = world.addBody({ ...BAR, material: { ...BAR.material, toughness: 0.1 } });
    pullApart(world, 1);
    run(world, 70);
    const broken = world.snapshot();
    const pieces = world.separate(bar);
    expect(pieces.length).toBeGreaterThan(1);
    const apart = world.snapshot();
    run(world, 10);
    const after = bitsOf(world);
    world.restore(broken);
    expect(world.bodies).toEqual([bar]);
    run(world, 10);
    world.restore(apart);
    expect(world.bodies).toEqual(pieces);
    run(world, 10);
    expect(differences(bitsOf(world), after)).toEqual([]);
  });

  it('refuses what is no snapshot or needs what this world never had, and changes nothing', async () => {
    const [world, other] = [await newWorld('wasm'), await newWorld('wasm')];
    world.addBody(BLOCK);
    other.addBody(BLOCK);
    other.addCollider({ type: 'plane', normal: [0, 1, 0] });
    const before = bitsOf(world);
    expect(refusal(() => world.restore({} as never))).toMatch(
      /^snapshot is an object with no keys; expected what world\.snapshot\(\) returned/,
    );
    expect(refusal(() => world.restore(undefined as never))).toMatch(/^snapshot is undefined/);
    expect(refusal(() => world.restore(other.snapshot()))).toBe(
      'snapshot.actors[0].id is 0; expected a collider or clamp that this world has had.',
    );
    const cut = world.snapshot();
    expect(refusal(() => world.restore({ ...cut, arrays: { ...cut.arrays, x: new Float32Array(4) } }))).toMatch(
      /^snapshot\.arrays is .*as snapshot\.counts says/,
    );
    world.restore(cut);
    world.forgetSnapshots();
    world.removeBody(world.bodies[0]);
    // The bodies that it names have been forgotten, but a body without a surface is built again from its record.
    world.restore(cut);
    expect(differences(bitsOf(world), before)).toEqual([]);
    expect(world.bodies[0].handle).toBe(cut.bodies[0].handle);
  });
});

describe('a snapshot', () => {
  it('is not written to by the world, and shares what did not change', async () => {
    const world = await newWorld('wasm');
    world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -1 });
    const body = world.addBody({ ...BLOCK, sampling: { spacing: 0.05, method: 'grid' }, clustering: { count: 8 } });
    const first = world.snapshot();
    const copy = structuredClone(first);
    run(world, 15);
    const second = world.snapshot();
    expect(first).toEqual(copy);
    expect(second.arrays.x).not.toBe(first.arrays.x);
    for (const name of ['member', 'link', 'proxy', 'distance', 'plastic', 'stiffness'] as const)
      expect(second.arrays[name], name).toBe(first.arrays[name]);
    expect(second.bodies[0].restPositions).toBe(first.bodies[0].restPositions);
    // A copy has only what changes: x, v, xOld, flags and a few numbers a cluster, 52 bytes a particle and 64 a cluster; sleep's checked positions are 16 more.
    expect(second.addedByteLength).toBeLessThan(72 * body.particleCount + 100 * body.clusterCount);
    expect(second.byteLength).toBeGreaterThan(4 * second.addedByteLength);
    body.setMaterial({ raw: { stiffness: 0.1 } });
    expect(world.snapshot().arrays.stiffness).not.toBe(first.arrays.stiffness);
  });

  it('tells its size: that of its typed arrays, each counted once', async () => {
    const world = await newWorld('wasm');
    world.addBody(BLOCK);
    const snapshot = world.snapshot();
    const arrays = Object.values(snapshot.arrays).reduce((sum, array) => sum + array.byteLength, 0);
    expect(snapshot.addedByteLength).toBe(snapshot.byteLength);
    expect(snapshot.byteLength).toBeGreaterThan(arrays);
    expect(snapshot.byteLength).toBeLessThan(1.5 * arrays);
    expect(world.snapshot().addedByteLength).toBeLessThan(100);
  });
});
