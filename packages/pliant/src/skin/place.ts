import { polarInto } from '../math/polar.js';
import { Scratch } from '../scratch.js';
import type { Views } from '../state/layout.js';
import { addBend } from './bend.js';
import type { Binding, Strays } from './bind.js';

/**
 * Writes the present positions of the knots into `out`. The frames must be fitted; the clusters of the body begin at `firstRow`. Their centres are made relative to
 * that of the first binding cluster. Shares in f32 sum to 1 within 1e-7, so the error is then a share of the body's
 * size and not of its distance from the origin.
 */
export function placeKnots(binding: Binding, out: Float32Array, s: Views, firstRow: number): void {
  const { bindingClusters, first, entries, into, strays } = binding;
  const { frames } = binding.frames;
  const places = placeRoom.take(out.length);
  const origin = 12 * bindingClusters[0] + 9;
  const ox = frames[origin];
  const oy = frames[origin + 1];
  const oz = frames[origin + 2];
  for (let o = 0; o < places.length; o += 3) {
    places[o] = ox;
    places[o + 1] = oy;
    places[o + 2] = oz;
  }
  for (let n = 0; n < bindingClusters.length; n++) {
    const c = bindingClusters[n];
    const o = 12 * c + 9;
    frames[o] -= ox;
    frames[o + 1] -= oy;
    frames[o + 2] -= oz;
    addEntries(places, frames, 12 * c, entries, into, first[c], first[c + 1]);
  }
  addBend(places, s, firstRow, binding);
  addStrays(places, frames, strays);
  out.set(places);
}
/** Room for the sums in f64. */
const placeRoom = new Scratch(Float64Array);

/**
 * Adds the offsets of strays, which follow the rotation of a cluster only: their distance does not change if the
 * cluster regains its shape.
 */
function addStrays(places: Float64Array, frames: Float64Array, { into, cluster, offset }: Strays): void {
  for (let k = 0; k < into.length; k++) {
    if (k === 0 || cluster[k] !== cluster[k - 1]) rotationInto(R, frames, cluster[k]);
    for (let a = 0; a < 3; a++)
      places[into[k] + a] += R[a] * offset[3 * k] + R[3 + a] * offset[3 * k + 1] + R[6 + a] * offset[3 * k + 2];
  }
}

/** The rotation of a cluster's frame. */
export function rotationInto(out: Float64Array, frames: Float64Array, c: number): void {
  for (let a = 0; a < 9; a++) F[a] = frames[12 * c + a];
  polarInto(out, F);
}

/** Adds the entries of one cluster. */
function addEntries(
  places: Float64Array,
  frames: Float64Array,
  f: number,
  entries: Float32Array,
  into: Uint32Array,
  start: number,
  end: number,
): void {
  const xx = frames[f];
  const yx = frames[f + 1];
  const zx = frames[f + 2];
  const xy = frames[f + 3];
  const yy = frames[f + 4];
  const zy = frames[f + 5];
  const xz = frames[f + 6];
  const yz = frames[f + 7];
  const zz = frames[f + 8];
  const cx = frames[f + 9];
  const cy = frames[f + 10];
  const cz = frames[f + 11];
  for (let k = start; k < end; k++) {
    const o = 4 * k;
    const n = into[k];
    const qx = entries[o];
    const qy = entries[o + 1];
    const qz = entries[o + 2];
    const w = entries[o + 3];
    places[n] += xx * qx + xy * qy + xz * qz + cx * w;
    places[n + 1] += yx * qx + yy * qy + yz * qz + cy * w;
    places[n + 2] += zx * qx + zy * qy + zz * qz + cz * w;
  }
}
const F = new Float64Array(9);
const R = new Float64Array(9);
