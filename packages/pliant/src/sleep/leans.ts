import type { Mat3 } from '../math/mat3.js';
import { polarInto } from '../math/polar.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';

/** Sine and cosine of the angle by which the body is tilted, 0.3 rad. A cube falls from 45°, its balance on an edge, to 28°; a creature that stands on its feet only rises. */
const SIN = 0.29552;
const COS = 0.95534;
/** A body leans if its centre falls by this share of its size: a cube on its edge by 0.02. Balls of 7 particles across are uneven by 0.002. */
const FALL = 0.01;
/** Most particles by which the rotation of the body is found. */
const SAMPLE = 256;
/** Halves of right angles. */
const DIAGONAL = Math.SQRT1_2;
/** Directions in which the body is tilted, in a plane: cosine and sine. */
// biome-ignore format: one direction a row
const WAYS = [
  1,
  0,
  DIAGONAL,
  DIAGONAL,
  0,
  1,
  -DIAGONAL,
  DIAGONAL,
  -1,
  0,
  -DIAGONAL,
  -DIAGONAL,
  0,
  -1,
  DIAGONAL,
  -DIAGONAL,
];

const WAYS_AND_UP = 1 + WAYS.length / 2;

const moments: Mat3 = new Float64Array(9);
const rotation: Mat3 = new Float64Array(9);
/** Directions in the rest shape, three numbers each: up, and up as the tilted body would have it. */
const ups = new Float64Array(3 * WAYS_AND_UP);
/** Of each: the height of the centre above the lowest place of the surface (m). */
const heights = new Float64Array(WAYS_AND_UP);

/**
 * Whether the rest shape, turned as the body is, would fall by being tilted: a cube on its edge does, one on a face, a ball or a creature on its feet does not. `px, py, pz` is up, the direction in which
 * obstacles press on the body. `rest` has three numbers for each particle from `first` on.
 */
export function leans(
  { x, flags, reach }: Views,
  rest: Float64Array,
  first: number,
  size: number,
  px: number,
  py: number,
  pz: number,
): boolean {
  const count = rest.length / 3;
  const stride = Math.ceil(count / SAMPLE);
  fitRotation(x, rest, first, stride);
  const length = Math.sqrt(px * px + py * py + pz * pz);
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = rotation as Float64Array;
  const ux = (r0 * px + r3 * py + r6 * pz) / length;
  const uy = (r1 * px + r4 * py + r7 * pz) / length;
  const uz = (r2 * px + r5 * py + r8 * pz) / length;
  tiltInto(ux, uy, uz);
  heights.fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < count; i++) {
    if (flags[first + i] & Flag.INNER) continue;
    const rx = rest[3 * i] - centre[0];
    const ry = rest[3 * i + 1] - centre[1];
    const rz = rest[3 * i + 2] - centre[2];
    const beyond = reach[first + i];
    for (let k = 0; k < WAYS_AND_UP; k++) {
      const below = beyond - (ups[3 * k] * rx + ups[3 * k + 1] * ry + ups[3 * k + 2] * rz);
      if (below > heights[k]) heights[k] = below;
    }
  }
  let lowest = heights[0];
  for (let k = 1; k < heights.length; k++) if (heights[k] < lowest) lowest = heights[k];
  return heights[0] - lowest > FALL * size;
}

/** Mean of the sampled places in the rest shape (m). */
const centre = new Float64Array(3);

/** Finds `centre`, and the rotation that takes the rest shape to x. */
function fitRotation(x: Float32Array, rest: Float64Array, first: number, stride: number): void {
  const [mean, n] = [[0, 0, 0], Math.ceil(rest.length / 3 / stride)];
  centre.fill(0);
  for (let i = 0; i < rest.length / 3; i += stride)
    for (let a = 0; a < 3; a++) {
      centre[a] += rest[3 * i + a] / n;
      mean[a] += x[4 * (first + i) + a] / n;
    }
  moments.fill(0);
  for (let i = 0; i < rest.length / 3; i += stride)
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++)
        moments[3 * a + b] += (x[4 * (first + i) + a] - mean[a]) * (rest[3 * i + b] - centre[b]);
  polarInto(rotation, moments);
}

/** Writes up and the tilted directions to `ups`. */
function tiltInto(ux: number, uy: number, uz: number): void {
  // Two directions at right angles to up: that of the axis which is farthest from it, and theirs.
  const [ax, ay, az] = [Math.abs(ux), Math.abs(uy), Math.abs(uz)];
  const [ex, ey, ez] = ax <= ay && ax <= az ? [1, 0, 0] : ay <= az ? [0, 1, 0] : [0, 0, 1];
  const along = ex * ux + ey * uy + ez * uz;
  const scale = 1 / Math.sqrt(1 - along * along);
  const [sx, sy, sz] = [scale * (ex - along * ux), scale * (ey - along * uy), scale * (ez - along * uz)];
  const [tx, ty, tz] = [uy * sz - uz * sy, uz * sx - ux * sz, ux * sy - uy * sx];
  ups[0] = ux;
  ups[1] = uy;
  ups[2] = uz;
  for (let k = 0; k < WAYS.length; k += 2) {
    const [c, s] = [SIN * WAYS[k], SIN * WAYS[k + 1]];
    const o = 3 + (3 * k) / 2;
    ups[o] = COS * ux + c * sx + s * tx;
    ups[o + 1] = COS * uy + c * sy + s * ty;
    ups[o + 2] = COS * uz + c * sz + s * tz;
  }
}
