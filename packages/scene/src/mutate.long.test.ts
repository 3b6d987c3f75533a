import fc from 'fast-check';
import { PliantError } from 'pliant';
import { describe, expect, it } from 'vitest';
import { parseClusterFile } from './clusterFile.js';
import { loadScene } from './loadScene.js';
import { boxScene, gridFile } from './testing/memory.js';

// Scenes, research scenes and what they name, damaged: each is read, or refused by a PliantError that is short. Repeat a failure with PLIANT_SEED.
const seed = Number(process.env.PLIANT_SEED);

const CLUSTERS = { clusters: [{ members: [0, 1, 2, 3], weights: [1, 1, 0.5, 0.5] }, { members: [2, 3, 4, 5, 6, 7] }] };
const FILES: Record<string, unknown> = {
  's/own.json': boxScene(
    {
      title: 'Box',
      materials: { soft: { yield: 0.1, raw: { stiffness: { along: 'y', values: [0.1, 0.5] } } } },
      clamps: [{ region: { type: 'halfspace', normal: [0, 1, 0], offset: 0.4 }, bodies: ['a'] }],
      colliders: [{ type: 'plane', normal: [0, 1, 0] }],
      cuts: [{ at: 1, plane: { normal: [1, 0, 0], offset: 0 } }],
      cameras: [{ position: [0, 0, 3], target: [0, 0, 0] }],
    },
    { name: 'a', material: 'soft', rotation: { axis: [0, 1, 0], degrees: 30 }, copies: [{ position: [0, 2, 0] }] },
  ),
  's/files.json': {
    bodies: [
      {
        geometry: { type: 'particles', file: 'p.txt' },
        material: { raw: { stiffness: { file: 'v.txt' } } },
        clusters: { file: 'c.json' },
      },
    ],
  },
  's/research.json': {
    particleFiles: ['p.txt'],
    movingParticleFiles: [{ filename: 'p.txt', offset: [0, 2, 0], velocity: [0, -1, 0], scale: 0.5 }],
    alpha: 0.5,
    planes: [[0, 1, 0, 0]],
    movingPlanes: [{ normal: [1, 0, 0], offset: 0.4, velocity: 1 }],
    gravity: [0, -9.81, 0],
  },
  's/p.txt': gridFile(2, 1),
  's/v.txt': '0 0.1 0.2 0.3\n0.4 0.5 0.6 0.7\n',
  's/c.json': CLUSTERS,
};
const BYTES = new Map(
  Object.entries(FILES).map(([name, content]) => [
    name,
    new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)),
  ]),
);

/** Loads the scene with one of the files damaged. */
async function holds(scene: string, file: string, damaged: Uint8Array): Promise<void> {
  try {
    await loadScene(scene, async (path) => {
      const bytes = path === file ? damaged : BYTES.get(path);
      if (!bytes) throw Object.assign(new Error('none'), { code: 'ENOENT' });
      return bytes;
    });
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    expect(error.message.length).toBeLessThan(3000);
  }
}

const WORDS = [
  '-1',
  '1e999',
  '-1e999',
  '4294967296',
  'null',
  '[]',
  '{}',
  '""',
  '"__proto__"',
  '"\\u0000"',
  '[[[[',
  '/*',
  'nan',
];

const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 12 }),
  put: fc.oneof(
    fc.constantFrom(...WORDS).map((word) => new TextEncoder().encode(word)),
    fc.uint8Array({ maxLength: 4 }),
  ),
});

function apply(bytes: Uint8Array, { at, removed, put }: { at: number; removed: number; put: Uint8Array }): Uint8Array {
  const from = Math.floor(at * bytes.length);
  return Uint8Array.from([...bytes.subarray(0, from), ...put, ...bytes.subarray(from + removed)]);
}

describe(`damaged scenes (PLIANT_SEED=${seed})`, () => {
  it.each([
    ['s/own.json', 's/own.json'],
    ['s/files.json', 's/files.json'],
    ['s/files.json', 's/p.txt'],
    ['s/files.json', 's/v.txt'],
    ['s/files.json', 's/c.json'],
    ['s/research.json', 's/research.json'],
    ['s/research.json', 's/p.txt'],
  ])('%s with %s damaged', async (scene, file) => {
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) =>
        holds(scene, file, damages.reduce(apply, BYTES.get(file)!)),
      ),
      { seed, numRuns: 400 },
    );
  });

  it('any value in any place of a scene', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(1e308, -1e308, 1e-320, '', [], {}, 'a'));
    for (const scene of ['s/own.json', 's/research.json']) {
      const paths: string[][] = [];
      const walk = (value: unknown, path: string[]) => {
        if (path.length > 0) paths.push(path);
        if (typeof value === 'object' && value !== null)
          for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
      };
      walk(FILES[scene], []);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...paths), value, async (path, value) => {
          const json = structuredClone(FILES[scene]) as Record<string, unknown>;
          const parent = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, json);
          parent[path.at(-1)!] = value;
          await holds(scene, scene, new TextEncoder().encode(JSON.stringify(json)));
        }),
        { seed, numRuns: 600 },
      );
    }
  });
});

it('brackets 100 000 deep are refused wherever they stand', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const text of [deep, `{"bodies":${deep}}`, `{"particleFiles":${deep}}`, `{"\\u0061":${deep}}`]) {
    const read = async () => new TextEncoder().encode(text);
    await expect(loadScene('x.json', read)).rejects.toThrow('x.json: the brackets are nested too deeply');
    await expect(parseClusterFile(new TextEncoder().encode(text), 'c.json')).rejects.toThrow('nested too deeply');
  }
});

it('a scene of too many things is refused before they are made', async () => {
  const load = (scene: object) => loadScene('x.json', async () => new TextEncoder().encode(JSON.stringify(scene)));
  await expect(load(boxScene({}, { copies: Array(10_000).fill({}) }))).rejects.toThrow(
    'x.json: bodies are 10001 with their copies; expected at most 10000.',
  );
  const colliders = Array(10_001).fill({ type: 'plane', normal: [0, 1, 0] });
  await expect(load(boxScene({ colliders }))).rejects.toThrow('colliders are 10001; expected at most 10000.');
});
