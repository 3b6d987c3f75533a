import { Match } from '../kernels/kernels.js';
import { goalsOf } from '../match/match.js';
import { squared } from '../math/elementary.js';
import { CONTACT_ROW, ContactRow } from '../state/contactRow.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import { groupBodies, NONE } from './groups.js';

/**
 * Keeps contact from adding energy to bodies. Contact impulses remove energy. Position corrections strain the bodies, and the goals turn
 * that strain into speed in the next step. Without this limit one collision in ten of undamped bodies gained energy, up to 90 %.
 *
 * An undamped step conserves E = ½ Σ m v² + Φ − (h/2) Σ v·∇Φ, where the potential Φ has the gradient (α m/h²)(x − g). This follows from the
 * update v += α (g − x)/h, x += h v. (Conserved to 1e-5 in free flight, with the rotation of the covariance.) Contact changes the
 * velocities v of a few particles, then their positions x by δ. E changes by
 *   velocities   Σ ½ m (v'² − v²) − (h/2) (α m/h²) (v' − v)·(x − g)
 *   positions    Σ (α m/h²) δ·((x − g) − (h/2) u + ½ ((x − g)' − (x − g)))
 * Here u is v' without the rigid motion of the particle's clusters, because rigid motion costs no energy. (x − g)' is measured after δ.
 * With f δ in place of δ the change by positions is f L + f² Q. δ is shortened until a group of bodies in contact has no more E in total
 * than when contact began. In most steps that shorten δ, they do so by a few per cent.
 *
 * Tried and rejected:
 * - Correcting only the share `contact.gamma` = 0.3 of each penetration in a step: it leaves resting bodies inside one another.
 * - The bound Q = ½ Σ (α m/h²) δ², which needs no second fit: it removes a fifth of the energy of every bounce, and stacks sink.
 * - Kinetic energy in place of E: it oscillates in an undamped body that vibrates.
 */

/** Smallest share of a penetration that is corrected. Bodies that start inside one another must separate, and that takes energy. */
const LEAST = 0.1;

// Number of particles that contacts may move in this step, and number of clusters that hold them.
let [moved, movedClusterCount] = [0, 0];

/** Stores positions and velocities of the particles in contact. To be called before contacts are resolved. */
export function keepMotion({ kernels }: World, count: number): void {
  moved = kernels.keepMotion(count);
}

/** Stores the goal offsets of the moved particles. To be called between the velocity and the position solve. */
export function keepStrain(world: World): void {
  movedClusterCount = world.kernels.listMovedClusters(moved, world.clusterCount);
  fit(world, Match.RIGID_MOTION);
  world.kernels.strainParticles(moved, true);
}

/** Fits the clusters of the moved particles to the current positions. */
function fit({ kernels, bodies, state: { views: s } }: World, motion: number): void {
  kernels.open();
  for (let n = 0; n < movedClusterCount; n++) {
    const c = s.movedClusters[n];
    const body = bodies[s.bodyOfCluster[c]];
    const mirrored = body.material.inversion === 'mirror' ? Match.REFLECT : 0;
    const law = body.core.law ? Match.STRESS : 0;
    kernels.matchClusters(c, c + 1, goalsOf(body) | law | mirrored | motion);
  }
  kernels.close();
}

/**
 * Columns of `sums`, one row for each group of bodies:
 * - WON: E gained by the velocity solve (J).
 * - LINEAR, SQUARE: L and Q (J).
 * - SPARE: E that the group may still gain (J).
 * - SLOW: additional E allowed because it amounts to speeds below `slow` (J).
 * - RESTITUTION: E that restitution asks for (J).
 * - FACTOR: f.
 * - BODIES: number of bodies.
 * - DRIVEN: 1 if the group touches a moving held particle, else 0.
 */
const [WON, LINEAR, SQUARE, SPARE, SLOW, RESTITUTION, FACTOR, BODIES, DRIVEN, ROW] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
let sums = new Float64Array(ROW * 64);
/** The group of each body (groups.ts). */
let groupOf: Uint32Array = new Uint32Array(64);

/**
 * Shortens the position corrections that would add energy, then applies restitution. To be called after the position solve. Energy that
 * corresponds to speeds below `slow` (m/s) is not counted.
 */
export function bounce(world: World, count: number, slow: number): void {
  const { bodies, kernels, state, h } = world;
  const { views: s } = state;
  if (sums.length < ROW * bodies.length) sums = new Float64Array(2 * ROW * bodies.length);
  sums.fill(0, 0, ROW * bodies.length);
  groupOf = groupBodies(groupOf, s, count, bodies.length);
  openAccounts(world);
  fit(world, 0);
  kernels.strainParticles(moved, false);
  kernels.weighMotion(moved, h);
  sumEnergy(s, slow);
  sumContacts(s, count);
  for (let b = 0; b < bodies.length; b++) if (groupOf[b] === b) shorten(ROW * b);
  takeBack(s);
  limitBounce(s, count);
  kernels.bounceVelocities(count);
  sumBounce(s, h);
  closeAccounts(world);
}

/** Adds the energy that each body had left over from its last contacts, if those were in the previous substep. */
function openAccounts({ bodies, core: { substep } }: World): void {
  for (let b = 0; b < bodies.length; b++) {
    if (groupOf[b] === NONE) continue;
    const row = ROW * groupOf[b];
    const { spareSince, spareEnergy } = bodies[b].core.contactState;
    if (spareSince === substep - 1) sums[row + SPARE] += spareEnergy;
    sums[row + BODIES]++;
  }
}

function closeAccounts({ bodies, core: { substep } }: World): void {
  for (let b = 0; b < bodies.length; b++) {
    if (groupOf[b] === NONE) continue;
    const row = ROW * groupOf[b];
    // Energy gained in excess is a debt (negative), except for the part that corresponds to slow speeds.
    const left = Math.max(sums[row + SPARE], Math.min(0, sums[row + SPARE] + sums[row + SLOW]));
    bodies[b].core.contactState.spareEnergy = sums[row + DRIVEN] ? 0 : left / sums[row + BODIES];
    bodies[b].core.contactState.spareSince = substep;
  }
}

function sumEnergy({ moved: list, goalOffset, bodyOf }: Views, slow: number): void {
  for (let n = 0; n < moved; n++) {
    const row = ROW * groupOf[bodyOf[list[n]]];
    sums[row + WON] += goalOffset[8 * n + 4];
    sums[row + LINEAR] += goalOffset[8 * n + 5];
    sums[row + SQUARE] += goalOffset[8 * n + 6];
    sums[row + SLOW] += 0.5 * goalOffset[8 * n + 7] * slow * slow;
  }
}

/**
 * Sums the energy that restitution asks for (see giveBack in kernels/ts/solveContacts.ts). Marks groups with a moving held particle in
 * contact as driven: such a particle does work on the bodies it touches.
 */
function sumContacts(s: Views, count: number): void {
  const { contactRow, touching, patch, bodyOf } = s;
  for (let k = 0; k < count; k++) {
    const [i, o] = [touching[k], CONTACT_ROW * k];
    const row = ROW * groupOf[bodyOf[i]];
    const e = contactRow[o + ContactRow.RESTITUTION];
    if (e > 0)
      sums[row + RESTITUTION] +=
        (0.5 * e * e * contactRow[o + ContactRow.STOPPED_SQUARES]) / contactRow[o + ContactRow.INVERSE_MASS];
    if (isDriven(s, i) || isDriven(s, patch[8 * k])) sums[row + DRIVEN] = 1;
  }
}

const isDriven = ({ flags, v }: Views, i: number) =>
  (flags[i] & Flag.HELD) !== 0 && (v[4 * i] !== 0 || v[4 * i + 1] !== 0 || v[4 * i + 2] !== 0);

/**
 * Finds f of a group: the largest share of δ, up to 1, with which the group gains no more energy than it may. Then updates the energy that
 * is left.
 */
function shorten(row: number): void {
  const [linear, square] = [sums[row + LINEAR], sums[row + SQUARE]];
  const over = sums[row + WON] - sums[row + SPARE] - sums[row + SLOW];
  let f = 1;
  if (over + linear + square > 0 && sums[row + DRIVEN] === 0) {
    // Q is negative only by rounding, because Φ has its minimum at the goals.
    const least = square > 0 ? -linear / (2 * square) : linear > 0 ? 0 : 1;
    const root = square > 0 ? squared(least) - over / square : 0;
    f = Math.min(1, Math.max(LEAST, least + Math.sqrt(Math.max(0, root))));
  }
  sums[row + FACTOR] = f;
  sums[row + SPARE] -= sums[row + WON] + f * linear + f * f * square;
}

function takeBack({ x, moved: list, beforeContact, bodyOf }: Views): void {
  for (let n = 0; n < moved; n++) {
    const i = list[n];
    const f = sums[ROW * groupOf[bodyOf[i]] + FACTOR];
    if (f === 1) continue;
    for (let a = 0; a < 3; a++)
      x[4 * i + a] = beforeContact[16 * n + a] + f * (x[4 * i + a] - beforeContact[16 * n + a]);
  }
}

/**
 * Scales restitution down to the energy that is left. With a restitution of 1 a stiff body bounces by its strain, and contact impulses
 * supply only the rest.
 */
function limitBounce({ contactRow, touching, bodyOf }: Views, count: number): void {
  for (let k = 0; k < count; k++) {
    const row = ROW * groupOf[bodyOf[touching[k]]];
    if (sums[row + DRIVEN] || sums[row + RESTITUTION] <= Math.max(0, sums[row + SPARE])) continue;
    contactRow[CONTACT_ROW * k + ContactRow.RESTITUTION] *= Math.sqrt(
      Math.max(0, sums[row + SPARE]) / sums[row + RESTITUTION],
    );
  }
}

/** Subtracts the energy that restitution did add. */
function sumBounce({ v, x, moved: list, beforeContact, bodyOf, goalOffset }: Views, h: number): void {
  for (let n = 0; n < moved; n++) {
    const i = list[n];
    const row = ROW * groupOf[bodyOf[i]];
    if (sums[row + RESTITUTION] === 0) continue;
    const m = x[4 * i + 3];
    const pull = (0.5 * m) / h;
    for (let a = 0; a < 3; a++) {
      const [now, then, off] = [v[4 * i + a], beforeContact[16 * n + 4 + a], beforeContact[16 * n + 8 + a]];
      const offNow = off + sums[row + FACTOR] * (goalOffset[8 * n + a] - off);
      sums[row + SPARE] -= (now - then) * (0.5 * m * (now + then) - pull * offNow);
    }
  }
}
