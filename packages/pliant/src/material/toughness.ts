import type { Body } from '../body/body.js';
import { exp } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

/** Toughness of every cluster: the mean of its members' by m·w, infinite if one of them never breaks. */
export function setClusterToughness(s: Views, { clusterStart, clusterEnd }: Rows): void {
  for (let c = clusterStart; c < clusterEnd; c++) {
    let sum = 0;
    const last = s.memberStart[c + 1];
    for (let k = s.memberStart[c]; k < last && sum < Number.POSITIVE_INFINITY; k++)
      sum += s.member[4 * k + 3] * s.toughness[s.memberParticle[k]];
    s.clusterToughness[c] = Math.fround(sum / s.clusterMass[c]) * s.toughnessFactor[c];
  }
}

/** τ = τ₀ (1 + τ_b e^(−τ_f t)), t since the cluster last split; one that never did is as it was made. */
export function toughnessOf(
  { clusterToughness, sinceSplit }: Views,
  { fracture: { boost, falloff } }: Body,
  c: number,
): number {
  return clusterToughness[c] * (1 + (boost > 0 ? boost * exp(-falloff * sinceSplit[c]) : 0));
}

/** Whether any cluster can break. */
export function canBreak(s: Views, { clusterStart, clusterEnd }: Rows): boolean {
  return s.clusterToughness.subarray(clusterStart, clusterEnd).some(Number.isFinite);
}
