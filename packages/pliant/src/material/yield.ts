import { identityInto } from '../math/mat3.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

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
    const last = s.memberStart[c + 1];
    for (let k = s.memberStart[c]; k < last && sum < Number.POSITIVE_INFINITY; k++) {
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
