import { FIELDS, Row, Symmetric, TRANSFORM_ROW, Transform } from '../../state/fields.js';
import { Flag } from '../../state/flags.js';
import type { Views } from '../../state/layout.js';
import { bendInto } from './integrate.js';

const d = new Float64Array(3);
const sum = new Float64Array(3);
const bent = new Float64Array(3);
const { TURN } = FIELDS.correction;
const { XX, YY, ZZ, XY, XZ, YZ } = Symmetric;

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
      x[Row.x * i + a] +
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
    const e = Row.oldCentre * c;
    let [tx, ty, tz, lx, ly, lz] = [0, 0, 0, 0, 0, 0];
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
      const i = memberParticle[k];
      const [m, o] = [Row.member * k, Row.xOld * i];
      if (!correctionOf(s, i, c, member[m], member[m + 1], member[m + 2], isBent)) continue;
      asking++;
      const mw = member[m + FIELDS.member.MASS];
      const rx = xOld[o] - oldCentre[e];
      const ry = xOld[o + 1] - oldCentre[e + 1];
      const rz = xOld[o + 2] - oldCentre[e + 2];
      tx += mw * d[0];
      ty += mw * d[1];
      tz += mw * d[2];
      lx += mw * (ry * d[2] - rz * d[1]);
      ly += mw * (rz * d[0] - rx * d[2]);
      lz += mw * (rx * d[1] - ry * d[0]);
    }
    const mass = s.clusterMass[c];
    const t = Row.correction * c;
    correction[t] = tx / mass;
    correction[t + 1] = ty / mass;
    correction[t + 2] = tz / mass;
    const o = Row.inertiaInverse * c;
    correction[t + TURN] = q[o + XX] * lx + q[o + XY] * ly + q[o + XZ] * lz;
    correction[t + TURN + 1] = q[o + XY] * lx + q[o + YY] * ly + q[o + YZ] * lz;
    correction[t + TURN + 2] = q[o + XZ] * lx + q[o + YZ] * ly + q[o + ZZ] * lz;
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
    const o = Row.x * i;
    sum.fill(0);
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++) {
      const c = s.linkCluster[k];
      const l = Row.link * k;
      const w = link[l + FIELDS.link.WEIGHT];
      if (correctionOf(s, i, c, link[l], link[l + 1], link[l + 2], isBent))
        for (let a = 0; a < 3; a++) sum[a] += w * d[a];
      if (!conserving) continue;
      const [t, e] = [Row.correction * c, Row.oldCentre * c];
      const rx = xOld[o] - oldCentre[e];
      const ry = xOld[o + 1] - oldCentre[e + 1];
      const rz = xOld[o + 2] - oldCentre[e + 2];
      const [wx, wy, wz] = [correction[t + TURN], correction[t + TURN + 1], correction[t + TURN + 2]];
      sum[0] -= w * (correction[t] + wy * rz - wz * ry);
      sum[1] -= w * (correction[t + 1] + wz * rx - wx * rz);
      sum[2] -= w * (correction[t + 2] + wx * ry - wy * rx);
    }
    let changed = false;
    for (let a = 0; a < 3; a++) {
      const before = x[o + a];
      x[o + a] += omega * sum[a];
      changed ||= x[o + a] !== before;
    }
    if (changed) moved++;
  }
  return moved;
}
