import type { Clustering } from '../cluster/index.js';
import { clusterRates, stiffestOf } from '../material/elasticLaw.js';

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
  const stiffest = stiffestOf(clusterRates(clustering, positions, masses, modulus, beta));
  const reached = 1 / (stiffest * SUBSTEP * SUBSTEP);
  // Once they are wider than they would have to be for accuracy, they are so until the modulus is met.
  if (!(reached < (widened ? 1 : KEEP))) return clustering.count;
  return Math.max(1, Math.min(clustering.count - 1, Math.floor(clustering.count * reached * Math.sqrt(reached))));
}
