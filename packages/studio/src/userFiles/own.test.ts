import { buildWorld, loadScene, writePly } from '@pliant/scene';
import { describe, expect, test } from 'vitest';
import { writeGlb } from '../saving/glb.js';
import { selfContained } from '../saving/gltfFiles.js';
import type { SceneDocument } from '../sceneDocument.js';
import { inspect } from './inspect.js';
import { type OwnMesh, ownScene, withOwnMesh } from './ownScene.js';

/** A box of 40 × 20 × 60 somewhere, as millimetres would have it. */
const CORNERS = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => [100 + 40 * x, 20 * y - 7, 60 * z + 5])));
const FACES = [
  0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3,
];
const box = (faces: readonly number[] = FACES): Uint8Array =>
  writePly({ positions: Float32Array.from(CORNERS.flat()), indices: Uint32Array.from(faces) });

const text = (content: string) => new TextEncoder().encode(content);
const own = async (file: string, bytes: Uint8Array): Promise<OwnMesh> => ({
  file,
  bytes,
  facts: await inspect(file, bytes),
});

/** The box of all particles of a document's world before it moves, and how many bodies it has. */
async function begin({ json, files }: Pick<SceneDocument, 'json' | 'files'>) {
  const scene = await loadScene('https://x.org/s/own.json', async (path) => {
    if (path.endsWith('own.json')) return text(JSON.stringify(json));
    return files[path.split('/').at(-1)!];
  });
  for (const { options } of scene.bodies)
    Object.assign(options, { sampling: { count: 300 }, clustering: { count: 6 } });
  const { world, bodies } = await buildWorld(scene, { backend: 'ts' });
  const boxes = bodies.map(({ positions }) => {
    const [min, max] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ];
    for (let k = 0; k < positions.length; k++) {
      if (k % 4 === 3) continue;
      min[k % 4] = Math.min(min[k % 4], positions[k]);
      max[k % 4] = Math.max(max[k % 4], positions[k]);
    }
    return { min, max };
  });
  world.dispose();
  return boxes;
}

describe('a mesh of one’s own', () => {
  test('is scaled to a metre, put above the ground and in the middle', async () => {
    const [{ min, max }] = await begin(ownScene(await own('box.ply', box()), { keepSize: false }));
    // Particles keep half a spacing from the surface: some 3 % of the size here.
    expect(max[2] - min[2]).toBeGreaterThan(0.9);
    expect(max[2] - min[2]).toBeLessThanOrEqual(1);
    expect(min[1]).toBeGreaterThan(0.6);
    expect(min[1]).toBeLessThan(0.65);
    expect(Math.abs(min[0] + max[0])).toBeLessThan(0.04);
    expect(Math.abs(min[2] + max[2])).toBeLessThan(0.04);
  });

  test('keeps its size when asked to', async () => {
    const [{ min, max }] = await begin(ownScene(await own('box.ply', box()), { keepSize: true }));
    expect(max[2] - min[2]).toBeGreaterThan(54);
    expect(min[1]).toBeGreaterThan(36);
    expect(min[1]).toBeLessThan(39);
  });

  test('stands up when it is made for a printer', async () => {
    const stl = ['solid x'];
    for (let k = 0; k < FACES.length; k += 3) {
      stl.push('facet normal 0 0 0', 'outer loop');
      for (let n = 0; n < 3; n++) stl.push(`vertex ${CORNERS[FACES[k + n]].join(' ')}`);
      stl.push('endloop', 'endfacet');
    }
    const bytes = text(`${stl.join('\n')}\nendsolid x\n`);
    const [{ min, max }] = await begin(ownScene(await own('Box.STL', bytes), { keepSize: false }));
    expect(max[1] - min[1]).toBeGreaterThan(0.9);
    expect(min[1]).toBeGreaterThan(0.6);
    expect(min[1]).toBeLessThan(0.65);
    expect(Math.abs(min[2] + max[2])).toBeLessThan(0.04);
  });

  test('joins a scene above what is there, under names of its own', async () => {
    const mesh = await own('box.ply', box());
    const first = { ...ownScene(mesh, { keepSize: false }), path: '' };
    const room = (await begin(first))[0] as { min: [number, number, number]; max: [number, number, number] };
    const both = withOwnMesh(first, { ...mesh, bytes: box().slice() }, { keepSize: false }, room);
    expect(both.json.bodies.map(({ name }) => name)).toEqual(['box', 'box 2']);
    expect(Object.keys(both.files)).toEqual(['box.ply', 'box 2.ply']);
    const [below, above] = await begin(both);
    expect(above.min[1]).toBeGreaterThan(below.max[1] + 0.1);
    expect(first.json.bodies.length).toBe(1);
  });

  test('may have any name', async () => {
    const made = ownScene(await own('a#b?c%20: "ü".ply', box()), { keepSize: false });
    expect(await begin(made)).toHaveLength(1);
  });
});

describe('files that are no body are told in sentences', () => {
  test.each([
    ['empty.ply', new Uint8Array(0), /^empty\.ply: the file is empty; expected/],
    ['text.stl', text('Dear Sir, this is not a mesh.'), /^text\.stl/],
    ['text.glb', text('Dear Sir'), /^text\.glb: the JSON does not parse/],
    ['flat.obj', text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'), /^flat\.obj is flat: its extent along z is 0/],
    ['sheet.obj', text('v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0.2 1\nf 1 2 3\nf 1 3 4\n'), /^sheet\.obj is an open sheet/],
    ['points.ply', writePly({ positions: new Float32Array([0, 0, 0, 1, 1, 1]) }), /points and no triangles/],
  ])('%s', async (name, bytes, message) => {
    await expect(inspect(name, bytes)).rejects.toThrow(message);
    await expect(inspect(name, bytes)).rejects.toThrow(/[.]$/);
  });

  test('a hole is told, and is no obstacle', async () => {
    const mesh = await own('open.ply', box(FACES.slice(6)));
    expect((mesh.facts as Awaited<ReturnType<typeof inspect>>).warnings).toEqual([
      expect.stringMatching(/^open\.ply is not closed \(4 edges with a triangle on one side only\)/),
    ]);
    expect(await begin(ownScene(mesh, { keepSize: false }))).toHaveLength(1);
  });

  test('an edge of three triangles is told', async () => {
    const { warnings } = await inspect('fin.ply', box([...FACES, 0, 1, 7]));
    expect(warnings[0]).toMatch(/more than two triangles/);
  });
});

describe('a .gltf whose vertices are in another file', () => {
  const split = async () => {
    const positions = Float32Array.from(CORNERS.flat());
    const indices = Uint32Array.from(FACES);
    const glb = await writeGlb([
      {
        ...{ name: 'box', positions, normals: positions, indices, uvs: undefined, colours: undefined },
        groups: [{ start: 0, count: indices.length, kind: 'outer', surface: 0 }],
        ...{ colour: [1, 2, 3], innerColour: [1, 2, 3], roughness: { outer: 1, inner: 1 }, origin: 0 },
        particles: positions,
      },
    ]);
    const view = new DataView(glb.buffer, glb.byteOffset);
    const length = view.getUint32(12, true);
    const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
    json.buffers[0].uri = 'the%20box.bin';
    json.images = [{ uri: 'missing.png' }];
    return { gltf: text(JSON.stringify(json)), bin: glb.slice(28 + length) };
  };

  test('is made whole', async () => {
    const { gltf, bin } = await split();
    const whole = await selfContained(gltf, 'box.gltf', async (name) => {
      if (name !== 'the box.bin') throw new Error(name);
      return bin;
    });
    expect((await inspect('box.gltf', whole)).triangles).toBe(12);
  });

  test('says which file is missing', async () => {
    const { gltf } = await split();
    const nothing = () => Promise.reject(new Error('no'));
    await expect(selfContained(gltf, 'box.gltf', nothing)).rejects.toThrow('the box.bin: drop both files together');
  });
});
