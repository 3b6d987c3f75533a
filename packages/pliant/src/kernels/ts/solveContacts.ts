import { squared } from '../../math/elementary.js';
import { CONTACT_ROW, ContactRow, PATCH } from '../../state/contactRow.js';
import { FIELDS, FRAME_ROW, Frame, Row, Vector } from '../../state/fields.js';
import { Flag } from '../../state/flags.js';
import type { Views } from '../../state/layout.js';
import { SOLVE } from '../constants.js';

/**
 * The response to contacts. A contact is between a particle i and a patch of the other body's surface: a few particles
 * k with weights w that sum to 1. The patch moves with Σ w v. An impulse J on the particle is −w J on those of the
 * patch, so that linear momentum is conserved exactly.
 *
 * Contacts are solved one after the other, by particle, in several sweeps. Each removes its approach velocity, and of
 * the sliding velocity at most μ times as much. That is an inelastic impulse, which loses energy in any order.
 *
 * An approach that lost: the cluster as a whole in place of the patch, with all contacts solved at once by split
 * masses. It conserves angular momentum as well, but a body at rest creeps, since every contact moves a whole cluster.
 */

/**
 * Writes patch, weights and masses of every contact and sets its impulses to 0. The caller, which knows the bodies,
 * sets the material's numbers.
 */
export function describeContacts(s: Views, count: number): void {
  for (let k = 0; k < count; k++) {
    const i = s.touching[k];
    s.contactRow.fill(0, CONTACT_ROW * k, CONTACT_ROW * (k + 1));
    findPatch(s, k, i, s.touchCluster[i]);
    weigh(s, k, i);
  }
}

const nearest = new Float64Array(PATCH);
const at = new Float64Array(3);
const { HEIGHT } = FIELDS.outward;

/**
 * The patch of contact k: the surface members of the cluster nearest to the particle, or the nearest of all members if
 * it has no surface members. Distances are measured in the rest shape, from the particle's position mapped into it.
 */
function findPatch(s: Views, k: number, i: number, c: number): void {
  const { x, outward, patch, contactRow, proxyFrame } = s;
  const first = s.memberStart[c];
  // The member nearest the centre comes before those on the surface; it may be one of them.
  const hasSurfaceMembers = s.surfaceEnd[c] > first + 1 || outward[Row.outward * first + HEIGHT] >= 0;
  const last = hasSurfaceMembers ? s.surfaceEnd[c] : s.memberStart[c + 1];
  const [f, p] = [FRAME_ROW * c, Row.patch * k];
  at.fill(0);
  for (let j = 0; j < 3; j++)
    for (let a = 0; a < 3; a++)
      at[a] += proxyFrame[f + Frame.COLUMN * j + a] * (x[Row.x * i + j] - proxyFrame[f + Frame.CENTRE + j]);
  const spacing2 = squared(s.proxySpacing[c]);
  let [least, found] = [Number.POSITIVE_INFINITY, 0];
  for (let m = first; m < last; m++)
    if (!hasSurfaceMembers || outward[Row.outward * m + HEIGHT] >= 0) least = Math.min(least, distance2(s, m));
  for (let m = first; m < last; m++) {
    const d2 = distance2(s, m);
    if (d2 > least + SOLVE.PATCH_REACH * spacing2 || (hasSurfaceMembers && outward[Row.outward * m + HEIGHT] < 0))
      continue;
    if (found === PATCH && d2 >= nearest[PATCH - 1]) continue;
    let n = found < PATCH ? found++ : PATCH - 1;
    for (; n > 0 && nearest[n - 1] > d2; n--) {
      nearest[n] = nearest[n - 1];
      patch[p + n] = patch[p + n - 1];
    }
    nearest[n] = d2;
    patch[p + n] = s.memberParticle[m];
  }
  let sum = 0;
  for (let n = 0; n < found; n++) sum += nearest[n] = 1 / squared(nearest[n] / spacing2 + SOLVE.PATCH_SOFT);
  for (let n = 0; n < found; n++) contactRow[CONTACT_ROW * k + ContactRow.WEIGHT + n] = nearest[n] / sum;
  for (let n = found; n < PATCH; n++) patch[p + n] = patch[p];
}

/** Squared distance of a member's rest offset to `at`. */
const distance2 = ({ member }: Views, m: number) =>
  squared(member[Row.member * m] - at[0]) +
  squared(member[Row.member * m + 1] - at[1]) +
  squared(member[Row.member * m + 2] - at[2]);

/** Inverse masses of both sides. Particles that are held or asleep have inverse mass 0. */
function weigh(s: Views, k: number, i: number): void {
  const { contactRow, patch, flags, x } = s;
  const row = CONTACT_ROW * k;
  const inverseMass = (j: number) => (flags[j] & (Flag.HELD | Flag.ASLEEP) ? 0 : 1 / x[Row.x * j + FIELDS.x.MASS]);
  let softness = inverseMass(i);
  contactRow[row + ContactRow.PARTICLE_INVERSE_MASS] = softness;
  for (let n = 0; n < PATCH; n++) {
    const w = contactRow[row + ContactRow.WEIGHT + n];
    const push = w * inverseMass(patch[Row.patch * k + n]);
    contactRow[row + ContactRow.PATCH_INVERSE_MASS + n] = push;
    softness += w * push;
  }
  contactRow[row + ContactRow.INVERSE_MASS] = softness;
}

/** Stops all approaches, with friction. Returns the number of approaches faster than `slow`. */
export function solveVelocities(s: Views, count: number, slow: number): number {
  let fast = 0;
  for (let k = 0; k < count; k++)
    if (relativeMotion(s, s.v, k) >= -slow) s.contactRow[CONTACT_ROW * k + ContactRow.RESTITUTION] = 0;
    else fast++;
  sweep(s, s.v, count, SOLVE.VELOCITY_SWEEPS, false);
  return fast;
}

/** Restitution of the approaches that were stopped. */
export function bounceVelocities(s: Views, count: number): void {
  for (let k = 0; k < count; k++) giveBack(s, k);
}

/**
 * Corrects positions. Friction first undoes the displacement of the sliding that it stopped (as with obstacles). Then
 * both sides separate by their goals, with friction: separation along differing normals would make bodies creep.
 * Velocities do not change.
 */
export function solvePositions(s: Views, count: number, h: number): void {
  const { contactRow } = s;
  for (let k = 0; k < count; k++) {
    const o = CONTACT_ROW * k + ContactRow.FRICTION_IMPULSE;
    give(s, s.contactShift, k, h * contactRow[o], h * contactRow[o + 1], h * contactRow[o + 2]);
  }
  // Applied now: friction in the sweep below would otherwise undo it as sliding.
  moveAll(s, count);
  sweep(s, s.contactShift, count, SOLVE.POSITION_SWEEPS, true);
  for (let k = 0; k < count; k++) rollBack(s, k);
  moveAll(s, count);
}

function sweep(s: Views, u: Float32Array, count: number, sweeps: number, shifts: boolean): void {
  let total = 0;
  for (let n = 0; n < sweeps; n++) {
    let given = 0;
    for (let k = 0; k < count; k++) given += push(s, u, k, shifts);
    total += given;
    if (given < SOLVE.CONVERGED * total) break;
  }
}

/** rel := v_i − Σ w v_k. Returns its component along the normal, the velocity of separation. */
function relativeMotion({ touching, touch, patch, contactRow }: Views, u: Float32Array, k: number): number {
  const i = touching[k];
  for (let a = 0; a < 3; a++) {
    rel[a] = u[Row.v * i + a];
    for (let n = 0; n < PATCH; n++)
      rel[a] -= contactRow[CONTACT_ROW * k + ContactRow.WEIGHT + n] * u[Row.v * patch[Row.patch * k + n] + a];
  }
  const o = Row.touch * i;
  return rel[0] * touch[o] + rel[1] * touch[o + 1] + rel[2] * touch[o + 2];
}
const rel = new Float64Array(3);

/**
 * Gives contact k at least its goal velocity of separation, and reduces its sliding by at most μ times the sum of
 * normal impulses so far. Returns the sum of the magnitudes of both impulses.
 */
function push(s: Views, u: Float32Array, k: number, shifts: boolean): number {
  const { contactRow, touch } = s;
  const row = CONTACT_ROW * k;
  const soft = contactRow[row + ContactRow.INVERSE_MASS];
  if (soft === 0) return 0;
  const o = Row.touch * s.touching[k];
  const [along, across] = [
    row + (shifts ? ContactRow.NORMAL_SHIFT : ContactRow.NORMAL_IMPULSE),
    row + (shifts ? ContactRow.FRICTION_SHIFT : ContactRow.FRICTION_IMPULSE),
  ];
  const goal = shifts ? contactRow[row + ContactRow.GOAL] : 0;
  const mu = shifts
    ? Math.min(contactRow[row + ContactRow.FRICTION], SOLVE.STEADY)
    : contactRow[row + ContactRow.FRICTION];
  const out = relativeMotion(s, u, k);
  const j = Math.max(0, goal - out) / soft;
  contactRow[along] += j;
  if (j > 0 && !shifts) contactRow[row + ContactRow.STOPPED_SQUARES] += out * out;
  for (let a = 0; a < 3; a++) rel[a] -= out * touch[o + a];
  const sliding = Math.sqrt(squared(rel[0]) + squared(rel[1]) + squared(rel[2]));
  const used = Math.sqrt(
    squared(contactRow[across]) + squared(contactRow[across + 1]) + squared(contactRow[across + 2]),
  );
  const slip = sliding > 0 ? Math.min(1 / soft, Math.max(0, mu * contactRow[along] - used) / sliding) : 0;
  for (let a = 0; a < 3; a++) contactRow[across + a] -= slip * rel[a];
  if (j > 0 || slip > 0)
    give(s, u, k, j * touch[o] - slip * rel[0], j * touch[o + 1] - slip * rel[1], j * touch[o + 2] - slip * rel[2]);
  return j + slip * sliding;
}

/** Applies the impulse J to the particle and −w J to its patch. */
function give(
  { touching, patch, contactRow }: Views,
  u: Float32Array,
  k: number,
  jx: number,
  jy: number,
  jz: number,
): void {
  const row = CONTACT_ROW * k;
  add(u, touching[k], contactRow[row + ContactRow.PARTICLE_INVERSE_MASS], jx, jy, jz);
  for (let n = 0; n < PATCH; n++)
    add(u, patch[Row.patch * k + n], -contactRow[row + ContactRow.PATCH_INVERSE_MASS + n], jx, jy, jz);
}

function add(u: Float32Array, i: number, perMass: number, jx: number, jy: number, jz: number): void {
  const o = Row.v * i;
  u[o] += perMass * jx;
  u[o + 1] += perMass * jy;
  u[o + 2] += perMass * jz;
}

/**
 * Restitution: every contact gets back e² of the energy that its own impulses removed, ½ u²/softness for each that
 * stopped an approach u. For a single impulse that is e times the approach velocity; several together get no more than
 * they lost.
 */
function giveBack(s: Views, k: number): void {
  const { contactRow, touch } = s;
  const row = CONTACT_ROW * k;
  const [e, stopped] = [contactRow[row + ContactRow.RESTITUTION], contactRow[row + ContactRow.STOPPED_SQUARES]];
  if (e === 0 || stopped === 0) return;
  const o = Row.touch * s.touching[k];
  const out = relativeMotion(s, s.v, k);
  const j =
    (Math.sqrt(squared(Math.max(0, out)) + squared(e) * stopped) - out) / contactRow[row + ContactRow.INVERSE_MASS];
  give(s, s.v, k, j * touch[o], j * touch[o + 1], j * touch[o + 2]);
  contactRow[row + ContactRow.NORMAL_IMPULSE] += j;
}

/**
 * A particle that went deeper than SHARED_DEPTH moves back along the normal by the excess, at most by its displacement
 * in this step.
 */
function rollBack(s: Views, k: number): void {
  const i = s.touching[k];
  if (s.contactRow[CONTACT_ROW * k + ContactRow.PARTICLE_INVERSE_MASS] === 0) return;
  let came = 0;
  for (let a = 0; a < 3; a++) came -= s.touch[Row.touch * i + a] * (s.x[Row.x * i + a] - s.xOld[Row.xOld * i + a]);
  const deep = s.touch[Row.touch * i + FIELDS.touch.DEPTH] - SOLVE.SHARED_DEPTH * s.proxyRadius[s.touchCluster[i]];
  const back = Math.max(0, Math.min(came, deep));
  for (let a = 0; a < 3; a++) s.x[Row.x * i + a] += back * s.touch[Row.touch * i + a];
}

function moveAll(s: Views, count: number): void {
  for (let k = 0; k < count; k++) {
    move(s, s.touching[k]);
    for (let n = 0; n < PATCH; n++) move(s, s.patch[Row.patch * k + n]);
  }
}

/**
 * Adds the displacement to the position. It sets the array to 0, since a particle is visited once for each of its
 * contacts.
 */
function move(s: Views, i: number): void {
  for (let o = Row.x * i; o < Row.x * i + Vector.WIDTH; o++) {
    s.x[o] += s.contactShift[o];
    s.contactShift[o] = 0;
  }
}
