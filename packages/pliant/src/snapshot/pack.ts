/**
 * Packs rows of `stride` bytes each: first the first bytes of all rows, then the second ones, and so on, so that bytes which are alike stand beside each other
 * (signs and exponents, masses, what is 0); then runs of equal bytes by their length. A byte n below 128 is followed by n + 1 bytes as they are, another one by
 * a byte that stands n − 125 times. So 65 times its length is the most that a packed list can become, and a length can be held against that before
 * there is room for it.
 */
export function pack(bytes: Uint8Array, stride: number): Uint8Array {
  const planes = transposed(bytes, stride);
  // At worst one byte in 128 is added.
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

/** The most bytes that so many packed ones can stand for. */
export const mostUnpacked = (packed: number): number => (LONGEST_RUN / 2) * packed;

/** What was packed; nothing if it is not exactly `length` bytes. */
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

/** Rows of `stride` bytes as columns. Bytes at the end that make no whole row are not there. */
function transposed(bytes: Uint8Array, stride: number): Uint8Array {
  const rows = stride === 0 ? 0 : Math.floor(bytes.length / stride);
  if (stride === 1 || rows === 1) return bytes;
  const out = new Uint8Array(rows * stride);
  for (let p = 0; p < stride; p++)
    for (let r = 0, from = p, to = p * rows; r < rows; r++, from += stride) out[to + r] = bytes[from];
  return out;
}
