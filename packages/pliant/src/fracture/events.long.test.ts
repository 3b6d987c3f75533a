import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { worldWith } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { NO_PIECE } from '../topology/pieces.js';
import type { World } from '../world.js';
import { BAR, type Fracture, pulled, run } from './testing/pulled.js';

/** Nothing moves a body's particles in a step once it has broken: what an event says can be read off when the step is over. */
const ALONE = { contact: { mode: 'none' } } as const satisfies Partial<BodyOptions>;

/** State of a body before a step. */
interface Before {
  particles: number;
  masses: number[];
  /** Particles of each cluster. */
  clusters: Set<number>[];
}

const clustersOf = ({ state: { views: s } }: World, { rows }: Body) =>
  Array.from({ length: rows.clusterEnd - rows.clusterStart }, (_, c) => {
    const [first, last] = [s.memberStart[rows.clusterStart + c], s.memberStart[rows.clusterStart + c + 1]];
    return new Set(Array.from(s.memberParticle.slice(first, last), (i) => i - rows.particleStart));
  });

const massesOf = ({ positions: x }: Body) => Array.from({ length: x.length / 4 }, (_, i) => x[4 * i + 3]);

const look = (world: World, body: Body): Before => ({
  particles: body.particleCount,
  masses: massesOf(body),
  clusters: clustersOf(world, body),
});

/** For each particle, its number before the step, from the copies and removals that the event lists. */
function rootsOf({ copies, removed }: Fracture, before: number): number[] {
  const roots = Array.from({ length: before }, (_, i) => i);
  for (let k = 0; k < copies.length; k += 2) roots[copies[k + 1]] = roots[copies[k]];
  const gone = new Set(removed);
  return roots.filter((_, i) => !gone.has(i));
}

function checkCopies(body: Body, event: Fracture, before: Before): void {
  const { copies, removed } = event;
  // Copies are numbered behind what was there, without gaps, each once.
  const fresh = Array.from(copies)
    .filter((_, k) => k % 2)
    .sort((a, b) => a - b);
  expect(fresh).toEqual(fresh.map((_, n) => before.particles + n));
  expect(body.particleCount).toBe(before.particles + fresh.length - removed.length);
  const roots = rootsOf(event, before.particles);
  const sum = new Array<number>(before.particles).fill(0);
  const first = new Map<number, number>();
  const strangers = roots.filter((root, i) => {
    sum[root] += body.positions[4 * i + 3];
    if (!first.has(root)) first.set(root, i);
    return !isCopy(body, first.get(root)!, i);
  });
  expect(strangers).toEqual([]);
  // Every mass was rounded to f32 once. Particles that left have taken their mass along.
  if (removed.length === 0)
    expect(Math.max(...sum.map((mass, i) => Math.abs(mass / before.masses[i] - 1)))).toBeLessThan(1e-6);
}

/** Whether two particles are at one place, move alike and were at one place at rest. */
function isCopy({ positions: x, velocities: v, restPositions: rest }: Body, i: number, j: number): boolean {
  for (let a = 0; a < 3; a++)
    if (x[4 * i + a] !== x[4 * j + a] || v[4 * i + a] !== v[4 * j + a] || rest[3 * i + a] !== rest[3 * j + a])
      return false;
  return true;
}

/** Returns how many of the halves ended at once. */
function checkSplits(world: World, body: Body, event: Fracture, before: Before): number {
  const roots = rootsOf(event, before.particles);
  const after = clustersOf(world, body);
  const named = new Set<number>();
  let ended = 0;
  for (const { cluster, into, position, normal } of event.splits) {
    expect(cluster).toBeGreaterThanOrEqual(0);
    expect(cluster).toBeLessThan(before.clusters.length);
    const halves = into.map((half, side) => {
      if (half < 0) {
        ended++;
        return new Set<number>();
      }
      expect(half).toBeLessThan(after.length);
      expect(named.has(half)).toBe(false);
      named.add(half);
      // Each half is on its own side of the plane, the first behind it.
      const offs = Array.from(after[half], (i) =>
        normal.reduce((d, n, a) => d + n * (body.positions[4 * i + a] - position[a]), 0),
      );
      expect(Math.max(...offs.map((d) => (side === 0 ? d : -d)))).toBeLessThan(1e-6);
      return new Set(Array.from(after[half], (i) => roots[i]));
    });
    // Together they have the members that the cluster had, and none twice.
    const members = [...halves[0], ...halves[1]];
    expect(new Set(members).size).toBe(members.length);
    expect(members.every((i) => before.clusters[cluster].has(i))).toBe(true);
    if (!into.includes(-1)) expect(members.length).toBe(before.clusters[cluster].size);
  }
  return ended;
}

/** The parts of a body by walking from cluster to cluster over the particles they share. */
function checkPieces(world: World, body: Body, { pieces }: Fracture): void {
  const clusters = clustersOf(world, body);
  const holders = Array.from({ length: body.particleCount }, (): number[] => []);
  clusters.forEach((members, c) => {
    for (const i of members) holders[i].push(c);
  });
  expect(pieces.ofParticle.length).toBe(body.particleCount);
  expect(pieces.ofCluster.length).toBe(clusters.length);
  const piece = new Int32Array(clusters.length).fill(-1);
  let count = 0;
  for (let c = 0; c < clusters.length; c++) {
    if (piece[c] >= 0) continue;
    const next = [c];
    piece[c] = count;
    for (let at = next.pop(); at !== undefined; at = next.pop())
      for (const i of clusters[at])
        for (const d of holders[i])
          if (piece[d] < 0) {
            piece[d] = count;
            next.push(d);
          }
    count++;
  }
  expect(pieces.count).toBe(count);
  expect([...pieces.ofCluster]).toEqual([...piece]);
  expect([...pieces.ofParticle]).toEqual(holders.map(([c]) => (c === undefined ? NO_PIECE : piece[c])));
}

describe.each(BACKENDS)('the event of a fracture (%s)', (backend) => {
  it('tells which clusters split into which, what was copied from what, and the pieces', async () => {
    const { world, body } = await pulled({ ...BAR, ...ALONE }, { backend });
    let [splits, copies] = [0, 0];
    for (let n = 0; n < 120; n++) {
      const [before, version] = [look(world, body), body.topologyVersion];
      const [event] = run(world, 1);
      if (!event) {
        expect(body.topologyVersion).toBe(version);
        continue;
      }
      expect(body.topologyVersion).toBe(version + 1);
      expect(event.body).toBe(body);
      expect(event.time).toBeCloseTo(world.time - world.dt, 9);
      checkCopies(body, event, before);
      expect(checkSplits(world, body, event, before)).toBe(0);
      checkPieces(world, body, event);
      splits += event.splits.length;
      copies += event.copies.length;
    }
    expect(splits).toBeGreaterThan(1);
    expect(copies).toBeGreaterThan(0);
    expect(body.pieces.count).toBeGreaterThan(1);
  });

  it.each([true, false])(
    'is right where halves end at once and particles go astray (debris stays: %s)',
    async (debris) => {
      const next = random(testSeed('events'));
      let [ended, strays, removed] = [0, 0, 0];
      for (let trial = 0; trial < 3; trial++) {
        const { world, body } = await worldWith(
          {
            shape: { type: 'box', size: [0.8, 0.6, 0.3] },
            sampling: { count: 300, seed: 1 + trial },
            clustering: { count: 12 },
            material: { mass: 1, toughness: 0.05 + 0.2 * next(), raw: { rotation: 'covariance' } },
            fracture: { outliers: 0.3, minMass: 0.5 / 12, debris },
            ...ALONE,
          },
          { backend },
        );
        for (let n = 0; n < 24; n++) {
          const v = body.velocities;
          if (n % 8 === 0)
            for (let o = 0; o < v.length; o += 4)
              for (let a = 0; a < 3; a++) v[o + a] += 12 * next() * body.positions[o + a];
          const before = look(world, body);
          const [event] = run(world, 1);
          if (!event) continue;
          checkCopies(body, event, before);
          ended += checkSplits(world, body, event, before);
          checkPieces(world, body, event);
          if (event.splits.length === 0) strays += event.copies.length / 2;
          removed += event.removed.length;
        }
      }
      expect(ended).toBeGreaterThan(0);
      expect(strays).toBeGreaterThan(0);
      expect(removed > 0).toBe(!debris);
    },
  );

  it('keeps the pieces that were there when they were first read', async () => {
    const { world, body } = await pulled({ ...BAR, ...ALONE }, { backend });
    const counts: number[] = [];
    const particles: number[] = [];
    const events: Fracture[] = [];
    for (let n = 0; n < 120; n++)
      for (const event of run(world, 1)) {
        events.push(event);
        counts.push(event.pieces.count);
        particles.push(body.particleCount);
      }
    // There is something to tell apart: the first crack does not go through.
    expect(counts[0]).toBeLessThan(counts[counts.length - 1]);
    expect(events.map(({ pieces }) => pieces.count)).toEqual(counts);
    expect(events.map(({ pieces }) => pieces.ofParticle.length)).toEqual(particles);
  });
});
