/** The bytes that hexadecimal digits (0 to 9, a to f) stand for, two digits each. */
export function bytesOfHex(digits: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(digits.length / 2);
  for (let k = 0; k < bytes.length; k++) bytes[k] = 16 * digitAt(digits, 2 * k) + digitAt(digits, 2 * k + 1);
  return bytes;
}

function digitAt(digits: string, k: number): number {
  const code = digits.charCodeAt(k);
  return code < 58 ? code - 48 : code - 87;
}
