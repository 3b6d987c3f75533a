import { expect, test } from 'vitest';
import { loadScene } from './loadScene.js';
import { FILE_LIMITS, guarded, TOTAL_LIMIT } from './readFile.js';
import { boxScene, memory } from './testing/memory.js';

/** Only its length is looked at. */
const bytesOf = (length: number) => ({ length }) as Uint8Array;

test('a file above the limit of its kind is refused with its size and the limit', async () => {
  const files = memory({ 's/x.json': boxScene({}, { geometry: { type: 'mesh', file: 'm.obj' } }) });
  const read = async (path: string) =>
    path === 's/m.obj' ? bytesOf(FILE_LIMITS.mesh + 1) : files(path, { kind: 'scene' });
  await expect(loadScene('s/x.json', read)).rejects.toThrow(
    's/x.json: bodies[0].geometry.file: cannot read s/m.obj (it has 1024 MiB; expected at most 1024 MiB for a mesh).',
  );
  await expect(loadScene('s/x.json', async () => bytesOf(65 << 20))).rejects.toThrow(
    'scene: cannot read s/x.json (it has 65 MiB; expected at most 64 MiB for a scene).',
  );
});

test('a scene that names large files again and again is refused at the sum', async () => {
  const read = guarded(async () => bytesOf(FILE_LIMITS.mesh), { within: '' });
  const most = TOTAL_LIMIT / FILE_LIMITS.mesh;
  for (let k = 0; k < most; k++) await read('m.obj', { kind: 'mesh' });
  await expect(read('m.obj', { kind: 'mesh' })).rejects.toThrow('expected at most 2048 MiB in all');
});

test('a name with a NUL is refused before anything is read', async () => {
  const scene = boxScene({}, { geometry: { type: 'mesh', file: 'm\0.obj' } });
  await expect(loadScene('s/x.json', memory({ 's/x.json': scene }))).rejects.toThrow('its name has a NUL character');
});

test('a long name is shortened in the message', async () => {
  const scene = boxScene({}, { geometry: { type: 'mesh', file: `${'m'.repeat(1e6)}.obj` } });
  const failure = await loadScene('s/x.json', memory({ 's/x.json': scene })).catch((error) => error);
  expect(failure.message).toMatch(/cannot read s\/m+… \(1000006 characters\) \(not found\)/);
  expect(failure.message.length).toBeLessThan(400);
});
