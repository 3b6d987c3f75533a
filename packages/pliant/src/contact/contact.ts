import type { Body } from '../body/body.js';
import type { Kernels } from '../kernels/kernels.js';
import { squared } from '../math/elementary.js';
import { beyondBoxes, boxPad } from '../proxy/contactShape.js';
import { Flag } from '../state/flags.js';
import { UNTOUCHED, type Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { World } from '../world.js';
import { meetsByMiddle } from './byMiddle.js';
import { isCalm } from './calm.js';
import { displace, displacesBodies } from './displace.js';
import { updateFlowedRest } from './flowedRest.js';
import { narrowReach, widenReach } from './foresee.js';
import { reportContacts } from './report.js';
import { resistRolling } from './rolling.js';
import { solveContacts } from './solve.js';
import { solveSelf } from './solveSelf.js';
import { meetSurfaces } from './surfaces.js';
import { wakeTouched } from './wakeTouched.js';

/** Largest approach in one step, in spacings, at which testing only the surfaces of two bodies is enough. */
const FAST = 0.5;

/** Counts the contact stages of all worlds. A proxy is placed once in a round. */
let round = 0;

/**
 * Contact of bodies with each other and with themselves (SPEC K2). The boxes of the clusters are fitted. Particles near another body
 * descend its tree of boxes to the proxies that they may be in. All contacts found are resolved together.
 */
export function contact(world: World): void {
  const { views: s } = world.state;
  boundBodies(world);
  const widened = widenReach(world);
  const displaced = displacesBodies(world);
  // Displaced bodies part from themselves at any depth.
  let count = findContacts(world, displaced ? Number.POSITIVE_INFINITY : DEEPEST);
  if (widened) count = narrowReach(world, count);
  // Twice the speed that gravity adds in one step: an approach below it is rest, not a bounce.
  const [gx, gy, gz] = world.gravity;
  const slow = 2 * Math.sqrt(gx * gx + gy * gy + gz * gz) * world.h;
  own.length = 0;
  if (count > 0) {
    if (world.bodies.some(isAsleep))
      for (let k = 0; k < count; k++) if (s.touch[4 * s.touching[k] + 3] > 0) wakeByTouch(world, s, s.touching[k]);
    const undisplaced = displaced ? displace(world, count) : count;
    const others = undisplaced > 0 ? partSelf(s, undisplaced, displaced) : 0;
    const all = others + own.length;
    const { rigidContacts: left } = world.core;
    left.first = partRigid(world, s, others);
    left.last = others;
    if (all > 0) world.kernels.describeContacts(all);
    if (left.first > 0) solveContacts(world, left.first, slow);
    reportContacts(world, s, 0, left.first);
    resistRolling(world, left.first);
    if (own.length > 0) solveSelf(world, others, all, slow);
    // Solving contacts of bodies with themselves may replace the views.
    const { touching, touchCluster } = world.state.views;
    for (let k = 0; k < all; k++) if (k < left.first || k >= left.last) touchCluster[touching[k]] = UNTOUCHED;
  }
  meetSurfaces(world, slow);
}

/** Ends the contact of bodies, after the contacts of rigid bodies were solved. */
export function endContact(world: World): void {
  const { views: s } = world.state;
  const { rigidContacts: left } = world.core;
  reportContacts(world, s, left.first, left.last);
  for (let k = left.first; k < left.last; k++) s.touchCluster[s.touching[k]] = UNTOUCHED;
  left.first = left.last = 0;
  world.core.pairs.close(world);
}

/** Moves the contacts of rigid bodies behind the others, without changing the order of either. Returns the number of the others. */
function partRigid({ bodies }: World, { touching, bodyOf, bodyOfCluster, touchCluster }: Views, count: number): number {
  if (!bodies.some(isRigidBody)) return count;
  const isRigid = (b: number) => isRigidBody(bodies[b]);
  let plain = 0;
  rigid.length = 0;
  for (let k = 0; k < count; k++) {
    const i = touching[k];
    if (isRigid(bodyOf[i]) || isRigid(bodyOfCluster[touchCluster[i]])) rigid.push(i);
    else touching[plain++] = i;
  }
  touching.set(rigid, plain);
  return plain;
}
const rigid: number[] = [];
const isRigidBody = ({ active, core }: Body) => active && core.law?.rigid === true;

/**
 * Fits the boxes of active bodies: of those that cannot touch themselves that of the whole body alone, until another body comes near. Sleeping bodies have not moved, so their boxes are still
 * valid.
 */
function boundBodies({ bodies, kernels, state }: World): void {
  for (const body of bodies) {
    if (!isBounded(body)) continue;
    const { boxes, contactState, contact } = body.core;
    boxes.isCalm = isCalm(state.views, body);
    boxes.found = boxes.isCalm ? 'body' : 'wanted';
    const { particleStart, particleEnd, clusterStart } = body.rows;
    if (boxes.isCalm) kernels.boundBody(particleStart, particleEnd, clusterStart, boxPad(contact));
    // Afterwards, when the positions are in the cache.
    contactState.stride = strideOf(state.views, body.rows);
  }
  boundClusters(bodies, kernels);
}

/** Fits the boxes of bodies whose boxes come near those of others. */
function boundNear({ bodies, kernels, core: { sweep } }: World): void {
  let some = false;
  for (let n = 0; n < sweep.count; n++) {
    some = wantClusters(bodies[sweep.first[n]]) || some;
    some = wantClusters(bodies[sweep.second[n]]) || some;
  }
  if (some) boundClusters(bodies, kernels);
}

function wantClusters({ active, core: { boxes } }: Body): boolean {
  if (!active || boxes.found !== 'body') return false;
  boxes.found = 'wanted';
  return true;
}

/** Fits the boxes that are wanted. */
function boundClusters(bodies: readonly Body[], kernels: Kernels): void {
  kernels.open();
  for (const body of bodies) if (isWanted(body)) kernels.boundParticles(body.rows.particleStart, body.rows.particleEnd);
  kernels.close();
  kernels.open();
  for (const body of bodies) {
    if (!isWanted(body)) continue;
    kernels.boundClusters(body.rows.clusterStart, body.rows.clusterEnd, boxPad(body.core.contact));
    body.core.boxes.found = 'clusters';
  }
  kernels.close();
}

const isBounded = ({ active, core }: Body) => active && core.contact.settings.mode !== 'none';
const isWanted = (body: Body) => isBounded(body) && body.core.boxes.found === 'wanted';

/** Lists the particles in contact in `touching`, with those of a body in itself that are at most `deepest` spacings deep; returns their number. */
function findContacts(world: World, deepest: number): number {
  const {
    bodies,
    kernels,
    core: { sweep },
  } = world;
  round = (round + 1) >>> 0;
  let touched = 0;
  sweep.find(world);
  boundNear(world);
  for (let n = 0; n < sweep.count; n++) {
    const [p, q] = [bodies[sweep.first[n]], bodies[sweep.second[n]]];
    if (p.core.surface && q.core.surface) continue;
    touched = across(world, p, q, touched);
    touched = across(world, q, p, touched);
  }
  kernels.open();
  for (const body of bodies)
    if (
      body.active &&
      !body.core.boxes.isCalm &&
      body.core.contact.settings.self &&
      body.core.contact.settings.mode !== 'none' &&
      !body.core.surface &&
      !meetsByMiddle(body)
    )
      touched = within(world, body, touched);
  touched = kernels.close(touched);
  return touched > 0 ? kernels.measureTouches(touched, deepest) : 0;
}

/** Finds the particles of p that are in proxies of q; returns the new number of contacts. */
function across({ kernels, state: { views }, h }: World, p: Body, q: Body, touched: number): number {
  const { particleStart, particleEnd } = p.rows;
  const { clusterStart } = q.rows;
  const slow = p.core.contactState.stride + q.core.contactState.stride <= FAST * views.proxySpacing[clusterStart];
  const skip = slow && q.core.contact.knowsSurface ? Flag.INNER : 0;
  const margin = p.core.contact.pad + beyondBoxes(q.core.contact);
  return kernels.touchAcross(particleStart, particleEnd, clusterStart, margin, skip, slow, h, round, touched);
}

function within({ kernels, state: { views }, h, time }: World, body: Body, touched: number): number {
  const { contact } = body.core;
  const { clusterStart, clusterEnd, particleStart, particleEnd } = body.rows;
  updateFlowedRest(views, body, time, h);
  if (!hasOthers(views, body)) return touched;
  const slow = 2 * body.core.contactState.stride <= FAST * views.proxySpacing[clusterStart];
  // Only surface particles are tested. An inner particle that comes near another cluster is compression, not contact.
  const skip = contact.knowsSurface ? Flag.INNER : 0;
  return kernels.touchWithin(
    clusterStart,
    clusterEnd,
    particleStart,
    particleEnd,
    boxPad(contact),
    skip,
    slow,
    h,
    round,
    touched,
  );
}

/** Whether a cluster of the body may meet another: not in small bodies, whose clusters all share particles. */
function hasOthers({ neighbourStart }: Views, { rows: { clusterStart, clusterEnd } }: Body): boolean {
  for (let c = 3 * clusterStart; c < 3 * clusterEnd; c += 3)
    if (neighbourStart[c + 3] > neighbourStart[c + 1]) return true;
  return false;
}

/**
 * Sorts the first `count` contacts of `touching`: contacts between bodies first, then those of bodies with themselves, each by particle
 * number. The order in which contacts are found depends on the trees, so it is not used. Returns the number of contacts between bodies;
 * `own` holds the others. `deep`: among them may be some that are deeper than DEEPEST.
 */
function partSelf(s: Views, count: number, deep: boolean): number {
  const { touching, bodyOf, bodyOfCluster, touchCluster } = s;
  const list = touching.subarray(0, count).sort();
  let others = 0;
  own.length = 0;
  for (let k = 0; k < count; k++) {
    const i = list[k];
    if (bodyOf[i] !== bodyOfCluster[touchCluster[i]]) list[others++] = i;
    else if (!deep || hasComeIn(s, i)) own.push(i);
    else touchCluster[i] = UNTOUCHED;
  }
  list.set(own, others);
  return others;
}
const own: number[] = [];

/**
 * Largest depth (spacings) of a contact of a body with itself, beyond the distance that the particle came in during this step. A deeper
 * particle did not come through the surface. It is inside because the body is compressed, and elasticity resolves that.
 */
const DEEPEST = 1.5;

/** As the kernels decide it (kernels/ts/proxy.ts), where they were not asked because other bodies are displaced. */
function hasComeIn({ x, xOld, touch, touchCluster, proxyFrame, proxySpacing }: Views, i: number): boolean {
  const c = touchCluster[i];
  let came = 0;
  for (let a = 0; a < 3; a++) came -= touch[4 * i + a] * (x[4 * i + a] - xOld[4 * i + a] - proxyFrame[20 * c + 16 + a]);
  return touch[4 * i + 3] <= DEEPEST * proxySpacing[c] + Math.max(0, came);
}

const isAsleep = ({ asleep }: Body) => asleep;

/** A body that is not slow wakes the sleeping body it touches. */
function wakeByTouch(world: World, s: Views, i: number): void {
  const { bodies } = world;
  const a = bodies[s.bodyOf[i]];
  const b = bodies[s.bodyOfCluster[s.touchCluster[i]]];
  if (a.asleep && b.core.restState.slowTime === 0) wakeTouched(world, a);
  if (b.asleep && a.core.restState.slowTime === 0) wakeTouched(world, b);
}

/** Root mean square displacement (m) of about SAMPLE of a body's particles in this step. */
function strideOf({ x, xOld }: Views, { particleStart, particleEnd }: Rows): number {
  const step = Math.ceil((particleEnd - particleStart) / SAMPLE);
  let [sum, count] = [0, 0];
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4 * step) {
    sum += squared(x[o] - xOld[o]) + squared(x[o + 1] - xOld[o + 1]) + squared(x[o + 2] - xOld[o + 2]);
    count++;
  }
  return Math.sqrt(sum / count);
}
const SAMPLE = 16;
