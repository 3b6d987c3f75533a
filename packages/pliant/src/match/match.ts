import type { Body } from '../body/body.js';
import { Match } from '../kernels/kernels.js';
import type { World } from '../world.js';

/** Fits every cluster of a body to where its particles are at the start of the step. */
export function match({ kernels }: World, body: Body): void {
  kernels.matchClusters(body.rows.clusterStart, body.rows.clusterEnd, modeOf(body));
}

/** Updates the shares with which the clusters of a body with an elastic law pull in this step, and its damping. */
export function applyLaw(world: World, body: Body): void {
  const { law } = body.core;
  if (!law) return;
  judgeLaw(world.state, body, world.h);
  // No stage of a body without levels reads α of its particles: it is written in the last substep.
  const writesAll = world.core.substepsLeft === 1 || body.core.levelCount > 1;
  // Snapshots share constants while the revision stays, and α is one.
  if (law.pull(world.state.views, body.rows, world.h, writesAll)) world.state.revision++;
}

/** Decides whether a body with an elastic law is rigid in substeps of h seconds: at the start of each, and when the body wakes within it. */
export function judgeLaw(state: World['state'], body: Body, h: number): void {
  const { law, yields, breaks, levelCount } = body.core;
  law?.look({ state }, body);
  law?.judge(state.views, body.rows, h, !yields && !breaks && levelCount === 1);
}

/**
 * The results that the fit must compute beside centre and rotation, for the damping, the limit and the flow that
 * follow.
 */
function modeOf(body: Body): number {
  const {
    material,
    core: { yields, breaks, damping },
  } = body;
  const { inversion, dampingMode, limit } = material;
  return (
    goalsOf(body) |
    (body.core.law ? Match.STRESS : 0) |
    (inversion === 'mirror' ? Match.REFLECT : 0) |
    (damping > 0 ? (dampingMode === 'rigid' ? Match.RIGID_MOTION : Match.LINEAR_MOTION) : 0) |
    (limit.iterations > 0 && limit.mode === 'conserving' ? Match.INERTIA : 0) |
    (yields || breaks ? Match.ELASTIC : 0) |
    (body.core.levelCount > 1 && !body.core.ownLevels ? Match.SUMS : 0)
  );
}

/**
 * The flags that select goals: which rotation, whether with a flowed rest shape, and whether they follow the
 * deformation. match and the limit use the same.
 */
export function goalsOf({ material, core: { history } }: Body): number {
  return (
    (material.law ? Match.METRIC : material.rotation === 'covariance' ? Match.COVARIANCE : 0) |
    (history.flowed ? Match.PLASTIC : 0) |
    (material.mode === 'rigid' ? 0 : Match.SOFT)
  );
}
