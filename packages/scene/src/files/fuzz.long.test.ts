import fc from 'fast-check';
import { PliantError } from 'pliant';
import { describe, expect, it } from 'vitest';
import type { MeshFile } from './meshFile.js';
import { parseParticles } from './particles.js';
import { readMesh } from './readMesh.js';
import {
  bytesOf,
  cubeBuffer,
  cubeJson,
  cubeObj,
  cubePlyBinary,
  cubePlyText,
  cubeStlBinary,
  cubeStlText,
  glb,
  gltf,
} from './testing/cube.js';

// For any bytes, a reader gives data that holds what MeshFile promises, or throws a PliantError that names
// the file. Repeat a failure with PLIANT_SEED.
const seed = Number(process.env.PLIANT_SEED);

const FILES: [string, Uint8Array][] = [
  ['a.obj', cubeObj()],
  ['text.ply', cubePlyText()],
  ['little.ply', cubePlyBinary(true)],
  ['big.ply', cubePlyBinary(false)],
  ['text.stl', cubeStlText()],
  ['binary.stl', cubeStlBinary('solid')],
  ['a.gltf', gltf()],
  ['a.glb', glb()],
  ['a.txt', bytesOf('# cube\n0 0 0\n1 0.5 -1e-3\n\n1 1 1\n')],
];

async function read(name: string, bytes: Uint8Array): Promise<MeshFile | undefined> {
  try {
    if (name.endsWith('.txt')) return { kind: 'points', indices: new Uint32Array(), ...parseParticles(bytes, name) };
    return await readMesh(bytes, name);
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    expect(error.path).toBe(name);
    expect(error.message.startsWith(name)).toBe(true);
    expect(error.message).toMatch(/expected/);
    return undefined;
  }
}

async function holds(name: string, bytes: Uint8Array): Promise<void> {
  const started = performance.now();
  const mesh = await read(name, bytes);
  expect(performance.now() - started).toBeLessThan(5000);
  if (!mesh) return;
  const { kind, positions, indices, colours, warnings } = mesh;
  expect(positions.length).toBeGreaterThan(0);
  expect(positions.length % 3).toBe(0);
  expect(positions.every(Number.isFinite)).toBe(true);
  expect(kind).toBe(indices.length > 0 ? 'mesh' : 'points');
  expect(indices.length % 3).toBe(0);
  expect(indices.every((k) => k < positions.length / 3)).toBe(true);
  if (colours) {
    expect(colours.length).toBe(positions.length);
    expect(colours.every((c) => c >= 0 && c <= 1)).toBe(true);
  }
  for (const warning of warnings) expect(warning.startsWith(name)).toBe(true);
}

/** One way to damage a file: overwrite, insert, cut out, cut off, or repeat a piece of itself. */
const damage = fc.record({
  kind: fc.constantFrom('set', 'insert', 'remove', 'truncate', 'repeat'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 40 }),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
    fc.constantFrom('-1', '999999999', '1e999', 'nan', '\n', '"', '[', '0', '\\\n', '#', ' ').map(bytesOf),
    fc.constantFrom([255, 255, 255, 255], [0, 0, 192, 127], [0, 0, 0, 128], [0]).map((list) => Uint8Array.from(list)),
  ),
});

type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function apply(source: Uint8Array, { kind, at, length, bytes }: Damage): Uint8Array {
  const position = Math.floor(at * source.length);
  const head = source.subarray(0, position);
  const tail = (from: number) => source.subarray(Math.min(from, source.length));
  if (kind === 'set') return Uint8Array.from([...head, ...bytes, ...tail(position + bytes.length)]);
  if (kind === 'insert') return Uint8Array.from([...head, ...bytes, ...tail(position)]);
  if (kind === 'remove') return Uint8Array.from([...head, ...tail(position + length)]);
  if (kind === 'repeat') return Uint8Array.from([...source.subarray(0, position + length), ...tail(position)]);
  return head;
}

describe(`any bytes (PLIANT_SEED=${seed})`, () => {
  it.each(FILES)('random bytes as %s, with and without its beginning', async (name, valid) => {
    const random = fc.uint8Array({ maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(random, fc.nat(valid.length), async (bytes, kept) => {
        await holds(name, bytes);
        await holds(name, Uint8Array.from([...valid.subarray(0, kept), ...bytes]));
      }),
      { seed, numRuns: 300 },
    );
  });

  it.each(FILES)('damaged %s', async (name, valid) => {
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
        await holds(name, damages.reduce(apply, valid));
      }),
      { seed, numRuns: 1500 },
    );
  });

  it.each(['a.gltf', 'a.glb'])('%s with any JSON value in any place', async (name) => {
    const paths: string[][] = [];
    const walk = (value: unknown, path: string[]) => {
      if (path.length > 0) paths.push(path);
      if (typeof value === 'object' && value !== null)
        for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
    };
    const full = cubeJson();
    Object.assign(full.nodes[0], { children: [], translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] });
    full.accessors[0].sparse = { count: 1, indices: { bufferView: 1, componentType: 5123 }, values: { bufferView: 0 } };
    walk(full, []);
    const value = fc.oneof(
      fc.integer({ min: -2, max: 12 }),
      fc.constantFrom<unknown>(1e300, 4294967295, 5126, 0.5, null, {}, [], [[]], 'x', { toString: 1 }, [0, 0]),
      fc.jsonValue(),
    );
    const edit = fc.tuple(fc.constantFrom(...paths), value);
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
        const json = structuredClone(full);
        for (const [path, inner] of edits) {
          let parent = json;
          for (const key of path.slice(0, -1)) parent = parent?.[key] ?? {};
          if (typeof parent === 'object') parent[path.at(-1)!] = structuredClone(inner);
        }
        await holds(name, name === 'a.glb' ? glb(json) : gltf(json, cubeBuffer()));
      }),
      { seed, numRuns: 1500 },
    );
  });

  it('lists nested deeper than the call stack', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const key of ['scene', 'nodes', 'meshes', 'extensionsRequired'])
      await holds('a.gltf', bytesOf(`{"asset":{"version":"2.0"},"${key}":${deep}}`));
    await holds('a.gltf', bytesOf(`{"asset":{"version":"2.0"},"nodes":[{"matrix":${deep}}]}`));
  });

  it('a chain of 100 000 nodes', async () => {
    const json = cubeJson();
    const count = 100_000;
    json.nodes = Array.from({ length: count }, (_, k) => (k + 1 < count ? { children: [k + 1] } : { mesh: 0 }));
    const mesh = await readMesh(glb(json), 'a.glb');
    expect(mesh.indices).toHaveLength(36);
  });
});
