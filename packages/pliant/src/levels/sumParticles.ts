import type { Body } from '../body/body.js';
import { Match } from '../kernels/kernels.js';
import { type Blend, blendGoals } from '../kernels/ts/integrate.js';
import { invertInertiaInto } from '../math/inertia.js';
import { multiplyInto } from '../math/mat3.js';
import { polarInto } from '../math/polar.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import type { ParticleLevels } from './particles.js';

// Scratch: matrices by columns, and the sums over one cluster.
const A = new Float64Array(9);
const F = new Float64Array(9);
const R = new Float64Array(9);
const centre = new Float64Array(3);
const origin = new Float64Array(3);
const velocity = new Float64Array(3);
const turn = new Float64Array(3);
const spin = new Float64Array(3);
const inertia = new Float64Array(6);
const inverse = new Float64Array(6);
const blend: Blend = { damping: 0, rigid: false, bent: false };

/**
 * [K20] algorithms 2 and 3 as printed: every coarse cluster sums over its particles and gives each of them a goal. It
 * runs in TypeScript for both backends and is slow; it is the reference for the nested sums.
 *
 * The finest level is already fitted, and integration uses its goals alone. The contribution of the coarse levels, Σ_ℓ
 * w_ℓ (Δv_ℓ − Δv_0), is added as a force. The forces of each level sum to 0, and so do their torques with the
 * torque-free rotation, so both momenta are conserved.
 */
export function levelsByParticle(
  { state: { views: s }, h }: World,
  body: Body,
  own: ParticleLevels,
  mode: number,
): void {
  const { pull, drag } = body.core.levelStrengths!;
  own.wanted.fill(0);
  for (let c = 0; c < own.level.length; c++) {
    const [share, dragShare] = [pull[own.level[c]], drag[own.level[c]]];
    if (share === 0 && dragShare === 0) continue;
    fit(s, body, own, c, mode);
    addGoals(s, body, own, c, share, dragShare);
  }
  pushTowards(s, body, own, h);
}

/** x̄ and R of one cluster, v̄ and ω where there is damping. Sums run relative to the first member, as in match. */
function fit(s: Views, { rows }: Body, own: ParticleLevels, c: number, mode: number): void {
  const { x } = s;
  const first = 4 * (rows.particleStart + own.particle[own.start[c]]);
  for (let a = 0; a < 3; a++) origin[a] = x[first + a];
  centre.fill(0);
  A.fill(0);
  for (let k = own.start[c]; k < own.start[c + 1]; k++) {
    const o = 4 * (rows.particleStart + own.particle[k]);
    const mw = x[o + 3] * own.weight[k];
    for (let a = 0; a < 3; a++) {
      const y = mw * (x[o + a] - origin[a]);
      centre[a] += y;
      for (let b = 0; b < 3; b++) A[3 * b + a] += y * own.rest[3 * k + b];
    }
  }
  for (let a = 0; a < 3; a++) centre[a] = origin[a] + centre[a] / own.mass[c];
  if (mode & Match.COVARIANCE) F.set(A);
  else multiplyInto(F, A, own.inverse.subarray(9 * c, 9 * c + 9));
  polarInto(R, F, (mode & Match.REFLECT) !== 0);
  velocity.fill(0);
  spin.fill(0);
  if (mode & (Match.LINEAR_MOTION | Match.RIGID_MOTION)) fitMotion(s, rows.particleStart, own, c, mode);
}

function fitMotion({ x, v }: Views, particleStart: number, own: ParticleLevels, c: number, mode: number): void {
  const [from, to] = [own.start[c], own.start[c + 1]];
  for (let k = from; k < to; k++) {
    const o = 4 * (particleStart + own.particle[k]);
    for (let a = 0; a < 3; a++) velocity[a] += (x[o + 3] * own.weight[k] * v[o + a]) / own.mass[c];
  }
  if (!(mode & Match.RIGID_MOTION)) return;
  turn.fill(0);
  inertia.fill(0);
  for (let k = from; k < to; k++) {
    const o = 4 * (particleStart + own.particle[k]);
    const mw = x[o + 3] * own.weight[k];
    const [rx, ry, rz] = [x[o] - centre[0], x[o + 1] - centre[1], x[o + 2] - centre[2]];
    const [ux, uy, uz] = [v[o] - velocity[0], v[o + 1] - velocity[1], v[o + 2] - velocity[2]];
    turn[0] += mw * (ry * uz - rz * uy);
    turn[1] += mw * (rz * ux - rx * uz);
    turn[2] += mw * (rx * uy - ry * ux);
    inertia[0] += mw * (ry * ry + rz * rz);
    inertia[1] += mw * (rx * rx + rz * rz);
    inertia[2] += mw * (rx * rx + ry * ry);
    inertia[3] -= mw * rx * ry;
    inertia[4] -= mw * rx * rz;
    inertia[5] -= mw * ry * rz;
  }
  invertInertiaInto(inverse, 0, inertia);
  spin[0] = inverse[0] * turn[0] + inverse[3] * turn[1] + inverse[4] * turn[2];
  spin[1] = inverse[3] * turn[0] + inverse[1] * turn[1] + inverse[5] * turn[2];
  spin[2] = inverse[4] * turn[0] + inverse[5] * turn[1] + inverse[2] * turn[2];
}

/**
 * Adds to each member, by weight, the displacement to its goal x̄ + R p, and the difference to its goal velocity v̄ + ω
 * × (x − x̄).
 */
function addGoals(
  { x, v }: Views,
  { rows }: Body,
  { start, particle, weight, rest, wanted }: ParticleLevels,
  c: number,
  share: number,
  dragShare: number,
): void {
  for (let k = start[c]; k < start[c + 1]; k++) {
    const o = 4 * (rows.particleStart + particle[k]);
    const to = 6 * particle[k];
    const [px, py, pz] = [rest[3 * k], rest[3 * k + 1], rest[3 * k + 2]];
    const [rx, ry, rz] = [x[o] - centre[0], x[o + 1] - centre[1], x[o + 2] - centre[2]];
    const [w, wd] = [share * weight[k], dragShare * weight[k]];
    for (let a = 0; a < 3; a++) {
      const goal = R[a] * px + R[3 + a] * py + R[6 + a] * pz;
      wanted[to + a] += w * (centre[a] - x[o + a] + goal);
      wanted[to + 3 + a] += wd * (velocity[a] - v[o + a]);
    }
    wanted[to + 3] += wd * (spin[1] * rz - spin[2] * ry);
    wanted[to + 4] += wd * (spin[2] * rx - spin[0] * rz);
    wanted[to + 5] += wd * (spin[0] * ry - spin[1] * rx);
  }
}

/**
 * Adds the force that makes up the difference between the blend of all levels and the goals of the finest level, which
 * integration applies.
 */
function pushTowards(s: Views, body: Body, { wanted }: ParticleLevels, h: number): void {
  const {
    rows,
    core: { levelStrengths },
    material,
  } = body;
  const [others, otherDrags] = [1 - levelStrengths!.pull[0], 1 - levelStrengths!.drag[0]];
  blend.damping = body.core.damping;
  blend.rigid = material.dampingMode === 'rigid';
  blend.bent = material.mode === 'quadratic';
  for (let n = rows.particleStart; n < rows.particleEnd; n++) {
    const i = s.gatherOrder[n];
    if (s.flags[i] & Flag.HELD) continue;
    const { pull, drag } = blendGoals(s, n, blend);
    const [from, perStep] = [6 * (i - rows.particleStart), s.x[4 * i + 3] / h];
    for (let a = 0; a < 3; a++) {
      const way = wanted[from + a] - others * pull[a];
      const change = body.core.damping > 0 ? wanted[from + 3 + a] - otherDrags * drag[a] : 0;
      s.force[4 * i + a] += perStep * ((s.stiffness[i] / h) * way + body.core.damping * change);
    }
  }
  body.core.hasForces = true;
}
