import type { Body } from '../body/body.js';
import { groupsMeet } from '../groups.js';
import { exp } from '../math/elementary.js';
import type { Collider } from '../obstacles/collider.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import { TREMBLING } from './heap.js';

/**
 * Bodies that have come to rest are not stepped: they cost nothing until something touches them. Bodies in contact fall asleep
 * together, when the last of them has been slow for a while; otherwise the lower half of a pile would freeze under the upper. But a few that
 * only tremble do not keep a whole heap awake.
 */

/** How often a body is looked at while it may fall asleep. */
const CHECKS = 2;

/** Start of a step: an obstacle that moves, or has come or gone, wakes what it comes near in the step. */
export function wakeNearColliders({ bodies, core: { allColliders: colliders }, state, time, h }: World): void {
  for (const collider of colliders) {
    if (collider.switched || (collider.enabled && !collider.stands)) {
      collider.foresee(time, h);
      for (const body of bodies) {
        // One that passes through everything near it wakes nothing, unless it has become so just now: then what lay on it falls.
        if (!body.asleep || !(collider.switched || groupsMeet(body.groups, collider.groups))) continue;
        if (comesNear(state.views, collider, body)) body.wake();
      }
    }
    collider.switched = false;
  }
}

function comesNear({ treeBox: t }: Views, { shape, bounds: b }: Collider, { rows }: Body): boolean {
  // A plane is everywhere.
  if (!shape) return true;
  const o = 16 * rows.clusterStart;
  for (let a = 0; a < 3; a++) if (b[a] > t[o + 4 + a] || t[o + a] > b[3 + a]) return false;
  return true;
}

/** End of a step: how fast every body moved, and which groups of touching bodies go to sleep. */
export function fallAsleep(world: World): void {
  const { bodies, state, h, sleepSpeed, sleepAfter } = world;
  if (sleepSpeed === 0) return;
  passSupport(world);
  let ready = false;
  for (const body of bodies) {
    if (!body.active) continue;
    const [start, end] = [4 * body.rows.particleStart, 4 * body.rows.particleEnd];
    const { x, xOld } = state.views;
    const rest = body.core.restState;
    rest.speed = rmsDistance(x, start, xOld, start, end - start) / h;
    rest.sinceCheck += h;
    if (rest.sinceCheck < sleepAfter / CHECKS) continue;
    // How far it has come since it was last looked at: a particle that trembles in its place has not moved.
    if (rest.checkedPositions.length !== end - start) rest.checkedPositions = new Float32Array(end - start);
    const moved = rmsDistance(x, start, rest.checkedPositions, 0, end - start) / rest.sinceCheck;
    // What floats freely keeps its momentum, however slow it drifts.
    const slow = (rest.grounded ? 1 : AFLOAT) * sleepSpeed * body.size;
    rest.slowTime = moved <= slow ? rest.slowTime + rest.sinceCheck : 0;
    rest.tremblingTime = moved <= TREMBLING * slow ? rest.tremblingTime + rest.sinceCheck : 0;
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

/** Bodies slower than this many times the sleeping speed are braked, if they rest on something. */
const DROWSY = 6;
/** Share of the velocity that such a body loses, at rest, in a second: e^−20 is left. */
const BRAKE = 20;

/** Share of the sleeping speed below which a body that rests on nothing counts as standing still. */
const AFLOAT = 0.001;

/** Bodies that an obstacle, a clamp or a hand supports, and all that lie on these. */
function passSupport({ bodies, picks, core: { allClamps, pairs } }: World): void {
  for (const clamp of allClamps) {
    if (clamp.holding && !clamp.moves) clamp.ground();
    clamp.moved = false;
  }
  for (const pick of picks) {
    if (!pick.moved) pick.body.core.restState.grounded = true;
    pick.moved = false;
  }
  for (const body of bodies) if (body.pinnedCount > 0) body.core.restState.grounded = true;
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
 * A heap of soft bodies would tremble for long: each contact is solved on its own. What hardly moves and lies on an
 * obstacle or is held, by itself or over others, is braked. Bodies in free flight are not, however slow.
 */
function brakeSlowBodies({ bodies, state: { views }, h, sleepSpeed }: World): void {
  for (const body of bodies) {
    const {
      rows,
      core: { restState },
      size,
    } = body;
    const slow = 1 - restState.speed / (DROWSY * sleepSpeed * size);
    if (body.active && restState.grounded && slow > 0) {
      const keep = exp(-BRAKE * slow * h);
      for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o++) views.v[o] *= keep;
    }
    // Sleeping bodies lie where they lay.
    if (body.active) restState.grounded = false;
  }
}

/** Root mean square of the distances between `length`/4 particles at p[a…] and q[b…]. */
function rmsDistance(p: Float32Array, a: number, q: Float32Array, b: number, length: number): number {
  let sum = 0;
  for (let o = 0; o < length; o += 4) {
    const dx = p[a + o] - q[b + o];
    const dy = p[a + o + 1] - q[b + o + 1];
    const dz = p[a + o + 2] - q[b + o + 2];
    sum += dx * dx + dy * dy + dz * dz;
  }
  return Math.sqrt((4 * sum) / length);
}
