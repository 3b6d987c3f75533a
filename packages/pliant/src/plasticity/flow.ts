import type { Body } from '../body/body.js';
import { flowLevels, measureFlow, watchFlow } from '../levels/flow.js';
import type { World } from '../world.js';

/**
 * Clusters that match found beyond their yield limit take part of their elastic deformation over into their rest shape
 * (SPEC P1). The goals and the strain limit of this step used the old rest shape. Bodies that cannot yield return at
 * once.
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
  // Coarse clusters that fracture has rearranged in this step were not fitted yet: they flow in the next step.
  if (body.core.fittedVersion === body.topologyVersion) flowLevels(state.views, body);
}
