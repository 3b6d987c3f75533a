import fc from 'fast-check';
import { PliantError } from 'pliant';
import { expect, test } from 'vitest';
import { DEEPEST, parseJson } from './parseJson.js';

const parse = (text: string) => parseJson(new TextEncoder().encode(text), 's.json');

test('comments, trailing commas and a byte order mark are fine; of a name given twice the last counts', () => {
  expect(parse('\uFEFF{ // one\n "a": [1, 2,], /* two */ "b": 1, "b": 2, }')).toEqual({ a: [1, 2], b: 2 });
});

test.each([
  ['{"a": [}', 's.json, line 1, column 8: found "}"; expected a value.'],
  ['{\n  "a": 1\n  "b": 2\n}', 's.json, line 3, column 3: found "\\"b\\": 2"; expected a comma between two entries.'],
  ['{"a" 1}', 's.json, line 1, column 6: found "1}"; expected a colon after the name.'],
  ['{"a": 1', 's.json, line 1, column 8: found the end; expected a closing }.'],
  ['', 's.json, line 1, column 1: found the end; expected a value.'],
  ['{"a": "x', 's.json, line 1, column 7: found "\\"x"; expected the closing " of a text.'],
  ['{"a": 1} 2', 's.json, line 1, column 10: found "2"; expected the end of the file.'],
])('%s is refused with its place', (text, message) => {
  expect(() => parse(text)).toThrow(new PliantError('s.json', message));
});

test('brackets nested too deeply are refused, not a crash', () => {
  expect(() => parse('['.repeat(300_000))).toThrow(/nested too deeply/);
  expect(() => parse(`{"a":`.repeat(DEEPEST + 1))).toThrow(`expected at most ${DEEPEST} within one another`);
  expect(() => parse(`${'['.repeat(DEEPEST)}${']'.repeat(DEEPEST)}`)).not.toThrow();
});

test('a file that is all errors is refused by the first of them', () => {
  expect(() => parse('}@'.repeat(1_000_000))).toThrow(
    's.json, line 1, column 1: found "}@}@}@}@}@}@"; expected a value.',
  );
});

test('a name __proto__ is a name like others', () => {
  const text = '{ "a": { "__proto__": { "b": 1 } }, "c": [{ "__proto__": 2, }], }';
  const value = parse(text) as { a: object };
  expect(Object.keys(value.a)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
  expect('b' in value.a).toBe(false);
  expect(value).toEqual(JSON.parse(text.replaceAll(/,(?= *[}\]])/g, '')));
});

test('whatever JSON.parse reads, parseJson reads the same; nothing else escapes than a PliantError', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        parse(text);
      } catch (error) {
        expect(error).toBeInstanceOf(PliantError);
      }
    }),
  );
});
