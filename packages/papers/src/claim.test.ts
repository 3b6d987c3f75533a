import { expect, test } from 'vitest';
import { joinFindings, quantity, verdictOf } from './claim.js';
import { pictureSvg } from './report/picture.js';
import { plotSvg } from './report/plot.js';
import { htmlReport, markdownReport, summary } from './report/write.js';
import { chooseClaims, type Result } from './runClaims.js';

const check = (holds: boolean) => ({ what: 'a number <b>', holds });

test('a verdict is what the checks come to; without a check nothing is reproduced', () => {
  expect(verdictOf({ quantities: [], checks: [check(true), check(true)] })).toBe('reproduced');
  expect(verdictOf({ quantities: [], checks: [check(true), check(false)] })).toBe('in part');
  expect(verdictOf({ quantities: [], checks: [check(false)] })).toBe('not reproduced');
  expect(verdictOf({ quantities: [], checks: [] })).toBe('not reproduced');
});

test('a quantity is the median with the least and the largest value', () => {
  expect(quantity('x', [3, 1, 2], 'm')).toEqual({ name: 'x', value: 2, unit: 'm', spread: [1, 3] });
  expect(quantity('x', [4, 1, 2, 3]).value).toBe(2.5);
  expect(quantity('x', [5]).spread).toBeUndefined();
});

test('findings of several seeds are joined: medians with spreads, and checks that hold with most seeds', () => {
  const one = (value: number, holds: boolean) => ({
    quantities: [quantity('x', [value], 'm')],
    checks: [check(holds), { what: `${value} m`, holds: true }],
  });
  const joined = joinFindings([one(1, false), one(3, true), one(2, true)]);
  expect(joined.quantities).toEqual([{ name: 'x', value: 2, unit: 'm', spread: [1, 3] }]);
  expect(joined.checks).toEqual([
    { what: 'a number <b> (with 2 of 3 seeds)', holds: true },
    { what: '3 m (with 3 of 3 seeds)', holds: true },
  ]);
  // Half of the seeds are not most of them.
  expect(joinFindings([one(1, false), one(3, true)]).checks[0].holds).toBe(false);
  expect(joinFindings([one(1, false)])).toEqual(one(1, false));
});

test('claims are chosen by paper and by name; a name that there is not is refused', () => {
  expect(chooseClaims({ papers: ['2016'] }).every(({ paper }) => paper === '2016')).toBe(true);
  expect(chooseClaims({ ids: ['2017.rotation'] }).map(({ id }) => id)).toEqual(['2017.rotation']);
  expect(chooseClaims({ quick: true }).some(({ timed, long }) => timed || long)).toBe(false);
  expect(() => chooseClaims({ ids: ['2017.rotations'] })).toThrow(
    /there is no claim 2017\.rotations; expected one of /,
  );
});

const results: Result[] = [
  {
    id: '2017.rotation',
    verdict: 'reproduced',
    seconds: 1,
    finding: {
      quantities: [quantity('cosine', [0.98])],
      checks: [check(true)],
      plots: [
        {
          title: 'p',
          x: 'x',
          y: 'y',
          curves: {
            a: [
              [0, 0],
              [1, 2],
            ],
          },
        },
      ],
      pictures: [{ title: 'q', points: [0, 0, 0, 1, 1, 1, Number.NaN, 0, 0] }],
      timings: [{ name: 't', ours: 1, paper: 2 }],
    },
  },
  { id: '2015.weights', verdict: 'failed', error: 'it broke <here>', seconds: 1 },
];
const head = { date: '2026-11-17', version: '0.1.0', machine: 'a machine', quick: true };

test('the report has every claim with its verdict, its numbers and where it differs, and escapes its texts', () => {
  expect(summary(results)).toBe('reproduced 1, failed 1');
  const html = htmlReport(results, head);
  expect(html).toContain('a number &lt;b&gt;');
  expect(html).toContain('it broke &lt;here&gt;');
  expect(html).not.toMatch(/<(script|link|img)/);
  expect(html.match(/<section/g)).toHaveLength(2);
  const text = markdownReport(results, head);
  expect(text).toContain('### 2017.rotation: reproduced');
  expect(text).toContain('| t | 1 | 2 |');
  expect(text).toContain('**Where we differ.**');
});

test('plots reach from the least to the largest value; pictures leave out what is not finite', () => {
  const svg = plotSvg({
    title: 't',
    x: 'x',
    y: 'y',
    curves: {
      a: [
        [0, 0],
        [10, 5],
      ],
    },
  });
  expect(svg).toMatch(/M64\.0 274\.0L470\.0/);
  expect(pictureSvg({ title: 't', points: [0, 0, 0, 1, 1, 1, Number.NaN, 0, 0] }).match(/<circle/g)).toHaveLength(2);
  expect(pictureSvg({ title: 't', points: [] })).toBe('');
});
