import type { Body } from '../body/body.js';
import { Match } from '../kernels/kernels.js';
import type { World } from '../world.js';

/** Fits every cluster of a body to where its particles are at the start of the step. */
export function match({ kernels }: World, { rows, material }: Body): void {
  kernels.matchClusters(rows.clusterStart, rows.clusterEnd, modeOf(material));
}

/** What the fit must bring beside centre and rotation, for the damping and the limit that follow. */
function modeOf({ rotation, inversion, damping, dampingMode, limit }: Body['material']): number {
  return (
    (rotation === 'covariance' ? Match.COVARIANCE : 0) |
    (inversion === 'mirror' ? Match.REFLECT : 0) |
    (damping > 0 ? (dampingMode === 'rigid' ? Match.RIGID_MOTION : Match.LINEAR_MOTION) : 0) |
    (limit.iterations > 0 && limit.mode === 'conserving' ? Match.INERTIA : 0)
  );
}
