import { FIELDS, Row } from '../../state/fields.js';
import type { Views } from '../../state/layout.js';

/**
 * Sums over the members of a cluster that is a whole rigid body. r is the offset of a particle from the centre, u its velocity against that of the centre, p its rest offset;
 * `motion` is centre and velocity. out := Σ m r pᵀ by columns (9), Σ m r × u (3), Σ m p pᵀ as xx yy zz xy xz yz (6).
 */
export function sumRigid(s: Views, out: Float64Array, c: number, motion: Float64Array): void {
  const { x, v, member, memberParticle } = s;
  const [cx, cy, cz, vx, vy, vz] = motion;
  out.fill(0, 0, 18);
  for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
    const o = Row.x * memberParticle[k];
    const m = x[o + FIELDS.x.MASS];
    const [rx, ry, rz] = [m * (x[o] - cx), m * (x[o + 1] - cy), m * (x[o + 2] - cz)];
    const [ux, uy, uz] = [v[o] - vx, v[o + 1] - vy, v[o + 2] - vz];
    const [px, py, pz] = [member[Row.member * k], member[Row.member * k + 1], member[Row.member * k + 2]];
    out[0] += rx * px;
    out[1] += ry * px;
    out[2] += rz * px;
    out[3] += rx * py;
    out[4] += ry * py;
    out[5] += rz * py;
    out[6] += rx * pz;
    out[7] += ry * pz;
    out[8] += rz * pz;
    out[9] += ry * uz - rz * uy;
    out[10] += rz * ux - rx * uz;
    out[11] += rx * uy - ry * ux;
    out[12] += m * px * px;
    out[13] += m * py * py;
    out[14] += m * pz * pz;
    out[15] += m * px * py;
    out[16] += m * px * pz;
    out[17] += m * py * pz;
  }
}

/** Writes x and v of the members of a cluster that is a whole rigid body. `motion`: centre, velocity, spin, and the rotation of the rest shape by columns. */
export function placeRigid(s: Views, c: number, motion: Float64Array): void {
  const { x, v, member, memberParticle } = s;
  const [cx, cy, cz, vx, vy, vz, wx, wy, wz, xx, yx, zx, xy, yy, zy, xz, yz, zz] = motion;
  for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
    const o = Row.x * memberParticle[k];
    const [px, py, pz] = [member[Row.member * k], member[Row.member * k + 1], member[Row.member * k + 2]];
    const rx = xx * px + xy * py + xz * pz;
    const ry = yx * px + yy * py + yz * pz;
    const rz = zx * px + zy * py + zz * pz;
    x[o] = cx + rx;
    x[o + 1] = cy + ry;
    x[o + 2] = cz + rz;
    v[o] = vx + wy * rz - wz * ry;
    v[o + 1] = vy + wz * rx - wx * rz;
    v[o + 2] = vz + wx * ry - wy * rx;
  }
}
