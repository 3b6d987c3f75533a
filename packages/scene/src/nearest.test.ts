import { expect, test } from 'vitest';
import { nearest } from './nearest.js';

const KNOWN = ['title', 'bodies', 'colliders', 'dt', 'size', 'radius', 'x'];

test.each([
  ['bodys', 'bodies'],
  ['Bodies', 'bodies'],
  ['bodeis', 'bodies'],
  ['colider', 'colliders'],
  ['titel', 'title'],
  ['td', 'dt'],
  ['sizes', 'size'],
  ['y', undefined],
  ['gravity', undefined],
  ['', undefined],
  ['b'.repeat(1e6), undefined],
])('%s is meant to be %s', (name, meant) => {
  expect(nearest(name, KNOWN)).toBe(meant);
});
