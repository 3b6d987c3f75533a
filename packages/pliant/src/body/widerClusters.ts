import type { Clustering } from '../cluster/index.js';
import { clusterRates, stiffestOf } from '../material/elasticLaw.js';
import { largestEigenvalue, smallestEigenvalue } from '../math/symmetric.js';

/**
 * The substep (s) for which the clusters of a body are chosen: a step of 1/60 s in 8 parts, the defaults of a world. A
 * body has the same clusters in any world.
 */
const SUBSTEP = 1 / 480;

/**
 * A body that reaches this share of its modulus keeps its clusters, and reaches all of it with twice the substeps: small clusters bend and twist
 * nearer to theory.
 */
const KEEP = 0.25;

/**
 * How many clusters to try in place of those of `clustering`, so that a body reaches the modulus that its material asks for: what a
 * cluster reaches goes with the square of its width. As many as there are, if they reach enough of it. `modulus` is E/ρ of each particle (m²/s²), `beta` that of
 * the goals. `widened`: these clusters are wider already.
 */
export function countWithinReach(
  clustering: Clustering,
  positions: Float64Array,
  masses: Float64Array,
  modulus: Float64Array,
  beta: number,
  widened: boolean,
): number {
  const reached = reachOf(clustering, positions, masses, modulus, beta);
  // Once they are wider than they would have to be for accuracy, they are so until the modulus is met.
  if (!(reached < (widened ? 1 : KEEP))) return clustering.count;
  return Math.max(1, Math.min(clustering.count - 1, Math.floor(clustering.count * reached * Math.sqrt(reached))));
}

/** Share of the modulus that the clusters reach. */
function reachOf(
  clustering: Clustering,
  positions: Float64Array,
  masses: Float64Array,
  modulus: Float64Array,
  beta: number,
): number {
  return 1 / (stiffestOf(clusterRates(clustering, positions, masses, modulus, beta)) * SUBSTEP * SUBSTEP);
}

/** Longest axis over the second longest from which on a body is slender. */
const SLENDER = 3;

/**
 * Clusters of a slender body that bend and twist right: ALONG for each thickness along it and each particle across, which is one for 0.24 L² particles of a square section (`slenderCount` in proxy/thickness.ts), as if it had THINNEST particles across at least. They
 * reach and hold as those there. A body keeps as many as long as they reach its modulus in substeps of a quarter of SUBSTEP, which is 8 in steps of 1/240 s: REACHED is the square of
 * that quarter. Bars 1 : 1 : 6 of 2 MPa and 7 to 20 particles across sag by 1.00 to 1.04 of theory and twist 1.06 to 1.09 times as fast; with 27 clusters for each thickness at any number of particles those of 14 across sag by 1.14.
 */
const BENDS = { ALONG: 4.2, THINNEST: 6.5, REACHED: 1 / 16 } as const;

/** Fewest clusters for each thickness along a slender body that is stiffer than that. */
const STRETCHES_ALONG = 2;

/**
 * A slender body of one cluster that reaches less than this share of its modulus is taken for rigid. `LawState.judge` (material/elasticLaw.ts) has it so from a quarter on, but knows the surface too, without which one cluster along a bar reaches a third as much.
 */
const RIGID = 1 / 12;

/** How many clusters a slender body of this thickness in particles needs to bend right; 0 for others. */
export function bendingCount(positions: Float64Array, thickness = 0): number {
  const slenderness = slendernessOf(positions);
  return slenderness < SLENDER ? 0 : Math.round(BENDS.ALONG * Math.max(thickness, BENDS.THINNEST) * slenderness);
}

/** Whether a slender body has its bends held right by these clusters, rather than by fewer that reach more of its modulus. */
export function keepsBends(
  clustering: Clustering,
  positions: Float64Array,
  masses: Float64Array,
  modulus: Float64Array,
  beta: number,
): boolean {
  return reachOf(clustering, positions, masses, modulus, beta) >= BENDS.REACHED;
}

/**
 * How many clusters a slender body has at least that is too stiff to bend right, where `clustering` is what `countWithinReach` ended with. One cluster along a bar reaches the modulus of a stretch but does not bend: it
 * sagged seven times too much as a cantilever (1 : 1 : 6). With two for each thickness it sags 1.5 times too much, hangs 1.3 times too long and twists 1.3 times too fast. 1 for bodies that
 * are all but rigid, which are moved as such, and for others.
 */
export function leastCount(
  clustering: Clustering,
  positions: Float64Array,
  masses: Float64Array,
  modulus: Float64Array,
  beta: number,
): number {
  const slenderness = slendernessOf(positions);
  if (slenderness < SLENDER || reachOf(clustering, positions, masses, modulus, beta) < RIGID) return 1;
  return Math.round(STRETCHES_ALONG * slenderness);
}

/** The longest axis of a body over its second longest, by the moments of its particles. */
function slendernessOf(positions: Float64Array): number {
  const n = positions.length / 3;
  const mean = [0, 0, 0];
  for (let o = 0; o < positions.length; o++) mean[o % 3] += positions[o] / n;
  // xx yy zz xy xz yz.
  const m = new Float64Array(6);
  for (let o = 0; o < positions.length; o += 3) {
    const [x, y, z] = [positions[o] - mean[0], positions[o + 1] - mean[1], positions[o + 2] - mean[2]];
    m[0] += x * x;
    m[1] += y * y;
    m[2] += z * z;
    m[3] += x * y;
    m[4] += x * z;
    m[5] += y * z;
  }
  const [most, least] = [largestEigenvalue(m, 0), smallestEigenvalue(m, 0)];
  const middle = m[0] + m[1] + m[2] - most - least;
  return middle > 0 ? Math.sqrt(most / middle) : 1;
}
