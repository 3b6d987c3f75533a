import type { Body } from '../body/body.js';
import { fadeWeight } from '../state/fade.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import { BodySpin } from './bodySpin.js';
import { SelfRow, SelfRows } from './selfRows.js';

/**
 * Contact of a body with itself (SPEC K6). Contacts are impulses within the step: velocities change by Δv and positions by h Δv, as if the
 * impulse had acted together with the pull of the goals. The first pass stops approaching contacts so that no particle goes in, with
 * friction and restitution. The second pass separates contacts that penetrated before the step, by part of their depth.
 *
 * Momentum. Each impulse conserves linear momentum, and angular momentum at the current positions (selfRows.ts). Moving particles of
 * velocity v by h Δv changes the angular momentum by h Σ m Δv × v. The whole body is turned back by that amount.
 *
 * Energy. An impulse J changes the energy by J·(u₀ + u₁)/2, with the relative velocities at the start and at the end of the step. The sum
 * is kept for each body as long as a contact lasts. Impulses are shortened where the sum would exceed 0.
 */

const { NORMAL, MOBILITY, GOAL, NORMAL_IMPULSE, FRICTION_IMPULSE, FRICTION, EXIT_SPEED, LENGTH } = SelfRow;

/** Largest number of sweeps over all contacts. A sweep is the last if it changes impulses by less than the share CONVERGED of their sum. */
const SWEEPS = 12;
const CONVERGED = 1e-3;
/** Share of γ times the penetration from before the step that one step removes. */
const PARTING = 0.8;

/**
 * Relative increase of Q, the quadratic part of the energy of impulses (see `shorten`). Clusters turn as their particles move, which Q
 * leaves out. Without this, 200 undamped collisions with a restitution of 1 gained up to 0.3 %.
 */
const PRUDENCE = 0.05;

/** Contacts, moved particles and angular momentum of the current body. */
const contacts = new SelfRows();
const whole = new BodySpin();
/** Changes of velocity before the current pass; as long as those of `contacts`. */
let kept = new Float64Array(0);
/** Velocity of a particle relative to its patch (m/s). */
const rel = new Float64Array(3);
/** Change of the tangential impulse (N s). */
const slip = new Float64Array(3);
/** Angular momentum that a pass adds by moving particles (kg m²/s), and the angular velocity that removes it (rad/s). */
const gain = new Float64Array(3);
const turn = new Float64Array(3);

/**
 * Resolves the contacts of `touching` with indices in [first, last). They are sorted by particle, and their patches are described.
 * Approaches below `slow` (m/s) do not bounce.
 */
export function solveSelf(world: World, first: number, last: number, slow: number): void {
  const { views: s } = world.state;
  for (let k = first; k < last; ) {
    const owner = s.bodyOf[s.touching[k]];
    const from = k;
    while (k < last && s.bodyOf[s.touching[k]] === owner) k++;
    solveBody(world, world.bodies[owner], from, k, slow);
  }
}

function solveBody(world: World, body: Body, first: number, last: number, slow: number): void {
  const {
    h,
    core: { substep },
  } = world;
  const { views: s } = world.state;
  let count = 0;
  for (let k = first; k < last; k++) {
    contacts.describe(s, count, k);
    if (setGoal(s, body, LENGTH * count, s.touching[k], h, slow)) count++;
  }
  if (count > 0) {
    whole.measure(s, body.rows);
    if (kept.length < contacts.change.length) kept = new Float64Array(contacts.change.length);
    kept.fill(0, 0, 4 * contacts.moved);
    let spare = body.core.contactState.selfSince === substep - 1 ? body.core.contactState.selfSpare : 0;
    sweep(s.v, count);
    spare = shorten(s, spare, h);
    if (askToPart(count, body.core.contact.settings.gamma)) {
      kept.set(contacts.change);
      sweep(s.v, count);
      spare = shorten(s, spare, h);
    }
    move(s, h);
    whole.restore(s, body.rows);
    body.core.contactState.selfSpare = spare;
    body.core.contactState.selfSince = substep;
  }
  contacts.clear(s);
}

/** Sets the goal speed, exit speed and friction of the contact at o. Returns false if no particle of the contact can move. */
function setGoal(s: Views, { material }: Body, o: number, i: number, h: number, slow: number): boolean {
  const { rows } = contacts;
  const c = s.touchCluster[i];
  const now = contacts.relativeInto(rel, s.v, o, 0);
  const before = contacts.relativeInto(rel, s.vOld, o, 0);
  const out = now + s.touch[4 * i + 3] / h;
  let goal = Math.min(out, 0);
  if (before < -slow) goal = Math.max(goal, -material.restitution * before);
  // A cluster made by reclustering may start with particles of its own body inside; it stops them in proportion to its fade weight.
  rows[o + GOAL] = now + fadeWeight(s.fade[c]) * (goal - now);
  rows[o + EXIT_SPEED] = out;
  rows[o + FRICTION] = contacts.isPlate(o) ? material.friction : 0;
  return contacts.mobilityAlong(o, rows[o + NORMAL], rows[o + NORMAL + 1], rows[o + NORMAL + 2]) > 0;
}

/** Raises the goal speed of contacts that penetrated before the step. Returns false if there are none. */
function askToPart(count: number, gamma: number): boolean {
  const { rows } = contacts;
  let any = false;
  for (let o = 0; o < LENGTH * count; o += LENGTH) {
    if (!(rows[o + EXIT_SPEED] > 0)) continue;
    rows[o + GOAL] = Math.max(rows[o + GOAL], PARTING * gamma * rows[o + EXIT_SPEED]);
    any = true;
  }
  return any;
}

/** Gauss–Seidel sweeps over the contacts until their impulses converge. */
function sweep(v: Float32Array, count: number): void {
  const { rows } = contacts;
  for (let n = 0; n < SWEEPS; n++) {
    let [given, total] = [0, 0];
    for (let o = 0; o < LENGTH * count; o += LENGTH) {
      given += push(v, o);
      total += rows[o + NORMAL_IMPULSE];
    }
    if (given <= CONVERGED * total) return;
  }
}

/**
 * Applies an impulse so that the contact at o separates at least at its goal speed. Friction slows the sliding, with at most μ times the
 * normal impulse. Returns the size of the change of the normal impulse (N s).
 */
function push(v: Float32Array, o: number): number {
  const { rows } = contacts;
  const [nx, ny, nz] = [rows[o + NORMAL], rows[o + NORMAL + 1], rows[o + NORMAL + 2]];
  const parting = contacts.relativeInto(rel, v, o, 1);
  const along = Math.max(
    0,
    rows[o + NORMAL_IMPULSE] + (rows[o + GOAL] - parting) / contacts.mobilityAlong(o, nx, ny, nz),
  );
  const j = along - rows[o + NORMAL_IMPULSE];
  rows[o + NORMAL_IMPULSE] = along;
  let [jx, jy, jz] = [j * nx, j * ny, j * nz];
  if (rows[o + FRICTION] > 0 && (along > 0 || j !== 0)) {
    slide(o, j);
    jx += slip[0];
    jy += slip[1];
    jz += slip[2];
  }
  if (jx !== 0 || jy !== 0 || jz !== 0) contacts.give(o, jx, jy, jz);
  return Math.abs(j);
}

/** slip := change of the friction impulse, for a relative velocity `rel` before an impulse j along the normal. */
function slide(o: number, j: number): void {
  const { rows } = contacts;
  const [nx, ny, nz] = [rows[o + NORMAL], rows[o + NORMAL + 1], rows[o + NORMAL + 2]];
  const [jx, jy, jz] = [j * nx, j * ny, j * nz];
  const m = o + MOBILITY;
  let x = rel[0] + rows[m] * jx + rows[m + 3] * jy + rows[m + 4] * jz;
  let y = rel[1] + rows[m + 3] * jx + rows[m + 1] * jy + rows[m + 5] * jz;
  let z = rel[2] + rows[m + 4] * jx + rows[m + 5] * jy + rows[m + 2] * jz;
  const out = x * nx + y * ny + z * nz;
  x -= out * nx;
  y -= out * ny;
  z -= out * nz;
  const square = x * x + y * y + z * z;
  const scale = square > 0 ? square / contacts.mobilityAlong(o, x, y, z) : 0;
  const [ax, ay, az] = [
    rows[o + FRICTION_IMPULSE] - scale * x,
    rows[o + FRICTION_IMPULSE + 1] - scale * y,
    rows[o + FRICTION_IMPULSE + 2] - scale * z,
  ];
  const size = Math.sqrt(ax * ax + ay * ay + az * az);
  const most = rows[o + FRICTION] * rows[o + NORMAL_IMPULSE];
  const shorter = size > most ? most / size : 1;
  slip[0] = shorter * ax - rows[o + FRICTION_IMPULSE];
  slip[1] = shorter * ay - rows[o + FRICTION_IMPULSE + 1];
  slip[2] = shorter * az - rows[o + FRICTION_IMPULSE + 2];
  for (let a = 0; a < 3; a++) rows[o + FRICTION_IMPULSE + a] += slip[a];
}

/**
 * Scales the changes of velocity since `kept` by the largest factor f ≤ 1 with which they add no more energy than `spare` (J). Returns the
 * energy that is left. With Δ = Δ₀ + f Δ₁ and ω the angular velocity that turns the body back for Δ₁, the change of energy is f L + f² Q:
 *   L = Σ m Δ₁·((v₀ + v)/2 + Δ₀) − ω·(angular momentum)
 *   Q = ½ Σ m Δ₁² − ½ ω·(angular momentum that Δ₁ adds)
 */
function shorten({ v, vOld }: Views, spare: number, h: number): number {
  // Held particles that move do work on the body: energy is not limited.
  if (whole.isDriven) return 0;
  const { change, particles, moved } = contacts;
  let [linear, square] = [0, 0];
  gain.fill(0);
  for (let n = 0; n < moved; n++) {
    const perMass = change[4 * n + 3];
    if (perMass === 0) continue;
    const [k, o] = [4 * n, 4 * particles[n]];
    const [dx, dy, dz] = [change[k] - kept[k], change[k + 1] - kept[k + 1], change[k + 2] - kept[k + 2]];
    const [vx, vy, vz] = [v[o], v[o + 1], v[o + 2]];
    const ux = 0.5 * (vOld[o] + vx) + kept[k];
    const uy = 0.5 * (vOld[o + 1] + vy) + kept[k + 1];
    const uz = 0.5 * (vOld[o + 2] + vz) + kept[k + 2];
    linear += (dx * ux + dy * uy + dz * uz) / perMass;
    square += (0.5 * (dx * dx + dy * dy + dz * dz)) / perMass;
    gain[0] += (h / perMass) * (dy * vz - dz * vy);
    gain[1] += (h / perMass) * (dz * vx - dx * vz);
    gain[2] += (h / perMass) * (dx * vy - dy * vx);
  }
  whole.turnInto(turn, gain);
  for (let a = 0; a < 3; a++) {
    linear -= turn[a] * whole.spin[a];
    square -= 0.5 * turn[a] * gain[a];
  }
  square *= 1 + PRUDENCE;
  let f = 1;
  if (linear + square > spare) {
    const root = Math.sqrt(Math.max(0, linear * linear + 4 * square * spare));
    f = square > 0 ? Math.min(1, Math.max(0, (root - linear) / (2 * square))) : 0;
    for (let k = 0; k < 4 * moved; k++) if (k % 4 !== 3) change[k] = kept[k] + f * (change[k] - kept[k]);
  }
  return Math.max(0, spare - f * linear - f * f * square);
}

function move({ x, v }: Views, h: number): void {
  const { change, particles, moved } = contacts;
  for (let n = 0; n < moved; n++) {
    const o = 4 * particles[n];
    for (let a = 0; a < 3; a++) {
      v[o + a] += change[4 * n + a];
      x[o + a] += h * change[4 * n + a];
    }
  }
}
