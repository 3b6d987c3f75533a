/** How rough the faces of a crack are; see FractureOptions. */
export interface Relief {
  readonly roughness: number;
  readonly grain: 'none' | 'x' | 'y' | 'z';
}

/** Height of the bumps at a roughness of 1, and their width, in spacings; how many times as long fibres are. */
const HEIGHT = 0.35;
const WIDTH = 1.3;
const FIBRE = 8;

/** Writes by how much a point of a crack's face, at x y z from index `at` of `x`, is moved: a function of its place. */
export function reliefInto(
  out: Float64Array,
  x: Float64Array,
  at: number,
  spacing: number,
  { roughness, grain }: Relief,
): void {
  const axis = grain === 'none' ? -1 : grain === 'x' ? 0 : grain === 'y' ? 1 : 2;
  const scale = spacing > 0 ? 1 / (WIDTH * spacing) : 0;
  for (let a = 0; a < 3; a++) cell[a] = x[at + a] * (a === axis ? scale / FIBRE : scale);
  const height = HEIGHT * spacing * roughness;
  // Fibres are not moved along themselves.
  for (let a = 0; a < 3; a++) out[a] = a === axis ? 0 : height * noise(cell[0], cell[1], cell[2], a);
}
const cell = new Float64Array(3);

/** Smooth noise in [−1, 1]: values at the corners of a grid of width 1, mixed. */
function noise(x: number, y: number, z: number, channel: number): number {
  const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const [u, v, w] = [ease(x - i), ease(y - j), ease(z - k)];
  let sum = 0;
  for (let n = 0; n < 8; n++) {
    const [p, q, r] = [n & 1, (n >> 1) & 1, n >> 2];
    sum += (p ? u : 1 - u) * (q ? v : 1 - v) * (r ? w : 1 - w) * cornerValue(i + p, j + q, k + r, channel);
  }
  return sum;
}

const ease = (t: number) => t * t * (3 - 2 * t);

/** A number in [−1, 1) that looks random, the same on every machine. */
function cornerValue(i: number, j: number, k: number, channel: number): number {
  let h =
    Math.imul(i, 0x8da6b343) ^ Math.imul(j, 0xd8163841) ^ Math.imul(k, 0xcb1ab31f) ^ Math.imul(channel, 0x165667b1);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) / 2147483648;
}
