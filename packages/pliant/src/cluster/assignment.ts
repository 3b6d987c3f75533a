import { squared } from '../math/elementary.js';
import { Scratch } from '../scratch.js';
import { ball, newNeighbourList, type PointGrid } from '../spatial/grid.js';
import { type Nearest, nearestInto } from '../spatial/nearest.js';

/** The assignment of particles to centres, and what is known of their distances. */
export interface Assignment {
  /** Distances computed. */
  readonly evaluations: number;
  /** Assigns every particle for the first time. */
  assignAll(grid: PointGrid): void;
  /** Assigns every particle to its nearest centre, after centres have moved by at most `moved`. Returns whether any changed. */
  reassign(grid: PointGrid, centre: Float64Array, moved: number, margin: number): boolean;
  /** Σ m x, Σ m y, Σ m z and Σ m of each centre's particles. */
  sums(): Float64Array;
  /** The particle farthest from its centre, which counts as near from then on. */
  takeFarthest(): number;
}

const found: Nearest = { index: -1, distance: 0, othersBeyond: 0 };

/** The plain form. `body` holds the particles in cell order, `mass` is in that order too. */
export class PlainAssignment implements Assignment {
  evaluations = 0;
  /** Centre of each particle. */
  private readonly owner: Uint32Array;
  /** Distance from it. */
  private readonly distance: Float64Array;
  /** Lower bound of the distance from all others. */
  private readonly othersBeyond: Float64Array;
  private readonly around: Around;

  constructor(
    private readonly body: PointGrid,
    private readonly mass: Float64Array,
    private readonly centres: number,
  ) {
    this.owner = new Uint32Array(body.count);
    this.distance = new Float64Array(body.count);
    this.othersBeyond = new Float64Array(body.count);
    this.around = new Around(centres);
  }

  assignAll(grid: PointGrid): void {
    const { owner, distance, othersBeyond } = this;
    const { x, y, z, count } = this.body;
    found.index = -1;
    for (let i = 0; i < count; i++) {
      // The centre of the neighbour in cell order is a good guess.
      nearestInto(found, grid, x[i], y[i], z[i], found.index);
      owner[i] = grid.order[found.index];
      distance[i] = found.distance;
      othersBeyond[i] = found.othersBeyond;
    }
    this.evaluations += grid.evaluations;
  }

  reassign(grid: PointGrid, centre: Float64Array, moved: number, margin: number): boolean {
    const { owner, distance, othersBeyond, around } = this;
    const { x, y, z, count } = this.body;
    const { reach } = around;
    const unsure = unsureRoom.take(count);
    let searches = 0;
    reach.fill(-1);
    for (let i = 0; i < count; i++) {
      const c = owner[i];
      const dx = x[i] - centre[3 * c];
      const dy = y[i] - centre[3 * c + 1];
      const dz = z[i] - centre[3 * c + 2];
      const d = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const bound = othersBeyond[i] - moved;
      distance[i] = d;
      othersBeyond[i] = bound;
      if (d < bound) continue;
      unsure[searches++] = i;
      if (2 * d + margin > reach[c]) reach[c] = 2 * d + margin;
    }
    around.find(grid, centre);
    const rank = rankRoom.take(grid.count);
    for (let j = 0; j < grid.count; j++) rank[grid.order[j]] = j;
    let changed = false;
    for (let n = 0; n < searches; n++) {
      const i = unsure[n];
      const c = owner[i];
      if (around.start[c] === around.end[c]) nearestInto(found, grid, x[i], y[i], z[i], rank[c], margin);
      else searchAround(around, grid, c, rank[c], x[i], y[i], z[i], distance[i], margin);
      owner[i] = grid.order[found.index];
      distance[i] = found.distance;
      othersBeyond[i] = found.othersBeyond;
      if (owner[i] !== c) changed = true;
    }
    this.evaluations += count + grid.evaluations;
    return changed;
  }

  sums(): Float64Array {
    const { owner, mass } = this;
    const { x, y, z, count } = this.body;
    const sum = new Float64Array(4 * this.centres);
    for (let i = 0; i < count; i++) {
      const s = 4 * owner[i];
      sum[s] += mass[i] * x[i];
      sum[s + 1] += mass[i] * y[i];
      sum[s + 2] += mass[i] * z[i];
      sum[s + 3] += mass[i];
    }
    return sum;
  }

  takeFarthest(): number {
    return takeFarthest(this.distance);
  }
}
const unsureRoom = new Scratch();
const rankRoom = new Scratch();

/** The place of the largest distance, which becomes 0. */
export function takeFarthest(distance: Float64Array): number {
  const far = distance.reduce((best, d, i) => (d > distance[best] ? i : best), 0);
  distance[far] = 0;
  return far;
}

/** Largest number of centres in one list. A centre with more around it has particles far off, which search the grid. */
export const MOST_AROUND = 256;

/** For each centre the others around it, nearest first. */
class Around {
  /** Ranks of centres, which are their numbers in the cell order of the grid, and their distances from the own one. */
  readonly list = newNeighbourList(1024);
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** How far each centre looked; −1 if nobody asked. */
  readonly reach: Float64Array;

  constructor(centres: number) {
    this.start = new Uint32Array(centres);
    this.end = new Uint32Array(centres);
    this.reach = new Float64Array(centres);
  }

  /** Lists the centres within `reach` of each that has one above 0. */
  find(grid: PointGrid, centre: Float64Array): void {
    const { list, start, end, reach } = this;
    let at = 0;
    for (let c = 0; c < reach.length; c++) {
      start[c] = end[c] = at;
      if (reach[c] < 0) continue;
      at = ball(grid, centre[3 * c], centre[3 * c + 1], centre[3 * c + 2], reach[c], list, at);
      if (at - start[c] > MOST_AROUND) at = start[c];
      else this.sort(start[c], at);
      end[c] = at;
    }
  }

  private sort(first: number, last: number): void {
    const { index, distance2 } = this.list;
    for (let k = first + 1; k < last; k++) {
      const j = index[k];
      const d2 = distance2[k];
      let m = k;
      for (; m > first && distance2[m - 1] > d2; m--) {
        index[m] = index[m - 1];
        distance2[m] = distance2[m - 1];
      }
      index[m] = j;
      distance2[m] = d2;
    }
    for (let k = first; k < last; k++) distance2[k] = Math.sqrt(distance2[k]);
  }
}

/**
 * Writes the centre nearest to a particle into `found`, as nearestInto does: the own one unless another is strictly nearer,
 * of equally near others the first of the grid. `d` is the distance from the own centre c, of rank `own`.
 */
function searchAround(
  { list, start, end, reach }: Around,
  grid: PointGrid,
  c: number,
  own: number,
  px: number,
  py: number,
  pz: number,
  d: number,
  margin: number,
): void {
  const { x, y, z } = grid;
  const { index, distance2: apart } = list;
  // nearestInto compares with the square of the rounded root, which may be above the squared distance of the own centre.
  const own2 = squared(x[own] - px) + squared(y[own] - py) + squared(z[own] - pz);
  let best = own;
  let best2 = d * d;
  let first = -1;
  if (own2 < best2) {
    best2 = own2;
    first = own;
  }
  let second2 = Number.POSITIVE_INFINITY;
  let beyond = reach[c];
  const last = end[c];
  let k = start[c];
  for (; k < last; k++) {
    // A centre this far from the own one is at least that less d away.
    if (apart[k] > 2 * d + margin) {
      beyond = apart[k];
      break;
    }
    const j = index[k];
    if (j === own) continue;
    const d2 = squared(x[j] - px) + squared(y[j] - py) + squared(z[j] - pz);
    if (d2 < best2 || (d2 === best2 && j < first)) {
      second2 = best2;
      best2 = d2;
      best = first = j;
    } else if (d2 < second2) second2 = d2;
  }
  grid.evaluations += k - start[c];
  found.index = best;
  found.distance = Math.sqrt(best2);
  found.othersBeyond = Math.min(Math.sqrt(second2), beyond - d);
}
