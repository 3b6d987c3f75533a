import { expect, test } from 'vitest';
import { decodeDataUri, encodeDataUri, nameOfDataUri } from './dataUri.js';
import { loadScene } from './loadScene.js';
import { memory } from './testing/memory.js';

const TETRAHEDRON = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';

const sceneWith = (file: string) =>
  memory({ 'a/s.json': { bodies: [{ geometry: { type: 'mesh', file }, sampling: { count: 100 } }] } });

test('all bytes come back, and names with signs of their own', () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, k) => (k * 31) & 255);
  const uri = encodeDataUri('Häschen; 2,5=½.stl', bytes);
  expect(Buffer.from(decodeDataUri(uri)).equals(bytes)).toBe(true);
  expect(nameOfDataUri(uri)).toBe('Häschen; 2,5=½.stl');
});

test('a scene reads a mesh that is within it, by the ending of its name', async () => {
  const uri = encodeDataUri('tetra.obj', new TextEncoder().encode(TETRAHEDRON));
  const { bodies } = await loadScene('a/s.json', sceneWith(uri));
  expect(Array.from(bodies[0].options.mesh!.indices!)).toEqual([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
  expect(bodies[0].source).toBe('tetra.obj');
});

test.each([
  ['data:model/obj;name=t.obj,v 0 0 0', /t\.obj \(the data are not base64; expected/],
  ['data:;name=t.obj;base64,%%%', /t\.obj \(the data are not base64\)/],
  ['data:;name=t.obj;base64,', /t\.obj: the file is empty/],
  [encodeDataUri('t.xyz', new Uint8Array(9)), /t\.xyz: the file's ending is "\.xyz"/],
  [encodeDataUri('', new Uint8Array(9)), /data:: the file's ending is missing/],
])('what is wrong with %s is said without the data', async (uri, message) => {
  const failure = await loadScene('a/s.json', sceneWith(uri)).catch((error) => error);
  expect(failure.message).toMatch(message);
  expect(failure.message.length).toBeLessThan(200);
});
