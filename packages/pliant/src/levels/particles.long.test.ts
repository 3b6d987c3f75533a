import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { polarInto } from '../math/polar.js';
import { distance, disturb, spinOf, turmoil, worldWith } from '../testing/bodies.js';
import { linksOf } from '../testing/links.js';
import { refusal } from '../testing/refusal.js';
import { report } from '../testing/report.js';
import { rigidFit } from '../testing/rigidFit.js';
import { testSeed } from '../testing/seed.js';
import type { World } from '../world.js';
import type { LevelWeights } from './weights.js';

/** 1000 particles, 66, 8 and 1 clusters. */
const CUBE: BodyOptions = {
  shape: { type: 'box', size: [1, 1, 1] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 66, radius: 0.25 },
  levels: { sums: 'particles' },
  material: { raw: {} },
};

/** The members of each cluster of each level, with their weights. */
function belongings(world: World): { level: number; members: { i: number; w: number }[] }[] {
  const own = world.bodies[0].core.ownLevels!;
  const fine = Array.from({ length: world.clusterCount }, () => ({
    level: 0,
    members: [] as { i: number; w: number }[],
  }));
  for (let i = 0; i < world.particleCount; i++)
    for (const { cluster, w } of linksOf(world, i)) fine[cluster].members.push({ i, w });
  const coarse = Array.from(own.level, (level, c) => ({
    level,
    members: Array.from({ length: own.start[c + 1] - own.start[c] }, (_, n) => ({
      i: own.particle[own.start[c] + n],
      w: own.weight[own.start[c] + n],
    })),
  }));
  return [...fine, ...coarse];
}

/** [K20] algorithms 2 and 3 as sums over the lists of all levels, from scratch: velocities after a step without limiting. */
function algorithm3(world: World, alphas: number[], drags: number[], weights: ArrayLike<number>): number[][] {
  const { restPositions: rest, positions: x, velocities: v } = world.bodies[0];
  const dv = Array.from({ length: world.particleCount }, () => [0, 0, 0]);
  for (const { level, members } of belongings(world)) {
    const mean = (of: ArrayLike<number>, width: number) => {
      const [sum, total] = [[0, 0, 0], { mass: 0 }];
      for (const { i, w } of members) {
        total.mass += x[4 * i + 3] * w;
        for (let a = 0; a < 3; a++) sum[a] += x[4 * i + 3] * w * of[width * i + a];
      }
      return sum.map((value) => value / total.mass);
    };
    const [p, c, u] = [mean(rest, 3), mean(x, 4), mean(v, 4)];
    const [A, R] = [new Float64Array(9), new Float64Array(9)];
    for (const { i, w } of members)
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) A[3 * b + a] += x[4 * i + 3] * w * (x[4 * i + a] - c[a]) * (rest[3 * i + b] - p[b]);
    polarInto(R, A);
    for (const { i, w } of members)
      for (let a = 0; a < 3; a++) {
        let goal = c[a];
        for (let b = 0; b < 3; b++) goal += R[3 * b + a] * (rest[3 * i + b] - p[b]);
        const pull = (alphas[level] / world.dt) * (goal - x[4 * i + a]);
        dv[i][a] += weights[level] * w * (pull + drags[level] * (u[a] - v[4 * i + a]));
      }
  }
  return dv.map((d, i) => d.map((value, a) => v[4 * i + a] + value + world.dt * world.gravity[a]));
}

describe.each(BACKENDS)('levels that sum over particles (%s)', (backend) => {
  it('hold every particle wholly in each level, by lists of their own', async () => {
    const { world, body } = await worldWith(CUBE, { backend });
    expect(body.levels.map((level) => level.clusters)).toEqual([66, 8, 1]);
    expect(world.state.count.coarse).toBe(0);
    const sums = [0, 1, 2].map(() => new Float64Array(world.particleCount));
    for (const { level, members } of belongings(world)) for (const { i, w } of members) sums[level][i] += w;
    for (const level of sums) for (const sum of level) expect(sum).toBeCloseTo(1, 6);
    // A particle's weights in the second level are not what its clusters' are: the kernel's own.
    const own = body.core.ownLevels!;
    expect(own.particle.length).toBeLessThan(world.membershipCount + 9 * world.particleCount);
    expect(world.validate()).toEqual([]);
  });

  it.each([
    ['one α and k_d', undefined, undefined],
    ['α and k_d of each level', [0.3, 0.8, 1.2], [0.3, 0, 0.1]],
  ] as const)('do what algorithms 2 and 3 of [K20] say: %s', async (_, stiffness, damping) => {
    const weights = [0.2, 0.5, 0.3];
    const { world, body } = await worldWith(
      {
        ...CUBE,
        material: {
          raw: {
            ...(stiffness ? {} : { stiffness: 0.7, damping: 0.1 }),
            rotation: 'covariance',
            dampingMode: 'linear',
            limit: { iterations: 0 },
          },
        },
        levels: { sums: 'particles', weights, stiffness, damping },
      },
      { backend, gravity: [1, -9.81, 0] },
    );
    disturb(world, testSeed('particle levels against algorithm 3'), 0.1, 1);
    const expected = algorithm3(world, [...(stiffness ?? [0.7, 0.7, 0.7])], [...(damping ?? [0.1, 0.1, 0.1])], weights);
    const before = body.velocities.slice();
    world.step();
    let [worst, least] = [0, Number.POSITIVE_INFINITY];
    for (let i = 0; i < world.particleCount; i++) {
      const mine = body.velocities.subarray(4 * i, 4 * i + 3);
      worst = Math.max(worst, distance(mine, expected[i]));
      least = Math.min(least, distance(mine, before.subarray(4 * i, 4 * i + 3)));
    }
    // f32 positions of 1 m, times 60 Hz: 4e-6 m/s a rounding. Velocities change by metres a second.
    expect(worst).toBeLessThan(4e-5);
    expect(least).toBeGreaterThan(0.01);
  });

  it.each<LevelWeights>([
    'uniform',
    { type: 'linear', to: 'coarse' },
    { type: 'gaussian', to: 'fine' },
    { type: 'polynomial', to: 'coarse', b: 10, c: 2 },
    [0, 1, 0],
  ])('keep momenta to rounding, with rigid damping too: %j', async (weights) => {
    const { world } = await worldWith(
      { ...CUBE, material: { raw: { rotation: 'covariance', damping: 0.1 } }, levels: { sums: 'particles', weights } },
      { backend },
    );
    disturb(world, testSeed('momentum of particle levels'), 0.1, 1);
    const start = { momentum: world.measure().momentum, spin: spinOf(world), scale: turmoil(world) };
    for (let n = 0; n < 50; n++) world.step();
    expect(distance(world.measure().momentum, start.momentum) / world.measure().mass).toBeLessThan(2e-5);
    expect(distance(spinOf(world), start.spin) / start.scale).toBeLessThan(2e-5);
  });

  it('all on the finest is one level alone, all on the coarsest one cluster; quadratic goals count by the share of the finest', async () => {
    const run = async (options: BodyOptions, mode: 'rigid' | 'quadratic' = 'rigid') => {
      const material = {
        raw: { limit: { iterations: 0 }, damping: 0.05, mode, ...(mode === 'quadratic' && { beta: 0.7 }) },
      };
      const { world, body } = await worldWith({ ...options, material, stretch: [1.3, 1, 0.9] }, { backend });
      disturb(world, 5, 0.01, 0.3);
      for (let n = 0; n < 20; n++) world.step();
      return body.positions.slice();
    };
    const far = (a: Float32Array, b: Float32Array) => a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);
    const weighted = (...weights: number[]) => ({ ...CUBE, levels: { sums: 'particles', weights } }) as const;
    const { levels: _, ...plain } = CUBE;
    const fine = await run(weighted(1, 0, 0));
    expect(far(fine, await run(plain))).toBeLessThan(1e-5);
    const coarse = await run(weighted(0, 0, 1));
    expect(far(coarse, await run({ ...plain, clustering: { count: 1 } }))).toBeLessThan(2e-5);
    expect(far(fine, coarse)).toBeGreaterThan(0.01);
    expect(far(await run(weighted(1, 0, 0), 'quadratic'), await run(plain, 'quadratic'))).toBeLessThan(1e-5);
    expect(far(await run(weighted(0, 0, 1), 'quadratic'), coarse)).toBeLessThan(2e-5);
  });
});

describe('levels that sum over particles', () => {
  it('change their weights while running, and come and go with their body', async () => {
    const { world, body } = await worldWith(CUBE);
    const options = { ...CUBE, position: [3, 0, 0], stretch: [1.2, 1, 1], stretchCentre: [3, 0, 0] } as const;
    const other = world.addBody(options);
    const alone = await worldWith(options);
    world.removeBody(body);
    for (const it of [other, alone.body]) it.setLevels({ weights: [1, 2, 3] });
    for (let n = 0; n < 10; n++) {
      world.step();
      alone.world.step();
    }
    expect(other.positions).toEqual(alone.body.positions);
    expect(rigidFit(other).rms).toBeGreaterThan(1e-3);
  });

  it('do not tie together what the clusters do not, and are not separated', async () => {
    const bar = (y: number) => ({ type: 'box', size: [2, 0.3, 0.3], position: [0, y, 0] }) as const;
    const { world, body } = await worldWith({
      ...CUBE,
      shape: { type: 'union', of: [bar(0), bar(0.6)] },
      clustering: { count: 16, radius: 0.25 },
    });
    expect(body.levels.map((level) => level.clusters)).toEqual([body.clusterCount, expect.any(Number), 2]);
    const { x, v } = world.state.views;
    for (let i = 0; i < world.particleCount; i++) if (x[4 * i + 1] > 0.3) v[4 * i + 1] = 5;
    for (let n = 0; n < 60; n++) world.step();
    for (let i = 0; i < world.particleCount; i++)
      expect(Math.abs(x[4 * i + 1] - (x[4 * i + 1] > 2.5 ? 5.6 : 0))).toBeLessThan(0.2);
    expect(refusal(() => world.separate(body))).toContain("expected one whose levels have sums: 'nested'");
  });

  it('are what nested sums come close to: a small stretch swings a little faster with these, less than 10 %', async () => {
    const frequency = async (sums: 'nested' | 'particles', weights: LevelWeights) => {
      const material = {
        raw: { stiffness: 0.1, damping: 0, rotation: 'covariance', limit: { iterations: 0 } },
      } as const;
      const { world, body } = await worldWith({ ...CUBE, material, levels: { sums, weights }, stretch: [1.05, 1, 1] });
      const { restPositions: rest } = body;
      const stretch = () => {
        let [along, square] = [0, 0];
        for (let i = 0; i < body.particleCount; i++) {
          along += body.positions[4 * i] * rest[3 * i];
          square += rest[3 * i] ** 2;
        }
        return along / square - 1;
      };
      const falls: number[] = [];
      for (let n = 0, last = stretch(); n < 200; n++) {
        world.step();
        const now = stretch();
        if (last > 0 && now <= 0) falls.push(n + last / (last - now));
        last = now;
      }
      return (falls.length - 1) / (falls[falls.length - 1] - falls[0]);
    };
    for (const to of ['fine', 'coarse'] as const) {
      const weights = { type: 'gaussian', to } as const;
      const ratio = (await frequency('nested', weights)) / (await frequency('particles', weights));
      report(`gaussian to ${to}: nested over particles`, ratio, '');
      // Nested coarse clusters reach one fine cluster farther, and are stiffer for it: never softer.
      expect(ratio).toBeGreaterThan(1);
      expect(ratio).toBeLessThan(1.1);
    }
  });

  it('are refused where clusters change, with the reason', async () => {
    const { world, body } = await worldWith(CUBE);
    const reason = "expected nothing beside levels.sums: 'particles'";
    expect(refusal(() => world.addBody({ ...CUBE, material: { yield: 0.1, raw: {} } }))).toContain(
      `body.material.yield is 0.1; ${reason}`,
    );
    expect(refusal(() => world.addBody({ ...CUBE, material: { toughness: 2, raw: {} } }))).toContain(
      `body.material.toughness is 2; ${reason}`,
    );
    expect(refusal(() => body.setMaterial({ yield: 0.1 }))).toContain(`material.yield is 0.1; ${reason}`);
    expect(refusal(() => body.setMaterial({ toughness: 0.1 }))).toContain(`material.toughness is 0.1; ${reason}`);
    expect(body.core.yields || body.core.breaks).toBe(false);
    expect(refusal(() => world.addBody({ ...CUBE, levels: { sums: 'particles', of: 'clusters' } }))).toContain(
      'body.levels.of',
    );
    expect(refusal(() => world.addBody({ ...CUBE, levels: { sums: 'all' as never } }))).toContain('body.levels.sums');
    body.setMaterial({ yield: Number.POSITIVE_INFINITY, raw: { stiffness: 0.5 } });
  });
});
