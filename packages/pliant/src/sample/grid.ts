import { refuse, type Vec3 } from '../check.js';
import { cbrt, squared } from '../math/elementary.js';
import { random } from '../math/random.js';
import { Work } from '../work.js';
import type { ByCount } from './blueNoiseByCount.js';
import { firstSpacing } from './firstSpacing.js';
import { searchSpacing } from './searchSpacing.js';
import type { Solid } from './solid.js';

/** A grid of points around the centre of a solid's box: centre + Q·((i + shift) ∘ spacing) for all integers i. */
export interface Lattice {
  centre: Vec3;
  spacing: Vec3;
  /** 0 puts a point on the centre, ½ puts the centre between two points. */
  shift: Vec3;
  /** Row-major rotation; none for a grid along the axes. */
  rotation?: readonly number[];
}

/**
 * The points of a cubic grid inside a solid. Points are cell centres: each stands for spacing³ of the body, and a box of
 * side 1 at spacing 0.1 gets 10 × 10 × 10 points, the outermost half a spacing below its faces. The cells are centred on
 * the bounding box.
 */
export function gridPoints(solid: Solid, spacing: number, work = new Work()): Float64Array {
  return latticePoints(solid, centredLattice(solid, [spacing, spacing, spacing]), work);
}

/** Number of grid nodes that gridPoints tests. */
export const gridNodes = (solid: Solid, spacing: number) =>
  nodesOf(solid, centredLattice(solid, [spacing, spacing, spacing]));

/** The number of cells nearest to the extent; an odd number has its middle cell on the centre. */
export function centredLattice(solid: Solid, spacing: Vec3): Lattice {
  const { min, max } = solid;
  const shift = (axis: number) =>
    Math.max(1, Math.round((max[axis] - min[axis]) / spacing[axis])) % 2 === 0 ? 0.5 : 0;
  return { centre: centreOf(solid), spacing, shift: [shift(0), shift(1), shift(2)] };
}

/** Centre of a solid's box. */
function centreOf({ min, max }: Solid): Vec3 {
  const along = (axis: number) => min[axis] + (max[axis] - min[axis]) / 2;
  return [along(0), along(1), along(2)];
}

/** Number of spacings tried for each kind of lattice. */
const TRIALS = 12;
/** The count of a tilted lattice changes by single points, so that more bisections are worthwhile. */
const TILTED_TRIALS = 40;

/** Number of stretched lattices that are tried, and the largest deviation of an axis from the mean. */
const STRETCHED = 24;
const LARGEST_STRETCH = 0.08;

/**
 * A grid with about `count` points. A body with flat sides along the axes has few possible counts (a cube: n³), so
 * several kinds of lattice are tried, the plainest first: centred cells; a point or a gap on the centre per axis;
 * spacings that differ a little between the axes; and last a lattice rotated out of every symmetry, which reaches any
 * count. The spacing returned is the cube root of a cell's volume.
 */
export function gridPointsByCount(
  solid: Solid,
  volume: number,
  count: number,
  seed: number,
  { wall, work = new Work(), path = 'sampling' }: ByCount = {},
): { positions: Float64Array; spacing: number; lattice: Lattice } {
  const ideal = firstSpacing(solid, volume, count, cbrt(volume / count), wall);
  const box = [0, 1, 2].reduce((product, a) => product * (solid.max[a] - solid.min[a]), 1);
  const most = FINEST * count * Math.max(1, box / volume);
  let effort = VISITS + VISITS_PER_POINT * count;
  const countAt = (lattice: Lattice) => {
    work.tick();
    const nodes = nodesOf(solid, lattice);
    // Such a fine lattice has too many points, or none if the body lies between two of its layers.
    if (nodes > Math.min(most, effort)) return Number.POSITIVE_INFINITY;
    effort -= nodes;
    return visit(solid, lattice);
  };
  for (const { lattice, trials } of latticeKinds(solid, seed)) {
    const { spacing, met } = searchSpacing(count, ideal, trials, (s) => countAt(lattice(s)));
    if (met) return { positions: latticePoints(solid, lattice(spacing)), spacing, lattice: lattice(spacing) };
  }
  // No solid that was tested comes here with effort left, as the counts of a rotated lattice increase one by one.
  return refuse(`${path}.count`, count, "another count, a spacing or method 'blue-noise': no grid found has that many");
}

/**
 * Largest number of lattice nodes tested in the search for a count, and the addition for each particle: a body that
 * fills a tenth of its box gets 400 trials, more than all kinds of lattice have.
 */
const VISITS = 1 << 22;
const VISITS_PER_POINT = 4000;

/**
 * Largest number of nodes of one lattice, relative to those in the body's box at the wanted count. (A rotated lattice
 * extends beyond the box: 5.2 times for a cube.)
 */
const FINEST = 64;

/** Nodes of a lattice in the box that `visit` walks through. */
export function nodesOf(solid: Solid, lattice: Lattice): number {
  const { from, to } = rangeOf(solid, lattice);
  return from.reduce((product, first, axis) => product * Math.max(0, to[axis] - first + 1), 1);
}

function* latticeKinds(
  solid: Solid,
  seed: number,
): Generator<{ lattice: (spacing: number) => Lattice; trials: number }> {
  const centre = centreOf(solid);
  yield { lattice: (s) => centredLattice(solid, [s, s, s]), trials: TRIALS };
  for (let n = 0; n < 8; n++) {
    const shift: Vec3 = [(n & 1) / 2, (n & 2) / 4, (n & 4) / 8];
    yield { lattice: (s) => ({ centre, spacing: [s, s, s], shift }), trials: TRIALS };
  }
  const next = random(seed);
  for (let n = 1; n <= STRETCHED; n++) {
    const most = (LARGEST_STRETCH * n) / STRETCHED;
    const [a, b] = [1 + most * (2 * next() - 1), 1 + most * (2 * next() - 1)];
    yield { lattice: (s) => centredLattice(solid, [s * a, s * b, s / (a * b)]), trials: TRIALS };
  }
  for (let n = 0; n < 4; n++) {
    const shift: Vec3 = [next() / 2, next() / 2, next() / 2];
    yield { lattice: (s) => ({ centre, spacing: [s, s, s], shift, rotation: TILT }), trials: TILTED_TRIALS };
  }
}

/** Rotation by the quaternion (1, 2, 3, 5) / √39: out of every symmetry of a cube, and exact up to the division. */
const TILT = [13, -26, 26, 34, 19, 2, -14, 22, 29].map((entry) => entry / 39);

/** The points of a lattice inside the solid, x fastest. */
function latticePoints(solid: Solid, lattice: Lattice, work?: Work): Float64Array {
  const found: Found = { positions: new Float64Array(3 * FIRST_POINTS) };
  const count = visit(solid, lattice, found, work);
  return found.positions.slice(0, 3 * count);
}

/** Points for which there is room at first. */
const FIRST_POINTS = 1 << 15;
/** A list that is replaced by a longer one where it is full. */
interface Found {
  positions: Float64Array;
}

/** Counts the points of a lattice inside the solid, x fastest, and lists them in `found`. */
function visit(solid: Solid, lattice: Lattice, found?: Found, work?: Work): number {
  const { inside } = solid;
  const { rotation } = lattice;
  const [sx, sy, sz] = lattice.spacing;
  const [shiftX, shiftY, shiftZ] = lattice.shift;
  const { from, to } = rangeOf(solid, lattice);
  const [cx, cy, cz] = lattice.centre;
  const [firstX, lastX] = [from[0], to[0]];
  let positions = found?.positions;
  let k = 0;
  // A thin body between two layers has no nodes, however many rows there are along the other axes.
  if (from.some((first, axis) => first > to[axis])) return 0;
  for (let c = from[2]; c <= to[2]; c++) {
    work?.tick();
    const w = (c + shiftZ) * sz;
    for (let b = from[1]; b <= to[1]; b++) {
      const v = (b + shiftY) * sy;
      for (let a = firstX; a <= lastX; a++) {
        const u = (a + shiftX) * sx;
        const x = cx + (rotation ? rotation[0] * u + rotation[1] * v + rotation[2] * w : u);
        const y = cy + (rotation ? rotation[3] * u + rotation[4] * v + rotation[5] * w : v);
        const z = cz + (rotation ? rotation[6] * u + rotation[7] * v + rotation[8] * w : w);
        if (!inside(x, y, z)) continue;
        if (positions) {
          if (k === positions.length) {
            const longer = new Float64Array(2 * k);
            longer.set(positions);
            found!.positions = positions = longer;
          }
          positions[k] = x;
          positions[k + 1] = y;
          positions[k + 2] = z;
        }
        k += 3;
      }
    }
  }
  return k / 3;
}

/** The nodes of a lattice that can lie in a solid. */
function rangeOf({ min, max }: Solid, { spacing, shift, rotation }: Lattice) {
  const half = [0, 1, 2].map((axis) => (max[axis] - min[axis]) / 2);
  // A rotated lattice has to cover the corners of the box.
  const reach = rotation ? half.map(() => Math.sqrt(squared(half[0]) + squared(half[1]) + squared(half[2]))) : half;
  const from = reach.map((r, axis) => Math.ceil(-r / spacing[axis] - shift[axis]));
  const to = reach.map((r, axis) => Math.floor(r / spacing[axis] - shift[axis]));
  return { from, to };
}
