import { hypot } from '../math/elementary.js';
import { PROXY_PLANES, type Views } from '../state/layout.js';
import { NX, NY, NZ, PROXY_ROW, REACH } from '../state/proxyRow.js';

/** Tests of rays and points against a cluster's proxy in rest space, where it is a sphere cut by half-spaces n·q < h. */

/** The part of a ray that is in a proxy. */
export interface Span {
  cluster: number;
  enter: number;
  leave: number;
  /** The half-space through which the ray enters, or SPHERE or WITHIN. */
  face: number;
}
export const SPHERE = -1;
/** The ray begins inside. */
export const WITHIN = -2;

const along = (s: Views, k: number, q: ArrayLike<number>) =>
  s.proxy[k + NX] * q[0] + s.proxy[k + NY] * q[1] + s.proxy[k + NZ] * q[2];

/** Limits the ray q + t d (rest space) to its part in the proxy, for t from 0 to `limit`. Returns whether there is one. */
export function clip(span: Span, s: Views, q: Float64Array, d: Float64Array, limit: number): boolean {
  const c = span.cluster;
  span.enter = 0;
  span.leave = limit;
  span.face = WITHIN;
  for (let k = 0; k < s.proxyPlanes[c]; k++) {
    const row = PROXY_ROW * c + k;
    const above = along(s, row, q) - s.proxy[row + REACH];
    const rate = along(s, row, d);
    if (rate < 0) comeIn(span, -above / rate, k);
    else if (rate > 0) span.leave = Math.min(span.leave, -above / rate);
    else if (above >= 0) return false;
  }
  // |q + t d|² = R²
  const R = s.proxyRadius[c];
  const dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const qd = q[0] * d[0] + q[1] * d[1] + q[2] * d[2];
  const root = qd * qd - dd * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - R * R);
  if (!(root > 0)) return false;
  comeIn(span, (-qd - Math.sqrt(root)) / dd, SPHERE);
  span.leave = Math.min(span.leave, (-qd + Math.sqrt(root)) / dd);
  return span.enter <= span.leave;
}

function comeIn(span: Span, t: number, face: number): void {
  if (!(t > span.enter)) return;
  span.enter = t;
  span.face = face;
}

/** Whether a point of rest space is in the proxy. */
export function holds(s: Views, c: number, q: Float64Array): boolean {
  if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] < s.proxyRadius[c] * s.proxyRadius[c])) return false;
  for (let k = PROXY_ROW * c; k < PROXY_ROW * c + s.proxyPlanes[c]; k++)
    if (along(s, k, q) >= s.proxy[k + REACH]) return false;
  return true;
}

/** Outward normal of a face at a point on it, in rest space. */
export function faceNormalInto(out: Float64Array, s: Views, c: number, face: number, q: ArrayLike<number>): void {
  if (face === SPHERE) {
    const length = hypot(q[0], q[1], q[2]);
    for (let a = 0; a < 3; a++) out[a] = q[a] / length;
    return;
  }
  const k = PROXY_ROW * c + face;
  out[0] = s.proxy[k + NX];
  out[1] = s.proxy[k + NY];
  out[2] = s.proxy[k + NZ];
}

/**
 * Finds the nearest face through which a point inside may leave, among those that are borders of the body. Returns its distance in rest
 * space; infinite if there is none.
 */
export function exitOf(out: { face: number }, s: Views, c: number, q: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < s.proxyExits[c]; k++) {
    const row = PROXY_ROW * c + k;
    const way = s.proxy[row + REACH] - along(s, row, q);
    if (way < least) [least, out.face] = [way, k];
  }
  const round = s.proxyRadius[c] - hypot(q[0], q[1], q[2]);
  if (s.proxyRound[c] === 1 && round < least) [least, out.face] = [round, SPHERE];
  return least;
}

/** Largest number of rounds over all faces. The planes of a cluster are at right angles and take one round; the sphere and cuts take a few. */
const ROUNDS = 24;
/** Displacement of the point by each face in the last round: three numbers a plane, then the sphere. */
const moves = new Float64Array(3 * (PROXY_PLANES + 1));

/**
 * Moves a point of rest space to the nearest point in the proxy, by Dykstra's projections: onto one face after the other. Each face first
 * takes back its displacement of the previous round. Without that the result would lie in the proxy, but would not be the nearest point.
 */
export function drawIn(q: Float64Array, s: Views, c: number): void {
  const planes = s.proxyPlanes[c];
  moves.fill(0, 0, 3 * (planes + 1));
  for (let round = 0; round < ROUNDS; round++) {
    let moved = 0;
    for (let k = 0; k <= planes; k++) {
      const o = 3 * k;
      const [x, y, z] = [q[0] + moves[o], q[1] + moves[o + 1], q[2] + moves[o + 2]];
      const [wasX, wasY, wasZ] = q;
      q[0] = x;
      q[1] = y;
      q[2] = z;
      if (k < planes) ontoPlane(q, s, PROXY_ROW * c + k);
      else ontoSphere(q, s.proxyRadius[c]);
      moves[o] = x - q[0];
      moves[o + 1] = y - q[1];
      moves[o + 2] = z - q[2];
      moved += Math.abs(q[0] - wasX) + Math.abs(q[1] - wasY) + Math.abs(q[2] - wasZ);
    }
    if (moved < 1e-9 * s.proxyRadius[c]) return;
  }
}

function ontoPlane(q: Float64Array, s: Views, k: number): void {
  const beyond = along(s, k, q) - s.proxy[k + REACH];
  if (!(beyond > 0)) return;
  q[0] -= beyond * s.proxy[k + NX];
  q[1] -= beyond * s.proxy[k + NY];
  q[2] -= beyond * s.proxy[k + NZ];
}

function ontoSphere(q: Float64Array, radius: number): void {
  const length = hypot(q[0], q[1], q[2]);
  if (length > radius) for (let a = 0; a < 3; a++) q[a] *= radius / length;
}
