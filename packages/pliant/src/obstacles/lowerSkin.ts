import type { Body } from '../body/body.js';
import { Flag } from '../state/flags.js';
import type { Collider } from './collider.js';
import { planeInto } from './plane.js';
import { SurfaceReach } from './surfaceReach.js';

/**
 * Largest gap between the drawn surface and that of contact that is closed in full, as a share of the spacing; three times as wide a gap is left as it is. The half spacing beyond the outermost particles is
 * strained by up to 0.16 under the weight of a body that sags by 5 %.
 */
const GAP = 0.08;
/** Places of the surface of contact that are higher than the lowest one around by more than this share of the spacing belong to a side of the body. */
const SIDE = 0.3;

const normal = new Float64Array(3);
/** Unit vectors along the plane. */
const axes = new Float64Array(6);
const surface = new SurfaceReach();

/** Of places of the surface of contact, one beneath each particle that is near the plane: coordinates along the plane and height above it (m). They grow with the largest body. */
let along = new Float64Array(2 * 256);
let height = new Float64Array(256);
let count = 0;
/** The places by square cells as wide as the spacing, which repeat after `side` cells: the first of each cell, and the next one in its cell. −1 ends a list. */
let side = 32;
let first = new Int32Array(side * side);
let next = new Int32Array(256);

/**
 * Lowers the points of a surface (x y z each) that are near a plane onto the surface by which the body meets it. Particles stand as far from a plane as they were from the surface at rest, and the surface that is drawn is
 * strained between them and the plane: the lower side of a cube of 7 across was drawn up to 4.6 mm above the floor on which it stood (1 m, 100 kPa), and the lowest point of a ball of 17 across 2.4 mm.
 * Points farther than `deepest` from the plane stay. So do points below it, which something else has left there.
 */
export function lowerOnto(body: Body, points: Float32Array, plane: Collider, deepest: number, spacing: number): void {
  const offset = planeInto(normal, plane);
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  let low = deepest;
  for (let o = 0; o < points.length; o += 3)
    low = Math.min(low, points[o] * nx + points[o + 1] * ny + points[o + 2] * nz - offset);
  if (!(low < deepest)) return;
  listPlaces(body, offset, deepest);
  if (count === 0) return;
  axesInto(axes, normal);
  sortPlaces(body, spacing);
  for (let o = 0; o < points.length; o += 3) {
    const h = points[o] * nx + points[o + 1] * ny + points[o + 2] * nz - offset;
    if (!(h > 0 && h < deepest)) continue;
    const u = points[o] * axes[0] + points[o + 1] * axes[1] + points[o + 2] * axes[2];
    const v = points[o] * axes[3] + points[o + 1] * axes[4] + points[o + 2] * axes[5];
    const by = closed(h - heightAt(u, v, spacing), GAP * spacing) * (1 - h / deepest);
    if (!(by > 0)) continue;
    points[o] -= by * nx;
    points[o + 1] -= by * ny;
    points[o + 2] -= by * nz;
  }
}

/** By how much a gap is closed. Points that are higher stay higher. */
const closed = (gap: number, most: number) =>
  gap <= most ? gap : gap < 3 * most ? (gap * (3 * most - gap)) / (2 * most) : 0;

/** Lists heights of the surface of contact, and the rows of their particles in `next`. */
function listPlaces(body: Body, offset: number, deepest: number): void {
  const { core, rows } = body;
  const { views, world } = core.state;
  const { x, flags } = views;
  const reach = surface.take(views, world!.kernels, body);
  const [nx, ny, nz] = normal;
  count = 0;
  for (let i = rows.particleStart; i < rows.particleEnd; i++) {
    if (flags[i] & Flag.INNER) continue;
    const h = x[4 * i] * nx + x[4 * i + 1] * ny + x[4 * i + 2] * nz - offset;
    if (!(h - reach.far < deepest)) continue;
    if (count === height.length) grow();
    next[count] = i;
    height[count++] = Math.max(0, h - reach.along(i, nx, ny, nz));
  }
  reach.forget();
}

/** Writes where the places lie along the plane, and puts them into their cells. */
function sortPlaces({ core }: Body, spacing: number): void {
  const { x } = core.state.views;
  first.fill(-1);
  for (let k = 0; k < count; k++) {
    const o = 4 * next[k];
    const u = x[o] * axes[0] + x[o + 1] * axes[1] + x[o + 2] * axes[2];
    const v = x[o] * axes[3] + x[o + 1] * axes[4] + x[o + 2] * axes[5];
    along[2 * k] = u;
    along[2 * k + 1] = v;
    const cell = cellOf(Math.floor(u / spacing), Math.floor(v / spacing));
    next[k] = first[cell];
    first[cell] = k;
  }
}

/** Numbers of cells repeat: what lies far away is left out by its distance. Nine cells around one differ. */
const cellOf = (i: number, j: number) => (i & (side - 1)) + side * (j & (side - 1));

/** Height of the surface of contact (m): the mean over the places around, without those of a side. Infinite where there are none. */
function heightAt(u: number, v: number, spacing: number): number {
  const i = Math.floor(u / spacing);
  const j = Math.floor(v / spacing);
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 9; n++)
    for (let k = first[cellOf(i + (n % 3) - 1, j + Math.floor(n / 3) - 1)]; k >= 0; k = next[k])
      if (height[k] < least && weightOf(k, u, v, spacing) > 0) least = height[k];
  let [sum, weight] = [0, 0];
  for (let n = 0; n < 9; n++)
    for (let k = first[cellOf(i + (n % 3) - 1, j + Math.floor(n / 3) - 1)]; k >= 0; k = next[k]) {
      if (height[k] > least + SIDE * spacing) continue;
      const w = weightOf(k, u, v, spacing);
      sum += w * height[k];
      weight += w;
    }
  return weight > 0 ? sum / weight : Number.POSITIVE_INFINITY;
}

/** 1 at a place, 0 a spacing beside it. */
function weightOf(k: number, u: number, v: number, spacing: number): number {
  const du = (along[2 * k] - u) / spacing;
  const dv = (along[2 * k + 1] - v) / spacing;
  const far = 1 - du * du - dv * dv;
  return far > 0 ? far * far : 0;
}

/** Two unit vectors at right angles to n and to each other. */
function axesInto(out: Float64Array, [x, y, z]: Float64Array): void {
  // The cross product with the axis that n is farthest from.
  const [ax, ay, az] =
    Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z)
      ? [1, 0, 0]
      : Math.abs(y) <= Math.abs(z)
        ? [0, 1, 0]
        : [0, 0, 1];
  const [ux, uy, uz] = [y * az - z * ay, z * ax - x * az, x * ay - y * ax];
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  out[0] = ux / length;
  out[1] = uy / length;
  out[2] = uz / length;
  out[3] = y * out[2] - z * out[1];
  out[4] = z * out[0] - x * out[2];
  out[5] = x * out[1] - y * out[0];
}

function grow(): void {
  const [wider, higher, longer] = [
    new Float64Array(4 * height.length),
    new Float64Array(2 * height.length),
    new Int32Array(2 * next.length),
  ];
  higher.set(height);
  longer.set(next);
  along = wider;
  height = higher;
  next = longer;
  if (height.length <= first.length) return;
  side *= 2;
  first = new Int32Array(side * side);
}
