/**
 * Packs rows of `stride` bytes each. First the rows are transposed: the first bytes of all rows, then the second ones,
 * and so on. Similar bytes (signs and exponents, masses, zeros) are then adjacent. Then runs of equal bytes are encoded
 * by their length. A byte n below 128 is followed by n + 1 literal bytes, another one by a byte that is repeated
 * n − 125 times. So unpacking enlarges at most 65 times, and a claimed length can be checked before it is allocated.
 */
export function pack(bytes: Uint8Array, stride: number): Uint8Array {
  const planes = transposed(bytes, stride);
  // In the worst case one byte in 128 is added.
  const out = new Uint8Array(planes.length + Math.ceil(planes.length / LONGEST_PLAIN) + 1);
  let at = 0;
  let plain = 0;
  const flush = (end: number) => {
    while (plain < end) {
      const length = Math.min(LONGEST_PLAIN, end - plain);
      out[at++] = length - 1;
      out.set(planes.subarray(plain, plain + length), at);
      at += length;
      plain += length;
    }
  };
  for (let k = 0; k < planes.length; ) {
    const value = planes[k];
    const most = Math.min(planes.length, k + LONGEST_RUN);
    let end = k + 1;
    while (end < most && planes[end] === value) end++;
    if (end - k >= SHORTEST_RUN) {
      flush(k);
      out[at++] = end - k + 125;
      out[at++] = value;
      plain = end;
    }
    k = end;
  }
  flush(planes.length);
  return out.slice(0, at);
}

const LONGEST_PLAIN = 128;
const SHORTEST_RUN = 3;
const LONGEST_RUN = 130;

/** The largest number of bytes that so many packed ones can give. */
export const mostUnpacked = (packed: number): number => (LONGEST_RUN / 2) * packed;

/** The unpacked bytes; undefined if they are not exactly `length` bytes. */
export function unpack(packed: Uint8Array, stride: number, length: number): Uint8Array | undefined {
  if (length > mostUnpacked(packed.length) || length % stride !== 0) return undefined;
  const planes = new Uint8Array(length);
  let at = 0;
  let k = 0;
  while (k < packed.length) {
    const n = packed[k++];
    const count = n < LONGEST_PLAIN ? n + 1 : n - 125;
    if (at + count > length) return undefined;
    if (n < LONGEST_PLAIN) {
      if (k + count > packed.length) return undefined;
      planes.set(packed.subarray(k, k + count), at);
      k += count;
    } else {
      if (k === packed.length) return undefined;
      planes.fill(packed[k++], at, at + count);
    }
    at += count;
  }
  if (at !== length) return undefined;
  return transposed(planes, length / stride);
}

/** Rows of `stride` bytes as columns. Bytes at the end that make no whole row are dropped. */
function transposed(bytes: Uint8Array, stride: number): Uint8Array {
  const rows = stride === 0 ? 0 : Math.floor(bytes.length / stride);
  if (stride === 1 || rows === 1) return bytes;
  const out = new Uint8Array(rows * stride);
  for (let p = 0; p < stride; p++)
    for (let r = 0, from = p, to = p * rows; r < rows; r++, from += stride) out[to + r] = bytes[from];
  return out;
}
