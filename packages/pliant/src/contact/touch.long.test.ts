import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { Flag } from '../state/flags.js';
import { testSeed } from '../testing/seed.js';
import type { World } from '../world.js';
import { boundBodies, gridCloud, randomCloud } from './testing/clouds.js';
import { align, courtOf, faults, type Rule, scatter, type Tally, Verdict } from './testing/judge.js';

const lattice = (nx: number, ny: number, nz: number) =>
  Array.from({ length: nx * ny * nz }, (_, i) => [i % nx, Math.floor(i / nx) % ny, Math.floor(i / nx / ny)])
    .flatMap(([x, y, z]) => [x - nx / 2, y - ny / 2, z - nz / 2])
    .map((v) => 0.08 * v);

const BOX = { shape: { type: 'box', size: [0.5, 0.4, 0.45] }, sampling: { spacing: 0.07 } } as const;
const RING = { shape: { type: 'torus', radius: 0.28, tube: 0.12 }, sampling: { spacing: 0.07 } } as const;
const cloud = (seed: number): BodyOptions => randomCloud(random(seed), 150, 12, [0.5, 0.5, 0.5]);

/** All ways to ask, of slow particles and of fast ones. */
const QUESTIONS = [0.3, 4].flatMap((speed) =>
  [true, false].flatMap((quick) => [0, Flag.INNER].map((skip) => ({ speed, quick, skip }))),
);

/** Numbers of rounds, of which no two are alike. */
let round = 1_000_000;

/** Enough was found, and next to nothing left to rounding. */
function expectTally({ found, borders, ties }: Tally, manyTies: boolean): void {
  expect(found).toBeGreaterThan(100);
  expect(borders).toBeLessThan(0.005 * found + 1);
  // A way that goes into several spheres from outside goes in one radius off the centre of each: such ties are many.
  if (!manyTies) expect(ties).toBeLessThan(0.02 * found + 1);
}

const COMPANIES: Record<string, BodyOptions[]> = {
  'bodies with distance fields': [
    { ...BOX, clustering: { count: 5 } },
    { ...RING, clustering: { count: 12 } },
    { ...BOX, clustering: { count: 1 }, contact: { margin: 0.02 } },
  ],
  'bodies of points': [{ points: lattice(7, 6, 6), clustering: { count: 6 } }, cloud(1), cloud(2)],
  'bodies that end where their proxies do': [
    { ...BOX, clustering: { count: 6 }, contact: { exits: 'planes' } },
    { ...RING, clustering: { count: 8 }, contact: { exits: 'planes', fraction: 0.7, margin: 0.01 } },
  ],
  'bodies whose proxies are spheres': [
    { ...BOX, clustering: { count: 6 }, contact: { fraction: 0 } },
    { ...RING, clustering: { count: 8 }, contact: { fraction: 0, margin: 0.01 } },
    { points: lattice(7, 6, 6), clustering: { count: 6 }, contact: { fraction: 0 } },
  ],
  'a layer, a particle and a block': [
    { points: lattice(8, 8, 1), clustering: { count: 4 } },
    { points: [0.01, 0.02, 0.03] },
    { ...BOX, clustering: { count: 4 } },
  ],
};

describe.each(BACKENDS)(
  'touchAcross (%s) finds the particles that come to a cluster and get into its proxy',
  (backend) => {
    it.each(Object.keys(COMPANIES))('of %s', async (name) => {
      const next = random(testSeed(`touchAcross ${name}`));
      const court = await courtOf(backend, COMPANIES[name]);
      const { world, judge } = court;
      const { touching } = world.state.views;
      const { bodyOf, bodyOfCluster, flags } = judge.state.views;
      const tally: Tally = { found: 0, borders: 0, ties: 0 };
      const planes = world.state.views.proxyPlanes.subarray(0, world.clusterCount);
      expect(planes.some((count) => count > 0)).toBe(!name.includes('spheres'));
      for (const { speed, quick, skip } of QUESTIONS)
        for (let trial = 0; trial < 2; trial++) {
          const places = world.bodies.map((_, k) => [0.25 * k + 0.1 * next(), 0.15 * next(), 0.15 * next()]);
          const stretch = [0.7 + next(), 0.7 + next(), 0.5 + next()];
          scatter(world, next, places, speed, (p) => p.map((v, a) => v * stretch[a]));
          align(court);
          boundBodies(world);
          round++;
          // The list need not be empty, and what is in it stays.
          touching.fill(7, 0, trial);
          let touched = trial;
          for (const p of world.bodies)
            for (const q of world.bodies) if (p !== q) touched = touchAcross(world, p, q, skip, quick, touched);
          expect(touching.slice(0, trial)).toEqual(new Uint32Array(trial).fill(7));
          const rule: Rule = (i, c) => bodyOf[i] !== bodyOfCluster[c] && !(flags[i] & skip);
          expect(faults(court, trial, touched, new Verdict(judge, rule, quick), tally)).toEqual([]);
        }
      expectTally(tally, name.includes('proxies'));
    });
  },
);

function touchAcross({ kernels, dt }: World, p: Body, q: Body, skip: number, quick: boolean, touched: number): number {
  const { particleStart: first, particleEnd: last } = p.rows;
  return kernels.touchAcross(first, last, q.rows.clusterStart, p.core.contact.pad, skip, quick, dt, round, touched);
}

/** The half with x > 0 of something around the middle, laid upon the other. */
const folded =
  (height: number) =>
  ([x, y, z]: number[]) =>
    x > 0 ? [-x, height - y, z] : [x, y - height, z];

const LONERS: Record<string, [BodyOptions, (p: number[]) => number[]]> = {
  'a ring folded in two': [{ ...RING, clustering: { count: 16 } }, folded(0.07)],
  'a bar folded in two': [
    {
      shape: { type: 'box', size: [1.6, 0.2, 0.2] },
      sampling: { method: 'grid', spacing: 0.05 },
      clustering: { count: 20 },
    },
    folded(0.07),
  ],
  'a grid of 120 clusters, crumpled': [
    { ...gridCloud(12, 10, 8, 2), position: [-0.55, -0.45, -0.35], contact: { margin: 0.02 } },
    ([x, y, z]) => [0.5 * x, 0.5 * y + 0.1 * Math.sin(20 * x), z - 0.3 * Math.abs(x)],
  ],
  'a body that ends where its proxies do, folded in two': [
    { ...RING, clustering: { count: 12 }, contact: { exits: 'planes' } },
    folded(0.05),
  ],
};

describe.each(BACKENDS)(
  'touchWithin (%s) finds the particles in clusters that theirs were not so near at rest',
  (backend) => {
    it.each(Object.keys(LONERS))('of %s, and none in one that shares a particle with theirs', async (name) => {
      const [options, bend] = LONERS[name];
      const next = random(testSeed(`touchWithin ${name}`));
      // Others in front and behind, in the very place, which are not asked for.
      const court = await courtOf(backend, [cloud(3), options, cloud(4)]);
      const { world, judge } = court;
      const {
        rows,
        core: { contact },
      } = world.bodies[1];
      const { touching, touchCluster, listedFor } = world.state.views;
      const { bodyOf, bodyOfCluster, flags } = judge.state.views;
      const own = clustersOfAll(judge);
      const shares = sharing(judge, own);
      const tally: Tally = { found: 0, borders: 0, ties: 0 };
      for (const { speed, quick, skip } of QUESTIONS) {
        scatter(world, next, Array(3).fill([0.1 * next(), 0, 0]), speed, bend);
        align(court);
        boundBodies(world);
        const { clusterStart, clusterEnd, particleStart, particleEnd } = rows;
        const { kernels, dt } = world;
        const bounds = [clusterStart, clusterEnd, particleStart, particleEnd] as const;
        const touched = kernels.touchWithin(...bounds, contact.pad, skip, quick, dt, ++round, 0);
        for (const i of touching.subarray(0, touched))
          expect(own[i].filter((c) => shares(c, touchCluster[i]))).toEqual([]);
        expect(listedFor.every((mark) => mark === 0)).toBe(true);
        const share = nearness(judge, judge.bodies[1]);
        const rule: Rule = (i, c, slack) =>
          bodyOf[i] === 1 &&
          bodyOfCluster[c] === 1 &&
          !(flags[i] & skip) &&
          own[i].every((a) => !shares(a, c)) &&
          own[i].some((a) => share(a, c) < 0.85 * (1 + slack));
        expect(faults(court, 0, touched, new Verdict(judge, rule, quick), tally)).toEqual([]);
      }
      expectTally(tally, name.includes('proxies'));
    });
  },
);

const clustersOfAll = ({ particleCount, state: { views: s } }: World) =>
  Array.from({ length: particleCount }, (_, i) =>
    Array.from(s.linkCluster.slice(s.linkStart[s.gatherRank[i]], s.linkStart[s.gatherRank[i] + 1])),
  );

/** Which clusters share a particle, by a look at every particle; each shares its own. */
function sharing({ clusterCount }: World, own: number[][]): (a: number, b: number) => boolean {
  const table = new Uint8Array(clusterCount ** 2);
  for (const list of own) for (const a of list) for (const b of list) table[clusterCount * a + b] = 1;
  return (a, b) => table[clusterCount * a + b] === 1;
}

/** How far the first members of two clusters of a body are apart, as a share of how far they are at rest. */
function nearness({ clusterCount, state: { views: s } }: World, { rows, restPositions: rest }: Body) {
  const table = new Float64Array(clusterCount ** 2);
  const first = (c: number) => s.memberParticle[s.memberStart[c]];
  for (let a = rows.clusterStart; a < rows.clusterEnd; a++)
    for (let b = rows.clusterStart; b < rows.clusterEnd; b++) {
      const [i, j] = [first(a), first(b)];
      let [now, then] = [0, 0];
      for (let k = 0; k < 3; k++) {
        now += (s.x[4 * i + k] - s.x[4 * j + k]) ** 2;
        const at = (n: number) => Math.fround(rest[3 * (n - rows.particleStart) + k]);
        then += (at(i) - at(j)) ** 2;
      }
      table[clusterCount * a + b] = Math.sqrt(now / then);
    }
  return (a: number, b: number) => table[clusterCount * a + b];
}
