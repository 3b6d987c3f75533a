import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PliantError } from '../check.js';
import { refusal } from '../testing/refusal.js';
import { testSeed } from '../testing/seed.js';
import { hashArray } from './content.js';
import { PlainReader, PlainWriter } from './plain.js';

const written = (value: unknown) => {
  const writer = new PlainWriter(hashArray);
  writer.write('value', value);
  return writer;
};
const read = (...bytes: number[]) => new PlainReader(Uint8Array.from(bytes), []).readAll();
// As in plain.ts.
const [TRUE, COUNT, TEXT, LIST, RECORD, ARRAY] = [3, 5, 6, 7, 8, 9];

it('gives back whatever plain data there is', () => {
  const seed = testSeed('plain data');
  const data = fc.anything({ withBigInt: false, withDate: false, withMap: false, withSet: false, maxDepth: 4 });
  fc.assert(
    fc.property(data, (value) => {
      const { bytes, arrays } = written(value);
      const again = new PlainReader(bytes, arrays).readAll();
      // Objects without a prototype come back as plain ones.
      expect(again).toEqual(structuredClone(value));
    }),
    { seed, numRuns: 500 },
  );
});

it('writes no functions, and nothing that is within itself', () => {
  expect(refusal(() => written({ a: [() => {}] }))).toBe(
    'value.a[0] is a function, which cannot be stored in bytes; expected plain data.',
  );
  const loop: unknown[] = [];
  loop.push(loop);
  expect(refusal(() => written(loop))).toContain('or is within itself');
});

it('refuses what no writer wrote', () => {
  const nested = new Array<number[]>(30).fill([LIST, 1]).flat();
  expect(refusal(() => read(...nested, TRUE))).toContain('deeper than 24');
  expect(refusal(() => read(RECORD, 2, 0, 1, 97, TRUE, 0, TRUE))).toContain('has the field "a" twice');
  const proto = Array.from('__proto__', (c) => c.charCodeAt(0));
  expect(refusal(() => read(RECORD, 1, 0, 9, ...proto, TRUE))).toContain('one that no object may have');
  expect(refusal(() => read(LIST, 255, 255, 255, 255, 15))).toContain('ends within a value');
  expect(refusal(() => read(COUNT, 255, 255, 255, 255, 255))).toContain('more than five bytes');
  expect(refusal(() => read(TEXT, 1))).toContain('names text 1 of 0');
  expect(refusal(() => read(ARRAY, 0))).toContain('names array 0 of 0');
  expect(refusal(() => read(77))).toContain('kind 77');
  expect(refusal(() => read(TRUE, TRUE))).toContain('ends before its bytes do');
});

it('ends whatever the bytes are', () => {
  const seed = testSeed('any bytes');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        read(...bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(PliantError);
      }
    }),
    { seed, numRuns: 3000 },
  );
});
