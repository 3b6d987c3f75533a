/**
 * Printable characters that need no escape in a string: all from space to ~ but for quotes, backslash, backtick and dollar. The values 0 to 87 are one
 * character each, those from 88 on two, of which the first is one of the last two. Compressed, a text of these is a tenth smaller than one of hexadecimal digits.
 */
const LETTERS = 90;
const ALONE = 88;
const SPACE = 32;
/** The characters that are left out, in order. */
const LEFT_OUT = [34, 36, 39, 92, 96];
/** A byte is written as itself + 4, modulo 256: the first byte of most vector instructions, 253, is one character then. */
const SHIFT = 4;

const VALUES = new Uint8Array(128);
for (let code = SPACE, value = 0; value < LETTERS; code++) if (!LEFT_OUT.includes(code)) VALUES[code] = value++;

/** The bytes that a text stands for. packages/pliant/scripts/textOfBytes.mjs writes such texts. */
export function bytesOfText(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  let count = 0;
  for (let k = 0; k < text.length; k++) {
    let value = VALUES[text.charCodeAt(k)];
    if (value >= ALONE) value = ALONE + LETTERS * (value - ALONE) + VALUES[text.charCodeAt(++k)];
    bytes[count++] = value - SHIFT;
  }
  return bytes.slice(0, count);
}
