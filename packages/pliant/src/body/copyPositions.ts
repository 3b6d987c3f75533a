import { PliantError, refuse } from '../check.js';

/** Copies three of four numbers a row into `out`, or into a new array. Returns the array. */
export function copyPlaces(
  rows: Float32Array,
  out: Float32Array = new Float32Array((3 * rows.length) / 4),
): Float32Array {
  if (!(out instanceof Float32Array)) refuse('out', out, 'a Float32Array');
  const count = rows.length / 4;
  if (out.length < 3 * count)
    throw new PliantError('out', `out has room for ${out.length} numbers; expected at least ${3 * count}.`);
  for (let i = 0; i < count; i++) {
    out[3 * i] = rows[4 * i];
    out[3 * i + 1] = rows[4 * i + 1];
    out[3 * i + 2] = rows[4 * i + 2];
  }
  return out;
}
