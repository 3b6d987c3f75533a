import { hypot, squared } from '../math/elementary.js';
import { type Random, random } from '../math/random.js';
import { buildEdges, endOf } from '../mesh/edges.js';
import type { ThinSampling } from './middle.js';

/** The triangles of a sheet, whose vertices are welded. */
export interface Triangles {
  positions: Float64Array;
  indices: Uint32Array;
}

/** Particles times the squared spacing, per area, of random points that leave no room for another: random sequential packing of discs saturates at a filling of 0.547. */
const DENSITY = 0.697;

/** Rounds of as many darts as particles are expected, and the share of hits at which a surface counts as full. */
const ROUNDS = 64;
const FULL = 0.004;

/** Cosine of the turn from which on a vertex of the hem is a corner, which gets a particle: 30°. */
const CORNER = 0.866;

/** A particle of the hem stands for half of the cell of one inside. */
const HEM_SHARE = 0.5;

/** Expected number of particles of `sampleLayer`. */
export const expectLayer = (area: number, hem: number, spacing: number): number =>
  (DENSITY * area) / squared(spacing) + (0.5 * hem) / spacing;

/**
 * One layer of particles on a surface: random, at least `spacing` apart, with no room left for another. The hem comes first, at even distances and with a particle in each corner, so that a
 * sheet is as large as it was asked for and can be held by its corners.
 */
export function sampleLayer(surface: Triangles, spacing: number, seed: number): ThinSampling {
  const placed = new Placed(spacing);
  for (const chain of hemOf(surface)) placeHem(placed, surface.positions, chain, spacing);
  const hem = placed.count;
  throwDarts(placed, surface, spacing, random(seed));
  return { positions: placed.positions(), shares: evenShares(placed.count, (i) => i < hem) };
}

/** Volumes as multiples of their mean, those of the border halved. */
export function evenShares(count: number, isBorder: (i: number) => boolean): Float64Array {
  const shares = Float64Array.from({ length: count }, (_, i) => (isBorder(i) ? HEM_SHARE : 1));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => (share * count) / sum);
}

/** Points in cells as wide as their least distance. */
class Placed {
  private readonly cells = new Map<string, number[]>();
  private readonly points: number[] = [];

  constructor(private readonly spacing: number) {}

  get count(): number {
    return this.points.length / 3;
  }

  positions(): Float64Array {
    return Float64Array.from(this.points);
  }

  /** Adds a point, unless another is nearer than `apart`. */
  add(x: number, y: number, z: number, apart: number): boolean {
    const [i, j, k] = [x, y, z].map((c) => Math.floor(c / this.spacing));
    for (let a = i - 1; a <= i + 1; a++)
      for (let b = j - 1; b <= j + 1; b++)
        for (let c = k - 1; c <= k + 1; c++)
          for (const o of this.cells.get(`${a},${b},${c}`) ?? [])
            if (
              squared(this.points[o] - x) + squared(this.points[o + 1] - y) + squared(this.points[o + 2] - z) <
              squared(apart)
            )
              return false;
    const key = `${i},${j},${k}`;
    const cell = this.cells.get(key);
    if (cell) cell.push(this.points.length);
    else this.cells.set(key, [this.points.length]);
    this.points.push(x, y, z);
    return true;
  }
}

/** The borders of a surface as chains of vertices: each begins and ends at a corner, or runs around once. */
function hemOf({ positions, indices }: Triangles): number[][] {
  const { edgeCount, first, valence } = buildEdges(indices);
  const after = new Map<number, number>();
  for (let e = 0; e < edgeCount; e++) if (valence[e] === 1) after.set(indices[first[e]], endOf(indices, first[e]));
  const seen = new Set<number>();
  const chains: number[][] = [];
  for (const start of after.keys()) {
    if (seen.has(start)) continue;
    const loop: number[] = [];
    for (let v: number | undefined = start; v !== undefined && !seen.has(v); v = after.get(v)) {
      seen.add(v);
      loop.push(v);
    }
    chains.push(...atCorners(positions, loop));
  }
  return chains;
}

/** Divides a loop of vertices at its corners. */
function atCorners(p: Float64Array, loop: readonly number[]): number[][] {
  const n = loop.length;
  const isCorner = (k: number) => {
    const [a, b, c] = [loop[(k + n - 1) % n], loop[k], loop[(k + 1) % n]].map((v) => 3 * v);
    const u = [0, 1, 2].map((axis) => p[b + axis] - p[a + axis]);
    const w = [0, 1, 2].map((axis) => p[c + axis] - p[b + axis]);
    return u[0] * w[0] + u[1] * w[1] + u[2] * w[2] < CORNER * hypot(u[0], u[1], u[2]) * hypot(w[0], w[1], w[2]);
  };
  const corners = loop.map((_, k) => k).filter(isCorner);
  if (corners.length === 0) return [[...loop, loop[0]]];
  return corners.map((from, c) => {
    const length = (corners[(c + 1) % corners.length] - from + n) % n || n;
    return Array.from({ length: length + 1 }, (_, k) => loop[(from + k) % n]);
  });
}

/** Rounding may put the evenly spaced points of a hem a little nearer than the spacing. */
const ROUNDING = 1 - 1e-9;

function placeHem(placed: Placed, p: Float64Array, chain: readonly number[], spacing: number): void {
  const along = [0];
  for (let k = 1; k < chain.length; k++) {
    const [a, b] = [3 * chain[k - 1], 3 * chain[k]];
    along.push(along[k - 1] + hypot(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]));
  }
  const total = along[along.length - 1];
  const parts = Math.max(1, Math.floor(total / spacing + 1e-9));
  for (let n = 0, k = 1; n <= parts; n++) {
    const at = (total * n) / parts;
    while (k < chain.length - 1 && along[k] < at) k++;
    const share = along[k] > along[k - 1] ? Math.min(1, (at - along[k - 1]) / (along[k] - along[k - 1])) : 0;
    const [a, b] = [3 * chain[k - 1], 3 * chain[k]];
    const [x, y, z] = [0, 1, 2].map((axis) => p[a + axis] + share * (p[b + axis] - p[a + axis]));
    placed.add(x, y, z, ROUNDING * spacing);
  }
}

/** Darts spread by area, until hardly any finds room. */
function throwDarts(placed: Placed, { positions: p, indices }: Triangles, spacing: number, next: Random): void {
  const areas = new Float64Array(indices.length / 3);
  let area = 0;
  for (let t = 0; t < areas.length; t++) areas[t] = area += areaOf(p, indices, t);
  const round = Math.ceil((DENSITY * area) / squared(spacing)) + 16;
  for (let k = 0; k < ROUNDS; k++) {
    let hits = 0;
    for (let dart = 0; dart < round; dart++) {
      const t = firstBeyond(areas, next() * area);
      const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
      const [root, v] = [Math.sqrt(next()), next()];
      const [u, w] = [1 - root, root * v];
      const [x, y, z] = [0, 1, 2].map((axis) => u * p[a + axis] + (1 - u - w) * p[b + axis] + w * p[c + axis]);
      if (placed.add(x, y, z, spacing)) hits++;
    }
    if (hits < FULL * round) return;
  }
}

/** Area of a triangle (m²). */
export function areaOf(p: Float64Array, indices: Uint32Array, t: number): number {
  const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  return hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
}

/** Length of all edges with one triangle (m). */
export function hemLength({ positions: p, indices }: Triangles): number {
  const { edgeCount, first, valence } = buildEdges(indices);
  let sum = 0;
  for (let e = 0; e < edgeCount; e++) {
    if (valence[e] !== 1) continue;
    const [a, b] = [3 * indices[first[e]], 3 * endOf(indices, first[e])];
    sum += hypot(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]);
  }
  return sum;
}

/** Index of the first of rising numbers that is above a value; the last one at most. */
function firstBeyond(rising: Float64Array, value: number): number {
  let [low, high] = [0, rising.length - 1];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (rising[mid] > value) high = mid;
    else low = mid + 1;
  }
  return low;
}
