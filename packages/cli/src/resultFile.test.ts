import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { ResultFile } from './resultFile.js';
import { BOX, pliant, scratch } from './testing/cli.js';

const disk = scratch();
const box = disk.scene('box.json', BOX);
afterEach(() => vi.restoreAllMocks());

/** A folder of its own with what is in it at first. */
function folder(name: string, files: Record<string, string> = {}): (file: string) => string {
  mkdirSync(disk.path(name));
  const path = (file: string) => disk.path(`${name}/${file}`);
  for (const [file, content] of Object.entries(files)) writeFileSync(path(file), content);
  return path;
}

test('until it is written, the old content stays; then there is the new one and nothing else', async () => {
  const path = folder('replace', { 'a.txt': 'old' });
  chmodSync(path('a.txt'), 0o640);
  const result = new ResultFile(path('a.txt'), '--out');
  await result.open();
  expect(readFileSync(path('a.txt'), 'utf8')).toBe('old');
  await result.write('new');
  expect(readFileSync(path('a.txt'), 'utf8')).toBe('new');
  expect(statSync(path('a.txt')).mode & 0o777).toBe(0o640);
  expect(readdirSync(path('.'))).toEqual(['a.txt']);
});

test('discarded, nothing is left, nor the folders that were made for it', async () => {
  const path = folder('discard', { 'a.txt': 'old' });
  for (const name of ['a.txt', 'new/er/b.txt']) {
    const result = new ResultFile(path(name), '--out');
    await result.open();
    await result.discard();
  }
  expect(readdirSync(path('.'))).toEqual(['a.txt']);
  expect(readFileSync(path('a.txt'), 'utf8')).toBe('old');
});

test('a link stays a link, and what it leads to is replaced', async () => {
  const path = folder('link', { 'real.txt': 'old' });
  symlinkSync('real.txt', path('link.txt'));
  const result = new ResultFile(path('link.txt'), '--out');
  await result.open();
  await result.write('new');
  expect(readFileSync(path('real.txt'), 'utf8')).toBe('new');
  expect(readdirSync(path('.'))).toEqual(['link.txt', 'real.txt']);
});

test('a full disk is said in a line, ends with 3, and leaves what was there', async () => {
  const path = folder('full', { 'a.ply': 'old' });
  const handle = await open(path('a.ply'));
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  vi.spyOn(prototype, 'writeFile').mockRejectedValue(Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' }));
  const { code, err } = await pliant('run', box, '--quiet', '--out', path('a.ply'), '--stats', path('s.json'));
  expect(code).toBe(3);
  expect(err).toBe(`pliant: --stats: cannot write ${path('s.json')}: the disk is full. Nothing of it is left there.\n`);
  expect(readdirSync(path('.'))).toEqual(['a.ply']);
  expect(readFileSync(path('a.ply'), 'utf8')).toBe('old');
});

test.skipIf(!existsSync('/dev/full'))('a device is written directly', async () => {
  const { code, err } = await pliant('run', box, '--quiet', '--stats', '/dev/full');
  expect({ code, err }).toEqual({ code: 3, err: 'pliant: --stats: cannot write /dev/full: the disk is full.\n' });
  expect((await pliant('run', box, '--quiet', '--stats', '/dev/null')).code).toBe(0);
});

test('what cannot be written is told before anything is read', async () => {
  const path = folder('early', { 'file.txt': '' });
  mkdirSync(path('folder'));
  for (const [option, file, reason] of [
    ['--stats', path('folder'), 'it is a folder; expected the name of a file.'],
    ['--stats', path('folder/'), 'it is a folder; expected the name of a file.'],
    ['--stats', `${path('new')}/`, 'it is a folder; expected the name of a file.'],
    ['--out', '/proc/x.ply', ''],
    ['--out', path(`${'n'.repeat(300)}.ply`), ''],
  ]) {
    const { code, err } = await pliant('run', 'none.json', option, file);
    expect(code).toBe(2);
    expect(err).toContain(`pliant: ${option}: cannot write ${file}: ${reason}`);
  }
  expect(readdirSync(path('.')).sort()).toEqual(['file.txt', 'folder']);
});

test('an empty name of a result is refused before anything is read', async () => {
  for (const option of ['--stats', '--out']) {
    const { code, err } = await pliant('run', 'none.json', option, '');
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`^pliant: ${option} is empty; expected .*\\.\n$`));
  }
});

test('a scene that is refused leaves nothing behind', async () => {
  const path = folder('refused', { 'scene.json': '{}' });
  for (const out of ['frames/', 'a/b.html', 'c.ply'])
    expect((await pliant('run', path('scene.json'), '--out', path(out), '--stats', path('s/t.json'))).code).toBe(2);
  expect(readdirSync(path('.'))).toEqual(['scene.json']);
});

test('no result overwrites the scene, nor another result', async () => {
  const path = folder('same', { 'scene.json': JSON.stringify(BOX) });
  symlinkSync('scene.json', path('link.json'));
  const scene = path('scene.json');
  expect((await pliant('run', scene, '--stats', path('link.json'))).err).toBe(
    `pliant: --stats is ${path('link.json')}, the same file as scene; expected one of its own.\n`,
  );
  expect((await pliant('run', scene, '--out', path('a.ply'), '--stats', path('./x/../a.ply'))).err).toMatch(
    /^pliant: --stats is .*, the same file as --out; expected one of its own\.\n$/,
  );
  expect(JSON.parse(readFileSync(scene, 'utf8'))).toEqual(BOX);
});
