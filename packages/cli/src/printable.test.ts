import { expect, test } from 'vitest';
import { caption, oneLine, printable, warningLines } from './printable.js';

test.each([
  ['\u001b[31mred\u001b[0m', '[31mred[0m'],
  ['\u001b]0;window\u0007', ']0;window'],
  ['\u009b2J', '2J'],
  ['a\rb\bc\u007f\0', 'abc'],
  ['evil\u202egnp.exe\u2066\u200f', 'evilgnp.exe'],
  ['Zwölf – 兎 👩‍🌾 m³', 'Zwölf – 兎 👩‍🌾 m³'],
  ['two\nlines', 'two\nlines'],
])('%j reaches a terminal as %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('a title cannot look like a line of ours', () => {
  expect(oneLine('Box\r\n  pliant: ok\u2028\n')).toBe('Box pliant: ok');
});

test('texts of a megabyte are shortened, and read in a time that does not grow with its square', () => {
  const blank = ' '.repeat(1_000_000);
  expect(oneLine(`a${blank}b`)).toHaveLength(1_000_002);
  expect(caption(`a${blank}b`).length).toBeLessThan(350);
});

test('of many warnings the first are told, each once, and the rest is counted', () => {
  const many = Array.from({ length: 1000 }, (_, k) => `field${k % 200} is odd`);
  const lines = warningLines(many).split('\n');
  expect(lines[0]).toBe('warning: field0 is odd');
  expect(lines.slice(-3)).toEqual(['warning: field49 is odd', 'warning: and 150 more.', '']);
  expect(warningLines([])).toBe('');
});
