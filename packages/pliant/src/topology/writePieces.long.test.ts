import { describe, expect, it } from 'vitest';
import { BACKENDS } from '../kernels/kernels.js';
import { Flag } from '../state/flags.js';
import { BLOCK } from '../testing/bodies.js';
import { World } from '../world.js';

/** A bar that is being torn by two clamps, between two blocks that have nothing to do with it. */
async function torn(backend: 'ts' | 'wasm', steps: number) {
  const world = await World.create({ gravity: [0, -1, 0], sleepSpeed: 0, backend });
  world.addBody({ ...BLOCK, position: [0, 5, 0] });
  const bar = world.addBody({
    name: 'bar',
    shape: { type: 'box', size: [2, 0.4, 0.4] },
    sampling: { method: 'grid', spacing: 0.1 },
    clustering: { count: 16 },
    material: { toughness: 0.15, yield: 0.1, raw: { rotation: 'covariance', damping: 0.1 } },
  });
  world.addBody({ ...BLOCK, position: [0, -5, 0] });
  const clamps = [1, -1].map((side) =>
    world.addClamp({
      region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.8 },
      velocity: [0.5 * side, 0, 0],
      bodies: [bar],
    }),
  );
  for (let n = 0; n < steps; n++) world.step();
  return { world, bar, clamps };
}

describe.each(BACKENDS)('the pieces of a body (%s)', (backend) => {
  it('become bodies that move on as they would have', async () => {
    const [{ world, bar, clamps }, { world: twin, bar: whole }] = [await torn(backend, 90), await torn(backend, 90)];
    expect(bar.pieces.count).toBeGreaterThan(1);
    const { count, ofParticle } = bar.pieces;
    const before = world.measure();
    const held = clamps.map((c) => c.particleCount);
    const bodies = world.separate(bar);
    expect(bodies[0]).toBe(bar);
    expect(bodies).toHaveLength(count);
    expect(world.bodies).toHaveLength(count + 2);
    expect(world.validate()).toEqual([]);
    for (const body of bodies) {
      expect(world.getBody(body.handle)).toBe(body);
      expect(body.pieces.count).toBe(1);
    }
    expect(new Set(bodies.map((b) => b.handle)).size).toBe(count);
    const after = world.measure();
    expect(after.mass).toBeCloseTo(before.mass, 9);
    for (let a = 0; a < 3; a++) expect(after.momentum[a]).toBeCloseTo(before.momentum[a], 9);
    // Clamps hold what they held, wherever that is now.
    expect(clamps.map((c) => c.particleCount)).toEqual(held);
    // They move as the whole does, but that as bodies of their own they may meet where they were torn: within half a centimetre.
    world.step();
    twin.step();
    const sizes = Array.from({ length: count }, (_, p) => ofParticle.filter((q) => q === p).length);
    const order = Array.from(sizes.keys()).sort((a, b) => sizes[b] - sizes[a] || a - b);
    bodies.forEach((body, n) => {
      const mine = Array.from(ofParticle.keys()).filter((i) => ofParticle[i] === order[n]);
      const where = mine.flatMap((i) => Array.from(whole.positions.subarray(4 * i, 4 * i + 3)));
      const here = Array.from({ length: mine.length }, (_, k) => Array.from(body.positions.subarray(4 * k, 4 * k + 3)));
      here.flat().forEach((v, k) => {
        expect(v).toBeCloseTo(where[k], 2);
      });
    });
    for (let n = 0; n < 30; n++) world.step();
    expect(world.validate()).toEqual([]);
    expect(world.drainEvents().some((e) => e.type === 'quarantine')).toBe(false);
    const flags = world.state.views.flags.subarray(0, world.particleCount);
    expect(flags.filter((f) => f & Flag.HELD)).toHaveLength(held[0] + held[1]);
  });

  it('of a body that slept are awake, of one that was switched off stay off', async () => {
    const { world, bar } = await torn(backend, 90);
    bar.sleep();
    const bodies = world.separate(bar);
    expect(bodies.every((b) => !b.asleep)).toBe(true);
    const { flags } = world.state.views;
    expect(flags.subarray(0, world.particleCount).some((f) => f & Flag.ASLEEP)).toBe(false);
    const { world: other, bar: off } = await torn(backend, 90);
    off.enabled = false;
    expect(other.separate(off).some((b) => b.enabled)).toBe(false);
    expect(() => other.separate(bar)).toThrow(/body is "bar"; expected a body of this world/);
    expect(() => other.separate(undefined as never)).toThrow(/body is undefined; expected a body of this world/);
  });

  it('a body in one piece stays what it is', async () => {
    const { world, bar } = await torn(backend, 2);
    expect(world.separate(bar)).toEqual([bar]);
    expect(bar.topologyVersion).toBe(0);
  });
});
