import { squared } from '../../math/elementary.js';
import { PATCH } from '../../state/contactRow.js';
import { FIELDS, Row, TRANSFORM_ROW, Transform, Vector } from '../../state/fields.js';
import { Flag } from '../../state/flags.js';
import type { Views } from '../../state/layout.js';
import { Soft } from '../../state/soft.js';

/** Change of the energy of particles that contact moves (contact/energy.ts has the formulas). */

/**
 * Lists the particles of the first `count` contacts that can move, each once, and saves their positions and velocities.
 */
export function keepMotion(s: Views, count: number): number {
  let found = 0;
  for (let k = 0; k < count; k++)
    for (let n = -1; n < PATCH; n++) {
      const i = n < 0 ? s.touching[k] : s.patch[Row.patch * k + n];
      if (s.listedFor[i] !== 0 || s.flags[i] & (Flag.HELD | Flag.ASLEEP)) continue;
      s.listedFor[i] = 1;
      s.moved[found++] = i;
    }
  for (let n = 0; n < found; n++) {
    const i = s.moved[n];
    s.listedFor[i] = 0;
    for (let a = 0; a < 3; a++) {
      s.beforeContact[Row.beforeContact * n + a] = s.x[Row.x * i + a];
      s.beforeContact[Row.beforeContact * n + FIELDS.beforeContact.V + a] = s.v[Row.v * i + a];
    }
  }
  return found;
}

/** Lists the clusters of the first `count` particles of `moved`, each once. */
export function listMovedClusters(s: Views, count: number, clusters: number): number {
  s.sharesWith.fill(0, 0, clusters);
  let found = 0;
  for (let n = 0; n < count; n++) {
    const rank = s.gatherRank[s.moved[n]];
    for (let l = s.linkStart[rank]; l < s.linkStart[rank + 1]; l++) {
      const c = s.linkCluster[l];
      if (s.sharesWith[c] !== 0) continue;
      s.sharesWith[c] = 1;
      s.movedClusters[found++] = c;
    }
  }
  return found;
}

/**
 * For each of the first `count` particles of `moved`: how far its goals pull it back in a step, Σ w α (x − g), and its
 * velocity relative to the rigid motion of its clusters, v − Σ w (v̄ + ω × r), both with the clusters as last fitted. α
 * is the stiffness of the particle, or by the elastic law the share of the cluster. 0 for a particle without clusters.
 */
export function strainParticles(s: Views, count: number, before: boolean): void {
  for (let n = 0; n < count; n++) {
    const rank = s.gatherRank[s.moved[n]];
    const [to, o] = before
      ? [s.beforeContact, Row.beforeContact * n + FIELDS.beforeContact.OFF]
      : [s.goalOffset, Row.goalOffset * n];
    to.fill(0, o, o + Row.goalOffset);
    for (let l = s.linkStart[rank]; l < s.linkStart[rank + 1]; l++) addStrain(to, o, s, s.moved[n], l);
  }
}

function addStrain(to: Float32Array, at: number, s: Views, i: number, l: number): void {
  const { x, v, link, linkCluster, transform, motion, oldCentre } = s;
  const c = linkCluster[l];
  const [o, t, m, p] = [Row.x * i, TRANSFORM_ROW * c, Row.motion * c, Row.link * l];
  const w = link[p + FIELDS.link.WEIGHT];
  const lawful = s.softness[Row.softness * c + Soft.LAW] === 1;
  const pull = w * (lawful ? transform[t + Transform.SHARE] : s.stiffness[i]);
  const [wx, wy, wz] = motion.subarray(m + FIELDS.motion.SPIN, m + FIELDS.motion.SPIN + Vector.WIDTH);
  const [rx, ry, rz] = [0, 1, 2].map((a) => x[o + a] - oldCentre[Row.oldCentre * c + a]);
  const turning = [wy * rz - wz * ry, wz * rx - wx * rz, wx * ry - wy * rx];
  for (let a = 0; a < 3; a++) {
    let towards = transform[t + Transform.ORIGIN + a] - x[o + a] + transform[t + Transform.CENTRE + a];
    for (let b = 0; b < 3; b++) towards += transform[t + Transform.COLUMN * b + a] * link[p + b];
    to[at + a] -= pull * towards;
    to[at + FIELDS.goalOffset.BESIDE + a] += w * (v[o + a] - motion[m + a] - turning[a]);
  }
}

/**
 * Energy gained by velocities, L, Q and mass of the first `count` particles of `moved`. The saved velocities are
 * replaced by the present ones.
 */
export function weighMotion({ x, v, moved, beforeContact, goalOffset }: Views, count: number, h: number): void {
  const { V, OFF, BESIDE } = FIELDS.beforeContact;
  const { BY_VELOCITY, L, Q, MASS } = FIELDS.goalOffset;
  for (let n = 0; n < count; n++) {
    const i = moved[n];
    const [p, b, g] = [Row.x * i, Row.beforeContact * n, Row.goalOffset * n];
    const m = x[p + FIELDS.x.MASS];
    const k = m / squared(h);
    let [won, linear, square] = [0, 0, 0];
    for (let a = 0; a < 3; a++) {
      const o = b + a;
      const [now, then, off, u] = [v[p + a], beforeContact[o + V], beforeContact[o + OFF], beforeContact[o + BESIDE]];
      const way = x[p + a] - beforeContact[o];
      won += (now - then) * (0.5 * m * (now + then) - 0.5 * h * k * off);
      linear += k * (off - 0.5 * h * u) * way;
      square += 0.5 * k * (goalOffset[g + a] - off) * way;
      beforeContact[o + V] = now;
    }
    goalOffset[g + BY_VELOCITY] = won;
    goalOffset[g + L] = linear;
    goalOffset[g + Q] = square;
    goalOffset[g + MASS] = m;
  }
}
