import { describe, expect, it } from 'vitest';
import { random } from '../../math/random.js';
import { testSeed } from '../../testing/seed.js';
import { buildGrid, spacingOf } from '../grid.js';
import { withKernels, withoutKernels } from './workspace.js';

const next = random(testSeed('workspace'));
const points = (count: number, flat = 1) =>
  Float64Array.from({ length: 3 * count }, (_, k) => (k % 3 === 2 ? flat : 1) * (2 * next() - 1));

describe('withKernels', () => {
  it('calls nobody within a call, and everybody again afterwards, also after an exception', () => {
    expect(withKernels(() => withKernels(() => 1) ?? 2)).toBe(2);
    expect(() =>
      withKernels(() => {
        throw new Error('cancelled');
      }),
    ).toThrow('cancelled');
    expect(withKernels(() => 3)).toBe(3);
    expect(withoutKernels(() => withKernels(() => 4))).toBeUndefined();
  });

  it('gives lists that do not overlap, and more memory than there was', () => {
    withKernels((space) => {
      const lists = [10, 40_000, 7, 200_000].map((count) => ({ count, at: space.takeReals(count) }));
      for (const [k, { at, count }] of lists.entries()) space.reals(at, count).fill(k);
      for (const [k, { at, count }] of lists.entries()) expect(space.reals(at, count).every((v) => v === k)).toBe(true);
    });
  });
});

describe('grids by kernels', () => {
  it.each([
    ['a cloud', points(3000), 0.1],
    ['a sheet', points(2000, 0), 0.05],
    ['cells without number', points(1000), 1e-9],
    ['one place', new Float64Array(3 * 500).fill(0.25), 0.1],
  ])('of %s are those of the plain form', (_, cloud, size) => {
    expect(buildGrid(cloud, size)).toEqual(withoutKernels(() => buildGrid(cloud, size)));
    expect(spacingOf(cloud)).toBe(withoutKernels(() => spacingOf(cloud)));
  });
});
