import { TRANSFORM_ROW, Transform } from '../../state/fields.js';
import { Flag } from '../../state/flags.js';
import type { Views } from '../../state/layout.js';
import { bendInto } from './integrate.js';

const d = new Float64Array(3);
const sum = new Float64Array(3);
const bent = new Float64Array(3);

/**
 * d := the correction that one membership needs: the vector to the limit sphere of radius γ·width around the goal, or
 * none inside it (SPEC M8). Returns whether there is one.
 */
function correctionOf(s: Views, i: number, c: number, px: number, py: number, pz: number, isBent = false): boolean {
  const { x, transform } = s;
  const t = TRANSFORM_ROW * c;
  if (isBent) bendInto(bent, s, c, px, py, pz);
  for (let a = 0; a < 3; a++)
    d[a] =
      transform[t + Transform.ORIGIN + a] -
      x[4 * i + a] +
      transform[t + Transform.CENTRE + a] +
      transform[t + a] * px +
      transform[t + Transform.Y + a] * py +
      transform[t + Transform.Z + a] * pz +
      (isBent ? bent[a] : 0);
  const distance = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  if (!(distance > s.limit[c])) return false;
  const share = 1 - s.limit[c] / distance;
  for (let a = 0; a < 3; a++) d[a] *= share;
  return true;
}

/**
 * SPEC M10. A sweep would shift cluster c by t = Σ m w d / Σ m w and turn it. Both violate the conservation of momentum
 * and are subtracted. After the sweep v = (x − xOld)/h, so the angular momentum is Σ m xOld × (x − xOld)/h: the lever
 * arm of a correction is the *old* position. With θ = I_old⁻¹ Σ m w (xOld − x̄_old) × d, the field
 * d − t − θ × (xOld − x̄_old) carries neither momentum.
 */
export function limitClusters(s: Views, start: number, end: number, isBent?: boolean): number {
  const { member, memberParticle, xOld, oldCentre, inertiaInverse: q, correction } = s;
  let asking = 0;
  for (let c = start; c < end; c++) {
    let [tx, ty, tz, lx, ly, lz] = [0, 0, 0, 0, 0, 0];
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
      const i = memberParticle[k];
      if (!correctionOf(s, i, c, member[4 * k], member[4 * k + 1], member[4 * k + 2], isBent)) continue;
      asking++;
      const mw = member[4 * k + 3];
      const rx = xOld[4 * i] - oldCentre[4 * c];
      const ry = xOld[4 * i + 1] - oldCentre[4 * c + 1];
      const rz = xOld[4 * i + 2] - oldCentre[4 * c + 2];
      tx += mw * d[0];
      ty += mw * d[1];
      tz += mw * d[2];
      lx += mw * (ry * d[2] - rz * d[1]);
      ly += mw * (rz * d[0] - rx * d[2]);
      lz += mw * (rx * d[1] - ry * d[0]);
    }
    const mass = s.clusterMass[c];
    const o = 6 * c;
    correction[8 * c] = tx / mass;
    correction[8 * c + 1] = ty / mass;
    correction[8 * c + 2] = tz / mass;
    correction[8 * c + 4] = q[o] * lx + q[o + 3] * ly + q[o + 4] * lz;
    correction[8 * c + 5] = q[o + 3] * lx + q[o + 1] * ly + q[o + 5] * lz;
    correction[8 * c + 6] = q[o + 4] * lx + q[o + 5] * ly + q[o + 2] * lz;
  }
  return asking;
}

/** One Jacobi sweep: x += ω Σ w d. Returns how many particles moved. */
export function limitParticles(
  s: Views,
  start: number,
  end: number,
  omega: number,
  conserving: boolean,
  isBent?: boolean,
): number {
  const { x, xOld, link, correction, oldCentre } = s;
  let moved = 0;
  for (let n = start; n < end; n++) {
    const i = s.gatherOrder[n];
    if (s.flags[i] & Flag.FIRM) continue;
    sum.fill(0);
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++) {
      const c = s.linkCluster[k];
      const w = link[4 * k + 3];
      if (correctionOf(s, i, c, link[4 * k], link[4 * k + 1], link[4 * k + 2], isBent))
        for (let a = 0; a < 3; a++) sum[a] += w * d[a];
      if (!conserving) continue;
      const t = 8 * c;
      const rx = xOld[4 * i] - oldCentre[4 * c];
      const ry = xOld[4 * i + 1] - oldCentre[4 * c + 1];
      const rz = xOld[4 * i + 2] - oldCentre[4 * c + 2];
      sum[0] -= w * (correction[t] + correction[t + 5] * rz - correction[t + 6] * ry);
      sum[1] -= w * (correction[t + 1] + correction[t + 6] * rx - correction[t + 4] * rz);
      sum[2] -= w * (correction[t + 2] + correction[t + 4] * ry - correction[t + 5] * rx);
    }
    let changed = false;
    for (let a = 0; a < 3; a++) {
      const before = x[4 * i + a];
      x[4 * i + a] += omega * sum[a];
      changed ||= x[4 * i + a] !== before;
    }
    if (changed) moved++;
  }
  return moved;
}
