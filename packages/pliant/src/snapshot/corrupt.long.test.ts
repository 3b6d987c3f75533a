import { describe, expect, it } from 'vitest';
import { saveBody } from '../body/save.js';
import { PliantError } from '../check.js';
import { BACKENDS, type Backend } from '../kernels/kernels.js';
import { type Random, random } from '../math/random.js';
import { boxMesh } from '../mesh/testing/meshes.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { encodeSnapshot, readSnapshot } from './bytes.js';
import type { Snapshot } from './snapshot.js';
import { hashOf } from './testing/bits.js';
import { corrupt, placesIn } from './testing/corrupt.js';

/** A world with something of everything, as small as may be: broken and cut bodies, levels, flow, surfaces, skins, hands, obstacles, fields. */
async function richWorld(backend: Backend): Promise<World> {
  const world = await World.create({ backend, sleepAfter: 0.1 });
  const sampling = { spacing: 0.1, method: 'grid' } as const;
  const bar = world.addBody({
    shape: { type: 'box', size: [0.6, 0.2, 0.2] },
    sampling,
    clustering: { count: 6 },
    material: { toughness: 0.1, yield: 0.02, raw: {} },
    reclustering: { threshold: 1.2, every: 3 / 60 },
    fracture: { minMembers: 2 },
    velocity: [0, -3, 0],
  });
  bar.getSkin().update();
  world.addBody({
    shape: { type: 'box', size: [0.4, 0.2, 0.2] },
    sampling,
    clustering: { count: 5 },
    levels: { count: 2 },
    material: { yield: 0.05, raw: {} },
    position: [0.1, 0.25, 0],
  });
  world.addBody({
    mesh: boxMesh([0.2, 0.2, 0.2]),
    sampling,
    clustering: { count: 2 },
    contact: { mode: 'surface' },
    position: [2, 0, 0],
  });
  world.addBody({
    shape: { type: 'sphere', radius: 0.12 },
    sampling,
    levels: { sums: 'particles' },
    material: { raw: {} },
    clustering: { count: 3 },
    position: [3, 0, 0],
  });
  const clamp = world.addClamp({ region: { type: 'halfspace', normal: [1, 0, 0], offset: 3 } });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.2, except: clamp });
  world.addCollider({ type: 'sphere', centre: [0, -0.3, 0], radius: 0.25, velocity: [0.1, 0, 0] });
  world.addForceField({ type: 'vortex', axis: [0, 1, 0], strength: 1, bodies: [world.bodies[0]] });
  for (let n = 0; n < 12; n++) world.step();
  world.cut(world.bodies[0], { point: [0.05, 0, 0], normal: [1, 0.1, 0] });
  world.addPick({ body: world.bodies[0], particle: 1, target: [0, 1, 0] });
  world.bodies[1].pin(0);
  world.bodies.at(-1)!.sleep();
  for (let n = 0; n < 3; n++) world.step();
  // It is worth little if it is not what it says.
  expect(world.bodies.some((body) => body.core.history.broken)).toBe(true);
  expect(world.bodies.length).toBeGreaterThan(4);
  return world;
}

/** Restores, and looks whether it is refused before anything has changed, or else leaves a world that is sound and goes on. */
function attempt(world: World, good: Snapshot, what: string, restore: () => void): 'refused' | 'taken' {
  const before = hashOf(world);
  try {
    restore();
  } catch (error) {
    if (!(error instanceof PliantError)) throw new Error(`${what}: ${error}`, { cause: error });
    expect(hashOf(world), what).toBe(before);
    return 'refused';
  }
  try {
    expect(world.validate(), what).toEqual([]);
    for (let n = 0; n < 10; n++) world.step();
    for (const body of world.bodies) if (saveBody(body).skin) body.getSkin().update();
    expect(world.snapshot().frame, what).toBeGreaterThan(0);
  } catch (error) {
    throw new Error(`${what} was taken, then: ${error}`, { cause: error });
  }
  world.restore(good);
  return 'taken';
}

/** More by hand: PLIANT_CASES=5000 PLIANT_SEED=random. */
const CASES = Number(process.env['PLIANT_CASES'] ?? 80);

/** A place in one of the arrays of the state every other time: there are few of them beside all fields of all bodies. */
function somewhere(places: ReturnType<typeof placesIn>, next: Random) {
  const some = next() < 0.5 ? places.filter(([first], k) => first === 'arrays' && k > 0) : places;
  return some[Math.floor(next() * some.length)];
}

describe.each(BACKENDS)('a snapshot with something wrong in it (%s)', (backend) => {
  it('as an object, is refused before anything is touched, or is sound all the same', async () => {
    const next = random(testSeed('corrupted snapshots'));
    const world = await richWorld(backend);
    const good = world.snapshot();
    const places = placesIn(good);
    expect(places.length).toBeGreaterThan(500);
    const told = { refused: 0, taken: 0 };
    for (let n = 0; n < CASES; n++) {
      const bad = structuredClone(good);
      const what = corrupt(bad, somewhere(places, next), next);
      told[attempt(world, good, what, () => world.restore(bad))]++;
    }
    expect(told.refused).toBeGreaterThan(0.5 * CASES);
  });

  it('as bytes whose checksum is right, likewise, also in an empty world', async () => {
    const next = random(testSeed('corrupted bytes') + 1);
    const world = await richWorld(backend);
    const bytes = world.save();
    const good = world.snapshot();
    const complete = readSnapshot(bytes) as Snapshot;
    const places = placesIn(complete);
    const told = { refused: 0, taken: 0 };
    for (let n = 0; n < CASES; n++) {
      const bad = structuredClone(complete);
      const what = corrupt(bad, somewhere(places, next), next);
      let crafted: Uint8Array;
      try {
        crafted = encodeSnapshot(bad);
      } catch {
        // No bytes can say that: a function, or no snapshot at all.
        continue;
      }
      const empty = await World.create({ backend });
      told[
        n % 2 === 0
          ? attempt(world, good, what, () => world.restore(crafted))
          : attempt(empty, complete, what, () => empty.restore(crafted))
      ]++;
    }
    expect(told.refused).toBeGreaterThan(0.5 * CASES);
  });
});
