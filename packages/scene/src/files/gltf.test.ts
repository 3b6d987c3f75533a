import { PliantError } from 'pliant';
import { describe, expect, it } from 'vitest';
import { parseGltf } from './gltf.js';
import { CORNERS, cubeBuffer, cubeJson, glb, gltf, QUADS, signedVolume, TRIANGLES } from './testing/cube.js';

const parse = (bytes: Uint8Array) => parseGltf(bytes, 'a.gltf');
const bounds = (positions: Float64Array, axis: number) => {
  const values = positions.filter((_, k) => k % 3 === axis);
  return [Math.min(...values), Math.max(...values)];
};

/** One buffer of several typed arrays, each at a multiple of 4, with a view for each. */
function pack(...arrays: (Float32Array | Uint32Array | Uint16Array | Int16Array | Uint8Array)[]) {
  const size = arrays.reduce((sum, a) => sum + Math.ceil(a.byteLength / 4) * 4, 0);
  const buffer = new Uint8Array(size);
  let byteOffset = 0;
  const bufferViews = arrays.map((a) => {
    buffer.set(new Uint8Array(a.buffer, a.byteOffset, a.byteLength), byteOffset);
    const view = { buffer: 0, byteOffset, byteLength: a.byteLength };
    byteOffset += Math.ceil(a.byteLength / 4) * 4;
    return view;
  });
  return { buffer, bufferViews };
}

describe('parseGltf', () => {
  it('reads a data URI, a GLB chunk and another file alike', async () => {
    const separate = new TextEncoder().encode(
      JSON.stringify({ ...cubeJson(), buffers: [{ byteLength: 168, uri: 'my%20cube.bin' }] }),
    );
    const asked: string[] = [];
    const resolve = async (uri: string) => {
      asked.push(uri);
      return cubeBuffer();
    };
    for (const mesh of [await parse(gltf()), await parse(glb()), await parseGltf(separate, 'a.gltf', resolve)]) {
      expect(mesh).toMatchObject({ kind: 'mesh', warnings: [] });
      expect([...mesh.positions]).toEqual(CORNERS.flat());
      expect([...mesh.indices]).toEqual(TRIANGLES.flat());
      expect(signedVolume(mesh)).toBeCloseTo(1, 12);
      expect(mesh.colours).toBeUndefined();
    }
    expect(asked).toEqual(['my cube.bin']);
  });

  it('reads GLB bytes at any offset of their buffer', async () => {
    const bytes = glb();
    const padded = new Uint8Array(bytes.length + 3);
    padded.set(bytes, 3);
    expect(signedVolume(await parse(padded.subarray(3)))).toBeCloseTo(1, 12);
  });

  it('places a mesh by every node, parents included', async () => {
    const json = cubeJson();
    const half = Math.SQRT1_2;
    json.nodes = [
      { children: [1, 2], translation: [10, 0, 0], scale: [2, 2, 2] },
      { mesh: 0, translation: [1, 0, 0] },
      { mesh: 0, rotation: [0, 0, half, half], translation: [5, 0, 0] },
      { mesh: 0 },
    ];
    const mesh = await parse(gltf(json));
    expect(signedVolume(mesh)).toBeCloseTo(16, 6);
    // Node 3 is in no scene. Node 2 turns x to y: x from 5 − 1 to 5, then twice that and 10 more.
    expect(bounds(mesh.positions.subarray(0, 24), 0)).toEqual([12, 14]);
    const [low, high] = bounds(mesh.positions.subarray(24), 0);
    expect(low).toBeCloseTo(18, 12);
    expect(high).toBeCloseTo(20, 12);
  });

  it('applies a matrix with shear exactly and turns the winding of mirrored nodes', async () => {
    const json = cubeJson();
    // biome-ignore format: one column per line
    json.nodes[0].matrix = [
      -1, 0, 0, 0,
      0.5, 1, 0, 0,
      0, 0, 3, 0,
      7, 8, 9, 1,
    ];
    const mesh = await parse(gltf(json));
    expect(signedVolume(mesh)).toBeCloseTo(3, 12);
    expect([...mesh.positions.subarray(9, 12)]).toEqual([7 - 1 + 0.5, 9, 9]);
  });

  it('finds the scene: the default one, the first, every root, or all meshes', async () => {
    const json = cubeJson();
    json.nodes = [{ mesh: 0 }, { mesh: 0, scale: [2, 1, 1] }];
    json.scenes = [{ nodes: [0] }, { nodes: [1] }];
    json.scene = 1;
    expect(signedVolume(await parse(gltf(json)))).toBeCloseTo(2, 12);
    delete json.scene;
    expect(signedVolume(await parse(gltf(json)))).toBeCloseTo(1, 12);
    delete json.scenes;
    expect(signedVolume(await parse(gltf(json)))).toBeCloseTo(3, 12);
    delete json.nodes;
    expect(signedVolume(await parse(gltf(json)))).toBeCloseTo(1, 12);
  });

  it('reads strips, fans and lists without indices', async () => {
    const soup = new Float32Array(TRIANGLES.flat().flatMap((k) => CORNERS[k]));
    // The cube as one strip of 14 corners, and as 6 fans of 4.
    const strip = new Uint8Array([5, 7, 4, 6, 2, 7, 3, 5, 1, 4, 0, 2, 1, 3]);
    const { buffer, bufferViews } = pack(new Float32Array(CORNERS.flat()), soup, strip, new Uint32Array(QUADS.flat()));
    const json = { ...cubeJson(), bufferViews, buffers: [{ byteLength: buffer.length }] };
    json.accessors = [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3' },
      { bufferView: 1, componentType: 5126, count: 36, type: 'VEC3' },
      { bufferView: 2, componentType: 5121, count: 14, type: 'SCALAR' },
      ...QUADS.map((_, k) => ({ bufferView: 3, byteOffset: k * 16, componentType: 5125, count: 4, type: 'SCALAR' })),
    ];
    const forms = [
      [{ attributes: { POSITION: 1 } }],
      [{ attributes: { POSITION: 0 }, indices: 2, mode: 5 }],
      QUADS.map((_, k) => ({ attributes: { POSITION: 0 }, indices: 3 + k, mode: 6 })),
    ];
    for (const primitives of forms) {
      json.meshes = [{ primitives }];
      const mesh = await parse(glb(json, buffer));
      expect(mesh.indices).toHaveLength(36);
      expect(signedVolume(mesh)).toBeCloseTo(1, 12);
    }
    json.meshes = [{ primitives: [...forms.flat(), { attributes: { POSITION: 0 }, mode: 0 }] }];
    const all = await parse(glb(json, buffer));
    expect(signedVolume(all)).toBeCloseTo(3, 12);
    expect(all.warnings).toEqual(['a.gltf: points are not read, only triangles.']);
  });

  it('reads interleaved, sparse and quantised accessors', async () => {
    const stride = new Float32Array(CORNERS.flatMap((c) => [9, ...c]));
    const zeros = new Float32Array(1 + 24);
    // Corners 1 to 7 are set one by one; corner 0 stays zero. The accessor's own offset must not shift the sparse runs.
    const changed = new Uint8Array([1, 2, 3, 4, 5, 6, 7]);
    const values = new Float32Array(CORNERS.slice(1).flat());
    const short = new Int16Array(CORNERS.flatMap((c) => [...c.map((v) => v * 32767), 0]));
    const { buffer, bufferViews } = pack(stride, zeros, changed, values, short, new Uint16Array(TRIANGLES.flat()));
    const json = { ...cubeJson(), bufferViews, buffers: [{ byteLength: buffer.length }] };
    json.extensionsRequired = ['KHR_mesh_quantization', 'KHR_materials_unlit'];
    Object.assign(bufferViews[0], { byteStride: 16 });
    Object.assign(bufferViews[4], { byteStride: 8 });
    const indices = { bufferView: 5, componentType: 5123, count: 36, type: 'SCALAR' };
    const sparse = { count: 7, indices: { bufferView: 2, componentType: 5121 }, values: { bufferView: 3 } };
    for (const positions of [
      { bufferView: 0, byteOffset: 4, componentType: 5126, count: 8, type: 'VEC3' },
      { bufferView: 1, byteOffset: 4, componentType: 5126, count: 8, type: 'VEC3', sparse },
      { componentType: 5126, count: 8, type: 'VEC3', sparse },
      { bufferView: 4, componentType: 5122, normalized: true, count: 8, type: 'VEC3' },
    ]) {
      json.accessors = [positions, indices];
      expect(signedVolume(await parse(glb(json, buffer)))).toBeCloseTo(1, 12);
    }
  });

  it('keeps COLOR_0, white where a primitive has none', async () => {
    const bytes = new Uint8Array(CORNERS.flatMap((c) => [...c.map((v) => v * 255), 128]));
    const floats = new Float32Array(CORNERS.flat().map((v) => v / 4));
    const { buffer, bufferViews } = pack(
      new Float32Array(CORNERS.flat()),
      new Uint16Array(TRIANGLES.flat()),
      bytes,
      floats,
    );
    const json = { ...cubeJson(), bufferViews, buffers: [{ byteLength: buffer.length }] };
    json.accessors[1].count = 36;
    json.accessors.push({ bufferView: 2, componentType: 5121, normalized: true, count: 8, type: 'VEC4' });
    json.accessors.push({ bufferView: 3, componentType: 5126, count: 8, type: 'VEC3' });
    const primitive = (colour?: number) => ({ attributes: { POSITION: 0, COLOR_0: colour }, indices: 1 });
    json.meshes = [{ primitives: [primitive(2), primitive(), primitive(3)] }];
    const { colours } = await parse(glb(json, buffer));
    expect([...colours!]).toEqual([...CORNERS.flat(), ...new Array(24).fill(1), ...floats]);
  });

  it('keeps TEXCOORD_0 with v upwards, as floats and as fractions in bytes', async () => {
    const floats = new Float32Array(CORNERS.flatMap(([x, y]) => [x / 2, y / 4]));
    const bytes = new Uint8Array(CORNERS.flatMap(([x, y]) => [x * 255, y * 51]));
    const { buffer, bufferViews } = pack(
      new Float32Array(CORNERS.flat()),
      new Uint16Array(TRIANGLES.flat()),
      floats,
      bytes,
    );
    const json = { ...cubeJson(), bufferViews, buffers: [{ byteLength: buffer.length }] };
    json.accessors[1].count = 36;
    json.accessors.push({ bufferView: 2, componentType: 5126, count: 8, type: 'VEC2' });
    json.accessors.push({ bufferView: 3, componentType: 5121, normalized: true, count: 8, type: 'VEC2' });
    const primitive = (uv?: number) => ({ attributes: { POSITION: 0, TEXCOORD_0: uv }, indices: 1 });
    json.meshes = [{ primitives: [primitive(2), primitive(3), primitive()] }];
    const { uvs } = await parse(glb(json, buffer));
    const expected = [
      ...CORNERS.flatMap(([x, y]) => [x / 2, 1 - y / 4]),
      ...CORNERS.flatMap(([x, y]) => [x, 1 - y / 5]),
      ...new Array(16).fill(0),
    ];
    expected.forEach((value, k) => {
      expect(uvs![k]).toBeCloseTo(value, 6);
    });
    expect(uvs).toHaveLength(48);
  });

  it('never asks for images or for buffers that hold no triangles', async () => {
    const json = cubeJson();
    json.images = [{ uri: 'skin.png' }];
    json.textures = [{ source: 0 }];
    json.animations = [{ channels: [], samplers: [{ input: 9, output: 9 }] }];
    const text = JSON.parse(new TextDecoder().decode(gltf(json)));
    text.buffers.push({ byteLength: 4, uri: 'animation.bin' });
    expect(signedVolume(await parse(new TextEncoder().encode(JSON.stringify(text))))).toBeCloseTo(1, 12);
  });

  it('says when a mesh is skinned', async () => {
    const json = cubeJson();
    json.nodes[0].skin = 0;
    expect((await parse(gltf(json))).warnings).toEqual(['a.gltf: nodes[0] has a skin; its mesh is read unposed.']);
  });

  // biome-ignore lint/suspicious/noExplicitAny: each case breaks the JSON in its own way
  const broken: [string, (json: any) => void][] = [
    [
      'a.gltf: the file needs the extension KHR_draco_mesh_compression, which is not supported; expected a file saved without compression.',
      (j) => (j.extensionsRequired = ['KHR_draco_mesh_compression']),
    ],
    [
      'a.gltf: the file needs the extension EXT_meshopt_compression, which is not supported; expected a file saved without compression.',
      (j) => (j.extensionsRequired = ['EXT_meshopt_compression']),
    ],
    [
      'a.gltf: the file needs the extension EXT_meshopt_compression, which is not supported; expected a file saved without compression.',
      (j) => (j.bufferViews[0].extensions = { EXT_meshopt_compression: {} }),
    ],
    [
      'a.gltf: the file needs the extension KHR_draco_mesh_compression, which is not supported; expected a file saved without compression.',
      (j) => {
        j.meshes[0].primitives[0].extensions = { KHR_draco_mesh_compression: {} };
        delete j.accessors[0].bufferView;
      },
    ],
    [
      'a.gltf: the file needs the extension X_y, which is not supported; expected one without it.',
      (j) => (j.extensionsRequired = ['X_y']),
    ],
    ['a.gltf: asset.version is "1.0"; expected "2.0".', (j) => (j.asset.version = '1.0')],
    ['a.gltf: asset.version is undefined; expected "2.0".', (j) => delete j.asset],
    ['a.gltf: meshes is not a list of objects; expected a glTF 2.0 file.', (j) => (j.meshes = 3)],
    [
      'a.gltf: meshes[0].primitives[0] has no POSITION; expected one.',
      (j) => (j.meshes[0].primitives[0].attributes = {}),
    ],
    [
      'a.gltf: meshes[0].primitives[0].POSITION is 7; expected an integer from 0 to 1.',
      (j) => (j.meshes[0].primitives[0].attributes.POSITION = 7),
    ],
    [
      'a.gltf: meshes[0].primitives[0].POSITION is a "SCALAR"; expected VEC3.',
      (j) => (j.meshes[0].primitives[0].attributes.POSITION = 1),
    ],
    [
      'a.gltf: accessors[0] with 9 elements ends at byte 108 of its view; expected at most 96.',
      (j) => (j.accessors[0].count = 9),
    ],
    ['a.gltf: accessors[0].count is -1; expected an integer from 0 to 4294967295.', (j) => (j.accessors[0].count = -1)],
    [
      'a.gltf: accessors[0].componentType is 5130; expected 5120, 5121, 5122, 5123, 5125, 5126.',
      (j) => (j.accessors[0].componentType = 5130),
    ],
    [
      'a.gltf: bufferViews[1] ends at byte 169 of its buffer; expected at most 168.',
      (j) => (j.bufferViews[1].byteOffset = 97),
    ],
    [
      'a.gltf: accessors[0] has 4000000000 elements without data; expected at most 16777216 in all.',
      (j) => {
        j.accessors[0].count = 4e9;
        delete j.accessors[0].bufferView;
      },
    ],
    ['a.gltf: corner 0 uses vertex 0; expected 0 to -1.', (j) => (j.accessors[0].count = 0)],
    ['a.gltf: corner 2 uses vertex 3; expected 0 to 2.', (j) => (j.accessors[0].count = 3)],
    ['a.gltf: a triangle list has 35 corners; expected a multiple of 3.', (j) => (j.accessors[1].count = 35)],
    ['a.gltf: the default scene has no triangles; expected at least one.', (j) => (j.scenes[0].nodes = [])],
    ['a.gltf: nodes[0] has two parents or is its own ancestor; expected a tree.', (j) => (j.nodes[0].children = [0])],
    ['a.gltf: nodes[0].children is 5; expected an integer from 0 to 0.', (j) => (j.nodes[0].children = [5])],
    ['a.gltf: nodes[0].mesh is 1; expected an integer from 0 to 0.', (j) => (j.nodes[0].mesh = 1)],
    ['a.gltf: nodes[0].matrix is a list of 3; expected 16 finite numbers.', (j) => (j.nodes[0].matrix = [1, 2, 3])],
    ['a.gltf: scene is 3; expected an integer from 0 to 0.', (j) => (j.scene = 3)],
    ['a.gltf: scene is an object; expected an integer from 0 to 0.', (j) => (j.scene = { toString: 1 })],
  ];
  it.each(broken)('refuses: %s', async (message, breakIt) => {
    const json = cubeJson();
    breakIt(json);
    await expect(parse(glb(json))).rejects.toThrow(new PliantError('a.gltf', message));
  });

  it('refuses coordinates that are not finite', async () => {
    const buffer = cubeBuffer();
    new DataView(buffer.buffer).setFloat32(16, Number.NaN, true);
    await expect(parse(gltf(cubeJson(), buffer))).rejects.toThrow(
      'a.gltf: vertex 1 is at (1, NaN, 0), which its node takes to NaN; expected finite numbers.',
    );
  });

  it('refuses broken containers and buffers', async () => {
    const file = (json: object) => new TextEncoder().encode(JSON.stringify({ ...cubeJson(), ...json }));
    const refuses = (bytes: Uint8Array, message: string | RegExp, resolve?: () => Promise<Uint8Array>) =>
      expect(parseGltf(bytes, 'a.gltf', resolve)).rejects.toThrow(message);
    const cube = glb();
    await refuses(new Uint8Array(), 'a.gltf: the file is empty; expected a glTF 2.0 file.');
    await refuses(file({}).subarray(0, 30), /^a\.gltf: the JSON does not parse \(.*\); expected a glTF 2\.0 file\.$/);
    await refuses(new TextEncoder().encode('[]'), 'a.gltf: the JSON is not an object; expected a glTF 2.0 file.');
    await refuses(cube.subarray(0, 12), 'a.gltf: the file has 12 bytes; expected a GLB header of 20.');
    await refuses(
      cube.subarray(0, 200),
      `a.gltf, byte 8: the GLB length is ${cube.length}, the file has 200 bytes; expected a whole file.`,
    );
    const version = cube.slice();
    version[4] = 1;
    await refuses(version, 'a.gltf, byte 4: the GLB version is 1; expected 2.');
    const chunk = cube.slice();
    new DataView(chunk.buffer).setUint32(12, 1e6, true);
    await refuses(
      chunk,
      `a.gltf, byte 12: the GLB chunk ends at byte 1000020, the file at ${cube.length}; expected a whole file.`,
    );

    const external = file({ buffers: [{ byteLength: 168, uri: 'cube.bin' }] });
    await refuses(
      external,
      'a.gltf: buffers[0] is in "cube.bin", and only this file was given; expected a .glb or the other file too.',
    );
    await refuses(
      external,
      'a.gltf: buffers[0] in "cube.bin" could not be read (no such file); expected that file beside it.',
      () => Promise.reject(new Error('no such file')),
    );
    await refuses(external, 'a.gltf: buffers[0] has 3 bytes; expected 168.', async () => new Uint8Array(3));
    await refuses(file({}), 'a.gltf: buffers[0] has no uri and the file no binary chunk; expected one of them.');
    await refuses(file({ buffers: [{ byteLength: 168, uri: 7 }] }), 'a.gltf: buffers[0].uri is 7; expected a text.');
    for (const uri of ['data:;base64,***', 'data:text/plain,hello', 'data:'])
      await refuses(
        file({ buffers: [{ byteLength: 168, uri }] }),
        `a.gltf: buffers[0] is "${uri}"; expected base64 data.`,
      );
  });
});
