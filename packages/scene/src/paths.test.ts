import { expect, test } from 'vitest';
import { folderOf, isAbsolute, isInside, resolvePath, stemOf } from './paths.js';

test.each([
  ['scenes/x.json', 'scenes'],
  ['x.json', ''],
  ['/x.json', '/'],
  ['a/b/c', 'a/b'],
  ['C:\\a\\b.json', 'C:\\a'],
])('the folder of %s is %s', (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});

test.each([
  ['scenes', 'm/a.obj', 'scenes/m/a.obj'],
  ['scenes', '../m/a.obj', 'm/a.obj'],
  ['scenes', '../../a.obj', '../a.obj'],
  ['', 'a.obj', 'a.obj'],
  ['/', 'a.obj', '/a.obj'],
  ['/s', '/abs/a.obj', '/abs/a.obj'],
  ['/s', '../../a.obj', '/a.obj'],
  ['https://x.org/scenes', '../a.obj', 'https://x.org/a.obj'],
  ['https://x.org/scenes', 'https://y.org/a.obj', 'https://y.org/a.obj'],
  ['C:/scenes', './a.obj', 'C:/scenes/a.obj'],
  ['a', '.', 'a'],
])('from %s, %s is %s', (folder, path, resolved) => {
  expect(resolvePath(folder, path)).toBe(resolved);
});

test('absolute paths have a root, a drive or a scheme', () => {
  expect(['/a', 'C:\\a', 'file:///a', 'https://a'].every(isAbsolute)).toBe(true);
  expect(['a', './a', '../a', 'a/b:c'].some(isAbsolute)).toBe(false);
});

test('a stem is the name without folder and ending', () => {
  expect(['blue_noise/heart-bn.txt', 'a.b.json', '/x', 'n'].map(stemOf)).toEqual(['heart-bn', 'a.b', 'x', 'n']);
});

test.each([
  ['scenes', 'scenes/m/a.obj'],
  ['scenes', 'scenes/m/../a.obj'],
  ['scenes', 'scenes\\m\\a.obj'],
  ['scenes', 'scenes/..a/b..obj'],
  ['', 'a.obj'],
  ['..', '../a.obj'],
  ['/', '/a.obj'],
  ['/s', '/s/a.obj'],
  ['/w/s', 's/a.obj', '/w'],
  ['s', '/w/s/a.obj', '/w'],
  ['https://x.org/scenes', 'https://x.org/scenes/a.obj'],
  ['scenes', 'data:;name=a.obj;base64,AAAA'],
])('in %s lies %s', (folder, path, cwd?: string) => {
  expect(isInside(folder, path, cwd)).toBe(true);
});

test.each([
  ['scenes', 'a.obj'],
  ['scenes', 'scenes'],
  ['scenes', 'scenes/../a.obj'],
  ['scenes', 'scenes/m/../../../a.obj'],
  ['scenes', 'scenes\\..\\a.obj'],
  ['scenes', 'scenes-2/a.obj'],
  ['scenes', '/etc/passwd'],
  ['scenes', 'C:\\a.obj'],
  ['scenes', '\\\\host\\a.obj'],
  ['scenes', 'file:///etc/passwd'],
  ['', '../a.obj'],
  ['', '..'],
  ['', '/a.obj'],
  ['..', '../../a.obj'],
  ['/s', '/a.obj'],
  ['s', '/w/a.obj', '/w'],
  ['https://x.org/scenes', 'https://x.org/a.obj'],
  ['https://x.org/scenes', 'https://y.org/scenes/a.obj'],
  ['https://x.org/scenes', '//y.org/a.obj'],
  ['https://x.org/scenes', 'http://x.org/scenes/a.obj'],
])('in %s does not lie %s', (folder, path, cwd?: string) => {
  expect(isInside(folder, path, cwd)).toBe(false);
});
