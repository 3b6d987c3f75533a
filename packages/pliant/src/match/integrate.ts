import type { Body } from '../body/body.js';
import type { IntegrateParameters } from '../kernels/kernels.js';
import type { World } from '../world.js';

/** Filled in for one body after the other: a step allocates nothing. */
const parameters = { rigid: false, forces: false, bent: false, lawful: false } as IntegrateParameters;

/** Particles blend the goals of their clusters; v and x advance (SPEC M7). */
export function integrate({ kernels, h, gravity, maxSpeed }: World, body: Body): void {
  const { particleStart, particleEnd, clusterStart, clusterEnd } = body.rows;
  parameters.clusterStart = clusterStart;
  parameters.clusterEnd = clusterEnd;
  parameters.h = h;
  parameters.gravityX = gravity[0];
  parameters.gravityY = gravity[1];
  parameters.gravityZ = gravity[2];
  const { drag, damping, law } = body.core;
  // Less by the damping of the body as a whole: the motions of clusters are fitted to velocities before it.
  parameters.damping = damping * (1 - drag.share);
  parameters.drag = drag;
  parameters.rigid = body.material.dampingMode === 'rigid';
  parameters.maxSpeed = maxSpeed;
  parameters.forces = body.core.hasForces;
  parameters.lawful = law !== undefined;
  parameters.bent = body.material.mode === 'quadratic';
  kernels.integrateParticles(particleStart, particleEnd, parameters);
  drag.share = 0;
  drag.stand.fill(0);
}

/** After the integration. Forces act through all substeps of one step. */
export function endForces({ state, core }: World, body: Body): void {
  if (!body.core.hasForces) return;
  const { particleStart, particleEnd } = body.rows;
  const { stepForces } = body.core;
  if (core.substepsLeft > 1) {
    if (stepForces) state.views.force.set(stepForces, 4 * particleStart);
    return;
  }
  state.views.force.fill(0, 4 * particleStart, 4 * particleEnd);
  body.core.hasForces = false;
  body.core.stepForces = undefined;
}
