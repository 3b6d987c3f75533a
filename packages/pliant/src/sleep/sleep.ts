import type { Body } from '../body/body.js';
import { groupsMeet } from '../groups.js';
import { exp } from '../math/elementary.js';
import type { Collider } from '../obstacles/collider.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import { TREMBLING } from './heap.js';

/**
 * Sleeping: bodies at rest are not stepped, and cost nothing until something touches them. Bodies in contact fall asleep together, when the
 * last of them has been slow for a while. Otherwise the lower half of a pile would freeze under the upper. A few bodies that only tremble
 * do not keep a whole heap awake (heap.ts).
 */

/** Number of checks of a body within the time `sleepAfter`. */
const CHECKS = 2;
/** Looks at a body between two checks. A swing whose period is the time between checks is where it was at each of them, but not between. */
const LOOKS = 8;

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

function comesNear({ treeBox: t }: Views, { shape, bounds: b }: Collider, { rows }: Body): boolean {
  // Only planes have no shape; they extend everywhere.
  if (!shape) return true;
  const o = 16 * rows.clusterStart;
  for (let a = 0; a < 3; a++) if (b[a] > t[o + 4 + a] || t[o + a] > b[3 + a]) return false;
  return true;
}

/** End of a step: measures the speed of every body, and puts heaps of slow bodies to sleep. */
export function fallAsleep(world: World): void {
  const { bodies, kernels, state, h, sleepSpeed, sleepAfter } = world;
  if (sleepSpeed === 0) return;
  passSupport(world);
  let ready = false;
  const window = sleepAfter / CHECKS;
  for (const body of bodies) {
    if (!body.active) continue;
    const { particleStart, particleEnd } = body.rows;
    const rest = body.core.restState;
    rest.speed = Math.sqrt(kernels.sumSquaredWays(particleStart, particleEnd) / (particleEnd - particleStart)) / h;
    const before = rest.sinceCheck;
    rest.sinceCheck += h;
    const isChecked = rest.sinceCheck >= window;
    if (!isChecked && Math.floor((LOOKS * rest.sinceCheck) / window) === Math.floor((LOOKS * before) / window))
      continue;
    // A body that floats freely keeps its momentum, however slowly it drifts.
    const slow = (rest.grounded ? 1 : AFLOAT) * sleepSpeed * body.size;
    const [start, end] = [4 * particleStart, 4 * particleEnd];
    const { x } = state.views;
    // The first check knows no earlier positions.
    if (rest.checkedPositions.length !== end - start) rest.checkedPositions = new Float32Array(end - start);
    // Displacement since the last check: a particle that trembles in place has not moved.
    const moved = rmsDistance(x, start, rest.checkedPositions) / Math.max(rest.sinceCheck, window);
    const gained = isChecked ? rest.sinceCheck : 0;
    rest.slowTime = moved <= slow ? rest.slowTime + gained : 0;
    rest.tremblingTime = moved <= TREMBLING * slow ? rest.tremblingTime + gained : 0;
    if (!isChecked) continue;
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
 * contact is solved on its own. Bodies in free flight are not braked, however slow they are.
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
      kernels.brakeParticles(rows.particleStart, rows.particleEnd, exp(-BRAKE * slow * h));
    restState.grounded = false;
  }
}

/** Root mean square of the distances between the particles at p[a…] and those at q. */
function rmsDistance(p: Float32Array, a: number, q: Float32Array): number {
  let sum = 0;
  for (let o = 0; o < q.length; o += 4) {
    const dx = p[a + o] - q[o];
    const dy = p[a + o + 1] - q[o + 1];
    const dz = p[a + o + 2] - q[o + 2];
    sum += dx * dx + dy * dy + dz * dz;
  }
  return Math.sqrt((4 * sum) / q.length);
}
