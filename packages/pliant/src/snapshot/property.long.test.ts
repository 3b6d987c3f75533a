import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS, type Backend } from '../kernels/kernels.js';
import { type Random, random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { bitsOf, differences, spoilScratch, staleArrays } from './testing/bits.js';

const BODY: BodyOptions = {
  shape: { type: 'box', size: [0.5, 0.3, 0.2] },
  sampling: { spacing: 0.1, method: 'grid' },
  clustering: { count: 4 },
  reclustering: { threshold: 1.2, every: 3 / 60 },
  // Small clusters may split: every impulse is likely to break something.
  fracture: { minMembers: 2, budget: 60 },
};

/** Something a user may do, of what is there now: its numbers come from `next` alone, so that the same stream does the same again. */
function act(world: World, next: Random): void {
  const pickOne = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
  const place = (y: number): [number, number, number] => [1.2 * next() - 0.6, y + next(), next() - 0.5];
  const kind = Math.floor(next() * 14);
  const body = pickOne(world.bodies);
  // Not too many, or it takes minutes.
  if (!body || (kind === 0 && world.particleCount < 200)) {
    world.addBody({
      ...BODY,
      position: place(0.3),
      velocity: [4 * next() - 2, -3 * next(), 0],
      angularVelocity: [6 * next(), 0, 6 * next()],
      levels: next() < 0.3 ? { count: 2 } : undefined,
      // Halves of clusters may end, and debris leave.
      fracture: next() < 0.5 ? BODY.fracture : { ...BODY.fracture, minMass: 4, debris: false },
      material: {
        toughness: next() < 0.5 ? 0.06 : undefined,
        yield: next() < 0.5 ? 0.02 : undefined,
        raw: { damping: 0.1 },
      },
    });
    return;
  }
  const particle = Math.floor(next() * body.particleCount);
  if (kind === 1 && world.bodies.length > 2) world.removeBody(body);
  else if (kind === 2) body.setMaterial({ raw: { stiffness: 0.2 + next(), damping: next() } });
  else if (kind === 3 && world.bodies.length < 8) world.separate(body);
  else if (kind === 4) world.addPick({ body, particle, target: place(0.5) });
  else if (kind === 5 && world.picks.length > 0) world.removePick(pickOne(world.picks));
  else if (kind === 6) for (const pick of world.picks) pick.moveTo(place(0.3));
  else if (kind === 7) body.applyImpulse([20 * next(), 40 * next(), 0], particle);
  else if (kind === 8) body.pin(particle);
  else if (kind === 9) world.colliders[1].moveTo([0, place(0)[1], 0]);
  else if (kind === 10) world.colliders[1].enabled = next() < 0.5;
  else if (kind === 11) body.sleep();
  else if (kind === 13 && next() < 0.3) body.resetPlasticity();
  else if (kind === 13 && body.core.levelStrengths)
    body.setLevels({ weights: [next() + 0.1, next()].slice(0, body.core.levelCount) });
  else if (kind === 12 && world.clamps.length < 3)
    world.addClamp({
      region: { type: 'sphere', centre: [...body.restPositions.slice(0, 3)] as never, radius: 0.2 },
      lifetime: next(),
      velocity: place(-0.5),
    });
  else world.gravity = [next() - 0.5, -9.81, 0];
}

/** The same whatever was done before: actions and steps of one stream of random numbers. */
function play(world: World, seed: number, rounds: number): string[] {
  const next = random(seed);
  const told: string[] = [];
  for (let n = 0; n < rounds; n++) {
    if (next() < 0.6) act(world, next);
    // Shared or not, a snapshot is what there is.
    if (next() < 0.5) expect(staleArrays(world, world.snapshot())).toEqual([]);
    for (let k = Math.floor(6 * next()); k >= 0; k--) world.step();
    told.push(...world.drainEvents().map(({ type, time }) => `${type} ${time}`));
  }
  return told;
}

async function scene(backend: Backend): Promise<World> {
  const world = await World.create({ backend, sleepAfter: 0.2 });
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  world.addCollider({ type: 'sphere', centre: [0, -0.1, 0], radius: 0.3 });
  return world;
}

describe.each(BACKENDS)('snapshots of a world in which anything happens (%s)', (backend) => {
  it('restored at any time and in any order, give the same run bit by bit', async () => {
    const next = random(testSeed('snapshots'));
    const seen = new Set<string>();
    for (let n = 0; n < 2; n++) {
      const world = await scene(backend);
      const seeds = Array.from({ length: 4 }, () => Math.floor(2 ** 31 * next()));
      // One stretch of the run after the other, each from the snapshot at its start.
      const stretches = seeds.map((seed) => {
        const from = world.snapshot();
        const bytes = world.save();
        expect(staleArrays(world, from)).toEqual([]);
        const told = play(world, seed, 5);
        for (const line of told) seen.add(line.split(' ')[0]);
        return { from, bytes, seed, told, after: bitsOf(world) };
      });
      for (let k = 0; k < 4; k++) {
        const { from, bytes, seed, told, after } = stretches[Math.floor(stretches.length * next())];
        spoilScratch(world, true);
        const form = Math.floor(3 * next());
        world.restore(form === 0 ? from : form === 1 ? structuredClone(from) : bytes);
        spoilScratch(world);
        expect(play(world, seed, 5)).toEqual(told);
        expect(differences(bitsOf(world), after)).toEqual([]);
        expect(world.validate()).toEqual([]);
        const empty = await World.create({ backend });
        empty.restore(bytes);
        expect(play(empty, seed, 5)).toEqual(told);
        expect(differences(bitsOf(empty), after)).toEqual([]);
      }
    }
    // It is worth little if nothing happened: at least two kinds of events, one of them a change of topology.
    expect(seen.size).toBeGreaterThan(1);
    expect(seen.has('fracture') || seen.has('recluster')).toBe(true);
  });
});
