import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { polarInto } from '../math/polar.js';
import { distance, disturb, spinOf, turmoil, worldWith } from '../testing/bodies.js';
import { linksOf } from '../testing/links.js';
import { refusal } from '../testing/refusal.js';
import { testSeed } from '../testing/seed.js';
import type { World } from '../world.js';

/** 1000 particles, 66, 8 and 1 clusters, as the ball and the wall of [K20]. */
const CUBE: BodyOptions = {
  shape: { type: 'box', size: [1, 1, 1] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 66 },
  levels: {},
  material: { raw: {} },
};

/** Of every level, what each particle belongs to and how much: level 0 by its links, the others through ties. */
function belongings(world: World): Map<number, number>[][] {
  const s = world.state.views;
  const [
    {
      rows,
      core: { levelCount },
    },
  ] = world.bodies;
  const perLevel: Map<number, number>[][] = [];
  perLevel.push(
    Array.from(
      { length: world.particleCount },
      (_, i) => new Map(linksOf(world, i).map(({ cluster, w }) => [cluster, w])),
    ),
  );
  for (let level = 1; level < levelCount; level++)
    perLevel.push(
      perLevel[level - 1].map((below) => {
        const mine = new Map<number, number>();
        for (let t = rows.tieStart; t < rows.tieEnd; t++) {
          if (s.coarseLevel[s.tieParent[t]] !== level || !below.has(s.tieChild[t])) continue;
          const add = below.get(s.tieChild[t])! * s.tieWeight[t];
          mine.set(s.tieParent[t], (mine.get(s.tieParent[t]) ?? 0) + add);
        }
        return mine;
      }),
    );
  return perLevel;
}

/** [K20] algorithms 2 and 3, word for word, over all particles of all levels (rotations of A_xr): velocities after a step without limiting. */
function algorithm3(world: World): number[][] {
  const [body] = world.bodies;
  const {
    restPositions: rest,
    positions: x,
    velocities: v,
    core: { levelStrengths },
    material,
  } = body;
  const { stiffness } = world.state.views;
  const n = world.particleCount;
  const dv = Array.from({ length: n }, () => [0, 0, 0]);
  const levels = belongings(world);
  for (let level = levels.length - 1; level >= 0; level--) {
    const clusters = new Map<number, { i: number; w: number }[]>();
    levels[level].forEach((mine, i) => {
      for (const [c, w] of mine) clusters.set(c, [...(clusters.get(c) ?? []), { i, w }]);
    });
    for (const members of clusters.values()) {
      let mass = 0;
      const [p, c, u] = [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ];
      for (const { i, w } of members) {
        const mw = x[4 * i + 3] * w;
        mass += mw;
        for (let a = 0; a < 3; a++) {
          p[a] += mw * rest[3 * i + a];
          c[a] += mw * x[4 * i + a];
          u[a] += mw * v[4 * i + a];
        }
      }
      for (const sum of [p, c, u]) for (let a = 0; a < 3; a++) sum[a] /= mass;
      const [A, R] = [new Float64Array(9), new Float64Array(9)];
      for (const { i, w } of members)
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++)
            A[3 * b + a] += x[4 * i + 3] * w * (x[4 * i + a] - c[a]) * (rest[3 * i + b] - p[b]);
      polarInto(R, A);
      for (const { i, w } of members)
        for (let a = 0; a < 3; a++) {
          let goal = c[a];
          for (let b = 0; b < 3; b++) goal += R[3 * b + a] * (rest[3 * i + b] - p[b]);
          const pull = (stiffness[i] / world.dt) * (goal - x[4 * i + a]);
          dv[i][a] += levelStrengths!.weights[level] * w * (pull + material.damping * (u[a] - v[4 * i + a]));
        }
    }
  }
  return dv.map((d, i) => d.map((value, a) => v[4 * i + a] + value + world.dt * world.gravity[a]));
}

describe.each(BACKENDS)('levels in %s', (backend) => {
  it('are an eighth of the clusters each, up to one that holds all, and every particle is wholly in each', async () => {
    const { world, body } = await worldWith(CUBE, { backend });
    expect(body.levels.map((level) => level.clusters)).toEqual([66, 8, 1]);
    expect(body.core.levelCount).toBe(3);
    for (const level of belongings(world))
      for (const mine of level) {
        const sum = [...mine.values()].reduce((a, b) => a + b, 0);
        expect(sum).toBeCloseTo(1, 6);
      }
    const { coarseMass, coarseLevel } = world.state.views;
    for (const level of [1, 2]) {
      let mass = 0;
      for (let c = 0; c < world.state.count.coarse; c++) if (coarseLevel[c] === level) mass += coarseMass[c];
      expect(mass / world.measure().mass).toBeCloseTo(1, 6);
    }
    expect(world.validate()).toEqual([]);
  });

  it('do what algorithms 2 and 3 of [K20] do, summed over all particles', async () => {
    const material = {
      raw: {
        rotation: 'covariance',
        dampingMode: 'linear',
        damping: 0.1,
        limit: { iterations: 0 },
        stiffness: (x: number) => 0.5 + x,
      },
    } as const;
    const { world, body } = await worldWith(
      { ...CUBE, material, levels: { weights: [0.2, 0.5, 0.3] } },
      { backend, gravity: [1, -9.81, 0] },
    );
    disturb(world, testSeed('levels against algorithm 3'), 0.1, 1);
    const expected = algorithm3(world);
    const { weights } = body.core.levelStrengths!;
    expect(weights).toEqual(Float64Array.of(0.2, 0.5, 0.3));
    const before = body.velocities.slice();
    world.step();
    const [v, change] = [body.velocities, { worst: 0, least: Infinity }];
    for (let i = 0; i < world.particleCount; i++) {
      const mine = [v[4 * i], v[4 * i + 1], v[4 * i + 2]];
      change.worst = Math.max(change.worst, distance(mine, expected[i]));
      change.least = Math.min(change.least, distance(mine, before.subarray(4 * i, 4 * i + 3)));
    }
    // f32 positions of 1 m, times 60 Hz: 6e-8 · 60 = 4e-6 m/s a rounding. Velocities change by metres a second.
    expect(change.worst).toBeLessThan(4e-5);
    expect(change.least).toBeGreaterThan(0.01);
  });

  it('keep momenta to rounding where one level does', async () => {
    const { world } = await worldWith(
      {
        ...CUBE,
        material: { raw: { rotation: 'covariance', damping: 0.1 } },
        levels: { weights: { type: 'linear', to: 'coarse' } },
      },
      { backend },
    );
    disturb(world, testSeed('momentum of levels'), 0.1, 1);
    const start = { momentum: world.measure().momentum, spin: spinOf(world), scale: turmoil(world) };
    const scale = world.measure().mass;
    for (let n = 0; n < 100; n++) world.step();
    expect(distance(world.measure().momentum, start.momentum) / scale).toBeLessThan(2e-5);
    expect(distance(spinOf(world), start.spin) / start.scale).toBeLessThan(2e-5);
  });

  it('all on the finest is one level alone, all on the coarsest one cluster', async () => {
    const material = { raw: { limit: { iterations: 0 }, damping: 0.05 } };
    const run = async (options: BodyOptions) => {
      const { world, body } = await worldWith({ ...options, material, stretch: [1.3, 1, 0.9] }, { backend });
      disturb(world, 5, 0.01, 0.3);
      for (let n = 0; n < 20; n++) world.step();
      return body.positions.slice();
    };
    const { levels: _, ...plain } = CUBE;
    const far = (a: Float32Array, b: Float32Array) => a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);
    const [fine, alone] = [await run({ ...CUBE, levels: { weights: [1, 0, 0] } }), await run(plain)];
    expect(far(fine, alone)).toBeLessThan(1e-5);
    const one = { ...plain, clustering: { count: 1 } };
    const [coarse, single] = [await run({ ...CUBE, levels: { weights: [0, 0, 1] } }), await run(one)];
    expect(far(coarse, single)).toBeLessThan(1e-5);
    expect(far(fine, coarse)).toBeGreaterThan(0.01);
  });

  it('have stiffness and damping of their own where given, which can change while running', async () => {
    const { world, body } = await worldWith(
      { ...CUBE, levels: { stiffness: [0.5, 1, 1.5], damping: [0, 0, 0.3] } },
      { backend },
    );
    expect(body.core.damping).toBeCloseTo(0.1, 12);
    expect(world.state.views.stiffness[0]).toBeCloseTo(1, 6);
    expect(Array.from(body.core.levelStrengths!.pull)).toEqual([1 / 6, 1 / 3, 1 / 2].map((w) => expect.closeTo(w, 12)));
    expect(Array.from(body.core.levelStrengths!.drag)).toEqual([0, 0, 1]);
    body.sleep();
    body.setLevels({ weights: [1, 0, 0] });
    expect(body.asleep).toBe(false);
    expect(body.core.damping).toBe(0);
    expect(world.state.views.stiffness[0]).toBeCloseTo(0.5, 6);
    expect(body.levels.map((level) => level.weight)).toEqual([1, 0, 0]);
    expect(refusal(() => body.setLevels({ weights: [1] }))).toContain('levels.weights has 1 numbers; expected 3');
    expect(refusal(() => body.setLevels({ stiffness: [1, 1, 2] }))).toContain('levels.stiffness[2] is 2');
    expect(refusal(() => body.setLevels({ damping: [0, -1, 0] }))).toContain('levels.damping[1] is -1');
    expect(refusal(() => body.setMaterial({ raw: { stiffness: 0.3 } }))).toContain(
      'material.raw.stiffness is 0.3; expected nothing',
    );
    expect(body.levels.map((level) => level.weight)).toEqual([1, 0, 0]);
    expect(
      refusal(() => world.addBody({ ...CUBE, material: { raw: { damping: 0.1 } }, levels: { damping: [0, 0, 0] } })),
    ).toContain('body.material.raw.damping is 0.1; expected nothing beside levels.damping');
    expect(refusal(() => world.addBody({ ...CUBE, levels: { weights: [1, 2] } }))).toContain(
      'body.levels.weights has 2',
    );
    expect(refusal(() => world.addBody({ ...CUBE, levels: { radiusFactor: 1 } }))).toContain(
      'body.levels.radiusFactor is 1',
    );
    expect(world.bodies.length).toBe(1);
  });
});

describe('levels', () => {
  it('are built in any number, of clusters or of particles, and of bodies of any kind', async () => {
    const clusters = async (options: Partial<BodyOptions>) => {
      const { world, body } = await worldWith({ ...CUBE, ...options });
      expect(world.validate()).toEqual([]);
      return body.levels.map((level) => level.clusters);
    };
    expect(await clusters({ levels: { count: 2 } })).toEqual([66, 8]);
    expect(await clusters({ levels: { count: 1 } })).toEqual([66]);
    expect(await clusters({ levels: { of: 'particles' } })).toEqual([66, 8, 1]);
    expect(await clusters({ clustering: { count: 1 } })).toEqual([1]);
    // 15 particles a cluster where no count is given.
    expect(await clusters({ clustering: {} })).toEqual([66, 8, 1]);
    expect(await clusters({ clustering: { count: 20, kernel: 'poly6', algorithm: 'kmeans' } })).toEqual([20, 2, 1]);
    const halves = [0, 1].map((h) => ({ members: Array.from({ length: 600 }, (_, i) => i + 400 * h) }));
    expect(await clusters({ clustering: undefined, clusters: halves })).toEqual([2, 1]);
  });

  it('hold nothing together that the clusters do not: two bars that are one body fall apart in all levels', async () => {
    const bar = (y: number) => ({ type: 'box', size: [2, 0.3, 0.3], position: [0, y, 0] }) as const;
    const { world, body } = await worldWith({
      ...CUBE,
      shape: { type: 'union', of: [bar(0), bar(0.6)] },
      clustering: { count: 16, radius: 0.25 },
    });
    expect(body.pieces.count).toBe(2);
    expect(body.levels.map((level) => level.clusters)).toEqual([body.clusterCount, expect.any(Number), 2]);
    // The upper bar leaves; the lower one stays where it is, as long as nothing ties it to the other.
    const { x, v } = world.state.views;
    for (let i = 0; i < world.particleCount; i++) if (x[4 * i + 1] > 0.3) v[4 * i + 1] = 5;
    for (let n = 0; n < 60; n++) world.step();
    for (let i = 0; i < world.particleCount; i++)
      expect(Math.abs(x[4 * i + 1] - (x[4 * i + 1] > 2.5 ? 5.6 : 0))).toBeLessThan(0.2);
    const parts = world.separate(body);
    expect(parts.map((part) => part.levels[2].clusters)).toEqual([1, 1]);
    expect(world.validate()).toEqual([]);
    const before = world.positions.slice();
    world.step();
    expect(world.positions.every((value, k) => Number.isFinite(value) && Math.abs(value - before[k]) < 0.1)).toBe(true);
  });

  it('stay with their body when others come and go', async () => {
    const { world, body } = await worldWith(CUBE);
    const other = world.addBody({ ...CUBE, position: [3, 0, 0], stretch: [1.2, 1, 1], stretchCentre: [3, 0, 0] });
    const alone = await worldWith({ ...CUBE, position: [3, 0, 0], stretch: [1.2, 1, 1], stretchCentre: [3, 0, 0] });
    world.removeBody(body);
    expect(world.validate()).toEqual([]);
    for (let n = 0; n < 10; n++) {
      world.step();
      alone.world.step();
    }
    expect(other.positions).toEqual(alone.body.positions);
  });
});

describe.each(BACKENDS)('levels under quadratic goals (%s)', (backend) => {
  const soft = { mode: 'quadratic' as const, beta: 0.7, rotation: 'covariance' as const, damping: 0 };

  it('leave them alone with all weight on the finest, and the rest of it rigid; momentum stays with any', async () => {
    const run = async (levels: BodyOptions['levels']) => {
      const { world, body } = await worldWith(
        { ...CUBE, levels, material: { raw: { ...soft, limit: { iterations: 0 } } } },
        { backend },
      );
      disturb(world, testSeed('bends and levels'), 0.02, 0.5);
      const before = world.measure();
      for (let n = 0; n < 20; n++) world.step();
      for (let a = 0; a < 3; a++)
        expect(Math.abs(world.measure().momentum[a] - before.momentum[a])).toBeLessThan(1e-5 * before.mass);
      return body.positions.slice();
    };
    const [none, finest, all] = [await run(undefined), await run({ weights: [1, 0, 0] }), await run({})];
    // The blend goes through f32 once more.
    expect(distance(finest, none) / Math.sqrt(none.length)).toBeLessThan(1e-5);
    expect(distance(all, none) / Math.sqrt(none.length)).toBeGreaterThan(1e-3);
  });
});
