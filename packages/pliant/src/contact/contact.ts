import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import { Flag } from '../state/flags.js';
import { UNTOUCHED, type Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { World } from '../world.js';
import { displace } from './displace.js';
import { updateFlowedRest } from './flowedRest.js';
import { reportContacts } from './report.js';
import { solveContacts } from './solve.js';
import { solveSelf } from './solveSelf.js';
import { meetSurfaces } from './surfaces.js';

/** Spacings that two bodies may come nearer in a step for their surfaces alone to be tested. */
const FAST = 0.5;

/** Numbers the rounds of contact of all worlds; a proxy is placed once in a round. */
let round = 0;

/**
 * Bodies against each other and themselves (SPEC K2). Boxes of the clusters are fitted, the particles that come near another body
 * go down its tree of boxes to the proxies that they may be in, and all contacts found are resolved together.
 */
export function contact(world: World): void {
  const { views: s } = world.state;
  boundBodies(world);
  const count = findContacts(world);
  // What falling for one step adds to the speed of a resting particle; twice that is not a bounce.
  const [gx, gy, gz] = world.gravity;
  const slow = 2 * Math.sqrt(gx * gx + gy * gy + gz * gz) * world.h;
  own.length = 0;
  if (count > 0) {
    if (world.bodies.some(isAsleep)) for (let k = 0; k < count; k++) wakeByTouch(world, s, s.touching[k]);
    const left = displace(world, count);
    noteMeetings(world);
    const others = left > 0 ? partSelf(s, left) : 0;
    const all = others + own.length;
    if (all > 0) world.kernels.describeContacts(all);
    if (others > 0) solveContacts(world, others, slow);
    reportContacts(world, s, others);
    noteMeetings(world);
    if (own.length > 0) solveSelf(world, others, all, slow);
    for (let k = 0; k < all; k++) s.touchCluster[s.touching[k]] = UNTOUCHED;
  }
  meetSurfaces(world, slow);
  noteMeetings(world);
  world.core.pairs.close(world);
}

/** A body that has touched another takes the rotation that exerts no torque from then on (`goalsOf`). */
function noteMeetings({ core: { pairs }, frame }: World): void {
  for (const pair of pairs.list) {
    if (pair.frame !== frame) continue;
    pair.a.core.history.noteMeeting();
    pair.b.core.history.noteMeeting();
  }
}

/** The boxes of sleeping bodies are still right. */
function boundBodies({ bodies, kernels, state }: World): void {
  for (const body of bodies) {
    const {
      rows,
      core: { contact },
    } = body;
    if (contact.settings.mode === 'none' || !body.active) continue;
    body.core.contactState.stride = strideOf(state.views, rows);
    kernels.boundParticles(rows.particleStart, rows.particleEnd);
    kernels.boundClusters(rows.clusterStart, rows.clusterEnd, contact.pad);
  }
}

/** Lists the particles in contact in `touching`; returns how many there are. */
function findContacts(world: World): number {
  const {
    bodies,
    kernels,
    core: { sweep },
  } = world;
  round = (round + 1) >>> 0;
  let touched = 0;
  sweep.find(world);
  for (let n = 0; n < sweep.count; n++) {
    const [p, q] = [bodies[sweep.first[n]], bodies[sweep.second[n]]];
    if (p.core.surface && q.core.surface) continue;
    touched = across(world, p, q, touched);
    touched = across(world, q, p, touched);
  }
  for (const body of bodies)
    if (
      body.active &&
      body.core.contact.settings.self &&
      body.core.contact.settings.mode !== 'none' &&
      !body.core.surface
    )
      touched = within(world, body, touched);
  return touched > 0 ? kernels.measureTouches(touched) : 0;
}

/** Particles of p against the clusters of q. */
function across({ kernels, state: { views }, h }: World, p: Body, q: Body, touched: number): number {
  const { particleStart, particleEnd } = p.rows;
  const { clusterStart } = q.rows;
  const slow = p.core.contactState.stride + q.core.contactState.stride <= FAST * views.proxySpacing[clusterStart];
  const skip = slow && q.core.contact.knowsSurface ? Flag.INNER : 0;
  const margin = p.core.contact.pad;
  return kernels.touchAcross(particleStart, particleEnd, clusterStart, margin, skip, slow, h, round, touched);
}

function within({ kernels, state: { views }, h, frame }: World, body: Body, touched: number): number {
  const { contact } = body.core;
  const { clusterStart, clusterEnd } = body.rows;
  updateFlowedRest(views, body, frame);
  const slow = 2 * body.core.contactState.stride <= FAST * views.proxySpacing[clusterStart];
  // Surface meets surface: what comes near a cluster from within is compressed.
  const skip = contact.knowsSurface ? Flag.INNER : 0;
  return kernels.touchWithin(clusterStart, clusterEnd, contact.pad, skip, slow, h, round, touched);
}

/**
 * Sorts the first `count` contacts of `touching`: those between bodies first, then those of bodies with themselves, both by particle, as the order in
 * which contacts were found depends on the trees. Returns how many are between bodies; the others are in `own` too.
 */
function partSelf(s: Views, count: number): number {
  const { touching, bodyOf, bodyOfCluster, touchCluster } = s;
  const list = touching.subarray(0, count).sort();
  let others = 0;
  own.length = 0;
  for (let k = 0; k < count; k++) {
    const i = list[k];
    if (bodyOf[i] !== bodyOfCluster[touchCluster[i]]) list[others++] = i;
    else if (hasComeIn(s, i)) own.push(i);
    else touchCluster[i] = UNTOUCHED;
  }
  list.set(own, others);
  return others;
}
const own: number[] = [];

/**
 * Depth (spacings) that a contact of a body with itself may have beside what the particle came in this step. What is deeper did not come through
 * the surface: it is the body, compressed, and left to its elasticity.
 */
const DEEPEST = 1.5;

function hasComeIn({ x, xOld, touch, touchCluster, proxyFrame, proxySpacing }: Views, i: number): boolean {
  const c = touchCluster[i];
  let came = 0;
  for (let a = 0; a < 3; a++) came -= touch[4 * i + a] * (x[4 * i + a] - xOld[4 * i + a] - proxyFrame[20 * c + 16 + a]);
  return touch[4 * i + 3] <= DEEPEST * proxySpacing[c] + Math.max(0, came);
}

const isAsleep = ({ asleep }: Body) => asleep;

/** A body that is not about to fall asleep itself wakes the one it touches. */
function wakeByTouch({ bodies }: World, s: Views, i: number): void {
  const a = bodies[s.bodyOf[i]];
  const b = bodies[s.bodyOfCluster[s.touchCluster[i]]];
  if (a.asleep && b.core.restState.slowTime === 0) a.wake();
  if (b.asleep && a.core.restState.slowTime === 0) b.wake();
}

/** How far a body's particles went in this step (m), root mean square of a few of them. */
function strideOf({ x, xOld }: Views, { particleStart, particleEnd }: Rows): number {
  const step = Math.ceil((particleEnd - particleStart) / SAMPLE);
  let [sum, count] = [0, 0];
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4 * step) {
    sum += squared(x[o] - xOld[o]) + squared(x[o + 1] - xOld[o + 1]) + squared(x[o + 2] - xOld[o + 2]);
    count++;
  }
  return Math.sqrt(sum / count);
}
const SAMPLE = 64;
