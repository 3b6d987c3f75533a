import { expect, it } from 'vitest';
// @ts-expect-error: a plain script of the build.
import { textOfBytes } from '../../scripts/textOfBytes.mjs';
import { bytesOfText } from './bytesOfText.js';

it('reads every byte, alone and after every other, from printable letters that need no escape', () => {
  const bytes = new Uint8Array(256 * 256 * 2);
  for (let a = 0, k = 0; a < 256; a++)
    for (let b = 0; b < 256; b++) {
      bytes[k++] = a;
      bytes[k++] = b;
    }
  const text: string = textOfBytes(bytes);
  expect(text).toMatch(/^[ -~]+$/);
  expect(text).not.toMatch(/["$'\\`]/);
  expect(bytesOfText(text)).toEqual(bytes);
  for (let a = 0; a < 256; a++) expect([...bytesOfText(textOfBytes([a]))]).toEqual([a]);
});

it('writes the bytes that kernels have most of as one letter each', () => {
  for (const byte of [0x00, 0x20, 0x21, 0x41, 0xfd]) expect(textOfBytes([byte])).toHaveLength(1);
});
