import { expect, test } from 'vitest';
import { shorten, show } from './show.js';

test.each([
  [undefined, 'missing'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  ['a', '"a"'],
  ['x'.repeat(60), `"${'x'.repeat(60)}"`],
  ['x'.repeat(100_000), `"${'x'.repeat(56)}…" (100000 characters)`],
  [[1, 2], '[1,2]'],
  [Array(100).fill(1), `[${'1,'.repeat(28)}… (201 characters)`],
])('%j is shown as %s', (value, text) => {
  expect(show(value)).toBe(text);
});

test('half a character is not shown', () => {
  expect(show('\u0001'.repeat(70))).toMatch(/^"(\\u0001)+…" \(70 characters\)$/);
  expect(show(`${'x'.repeat(55)}${'🐇'.repeat(70)}`)).toMatch(/^"x+…"/);
  expect(shorten('x'.repeat(300), 10)).toBe('xxxxxxxxx… (300 characters)');
});
