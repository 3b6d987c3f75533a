import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNumber, Scanner } from './scan.js';
import { bytesOf } from './testing/cube.js';

const seed = Number(process.env.PLIANT_SEED);

const parse = (text: string) => {
  const bytes = bytesOf(text);
  return parseNumber(bytes, 0, bytes.length);
};

describe('parseNumber', () => {
  it(`gives the same double as Number() (PLIANT_SEED=${seed})`, () => {
    const digits = fc.stringMatching(/^[+-]?\d{1,25}(\.\d{0,25})?([eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (text) => {
        expect(parse(text)).toBe(Number(text));
      }),
      { seed, numRuns: 3000 },
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parse(String(value))).toBe(Number(String(value)));
        expect(parse(value.toFixed(6))).toBe(Number(value.toFixed(6)));
      }),
      { seed, numRuns: 3000 },
    );
  });

  it('knows signs, points without digits on one side, and the hardest roundings', () => {
    expect(parse('-0')).toBe(-0);
    expect(parse('+.5')).toBe(0.5);
    expect(parse('7.')).toBe(7);
    expect(parse('000000000000000000000001.5')).toBe(1.5);
    expect(parse('9007199254740993')).toBe(9007199254740992);
    expect(parse('2.2250738585072011e-308')).toBe(2.225073858507201e-308);
    expect(parse('123456789012345e22')).toBe(123456789012345e22);
    expect(parse('1e999')).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    '',
    '+',
    '-',
    '.',
    'e5',
    '1e',
    '1e+',
    '1.2.3',
    '1,5',
    '0x10',
    'nan',
    'inf',
    '1f',
    '--1',
    '1e5.0',
    '\0',
    '1_0',
  ])('is NaN for %j', (text) => {
    expect(parse(text)).toBeNaN();
  });
});

describe('Scanner', () => {
  const tokens = (text: string, options = {}) => {
    const scan = new Scanner(bytesOf(text), 'a.txt', options);
    const out: string[] = [];
    while (scan.next()) out.push(`${scan.line}:${scan.text()}`);
    return out;
  };

  it('counts lines that end with LF, CR LF or CR', () => {
    expect(tokens('a b\nc\n\nd')).toEqual(['1:a', '1:b', '2:c', '4:d']);
    expect(tokens('a b\r\nc\r\n\r\nd')).toEqual(['1:a', '1:b', '2:c', '4:d']);
    expect(tokens('a b\rc\r\rd\r')).toEqual(['1:a', '1:b', '2:c', '4:d']);
  });

  it('skips a byte-order mark, tabs and form feeds', () => {
    expect(tokens('\ufeffa\t\tb\f\vc')).toEqual(['1:a', '1:b', '1:c']);
  });

  it('ends a line at a comment and joins lines at a backslash only where asked to', () => {
    expect(tokens('a #b\nc#d\n')).toEqual(['1:a', '1:#b', '2:c#d']);
    expect(tokens('a #b\nc#d\n', { comments: true })).toEqual(['1:a', '2:c#d']);
    expect(tokens('a\\\nb')).toEqual(['1:a\\', '2:b']);
    expect(tokens('a\\\r\nb \\ c', { continuation: true })).toEqual(['1:a', '2:b', '2:\\', '2:c']);
  });

  it('stays within a line until told to go on', () => {
    const scan = new Scanner(bytesOf('a b\nc'), 'a.txt');
    expect([scan.nextOnLine(), scan.nextOnLine(), scan.nextOnLine(), scan.nextOnLine()]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(scan.skipLine()).toBe(true);
    expect(scan.nextOnLine() && scan.text()).toBe('c');
    expect(scan.skipLine()).toBe(false);
  });
});
