import type { Body } from '../body/body.js';
import { Match } from '../kernels/kernels.js';
import { goalsOf } from '../match/match.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { World } from '../world.js';
import { levelsByParticle } from './sumParticles.js';

/**
 * Fits the coarser levels of a body from fine to coarse, and blends their goals into those of the clusters from coarse
 * to fine ([K20] algorithms 2 and 3, SPEC L1). All later stages see clusters only: integration, strain limit, fracture
 * and contact are those of level 0.
 */
export function levels(world: World, body: Body): void {
  const {
    rows,
    material,
    core: { levelStrengths, ownLevels },
  } = body;
  if (!levelStrengths || body.core.levelCount === 1) return;
  const mode =
    goalsOf(body) |
    (material.inversion === 'mirror' ? Match.REFLECT : 0) |
    (body.core.damping > 0 ? (material.dampingMode === 'rigid' ? Match.RIGID_MOTION : Match.LINEAR_MOTION) : 0);
  if (ownLevels) {
    levelsByParticle(world, body, ownLevels, mode);
    return;
  }
  const { kernels, state } = world;
  body.core.fittedVersion = body.topologyVersion;
  kernels.sumLevels(rows, mode);
  kernels.blendLevels(rows, mode, levelStrengths.pull[0], levelStrengths.drag[0]);
  if (material.mode === 'quadratic') scaleBend(state.views, rows, levelStrengths.pull[0]);
}

/**
 * Scales the bend of the finest level by its share, because coarse clusters are rigid. The shift of the goals' centre
 * by the bend is scaled with it.
 */
function scaleBend({ bend, bendRest, transform }: Views, { clusterStart, clusterEnd }: Rows, share: number): void {
  for (let c = clusterStart; c < clusterEnd; c++)
    for (let k = 0; k < 24; k += 4)
      for (let a = 0; a < 3; a++) {
        bend[24 * c + k + a] *= share;
        transform[20 * c + 12 + a] -= bend[24 * c + k + a] * bendRest[24 * c + k / 4];
      }
}
