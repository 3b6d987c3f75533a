import { FIELDS, Row } from '../../state/fields.js';
import type { Views } from '../../state/layout.js';

/**
 * Whether one of every so many clusters in [start, end) has a member that others share and that is farther from the centre of the cluster than its rest offset times a factor (`times2`: its square). Offsets
 * count as √`least2` at least (m). Clusters that fade are left out.
 */
export function hasStray(s: Views, start: number, end: number, every: number, times2: number, least2: number): boolean {
  const { member, memberParticle, memberStart, x: position } = s;
  for (let c = start; c < end; c += every) {
    if (s.fade[c] < 1) continue;
    let x = 0;
    let y = 0;
    let z = 0;
    const first = memberStart[c];
    const last = memberStart[c + 1];
    for (let k = first; k < last; k++) {
      const mw = member[Row.member * k + FIELDS.member.MASS];
      const o = Row.x * memberParticle[k];
      x += mw * position[o];
      y += mw * position[o + 1];
      z += mw * position[o + 2];
    }
    const mass = s.clusterMass[c];
    x /= mass;
    y /= mass;
    z /= mass;
    // No member this near is astray, whatever its rest offset.
    const near = times2 * least2;
    for (let k = first; k < last; k++) {
      const i = memberParticle[k];
      const dx = position[Row.x * i] - x;
      const dy = position[Row.x * i + 1] - y;
      const dz = position[Row.x * i + 2] - z;
      const d2 = dx * dx + dy * dy + dz * dz;
      if (d2 <= near) continue;
      const px = member[Row.member * k];
      const py = member[Row.member * k + 1];
      const pz = member[Row.member * k + 2];
      if (d2 > times2 * Math.max(px * px + py * py + pz * pz, least2) && isShared(s, i)) return true;
    }
  }
  return false;
}

/** Whether a particle is in more than one cluster. */
export const isShared = ({ gatherRank, linkStart }: Views, i: number) =>
  linkStart[gatherRank[i] + 1] - linkStart[gatherRank[i]] > 1;
