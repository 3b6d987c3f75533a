import type { Body } from '../body/body.js';
import { Match } from '../kernels/kernels.js';
import { goalsOf } from '../match/match.js';
import type { World } from '../world.js';

/**
 * Share of a body's memberships beyond the limit above which sweeps go over every particle. To find the particles
 * concerned first costs a third of a sweep. It saves most of a sweep while they are few: usually none, or some per cent
 * in a tear or in an impact. It saves half of one where four bunnies crash and a fifth of the memberships is beyond the
 * limit.
 */
const DENSE = 0.4;

/**
 * Limits the strain (SPEC M8). A sweep visits only clusters in which the sweep before moved a particle; sweeps end when
 * there is none. Goals are those of the integration: they follow the rest shape as it has flowed and deform as the
 * body's mode allows, so the limit acts only on deformation that the mode does not allow. The allowed distance stays γ
 * times the width that the cluster was built with.
 *
 * The last sweep does not over-relax (ω ≤ 1). Velocities follow from the positions after it: an overshoot would be taken
 * for motion, and would grow from step to step where ω > 4/3.
 */
export function limit({ kernels, state }: World, body: Body): void {
  const { rows, material } = body;
  if (material.limit.iterations === 0) return;
  const { clusterStart, clusterEnd, particleStart, particleEnd } = rows;
  const { memberStart } = state.views;
  const { mode, iterations, omega } = material.limit;
  const conserving = mode === 'conserving';
  const goals = goalsOf(body);
  const bent = material.mode === 'quadratic';
  const many = DENSE * (memberStart[clusterEnd] - memberStart[clusterStart]);
  let dense = false;
  for (let sweep = 0; sweep < iterations; sweep++) {
    const relax = sweep < iterations - 1 ? omega : Math.min(1, omega);
    // A sweep of the papers' form over all particles keeps no book of what it moved.
    const isPartial = sweep > 0 && (conserving || !dense);
    kernels.matchClusters(clusterStart, clusterEnd, goals | (isPartial ? Match.MOVED_ONLY : 0));
    if (conserving || !dense) {
      const asking = kernels.limitClusters(clusterStart, clusterEnd, conserving, bent);
      if (asking === 0) break;
      dense = asking > many;
    }
    if (kernels.limitParticles(particleStart, particleEnd, relax, conserving, dense, bent) === 0) break;
  }
}
