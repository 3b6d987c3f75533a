import { describe, expect, it } from 'vitest';
import { parseGltf } from './gltf.js';
import { readMaterials } from './gltfMaterials.js';
import { cubeJson, glb, gltf } from './testing/cube.js';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4]);
const dataUri = `data:application/octet-stream;base64,${btoa(String.fromCharCode(...PNG))}`;

describe('readMaterials', () => {
  it('reads images of data URIs, of other files and of views, by their content', async () => {
    const json = {
      ...cubeJson(),
      images: [
        { uri: dataUri },
        { uri: 'pictures/my%20bark.png' },
        { bufferView: 0, mimeType: 'image/jpeg', name: 'in.jpg' },
      ],
      textures: [{ source: 0 }],
      materials: [{ name: 'bark' }],
      extensionsUsed: ['KHR_materials_clearcoat'],
    };
    const asked: string[] = [];
    const warnings: string[] = [];
    const read = await readMaterials(gltf(json), 'a.gltf', warnings, async (uri) => {
      asked.push(uri);
      return PNG;
    });
    expect(read).toMatchObject({
      materials: [{ name: 'bark' }],
      textures: [{ source: 0 }],
      extensions: ['KHR_materials_clearcoat'],
    });
    expect(read.images.map((image) => [image?.name, image?.mimeType])).toEqual([
      ['image 1', 'image/png'],
      ['my%20bark', 'image/png'],
      ['in', 'image/jpeg'],
    ]);
    expect(asked).toEqual(['pictures/my bark.png']);
    expect(warnings).toEqual([]);
  });

  it('leaves out an image that is not there, and says so', async () => {
    const warnings: string[] = [];
    const json = { ...cubeJson(), images: [{ uri: 'none.png' }, { bufferView: 99 }, { uri: dataUri }] };
    const { images } = await readMaterials(gltf(json), 'a.gltf', warnings);
    expect(images.map((image) => image !== undefined)).toEqual([false, false, true]);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(/^a\.gltf: images\[0\] is left out: .*none\.png/);
    expect(warnings[1]).toMatch(/images\[1\]\.bufferView is 99; expected an integer from 0/);
  });
});

it('parseGltf names the material of each run of triangles', async () => {
  expect((await parseGltf(glb(), 'a.glb')).groups).toBeUndefined();
  const json = cubeJson() as ReturnType<typeof cubeJson> & { materials?: object[] };
  json.materials = [{}, { name: 'b' }];
  const [primitive] = json.meshes[0].primitives as { material?: number }[];
  json.meshes[0].primitives = [{ ...primitive, material: 1 }, primitive, { ...primitive, material: 7 }] as never;
  const { groups, indices } = await parseGltf(gltf(json), 'a.gltf');
  const third = indices.length / 3;
  expect(groups).toEqual([
    { start: 0, count: third, material: 1 },
    { start: third, count: 2 * third, material: -1 },
  ]);
});
