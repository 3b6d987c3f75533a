import { expect, test } from 'vitest';
import { checkAxes, combinations, parseVariation } from './combinations.js';

test('the first axis changes slowest, and variations of one axis change together', () => {
  const axes = [[parseVariation('a=1,2')], [parseVariation('b.c=3,4'), parseVariation('d=x,y')]];
  checkAxes(axes);
  expect([...combinations(axes)]).toEqual([
    [
      ['a', 1],
      ['b.c', 3],
      ['d', 'x'],
    ],
    [
      ['a', 1],
      ['b.c', 4],
      ['d', 'y'],
    ],
    [
      ['a', 2],
      ['b.c', 3],
      ['d', 'x'],
    ],
    [
      ['a', 2],
      ['b.c', 4],
      ['d', 'y'],
    ],
  ]);
});

test('without an axis there is one combination: the scene as it is', () => {
  expect([...combinations([])]).toEqual([[]]);
});

test('a value may have an equals sign', () => {
  expect(parseVariation('title="a=b"')).toMatchObject({ path: 'title', list: ['a=b'] });
});

test.each([
  [() => parseVariation('dt'), /--vary is "dt"; expected PATH=VALUES/],
  [() => parseVariation('=3'), /expected PATH=VALUES/],
  [() => checkAxes([[parseVariation('a=1,2')], [parseVariation('a=3')]]), /--vary a is given twice/],
  [
    () => checkAxes([[parseVariation('a=1,2'), parseVariation('b=1,2,3')]]),
    /--with b has 3 values; expected 2, as many as a/,
  ],
  [
    () => checkAxes([[parseVariation('a=1..1000')], [parseVariation('b=1..1000')]]),
    /gives 1000000 combinations; expected at most 100000/,
  ],
])('is refused', (act, message) => {
  expect(act).toThrow(message);
});
