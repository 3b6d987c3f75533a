import { squared } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import { buildRows, newContactRows, pushContact, relativeInto, yieldsInto } from './contactRows.js';
import type { Contacts } from './contacts.js';
import { applyChange, blendChange, clearMotion, squaredChange, zero } from './motion.js';
import { applyRates, clearSlots, gatherRates, limitTurns, measureSlots, newSlots, openSlots } from './slots.js';

/**
 * Passes gather the particles' velocities and hand them back, sweeps go over the contacts between. A cube of four clusters at
 * rest on a slab moves on at 17 mm/s with 2 passes of 6 sweeps, at 10 with 4 of 4 (which cost the same), at 3 with 8 of 30.
 *
 * Contacts that lie close together are told apart slowly: a ball of 1 m on its four or five vertices rolls off at 29 mm/s with
 * 4 sweeps a pass, creeps at 0.6 with 64. So few contacts are swept more often, for about a third of a millisecond; with that the
 * same ball of 1, 4, 8 or 20 clusters moves by 0.6, 1, 9 and 9 mm in the sixth second, before by 29, 20, 46 and 36. (That is one
 * place to fall on of many: balls of 8 clusters go on by 7 to 50.)
 *
 * Tried and left out: sweeps there and back (59 mm/s for 2 of 6: worse), over-relaxation (no difference), starting from the
 * impulses of the step before (4.5 mm/s, but then a step depends on more than the state, and a restored snapshot would go
 * on differently; SPEC Q1).
 */
const PASSES = 4;
const SWEEPS = 4;
const MOST_SWEEPS = 64;
/** Relaxations of a contact that a pass may take, where that is more than SWEEPS. */
const RELAXATIONS = 512;

// Scratch that grows to the most contacts and stays. u: velocity or displacement of a vertex relative to its point, j: impulse.
const slots = newSlots();
/** Contact meshes of the contacts that respond answers; contacts name them by their number here. */
export const { meshes } = slots;
const rows = newContactRows();
const u = new Float64Array(3);
const j = new Float64Array(3);

/**
 * Velocities, then positions, of all `meshes`, by all their contacts. Returns Σ |J| (N s).
 *
 * Contacts are relaxed one after the other (projected Gauss and Seidel) as if clusters were bodies of their own, and what the
 * clusters gained is handed to their particles. A particle of several clusters moves with their average, which has less
 * energy than they have: the clusters together yield more than the particles do (K̂ ⪰ K), so that
 *
 *     ΔE = Σ u·J + ½ Σ J·K J ≤ Σ u·J + ½ Σ J·K̂ J ≤ 0,
 *
 * the last because every single relaxation takes energy. What is still missing, the next pass brings.
 */
export function respond(contacts: Contacts, s: Views, h: number): number {
  prepare(contacts, s, h);
  relaxVelocities(contacts, s);
  bounce(contacts, s, keepEnergy(contacts, s));
  for (const mesh of meshes) applyChange(mesh, s.v);
  const sum = sumImpulses(contacts);
  relaxPositions(contacts, s, h);
  for (const mesh of meshes) {
    applyChange(mesh, s.x);
    clearMotion(mesh);
  }
  clearSlots(slots);
  return sum;
}

/** Writes `given`, before displacements take the place of impulses; returns Σ |J|. */
function sumImpulses({ impulses, normals, given, count }: Contacts): number {
  let sum = 0;
  for (let n = 0; n < count; n++) {
    const o = 4 * n;
    for (let a = 0; a < 3; a++) given[3 * n + a] = impulses[o + a] + impulses[o + 3] * normals[o + a];
    sum += Math.sqrt(squared(given[3 * n]) + squared(given[3 * n + 1]) + squared(given[3 * n + 2]));
  }
  return sum;
}

/** Slots and rows of all contacts, how far each yields, and its velocity before anything is done. */
function prepare(c: Contacts, s: Views, h: number): void {
  for (let n = 0; n < c.count; n++) {
    openSlots(slots, c.meshes[2 * n], c.vertices[4 * n]);
    for (let k = 1; k < 4; k++) openSlots(slots, c.meshes[2 * n + 1], c.vertices[4 * n + k]);
  }
  measureSlots(slots, s);
  gatherRates(slots, s, s.v, false);
  buildRows(rows, c, slots);
  c.impulses.fill(0, 0, 4 * c.count);
  for (let n = 0; n < c.count; n++) {
    yieldsInto(c.yields, rows, n, slots, c.normals);
    relativeInto(u, rows, n, slots, true);
    for (let a = 0; a < 3; a++) c.before[3 * n + a] = u[a];
    limitDepth(c, n, h);
  }
}

/**
 * Displacements strain a body, and what they put into it comes back as motion. What came in in this step may go back; what was
 * deeper before, or is called so by a direction across the motion, goes by this share of the smaller body's diagonal at a time.
 * Without: a torus of 42 kg that hit a box with 8 m/s, e = ½ and μ = 0.8 had a fifth more energy than both had brought along.
 */
const PATIENCE = 0.003;

/** Once `u` is the velocity of contact n. */
function limitDepth({ normals, laws, meshes: of }: Contacts, n: number, h: number): void {
  const o = 4 * n;
  const approach = -(u[0] * normals[o] + u[1] * normals[o + 1] + u[2] * normals[o + 2]);
  const size = Math.min(meshes[of[2 * n]].size, meshes[of[2 * n + 1]].size);
  normals[o + 3] = Math.min(normals[o + 3], (h * Math.max(0, approach) + PATIENCE * size) / laws[o + 2]);
}

const sweepsOf = ({ count }: Contacts) => Math.max(SWEEPS, Math.min(MOST_SWEEPS, Math.floor(RELAXATIONS / count)));

/** Takes the approaching velocity away, and of the sliding one what μ times the normal impulse can. */
function relaxVelocities(c: Contacts, s: Views): void {
  const sweeps = sweepsOf(c);
  for (let pass = 0; pass < PASSES; pass++) {
    if (pass > 0) gatherRates(slots, s, s.v, true);
    for (let sweep = 0; sweep < sweeps; sweep++)
      for (let n = 0; n < c.count; n++) {
        if (!(c.yields[2 * n] > 0)) continue;
        relaxNormal(c, n, false);
        if (c.laws[4 * n] > 0) relaxSliding(c, n);
      }
    applyRates(slots, s);
  }
}

/**
 * Stops the approach, or (`apart`) moves apart by γ of the depth, by an impulse that pushes and never pulls.
 *
 * Apart no contact gives more than it needed alone: two whose directions are almost opposite, which a body in itself has by the
 * dozen, could both be met only by going far across, and stretched a torus seven times.
 */
function relaxNormal(c: Contacts, n: number, apart: boolean): void {
  const { normals, impulses } = c;
  const o = 4 * n;
  const least = apart ? c.laws[o + 2] * normals[o + 3] : 0;
  relativeInto(u, rows, n, slots, !apart);
  const along = u[0] * normals[o] + u[1] * normals[o + 1] + u[2] * normals[o + 2];
  const most = apart ? Math.max(0, least) / c.yields[2 * n] : Number.POSITIVE_INFINITY;
  const now = Math.min(most, Math.max(0, impulses[o + 3] + (least - along) / c.yields[2 * n]));
  const more = now - impulses[o + 3];
  impulses[o + 3] = now;
  if (more === 0) return;
  for (let a = 0; a < 3; a++) j[a] = more * normals[o + a];
  pushContact(rows, n, slots, j);
}

/** Coulomb: the impulse across the normal stops what slides, but is at most μ times the one along it. */
function relaxSliding(c: Contacts, n: number): void {
  const { normals, impulses } = c;
  const o = 4 * n;
  if (!(c.yields[2 * n + 1] > 0)) return;
  const m = 1 / c.yields[2 * n + 1];
  relativeInto(u, rows, n, slots, true);
  const along = u[0] * normals[o] + u[1] * normals[o + 1] + u[2] * normals[o + 2];
  let squares = 0;
  for (let a = 0; a < 3; a++) {
    j[a] = impulses[o + a] - m * (u[a] - along * normals[o + a]);
    squares += j[a] * j[a];
  }
  const most = c.laws[o] * impulses[o + 3];
  const keep = squares > most * most ? most / Math.sqrt(squares) : 1;
  for (let a = 0; a < 3; a++) {
    const now = keep * j[a];
    j[a] = now - impulses[o + a];
    impulses[o + a] = now;
  }
  pushContact(rows, n, slots, j);
}

/**
 * Energy that the impulses took (J), seen by an observer for whom held particles do no work: −(Σ J·u + ½ Σ m |Δv|²). Never
 * negative: normal impulses alone lose energy in every sweep, but a friction cone that shrinks while friction is relaxed
 * could win some. Then all impulses are made shorter until they win none.
 */
function keepEnergy({ impulses, normals, before, count }: Contacts, s: Views): number {
  let work = 0;
  for (let n = 0; n < count; n++)
    for (let a = 0; a < 3; a++)
      work += before[3 * n + a] * (impulses[4 * n + a] + impulses[4 * n + 3] * normals[4 * n + a]);
  let squares = 0;
  for (const mesh of meshes) squares += squaredChange(mesh, s, mesh.motion.change);
  const won = work + 0.5 * squares;
  if (!(won > 0)) return -won;
  const scale = work < 0 ? (-2 * work) / squares : 0;
  for (let k = 0; k < 4 * count; k++) impulses[k] *= scale;
  for (const { motion } of meshes) blendChange(motion, scale, 0);
  return 0;
}

/**
 * Poisson's restitution: e times the normal impulses that stopped the approach, once more. Without friction that gives back
 * just e² of the energy `lost`; more than that is never given, though impulses that squeeze a body from several sides ask for it.
 */
function bounce(c: Contacts, s: Views, lost: number): void {
  const { impulses, normals, before, laws } = c;
  let isBouncing = false;
  for (let n = 0; n < c.count && !isBouncing; n++) isBouncing = laws[4 * n + 1] > 0;
  if (!isBouncing) return;
  gatherRates(slots, s, s.v, true);
  let work = 0;
  let taken = 0;
  let returned = 0;
  for (let n = 0; n < c.count; n++) {
    const o = 4 * n;
    let approach = 0;
    for (let a = 0; a < 3; a++) approach -= before[3 * n + a] * normals[o + a];
    const bounces = approach > laws[o + 3] ? laws[o + 1] * impulses[o + 3] : 0;
    taken += Math.max(0, approach) * impulses[o + 3];
    for (let a = 0; a < 3; a++) taken -= Math.min(0, before[3 * n + a] * impulses[o + a]);
    returned += Math.max(0, approach) * laws[o + 1] * bounces;
    relativeInto(u, rows, n, slots, true);
    for (let a = 0; a < 3; a++) work += bounces * normals[o + a] * u[a];
    // From here on `before` holds what of the impulse bounces.
    before[3 * n] = bounces;
  }
  for (let n = 0; n < c.count; n++) {
    for (let a = 0; a < 3; a++) j[a] = before[3 * n] * normals[4 * n + a];
    pushContact(rows, n, slots, j);
  }
  for (const { motion } of meshes) zero(motion, motion.other);
  applyRates(slots, s, true);
  let squares = 0;
  for (const mesh of meshes) squares += squaredChange(mesh, s, mesh.motion.other);
  if (!(squares > 0 && taken > 0)) return;
  // The largest share t of the bounce with t work + ½ t² squares ≤ e² lost, e² the mean by the work of the contacts.
  const most = (lost * returned) / taken;
  const share = Math.max(0, Math.min(1, (Math.sqrt(work * work + 2 * squares * most) - work) / squares));
  for (const { motion } of meshes) blendChange(motion, 1, share);
  for (let n = 0; n < c.count; n++) impulses[4 * n + 3] += share * before[3 * n];
}

/**
 * Takes from the depth what the velocity will part vertex and point by in the next step: an L of 10 kg that bounced off a block
 * with e = 0.8 had 14 % more energy than both had brought along. With this, an approach u that went uh deep is taken back by
 * γ (1 − e) uh, which strains a body by at most ½ α γ² (1 − e)² u² a unit of mass (α < 2, γ ≤ ½); the blow took ½ (1 − e²) u²,
 * which is more.
 */
function leaveToParting({ normals, count }: Contacts, s: Views, h: number): void {
  gatherRates(slots, s, s.v, true);
  for (let n = 0; n < count; n++) {
    const o = 4 * n;
    relativeInto(u, rows, n, slots, true);
    const parting = u[0] * normals[o] + u[1] * normals[o + 1] + u[2] * normals[o + 2];
    normals[o + 3] -= h * Math.max(0, parting);
  }
}

/**
 * Moves vertex and point apart by γ of the depth, shared by what each side yields. Takes back as well the way that the
 * velocity lost to friction had carried them in this step (obstacles/respond.ts says why). Friction among the displacements
 * themselves was tried twice: cubes of 20 clusters at rest moved on by 30 to 80 mm in a second, without it by 4 to 30.
 */
function relaxPositions(c: Contacts, s: Views, h: number): void {
  const { impulses } = c;
  const sweeps = sweepsOf(c);
  for (const { motion } of meshes) zero(motion, motion.change);
  leaveToParting(c, s, h);
  // Done with velocities along the normal: from here on mass times displacement.
  for (let n = 0; n < c.count; n++) impulses[4 * n + 3] = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    gatherRates(slots, s, undefined, true);
    for (let sweep = 0; sweep < sweeps; sweep++)
      for (let n = 0; n < c.count; n++) if (c.yields[2 * n] > 0) relaxNormal(c, n, true);
    if (pass === PASSES - 1)
      for (let n = 0; n < c.count; n++) {
        for (let a = 0; a < 3; a++) j[a] = h * impulses[4 * n + a];
        pushContact(rows, n, slots, j);
      }
    limitTurns(slots, TURN);
    applyRates(slots, s);
  }
}

/**
 * Turn of a cluster by displacements in one pass (rad), four of which stretch by 2 %. Without a limit an L of 32 particles that
 * was hit at its end, at 9 m/s and with a friction above 1, was four times as long after the blow.
 */
const TURN = 0.05;
