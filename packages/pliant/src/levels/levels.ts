import type { Body } from '../body/body.js';
import { Match } from '../kernels/kernels.js';
import { goalsOf } from '../match/match.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { World } from '../world.js';
import { levelsByParticle } from './sumParticles.js';

/**
 * The coarser levels of a body ([K20] algorithms 2 and 3, SPEC L1): fitted fine to coarse, their goals blended into those of the clusters coarse to
 * fine. Everything after it knows clusters only; integration, limiting, fracture and contact are those of level 0.
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

/** Coarse clusters are rigid: what bends the goals of the finest level counts by its share, and what the bend shifts their centre by with it. */
function scaleBend({ bend, bendRest, transform }: Views, { clusterStart, clusterEnd }: Rows, share: number): void {
  for (let c = clusterStart; c < clusterEnd; c++)
    for (let k = 0; k < 24; k += 4)
      for (let a = 0; a < 3; a++) {
        bend[24 * c + k + a] *= share;
        transform[20 * c + 12 + a] -= bend[24 * c + k + a] * bendRest[24 * c + k / 4];
      }
}
