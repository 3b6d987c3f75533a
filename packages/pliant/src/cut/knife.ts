import { checkDirection, checkKeys, checkVec3, PliantError, refuse, type Vec3 } from '../check.js';
import { hypot } from '../math/elementary.js';

/** A knife: an infinite plane, or a blade, which is a flat convex polygon. */
export type CutOptions =
  | {
      /** A point of the plane (m). */
      point: Vec3;
      /** Direction that counts as above, of any length. */
      normal: Vec3;
    }
  | {
      /** Corners of a flat convex polygon in order (m), at least three: the area that a blade swept over. */
      blade: readonly Vec3[];
    };

/** A knife as a plane with axes of its own, and the border of the blade in it. */
export interface Knife {
  readonly point: Vec3;
  /** Unit vectors; u × v = normal. */
  readonly normal: Vec3;
  readonly u: Vec3;
  readonly v: Vec3;
  /** Corners of the blade in these axes, counter-clockwise, x y each; undefined for an infinite plane. */
  readonly border?: Float64Array;
}

/** Greatest distance of a corner from the blade's plane, as a share of the blade's size. */
const FLAT = 1e-3;
/** Area of a blade, as a share of its size squared, below which it counts as a line. */
const THIN = 1e-9;

export function resolveKnife(path: string, options: CutOptions): Knife {
  checkKeys(path, options, ['point', 'normal', 'blade']);
  if ('blade' in options && options.blade !== undefined) {
    for (const key of ['point', 'normal'] as const)
      if ((options as Record<string, unknown>)[key] !== undefined)
        refuse(`${path}.${key}`, (options as Record<string, unknown>)[key], 'nothing beside a blade');
    return bladeOf(`${path}.blade`, options.blade);
  }
  const { point, normal } = options as { point: Vec3; normal: Vec3 };
  return withAxes(checkVec3(`${path}.point`, point), checkDirection(`${path}.normal`, normal));
}

/** Throws a PliantError if the options describe no cut. For programs that check now and cut later. `path` is the name that messages begin with. */
export function checkCut(options: CutOptions, path = 'cut'): void {
  resolveKnife(path, options);
}

function bladeOf(path: string, blade: readonly Vec3[]): Knife {
  if (!Array.isArray(blade) || blade.length < 3) refuse(path, blade, 'at least three corners');
  const corners = blade.map((corner, k) => checkVec3(`${path}[${k}]`, corner));
  const centre = [0, 1, 2].map((a) => corners.reduce((sum, p) => sum + p[a], 0) / corners.length);
  const from = corners.map((p) => p.map((x, a) => x - centre[a]));
  const size = Math.max(...from.map((p) => hypot(p[0], p[1], p[2])));
  // Newell's method: the sum of the triangles' areas about the centre.
  const area = [0, 0, 0];
  from.forEach((p, k) => {
    const q = from[(k + 1) % from.length];
    for (let a = 0; a < 3; a++) area[a] += p[(a + 1) % 3] * q[(a + 2) % 3] - p[(a + 2) % 3] * q[(a + 1) % 3];
  });
  if (!(hypot(area[0], area[1], area[2]) > THIN * size * size))
    throw new PliantError(path, `${path} has no area; expected the corners of a flat convex polygon in order.`);
  const knife = withAxes(centre as unknown as Vec3, checkDirection(path, area));
  const border = new Float64Array(2 * from.length);
  from.forEach((p, k) => {
    if (Math.abs(dot(p, knife.normal)) > FLAT * size)
      throw new PliantError(
        `${path}[${k}]`,
        `${path}[${k}] stands ${Math.abs(dot(p, knife.normal))} m off the plane of the others; expected a flat polygon.`,
      );
    border[2 * k] = dot(p, knife.u);
    border[2 * k + 1] = dot(p, knife.v);
  });
  for (let k = 0; k < from.length; k++)
    if (turn(border, k, (k + 1) % from.length, (k + 2) % from.length) < -THIN * size * size)
      throw new PliantError(
        `${path}[${(k + 1) % from.length}]`,
        `${path}[${(k + 1) % from.length}] bends inward; expected a convex polygon, its corners in order.`,
      );
  return { ...knife, border };
}

/**
 * Chooses two axes of the plane; the first is perpendicular to the coordinate axis that the normal is farthest from.
 */
function withAxes(point: Vec3, normal: Vec3): Knife {
  const sizes = normal.map(Math.abs);
  const axis = sizes.indexOf(Math.min(...sizes));
  const e = [0, 1, 2].map((a) => (a === axis ? 1 : 0)) as unknown as Vec3;
  const u = checkDirection('u', cross(normal, e));
  return { point, normal, u, v: cross(normal, u) };
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Twice the signed area of the triangle of three corners. */
function turn(p: Float64Array, a: number, b: number, c: number): number {
  return (p[2 * b] - p[2 * a]) * (p[2 * c + 1] - p[2 * a + 1]) - (p[2 * b + 1] - p[2 * a + 1]) * (p[2 * c] - p[2 * a]);
}

/** Height of a point above the plane. */
export function heightOf({ point, normal }: Knife, x: number, y: number, z: number): number {
  return (x - point[0]) * normal[0] + (y - point[1]) * normal[1] + (z - point[2]) * normal[2];
}

/** Whether a point of the plane, in its axes, is on the blade. */
export function isOnBlade({ border }: Pick<Knife, 'border'>, x: number, y: number): boolean {
  if (!border) return true;
  const corners = border.length / 2;
  for (let k = 0; k < corners; k++) if (besideBorder(border, k, x, y) < 0) return false;
  return true;
}

/** How far a point lies on the inner side of a border's edge k, times the edge's length. */
export function besideBorder(border: Float64Array, k: number, x: number, y: number): number {
  const [o, e] = [2 * k, (2 * k + 2) % border.length];
  return (border[e] - border[o]) * (y - border[o + 1]) - (border[e + 1] - border[o + 1]) * (x - border[o]);
}

/**
 * Part of a segment, as fractions from its first end, and the edges of the border at which it enters and leaves; −1:
 * none.
 */
export interface Clipped {
  from: number;
  to: number;
  inBy: number;
  outBy: number;
}

/** Writes the part of a segment of the plane that is on the blade into `clipped`. False if there is none. */
export function clipSegment(
  clipped: Clipped,
  border: Float64Array,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): boolean {
  clipped.from = 0;
  clipped.to = 1;
  clipped.inBy = clipped.outBy = -1;
  for (let k = 0; k < border.length / 2; k++) {
    const a = besideBorder(border, k, ax, ay);
    const b = besideBorder(border, k, bx, by);
    if (a < 0 && b < 0) return false;
    if (a < 0) {
      const t = a / (a - b);
      if (t >= clipped.from) [clipped.from, clipped.inBy] = [t, k];
    } else if (b < 0) {
      const t = a / (a - b);
      if (t <= clipped.to) [clipped.to, clipped.outBy] = [t, k];
    }
  }
  return clipped.from < clipped.to;
}
