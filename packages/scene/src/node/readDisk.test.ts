import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { boxScene } from '../testing/memory.js';
import { loadSceneFile } from './loadSceneFile.js';
import { readDisk } from './readDisk.js';

const TRIANGLES = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'pliant-files-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, 'scenes/meshes'), { recursive: true });
writeFileSync(join(root, 'outside.obj'), TRIANGLES);
writeFileSync(join(root, 'scenes/meshes/inside.obj'), TRIANGLES);
symlinkSync('inside.obj', join(root, 'scenes/meshes/link-in.obj'));
symlinkSync('../outside.obj', join(root, 'scenes/link-out.obj'));
symlinkSync('..', join(root, 'scenes/up'));
symlinkSync('/dev/zero', join(root, 'scenes/zero.obj'));
symlinkSync('circle.obj', join(root, 'scenes/circle.obj'));
symlinkSync('scenes', join(root, 'scenes-link'));
execFileSync('mkfifo', [join(root, 'scenes/fifo.obj')]);
writeFileSync(join(root, 'scenes/large.obj'), '');
// A hole: it takes no room on the disk.
truncateSync(join(root, 'scenes/large.obj'), (1 << 30) + 1);

function scene(file: string): string {
  const path = join(root, 'scenes/scene.json');
  writeFileSync(path, JSON.stringify(boxScene({}, { geometry: { type: 'mesh', file } })));
  return path;
}

test.each([
  'meshes/inside.obj',
  'meshes/link-in.obj',
  './meshes/../meshes/inside.obj',
  join(root, 'scenes/meshes/inside.obj'),
])('a scene reads %s', async (file) => {
  const { bodies } = await loadSceneFile(scene(file));
  expect(bodies[0].options.mesh!.indices).toHaveLength(12);
});

test('a folder that is a link, and paths from where the process is, change nothing', async () => {
  scene('meshes/inside.obj');
  expect((await loadSceneFile(join(root, 'scenes-link/scene.json'))).bodies).toHaveLength(1);
  scene(join(root, 'scenes/meshes/inside.obj'));
  expect((await loadSceneFile(relative(process.cwd(), join(root, 'scenes/scene.json')))).bodies).toHaveLength(1);
});

test.each([
  ['../outside.obj', /outside\.obj \(it is outside of .*scenes; expected a file inside it/],
  ['link-out.obj', /link-out\.obj \(it is outside of/],
  ['up/outside.obj', /outside\.obj \(it is outside of/],
  ['zero.obj', /zero\.obj \(it is a device; expected a regular file\)/],
  ['/dev/zero', /\/dev\/zero \(it is outside of/],
  ['fifo.obj', /fifo\.obj \(it is a FIFO; expected a regular file\)/],
  ['meshes', /meshes \(it is a folder\)/],
  ['large.obj', /large\.obj \(it has 1024 MiB; expected at most 1024 MiB for a mesh\)/],
  ['circle.obj', /circle\.obj \(its links lead in a circle\)/],
  ['none.obj', /none\.obj \(not found\)/],
  [`${'m'.repeat(5000)}.obj`, /\(its name is too long\)/],
])('a scene does not read %s', async (file, message) => {
  await expect(loadSceneFile(scene(file))).rejects.toThrow(message);
});

test.each([
  ['../outside.obj', /^12$/],
  ['link-out.obj', /^12$/],
  ['zero.obj', /it is a device/],
  ['fifo.obj', /it is a FIFO/],
  ['https://x.org/m.obj', /it is an address; expected a path/],
])('allowed outside, a scene that names %s gives %s', async (file, expected) => {
  const result = await loadSceneFile(scene(file), { allowOutside: true }).then(
    ({ bodies }) => String(bodies[0].options.mesh!.indices!.length),
    (error) => error.message,
  );
  expect(result).toMatch(expected);
});

test.skipIf(process.platform !== 'linux')('a file of the system that says it is empty is read to its end', async () => {
  const bytes = await readDisk('/proc/self/status', { kind: 'scene' });
  expect(new TextDecoder().decode(bytes)).toMatch(/^Name:.*\n(.*\n)*$/);
});

test('a research scene reads what lies in its inputFiles, and nothing else', async () => {
  const inputs = join(root, 'papers/inputFiles');
  mkdirSync(join(inputs, 'more'), { recursive: true });
  writeFileSync(join(inputs, 'cube.txt'), '0 0 0\n1 0 0\n');
  writeFileSync(join(root, 'papers/secret.txt'), '0 0 0\n');
  const path = join(inputs, 'more/scene.json');
  const load = (file: string) => {
    writeFileSync(path, JSON.stringify({ particleFiles: [file] }));
    return loadSceneFile(path);
  };
  expect((await load('inputFiles/cube.txt')).bodies[0].options.points).toHaveLength(6);
  for (const file of ['secret.txt', '../secret.txt', '../../secret.txt', join(root, 'papers/secret.txt')])
    await expect(load(file), file).rejects.toThrow(/not found|outside of .*inputFiles/);
});
