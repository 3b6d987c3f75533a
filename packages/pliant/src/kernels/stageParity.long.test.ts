import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawOptions } from '../material/raw.js';
import { random } from '../math/random.js';
import { Row, TRANSFORM_ROW } from '../state/fields.js';
import { Flag } from '../state/flags.js';
import { ARRAY_NAMES, type ArrayName } from '../state/layout.js';
import { BLOCK, disturb } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { Match } from './kernels.js';
import { body, both, twins } from './testing/twins.js';

/**
 * f32 has 24 bits: one rounding is 6e-8. The WASM kernels sum blocks of 32 members in f32 (a few roundings each way), the
 * TypeScript ones in f64; both store f32. 2e-6 of the largest value in an array is some thirty roundings.
 */
const ROUNDING = 2e-6;

/** Gives the WASM twin exactly what the TypeScript one has, so that a stage is compared on its own. */
function align({ ts, wasm }: { ts: World; wasm: World }) {
  // Only the WASM kernels keep book of what a sweep asks for and moved.
  for (const name of ARRAY_NAMES)
    if (name !== 'refit' && name !== 'wantsMove') wasm.state.views[name].set(ts.state.views[name] as Float64Array);
}

/** Largest difference of an array between two worlds, relative to its largest value, or to `scale` where that is more. */
function difference({ ts, wasm }: { ts: World; wasm: World }, name: ArrayName, scale = 1e-30): number {
  const [a, b] = [ts.state.views[name], wasm.state.views[name]];
  let [largest, worst] = [scale, 0];
  for (let k = 0; k < a.length; k++) {
    if (!Number.isFinite(a[k]) || !Number.isFinite(b[k])) {
      // toughness and yield are infinite by default.
      if (!Object.is(a[k], b[k])) return Number.POSITIVE_INFINITY;
      continue;
    }
    largest = Math.max(largest, Math.abs(a[k]));
    worst = Math.max(worst, Math.abs(a[k] - b[k]));
  }
  return worst / largest;
}

const rigid = {
  h: 1 / 60,
  gravityX: 1,
  gravityY: -9.81,
  gravityZ: 0.5,
  damping: 0.1,
  rigid: true,
  maxSpeed: 1e6,
  forces: true,
};

/** A disturbed block: strained, spinning, some particles held, some firm, forces waiting. */
const disturbed = (seed: number, shift: number) => (world: World) => {
  disturb(world, seed, shift, 1);
  const next = random(seed + 1);
  const { flags, force, stiffness } = world.state.views;
  for (let i = 0; i < world.particleCount; i++) {
    flags[i] = next() < 0.1 ? Flag.HELD : next() < 0.1 ? Flag.HELD | Flag.FIRM : 0;
    stiffness[i] = 1.9 * next();
    for (let a = 0; a < 3; a++) force[4 * i + a] = 5 * (next() - 0.5);
  }
};

/** Stretched, sheared by the disturbance, and crushed: what the energy holds back. */
const SHAPES = [
  [1.3, 0.9, 1],
  [1, 0.3, 0.2],
  [0.1, 1.2, 1],
] as const;

describe('the kernels agree, stage by stage', () => {
  it('the sums of clusters, which are all that is written', async () => {
    const pair = await twins(body(8), disturbed(testSeed('sums'), 0.05));
    both(pair, (w) => w.kernels.sumClusters(1, 7));
    const before = await twins(body(8), disturbed(testSeed('sums'), 0.05));
    expect(difference(pair, 'sums')).toBeLessThan(ROUNDING);
    for (const world of [pair.ts, pair.wasm]) {
      const { sums } = world.state.views;
      for (let c = 0; c < 8; c++) expect(sums.subarray(24 * c, 24 * c + 12).some((v) => v !== 0)).toBe(c > 0 && c < 7);
    }
    for (const name of ARRAY_NAMES)
      if (name !== 'sums') expect(pair.wasm.state.views[name]).toEqual(before.wasm.state.views[name]);
  });

  it.each([
    ['deformation', 0],
    ['covariance', Match.COVARIANCE],
  ])('match: centre and rotation of %s', async (_, mode) => {
    const seed = testSeed('match');
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(1, 8), fc.constantFrom(0.001, 0.05), async (n, clusters, shift) => {
        const pair = await twins(body(clusters), disturbed(n, shift));
        both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, mode));
        expect(difference(pair, 'transform')).toBeLessThan(ROUNDING);
      }),
      { seed, numRuns: 8 },
    );
  });

  // Threads, and sweeps that fit some clusters only, pair them differently. A lane that goes on after it converged shows where goals keep their volume; rotations converge so far that f32 hardly ever tells.
  it.each([
    ['research', undefined, Match.LINEAR_MOTION],
    ['mirrored', undefined, Match.REFLECT | Match.RIGID_MOTION],
    ['covariance', undefined, Match.COVARIANCE | Match.RIGID_MOTION],
    ['the elastic law', { young: 1e5, poisson: 0.4 }, Match.METRIC | Match.SOFT | Match.STRESS | Match.RIGID_MOTION],
  ])('match: no bit of a cluster depends on the one that it is computed with (%s)', async (_, material, mode) => {
    for (const stretch of [undefined, ...SHAPES]) {
      const world = await World.create({ backend: 'wasm' });
      world.addBody({ ...body(9), material, ...(stretch && { stretch }) });
      disturb(world, testSeed('pairs'), 0.02, 1);
      // One is turned inside out.
      const { memberStart, memberParticle } = world.state.views;
      for (let k = memberStart[3]; k < memberStart[4]; k++) world.positions[4 * memberParticle[k]] *= -1;
      const results = () =>
        (['transform', 'motion', 'oldCentre', 'inertiaInverse'] as const).map(
          (name) => new Uint32Array(world.state.views[name].slice(0, Row[name] * world.clusterCount).buffer),
        );
      world.kernels.matchClusters(0, world.clusterCount, mode);
      const together = results();
      for (const size of [1, 3]) {
        for (const name of ['transform', 'motion', 'oldCentre', 'inertiaInverse'] as const)
          world.state.views[name].fill(0.5);
        for (let c = 0; c < world.clusterCount; c += size)
          world.kernels.matchClusters(c, Math.min(c + size, world.clusterCount), mode);
        const apart = results();
        // SHARE, and two places that nobody writes.
        for (let o = 0; o < apart[0].length; o += TRANSFORM_ROW)
          for (const k of [3, 7, 11]) apart[0][o + k] = together[0][o + k];
        if (mode & Match.RIGID_MOTION) expect(apart).toEqual(together);
        else expect(apart[0]).toEqual(together[0]);
      }
    }
  });

  it.each([
    ['deformation', 0],
    ['covariance', Match.COVARIANCE],
    ['mirrored', Match.REFLECT],
  ])('match and flow: goals of a rest shape that has flowed, and how it flows on (%s)', async (name, rotation) => {
    const seed = testSeed('flow');
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(1, 8), fc.constantFrom(...SHAPES), async (n, clusters, stretch) => {
        const material = { yield: 0.01, raw: { hardening: 0.01 } };
        const pair = await twins({ ...body(clusters), material, stretch }, (world) => {
          disturb(world, n, 0.02, 1);
          if (name === 'mirrored') for (let o = 0; o < world.positions.length; o += 4) world.positions[o] *= -1;
        });
        for (const dissipative of [true, false, true]) {
          const mode = rotation | Match.PLASTIC | Match.ELASTIC;
          both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, mode));
          expect(difference(pair, 'transform')).toBeLessThan(ROUNDING);
          expect(difference(pair, 'elastic')).toBeLessThan(ROUNDING);
          align(pair);
          const [a, b] = both(pair, (w) => w.kernels.flowClusters(0, w.clusterCount, 0.7, 0.01, dissipative));
          expect(b).toBe(a);
          // The papers' form knows no holding back.
          if (!dissipative) expect(a).toBe(clusters);
          // From the same f64 stretch: what is left is where the two stop their iterations.
          expect(difference(pair, 'plastic')).toBeLessThan(1e-9);
          expect(difference(pair, 'hardened')).toBeLessThan(1e-12);
          expect(difference(pair, 'plasticStrain')).toBeLessThan(ROUNDING);
          align(pair);
        }
      }),
      { seed, numRuns: 12 },
    );
  });

  it('match and flow by the elastic law: how clusters flow, and how they harden', async () => {
    const seed = testSeed('flow by the law');
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(1, 8), fc.constantFrom(...SHAPES), async (n, clusters, stretch) => {
        const material = { young: 1e5, poisson: 0.3, yield: 0.01, hardening: 0.4 };
        const pair = await twins({ ...body(clusters), material, stretch }, (world) => disturb(world, n, 0.02, 1));
        for (let k = 0; k < 3; k++) {
          const mode = Match.METRIC | Match.STRESS | Match.SOFT | Match.PLASTIC | Match.ELASTIC;
          both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, mode));
          expect(difference(pair, 'transform')).toBeLessThan(ROUNDING);
          align(pair);
          const [a, b] = both(pair, (w) => w.kernels.flowClusters(0, w.clusterCount, 0.7, 0.4, true, true));
          expect(b).toBe(a);
          expect(difference(pair, 'plastic')).toBeLessThan(1e-9);
          expect(difference(pair, 'hardened')).toBeLessThan(1e-9);
          align(pair);
        }
      }),
      { seed, numRuns: 12 },
    );
  });

  it.each([
    ['linear', { mode: 'linear' }],
    ['linear, hard stop by row', { mode: 'linear', areaLimit: { clamp: 'row', max: 1.05, from: 1.05 } }],
    ['linear, of any volume', { mode: 'linear', volume: 'free', beta: 0.9 }],
    ['quadratic', { mode: 'quadratic' }],
    ['quadratic, exact', { mode: 'quadratic', areaLimit: { clamp: 'exact', max: 1.05 } }],
    ['quadratic, by row', { mode: 'quadratic', areaLimit: { clamp: 'row', max: 1.05 } }],
    ['quadratic, by norm', { mode: 'quadratic', areaLimit: { clamp: 'norm', max: 1.05 }, beta: 1 }],
  ] as [string, RawOptions][])('match, integrate and limit: goals that are %s', async (_, raw) => {
    const seed = testSeed('soft goals');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom(1, 8),
        fc.constantFrom(...SHAPES),
        fc.constantFrom(0, Match.COVARIANCE, Match.PLASTIC),
        async (n, clusters, stretch, rotation) => {
          const limited = { yield: 0.01, raw: { ...raw, limit: { gamma: 0.02 } } };
          const pair = await twins({ ...body(clusters), material: limited, stretch }, (world) => {
            const x = world.positions;
            for (let o = 0; o < x.length; o += 4) x[o + 1] += 0.2 * x[o] * x[o] + 0.1 * x[o] * x[o + 2];
            disturbed(n, 0.02)(world);
          });
          const bent = raw.mode === 'quadratic';
          const mode = rotation | Match.SOFT | Match.RIGID_MOTION | Match.INERTIA | Match.ELASTIC;
          both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, mode));
          both(pair, (w) => w.kernels.flowClusters(0, w.clusterCount, 0.5, 0, true));
          align(pair);
          both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, mode));
          expect(difference(pair, 'transform')).toBeLessThan(ROUNDING);
          // Sums of products of f32 offsets, of which the fit takes differences.
          expect(difference(pair, 'bend', 0.1)).toBeLessThan(10 * ROUNDING);
          expect(pair.ts.state.views.bend.some((b) => Math.abs(b) > 1e-4)).toBe(bent);
          align(pair);
          both(pair, (w) => w.kernels.integrateParticles(0, w.particleCount, { ...rigid, bent }));
          for (const name of ['x', 'v'] as const) expect(difference(pair, name), name).toBeLessThan(ROUNDING);
          align(pair);
          for (const conserving of [true, false]) {
            both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, rotation | Match.SOFT));
            align(pair);
            const [asking, there] = both(pair, (w) => w.kernels.limitClusters(0, w.clusterCount, conserving, bent));
            // Of a few thousand memberships one may lie within a rounding of the limit.
            expect(Math.abs((there as number) - (asking as number))).toBeLessThanOrEqual(2);
            expect(asking).toBeGreaterThan(0);
            align(pair);
            both(pair, (w) => w.kernels.limitParticles(0, w.particleCount, 0.7, conserving, true, bent));
            expect(difference(pair, 'x')).toBeLessThan(ROUNDING);
            align(pair);
          }
        },
      ),
      { seed, numRuns: 12 },
    );
  });

  it('match: an inverted cluster, kept as it is and turned into a rotation', async () => {
    const pair = await twins(body(8), (world) => {
      const x = world.positions;
      for (let o = 0; o < x.length; o += 4) x[o] *= -0.7;
      disturb(world, 5, 0.01, 1);
    });
    const results: Float32Array[] = [];
    for (const mode of [0, Match.REFLECT, Match.COVARIANCE, Match.COVARIANCE | Match.REFLECT]) {
      both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, mode));
      expect(difference(pair, 'transform'), `mode ${mode}`).toBeLessThan(ROUNDING);
      results.push(pair.wasm.state.views.transform.slice(0, 12));
    }
    const det = (t: Float32Array) =>
      t[0] * (t[5] * t[10] - t[9] * t[6]) - t[4] * (t[1] * t[10] - t[9] * t[2]) + t[8] * (t[1] * t[6] - t[5] * t[2]);
    expect(results.map((t) => Math.round(det(t)))).toEqual([1, -1, 1, -1]);
  });

  it('match: goals do not depend on the point that offsets are measured from, which restShift remembers', async () => {
    const pair = await twins(body(8), disturbed(31, 0.05));
    const goals = (world: World) => {
      const { transform: t, member, memberStart } = world.state.views;
      const result: number[] = [];
      for (let c = 0; c < world.clusterCount; c++)
        for (let k = memberStart[c], o = 20 * c; k < memberStart[c + 1]; k++)
          for (let a = 0; a < 3; a++) {
            const turned =
              t[o + a] * member[4 * k] + t[o + 4 + a] * member[4 * k + 1] + t[o + 8 + a] * member[4 * k + 2];
            result.push(t[o + 16 + a] + t[o + 12 + a] + turned);
          }
      return result;
    };
    for (const world of [pair.ts, pair.wasm])
      for (const mode of [0, Match.COVARIANCE]) {
        world.kernels.matchClusters(0, world.clusterCount, mode);
        const before = goals(world);
        const { member, restShift } = world.state.views;
        const shift = [0.125, -0.25, 0.0625];
        for (let k = 0; k < 4 * world.membershipCount; k++) if (k % 4 < 3) member[k] += shift[k % 4];
        for (let k = 0; k < 3 * world.clusterCount; k++) restShift[k] += shift[k % 3];
        world.kernels.matchClusters(0, world.clusterCount, mode);
        const worst = goals(world).reduce((far, g, k) => Math.max(far, Math.abs(g - before[k])), 0);
        expect(worst, `${world.backend}, mode ${mode}`).toBeLessThan(ROUNDING);
      }
  });

  it('match: mean velocity, angular velocity, old centre, inertia and stretch', async () => {
    for (const clusters of [1, 8]) {
      const pair = await twins(body(clusters), disturbed(7, 0.05));
      both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, Match.RIGID_MOTION | Match.INERTIA | Match.STRETCH));
      // The centre of the one cluster is near the origin: what counts is the half size of the block.
      for (const name of ['motion', 'oldCentre', 'inertiaInverse', 'sigma'] as const)
        expect(difference(pair, name, name === 'oldCentre' ? 0.45 : undefined), name).toBeLessThan(ROUNDING);
      expect(pair.ts.state.views.motion.slice(4, 7).some((w) => Math.abs(w) > 0.1)).toBe(true);

      both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, Match.LINEAR_MOTION));
      for (let c = 0; c < clusters; c++)
        for (let a = 0; a < 3; a++)
          expect(pair.wasm.state.views.motion[8 * c + a]).toBeCloseTo(pair.ts.state.views.motion[8 * c + a], 5);
    }
  });

  it.each([
    ['rigid damping and forces', rigid],
    ['linear damping', { ...rigid, rigid: false, forces: false }],
    ['no damping', { ...rigid, damping: 0, rigid: false, forces: false }],
    ['a speed limit', { ...rigid, maxSpeed: 3 }],
  ])('integrate: x, v and xOld with %s', async (_, parameters) => {
    const pair = await twins(body(8), disturbed(11, 0.05));
    both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, Match.RIGID_MOTION));
    align(pair);
    both(pair, (w) => w.kernels.integrateParticles(0, w.particleCount, parameters));
    for (const name of ['x', 'v', 'xOld'] as const) expect(difference(pair, name), name).toBeLessThan(ROUNDING);
    const { v, flags } = pair.wasm.state.views;
    for (let i = 0; i < pair.wasm.particleCount; i++) {
      expect(v[4 * i + 3]).toBe(0);
      const speed = Math.hypot(v[4 * i], v[4 * i + 1], v[4 * i + 2]);
      if (!(flags[i] & Flag.HELD)) expect(speed).toBeLessThanOrEqual(parameters.maxSpeed * (1 + 1e-6));
    }
  });

  it('levels: sums, rotations, motions and what clusters make of them, for a body that has flowed as well', async () => {
    for (const mode of [0, Match.COVARIANCE, Match.LINEAR_MOTION, Match.RIGID_MOTION | Match.PLASTIC]) {
      const pair = await twins({ ...body(24), levels: {}, material: { raw: {} } }, (world) => {
        disturbed(37, 0.05)(world);
        // Rest frames as flow leaves them: no longer 1.
        const next = random(41);
        const { tieRest } = world.state.views;
        for (let k = 0; k < 12 * world.state.count.tie; k++) tieRest[k] += 0.1 * (next() - 0.5);
      });
      const [
        {
          rows,
          core: { levelCount },
        },
      ] = pair.ts.bodies;
      expect(levelCount).toBe(3);
      both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, mode | Match.SUMS));
      expect(difference(pair, 'sums')).toBeLessThan(ROUNDING);
      align(pair);
      both(pair, (w) => w.kernels.sumLevels(rows, mode));
      both(pair, (w) => w.kernels.blendLevels(rows, mode, 0.5, 0.25));
      // From the same sums both compute in f64.
      for (const name of ['coarseFit', 'coarseGoal'] as const) expect(difference(pair, name), name).toBeLessThan(1e-12);
      for (const name of ['transform', 'motion'] as const) expect(difference(pair, name), name).toBeLessThan(1e-7);
    }
  });

  it('integrate: held particles keep the velocity they were given, and only move by it', async () => {
    const pair = await twins(body(8), disturbed(13, 0.05));
    for (const world of [pair.ts, pair.wasm]) {
      const [x, v] = [world.positions.slice(), world.velocities.slice()];
      world.kernels.matchClusters(0, world.clusterCount, Match.RIGID_MOTION);
      world.kernels.integrateParticles(0, world.particleCount, rigid);
      const { flags } = world.state.views;
      let held = 0;
      for (let i = 0; i < world.particleCount; i++) {
        const free = !(flags[i] & Flag.HELD);
        if (!free) held++;
        expect(world.velocities.slice(4 * i, 4 * i + 3).every((u, a) => u === v[4 * i + a])).toBe(!free);
        if (!free)
          for (let a = 0; a < 3; a++)
            expect(world.positions[4 * i + a]).toBeCloseTo(x[4 * i + a] + v[4 * i + a] / 60, 5);
      }
      expect(held).toBeGreaterThan(50);
    }
  });

  it.each([
    ['paper', false],
    ['conserving', true],
  ])('limit: the same particles move to the same places (%s), firm ones never', async (_, conserving) => {
    const pair = await twins({ ...body(8), material: { raw: { limit: { gamma: 0.05 } } } }, disturbed(17, 0.1));
    const mode = Match.RIGID_MOTION | Match.INERTIA;
    both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, mode));
    both(pair, (w) => w.kernels.integrateParticles(0, w.particleCount, rigid));
    both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, 0));
    align(pair);
    const [asking, there] = both(pair, (w) => w.kernels.limitClusters(0, w.clusterCount, conserving));
    expect(there).toBe(asking);
    if (conserving) expect(difference(pair, 'correction')).toBeLessThan(ROUNDING * 10);
    align(pair);
    const before = pair.ts.positions.slice();
    const [a, b] = both(pair, (w) => w.kernels.limitParticles(0, w.particleCount, 0.7, conserving, true));
    expect(a).toBe(b);
    expect(a).toBeGreaterThan(100);
    expect(difference(pair, 'x')).toBeLessThan(ROUNDING);
    const { flags } = pair.ts.state.views;
    for (const world of [pair.ts, pair.wasm])
      for (let i = 0; i < world.particleCount; i++)
        if (flags[i] & Flag.FIRM)
          expect(world.positions.slice(4 * i, 4 * i + 4)).toEqual(before.slice(4 * i, 4 * i + 4));

    both(pair, (w) => w.kernels.updateVelocities(0, w.particleCount, 1 / 60));
    // v = (x − xOld)/h loses the digits that x − xOld cancels: an ulp of x (6e-8 m) is 4e-6 m/s at 60 Hz.
    expect(difference(pair, 'v')).toBeLessThan(10 * ROUNDING);
    const { x, xOld, v } = pair.wasm.state.views;
    for (let o = 0; o < 4 * pair.wasm.particleCount; o += 4)
      for (let k = 0; k < 3; k++) expect(v[o + k]).toBeCloseTo((x[o + k] - xOld[o + k]) * 60, 3);
  });

  it.each([
    ['paper', false],
    ['conserving', true],
  ])('limit: sweeps over clusters that moved only give the same bits as full ones (%s)', async (_, conserving) => {
    for (const seed of [1, 2, 3]) {
      // A few particles of a long bar pulled out: some clusters are deformed, others not.
      const bar = {
        shape: { type: 'box', size: [4, 0.3, 0.3] },
        sampling: { method: 'grid', spacing: 0.1 },
        clustering: { count: 20, radius: 0.3 },
      } as const;
      const prepare = (world: World) => {
        const next = random(seed);
        for (let n = 0; n < 3; n++)
          world.positions[4 * Math.floor(next() * world.particleCount) + (n % 3)] += 0.5 + next();
        for (let n = 0; n < 40; n++) world.bodies[0].pin(Math.floor(next() * world.particleCount));
      };
      const options = { ...bar, material: { raw: { limit: { gamma: 0.25 } } } };
      const pair = await twins(options, prepare);
      const results = [];
      for (const only of [0, Match.MOVED_ONLY]) {
        const { wasm: world } = only === 0 ? pair : await twins(options, prepare);
        world.kernels.matchClusters(0, world.clusterCount, Match.INERTIA);
        world.kernels.integrateParticles(0, world.particleCount, { ...rigid, damping: 0, forces: false });
        const moved = [];
        let idle = false;
        for (let sweep = 0; sweep < 5; sweep++) {
          world.kernels.matchClusters(0, world.clusterCount, sweep > 0 ? only : 0);
          idle ||= world.state.views.refit.subarray(0, world.clusterCount).includes(0);
          // Full: every cluster fitted, every particle looked at. Sparse: what moved, and what limitClusters found.
          world.kernels.limitClusters(0, world.clusterCount, conserving);
          moved.push(world.kernels.limitParticles(0, world.particleCount, 0.6, conserving, only === 0));
        }
        expect(idle).toBe(only > 0);
        results.push({ moved, x: new Uint32Array(world.positions.slice().buffer) });
      }
      expect(results[1]).toEqual(results[0]);
      expect(results[0].moved[0]).toBeGreaterThan(0);
    }
  });

  it('velocity: a particle that limiting did not move keeps its velocity to the last bit', async () => {
    const pair = await twins(body(1), disturbed(19, 0.05));
    for (const world of [pair.ts, pair.wasm]) {
      world.kernels.matchClusters(0, world.clusterCount, Match.RIGID_MOTION);
      world.kernels.integrateParticles(0, world.particleCount, rigid);
      const before = world.velocities.slice();
      world.kernels.updateVelocities(0, world.particleCount, 1 / 60);
      expect(world.velocities.slice()).toEqual(before);
    }
  });

  it('sum ways and brake to the same bits', async () => {
    const pair = await twins(body(8), disturbed(29, 0.05));
    align(pair);
    const range = [3, pair.ts.particleCount - 2] as const;
    const [one, other] = [pair.ts, pair.wasm].map((world) => {
      const { x, xOld, v } = world.state.views;
      for (let o = 0; o < 4 * world.particleCount; o += 4)
        for (let a = 0; a < 3; a++) xOld[o + a] = x[o + a] - 0.01 * v[o + a];
      const before = v.slice();
      const ways = world.kernels.sumSquaredWays(...range);
      world.kernels.brakeParticles(...range, 0.9);
      return { ways, v: v.slice(), before };
    });
    expect(one.ways).toBeGreaterThan(0);
    expect(other.ways).toBe(one.ways);
    // A number that is not finite shows, wherever it is: quarantine looks at particles only then.
    for (const world of [pair.ts, pair.wasm])
      for (const [array, at] of [
        ['x', 1],
        ['x', 3],
        ['v', 2],
        ['v', 0],
      ] as const)
        for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
          const o = 4 * (world.particleCount - 1) + at;
          const kept = world.state.views[array][o];
          world.state.views[array][o] = odd;
          expect(world.kernels.sumSquaredWays(0, world.particleCount)).not.toSatisfy(Number.isFinite);
          world.state.views[array][o] = kept;
          expect(world.kernels.sumSquaredWays(0, world.particleCount)).toSatisfy(Number.isFinite);
        }
    expect(other.v).toEqual(one.v);
    for (const [o, value] of one.before.entries())
      expect(one.v[o]).toBe(o >= 4 * range[0] && o < 4 * range[1] ? Math.fround(0.9 * value) : value);
  });

  it('find the same clusters with strays', async () => {
    const pair = await twins(body(8), disturbed(31, 0.05));
    align(pair);
    const { kernels, state } = pair.ts;
    const spacing = state.views.proxySpacing[0];
    // One member far away, which other clusters hold too, and one that belongs to its cluster alone.
    const { linkStart, linkCluster, gatherOrder } = state.views;
    const holders = (n: number) => linkStart[n + 1] - linkStart[n];
    const ranks = Array.from({ length: pair.ts.particleCount }, (_, n) => n);
    const shared = ranks.find((n) => holders(n) > 1)!;
    const lone = ranks.find((n) => holders(n) === 1 && linkCluster[linkStart[n]] !== linkCluster[linkStart[shared]])!;
    const answers = (times: number) =>
      [pair.ts, pair.wasm].map((world) =>
        Array.from({ length: 8 }, (_, c) => world.kernels.hasStray(c, 8, 8, times * times, 4 * spacing * spacing)),
      );
    for (const times of [0.3, 0.5, 0.8, 1, 2]) {
      const [one, other] = answers(times);
      expect(other).toEqual(one);
    }
    expect(answers(30)[0]).toEqual(Array(8).fill(false));
    for (const world of [pair.ts, pair.wasm])
      for (const n of [shared, lone]) world.state.views.x[4 * gatherOrder[n]] += 1000 * spacing;
    const [one, other] = answers(30);
    expect(other).toEqual(one);
    const held = [...linkCluster.subarray(linkStart[shared], linkStart[shared + 1])];
    expect(one).toEqual(Array.from({ length: 8 }, (_, c) => held.includes(c)));
    // Every third cluster, from the second one on.
    expect(kernels.hasStray(1, 8, 3, 900, 4 * spacing * spacing)).toBe(held.some((c) => c % 3 === 1));
    // A cluster that fades in or out has none.
    for (const world of [pair.ts, pair.wasm]) {
      world.state.views.fade.fill(0.5);
      expect(world.kernels.hasStray(0, 8, 1, 900, 4 * spacing * spacing)).toBe(false);
    }
  });

  it('count what is not finite alike', async () => {
    const pair = await twins(BLOCK);
    for (const world of [pair.ts, pair.wasm]) {
      const { positions: x, velocities: v } = world;
      expect(world.kernels.countNonFinite(0, world.particleCount)).toBe(0);
      x[0] = 3e38;
      x[1] = 3e38;
      v[4] = -3e38;
      expect(world.kernels.countNonFinite(0, world.particleCount)).toBe(0);
      x[8] = Number.NaN;
      x[9] = Number.NaN;
      v[13] = Number.POSITIVE_INFINITY;
      x[14] = Number.NEGATIVE_INFINITY;
      v[18] = Number.NaN;
      expect(world.kernels.countNonFinite(0, world.particleCount)).toBe(3);
      expect(world.kernels.countNonFinite(3, 4)).toBe(1);
      expect(world.kernels.countNonFinite(5, world.particleCount)).toBe(0);
    }
  });

  it('work on the range they are given and write nothing outside it', async () => {
    const pair = await twins(body(8), disturbed(23, 0.05));
    for (const world of [pair.ts, pair.wasm]) {
      const { transform } = world.state.views;
      transform.fill(7);
      world.kernels.matchClusters(2, 4, 0);
      expect(transform.slice(0, 40).every((t) => t === 7)).toBe(true);
      expect(transform[40]).not.toBe(7);
      expect(transform[60]).not.toBe(7);
      expect(transform.slice(80, 160).every((t) => t === 7)).toBe(true);
    }
  });
});
