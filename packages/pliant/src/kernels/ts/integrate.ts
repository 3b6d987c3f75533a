import { squared } from '../../math/elementary.js';
import { PRODUCTS, productsInto } from '../../state/bend.js';
import { FIELDS, Row, TRANSFORM_ROW, Transform } from '../../state/fields.js';
import { Flag } from '../../state/flags.js';
import type { Views } from '../../state/layout.js';
import { type IntegrateParameters, NO_DRAG } from '../kernels.js';

const pull = new Float64Array(3);
const drag = new Float64Array(3);
const blended = { pull, drag };
const next = new Float64Array(3);
const bent = new Float64Array(3);
const { MASS } = FIELDS.x;
const { SPIN } = FIELDS.motion;

/**
 * SPEC M7, [K20] 8 and 9: v += h g + (α/h)(goal − x) + k_d (v_goal − v) + h f/m, then x += h v. Goals and goal
 * velocities are those of the clusters, blended by weight ([J15] 14). Held particles keep the velocity that their clamp
 * gave them.
 *
 * Goals are inner forces: they give no momentum to a free body whose particles are equally stiff. Their rounding does:
 * 1e-7 m/s a step, some 1e-5 of the momentum of slow bodies in a second. The mean of that change is subtracted from all
 * particles.
 */
export function integrateParticles(s: Views, start: number, end: number, p: IntegrateParameters): void {
  urge(s, start, end, p);
  advance(s, start, end, p);
}

/** Updates the velocities. `even` := the velocity to add to all of them, which cancels the rounding momentum. */
function urge(s: Views, start: number, end: number, p: IntegrateParameters): void {
  const gravity = [p.gravityX, p.gravityY, p.gravityZ];
  const { x, v, force } = s;
  let free = true;
  let mass = 0;
  even.fill(0);
  for (let n = start; n < end; n++) {
    const i = s.gatherOrder[n];
    const o = Row.x * i;
    for (let a = 0; a < Row.vOld; a++) s.vOld[o + a] = v[o + a];
    if (s.flags[i] & Flag.HELD) {
      free = false;
      continue;
    }
    if (!p.lawful && s.stiffness[i] !== s.stiffness[start]) free = false;
    blendGoals(s, n, p);
    dragWhole(s, n, start, p);
    const gain = (p.lawful ? 1 : s.stiffness[i]) / p.h;
    const perMass = p.forces ? p.h / x[o + MASS] : 0;
    for (let a = 0; a < 3; a++) {
      const urged = gain * pull[a] + p.damping * drag[a] + whole[a];
      even[a] -= x[o + MASS] * urged;
      v[o + a] += p.h * gravity[a] + urged + (p.forces ? perMass * force[o + a] : 0);
    }
    mass += x[o + MASS];
  }
  const { stand } = p.drag ?? NO_DRAG;
  for (let a = 0; a < 3; a++) even[a] = free && mass > 0 ? even[a] / mass + stand[a] : 0;
}
const even = new Float64Array(3);

/** Adds `even` to the velocities, limits them to maxSpeed, and moves all particles. */
function advance({ x, v, xOld, flags }: Views, start: number, end: number, { h, maxSpeed }: IntegrateParameters): void {
  // A particle with an absurd velocity must not change the others.
  if (!even.every((e) => Math.abs(e) <= maxSpeed)) even.fill(0);
  for (let i = start; i < end; i++) {
    const o = Row.x * i;
    for (let a = 0; a < 3; a++) next[a] = v[o + a] + even[a];
    const speed = Math.sqrt(squared(next[0]) + squared(next[1]) + squared(next[2]));
    const shorten = speed > maxSpeed && !(flags[i] & Flag.HELD) ? maxSpeed / speed : 1;
    for (let a = 0; a < 3; a++) {
      v[o + a] = next[a] * shorten;
      xOld[o + a] = x[o + a];
      x[o + a] += h * v[o + a];
    }
    xOld[o + MASS] = x[o + MASS];
  }
}

/** whole := what the damping of the body as a whole adds to the velocity of the n-th particle in `gatherOrder`. It comes by clusters, as a turn of the places x̄ + F p that their fits give to it. */
function dragWhole(s: Views, n: number, first: number, p: IntegrateParameters): void {
  const { x, v, gatherOrder, linkStart, link, linkCluster, oldCentre } = s;
  const { share, motion } = p.drag ?? NO_DRAG;
  whole.fill(0);
  if (share === 0 || linkStart[n] === linkStart[n + 1]) return;
  const [o, f] = [Row.x * gatherOrder[n], Row.x * first];
  let [rx, ry, rz] = [0, 0, 0];
  for (let k = linkStart[n]; k < linkStart[n + 1]; k++) {
    const c = linkCluster[k];
    const e = Row.oldCentre * c;
    const w = link[Row.link * k + FIELDS.link.WEIGHT];
    const [ax, ay, az] = armInto(arm, s, c, k, o);
    rx += w * (oldCentre[e] - x[f] + ax);
    ry += w * (oldCentre[e + 1] - x[f + 1] + ay);
    rz += w * (oldCentre[e + 2] - x[f + 2] + az);
  }
  const [vx, vy, vz, wx, wy, wz] = motion;
  whole[0] = share * (vx + wy * rz - wz * ry - v[o]);
  whole[1] = share * (vy + wz * rx - wx * rz - v[o + 1]);
  whole[2] = share * (vz + wx * ry - wy * rx - v[o + 2]);
}
const whole = new Float64Array(3);

/** out := the lever arm by which the k-th link of cluster c, an elastic law's, turns its particle at x[o]: F p, or x − x̄ where the fit is too thin. */
function armInto(out: Float64Array, s: Views, c: number, k: number, o: number): Float64Array {
  const { X, Y, Z, THIN } = FIELDS.deformation;
  const d = Row.deformation * c;
  const { deformation: F, restShift: q, link } = s;
  const [l, m] = [Row.link * k, Row.restShift * c];
  const [px, py, pz] = [link[l] - q[m], link[l + 1] - q[m + 1], link[l + 2] - q[m + 2]];
  for (let a = 0; a < 3; a++)
    out[a] = F[d + THIN]
      ? s.x[o + a] - s.oldCentre[Row.oldCentre * c + a]
      : F[d + X + a] * px + F[d + Y + a] * py + F[d + Z + a] * pz;
  return out;
}
const arm = new Float64Array(3);

export type Blend = Pick<IntegrateParameters, 'damping' | 'rigid' | 'bent' | 'lawful'>;

/**
 * Of the n-th particle in `gatherOrder`: pull = Σ w (goal − x), by the elastic law Σ w b (goal − x) with the share b of
 * the cluster; drag = Σ w (goal velocity − v). Both are 0 for a particle without clusters. The result is overwritten by
 * the next call.
 */
export function blendGoals(s: Views, n: number, p: Blend): typeof blended {
  const { x, v, link, transform, motion } = s;
  const o = Row.x * s.gatherOrder[n];
  pull.fill(0);
  drag.fill(0);
  for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++) {
    const c = s.linkCluster[k];
    const [t, m, l] = [TRANSFORM_ROW * c, Row.motion * c, Row.link * k];
    const [px, py, pz, w] = [link[l], link[l + 1], link[l + 2], link[l + FIELDS.link.WEIGHT]];
    const share = p.lawful ? w * transform[t + Transform.SHARE] : w;
    for (let a = 0; a < 3; a++) {
      const turned = transform[t + a] * px + transform[t + Transform.Y + a] * py + transform[t + Transform.Z + a] * pz;
      pull[a] +=
        share * (transform[t + Transform.ORIGIN + a] - x[o + a] + (transform[t + Transform.CENTRE + a] + turned));
    }
    if (p.bent) {
      bendInto(bent, s, c, px, py, pz);
      for (let a = 0; a < 3; a++) pull[a] += w * bent[a];
    }
    if (p.damping === 0) continue;
    for (let a = 0; a < 3; a++) drag[a] += w * (motion[m + a] - v[o + a]);
    if (!p.rigid) continue;
    const e = Row.oldCentre * c;
    if (p.lawful) armInto(arm, s, c, k, o);
    else for (let a = 0; a < 3; a++) arm[a] = x[o + a] - s.oldCentre[e + a];
    const [rx, ry, rz] = arm;
    const [wx, wy, wz] = [motion[m + SPIN], motion[m + SPIN + 1], motion[m + SPIN + 2]];
    drag[0] += w * (wy * rz - wz * ry);
    drag[1] += w * (wz * rx - wx * rz);
    drag[2] += w * (wx * ry - wy * rx);
  }
  return blended;
}

/** bent := the quadratic part of the goal of an offset. */
export function bendInto(
  bent: Float64Array,
  { bend, bendAxes }: Views,
  c: number,
  px: number,
  py: number,
  pz: number,
): void {
  productsInto(products, bendAxes.subarray(Row.bendAxes * c, Row.bendAxes * (c + 1)), px, py, pz);
  for (let a = 0; a < 3; a++) {
    bent[a] = 0;
    for (let b = 0; b < PRODUCTS; b++) bent[a] += bend[Row.bend * c + FIELDS.bend.COLUMN * b + a] * products[b];
  }
}
const products = new Float64Array(PRODUCTS);
