import { type BodyOptions, World } from 'pliant';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, type Example } from './examples.js';
import { describeExample } from './experiments/scenes.js';

/** Particles above which a scene is not built here but where it runs anyway: `2020.armadillo` looks at its levels. */
const LARGE = 100_000;

const isLarge = ({ particles }: Example) => (particles?.[0] ?? 0) > LARGE;

/** Whether a count is the paper's within 2 %, or in a range that it gives. */
const near = (count: number, wanted: number | readonly [number, number]): boolean =>
  typeof wanted === 'number' ? Math.abs(count / wanted - 1) <= 0.02 : count >= wanted[0] && count <= wanted[1];

describe("the papers' examples", () => {
  test('are in the gallery, each under a name of its own, of all five papers', () => {
    expect(new Set(EXAMPLES.map(({ scene }) => scene)).size).toBe(EXAMPLES.length);
    expect(new Set(EXAMPLES.map(({ paper }) => paper)).size).toBe(5);
    expect(EXAMPLES.length).toBeGreaterThan(50);
  });

  test.each(EXAMPLES.filter((example) => !isLarge(example)))("$scene has the paper's counts", async (example) => {
    const built = await countsOf(example.scene);
    for (const [list, key] of [
      [example.particles, 'particles'],
      [example.clusters, 'clusters'],
    ] as const) {
      if (!list) continue;
      expect(built).toHaveLength(list.length);
      list.forEach((wanted, k) => {
        expect(near(built[k][key], wanted), `body ${k}: ${built[k][key]} ${key}, paper ${wanted}`).toBe(true);
      });
    }
    if (!example.levels) return;
    for (const { levels } of built)
      expect(
        levels.length === example.levels.length && levels.every((count, k) => near(count, example.levels![k])),
        `levels ${levels.join('/')}, paper ${example.levels.join('/')}`,
      ).toBe(true);
  });
});

interface Counts {
  particles: number;
  clusters: number;
  levels: number[];
}

const known = new Map<string, Counts>();

/** Counts of the bodies of a scene. Bodies that are sampled and clustered alike are built once: materials, weights of levels and places change no count. */
async function countsOf(name: string): Promise<Counts[]> {
  const scene = await describeExample(name);
  const all: Counts[] = [];
  for (const { options } of scene.bodies) {
    const { shape, points, mesh, sampling, clustering, clusters, levels, scale } = options;
    const { weights: _, ...rest } = levels ?? {};
    const key = JSON.stringify([shape, points, mesh, sampling, clustering, clusters, levels && rest, scale]);
    const counts = known.get(key) ?? (await build(options));
    known.set(key, counts);
    all.push(counts);
  }
  return all;
}

async function build(options: BodyOptions): Promise<Counts> {
  const world = await World.create({ backend: 'ts', threads: 1 });
  const { particleCount, clusterCount, levels } = world.addBody(options);
  const counts = { particles: particleCount, clusters: clusterCount, levels: levels.map(({ clusters }) => clusters) };
  world.dispose();
  return counts;
}
