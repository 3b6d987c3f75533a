import { describe, expect, it } from 'vitest';
import { BACKENDS } from './kernels/kernels.js';
import type { MaterialOptions } from './material/material.js';
import { ARRAY_NAMES } from './state/layout.js';
import { BLOCK } from './testing/bodies.js';
import { World } from './world.js';

/** Names of the arrays with a NaN, or with an infinity where that is no value. */
const spoilt = (world: World) =>
  ARRAY_NAMES.filter((name) => {
    const infinite = ['yieldLimit', 'clusterYield', 'toughness', 'clusterToughness'].includes(name);
    return world.state.views[name].some((v) => (infinite ? Number.isNaN(v) : !Number.isFinite(v)));
  });

describe.each(BACKENDS)('a body that is not finite (%s)', (backend) => {
  const block = (x: number) => ({ ...BLOCK, clustering: { count: 1 }, position: [x, 0, 0] }) as const;
  async function three(material: MaterialOptions = {}) {
    const world = await World.create({ backend });
    const bodies = [-2, 0, 2].map((x) => world.addBody({ ...block(x), material }));
    for (let n = 0; n < 3; n++) world.step();
    return { world, bodies };
  }

  it.each([
    ['positions', Number.NaN, 1],
    ['positions', Number.POSITIVE_INFINITY, 6],
    ['velocities', Number.NEGATIVE_INFINITY, 4],
    ['velocities', Number.NaN, 2],
  ] as const)('by %s of %d is switched off, told of, and the others go on', async (where, value, particles) => {
    const { world, bodies } = await three();
    const healthy = await three();
    const [, ill] = bodies;
    const before = { time: world.time, x: ill.positions.slice() };
    for (let i = 0; i < particles; i++) ill[where][4 * (7 * i) + (i % 3)] = value;
    for (let n = 0; n < 10; n++) {
      world.step();
      healthy.world.step();
    }
    expect(spoilt(world)).toEqual([]);
    expect(bodies.map((b) => b.enabled)).toEqual([true, false, true]);
    expect(world.drainEvents()).toEqual([{ type: 'quarantine', body: ill, particles, time: before.time }]);
    // It stands where it was, give or take the step that was undone.
    expect(ill.velocities.every((v) => v === 0)).toBe(true);
    for (let k = 0; k < before.x.length; k++) expect(Math.abs(ill.positions[k] - before.x[k])).toBeLessThan(0.05);
    // The others do not notice, to the last bit.
    for (const k of [0, 2]) expect(bodies[k].positions.slice()).toEqual(healthy.bodies[k].positions.slice());
  });

  it('goes on from there when it is switched on again', async () => {
    const { world, bodies } = await three();
    const [, ill] = bodies;
    ill.positions[0] = Number.NaN;
    ill.velocities[9] = Number.NaN;
    world.step();
    world.drainEvents();
    const { com } = world.measure(ill);
    ill.enabled = true;
    for (let n = 0; n < 30; n++) world.step();
    expect(ill.enabled).toBe(true);
    expect(world.drainEvents()).toEqual([]);
    expect(spoilt(world)).toEqual([]);
    // Free fall from rest in n substeps: n(n+1)/2 h² g.
    const n = Math.round(30 / 60 / world.h);
    expect(world.measure(ill).com[1] - com[1]).toBeCloseTo((-9.81 * n * (n + 1) * world.h ** 2) / 2, 3);
  });

  it('that was never stepped goes back to its rest shape', async () => {
    const world = await World.create({ backend });
    const body = world.addBody(block(0));
    body.positions.fill(Number.NaN);
    body.previousPositions.fill(Number.NaN);
    for (let o = 3; o < body.positions.length; o += 4) body.positions[o] = body.previousPositions[o] = 1;
    world.step();
    expect(world.drainEvents()).toHaveLength(1);
    expect(spoilt(world)).toEqual([]);
    for (let i = 0; i < body.particleCount; i++)
      for (let a = 0; a < 3; a++) expect(body.positions[4 * i + a]).toBeCloseTo(body.restPositions[3 * i + a], 6);
  });

  it('what becomes infinite within a step is caught at its end', async () => {
    const { world, bodies } = await three({ raw: {} });
    // Nothing a user can reach: the start of the step finds positions and velocities as they should be.
    world.state.views.stiffness[bodies[1].rows.particleStart + 3] = Number.NaN;
    world.step();
    expect(bodies.map((b) => b.enabled)).toEqual([true, false, true]);
    expect(world.positions.every(Number.isFinite)).toBe(true);
    expect(world.velocities.every(Number.isFinite)).toBe(true);
  });

  it('is spared a body pushed by a force of any finite size', async () => {
    const { world, bodies } = await three();
    bodies[1].applyForce([1e300, 0, 0]);
    for (let n = 0; n < 5; n++) world.step();
    expect(bodies.map((b) => b.enabled)).toEqual([true, true, true]);
    expect(world.positions.every(Number.isFinite)).toBe(true);
  });

  it('stands still though a clamp would move it', async () => {
    const { world, bodies } = await three();
    for (const drive of ['position', 'velocity'] as const)
      world.addClamp({
        region: { type: 'halfspace', normal: [0, 1, 0], offset: 0.2 },
        bodies: [bodies[1]],
        velocity: [0, 1, 0],
        drive,
      });
    bodies[1].positions[0] = Number.NaN;
    for (let n = 0; n < 5; n++) world.step();
    expect(world.measure(bodies[1]).kineticEnergy).toBe(0);
  });
});

it('a body with a broken fourth number is mended too (wasm)', async () => {
  const world = await World.create();
  const body = world.addBody({ ...BLOCK, clustering: { count: 1 } });
  const mass = body.positions[3];
  world.step();
  body.positions[3] = Number.NaN;
  body.velocities[7] = Number.NaN;
  world.step();
  expect(body.enabled).toBe(false);
  expect(body.positions[3]).toBe(mass);
  expect(body.velocities[7]).toBe(0);
});
