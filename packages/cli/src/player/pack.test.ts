import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantise } from './pack.js';

/** The page's way of reading the data: undo the packing, add up the differences, scale. */
function restore({ particles, frames, min, scale, positions }: ReturnType<typeof quantise>): Float32Array[] {
  const bytes = inflateRawSync(Buffer.from(positions, 'base64'));
  const size = 3 * particles;
  let now = new Uint16Array(size);
  return Array.from({ length: frames }, (_, f) => {
    now = now.map((before, k) => before + (bytes[2 * f * size + k] | (bytes[(2 * f + 1) * size + k] << 8)));
    return Float32Array.from(
      { length: size },
      (_, k) => min[k % 3] + scale[k % 3] * now[(k % 3) * particles + Math.floor(k / 3)],
    );
  });
}

test('positions come back to within half a step of 1/65535 of the box', () => {
  const coordinate = fc.float({ min: -100, max: 100, noNaN: true });
  const frame = fc.array(coordinate, { minLength: 6, maxLength: 6 }).map((v) => Float32Array.from(v));
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 5 }), (frames) => {
      const packed = quantise(frames);
      restore(packed).forEach((restored, f) => {
        restored.forEach((value, k) => {
          expect(Math.abs(value - frames[f][k])).toBeLessThanOrEqual(0.51 * packed.scale[k % 3] + 1e-5);
        });
      });
    }),
  );
});

test('a body that stands still costs almost nothing', () => {
  const frame = Float32Array.from({ length: 3000 }, (_, k) => Math.sin(k));
  expect(quantise(Array(50).fill(frame)).positions.length).toBeLessThan(1.5 * quantise([frame]).positions.length);
});
