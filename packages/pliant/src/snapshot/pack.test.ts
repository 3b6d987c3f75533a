import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testSeed } from '../testing/seed.js';
import { mostUnpacked, pack, unpack } from './pack.js';

const runs = fc
  .array(fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 300 })), { maxLength: 12 })
  .map((list) => Uint8Array.from(list.flatMap(([value, count]) => new Array<number>(count).fill(value))));

it('packs bytes of any kind, in rows of any width, and gives them back', () => {
  const seed = testSeed('packed bytes');
  fc.assert(
    fc.property(fc.oneof(runs, fc.uint8Array({ maxLength: 600 })), fc.integer({ min: 1, max: 40 }), (bytes, stride) => {
      const whole = bytes.subarray(0, bytes.length - (bytes.length % stride));
      const packed = pack(whole, stride);
      expect(packed.length).toBeLessThanOrEqual(whole.length + Math.ceil(whole.length / 128));
      expect(unpack(packed, stride, whole.length)).toEqual(whole.slice());
    }),
    { seed, numRuns: 400 },
  );
});

it('takes little for what is alike in every row', () => {
  const rows = new Float32Array(4000).map((_, k) => (k % 4 === 3 ? 0.125 : k % 4));
  expect(pack(new Uint8Array(rows.buffer), 16).length).toBeLessThan(16000 / 60);
});

it('gives nothing for bytes that are not of that length, whatever they are', () => {
  const seed = testSeed('unpacked bytes');
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 50 }),
      fc.nat(3000),
      fc.integer({ min: 1, max: 9 }),
      (packed, length, stride) => {
        const bytes = unpack(packed, stride, length);
        if (bytes) expect(bytes.length).toBe(length);
      },
    ),
    { seed, numRuns: 2000 },
  );
  expect(unpack(new Uint8Array(0), 1, 0)).toEqual(new Uint8Array(0));
  expect(unpack(Uint8Array.of(255, 7), 1, 130)).toEqual(new Uint8Array(130).fill(7));
  expect(unpack(Uint8Array.of(255, 7), 1, 131)).toBeUndefined();
  // 4 GB in two bytes: not tried.
  expect(unpack(Uint8Array.of(255, 7), 4, 2 ** 32)).toBeUndefined();
  expect(mostUnpacked(2)).toBe(130);
});
