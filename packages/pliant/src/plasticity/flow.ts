import type { Body } from '../body/body.js';
import { flowLevels, measureFlow, watchFlow } from '../levels/flow.js';
import type { World } from '../world.js';

/**
 * Clusters that match found beyond their yield take part of their elastic deformation over into their rest shape (SPEC P1). What the
 * goals and the limit of this step used was the old one. Bodies that cannot yield are not even looked at.
 */
export function flow({ kernels, state }: World, body: Body): void {
  if (!body.core.yields) return;
  const { flowRate, hardening, flowMode } = body.material;
  const {
    rows,
    core: { levelCount },
  } = body;
  if (levelCount > 1) watchFlow(state.views, rows);
  if (kernels.flowClusters(rows.clusterStart, rows.clusterEnd, flowRate, hardening, flowMode === 'dissipative') === 0)
    return;
  body.core.history.noteFlow();
  if (levelCount === 1) return;
  measureFlow(state.views, rows);
  // Coarse clusters that fracture has just rearranged were not fitted yet: they go on with the next step.
  if (body.core.fittedVersion === body.topologyVersion) flowLevels(state.views, body);
}
