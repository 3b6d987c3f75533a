import type { Body } from '../body/body.js';
import { flowLevels, measureFlow, watchFlow } from '../levels/flow.js';
import { exp } from '../math/elementary.js';
import type { World } from '../world.js';

/**
 * Clusters that match found beyond their yield limit take part of their elastic deformation over into their rest shape
 * (SPEC P1). The goals and the strain limit of this step used the old rest shape. Bodies that cannot yield return at
 * once.
 */
export function flow({ kernels, state, h }: World, body: Body): void {
  if (!body.core.yields) return;
  const { law } = body.material;
  // Strain beyond the yield decays as e^(−t/flowTime).
  const flowRate = law ? flowShare(law.flowTime, h) : body.material.flowRate;
  const { hardening } = law ?? body.material;
  const dissipative = law !== undefined || body.material.flowMode === 'dissipative';
  const {
    rows,
    core: { levelCount },
  } = body;
  if (levelCount > 1) watchFlow(state.views, rows);
  const { clusterStart, clusterEnd } = rows;
  if (kernels.flowClusters(clusterStart, clusterEnd, flowRate, hardening, dissipative, law !== undefined) === 0) return;
  body.core.history.noteFlow();
  if (levelCount === 1) return;
  measureFlow(state.views, rows);
  // Coarse clusters that fracture has rearranged in this step were not fitted yet: they flow in the next step.
  if (body.core.fittedVersion === body.topologyVersion) flowLevels(state.views, body);
}

const flowShare = (flowTime: number, h: number): number => (flowTime > 0 ? 1 - exp(-h / flowTime) : 1);
