import { type Backend, type Body, type BodyOptions, type ClusterOptions, type Vec3, World } from 'pliant';
import { describe, expect, it } from 'vitest';
import { report } from '../packages/pliant/src/testing/report.js';
// @ts-expect-error: a plain script, which writes the figures.
import { readFigures } from '../scripts/referenceFigures.mjs';

/*
 * Trajectories of the research code of the papers, by the figures in tests/data/reference.json. Its scenes are set up here by formulas: the
 * cube is a grid, the bar a box that our own sampling fills. Clusters are our own, of the reference's number and radius. So single
 * particles can be compared only where all are in one cluster; elsewhere centre, extent and rms radius are. With the particles and the
 * clusters of the reference, trajectories.reference.test.ts compares a hundred to a thousand times as closely.
 */

interface Figures {
  particles: number;
  clusters: number;
  radius: number;
  memberships: number;
  frames: Record<number, { com: Vec3; low: Vec3; high: Vec3; rms: number; particles?: Record<number, Vec3> }>;
}

const figures: Record<string, Figures> = readFigures();
const namesOf = (kind: RegExp) => Object.keys(figures).filter((name) => kind.test(name));

/** The research code's own choices, where ours differ from them. */
const PAPERS = { dampingMode: 'linear', rotation: 'deformation', inversion: 'mirror' } as const;

const distance = (a: ArrayLike<number>, b: ArrayLike<number>) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

interface Setup {
  world: World;
  body: Body;
  /** Length of the body's box at rest (m). */
  diagonal: number;
}

async function setUp(gravity: Vec3, dt: number, options: BodyOptions, size: Vec3, backend: Backend): Promise<Setup> {
  const world = await World.create({ gravity, dt, backend, sleepSpeed: 0 });
  return { world, body: world.addBody({ ...options, contact: { mode: 'none' } }), diagonal: Math.hypot(...size) };
}

describe('a cube of 11³ particles, stretched to twice its width', () => {
  /** A grid of 0.1 m, z running fastest: the order in which the figures number particles. */
  const points = Float64Array.from(
    { length: 3 * 11 ** 3 },
    (_, k) => (Math.floor(Math.floor(k / 3) / 11 ** (2 - (k % 3))) % 11) / 10 - 0.5,
  );
  /** How each scene weighs and finds its clusters, where it is not by 1/r² and our algorithm. */
  const CLUSTERING: Record<string, ClusterOptions> = {
    'CubeComparisons-blend': { kernel: 'blend', beta: 2 },
    'CubeComparisons-box': { kernel: 'box' },
    'CubeComparisons-kmeans': { algorithm: 'kmeans' },
    'CubeComparisons-poly6': { kernel: 'poly6' },
  };

  const cube = (name: string, backend: Backend = 'wasm') =>
    setUp(
      [0, 0, 0],
      1 / 60,
      {
        points,
        stretch: [2, 1, 1],
        material: {
          particleMass: 0.1,
          friction: 0,
          raw: {
            ...PAPERS,
            stiffness: 0.5,
            damping: 0,
            limit: { mode: 'paper', gamma: 0.1, omega: 0.3, iterations: 3 },
          },
        },
        clustering: {
          algorithm: 'fuzzy',
          kernel: 'invsq',
          count: figures[name].clusters,
          radius: figures[name].radius,
          orphanWeight: 0,
          ...CLUSTERING[name],
        },
      },
      [1, 1, 1],
      backend,
    );

  it.each(['wasm', 'ts'] as const)(
    'in one cluster follows the reference particle by particle for 50 steps (%s)',
    async (backend) => {
      const name = 'nClusters-cubeClusterTest_001';
      const { world, diagonal } = await cube(name, backend);
      const off: Record<number, number> = {};
      for (const [frame, there] of Object.entries(figures[name].frames)) {
        while (world.frame < Number(frame)) world.step();
        const places = Object.entries(there.particles!);
        expect(places).toHaveLength(5);
        off[Number(frame)] = Math.max(
          ...places.map(([i, place]) => distance(world.positions.subarray(4 * Number(i)), place) / diagonal),
        );
      }
      report('particles off by', off, 'diagonals');
      // f32 here, f64 there.
      expect(Math.max(...Object.values(off))).toBeLessThan(2e-6);
    },
  );

  it.each(namesOf(/^Cube|^nClusters/))('%s: centre of mass and rms radius at steps 10 and 20', async (name) => {
    const { particles, clusters, memberships, frames } = figures[name];
    const { world, body, diagonal } = await cube(name);
    expect(body.particleCount).toBe(particles);
    expect(body.clusterCount).toBe(clusters);
    const off: Record<string, number> = { memberships: world.membershipCount / memberships - 1 };
    // Ties of the grid fall as rounding has it: memberships differ by some.
    expect(Math.abs(off.memberships)).toBeLessThan(0.1);
    for (const frame of [0, 10, 20]) {
      while (world.frame < frame) world.step();
      const { com, rms } = world.measure();
      off[`com ${frame}`] = distance(com, frames[frame].com) / diagonal;
      off[`rms ${frame}`] = Math.abs(rms - frames[frame].rms) / diagonal;
    }
    report('off by (diagonals; memberships as a share)', off, '');
    expect(off['com 0'] + off['rms 0']).toBeLessThan(1e-7);
    for (const frame of [10, 20]) {
      expect(off[`com ${frame}`], `frame ${frame}`).toBeLessThan(0.02);
      expect(off[`rms ${frame}`], `frame ${frame}`).toBeLessThan(0.03);
    }
  });
});

describe('a bar of 2 × 0.4 × 0.4 m, held by its last 0.6 m, that falls', () => {
  const SIZE: Vec3 = [2, 0.4, 0.4];
  const bar = async (name: string) => {
    const { particles: count, clusters, radius } = figures[name];
    const made = await setUp(
      [0, -10, 0],
      1 / 180,
      {
        shape: { type: 'box', size: SIZE },
        sampling: { method: 'blue-noise', count },
        material: {
          particleMass: 0.01,
          friction: 0,
          raw: {
            ...PAPERS,
            stiffness: 1,
            damping: 0.2,
            limit: { mode: 'paper', gamma: 0.05, omega: 0.1, iterations: 20 },
          },
        },
        clustering: { algorithm: 'fuzzy', kernel: 'invsq', count: clusters, radius, orphanWeight: 1 },
      },
      SIZE,
      'wasm',
    );
    made.world.addClamp({
      region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.4 },
      drive: 'position',
      firm: false,
    });
    return made;
  };

  /**
   * By how much the way of the centre and of the lowest point may differ (diagonals). Other samplings of the same box differ by up to
   * two thirds of that. From 4 to 9 clusters the way of the centre to step 50 doubles, by five times the bound.
   */
  const BOUND: Record<number, { com: number; low: number }> = {
    10: { com: 2e-4, low: 3e-4 },
    20: { com: 1e-3, low: 6e-3 },
    50: { com: 7e-3, low: 0.012 },
  };

  it.each(namesOf(/^convergence/))('%s: way of the centre and of the lowest point up to step 50', async (name) => {
    const { clusters, memberships, frames } = figures[name];
    const { world, body, diagonal } = await bar(name);
    expect(body.clusterCount).toBe(clusters);
    expect(Math.abs(world.membershipCount / memberships - 1)).toBeLessThan(0.15);
    const start = world.measure();
    // The same box, filled in another way.
    expect(distance(start.bboxMin, frames[0].low) / diagonal).toBeLessThan(2e-3);
    expect(distance(start.bboxMax, frames[0].high) / diagonal).toBeLessThan(2e-3);
    const off: Record<string, number> = {};
    for (const [step, bound] of Object.entries(BOUND)) {
      while (world.frame < Number(step)) world.step();
      const { com, bboxMin } = world.measure();
      const [here, there] = [
        com.map((c, a) => c - start.com[a]),
        frames[Number(step)].com.map((c, a) => c - frames[0].com[a]),
      ];
      const low = bboxMin[1] - start.bboxMin[1] - (frames[Number(step)].low[1] - frames[0].low[1]);
      off[`com ${step}`] = distance(here, there) / diagonal;
      off[`low ${step}`] = Math.abs(low) / diagonal;
      expect.soft(off[`com ${step}`], `centre, step ${step}`).toBeLessThan(bound.com);
      expect.soft(off[`low ${step}`], `lowest, step ${step}`).toBeLessThan(bound.low);
    }
    report('way off by', off, 'diagonals');
  });
});
