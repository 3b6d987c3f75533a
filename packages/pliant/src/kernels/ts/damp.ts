import { FIELDS, Row, Symmetric } from '../../state/fields.js';
import { Flag } from '../../state/flags.js';
import type { Views } from '../../state/layout.js';
import { fitInertiaInto, MatchSums, sumMatch } from './match.js';

/**
 * Sums over the particles [start, end) of a body, relative to position and velocity of the first, so that bodies far from the origin lose no precision:
 * out := Σ m r, Σ m, Σ m u, Σ m r × u, Σ m r rᵀ (xx yy zz xy yz zx).
 */
export function sumBody({ x, v }: Views, out: Float64Array, start: number, end: number): void {
  const at = Row.x * start;
  const [ox, oy, oz] = [x[at], x[at + 1], x[at + 2]];
  const [vx, vy, vz] = [v[at], v[at + 1], v[at + 2]];
  out.fill(0, 0, 16);
  for (let o = Row.x * start; o < Row.x * end; o += Row.x) {
    const m = x[o + FIELDS.x.MASS];
    addTo(out, m, x[o] - ox, x[o + 1] - oy, x[o + 2] - oz, v[o] - vx, v[o + 1] - vy, v[o + 2] - vz);
  }
}

function addTo(
  out: Float64Array,
  m: number,
  rx: number,
  ry: number,
  rz: number,
  ux: number,
  uy: number,
  uz: number,
): void {
  out[0] += m * rx;
  out[1] += m * ry;
  out[2] += m * rz;
  out[3] += m;
  out[4] += m * ux;
  out[5] += m * uy;
  out[6] += m * uz;
  out[7] += m * (ry * uz - rz * uy);
  out[8] += m * (rz * ux - rx * uz);
  out[9] += m * (rx * uy - ry * ux);
  out[10] += m * rx * rx;
  out[11] += m * ry * ry;
  out[12] += m * rz * rz;
  out[13] += m * rx * ry;
  out[14] += m * ry * rz;
  out[15] += m * rz * rx;
}

/**
 * The same sums over the memberships of the clusters [start, end), which matchClusters has just fitted. The second moments are those that the fits F p leave of the members' places, C in the place of Σ m w r rᵀ (turnsByFit): by these the
 * damping of the body as a whole keeps its angular momentum, as that of its clusters does.
 */
export function sumMotions(s: Views, out: Float64Array, start: number, end: number, first: number): void {
  const { x, v, member, memberParticle, memberStart } = s;
  const at = Row.x * first;
  const [ox, oy, oz] = [x[at], x[at + 1], x[at + 2]];
  const [vx, vy, vz] = [v[at], v[at + 1], v[at + 2]];
  out.fill(0, 0, 16);
  for (let k = memberStart[start]; k < memberStart[end]; k++) {
    const m = member[Row.member * k + FIELDS.member.MASS];
    const o = Row.x * memberParticle[k];
    addTo(out, m, x[o] - ox, x[o + 1] - oy, x[o + 2] - oz, v[o] - vx, v[o + 1] - vy, v[o + 2] - vz);
  }
  out.fill(0, 10, 16);
  for (let c = start; c < end; c++) {
    sumMatch(sums, s, c);
    const centre = sums.centre;
    C.fill(0);
    if (!s.deformation[Row.deformation * c + FIELDS.deformation.THIN]) fitInertiaInto(F, C, s, c, sums.A);
    else
      for (let k = memberStart[c]; k < memberStart[c + 1]; k++) {
        const o = Row.x * memberParticle[k];
        addProducts(C, member[Row.member * k + FIELDS.member.MASS], x[o] - centre[0], x[o + 1] - centre[1], x[o + 2] - centre[2]); // biome-ignore format: one line
      }
    addProducts(C, s.clusterMass[c], centre[0] - ox, centre[1] - oy, centre[2] - oz);
    for (let a = 0; a < 3; a++) out[10 + a] += C[a];
    out[13] += C[Symmetric.XY];
    out[14] += C[Symmetric.YZ];
    out[15] += C[Symmetric.XZ];
  }
}
const sums = new MatchSums();
const F = new Float64Array(9);
const C = new Float64Array(Symmetric.WIDTH);

/** C += m r rᵀ, as xx yy zz xy xz yz. */
function addProducts(C: Float64Array, m: number, x: number, y: number, z: number): void {
  C[0] += m * x * x;
  C[1] += m * y * y;
  C[2] += m * z * z;
  C[Symmetric.XY] += m * x * y;
  C[Symmetric.XZ] += m * x * z;
  C[Symmetric.YZ] += m * y * z;
}

/**
 * Sums over every so many of the particles [start, end) of a body: out := Σ m r, Σ m, Σ m d, Σ m r × d, Σ |d|², with the places r relative to the first and the displacements d of the
 * substep.
 */
export function sumWays({ x, xOld }: Views, out: Float64Array, start: number, end: number, every: number): void {
  const at = Row.x * start;
  const [ox, oy, oz] = [x[at], x[at + 1], x[at + 2]];
  out.fill(0, 0, 11);
  for (let o = at; o < Row.x * end; o += Row.x * every) {
    const m = x[o + FIELDS.x.MASS];
    const [rx, ry, rz] = [x[o] - ox, x[o + 1] - oy, x[o + 2] - oz];
    const [dx, dy, dz] = [x[o] - xOld[o], x[o + 1] - xOld[o + 1], x[o + 2] - xOld[o + 2]];
    out[0] += m * rx;
    out[1] += m * ry;
    out[2] += m * rz;
    out[3] += m;
    out[4] += m * dx;
    out[5] += m * dy;
    out[6] += m * dz;
    out[7] += m * (ry * dz - rz * dy);
    out[8] += m * (rz * dx - rx * dz);
    out[9] += m * (rx * dy - ry * dx);
    out[10] += dx * dx + dy * dy + dz * dz;
  }
}

/**
 * Sums over every so many of the particles [start, end) of a body, of their ways d from places q in `vOld`: out := Σ d, Σ r × d (z x y), Σ r rᵀ (xx yy zz xy xz yz), Σ |d|², r being q relative to the mean of
 * all q.
 */
export function sumMoves({ x, vOld: checked }: Views, out: Float64Array, start: number, end: number, every: number) {
  const first = Row.x * start;
  const last = Row.x * end;
  const stride = Row.x * every;
  const centre = [0, 0, 0];
  let n = 0;
  for (let o = first; o < last; o += stride, n++) for (let a = 0; a < 3; a++) centre[a] += checked[o + a];
  for (let a = 0; a < 3; a++) centre[a] /= n;
  out.fill(0, 0, 13);
  for (let o = first; o < last; o += stride) {
    const [rx, ry, rz] = [checked[o] - centre[0], checked[o + 1] - centre[1], checked[o + 2] - centre[2]];
    const [dx, dy, dz] = [x[o] - checked[o], x[o + 1] - checked[o + 1], x[o + 2] - checked[o + 2]];
    out[0] += dx;
    out[1] += dy;
    out[2] += dz;
    out[3] += rx * dy - ry * dx;
    out[4] += ry * dz - rz * dy;
    out[5] += rz * dx - rx * dz;
    out[6] += rx * rx;
    out[7] += ry * ry;
    out[8] += rz * rz;
    out[9] += rx * ry;
    out[10] += rx * rz;
    out[11] += ry * rz;
    out[12] += dx * dx + dy * dy + dz * dz;
  }
}

/** Sums over the particles [start, end) of a body: out := Σ m (x − x₀), Σ m, Σ m v, with the position x₀ of the first. */
export function sumMotion({ x, v }: Views, out: Float64Array, start: number, end: number): void {
  let [mass, cx, cy, cz, vx, vy, vz] = [0, 0, 0, 0, 0, 0, 0];
  // Sums are relative to the first particle, so that bodies far from the origin lose no precision.
  const at = Row.x * start;
  const [ox, oy, oz] = [x[at], x[at + 1], x[at + 2]];
  for (let o = Row.x * start; o < Row.x * end; o += Row.x) {
    const m = x[o + FIELDS.x.MASS];
    mass += m;
    cx += m * (x[o] - ox);
    cy += m * (x[o + 1] - oy);
    cz += m * (x[o + 2] - oz);
    vx += m * v[o];
    vy += m * v[o + 1];
    vz += m * v[o + 2];
  }
  out[0] = cx;
  out[1] = cy;
  out[2] = cz;
  out[3] = mass;
  out[4] = vx;
  out[5] = vy;
  out[6] = vz;
}

/** out := angular momentum about the centre (3), and inertia zz xx yy xy xz yz, of the particles [start, end) of a body. */
export function sumSpin({ x, v }: Views, out: Float64Array, start: number, end: number, motion: Float64Array): void {
  out.fill(0, 0, 9);
  for (let i = start; i < end; i++) addSpin(out, x, v, i, motion);
}

/** The same of the first `count` particles of `moved`. */
export function sumMovedSpin({ x, v, moved }: Views, out: Float64Array, count: number, motion: Float64Array): void {
  out.fill(0, 0, 9);
  for (let n = 0; n < count; n++) addSpin(out, x, v, moved[n], motion);
}

function addSpin(out: Float64Array, x: Float32Array, v: Float32Array, i: number, motion: Float64Array): void {
  const [cx, cy, cz, vx, vy, vz] = motion;
  const o = Row.x * i;
  const m = x[o + FIELDS.x.MASS];
  const [rx, ry, rz] = [x[o] - cx, x[o + 1] - cy, x[o + 2] - cz];
  const [ux, uy, uz] = [v[o] - vx, v[o + 1] - vy, v[o + 2] - vz];
  out[0] += m * (ry * uz - rz * uy);
  out[1] += m * (rz * ux - rx * uz);
  out[2] += m * (rx * uy - ry * ux);
  out[3] += m * (rx * rx + ry * ry);
  out[4] += m * (ry * ry + rz * rz);
  out[5] += m * (rx * rx + rz * rz);
  out[6] -= m * rx * ry;
  out[7] -= m * rx * rz;
  out[8] -= m * ry * rz;
}

/** Velocities of particles that are not held move by `share` towards the rigid motion `motion`: a place, the velocity there, spin. */
export function dampParticles(s: Views, start: number, end: number, share: number, motion: Float64Array): void {
  const { x, v, flags } = s;
  const [cx, cy, cz, vx, vy, vz, wx, wy, wz] = motion;
  for (let o = Row.x * start; o < Row.x * end; o += Row.x) {
    if (flags[o / Row.x] & Flag.HELD) continue;
    const [rx, ry, rz] = [x[o] - cx, x[o + 1] - cy, x[o + 2] - cz];
    v[o] += share * (vx + wy * rz - wz * ry - v[o]);
    v[o + 1] += share * (vy + wz * rx - wx * rz - v[o + 1]);
    v[o + 2] += share * (vz + wx * ry - wy * rx - v[o + 2]);
  }
}

/** out := Σ m x, Σ m, if no particle is held. Otherwise returns 1, and 2 more if one that is held moves. */
export function sumPlaces({ x, v, flags }: Views, out: Float64Array, start: number, end: number): number {
  let held = 0;
  for (let i = start; i < end; i++) {
    if (!(flags[i] & Flag.HELD)) continue;
    held |= 1;
    const o = Row.v * i;
    if (v[o] !== 0 || v[o + 1] !== 0 || v[o + 2] !== 0) held |= 2;
  }
  if (held > 0) return held;
  let [sx, sy, sz, mass] = [0, 0, 0, 0];
  for (let o = Row.x * start; o < Row.x * end; o += Row.x) {
    const m = x[o + FIELDS.x.MASS];
    sx += m * x[o];
    sy += m * x[o + 1];
    sz += m * x[o + 2];
    mass += m;
  }
  out[0] = sx;
  out[1] = sy;
  out[2] = sz;
  out[3] = mass;
  return held;
}

/** Subtracts the rotation ω × r from velocities. */
export function turnBack(
  { x, v }: Views,
  start: number,
  end: number,
  [cx, cy, cz]: Float64Array,
  [wx, wy, wz]: Float64Array,
): void {
  for (let o = Row.x * start; o < Row.x * end; o += Row.x) {
    const [rx, ry, rz] = [x[o] - cx, x[o + 1] - cy, x[o + 2] - cz];
    v[o] -= wy * rz - wz * ry;
    v[o + 1] -= wz * rx - wx * rz;
    v[o + 2] -= wx * ry - wy * rx;
  }
}
