import type { Body } from '../body/body.js';
import { flowLevels, measureFlow, watchFlow } from '../levels/flow.js';
import { identityInto } from '../math/mat3.js';
import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';

/**
 * Clusters that match found beyond their yield take part of their elastic deformation over into their rest shape (SPEC P1). What the
 * goals and the limit of this step used was the old one. Bodies that cannot yield are not even looked at.
 */
export function flow({ kernels, state }: World, body: Body): void {
  if (!body.yields) return;
  const { flowRate, hardening, flowMode } = body.material;
  const { rows, levelCount } = body;
  if (levelCount > 1) watchFlow(state.views, rows);
  if (kernels.flowClusters(rows.clusterStart, rows.clusterEnd, flowRate, hardening, flowMode === 'dissipative') === 0)
    return;
  body.hasFlowed = true;
  if (levelCount === 1) return;
  measureFlow(state.views, rows);
  // Coarse clusters that fracture has just rearranged were not fitted yet: they go on with the next step.
  if (body.fittedVersion === body.topologyVersion) flowLevels(state.views, body);
}

type Clusters = Pick<Rows, 'clusterStart' | 'clusterEnd'>;

/** The rest shape as it was built: F^p = I, α_c = 0. */
export function clearFlow(s: Views, { clusterStart, clusterEnd }: Clusters): void {
  for (let c = clusterStart; c < clusterEnd; c++) identityInto(s.plastic.subarray(9 * c, 9 * c + 9));
  s.plasticStrain.fill(0, clusterStart, clusterEnd);
  s.hardened.fill(0, clusterStart, clusterEnd);
}

/**
 * Yield of every cluster: the mean of its members' by m·w. A cluster flows as a whole, so that a member that never yields keeps all of
 * it from it: the mean is infinite then.
 */
export function setClusterYield(s: Views, { clusterStart, clusterEnd }: Clusters): void {
  for (let c = clusterStart; c < clusterEnd; c++) {
    let sum = 0;
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
      const mw = s.member[4 * k + 3];
      if (mw > 0) sum += mw * s.yieldLimit[s.memberParticle[k]];
    }
    s.clusterYield[c] = sum / s.clusterMass[c];
  }
}

/** Whether any cluster can yield. */
export function canYield(s: Views, { clusterStart, clusterEnd }: Clusters): boolean {
  return s.clusterYield.subarray(clusterStart, clusterEnd).some(Number.isFinite);
}
