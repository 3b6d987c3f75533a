import { expect, test } from 'vitest';
import { oneLine, printable } from './printable.js';

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
