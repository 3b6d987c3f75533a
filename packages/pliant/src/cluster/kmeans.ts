import { squared } from '../math/elementary.js';
import type { Random } from '../math/random.js';
import { Scratch } from '../scratch.js';
import { ball, buildGrid, newNeighbourList, type PointGrid, spacingOf } from '../spatial/grid.js';
import { type Nearest, nearestInto } from '../spatial/nearest.js';
import { zOrder } from '../spatial/zOrder.js';
import { Work } from '../work.js';

export interface KMeans {
  /** Three coordinates per centre. */
  centre: Float64Array;
  iterations: number;
  /** No assignment changed in the last iteration. */
  converged: boolean;
  /** Distances computed. */
  evaluations: number;
}

/**
 * Distance beyond twice that of its own centre up to which a particle looks at other centres, in spacings of the centres: a
 * small one costs searches, a large one costs distances.
 */
const MARGIN = 0.1;

/**
 * Side of a cell of the centres' grid, in their spacing. The spacing is that of the whole box: a body that fills a
 * tenth of it has ten centres in such a cell.
 */
const CELL = 0.7;

/** Number of particles from which on the order of the centres matters: smaller bodies fit into the cache of a core. */
const MANY = 32768;

/**
 * k-means by Lloyd's two steps ([J15] 3.3), from k different particles drawn at random: every particle is assigned to
 * the nearest centre, every centre moves to the centre of mass of its particles, until no assignment changes.
 *
 * For each particle a lower bound of the distance to all other centres is kept. The largest displacement of a centre is
 * subtracted from it in each iteration. While the distance to the own centre is below the bound, one distance is enough
 * (Hamerly 2010, "Making k-means even faster"). Otherwise centres within twice its distance from its own centre are tried
 * (the annulus of Newling & Fleuret 2016, "Fast k-means with accurate bounds"): they are listed once for each centre, sorted.
 *
 * `body` holds the particles in cell order, `mass` is in that order too. `places` are the candidates for the first
 * centres, in cell order, at pairwise different positions, at least k of them.
 */
export function kmeans(
  body: PointGrid,
  mass: Float64Array,
  places: Uint32Array,
  k: number,
  random: Random,
  maxIterations: number,
  work = new Work(),
): KMeans {
  const centre = drawCentres(body, places, k, random);
  const state: Assignment = {
    body,
    centre,
    owner: new Uint32Array(body.count).fill(k),
    distance: new Float64Array(body.count),
    othersBeyond: new Float64Array(body.count),
    evaluations: 0,
  };
  const around = new Around(k);
  let moved = 0;
  let iterations = 0;
  let converged = false;
  while (!converged && iterations < maxIterations) {
    iterations++;
    work.tick();
    const spacing = spacingOf(centre);
    const grid = buildGrid(centre, CELL * spacing);
    converged = iterations === 1 ? !assignAll(state, grid) : !reassign(state, grid, around, moved, MARGIN * spacing);
    state.evaluations += grid.evaluations;
    const update = updateCentres(body, mass, state.owner, state.distance, centre);
    moved = update.moved;
    if (update.restarted) converged = false;
  }
  return { centre, iterations, converged, evaluations: state.evaluations };
}

/** The assignment of particles to centres, and what is known of their distances. */
interface Assignment {
  body: PointGrid;
  centre: Float64Array;
  /** Centre of each particle. */
  owner: Uint32Array;
  /** Distance from it. */
  distance: Float64Array;
  /** Lower bound of the distance from all others. */
  othersBeyond: Float64Array;
  evaluations: number;
}

const found: Nearest = { index: -1, distance: 0, othersBeyond: 0 };

/** The first assignment. Returns whether it changed anything, which it does. */
function assignAll({ body, owner, distance, othersBeyond }: Assignment, grid: PointGrid): boolean {
  const { x, y, z, count } = body;
  found.index = -1;
  for (let i = 0; i < count; i++) {
    // The centre of the neighbour in cell order is a good guess.
    nearestInto(found, grid, x[i], y[i], z[i], found.index);
    owner[i] = grid.order[found.index];
    distance[i] = found.distance;
    othersBeyond[i] = found.othersBeyond;
  }
  return true;
}

/** Largest number of centres in one list. A centre with more around it has particles far off, which search the grid. */
const MOST_AROUND = 256;

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

/** Assigns every particle to its nearest centre, after centres have moved by at most `moved`. Returns whether any changed. */
function reassign(state: Assignment, grid: PointGrid, around: Around, moved: number, margin: number): boolean {
  const { body, centre, owner, distance, othersBeyond } = state;
  const { x, y, z, count } = body;
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
  state.evaluations += count;
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
  return changed;
}
const unsureRoom = new Scratch();
const rankRoom = new Scratch();

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

/**
 * Moves the centres to the centres of mass and returns the largest displacement. An empty one restarts at the particle
 * farthest from its centre.
 */
function updateCentres(
  { x, y, z, count }: PointGrid,
  mass: Float64Array,
  owner: Uint32Array,
  distance: Float64Array,
  centre: Float64Array,
): { moved: number; restarted: boolean } {
  const k = centre.length / 3;
  const sum = new Float64Array(4 * k);
  for (let i = 0; i < count; i++) {
    const s = 4 * owner[i];
    sum[s] += mass[i] * x[i];
    sum[s + 1] += mass[i] * y[i];
    sum[s + 2] += mass[i] * z[i];
    sum[s + 3] += mass[i];
  }
  let moved2 = 0;
  let restarted = false;
  for (let c = 0; c < k; c++) {
    const total = sum[4 * c + 3];
    let gx = sum[4 * c] / total;
    let gy = sum[4 * c + 1] / total;
    let gz = sum[4 * c + 2] / total;
    if (total === 0) {
      restarted = true;
      const far = distance.reduce((best, d, i) => (d > distance[best] ? i : best), 0);
      distance[far] = 0;
      gx = x[far];
      gy = y[far];
      gz = z[far];
    }
    const way2 = squared(gx - centre[3 * c]) + squared(gy - centre[3 * c + 1]) + squared(gz - centre[3 * c + 2]);
    moved2 = Math.max(moved2, way2);
    centre[3 * c] = gx;
    centre[3 * c + 1] = gy;
    centre[3 * c + 2] = gz;
  }
  return { moved: Math.sqrt(moved2), restarted };
}

/** k different ones of the `places`, by the first k steps of a Fisher–Yates shuffle. */
function drawCentres(body: PointGrid, places: Uint32Array, k: number, random: Random): Float64Array {
  const pool = places.slice();
  const centre = new Float64Array(3 * k);
  for (let c = 0; c < k; c++) {
    const pick = c + Math.floor(random() * (pool.length - c));
    const i = pool[pick];
    pool[pick] = pool[c];
    pool[c] = i;
    centre.set([body.x[i], body.y[i], body.z[i]], 3 * c);
  }
  return body.count < MANY ? centre : alongCurve(centre);
}

/**
 * Sorts centres so that neighbours in space are near in number. 8192 clusters of 125 000 particles took three quarters
 * of the time.
 */
function alongCurve(centre: Float64Array): Float64Array {
  const sorted = new Float64Array(centre.length);
  zOrder(centre).forEach((c, n) => {
    sorted.set(centre.subarray(3 * c, 3 * c + 3), 3 * n);
  });
  return sorted;
}
