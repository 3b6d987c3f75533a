import type { Vec3 } from '../check.js';
import { cos, hypot, sin } from '../math/elementary.js';
import { evenShares } from './layer.js';
import type { Middle } from './middle.js';
import type { SignedSolid } from './primitives.js';

/** Particles of a section of a cord. */
const AROUND = 3;

/**
 * A cord along a line of straight parts, with round ends. The formula of its volume holds for a straight one, and for any that nowhere bends more sharply than its radius.
 */
export function cord(path: readonly Vec3[], radius: number): SignedSolid & { middle: Middle } {
  const length = lengthOf(path);
  const low = [0, 1, 2].map((a) => Math.min(...path.map((p) => p[a])) - radius) as unknown as Vec3;
  const high = [0, 1, 2].map((a) => Math.max(...path.map((p) => p[a])) + radius) as unknown as Vec3;
  const signed = (x: number, y: number, z: number) => {
    let least = Number.POSITIVE_INFINITY;
    for (let k = 1; k < path.length; k++) least = Math.min(least, toSegment(path[k - 1], path[k], x, y, z));
    return Math.sqrt(least) - radius;
  };
  return {
    min: low,
    max: high,
    inside: (x, y, z) => signed(x, y, z) <= 0,
    signed,
    volume: Math.PI * radius * radius * (length + (4 / 3) * radius),
    middle: {
      kind: 'cord',
      from: radius,
      to: Math.max(radius, length),
      half: radius,
      hasGrid: true,
      expect: (spacing) => AROUND * (sectionsFor(length, spacing) + 1),
      sample: (spacing) => sections(path, radius, sectionsFor(length, spacing)),
    },
  };
}

const sectionsFor = (length: number, spacing: number) => Math.max(1, Math.round(length / spacing));

/** Length of a line of straight parts (m). */
export function lengthOf(path: readonly Vec3[]): number {
  let sum = 0;
  for (let k = 1; k < path.length; k++)
    sum += hypot(path[k][0] - path[k - 1][0], path[k][1] - path[k - 1][1], path[k][2] - path[k - 1][2]);
  return sum;
}

/** Squared distance from a point to a straight part. */
function toSegment(a: Vec3, b: Vec3, x: number, y: number, z: number): number {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [px, py, pz] = [x - a[0], y - a[1], z - a[2]];
  const square = ux * ux + uy * uy + uz * uz;
  const t = square > 0 ? Math.min(1, Math.max(0, (px * ux + py * uy + pz * uz) / square)) : 0;
  const [dx, dy, dz] = [px - t * ux, py - t * uy, pz - t * uz];
  return dx * dx + dy * dy + dz * dz;
}

/**
 * Sections of AROUND particles, each turned against the one before by half of an angle between particles. They lie at radius/√2 from the middle: their mean square distance from an axis across
 * the cord is then that of a full disc, radius²/4, and with it the stiffness against bending and twisting.
 */
function sections(path: readonly Vec3[], radius: number, parts: number) {
  const count = AROUND * (parts + 1);
  const positions = new Float64Array(3 * count);
  const out = radius / Math.SQRT2;
  frames(path, parts).forEach(({ at, u, v }, n) => {
    for (let k = 0; k < AROUND; k++) {
      const angle = (2 * Math.PI * (k + (n % 2) / 2)) / AROUND;
      const [x, y] = [out * cos(angle), out * sin(angle)];
      for (let a = 0; a < 3; a++) positions[3 * (AROUND * n + k) + a] = at[a] + x * u[a] + y * v[a];
    }
  });
  return { positions, shares: evenShares(count, (i) => i < AROUND || i >= count - AROUND) };
}

/** A place on a line, the direction of the line, and two directions across it. */
export interface Frame {
  at: Vec3;
  along: Vec3;
  u: Vec3;
  v: Vec3;
}

/** Frames at the ends of `parts` equal parts of a line, turned as little as possible from one to the next: a cord is not twisted at rest. */
export function frames(path: readonly Vec3[], parts: number): Frame[] {
  const total = lengthOf(path);
  const list: Frame[] = [];
  let [k, before] = [1, 0];
  let across: Vec3 | undefined;
  const partLength = (n: number) => lengthOf([path[n - 1], path[n]]);
  for (let n = 0; n <= parts; n++) {
    const at = (total * n) / parts;
    while (k < path.length - 1 && before + partLength(k) < at - 1e-12 * total) before += partLength(k++);
    const share = Math.min(1, Math.max(0, (at - before) / partLength(k)));
    const [a, b] = [path[k - 1], path[k]];
    // In a corner of the line the direction is the mean of both sides.
    const along = unit(share > 1 - 1e-9 && k < path.length - 1 ? sum(way(a, b), way(b, path[k + 1])) : way(a, b));
    across = unit(reject(across ?? leastAxis(along), along));
    list.push({
      at: [0, 1, 2].map((c) => a[c] + share * (b[c] - a[c])) as unknown as Vec3,
      along,
      u: across,
      v: cross(along, across),
    });
  }
  return list;
}

const way = (a: Vec3, b: Vec3): Vec3 => unit([b[0] - a[0], b[1] - a[1], b[2] - a[2]]);
const sum = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function unit(a: Vec3): Vec3 {
  const length = hypot(a[0], a[1], a[2]);
  return length > 0 ? [a[0] / length, a[1] / length, a[2] / length] : [1, 0, 0];
}

/** The part of a vector across a direction; another one where the vector has no such part. */
function reject(a: Vec3, along: Vec3): Vec3 {
  const dot = a[0] * along[0] + a[1] * along[1] + a[2] * along[2];
  const rest: Vec3 = [a[0] - dot * along[0], a[1] - dot * along[1], a[2] - dot * along[2]];
  return hypot(rest[0], rest[1], rest[2]) > 1e-6 ? rest : reject(leastAxis(along), along);
}

/** The axis that is farthest from a direction. */
function leastAxis(along: Vec3): Vec3 {
  const least = [0, 1, 2].reduce((best, a) => (Math.abs(along[a]) < Math.abs(along[best]) ? a : best), 0);
  return [0, 1, 2].map((a) => (a === least ? 1 : 0)) as unknown as Vec3;
}
