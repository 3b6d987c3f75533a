import type { Body } from '../body/body.js';
import { Match } from '../kernels/kernels.js';
import { goalsOf } from '../match/match.js';
import type { World } from '../world.js';

/**
 * The coarser levels of a body ([K20] algorithms 2 and 3, SPEC L1): fitted fine to coarse, their goals blended into those of the clusters coarse to
 * fine. Everything after it knows clusters only; integration, limiting, fracture and contact are those of level 0.
 */
export function levels({ kernels, state: { views } }: World, body: Body): void {
  const { shares, rows, material } = body;
  if (!shares || rows.coarseStart === rows.coarseEnd) return;
  const mode =
    goalsOf(body) |
    (material.inversion === 'mirror' ? Match.REFLECT : 0) |
    (body.damping > 0 ? (material.dampingMode === 'rigid' ? Match.RIGID_MOTION : Match.LINEAR_MOTION) : 0);
  body.fittedVersion = body.topologyVersion;
  kernels.sumLevels(rows, mode);
  kernels.spreadLevels(rows, mode, shares.pull[0], shares.drag[0]);
  // Coarse clusters are rigid: what bends the goals of the finest level has its share alone.
  if (material.mode === 'quadratic')
    for (let k = 24 * rows.clusterStart; k < 24 * rows.clusterEnd; k++) views.bend[k] *= shares.pull[0];
}
