import { squared } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import { buildRows, newContactRows, pushContact, relativeInto, yieldsInto } from './contactRows.js';
import type { Contacts } from './contacts.js';
import { applyChange, blendChange, clearMotion, squaredChange, zero } from './motion.js';
import { applyRates, clearSlots, gatherRates, limitTurns, measureSlots, newSlots, openSlots } from './slots.js';

/**
 * A pass gathers the velocities of the particles into their clusters, sweeps over the contacts, and writes the changes back to the
 * particles. A cube of four clusters at rest on a slab drifts at 17 mm/s with 2 passes of 6 sweeps, at 10 with 4 of 4 (same cost), at 3
 * with 8 of 30.
 *
 * Contacts that lie close together converge slowly. A ball of 1 m on its four or five vertices rolls off at 29 mm/s with 4 sweeps a pass
 * and creeps at 0.6 with 64. So a small number of contacts is swept more often, at a cost of about a third of a millisecond. With that, the
 * same ball of 1, 4, 8 or 20 clusters moves by 0.6, 1, 9 and 9 mm in the sixth second; without it by 29, 20, 46 and 36. (These numbers are
 * for one landing place of many; over all of them, balls of 8 clusters move by 7 to 50.)
 *
 * Tried and rejected:
 * - Sweeps forth and back: 59 mm/s for 2 passes of 6, which is worse.
 * - Over-relaxation: no difference.
 * - Warm start from the impulses of the previous step: 4.5 mm/s, but then a step depends on more than the state, and a restored snapshot
 * would continue differently (SPEC Q1).
 */
const PASSES = 4;
const SWEEPS = 4;
const MOST_SWEEPS = 64;
/** Budget of contact relaxations for a pass; contacts are swept more than SWEEPS times while it lasts. */
const RELAXATIONS = 512;

// Scratch, sized for the largest number of contacts so far. u: velocity or displacement of a vertex relative to its point; j: impulse.
const slots = newSlots();
/** Contact meshes that `respond` solves; contacts refer to them by their index here. */
export const { meshes } = slots;
const rows = newContactRows();
const u = new Float64Array(3);
const j = new Float64Array(3);

/**
 * Changes velocities, then positions, of all `meshes` by all their contacts. Returns Σ |J| (N s).
 *
 * Contacts are relaxed one after the other (projected Gauss–Seidel) as if clusters were separate bodies. The changes of the clusters are
 * then distributed to their particles. A particle of several clusters moves with their average, which has less energy than the clusters. So
 * the compliance K̂ of the separate clusters bounds that of the particles, K̂ ⪰ K, and
 *
 *     ΔE = Σ u·J + ½ Σ J·K J ≤ Σ u·J + ½ Σ J·K̂ J ≤ 0.
 *
 * The last inequality holds because every single relaxation removes energy. The next pass supplies the remaining impulse.
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

/** Writes `given` and returns Σ |J|. To be called before displacements overwrite the impulses. */
function sumImpulses({ impulses, normals, given, count }: Contacts): number {
  let sum = 0;
  for (let n = 0; n < count; n++) {
    const o = 4 * n;
    for (let a = 0; a < 3; a++) given[3 * n + a] = impulses[o + a] + impulses[o + 3] * normals[o + a];
    sum += Math.sqrt(squared(given[3 * n]) + squared(given[3 * n + 1]) + squared(given[3 * n + 2]));
  }
  return sum;
}

/** Sets up slots and rows of all contacts, their velocity per impulse, and their velocity before the response. */
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
 * Limit on the depth that one call corrects, as a share of the smaller body's diagonal. Displacements strain a body, and the strain turns
 * into motion. The depth that arose in this step may be corrected in full. This share is added for depth from earlier steps, and for depth
 * that a direction across the motion overstates. Without the limit, a torus of 42 kg that hit a box at 8 m/s (e = ½, μ = 0.8) left the two
 * with a fifth more energy than before.
 */
const PATIENCE = 0.003;

/** Limits the depth of contact n. `u` must hold its velocity. */
function limitDepth({ normals, laws, meshes: of }: Contacts, n: number, h: number): void {
  const o = 4 * n;
  const approach = -(u[0] * normals[o] + u[1] * normals[o + 1] + u[2] * normals[o + 2]);
  const size = Math.min(meshes[of[2 * n]].size, meshes[of[2 * n + 1]].size);
  normals[o + 3] = Math.min(normals[o + 3], (h * Math.max(0, approach) + PATIENCE * size) / laws[o + 2]);
}

const sweepsOf = ({ count }: Contacts) => Math.max(SWEEPS, Math.min(MOST_SWEEPS, Math.floor(RELAXATIONS / count)));

/** Removes the approaching velocity, and as much of the sliding velocity as friction up to μ times the normal impulse can. */
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
 * Stops the approach or, with `apart`, separates the contact by γ of its depth. The impulse pushes and never pulls.
 *
 * With `apart` no contact gives more than it would need alone. Two contacts with almost opposite directions, of which a body in contact
 * with itself has dozens, could be satisfied together only by a large displacement across them. Without the limit this stretched a torus to
 * seven times its size.
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

/** Coulomb friction: the tangential impulse stops the sliding, but is at most μ times the normal impulse. */
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
 * Energy that the impulses removed (J), in a frame in which held particles do no work: −(Σ J·u + ½ Σ m |Δv|²). The result is never
 * negative. Normal impulses alone remove energy in every sweep, but a friction cone that shrinks while friction is relaxed could add some.
 * Then all impulses are shortened until they add none.
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
 * Poisson's restitution: applies e times the normal impulses that stopped the approach once more. Without friction that returns e² of the
 * energy `lost`. No more than that is returned, although impulses that squeeze a body from several sides would give more.
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
    // From here on before[3 n] holds the restitution impulse.
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
 * Reduces the depth by the distance that the separating velocity will cover in the next step. Without this, an L of 10 kg that bounced off
 * a block with e = 0.8 left the two with 14 % more energy than before. With it, an approach u that went u h deep is corrected by γ (1 − e)
 * u h. That strains a body by at most ½ α γ² (1 − e)² u² per unit of mass (α < 2, γ ≤ ½), which is less than the ½ (1 − e²) u² that the
 * impact removed.
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
 * Separates vertex and point by γ of the depth, shared by their mobilities. Also takes back the displacement in this step by the velocity
 * that friction removed (obstacles/respond.ts gives the reason). Friction among the displacements themselves was tried twice and lost:
 * cubes of 20 clusters at rest drifted by 30 to 80 mm in a second, without it by 4 to 30.
 */
function relaxPositions(c: Contacts, s: Views, h: number): void {
  const { impulses } = c;
  const sweeps = sweepsOf(c);
  for (const { motion } of meshes) zero(motion, motion.change);
  leaveToParting(c, s, h);
  // From here on the normal component holds mass times displacement (kg m).
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
 * Largest rotation of a cluster by displacements in one pass (rad). Rotations of this size in four passes stretch by 2 %. Without a limit
 * an L of 32 particles that was hit at its end, at 9 m/s with a friction above 1, was four times as long after the impact.
 */
const TURN = 0.05;
