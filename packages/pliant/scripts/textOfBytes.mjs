// The text of bytes that src/math/bytesOfText.ts reads.
const LETTERS = Array.from({ length: 95 }, (_, k) => String.fromCharCode(32 + k)).filter(
  (letter) => !`"$'\\\``.includes(letter),
);
const ALONE = LETTERS.length - 2;

/** Values below ALONE are one letter; those from there on are one of the last two letters and another. */
const letters = (value) =>
  value < ALONE
    ? LETTERS[value]
    : LETTERS[ALONE + Math.floor((value - ALONE) / LETTERS.length)] + LETTERS[(value - ALONE) % LETTERS.length];

export const textOfBytes = (bytes) => Array.from(bytes, (byte) => letters((byte + 4) % 256)).join('');
