import { expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import type { ArrayName } from '../state/layout.js';
import { BLOCK, disturb, worldWith } from '../testing/bodies.js';
import { reweigh } from '../topology/reweigh.js';
import type { World } from '../world.js';

const BAR: BodyOptions = {
  shape: { type: 'box', size: [2, 0.4, 0.4] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 8, radius: 0.45 },
  material: { raw: { mode: 'quadratic', beta: 0.6 } },
};

/** How far what clusters know for their goals is from what their members, described anew, say. */
function stale(world: World): number {
  let worst = 0;
  const names: ArrayName[] = ['restRoot', 'bendAxes', 'bendRest', 'bendInverse'];
  const before = names.map((name) => world.state.views[name].slice());
  for (const body of world.bodies) body.setMaterial({ raw: { mode: 'quadratic' } });
  names.forEach((name, k) => {
    const now = world.state.views[name];
    let [largest, off] = [0, 0];
    for (let n = 0; n < now.length; n++) {
      largest = Math.max(largest, Math.abs(now[n]));
      off = Math.max(off, Math.abs(now[n] - before[k][n]));
    }
    worst = Math.max(worst, off / largest);
  });
  return worst;
}

it('goals follow when a body breaks: halves bend by their own members', async () => {
  const { world, body } = await worldWith({ ...BAR, material: { ...BAR.material, toughness: 0.1 } });
  const clusters = body.clusterCount;
  for (const side of [1, -1])
    world.addClamp({
      region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.8 },
      velocity: [side, 0, 0],
      lifetime: 0.5,
    });
  for (let n = 0; n < 60; n++) world.step();
  expect(body.clusterCount).toBeGreaterThan(clusters);
  expect(world.validate()).toEqual([]);
  // The same sums over the same members: to the last bit.
  expect(stale(world)).toBe(0);
  for (const piece of world.separate(body)) expect(piece.material.mode).toBe('quadratic');
  expect(world.bodies.length).toBeGreaterThan(1);
  expect(stale(world)).toBe(0);
  for (let n = 0; n < 60; n++) world.step();
  expect(world.drainEvents().filter((event) => event.type === 'quarantine')).toEqual([]);
});

it('goals follow when clusters change their weight', async () => {
  const { world, body } = await worldWith(BAR);
  const before = world.state.views.bendInverse.slice(0, 36);
  const scale = new Float64Array(body.clusterCount).fill(1);
  scale[0] = 0.3;
  reweigh(world.state.views, body, scale);
  expect(world.state.views.bendInverse.slice(0, 36)).not.toEqual(before);
  expect(stale(world)).toBe(0);
});

it('a body flows, gives up clusters for new ones and goes on, with goals of every mode', async () => {
  for (const mode of ['linear', 'quadratic'] as const) {
    const { world, body } = await worldWith({
      ...BAR,
      material: { yield: 0.05, raw: { mode, beta: 0.6 } },
      reclustering: { threshold: 1.5 },
    });
    disturb(world, 3, 0.01, 0.1);
    for (const side of [1, -1])
      world.addClamp({
        region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.8 },
        velocity: [0.5 * side, 0, 0],
        lifetime: 1,
      });
    const version = body.topologyVersion;
    for (let n = 0; n < 120; n++) world.step();
    expect(body.core.history.flowed).toBe(true);
    expect(body.topologyVersion).toBeGreaterThan(version);
    expect(world.validate()).toEqual([]);
    expect(world.drainEvents().filter((event) => event.type === 'quarantine')).toEqual([]);
    if (mode === 'quadratic') expect(stale(world)).toBe(0);
  }
});

it.each([
  ['linear', 8],
  ['quadratic', 1],
  ['quadratic', 8],
] as const)('%s, %i clusters: a block that breaks on the ground throws nothing', async (mode, count) => {
  const { world } = await worldWith(
    {
      ...BLOCK,
      position: [0, 1, 0],
      rotation: [0.2, 0.1, 0.3, 0.92],
      clustering: { count, radius: count === 1 ? 2 : 0.45 },
      material: { toughness: 0.2, raw: { mode, beta: 0.9, damping: 0.05 } },
    },
    { gravity: [0, -9.81, 0] },
  );
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
  let most = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 200; n++) {
    world.step();
    most = Math.max(most, world.measure().kineticEnergy);
    const { memberStart } = world.state.views;
    for (let c = 0; c < world.clusterCount; c++) smallest = Math.min(smallest, memberStart[c + 1] - memberStart[c]);
  }
  expect(world.drainEvents().filter((event) => event.type === 'quarantine')).toEqual([]);
  // Clusters of so few members that products of their offsets say nothing: their goals were at 1e20 m once.
  expect(smallest).toBeLessThan(8);
  // It falls by less than 1 m.
  expect(most).toBeLessThan(9.81 * world.measure().mass);
});
