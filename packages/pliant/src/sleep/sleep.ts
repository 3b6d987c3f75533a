import type { Body } from '../body/body.js';
import { groupsMeet } from '../groups.js';
import { exp } from '../math/elementary.js';
import type { Collider } from '../obstacles/collider.js';
import { beyondBoxes } from '../proxy/contactShape.js';
import type { Views } from '../state/layout.js';
import { pseudoInverseInto } from '../state/members.js';
import type { World } from '../world.js';
import { TREMBLING } from './heap.js';
import type { RestState } from './restState.js';
import { watchRolling } from './watchRolling.js';

/**
 * Sleeping: bodies at rest are not stepped, and cost nothing until something touches them. Bodies in contact fall asleep together, when the
 * last of them has been slow for a while. Otherwise the lower half of a pile would freeze under the upper. A few bodies that only tremble
 * do not keep a whole heap awake (heap.ts).
 */

/** Number of checks of a body within the time `sleepAfter`. */
const CHECKS = 2;
/** Looks at a body between two checks. A swing whose period is the time between checks is where it was at each of them, but not between. */
const LOOKS = 8;
/** Σ (k − 4.5) k/8 over the looks k = 1 to 8 at a body that moves by 1 between two checks. */
const TREND = (LOOKS * LOOKS - 1) / 12;

/** Start of a step: an obstacle that moves, or was switched on or off, wakes the bodies it comes near in the step. */
export function wakeNearColliders({ bodies, core: { allColliders: colliders }, state, time, h }: World): void {
  for (const collider of colliders) {
    if (collider.switched || (collider.enabled && !collider.stands)) {
      collider.foresee(time, h);
      for (const body of bodies) {
        // A collider whose groups do not meet the body does not wake it, unless its groups have just changed: then a body that lay on it
        // falls.
        if (!body.asleep || !(collider.switched || groupsMeet(body.groups, collider.groups))) continue;
        if (comesNear(state.views, collider, body)) body.wake();
      }
    }
    collider.switched = false;
  }
}

function comesNear({ treeBox: t }: Views, { shape, bounds: b }: Collider, { rows, core: { contact } }: Body): boolean {
  // Only planes have no shape; they extend everywhere.
  if (!shape) return true;
  const o = 16 * rows.clusterStart;
  const beyond = beyondBoxes(contact);
  for (let a = 0; a < 3; a++) if (b[a] > t[o + 4 + a] + beyond || t[o + a] - beyond > b[3 + a]) return false;
  return true;
}

/** End of a step: measures the speed of every body, and puts heaps of slow bodies to sleep. */
export function fallAsleep(world: World): void {
  const { bodies, state, h, sleepSpeed, sleepAfter } = world;
  watchBodies(world);
  if (sleepSpeed === 0) return;
  passSupport(world);
  let ready = false;
  const window = sleepAfter / CHECKS;
  for (const body of bodies) {
    if (!body.active) continue;
    const { particleStart, particleEnd } = body.rows;
    const rest = body.core.restState;
    rest.speed = Math.sqrt(rest.squaredWays / (particleEnd - particleStart)) / h;
    const before = rest.sinceCheck;
    rest.sinceCheck += h;
    const isChecked = rest.sinceCheck >= window;
    const look = Math.min(LOOKS, Math.floor((LOOKS * rest.sinceCheck) / window));
    if (!isChecked && look === Math.floor((LOOKS * before) / window)) continue;
    // A body that floats freely keeps its momentum, however slowly it drifts.
    const slow = (rest.grounded ? 1 : AFLOAT) * sleepSpeed * body.size;
    const start = 4 * particleStart;
    const end = 4 * particleEnd;
    const { x } = state.views;
    // The first check knows no earlier positions.
    if (rest.checkedPositions.length !== end - start) rest.checkedPositions = new Float32Array(end - start);
    // Displacement since the last check: a particle that trembles in place has not moved.
    measureWays(ways, world, body);
    const moved = ways.whole / Math.max(rest.sinceCheck, window);
    // A body that stands on obstacles alone and tips is not at rest; sheets and cords do not tip. In a heap, and where bodies hang, the motion as a whole is braked: there it is trembling or a swing.
    const drifting = rest.isPressed && !rest.touching && !body.core.thin ? ways.whole : ways.shape;
    const bent = drifting / Math.max(rest.sinceCheck, window);
    rest.trend += (look - (LOOKS + 1) / 2) * bent;
    const gained = isChecked ? rest.sinceCheck : 0;
    rest.slowTime = moved <= slow ? rest.slowTime + gained : 0;
    rest.tremblingTime = moved <= TREMBLING * slow ? rest.tremblingTime + gained : 0;
    if (!isChecked) continue;
    // Not 0, at which bodies wake those that they touch.
    if (rest.check(moved, bent, TREND) > DRIFTING * slow && rest.tremblingTime < LONGEST_DRIFT * sleepAfter)
      rest.slowTime = Math.min(rest.slowTime, h);
    rest.checkedPositions.set(x.subarray(start, end));
    rest.sinceCheck = 0;
    ready ||= rest.slowTime >= sleepAfter;
  }
  brakeSlowBodies(world);
  if (!ready) return;
  for (const { core } of bodies) core.restState.heap.clear();
  for (const { a, b } of world.contactPairs())
    if (!a.asleep && !b.asleep) a.core.restState.heap.join(b.core.restState.heap);
  for (const {
    active,
    core: { restState },
  } of bodies)
    if (active) restState.heap.add(restState.slowTime, restState.tremblingTime, sleepAfter);
  for (const body of bodies) if (body.active && body.core.restState.heap.fallsAsleep) body.sleep();
}

/**
 * A body that drifts by more than this share of the sleeping speed is not at rest. The brake makes a body creep that is out of balance: at the
 * speed of its acceleration over the rate of braking, which is below the sleeping speed even with a tenth of its weight.
 */
const DRIFTING = 1 / 8;
/** A body that has at most trembled for this many times `sleepAfter` sleeps though it drifts: in a pile some always do. */
const LONGEST_DRIFT = 4;
/** Grounded bodies slower than this many times the sleeping speed are braked. */
const DROWSY = 6;
/**
 * Rate of braking (1/s) of a body at rest: after a second e^−20 of its velocity is left. The rate falls to 0 at DROWSY times the sleeping
 * speed.
 */
const BRAKE = 20;

/** Share of the sleeping speed below which a body without support counts as slow. */
const AFLOAT = 0.001;

/**
 * Marks bodies that an obstacle, a clamp, a pick or a pin supports as grounded, sleeping bodies too, as they do not move, and all bodies in
 * contact with grounded ones.
 */
function passSupport({ bodies, picks, core: { allClamps, pairs } }: World): void {
  for (const clamp of allClamps) {
    if (clamp.holding && !clamp.moves) clamp.ground();
    clamp.moved = false;
  }
  for (const pick of picks) {
    if (!pick.moved) pick.body.core.restState.grounded = true;
    pick.moved = false;
  }
  for (const body of bodies) if (body.pinnedCount > 0 || body.asleep) body.core.restState.grounded = true;
  for (let spread = true; spread; ) {
    spread = false;
    for (const { a, b } of pairs.list) {
      if (a.core.restState.grounded === b.core.restState.grounded) continue;
      a.core.restState.grounded = b.core.restState.grounded = true;
      spread = true;
    }
  }
}

/**
 * Brakes slow bodies that are grounded, directly or through others. Without this a heap of soft bodies trembles for long, because each
 * contact is solved on its own. Bodies in free flight are not braked, however slow they are. Bodies that touch no other and keep drifting, though they are braked, are on their
 * way to where they are in balance, and are let go there.
 */
function brakeSlowBodies({ bodies, kernels, h, sleepSpeed }: World): void {
  for (const body of bodies) {
    const {
      rows,
      core: { restState },
      size,
    } = body;
    const slow = 1 - restState.speed / (DROWSY * sleepSpeed * size);
    if (body.active && restState.grounded && slow > 0)
      kernels.brakeParticles(rows.particleStart, rows.particleEnd, exp(-BRAKE * slow * (1 - drivenOf(restState)) * h));
    restState.grounded = false;
  }
}

/** Particles of a body by which its ways are measured. They lie along a curve that fills the body, so that every so many of them are spread evenly over it. */
const SAMPLES = 512;

/**
 * In a heap the trembling of neighbours drives shapes on, and there is no balance that a body would come to: fifty bodies slept after 5.5 s instead of 4.5.
 */
const drivenOf = ({ driven, touching }: RestState) => (touching ? 0 : driven);

/** Notes which bodies touch others, and watches how bodies on obstacles roll. */
function watchBodies(world: World): void {
  const { bodies, core } = world;
  for (const body of bodies) body.core.restState.touching = false;
  for (const { a, b } of core.pairs.list) a.core.restState.touching = b.core.restState.touching = true;
  for (const body of bodies) if (body.active) watchRolling(world, body);
}

/**
 * Ways of a body's particles since the last check (m): `whole` is their root mean square, `shape` that of what no small rigid motion explains.
 */
function measureWays(out: Ways, { kernels, state: { views } }: World, { rows, core: { restState } }: Body): void {
  const { particleStart, particleEnd } = rows;
  const every = Math.max(1, Math.floor((particleEnd - particleStart) / SAMPLES));
  const n = Math.ceil((particleEnd - particleStart) / every);
  // No stage of this substep reads it any more.
  const { vOld } = views;
  const { checkedPositions: checked } = restState;
  // To copy all is faster than to pick every second or third.
  if (every < 4) vOld.set(checked, 4 * particleStart);
  else
    for (let o = 0, to = 4 * particleStart; o < checked.length; o += 4 * every, to += 4 * every) {
      vOld[to] = checked[o];
      vOld[to + 1] = checked[o + 1];
      vOld[to + 2] = checked[o + 2];
    }
  kernels.sumMoves(sums, particleStart, particleEnd, every);
  inertia[0] = sums[7] + sums[8];
  inertia[4] = sums[6] + sums[8];
  inertia[8] = sums[6] + sums[7];
  inertia[1] = inertia[3] = -sums[9];
  inertia[2] = inertia[6] = -sums[10];
  inertia[5] = inertia[7] = -sums[11];
  pseudoInverseInto(inverse, 0, inertia);
  const sx = sums[0];
  const sy = sums[1];
  const sz = sums[2];
  const tz = sums[3];
  const tx = sums[4];
  const ty = sums[5];
  const sum = sums[12];
  const turned =
    tx * (inverse[0] * tx + 2 * inverse[3] * ty + 2 * inverse[6] * tz) +
    ty * (inverse[4] * ty + 2 * inverse[7] * tz) +
    inverse[8] * tz * tz;
  out.whole = Math.sqrt(sum / n);
  out.shape = Math.sqrt(Math.max(0, sum - (sx * sx + sy * sy + sz * sz) / n - turned) / n);
}

/** Results of kernels.sumMoves. */
const sums = new Float64Array(16);

interface Ways {
  whole: number;
  shape: number;
}
const ways: Ways = { whole: 0, shape: 0 };
const inertia = new Float64Array(9);
const inverse = new Float64Array(9);
