import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS, type Backend, type Kernels } from '../kernels/kernels.js';
import { World } from '../world.js';
import { contact, endContact } from './contact.js';
import type { ContactOptions } from './options.js';

/** Two blocks, the second 3 cm in the first from above, moving down at 1 m/s. */
const BLOCK: BodyOptions = {
  shape: { type: 'box', size: [0.5, 0.3, 0.5] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 2 },
};
async function blocksOf(backend: Backend, lower: ContactOptions, upper: ContactOptions): Promise<World> {
  const world = await World.create({ backend, gravity: [0, 0, 0] });
  world.addBody({ ...BLOCK, contact: lower });
  world.addBody({ ...BLOCK, contact: upper, position: [0.04, 0.27, 0.03], velocity: [0, -1, 0] });
  const { x, v, xOld } = world.state.views;
  for (let o = 0; o < 4 * world.particleCount; o++) if (o % 4 < 3) xOld[o] = x[o] - world.dt * v[o];
  return world;
}

/** Runs contact; returns the depth and normal of every particle that was found in contact, by particle. */
function meet(world: World): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const kernels = world.kernels as { -readonly [K in keyof Kernels]: Kernels[K] };
  const measure = kernels.measureTouches;
  kernels.measureTouches = (count, deepest) => {
    const kept = measure(count, deepest);
    const { touching, touch } = world.state.views;
    for (const i of touching.subarray(0, kept)) found.set(i, Array.from(touch.subarray(4 * i, 4 * i + 4)));
    return kept;
  };
  contact(world);
  endContact(world);
  kernels.measureTouches = measure;
  return found;
}

describe.each(BACKENDS)("the papers' response (%s)", (backend) => {
  it.each([
    [1, 1],
    [0.5, 0.8],
    [0.8, 0.3],
    [0, 1],
  ])('with γ of %f and %f moves each particle by the smaller share of its depth, and nothing else', async (a, b) => {
    const world = await blocksOf(backend, { response: 'positions', gamma: a }, { response: 'positions', gamma: b });
    const before = world.positions.slice();
    const speeds = world.velocities.slice();
    const found = meet(world);
    // Both sides' particles are in the other.
    const lower = world.bodies[0].particleCount;
    expect([...found.keys()].some((i) => i < lower) && [...found.keys()].some((i) => i >= lower)).toBe(true);
    for (let i = 0; i < world.particleCount; i++) {
      const [nx, ny, nz, depth] = found.get(i) ?? [0, 0, 0, 0];
      const way = Math.min(a, b) * depth;
      // Computed in f64 and rounded once.
      [nx, ny, nz].forEach((n, k) => {
        expect(world.positions[4 * i + k]).toBe(Math.fround(before[4 * i + k] + way * n));
      });
    }
    expect(world.velocities).toEqual(speeds);
    // 3 cm at the end of the step.
    for (const [, , , depth] of found.values()) expect(depth).toBeLessThan(0.031);
  });

  it('is told of like any other, without an impulse', async () => {
    const world = await blocksOf(backend, { response: 'positions' }, { response: 'positions' });
    const found = meet(world);
    const [pair, ...others] = world.contactPairs();
    expect(others).toEqual([]);
    expect([pair.a, pair.b, pair.count]).toEqual([...world.bodies, found.size]);
    expect(pair.impulse).toEqual([0, 0, 0]);
    // From b, which is above, to a; at the edges some look askew.
    const sign = (i: number) => (i < world.bodies[0].particleCount ? 1 : -1);
    const sum = [0, 1, 2].map((k) => [...found].reduce((total, [i, n]) => total + sign(i) * n[k], 0));
    const place = [0, 1, 2].map((k) => [...found.keys()].reduce((total, i) => total + world.positions[4 * i + k], 0));
    for (let k = 0; k < 3; k++) {
      expect(pair.normal[k]).toBeCloseTo(sum[k] / Math.hypot(...sum), 9);
      expect(pair.position[k]).toBeCloseTo(place[k] / found.size, 9);
    }
    expect(pair.normal[1]).toBeLessThan(-0.99);
    // The next round begins with nobody in contact.
    const { touchCluster } = world.state.views;
    expect(touchCluster.subarray(0, world.particleCount).every((c) => c === 0xffffffff)).toBe(true);
  });

  it('needs both: a body that chose it meets others as they do', async () => {
    const gamma = 0.7;
    const both = await blocksOf(backend, { gamma }, { gamma });
    meet(both);
    for (const one of [0, 1]) {
      const responses = [0, 1].map((k): ContactOptions => ({ gamma, response: k === one ? 'positions' : 'momentum' }));
      const world = await blocksOf(backend, responses[0], responses[1]);
      const { momentum } = world.measure();
      meet(world);
      expect(world.positions).toEqual(both.positions);
      expect(world.velocities).toEqual(both.velocities);
      for (let k = 0; k < 3; k++) expect(world.measure().momentum[k]).toBeCloseTo(momentum[k], 4);
      expect(world.contactPairs()[0].impulse[1]).toBeLessThan(-1);
    }
  });

  it('of some bodies leaves the contacts of others as they are without these', async () => {
    const apart = (response: ContactOptions['response'], x: number, y: number): BodyOptions => ({
      ...BLOCK,
      contact: { response },
      position: [x, y, 0.03],
      velocity: [0, y > 0.1 ? -1 : 0, 0],
    });
    const run = async (bodies: BodyOptions[]) => {
      const world = await World.create({ backend, gravity: [0, 0, 0] });
      for (const body of bodies) world.addBody(body);
      const { x, v, xOld } = world.state.views;
      for (let o = 0; o < 4 * world.particleCount; o++) if (o % 4 < 3) xOld[o] = x[o] - world.dt * v[o];
      meet(world);
      return world;
    };
    const pair = (response: ContactOptions['response'], x: number) => [
      apart(response, x, 0),
      apart(response, x + 0.04, 0.27),
    ];
    const alone = await run(pair('momentum', 3));
    const mixed = await run([...pair('positions', 0), ...pair('momentum', 3)]);
    expect(mixed.contactPairs().length).toBe(2);
    const last = 4 * (mixed.particleCount - alone.particleCount);
    expect(mixed.positions.slice(last)).toEqual(alone.positions);
    expect(mixed.velocities.slice(last)).toEqual(alone.velocities);
  });

  it('does not move what is pinned or asleep', async () => {
    const world = await blocksOf(backend, { response: 'positions' }, { response: 'positions' });
    const [lower, upper] = world.bodies;
    for (let i = 0; i < upper.particleCount; i++) upper.pin(i);
    lower.sleep();
    // It would be woken by one that is not about to fall asleep itself.
    upper.core.restState.slowTime = 1;
    const before = world.positions.slice();
    expect(meet(world).size).toBeGreaterThan(10);
    expect(lower.asleep).toBe(true);
    expect(world.positions).toEqual(before);
    expect(world.contactPairs().length).toBe(1);
  });
});
