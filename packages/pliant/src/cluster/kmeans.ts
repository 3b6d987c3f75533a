import { squared } from '../math/elementary.js';
import type { Random } from '../math/random.js';
import { buildGrid, type PointGrid, spacingOf } from '../spatial/grid.js';
import { withKernels } from '../spatial/wasm/workspace.js';
import { zOrder } from '../spatial/zOrder.js';
import { Work } from '../work.js';
import { type Assignment, PlainAssignment } from './assignment.js';
import { FastAssignment } from './fastAssignment.js';

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
  return improveCentres(body, mass, drawCentres(body, places, k, random), maxIterations, work);
}

/** The same from given centres. */
export function improveCentres(
  body: PointGrid,
  mass: Float64Array,
  centre: Float64Array,
  maxIterations: number,
  work = new Work(),
): KMeans {
  const k = centre.length / 3;
  return (
    withKernels((space) => iterate(new FastAssignment(space, body, mass, k), body, centre, maxIterations, work)) ??
    iterate(new PlainAssignment(body, mass, k), body, centre, maxIterations, work)
  );
}

function iterate(state: Assignment, body: PointGrid, centre: Float64Array, maxIterations: number, work: Work): KMeans {
  let moved = 0;
  let iterations = 0;
  let converged = false;
  while (!converged && iterations < maxIterations) {
    iterations++;
    work.tick();
    const spacing = spacingOf(centre);
    const grid = buildGrid(centre, CELL * spacing);
    if (iterations === 1) state.assignAll(grid);
    else converged = !state.reassign(grid, centre, moved, MARGIN * spacing);
    const update = updateCentres(body, state, centre);
    moved = update.moved;
    if (update.restarted) converged = false;
  }
  return { centre, iterations, converged, evaluations: state.evaluations };
}

/**
 * Moves the centres to the centres of mass and returns the largest displacement. An empty one restarts at the particle
 * farthest from its centre.
 */
function updateCentres(
  { x, y, z }: PointGrid,
  state: Assignment,
  centre: Float64Array,
): { moved: number; restarted: boolean } {
  const sum = state.sums();
  let moved2 = 0;
  let restarted = false;
  for (let c = 0; 3 * c < centre.length; c++) {
    const total = sum[4 * c + 3];
    let gx = sum[4 * c] / total;
    let gy = sum[4 * c + 1] / total;
    let gz = sum[4 * c + 2] / total;
    if (total === 0) {
      restarted = true;
      const far = state.takeFarthest();
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
