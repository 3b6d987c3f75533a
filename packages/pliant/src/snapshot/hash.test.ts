import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testSeed } from '../testing/seed.js';
import { Hash } from './hash.js';

const hashed = (bytes: Uint8Array) => {
  const hash = new Hash();
  hash.bytes(bytes);
  return hash.toString();
};

it('is the same on every machine', () => {
  // Kept by hand: what was saved once must be read by all.
  expect(hashed(new Uint8Array(0))).toBe('0715975dbcabb695');
  expect(hashed(Uint8Array.from({ length: 11 }, (_, k) => 7 * k))).toBe('f0711100def0a0d0');
});

it('differs where a byte differs, or the length, and not by where the bytes lie', () => {
  const seed = testSeed('hashes');
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 70 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (bytes, at, by) => {
        const other = bytes.slice();
        other[at % bytes.length] ^= by;
        expect(hashed(other)).not.toBe(hashed(bytes));
        expect(hashed(Uint8Array.of(...bytes, 0))).not.toBe(hashed(bytes));
        const moved = new Uint8Array(bytes.length + 3);
        moved.set(bytes, 3);
        expect(hashed(moved.subarray(3))).toBe(hashed(bytes));
      },
    ),
    { seed, numRuns: 1000 },
  );
});
