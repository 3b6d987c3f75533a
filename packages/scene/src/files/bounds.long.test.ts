import { PliantError } from 'pliant';
import { describe, expect, it } from 'vitest';
import { Growing, MOST_NUMBERS, MOST_VERTICES, TooLarge } from './growing.js';
import { bounded, checkVertices } from './meshFile.js';
import { parseParticles } from './particles.js';
import { readMesh } from './readMesh.js';
import { bytesOf, cubeBuffer, cubeJson, cubeStlBinary, dataUri, glb } from './testing/cube.js';

// Small files that promise or mean gigabytes, or hours: each is refused before there is memory for it.
async function refusal(name: string, bytes: Uint8Array): Promise<string> {
  const error = await readMesh(bytes, name).then(
    () => undefined,
    (error) => error,
  );
  expect(error).toBeInstanceOf(PliantError);
  expect(error.message.length).toBeLessThan(400);
  return error.message;
}

describe('what a file says of itself', () => {
  it.each([
    ['ascii', 'element vertex 4000000000\nproperty float x\nproperty float y\nproperty float z'],
    ['binary_little_endian', 'element vertex 4000000000\nproperty char x\nproperty char y\nproperty char z'],
    ['ascii', 'element junk 4000000000\nproperty float a\nelement vertex 1\nproperty float x'],
    ['binary_big_endian', 'element vertex 1\nproperty list uint double a\nproperty float x'],
  ])('PLY, %s: %j', async (format, elements) => {
    const text = `ply\nformat ${format} 1.0\n${elements}\nend_header\n`;
    const message = await refusal('a.ply', Uint8Array.from([...bytesOf(text), 255, 255, 255, 255, 0, 0, 0, 0]));
    expect(message).toMatch(/expected/);
  });

  it('PLY: a header of names without end', async () => {
    const header = (lines: string) => bytesOf(`ply\nformat ascii 1.0\n${lines}end_header\n`);
    const names = (word: string) => Array.from({ length: 50_000 }, (_, k) => `${word}${k}\n`).join('');
    const elements = names('element e').replaceAll('\n', ' 0\n');
    expect(await refusal('a.ply', header(elements))).toContain('the header has 1000 elements; expected fewer');
    expect(await refusal('a.ply', header(`element vertex 1\n${names('property float p')}`))).toContain(
      'the element "vertex" has 1000 properties; expected fewer',
    );
  });

  it('STL: four thousand million facets', async () => {
    const bytes = cubeStlBinary();
    new DataView(bytes.buffer).setUint32(80, 0xffffffff, true);
    expect(await refusal('a.stl', bytes)).toContain('4294967295 facets take 214748364834 bytes');
  });

  it('vertices beyond what is held, and an allocation that fails', async () => {
    expect(() => checkVertices(MOST_VERTICES + 1, 'a.ply', '')).toThrow(
      'a.ply: the file has 44739243 vertices; expected at most 44739242.',
    );
    const full = new Growing({ length: MOST_NUMBERS } as Uint32Array);
    full.length = MOST_NUMBERS;
    expect(() => full.push(1)).toThrow(TooLarge);
    await expect(bounded('a.obj', () => full.push(1))).rejects.toThrow(
      'a.obj: the file expands to more than 134217728 numbers; expected fewer.',
    );
    await expect(bounded('a.obj', () => new ArrayBuffer(2 ** 53 - 1))).rejects.toThrow(
      'a.obj: the file needs more memory than there is; expected a smaller one.',
    );
  });

  it('a number or a word of a megabyte', async () => {
    const long = '1'.repeat(1_000_000);
    expect(await refusal('a.obj', bytesOf(`v 0 0 ${long}\n`))).toMatch(/line 1: z is "1{37}\.\.\."; expected/);
    expect(() => parseParticles(bytesOf(`0 0 ${long}`), 'a.txt')).toThrow(/a\.txt.*no particles/);
    expect((await readMesh(bytesOf(`${long}\nv 0 0 0\n`), 'a.obj')).warnings[0].length).toBeLessThan(200);
  });
});

describe('glTF', () => {
  /** The cube's JSON after a change. */
  const changed = (change: (json: ReturnType<typeof cubeJson>) => void) => {
    const json = cubeJson();
    change(json);
    return json;
  };

  it('nodes in a circle, and nodes with two parents', async () => {
    for (const nodes of [[{ children: [0] }], [{ children: [1] }, { children: [0] }], [{ children: [1, 1] }, {}]]) {
      const json = changed((json) => Object.assign(json, { nodes, scenes: [{ nodes: [0] }], scene: 0 }));
      expect(await refusal('a.glb', glb(json))).toContain('has two parents or is its own ancestor');
    }
  });

  it.each([
    [4294967295, 0],
    [2 ** 32, 0],
    [1e300, 0],
    [8, 4294967295],
    [8, -12],
    [8, 0.5],
  ])('an accessor of %d elements from byte %d on', async (count, byteOffset) => {
    const json = changed(({ accessors }) => Object.assign(accessors[0], { count, byteOffset }));
    expect(await refusal('a.glb', glb(json))).toMatch(/accessors\[0\].*expected/);
  });

  it('many accessors of the same bytes', async () => {
    const buffer = new Uint8Array(12_000_000);
    const json = changed((json) => {
      json.buffers = [{ byteLength: buffer.length }];
      json.bufferViews = [{ buffer: 0, byteLength: buffer.length }];
      json.accessors = Array.from({ length: 1000 }, () => ({ ...json.accessors[0], bufferView: 0, count: 1_000_000 }));
      json.meshes = [{ primitives: json.accessors.map((_: unknown, k: number) => ({ attributes: { POSITION: k } })) }];
    });
    expect(await refusal('a.glb', glb(json, buffer))).toContain('bytes; expected at most 1073741824 in all');
  });

  it.each([4, 0])('many nodes that place many primitives of mode %d', async (mode) => {
    const json = changed((json) => {
      const [primitive] = json.meshes[0].primitives;
      json.accessors.push({ ...json.accessors[primitive.attributes.POSITION], count: 0 });
      const empty = { attributes: { POSITION: json.accessors.length - 1 }, mode };
      json.meshes = [{ primitives: Array(20_000).fill(empty) }];
      json.nodes = Array(20_000).fill({ mesh: 0 });
      json.scenes = [{ nodes: json.nodes.map((_: unknown, k: number) => k) }];
      json.scene = 0;
    });
    expect(await refusal('a.glb', glb(json))).toContain('more than 1000000 primitives');
  });

  it('data that are long, wrong or not there', async () => {
    for (const uri of ['data:', 'data:;base64,***', `data:;base64,${'A'.repeat(1_000_001)}`, 'data:text/plain,hello'])
      expect(
        await refusal('a.gltf', bytesOf(JSON.stringify(changed((json) => Object.assign(json.buffers[0], { uri }))))),
      ).toMatch(/buffers\[0\]/);
    const wide = changed((json) =>
      Object.assign(json.buffers[0], { byteLength: 4294967295, uri: dataUri(cubeBuffer()) }),
    );
    expect(await refusal('a.gltf', bytesOf(JSON.stringify(wide)))).toContain('bytes; expected 4294967295');
  });

  it('JSON of more than 64 MiB', async () => {
    const bytes = new Uint8Array(64 * 2 ** 20 + 1).fill(32);
    expect(await refusal('a.gltf', bytes)).toContain('the JSON has 67108865 bytes; expected at most 67108864');
  });
});
