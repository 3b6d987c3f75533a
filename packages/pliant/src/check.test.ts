import { describe, expect, it } from 'vitest';
import {
  checkBoolean,
  checkDirection,
  checkInteger,
  checkKeys,
  checkNumber,
  checkNumberOrInfinity,
  checkOneOf,
  checkPoints,
  checkVec3,
  PliantError,
  refuse,
  show,
} from './check.js';
import { refusal } from './testing/refusal.js';

describe('a refusal', () => {
  it('names the field, the value and what was expected, in one wording', () => {
    const error = (() => {
      try {
        refuse('material.stiffness', 2.5, 'a number in [0, 2)');
      } catch (e) {
        return e as PliantError;
      }
    })();
    expect(error).toBeInstanceOf(PliantError);
    expect(error?.path).toBe('material.stiffness');
    expect(error?.name).toBe('PliantError');
    expect(error?.message).toBe('material.stiffness is 2.5; expected a number in [0, 2).');
  });

  it.each([
    ['a "quoted" word', '"a \\"quoted\\" word"'],
    ['x'.repeat(100), `"${'x'.repeat(57)}..."`],
    [[1, 2, 3], '[1, 2, 3]'],
    [new Float32Array(9), '[0, 0, 0, 0, 0, … 9 values]'],
    [[{}, null, 1], '[…, …, 1]'],
    [{ a: 1, b: 2 }, 'an object with a, b'],
    [{}, 'an object with no keys'],
    [() => 1, 'a function'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Number.NaN, 'NaN'],
  ])('shows %o short enough to read', (value, text) => expect(show(value)).toBe(text));
});

describe('numbers', () => {
  it.each([
    [{ min: 0, below: 2 }, 2, 'f is 2; expected a finite number in [0, 2).'],
    [{ min: 0, max: 1 }, -0.1, 'f is -0.1; expected a finite number in [0, 1].'],
    [{ above: 0, max: 1 }, 0, 'f is 0; expected a finite number in (0, 1].'],
    [{ min: 3 }, 2, 'f is 2; expected a finite number of at least 3.'],
    [{ above: 3 }, 3, 'f is 3; expected a finite number above 3.'],
    [{ max: 3 }, 4, 'f is 4; expected a finite number of at most 3.'],
    [{ below: 3 }, 3, 'f is 3; expected a finite number below 3.'],
    [{}, Number.NaN, 'f is NaN; expected a finite number.'],
    [{}, Number.POSITIVE_INFINITY, 'f is Infinity; expected a finite number.'],
    [{}, '1', 'f is "1"; expected a finite number.'],
    [{}, undefined, 'f is undefined; expected a finite number.'],
  ])('within %o refuse %o', (range, value, message) =>
    expect(refusal(() => checkNumber('f', value, range))).toBe(message),
  );

  it('pass through at the bounds that belong to the range', () => {
    expect(checkNumber('f', 0, { min: 0, below: 2 })).toBe(0);
    expect(checkNumber('f', 1, { above: 0, max: 1 })).toBe(1);
    expect(checkNumber('f', 1.9999999, { min: 0, below: 2 })).toBe(1.9999999);
  });

  it('may be infinite where that is a value, but not NaN or −∞', () => {
    expect(checkNumberOrInfinity('f', Number.POSITIVE_INFINITY, { min: 0 })).toBe(Number.POSITIVE_INFINITY);
    expect(refusal(() => checkNumberOrInfinity('f', Number.NEGATIVE_INFINITY, { min: 0 }))).toContain('f is -Infinity');
    expect(refusal(() => checkNumberOrInfinity('f', Number.NaN, { min: 0 }))).toContain('of at least 0');
  });

  it('are whole where an integer is wanted', () => {
    expect(checkInteger('n', 3, { min: 1 })).toBe(3);
    expect(refusal(() => checkInteger('n', 2.5, { min: 1 }))).toBe('n is 2.5; expected an integer of at least 1.');
    expect(refusal(() => checkInteger('n', 0, { min: 1, max: 9 }))).toBe('n is 0; expected an integer in [1, 9].');
    expect(refusal(() => checkInteger('n', Number.POSITIVE_INFINITY))).toBe('n is Infinity; expected an integer.');
    expect(refusal(() => checkInteger('n', '3'))).toBe('n is "3"; expected an integer.');
  });
});

describe('other values', () => {
  it('booleans are not truthy things', () => {
    expect(checkBoolean('b', false)).toBe(false);
    expect(refusal(() => checkBoolean('b', 1))).toBe('b is 1; expected true or false.');
    expect(refusal(() => checkBoolean('b', 'off'))).toBe('b is "off"; expected true or false.');
  });

  it('words come from their list, which the message gives', () => {
    expect(checkOneOf('w', 'b', ['a', 'b'])).toBe('b');
    expect(refusal(() => checkOneOf('w', 'c', ['a', 'b']))).toBe('w is "c"; expected one of "a", "b".');
    expect(refusal(() => checkOneOf('w', undefined, ['a', 'b']))).toContain('w is undefined');
  });

  it('vectors have three finite numbers, from any kind of array, and come back as copies', () => {
    const given = new Float32Array([1, 2, 3]);
    const vector = checkVec3('v', given);
    given[0] = 9;
    expect(vector).toEqual([1, 2, 3]);
    for (const wrong of [[1, 2], [1, 2, 3, 4], [1, 2, Number.NaN], [1, 2, '3'], 'abc', null, 5])
      expect(refusal(() => checkVec3('v', wrong))).toMatch(/^v is .*; expected three finite numbers\.$/);
  });

  it('directions are scaled to length 1 and refused without length', () => {
    expect(checkDirection('d', [0, 3, 4])).toEqual([0, 0.6, 0.8]);
    expect(refusal(() => checkDirection('d', [0, 0, 0]))).toBe(
      'd is [0, 0, 0]; expected a direction of non-zero length.',
    );
  });

  it('points are triples of finite coordinates; the message names the index', () => {
    expect(checkPoints('p', [1, 2, 3])).toEqual([1, 2, 3]);
    expect(refusal(() => checkPoints('p', [0, 0, 0, 0, Number.NaN, 0]))).toBe(
      'p[4] is NaN; expected a finite coordinate.',
    );
    expect(refusal(() => checkPoints('p', []))).toBe('p is []; expected at least one point.');
    expect(refusal(() => checkPoints('p', [1, 2]))).toBe('p has 2 numbers; expected a multiple of 3.');
    expect(refusal(() => checkPoints('p', 7))).toBe('p is 7; expected an array of coordinates x, y, z, ….');
  });

  it('a misspelt option is refused by name, and the right ones are given', () => {
    checkKeys('world', { dt: 1 }, ['dt', 'gravity']);
    expect(refusal(() => checkKeys('world', { gravty: [0, 0, 0] }, ['dt', 'gravity']))).toBe(
      'world.gravty is not an option; expected one of dt, gravity.',
    );
    for (const wrong of [null, undefined, 5, 'text', []])
      expect(refusal(() => checkKeys('world', wrong, ['dt']))).toMatch(/^world is .*; expected an object\.$/);
  });

  it('values of any size are short in messages', () => {
    const long = 'x'.repeat(1_000_000);
    const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, k) => [`${long.slice(0, 100)}${k}`, k]));
    for (const value of [long, [long], Array(1_000_000).fill(long), new Float64Array(1_000_000), keys])
      expect(refusal(() => checkNumber('n', value)).length).toBeLessThan(700);
    expect(refusal(() => checkNumber('n', { a: 1, b: 2 }))).toBe('n is an object with a, b; expected a finite number.');
    expect(refusal(() => checkNumber('n', [1, 2, 3, 4, 5, 6, 7]))).toContain('n is [1, 2, 3, 4, 5, … 7 values];');
  });
});
