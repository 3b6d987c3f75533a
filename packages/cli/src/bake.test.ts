import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BOX, pliant, scratch } from './testing/cli.js';

const disk = scratch();
const box = disk.scene('box.json', BOX);
const cut = disk.scene('cut.json', { ...BOX, cuts: [{ at: 0.03, plane: { point: [0, 1, 0], normal: [1, 0, 0] } }] });

test('a bake writes the file, says so, and leaves nothing aside', async () => {
  const { code, out, err } = await pliant(
    'bake',
    box,
    '--out',
    disk.path('baked/box.glb'),
    '--fps',
    '30',
    '--frames',
    '4',
  );
  expect(code).toBe(0);
  expect(out).toMatch(/^Box: wrote .*baked\/box\.glb \(1 object, frames 0 to 4, 30 a second\)\n$/);
  expect(err).toMatch(/^frame 1\/4 \(20 %\)\n.*frame 4\/4 \(100 %\)\n$/s);
  expect(readdirSync(disk.path('baked'))).toEqual(['box.glb']);
  expect(readFileSync(disk.path('baked/box.glb')).subarray(0, 4).toString()).toBe('glTF');
});

test('a bake that is refused in its middle leaves the former file and nothing else', async () => {
  const file = disk.scene('cut.pc2', 'former');
  const before = readdirSync(disk.path('.'));
  const { code, out, err } = await pliant('bake', cut, '--out', file, '--quiet');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(
    /^pliant: "box" came apart in frame 3, and \.pc2 needs a mesh that stays the same; expected cut\.usda/,
  );
  expect(readFileSync(file, 'utf8')).toBe('former');
  expect(readdirSync(disk.path('.')).sort()).toEqual(before.sort());
});

test.each([
  [['bake', box], /^pliant: required option '--out <file>' not specified/],
  [['bake', box, '--out', 'x.fbx'], /^pliant: --out is "x\.fbx"; expected a name that ends in \.usda, \.usdz, \.glb/],
  [['bake', box, '--out', 'x.glb', '--fps', '0'], /'--fps <n>' argument '0' is invalid\. Expected a number above 0/],
  [
    ['bake', box, '--out', 'x.glb', '--frames', '2', '--seconds', '1'],
    /^pliant: --frames and --seconds are both given/,
  ],
  [['bake', box, '--out', '/dev/null/x.glb'], /^pliant: --out: cannot /],
  [['run', box, '--out', 'x.mp4', '--size', '7x7'], /^pliant: --size is "7x7"; expected WIDTHxHEIGHT, even numbers/],
])('%j ends with 2 and one line', async (args, message) => {
  const { code, out, err } = await pliant(...args);
  expect(err).toMatch(message);
  expect({ code, out, lines: err.trimEnd().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 });
  expect(existsSync('x.glb')).toBe(false);
});
