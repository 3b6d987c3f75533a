import { readMesh } from '@pliant/scene';
import { validateBytes } from 'gltf-validator';
import { AnimationMixer, type Group, type Mesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
// @ts-expect-error: without types.
import { USDAParser } from 'three/examples/jsm/loaders/usd/USDAParser.js';
import { describe, expect, test } from 'vitest';
import { bakeTo, boxOf, follow, SCENE } from './testing/scene.js';

const WHOLE = { ...SCENE, bodies: [SCENE.bodies[0]], cuts: [] };
/** Boxes around the skins of bodies at steps, by name. */
async function boxesAt(steps: number[], scene: object = SCENE) {
  const boxes = new Map<string, number[]>();
  await follow(
    Math.max(...steps),
    ({ world }, step) => {
      if (steps.includes(step))
        for (const body of world.bodies) boxes.set(`${body.name} ${step}`, boxOf(body.getSkin().positions));
    },
    scene,
  );
  return boxes;
}
const expectBox = (found: number[], wanted: number[] | undefined) => {
  expect(wanted).toBeDefined();
  for (const [k, value] of found.entries()) expect(value).toBeCloseTo(wanted![k], 5);
};

/** Accessors of a GLB file, and its JSON. */
function openGlb(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer);
  const length = view.getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
}

describe('glTF', () => {
  test('passes the Khronos validator without an error or a warning, with the materials and images of the source', async () => {
    const { result, bytes } = await bakeTo('all.glb', { fps: 30 });
    expect(result).toMatchObject({ files: ['all.glb'], frames: 15, fps: 30, objects: 3, warnings: [] });
    const glb = await bytes('all.glb');
    const { issues } = await validateBytes(glb);
    expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
    const { materials, images, textures, nodes, meshes } = openGlb(glb);
    const names = materials.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['ball', 'wood', 'lid', 'crate 1 inner']));
    expect([images.length, textures.length]).toEqual([1, 1]);
    const wood = materials.find(({ name }: { name: string }) => name === 'wood').pbrMetallicRoughness;
    expect(wood).toMatchObject({ baseColorTexture: { index: 0 }, metallicFactor: 0 });
    // The first node of the crate has wood and lid, the second, after the cut, has inner faces too.
    const crates = nodes.filter(({ name }: { name: string }) => /^crate 1( \(2\))?$/.test(name));
    expect(crates.map(({ mesh }: { mesh: number }) => meshes[mesh].primitives.length)).toEqual([2, 3]);
  });

  test('plays in three.js as the world moves', async () => {
    const { bytes } = await bakeTo('ball.glb', { fps: 60 }, WHOLE);
    const glb = await bytes('ball.glb');
    const { scene, animations } = await new GLTFLoader().parseAsync(glb.buffer as ArrayBuffer, '');
    expect(animations).toHaveLength(1);
    expect(animations[0].duration).toBeCloseTo(0.5, 6);
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(animations[0]).play();
    const ball = scene.getObjectByName('ball') as Mesh;
    const boxes = await boxesAt([0, 7, 21], WHOLE);
    for (const step of [0, 7, 21]) {
      mixer.setTime(step / 60);
      const { count } = ball.geometry.attributes.position;
      const at = Array.from({ length: count }, (_, v) => ball.getVertexPosition(v, new Vector3()).toArray()).flat();
      expectBox(boxOf(at), boxes.get(`ball ${step}`));
    }
  });

  test('nodes take turns where there are more shapes than a node holds, and where a body comes apart', async () => {
    const { bytes } = await bakeTo('all.glb', { frames: 300, fps: 600 });
    const { nodes, animations, accessors, meshes } = openGlb(await bytes('all.glb'));
    const balls = nodes.filter(({ name }: { name: string }) => /^ball/.test(name) && name !== 'ball all');
    expect(balls.map(({ name }: { name: string }) => name)).toEqual(['ball', 'ball (2)']);
    expect(balls.map(({ mesh }: { mesh: number }) => meshes[mesh].weights.length)).toEqual([255, 45]);
    const { channels, samplers } = animations[0];
    const turns = channels.filter(({ target }: { target: { path: string } }) => target.path === 'scale');
    const times = turns.map(({ sampler }: { sampler: number }) => accessors[samplers[sampler].input].max[0]);
    // Of the ball's nodes, both change at frame 255. The cut is at 0.1 s.
    expect(times.filter((t: number) => Math.abs(t - 255 / 600) < 1e-6)).toHaveLength(2);
    expect(times.filter((t: number) => t > 0.1 && t < 0.12).length).toBeGreaterThanOrEqual(2);
  });
});

describe('USD', () => {
  /** The prims of a layer as three.js's parser reads them: nested objects. */
  type Prim = { [key: string]: Prim } & string;
  const parse = (text: string): Prim => new USDAParser().parseText(text);
  const samplesOf = (value: Prim) =>
    Object.fromEntries(
      Object.entries(value).map(([frame, list]) => [
        frame,
        JSON.parse(String(list).replaceAll('(', '[').replaceAll(')', ']').replace(/,\s*$/, '')),
      ]),
    ) as unknown as Record<string, number[]>;

  test('has metres, y up, times and a mesh for every body, whose topology changes with the cut', async () => {
    const { result, bytes } = await bakeTo('all.usda', { fps: 60, frames: 12 });
    expect(result.files).toEqual(['all.usda', 'all_textures/planks.png']);
    const text = new TextDecoder().decode(await bytes('all.usda'));
    for (const line of [
      'metersPerUnit = 1',
      'upAxis = "Y"',
      'timeCodesPerSecond = 60',
      'endTimeCode = 12',
      'doc = "Ball and \\"crate\\", written by Pliant"',
      'asset inputs:file = @all_textures/planks.png@',
    ])
      expect(text).toContain(line);
    const scene = parse(text)['def Xform "scene"'];
    const crate = scene['def Mesh "crate_1"'];
    const counts = samplesOf(crate['int[] faceVertexCounts.timeSamples']);
    const indices = samplesOf(crate['int[] faceVertexIndices.timeSamples']);
    const points = samplesOf(crate['point3f[] points.timeSamples']);
    const corners = samplesOf(crate['int[] primvars:normals:indices.timeSamples']);
    const normals = samplesOf(crate['normal3f[] primvars:normals.timeSamples']);
    expect(Object.keys(counts)).toEqual(['0', '7']);
    expect(Object.keys(points)).toHaveLength(13);
    for (const frame of ['0', '7']) {
      expect(indices[frame]).toHaveLength(3 * counts[frame].length);
      expect(Math.max(...indices[frame])).toBe(points[frame].length - 1);
      expect(corners[frame]).toHaveLength(indices[frame].length);
      expect(Math.max(...corners[frame])).toBe(normals[frame].length - 1);
    }
    const subsets = ['outer_1', 'outer_2', 'inner'].map((name) => crate[`def GeomSubset "${name}"`]);
    for (const frame of ['0', '7']) {
      const faces = subsets.flatMap((subset) => samplesOf(subset['int[] indices.timeSamples'])[frame]);
      expect(faces.sort((a, b) => a - b)).toEqual(counts[frame].map((_, k) => k));
    }
    const inner = samplesOf(subsets[2]['int[] indices.timeSamples']);
    expect(inner['0']).toEqual([]);
    expect(inner['7'].length).toBeGreaterThan(2);
    // The other half appears with the cut.
    const half = scene['def Mesh "crate_1_2"'];
    expect(text).toMatch(/token visibility\.timeSamples = \{\s*0: "invisible",\s*7: "inherited",/);
    const boxes = await boxesAt([0, 7, 12]);
    const placed = (mesh: Prim, frame: number) => boxOf(samplesOf(mesh['point3f[] points.timeSamples'])[frame].flat());
    for (const frame of [0, 7, 12]) expectBox(placed(crate, frame), boxes.get(`crate 1 ${frame}`));
    expectBox(placed(half, 12), boxes.get('crate 1 2 12'));
  });

  test('shows its first frame in three.js, which plays no such animation', async () => {
    const { bytes } = await bakeTo('ball.usda', { fps: 60, frames: 3 }, WHOLE);
    const group = new USDLoader().parse(new TextDecoder().decode(await bytes('ball.usda'))) as Group;
    const meshes: Mesh[] = [];
    group.traverse((object) => {
      if ((object as Mesh).isMesh) meshes.push(object as Mesh);
    });
    expect(meshes).toHaveLength(1);
    const boxes = await boxesAt([0], WHOLE);
    expectBox(boxOf(meshes[0].geometry.attributes.position.array), boxes.get('ball 0'));
  });

  test('is the same layer in an archive whose files begin at multiples of 64', async () => {
    const [plain, packed] = [
      await bakeTo('all.usda', { frames: 3, fps: 60 }),
      await bakeTo('all.usdz', { frames: 3, fps: 60 }),
    ];
    expect([...packed.storage.files.keys()]).toEqual(['all.usdz']);
    const zip = await packed.bytes('all.usdz');
    const view = new DataView(zip.buffer);
    const files: Record<string, Uint8Array> = {};
    for (let at = 0; view.getUint32(at, true) === 0x04034b50; ) {
      const [length, name, extra] = [
        view.getUint32(at + 18, true),
        view.getUint16(at + 26, true),
        view.getUint16(at + 28, true),
      ];
      const start = at + 30 + name + extra;
      expect(start % 64).toBe(0);
      expect(view.getUint16(at + 8, true)).toBe(0);
      files[new TextDecoder().decode(zip.subarray(at + 30, at + 30 + name))] = zip.subarray(start, start + length);
      at = start + length;
    }
    expect(Object.keys(files)).toEqual(['all.usda', 'textures/planks.png']);
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replaceAll('@all_textures/', '@textures/');
    expect(text(files['all.usda'])).toBe(text(await plain.bytes('all.usda')));
  });
});

describe('point caches', () => {
  test.each(['pc2', 'mdd'])('%s has the places of the OBJ file beside it, for every frame', async (format) => {
    const { result, bytes } = await bakeTo(`ball.${format}`, { fps: 60, frames: 10 }, WHOLE);
    expect(result.files).toEqual([`ball.${format}`, 'ball.obj', 'ball.mtl']);
    const { positions, indices } = await readMesh(await bytes('ball.obj'), 'ball.obj');
    const cache = await bytes(`ball.${format}`);
    const view = new DataView(cache.buffer);
    const little = format === 'pc2';
    const [points, samples, start] = little
      ? [view.getInt32(16, true), view.getInt32(28, true), 32]
      : [view.getInt32(4), view.getInt32(0), 8 + 4 * 11];
    expect([points, samples]).toEqual([positions.length / 3, 11]);
    expect(cache.length).toBe(start + 12 * points * samples);
    const at = (frame: number) =>
      Array.from({ length: 3 * points }, (_, k) => view.getFloat32(start + 12 * points * frame + 4 * k, little));
    for (const [k, value] of at(0).entries()) expect(value).toBeCloseTo(positions[k], 6);
    expect(Math.max(...indices)).toBe(points - 1);
    if (!little) expect(view.getFloat32(8 + 4 * 6)).toBeCloseTo(0.1, 6);
    const boxes = await boxesAt([10], WHOLE);
    expectBox(boxOf(at(10)), boxes.get('ball 10'));
  });

  test('refuse a scene in which a body comes apart, name it, and say which formats can', async () => {
    await expect(bakeTo('all.pc2', { fps: 60 })).rejects.toThrow(
      /^"crate 1" came apart in frame 7, and \.pc2 needs a mesh that stays the same; expected all\.usda, all\.glb or all\.ply/,
    );
  });
});

test('PLY is a file for every frame, with normals, texture coordinates, objects and inner faces', async () => {
  const { result, storage, bytes } = await bakeTo('all.ply', { fps: 60, frames: 8 });
  expect([...storage.files.keys()]).toEqual(Array.from({ length: 9 }, (_, n) => `all_000${n}.ply`));
  expect(result.files).toEqual(['all_0000.ply', 'all_0008.ply']);
  const head = new TextDecoder('latin1').decode((await bytes('all_0008.ply')).subarray(0, 600));
  for (const name of ['nx', 's', 't', 'object', 'piece', 'inner']) expect(head).toContain(`property float ${name}\n`);
  const { positions } = await readMesh(await bytes('all_0008.ply'), 'all_0008.ply');
  const boxes = await boxesAt([8]);
  const all = ['ball 8', 'crate 1 8', 'crate 1 2 8'].map((key) => boxes.get(key)!);
  expectBox(boxOf(positions), [
    ...[0, 1, 2].map((a) => Math.min(...all.map((box) => box[a]))),
    ...[3, 4, 5].map((a) => Math.max(...all.map((box) => box[a]))),
  ]);
});

describe('times', () => {
  test('between two steps are interpolated', async () => {
    const { bytes } = await bakeTo('ball.pc2', { fps: 24, frames: 1 }, WHOLE);
    const cache = await bytes('ball.pc2');
    const view = new DataView(cache.buffer);
    const points = view.getInt32(16, true);
    const lowest = Math.min(
      ...Array.from({ length: points }, (_, k) => view.getFloat32(32 + 12 * points + 12 * k + 4, true)),
    );
    // Frame 1 is at step 2.5.
    const boxes = await boxesAt([2, 3], WHOLE);
    expect(lowest).toBeCloseTo((boxes.get('ball 2')![1] + boxes.get('ball 3')![1]) / 2, 6);
  });

  test('are those of the scene unless told otherwise, and a bake that is stopped has the frames so far', async () => {
    const seen: number[] = [];
    const whole = await bakeTo('ball.pc2', { onProgress: (done) => void seen.push(done) }, WHOLE);
    expect(whole.result).toMatchObject({ fps: 60, frames: 30 });
    expect(seen).toEqual(Array.from({ length: 31 }, (_, n) => n));
    let left = 4;
    const stopped = await bakeTo('ball.pc2', { stop: () => --left === 0 }, WHOLE);
    expect(stopped.result.frames).toBe(3);
    expect(new DataView((await stopped.bytes('ball.pc2')).buffer).getInt32(28, true)).toBe(4);
  });

  test.each([
    [{ fps: 0 }, /fps is 0; expected a number above 0/],
    [{ seconds: -1 }, /seconds is -1; expected/],
    [{ frames: 1, seconds: 1 }, /frames and seconds are both given/],
    [
      { name: 'x.fbx' },
      /name is "x\.fbx"; expected a name that ends in \.usda, \.usdz, \.glb, \.pc2, \.mdd or \.ply\./,
    ],
    [{ name: '.glb' }, /expected a file name without folders/],
  ])('%j is refused', async (options, message) => {
    await expect(bakeTo('ball.glb', options, WHOLE)).rejects.toThrow(message);
  });
});

test('pieces can be objects of their own, which come off the object that had most of them', async () => {
  const torn = {
    bodies: [
      {
        name: 'bar',
        geometry: { type: 'box', size: [1, 0.2, 0.2] },
        sampling: { spacing: 0.08 },
        material: { young: 1e5, toughness: 0.05 },
      },
    ],
    gravity: [0, 0, 0],
    clamps: [-1, 1].map((s) => ({
      region: { type: 'halfspace', normal: [s, 0, 0], offset: 0.35 },
      velocity: [s, 0, 0],
    })),
    frames: 24,
  };
  const { result } = await bakeTo('bar.usda', {}, torn);
  expect(result.objects).toBe(1);
  const { result: apart, bytes } = await bakeTo('bar.usda', { pieces: true }, torn);
  expect(apart.objects).toBeGreaterThan(1);
  const text = new TextDecoder().decode(await bytes('bar.usda'));
  expect(text).toContain('def Mesh "bar"');
  expect(text).toContain('def Mesh "bar_2"');
  // Shards without a face are no meshes.
  const glb = await bakeTo('bar.glb', { pieces: true }, torn);
  const { issues } = await validateBytes(await glb.bytes('bar.glb'));
  expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
});
