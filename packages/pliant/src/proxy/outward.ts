import { hypot } from '../math/elementary.js';
import { formOf, putForm } from '../sample/form.js';
import type { Solid } from '../sample/solid.js';
import { ball, buildGrid, newNeighbourList, type PointGrid } from '../spatial/grid.js';
import { spacingOfPoints } from '../spatial/spacing.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import { Work } from '../work.js';

/**
 * A body's surface as its outermost particles describe it. `normal`: direction of the surface, three numbers a particle, of length 1; 0 for
 * a particle that is not at the surface, or midway in a thin wall. `height`: distance of the surface beyond the particle (m).
 */
export interface ParticleSurface {
  normal: Float64Array;
  height: Float64Array;
}

/** Particles within this many spacings of the surface are outermost. The outermost layer of a grid lies half a spacing below the surface. */
export const OUTERMOST = 0.8;

/** Step over which distances are compared (spacings). */
const STEP = 1e-3;

/** Particles between two checkpoints: some milliseconds. */
const PER_CHECKPOINT = 1024;

/** The surface of particles sampled inside a solid, from the solid's distances. */
export function surfaceOfSolid(
  solid: Solid,
  positions: Float64Array,
  spacing: number,
  work = new Work(),
): ParticleSurface {
  const count = positions.length / 3;
  const surface: ParticleSurface = { normal: new Float64Array(3 * count), height: new Float64Array(count) };
  const step = STEP * spacing;
  const far = 2 * OUTERMOST * spacing;
  if (formOf(solid) && withKernels((space) => surfaceFast(space, solid, positions, spacing, surface, work)))
    return surface;
  const p = [0, 0, 0];
  let height = 0;
  const at = (axis: number, by: number) => {
    p[axis] += by;
    const d = solid.distance(p[0], p[1], p[2], far);
    // Distances outside are negative. A step can lead outside only if the particle is within one step of the surface.
    const sign = height > step || solid.inside(p[0], p[1], p[2]) ? 1 : -1;
    p[axis] -= by;
    return sign * d;
  };
  for (let i = 0; i < count; i++) {
    if (i % PER_CHECKPOINT === 0) work.tick(0.5 + (0.5 * i) / count);
    p[0] = positions[3 * i];
    p[1] = positions[3 * i + 1];
    p[2] = positions[3 * i + 2];
    height = solid.distance(p[0], p[1], p[2], far);
    if (height > OUTERMOST * spacing) continue;
    surface.height[i] = height;
    // Distances grow inwards.
    const gx = at(0, -step) - at(0, step);
    const gy = at(1, -step) - at(1, step);
    const gz = at(2, -step) - at(2, step);
    writeNormal(surface, i, gx, gy, gz, step);
  }
  return surface;
}

/** The direction of the differences of distances over two steps. Midway between two sides the height is known, but there is no direction. */
function writeNormal({ normal }: ParticleSurface, i: number, gx: number, gy: number, gz: number, step: number): void {
  const length = hypot(gx, gy, gz);
  if (!(length > step)) return;
  normal[3 * i] = gx / length;
  normal[3 * i + 1] = gy / length;
  normal[3 * i + 2] = gz / length;
}

/** The same with distances in WASM. */
function surfaceFast(
  space: Workspace,
  solid: Solid,
  positions: Float64Array,
  spacing: number,
  surface: ParticleSurface,
  work: Work,
): true {
  const count = positions.length / 3;
  const [most, far, step] = [OUTERMOST * spacing, 2 * OUTERMOST * spacing, STEP * spacing];
  const [form, places] = [putForm(space, formOf(solid)), space.putReals(positions)];
  const [height, outermost, difference] = [
    space.takeReals(PER_CHECKPOINT),
    space.takeWords(PER_CHECKPOINT),
    space.takeReals(3 * PER_CHECKPOINT),
  ];
  const [h, o, g] = [
    space.reals(height, PER_CHECKPOINT),
    space.words(outermost, PER_CHECKPOINT),
    space.reals(difference, 3 * PER_CHECKPOINT),
  ];
  for (let i = 0; i < count; i += PER_CHECKPOINT) {
    work.tick((0.5 * i) / count);
    const to = Math.min(i + PER_CHECKPOINT, count);
    const found = space.kernels.surfaceHeights(form, places, i, to, most, far, step, height, outermost, difference);
    for (let n = 0; n < found; n++) {
      surface.height[o[n]] = h[n];
      writeNormal(surface, o[n], g[3 * n], g[3 * n + 1], g[3 * n + 2], step);
    }
  }
  return true;
}

/** The surface of particles without a solid: it goes through the outermost particles. `spacing`: that of the particles, if it is known. */
export function surfaceOfPoints(positions: Float64Array, spacing?: number): ParticleSurface {
  return { normal: outwardNormals(positions, spacing), height: new Float64Array(positions.length / 3) };
}

/** Radius of the neighbourhood in spacings: some 60 neighbours inside a body, 30 on its surface. */
const REACH = 2.5;
/** A particle is at the surface if no neighbour nearer than CLEAR (spacings) lies within 60° of the direction away from its neighbours. */
const CLEAR = 2;
/** Cosine of that angle. */
const CONE = 0.5;

/**
 * Outward direction of every particle at the surface: away from the mean of its neighbours, averaged over nearby surface particles, of
 * length 1. 0 for a particle with neighbours on all sides. Three numbers a particle.
 */
function outwardNormals(positions: Float64Array, spacing = spacingOfPoints(positions)): Float64Array {
  if (!(spacing > 0)) return new Float64Array(positions.length);
  const grid = buildGrid(positions, REACH * spacing);
  const fast = withKernels((space) => normalsFast(space, positions, grid, spacing));
  return fast ?? normalsPlain(positions, grid, spacing);
}

function normalsPlain(positions: Float64Array, grid: PointGrid, spacing: number): Float64Array {
  const count = positions.length / 3;
  const raw = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const away = awayFromNeighbours(positions, grid, i, REACH * spacing);
    if (away && isClear(positions, grid, i, away, CLEAR * spacing)) raw.set(away, 3 * i);
  }
  const even = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) if (!isZero(raw, i)) evenOut(even, raw, positions, grid, i, REACH * spacing);
  return even;
}

/** The same with sums over neighbours in WASM. Undefined where a particle has more neighbours than there is room for. */
function normalsFast(
  space: Workspace,
  positions: Float64Array,
  grid: PointGrid,
  spacing: number,
): Float64Array | undefined {
  const { kernels } = space;
  const { count } = grid;
  const radius = REACH * spacing;
  const [points, order, raw] = [space.putGrid(grid), space.putWords(grid.order), space.takeReals(3 * count)];
  const [index, square, out] = [space.takeWords(ROOM), space.takeReals(ROOM), space.takeReals(3)];
  const normals = space.reals(raw, 3 * count).fill(0);
  const sum = space.reals(out, 3);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
    const found = kernels.sumAway(points, x, y, z, radius, index, square, ROOM, out);
    if (found < 0) return undefined;
    const away = directionOf(sum, radius, found);
    if (!away) continue;
    const [nx, ny, nz] = away;
    const reach = CLEAR * spacing;
    if (!kernels.hasAhead(points, x, y, z, nx, ny, nz, reach, CONE, index, square, found)) normals.set(away, 3 * i);
  }
  const even = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    if (isZero(normals, i)) continue;
    const [x, y, z] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
    if (kernels.sumAlike(points, order, raw, i, x, y, z, radius, index, ROOM, out) < 0) return undefined;
    const length = hypot(sum[0], sum[1], sum[2]);
    for (let a = 0; a < 3; a++) even[3 * i + a] = sum[a] / length;
  }
  return even;
}

/** Candidates for neighbours of one particle that there is room for. */
const ROOM = 4096;

const near = newNeighbourList(64);
let nearCount = 0;

/** Unit vector from the weighted mean of the neighbours to particle i; undefined where there is no such direction. */
function awayFromNeighbours(p: Float64Array, grid: PointGrid, i: number, radius: number): number[] | undefined {
  nearCount = ball(grid, p[3 * i], p[3 * i + 1], p[3 * i + 2], radius, near, 0);
  const g = [0, 0, 0];
  for (let k = 0; k < nearCount; k++) {
    const w = 1 - near.distance2[k] / (radius * radius);
    const j = grid.order[near.index[k]];
    for (let a = 0; a < 3; a++) g[a] += w * (p[3 * i + a] - p[3 * j + a]);
  }
  return directionOf(g, radius, nearCount);
}

/** A sum of vectors away from neighbours, of length 1. Of length 0 up to rounding, the particle is evenly surrounded, or alone. */
function directionOf(sum: ArrayLike<number>, radius: number, neighbours: number): number[] | undefined {
  const length = hypot(sum[0], sum[1], sum[2]);
  if (length > 1e-9 * radius) return [sum[0] / length, sum[1] / length, sum[2] / length];
  return neighbours <= 1 ? [0, 1, 0] : undefined;
}

/** Whether none of the neighbours found last lies ahead. */
function isClear(p: Float64Array, grid: PointGrid, i: number, [nx, ny, nz]: number[], reach: number): boolean {
  for (let k = 0; k < nearCount; k++) {
    const j = grid.order[near.index[k]];
    const distance = Math.sqrt(near.distance2[k]);
    if (distance === 0 || distance > reach) continue;
    const ahead = (p[3 * j] - p[3 * i]) * nx + (p[3 * j + 1] - p[3 * i + 1]) * ny + (p[3 * j + 2] - p[3 * i + 2]) * nz;
    if (ahead > CONE * distance) return false;
  }
  return true;
}

function evenOut(
  out: Float64Array,
  raw: Float64Array,
  p: Float64Array,
  grid: PointGrid,
  i: number,
  radius: number,
): void {
  const n = ball(grid, p[3 * i], p[3 * i + 1], p[3 * i + 2], radius, near, 0);
  const g = [0, 0, 0];
  for (let k = 0; k < n; k++) {
    const j = grid.order[near.index[k]];
    // Leaves out the other side of a thin wall, whose directions are opposite.
    if (raw[3 * i] * raw[3 * j] + raw[3 * i + 1] * raw[3 * j + 1] + raw[3 * i + 2] * raw[3 * j + 2] > 0)
      for (let a = 0; a < 3; a++) g[a] += raw[3 * j + a];
  }
  const length = hypot(g[0], g[1], g[2]);
  for (let a = 0; a < 3; a++) out[3 * i + a] = g[a] / length;
}

const isZero = (n: Float64Array, i: number) => n[3 * i] === 0 && n[3 * i + 1] === 0 && n[3 * i + 2] === 0;
