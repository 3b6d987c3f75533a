/** A deep copy of plain data, typed arrays included. */
export function copyPlain<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return (value as unknown as Float64Array).slice() as unknown as T;
  if (Array.isArray(value)) return value.map(copyPlain) as unknown as T;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyPlain(part)])) as T;
}

/** Whether two plain data are equal, every number to the bit. A field that is undefined counts as missing. */
export function samePlain(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) return sameArrays(a as Float64Array, b as Float64Array);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [p, q] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(p), ...Object.keys(q)])].every((key) => samePlain(p[key], q[key]));
}

function sameArrays(a: Float64Array, b: Float64Array): boolean {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a[Symbol.toStringTag] !== b[Symbol.toStringTag]) return false;
  if (a.BYTES_PER_ELEMENT >= 4) return sameBits(a, b);
  return a.length === b.length && a.every((value, k) => value === b[k]);
}

/** Whether two arrays of numbers of four or eight bytes have the same bits. */
export function sameBits(a: Words, b: Words): boolean {
  if (a.length !== b.length) return false;
  const p = new Uint32Array(a.buffer, a.byteOffset, a.byteLength / 4);
  const q = new Uint32Array(b.buffer, b.byteOffset, b.byteLength / 4);
  for (let k = 0; k < p.length; k++) if (p[k] !== q[k]) return false;
  return true;
}
type Words = Float32Array | Float64Array | Uint32Array;
