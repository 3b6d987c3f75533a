import { expect, test } from 'vitest';
import { parseValues } from './values.js';

const list = (text: string) => parseValues(text, '--vary x').list;

test.each([
  ['1,2,5', [1, 2, 5]],
  ['1/60, 1/120', [1 / 60, 1 / 120]],
  ['-1e-3,.5,+2.', [-0.001, 0.5, 2]],
  ['true,false', [true, false]],
  ['auto,4', ['auto', 4]],
  ['"1","a,b"', ['1', 'a,b']],
  [
    '[0,-9.81,0],[0,-1.62,0]',
    [
      [0, -9.81, 0],
      [0, -1.62, 0],
    ],
  ],
  ['{"axis":[0,1,0],"degrees":30}', [{ axis: [0, 1, 0], degrees: 30 }]],
  ['1..5', [1, 2, 3, 4, 5]],
  ['-2..1', [-2, -1, 0, 1]],
  ['0..1/5', [0, 0.25, 0.5, 0.75, 1]],
  ['0..0.3/4', [0, 0.1, 0.2, 0.3]],
  ['1/120..1/30/2', [1 / 120, 1 / 30]],
  ['5..1/3', [5, 3, 1]],
  ['1e4..1e6/3log', [1e4, 1e5, 1e6]],
  ['-1..-100/3log', [-1, -10, -100]],
  ['10..1000/5logint', [10, 32, 100, 316, 1000]],
  ['1..3/7int', [1, 2, 3]],
  ['1,10..30/3,7', [1, 10, 20, 30, 7]],
])('%s', (text, values) => {
  expect(list(text)).toEqual(values);
});

test('ranges with log have equal ratios, and say so', () => {
  const { list: values, scale } = parseValues('1e4..1e6/20log', 'x');
  expect(values).toHaveLength(20);
  expect(scale).toBe('log');
  const ratios = values.slice(1).map((v, k) => (v as number) / (values[k] as number));
  for (const ratio of ratios) expect(ratio).toBeCloseTo(100 ** (1 / 19), 9);
  expect(parseValues('1..4/4', 'x').scale).toBe('linear');
});

test.each([
  ['', /--vary x is "", which has an empty value; expected values/],
  ['1,,2', /empty value/],
  ['1..', /"1\.\.", which is no range/],
  ['1..5/x', /no range/],
  ['0..1/3log', /has an end of 0 or ends of different sign; expected ends above 0/],
  ['1..2/1', /has 1 values; expected from 2 to 10000/],
  ['1..2/20000', /has 20000 values/],
  ['1..1000000', /has 1000000 values; expected at most 10000/],
  ['1/60..1/30', /may mean 30 values up to 1; expected both ends as fractions/],
  ['5..1', /does not rise/],
  ['3..3/4', /begins and ends with the same number/],
  ['1,2,1', /has 1 twice; expected every value once/],
  ['1/0', /is not finite/],
  ['[1,2', /no JSON/],
])('%s is refused', (text, message) => {
  expect(() => list(text)).toThrow(message);
});
