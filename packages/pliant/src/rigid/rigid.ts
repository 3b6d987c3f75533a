import type { Body } from '../body/body.js';
import { hypot, squared } from '../math/elementary.js';
import { Gathered } from '../obstacles/gather.js';
import { CONTACT_ROW, ContactRow, PATCH } from '../state/contactRow.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import { Row, setAcross, setMasses } from './contactRows.js';
import { CANDIDATE, KEPT, keepCorners } from './manifold.js';
import { energyOf, Motion, readMotion, timesInertia, writeMotion } from './motion.js';
import { Pairs } from './pairs.js';

/**
 * Contact of rigid bodies: those that are all but rigid (`LawState.rigid`). Their contacts with bodies and obstacles are solved together, one
 * after the other, on the six velocities of each body. An impulse on a single particle, as other bodies receive it, has to go through the pull of
 * the goals, which is no stiffer than a step allows: a wall of such bodies sinks and buckles.
 *
 * The velocity solve stops every approach, with Coulomb friction, and acts within the substep: bodies move by h times what it changed. Impulses
 * against an approach lose energy in any order. Contacts stay in touch at a depth of SLOP. Deeper ones are parted by displacements that do not
 * become velocity. The sweeps run forwards and backwards in turn, so that a push goes through a whole stack in one sweep.
 */

/** Largest number of sweeps over velocities, over those that bounce, and over displacements. */
const SWEEPS = 16;
const BOUNCE_SWEEPS = 8;
const PUSH_SWEEPS = 8;
/** A sweep that changes the impulses by less than this share of their sum is the last one. */
const CONVERGED = 1e-5;
/** Depth of resting contacts, as a share of the body's size: they stay in touch, and the drawn surface shows nothing of it. */
const SLOP = 3e-4;
/** In shares of SLOP: contacts that are less deep sink in, and so far. */
const LOOSE = 0.25;
const MIDDLE = 0.5;
/** Bodies that fell by less than this share of their size do not bounce. A wall that settles would else hop apart. */
const LOWEST = 0.01;
/** Share of a depth beyond SLOP that a substep takes away, and the largest speed at which it does (m/s). */
const PARTING = 0.2;
const PARTING_SPEED = 1;

let motions = new Float64Array(Motion.ROW * 16);
let rows = new Float64Array(0);
let count = 0;
/** Row of Motion of obstacles: its velocities and inverse masses are 0. */
let standing = 0;
/** Contacts of the world whose stage this is: see `rigidContacts` in world/core.ts. */
let left = { first: 0, last: 0 };
let gathered = new Gathered();
/** Whether an obstacle that is led touches: it does work. */
let driven = false;

const isRigid = (body: Body): boolean => body.active && body.core.law?.rigid === true;

/**
 * Solves the contacts of rigid bodies: those that the contact stage left, and those gathered from obstacles. Then gives the particles of all
 * rigid bodies their places.
 */
export function solveRigid(world: World): void {
  const { bodies, h, gravity } = world;
  if (motions.length < Motion.ROW * (bodies.length + 1))
    motions = new Float64Array(2 * Motion.ROW * (bodies.length + 1));
  let some = false;
  for (let b = 0; b < bodies.length; b++) {
    if (!isRigid(bodies[b])) continue;
    const { rows: of, core } = bodies[b];
    readMotion(motions, Motion.ROW * b, world, of);
    if (core.carried.length !== 6 * (of.particleEnd - of.particleStart))
      core.carried = new Float32Array(6 * (of.particleEnd - of.particleStart));
    some = true;
  }
  if (!some) return;
  standing = Motion.ROW * bodies.length;
  motions.fill(0, standing, standing + Motion.ROW);
  left = world.core.rigidContacts;
  gathered = world.core.rigidContacts.obstacles;
  // Twice the speed that gravity adds in one step: an approach below it is rest, not a bounce.
  const slow = 2 * h * hypot(gravity[0], gravity[1], gravity[2]);
  describe(world, slow);
  warmUp(world);
  for (const body of bodies) {
    if (!body.core.carries || !isRigid(body)) continue;
    body.core.carried.fill(0);
    body.core.carries = false;
  }
  if (count > 0) solve(world);
  for (let b = 0; b < bodies.length; b++)
    if (isRigid(bodies[b])) writeMotion(motions, Motion.ROW * b, world, bodies[b].rows, h);
  finish(world);
}

/** Lists the contacts that carry as rows. */
function describe(world: World, slow: number): void {
  const { bodies } = world;
  const { views: s } = world.state;
  const between = left.last - left.first;
  const all = between + gathered.count;
  driven = false;
  count = 0;
  if (all === 0) return;
  grow(all, bodies.length);
  pairs.clear(bodies.length);
  for (let n = 0; n < all; n++) {
    const isBetween = n < between;
    const g = n - between;
    const i = isBetween ? s.touching[left.first + n] : gathered.particle[g];
    const mine = s.bodyOf[i];
    const other = isBetween ? s.bodyOfCluster[s.touchCluster[i]] : bodies.length + gathered.number[g];
    const p = pairs.add(n, mine, other);
    // Every particle of a soft body counts.
    if (pairs.size[p] === 1)
      pairs.firm[p] = !isBetween || (isSolid(world, bodies[mine]) && isSolid(world, bodies[other])) ? 1 : 0;
    const touch = isBetween ? s.touch : gathered.touch;
    const o = 4 * (isBetween ? i : g);
    const reach = isBetween ? s.reach[i] : gathered.reach[g];
    const sign = mine < other ? 1 : -1;
    for (let a = 0; a < 3; a++) {
      candidates[CANDIDATE * n + a] = s.x[4 * i + a] - reach * touch[o + a];
      candidates[CANDIDATE * n + 3 + a] = sign * touch[o + a];
    }
    candidates[CANDIDATE * n + 6] = touch[o + 3];
    const body = bodies[mine];
    const at = 6 * (i - body.rows.particleStart) + (isBetween ? 0 : 3);
    const { carried } = body.core;
    const held = isRigid(body) && (carried[at] !== 0 || carried[at + 1] !== 0 || carried[at + 2] !== 0);
    candidates[CANDIDATE * n + 7] = held ? s.reach[i] : 0;
    keep[n] = pairs.firm[p] ? 0 : KEPT;
  }
  pairs.order(all, bodies.length);
  const { list } = pairs;
  for (let from = 0; from < all; ) {
    const p = pairs.of[list[from]];
    const to = from + pairs.size[p];
    if (pairs.firm[p]) keepCorners(keep, candidates, list, from, to);
    from = to;
  }
  for (let n = 0; n < all; n++) {
    if (!(keep[list[n]] & KEPT)) continue;
    const o = Row.LENGTH * count;
    if (list[n] < between) describeContact(world, o, left.first + list[n], pairs.firm[pairs.of[list[n]]] === 1, slow);
    else describeObstacle(world, o, list[n] - between, slow);
    // Both sides are rows of Motion: the sweeps need nothing else.
    const isFirm = rows[o + Row.SOURCE] < 0 || (rows[o + Row.A] >= 0 && rows[o + Row.B] >= 0);
    sideA[count] = isFirm ? rows[o + Row.A] : -1;
    sideB[count] = rows[o + Row.B] < 0 ? standing : rows[o + Row.B];
    count++;
  }
}

const pairs = new Pairs();
let candidates = new Float64Array(0);
let keep = new Uint8Array(0);
/** Rows of Motion of the sides of each contact. A contact with a soft body has −1 as its side A. */
let sideA = new Int32Array(0);
let sideB = new Int32Array(0);

/** Makes room for the contacts of a substep. */
function grow(all: number, bodies: number): void {
  pairs.grow(all, bodies);
  if (keep.length >= all) return;
  candidates = new Float64Array(2 * CANDIDATE * all);
  keep = new Uint8Array(2 * all);
  sideA = new Int32Array(2 * all);
  sideB = new Int32Array(2 * all);
  rows = new Float64Array(2 * Row.LENGTH * all);
}

/** Whether a body does not give way. A sleeping one has not been judged in this substep. */
function isSolid(world: World, body: Body): boolean {
  const { law, yields, breaks, levelCount } = body.core;
  if (!law || body.active || body.clusterCount !== 1 || yields || breaks || levelCount !== 1) return isRigid(body);
  law.look(world, body);
  return law.isBeyond(world.h);
}

/** Contact k of `touching`. */
function describeContact(world: World, o: number, k: number, solid: boolean, slow: number): void {
  const { bodies, h } = world;
  const { views: s } = world.state;
  const i = s.touching[k];
  const [mine, other] = [s.bodyOf[i], s.bodyOfCluster[s.touchCluster[i]]];
  const [p, q] = [bodies[mine], bodies[other]];
  rows[o + Row.SOURCE] = k;
  rows[o + Row.A] = isRigid(p) ? Motion.ROW * mine : -1;
  rows[o + Row.B] = isRigid(q) ? Motion.ROW * other : -1;
  const c = CONTACT_ROW * k;
  let soft = 0;
  if (rows[o + Row.A] < 0) soft += s.contactRow[c + ContactRow.PARTICLE_INVERSE_MASS];
  if (rows[o + Row.B] < 0)
    for (let n = 0; n < PATCH; n++)
      soft += s.contactRow[c + ContactRow.WEIGHT + n] * s.contactRow[c + ContactRow.PATCH_INVERSE_MASS + n];
  rows[o + Row.FRICTION] = Math.sqrt(p.material.friction * q.material.friction);
  rows[o + Row.SLOP] = SLOP * Math.min(p.size, q.size);
  // Soft bodies bounce by their strain.
  const restitution = solid ? Math.max(p.material.restitution, q.material.restitution) : 0;
  setRow(s, o, i, s.touch, 4 * i, s.reach[i], soft, restitution, slow, h);
  for (let d = o; d < o + 3 * Row.DIRECTION; d += Row.DIRECTION) rows[d + Row.DRIFT] = 0;
}

/** Contact k of those gathered. */
function describeObstacle({ bodies, state: { views: s }, h }: World, o: number, k: number, slow: number): void {
  const i = gathered.particle[k];
  const collider = gathered.collider[k];
  const body = bodies[s.bodyOf[i]];
  rows[o + Row.SOURCE] = -1 - k;
  rows[o + Row.A] = Motion.ROW * s.bodyOf[i];
  rows[o + Row.B] = -1;
  rows[o + Row.FRICTION] = collider.friction;
  rows[o + Row.SLOP] = SLOP * body.size;
  const { linear, angular: w } = collider;
  const p = collider.to.position;
  const [rx, ry, rz] = [s.x[4 * i] - p[0], s.x[4 * i + 1] - p[1], s.x[4 * i + 2] - p[2]];
  rows[o + Row.SURFACE] = linear[0] + w[1] * rz - w[2] * ry;
  rows[o + Row.SURFACE + 1] = linear[1] + w[2] * rx - w[0] * rz;
  rows[o + Row.SURFACE + 2] = linear[2] + w[0] * ry - w[1] * rx;
  driven ||= !collider.stands;
  // It has no strain to bounce by.
  const restitution = Math.max(collider.restitution, body.material.restitution);
  setRow(s, o, i, gathered.touch, 4 * k, gathered.reach[k], 0, restitution, slow, h);
  for (let d = o; d < o + 3 * Row.DIRECTION; d += Row.DIRECTION)
    rows[d + Row.DRIFT] =
      rows[d] * rows[o + Row.SURFACE] +
      rows[d + 1] * rows[o + Row.SURFACE + 1] +
      rows[d + 2] * rows[o + Row.SURFACE + 2];
}

/** Writes the numbers of a row that do not depend on the kind of its sides. n[at…] is the normal, then the depth. */
function setRow(
  s: Views,
  o: number,
  i: number,
  n: Float32Array | Float64Array,
  at: number,
  reach: number,
  soft: number,
  restitution: number,
  slow: number,
  h: number,
): void {
  for (let a = 0; a < 3; a++) rows[o + a] = n[at + a];
  setAcross(rows, o);
  const { x } = s;
  setMasses(
    rows,
    o,
    motions,
    x[4 * i] - reach * n[at],
    x[4 * i + 1] - reach * n[at + 1],
    x[4 * i + 2] - reach * n[at + 2],
    soft,
    h,
  );
  const u = separation(s, o, o, false);
  const depth = n[at + 3];
  rows[o + Row.FORMER] = u;
  rows[o + Row.DEPTH] = depth;
  // Where the sides are apart at the start of the substep, they may still meet. Those that touch stay as deep as they are: what sweeps leave undone in one substep would else be asked for in the
  // next, and the load would go from corner to corner for ever.
  const slop = rows[o + Row.SLOP];
  const start = depth + h * u;
  rows[o + Row.LEAST] = start < LOOSE * slop ? (start - MIDDLE * slop) / h : 0;
  const fall = Math.sqrt(((slow / h) * LOWEST * slop) / SLOP);
  rows[o + Row.BOUNCE] = u < -slow && u < -fall ? -restitution * u : 0;
  rows[o + Row.PUSH] = rows[o + Row.GOAL] = 0;
}

/**
 * Gives contacts between rigid sides the impulses of the last substep to begin with: what rests needs few sweeps then. Those of a particle are kept
 * for as long as it touches.
 */
function warmUp({ bodies, state: { views: s }, h }: World): void {
  for (let o = 0; o < Row.LENGTH * count; o += Row.LENGTH) {
    const [carried, at] = placeOf(bodies, s, o);
    if (!carried) continue;
    const normal = along(carried, at, o);
    if (!(normal > 0)) continue;
    let [p, q] = [along(carried, at, o + Row.DIRECTION), along(carried, at, o + 2 * Row.DIRECTION)];
    const [size, most] = [Math.sqrt(squared(p) + squared(q)), rows[o + Row.FRICTION] * normal];
    if (size > most) [p, q] = [(p * most) / size, (q * most) / size];
    rows[o + Row.IMPULSE] = normal;
    rows[o + Row.DIRECTION + Row.IMPULSE] = p;
    rows[o + 2 * Row.DIRECTION + Row.IMPULSE] = q;
    for (let d = o; d < o + 3 * Row.DIRECTION; d += Row.DIRECTION) give(s, o, d, rows[d + Row.IMPULSE], false, h);
  }
}

/** Where the impulses of a row are kept: with side A, whose particle it is. Nowhere if that side is not rigid. */
function placeOf(bodies: readonly Body[], s: Views, o: number): [Float32Array | undefined, number] {
  if (rows[o + Row.A] < 0) return [undefined, 0];
  const body = bodies[rows[o + Row.A] / Motion.ROW];
  const k = rows[o + Row.SOURCE];
  const i = (k < 0 ? gathered.particle[-1 - k] : s.touching[k]) - body.rows.particleStart;
  return [body.core.carried, 6 * i + (k < 0 ? 3 : 0)];
}

const along = (carried: Float32Array, at: number, d: number) =>
  carried[at] * rows[d] + carried[at + 1] * rows[d + 1] + carried[at + 2] * rows[d + 2];

function solve({ bodies, state: { views: s }, h }: World): void {
  // By the impulses of the last substep, before the sweep: after it, bodies would slip by what it changes, and a stack creeps.
  for (let k = 0; k < count; k++) resistRolling(Row.LENGTH * k);
  sweep(s, h, SWEEPS);
  bounce(bodies, s, h);
  let deep = false;
  for (let k = 0; k < count; k++) {
    const o = Row.LENGTH * k;
    const depth = rows[o + Row.DEPTH] - h * (separation(s, o, o, false) - rows[o + Row.FORMER]);
    rows[o + Row.GOAL] = Math.min(PARTING * Math.max(0, depth - rows[o + Row.SLOP]), PARTING_SPEED * h);
    deep ||= rows[o + Row.GOAL] > 0;
  }
  if (!deep) return;
  for (let n = 0; n < PUSH_SWEEPS; n++)
    for (let k = 0; k < count; k++) {
      const at = n % 2 ? count - 1 - k : k;
      if (sideA[at] >= 0) partFirm(Row.LENGTH * at, sideA[at], sideB[at]);
      else part(s, Row.LENGTH * at);
    }
}

/** Sweeps until the impulses change little. Those that the contacts begin with count: a stack at rest begins with all that it needs. */
function sweep(s: Views, h: number, sweeps: number): void {
  let total = 0;
  for (let o = 0; o < Row.LENGTH * count; o += Row.LENGTH) total += rows[o + Row.IMPULSE];
  for (let n = 0; n < sweeps; n++) {
    let given = 0;
    for (let k = 0; k < count; k++) {
      const at = n % 2 ? count - 1 - k : k;
      given +=
        sideA[at] >= 0 ? stopFirm(rows, motions, Row.LENGTH * at, sideA[at], sideB[at]) : stop(s, Row.LENGTH * at, h);
    }
    total += given;
    if (given < CONVERGED * total) break;
  }
}

let kept = new Float64Array(0);
const half = new Float64Array(6);

/**
 * Restitution: contacts that stopped a fast approach get a part of it back. Several contacts together may ask for more energy than there was; the
 * impulses of this pass are then shortened to what leaves as much.
 */
function bounce(bodies: readonly Body[], s: Views, h: number): void {
  let some = false;
  for (let k = 0; k < count; k++) {
    const o = Row.LENGTH * k;
    for (let a = 0; a < 3; a++) rows[o + Row.STOPPED + a] = rows[o + a * Row.DIRECTION + Row.IMPULSE];
    if (rows[o + Row.BOUNCE] === 0 || rows[o + Row.IMPULSE] === 0) continue;
    rows[o + Row.LEAST] = rows[o + Row.BOUNCE];
    some = true;
  }
  if (!some) return;
  if (kept.length < motions.length) kept = new Float64Array(motions.length);
  kept.set(motions);
  sweep(s, h, BOUNCE_SWEEPS);
  if (driven) return;
  // Energy before, and along v + f (v' − v) as stopped + slope f + bend f².
  let [had, stopped, slope, bend] = [0, 0, 0, 0];
  for (let b = 0; b < bodies.length; b++) {
    if (!isRigid(bodies[b])) continue;
    const o = Motion.ROW * b;
    const at = o + Motion.LINEAR;
    for (let a = 0; a < 6; a++) half[a] = 0.5 * (kept[at + a] + motions[at + a]);
    const [start, middle, end] = [
      energyOf(motions, o, kept, at),
      energyOf(motions, o, half, 0),
      energyOf(motions, o, motions, at),
    ];
    had += energyOf(motions, o, motions, o + Motion.FORMER);
    stopped += start;
    slope += 4 * middle - 3 * start - end;
    bend += 2 * (start + end - 2 * middle);
  }
  if (stopped + slope + bend <= had) return;
  const root = Math.sqrt(Math.max(0, slope * slope + 4 * bend * (had - stopped)));
  shorten(s, h, bend > 0 ? Math.min(1, Math.max(0, (root - slope) / (2 * bend))) : 0);
}

/** Takes back all but the share f of the impulses that the bounce gave. */
function shorten(s: Views, h: number, f: number): void {
  for (let k = 0; k < count; k++)
    for (let a = 0; a < 3; a++) {
      const o = Row.LENGTH * k;
      const d = o + a * Row.DIRECTION;
      const back = (1 - f) * (rows[d + Row.IMPULSE] - rows[o + Row.STOPPED + a]);
      if (back === 0) continue;
      rows[d + Row.IMPULSE] -= back;
      give(s, o, d, -back, false, h);
    }
}

/** Velocity of side A relative to side B along the direction at rows[d…] of the row at o; with `shifts` their displacement. */
function separation(s: Views, o: number, d: number, shifts: boolean): number {
  const a = rows[o + Row.A];
  const b = rows[o + Row.B];
  const at = shifts ? Motion.SHIFT : Motion.LINEAR;
  let u = 0;
  if (a >= 0) {
    const m = a + at;
    u += rows[d] * motions[m] + rows[d + Row.LEVER_A] * motions[m + 3];
    u += rows[d + 1] * motions[m + 1] + rows[d + Row.LEVER_A + 1] * motions[m + 4];
    u += rows[d + 2] * motions[m + 2] + rows[d + Row.LEVER_A + 2] * motions[m + 5];
  }
  if (b >= 0) {
    const m = b + at;
    u -= rows[d] * motions[m] + rows[d + Row.LEVER_B] * motions[m + 3];
    u -= rows[d + 1] * motions[m + 1] + rows[d + Row.LEVER_B + 1] * motions[m + 4];
    u -= rows[d + 2] * motions[m + 2] + rows[d + Row.LEVER_B + 2] * motions[m + 5];
  }
  return a >= 0 && b >= 0 ? u : u + otherSeparation(s, o, d, shifts);
}

/** The part of `separation` by a side that is not rigid: an obstacle, or particles of a soft body. */
function otherSeparation(s: Views, o: number, d: number, shifts: boolean): number {
  const k = rows[o + Row.SOURCE];
  let u = 0;
  if (k < 0) {
    if (!shifts) for (let c = 0; c < 3; c++) u -= rows[d + c] * rows[o + Row.SURFACE + c];
    return u;
  }
  const of = shifts ? s.contactShift : s.v;
  if (rows[o + Row.A] < 0) for (let c = 0; c < 3; c++) u += rows[d + c] * of[4 * s.touching[k] + c];
  if (rows[o + Row.B] < 0)
    for (let n = 0; n < PATCH; n++) {
      const w = s.contactRow[CONTACT_ROW * k + ContactRow.WEIGHT + n];
      const j = 4 * s.patch[8 * k + n];
      for (let c = 0; c < 3; c++) u -= w * rows[d + c] * of[j + c];
    }
  return u;
}

/** Gives side A an impulse along the direction at rows[d…], and side B the opposite. */
function give(s: Views, o: number, d: number, impulse: number, shifts: boolean, h: number): void {
  const a = rows[o + Row.A];
  const b = rows[o + Row.B];
  const at = shifts ? Motion.SHIFT : Motion.LINEAR;
  if (a >= 0) {
    const m = a + at;
    const j = motions[a + Motion.INVERSE_MASS] * impulse;
    motions[m] += j * rows[d];
    motions[m + 1] += j * rows[d + 1];
    motions[m + 2] += j * rows[d + 2];
    motions[m + 3] += impulse * rows[d + Row.SWING_A];
    motions[m + 4] += impulse * rows[d + Row.SWING_A + 1];
    motions[m + 5] += impulse * rows[d + Row.SWING_A + 2];
  }
  if (b >= 0) {
    const m = b + at;
    const j = motions[b + Motion.INVERSE_MASS] * impulse;
    motions[m] -= j * rows[d];
    motions[m + 1] -= j * rows[d + 1];
    motions[m + 2] -= j * rows[d + 2];
    motions[m + 3] -= impulse * rows[d + Row.SWING_B];
    motions[m + 4] -= impulse * rows[d + Row.SWING_B + 1];
    motions[m + 5] -= impulse * rows[d + Row.SWING_B + 2];
  }
  if (a < 0 || b < 0) giveOther(s, o, d, impulse, shifts, h);
}

/** The part of `give` that particles of a soft body receive. */
function giveOther(s: Views, o: number, d: number, impulse: number, shifts: boolean, h: number): void {
  const k = rows[o + Row.SOURCE];
  if (k < 0) return;
  const c = CONTACT_ROW * k;
  if (rows[o + Row.A] < 0)
    move(s, s.touching[k], s.contactRow[c + ContactRow.PARTICLE_INVERSE_MASS] * impulse, d, shifts, h);
  if (rows[o + Row.B] < 0)
    for (let n = 0; n < PATCH; n++)
      move(s, s.patch[8 * k + n], -s.contactRow[c + ContactRow.PATCH_INVERSE_MASS + n] * impulse, d, shifts, h);
}

/** Changes the velocity of a particle of a soft body, and its place with it; with `shifts` its place only. */
function move({ v, contactShift }: Views, i: number, by: number, d: number, shifts: boolean, h: number): void {
  for (let c = 0; c < 3; c++) {
    if (!shifts) v[4 * i + c] += by * rows[d + c];
    contactShift[4 * i + c] += (shifts ? by : h * by) * rows[d + c];
  }
}

/** Stops the approach of a contact beyond LEAST, then its sliding by at most μ times the normal impulse. Returns the size of the changes (N s). */
function stop(s: Views, o: number, h: number): number {
  const n = rows[o + Row.IMPULSE];
  const j = Math.max(0, n + (rows[o + Row.LEAST] - separation(s, o, o, false)) * rows[o + Row.MASS]);
  rows[o + Row.IMPULSE] = j;
  let given = 0;
  if (j !== n) {
    give(s, o, o, j - n, false, h);
    given += Math.abs(j - n);
  }
  const most = rows[o + Row.FRICTION] * j;
  const t = o + Row.DIRECTION;
  const b = t + Row.DIRECTION;
  const p = rows[t + Row.IMPULSE];
  const q = rows[b + Row.IMPULSE];
  if (most === 0 && p === 0 && q === 0) return given;
  let x = p - separation(s, o, t, false) * rows[t + Row.MASS];
  let y = q - separation(s, o, b, false) * rows[b + Row.MASS];
  const size = Math.sqrt(x * x + y * y);
  if (size > most) {
    x *= most / size;
    y *= most / size;
  }
  rows[t + Row.IMPULSE] = x;
  rows[b + Row.IMPULSE] = y;
  if (x !== p) give(s, o, t, x - p, false, h);
  if (y !== q) give(s, o, b, y - q, false, h);
  return given + Math.abs(x - p) + Math.abs(y - q);
}

/** As `stop`, where both sides are rows of Motion. It reads and writes each velocity once, as nearly all of the time of a moving heap is spent here. */
function stopFirm(r: Float64Array, m: Float64Array, o: number, a: number, b: number): number {
  const t = o + Row.DIRECTION;
  const s = t + Row.DIRECTION;
  let ax = m[a + 3];
  let ay = m[a + 4];
  let az = m[a + 5];
  let bx = m[b + 3];
  let by = m[b + 4];
  let bz = m[b + 5];
  // Angular velocities.
  let ap = m[a + 6];
  let aq = m[a + 7];
  let ar = m[a + 8];
  let bp = m[b + 6];
  let bq = m[b + 7];
  let br = m[b + 8];
  const former = r[o + Row.IMPULSE];
  const u =
    r[o] * (ax - bx) +
    r[o + 1] * (ay - by) +
    r[o + 2] * (az - bz) +
    (r[o + 3] * ap + r[o + 4] * aq + r[o + 5] * ar) -
    (r[o + 6] * bp + r[o + 7] * bq + r[o + 8] * br) -
    r[o + Row.DRIFT];
  const wanted = former + (r[o + Row.LEAST] - u) * r[o + Row.MASS];
  const normal = Math.max(wanted, 0);
  const p = r[t + Row.IMPULSE];
  const q = r[s + Row.IMPULSE];
  const most = r[o + Row.FRICTION] * normal;
  const slides = most !== 0 || p !== 0 || q !== 0;
  let given = normal - former;
  if (given === 0 && !slides) return 0;
  const ma = m[a + Motion.INVERSE_MASS];
  const mb = m[b + Motion.INVERSE_MASS];
  if (given !== 0) {
    r[o + Row.IMPULSE] = normal;
    const ja = ma * given;
    const jb = mb * given;
    ax += ja * r[o];
    ay += ja * r[o + 1];
    az += ja * r[o + 2];
    ap += given * r[o + 9];
    aq += given * r[o + 10];
    ar += given * r[o + 11];
    bx -= jb * r[o];
    by -= jb * r[o + 1];
    bz -= jb * r[o + 2];
    bp -= given * r[o + 12];
    bq -= given * r[o + 13];
    br -= given * r[o + 14];
    if (given < 0) given = -given;
  }
  if (slides) {
    const [dx, dy, dz] = [ax - bx, ay - by, az - bz];
    let x =
      p -
      (r[t] * dx +
        r[t + 1] * dy +
        r[t + 2] * dz +
        (r[t + 3] * ap + r[t + 4] * aq + r[t + 5] * ar) -
        (r[t + 6] * bp + r[t + 7] * bq + r[t + 8] * br) -
        r[t + Row.DRIFT]) *
        r[t + Row.MASS];
    let y =
      q -
      (r[s] * dx +
        r[s + 1] * dy +
        r[s + 2] * dz +
        (r[s + 3] * ap + r[s + 4] * aq + r[s + 5] * ar) -
        (r[s + 6] * bp + r[s + 7] * bq + r[s + 8] * br) -
        r[s + Row.DRIFT]) *
        r[s + Row.MASS];
    const square = x * x + y * y;
    if (square > most * most) {
      const share = most / Math.sqrt(square);
      x *= share;
      y *= share;
    }
    r[t + Row.IMPULSE] = x;
    r[s + Row.IMPULSE] = y;
    const [i, j] = [x - p, y - q];
    const [fx, fy, fz] = [i * r[t] + j * r[s], i * r[t + 1] + j * r[s + 1], i * r[t + 2] + j * r[s + 2]];
    ax += ma * fx;
    ay += ma * fy;
    az += ma * fz;
    ap += i * r[t + 9] + j * r[s + 9];
    aq += i * r[t + 10] + j * r[s + 10];
    ar += i * r[t + 11] + j * r[s + 11];
    bx -= mb * fx;
    by -= mb * fy;
    bz -= mb * fz;
    bp -= i * r[t + 12] + j * r[s + 12];
    bq -= i * r[t + 13] + j * r[s + 13];
    br -= i * r[t + 14] + j * r[s + 14];
    given += Math.abs(i) + Math.abs(j);
  }
  m[a + 3] = ax;
  m[a + 4] = ay;
  m[a + 5] = az;
  m[a + 6] = ap;
  m[a + 7] = aq;
  m[a + 8] = ar;
  m[b + 3] = bx;
  m[b + 4] = by;
  m[b + 5] = bz;
  m[b + 6] = bp;
  m[b + 7] = bq;
  m[b + 8] = br;
  return given;
}

/** Lever arm of the resistance to rolling, as a share of the body's size: 0.03 radii of a ball, as of a tyre on sand. Without it a ball rolls for ever. */
const ROLLING = 0.01;

/** Reduces the angular velocity of one side relative to the other, by at most the normal impulse times the lever arm. Keeps both momenta, and loses energy. */
function resistRolling(o: number): void {
  const [a, b] = [rows[o + Row.A], rows[o + Row.B]];
  // Soft bodies resist by their own damping.
  if (rows[o + Row.IMPULSE] === 0 || (rows[o + Row.SOURCE] >= 0 && (a < 0 || b < 0))) return;
  for (let k = 0; k < 3; k++)
    axis[k] = motions[a + Motion.ANGULAR + k] - (b >= 0 ? motions[b + Motion.ANGULAR + k] : 0);
  const speed = Math.sqrt(squared(axis[0]) + squared(axis[1]) + squared(axis[2]));
  if (speed === 0) return;
  for (let k = 0; k < 3; k++) axis[k] /= speed;
  let softness = 0;
  for (let k = 0; k < 3; k++) {
    softness += axis[k] * timesInertia(motions, a, k, axis[0], axis[1], axis[2]);
    if (b >= 0) softness += axis[k] * timesInertia(motions, b, k, axis[0], axis[1], axis[2]);
  }
  const lever = (ROLLING * rows[o + Row.SLOP]) / SLOP;
  const j = Math.min(speed / softness, lever * rows[o + Row.IMPULSE]);
  for (let k = 0; k < 3; k++) {
    motions[a + Motion.ANGULAR + k] -= j * timesInertia(motions, a, k, axis[0], axis[1], axis[2]);
    if (b >= 0) motions[b + Motion.ANGULAR + k] += j * timesInertia(motions, b, k, axis[0], axis[1], axis[2]);
  }
}
const axis = new Float64Array(3);

/** Parts the sides of a contact by its goal. */
function part(s: Views, o: number): void {
  const before = rows[o + Row.PUSH];
  const push = Math.max(0, before + (rows[o + Row.GOAL] - separation(s, o, o, true)) * rows[o + Row.MASS]);
  rows[o + Row.PUSH] = push;
  if (push !== before) give(s, o, o, push - before, true, 0);
}

/** As `part`, where both sides are rows of Motion. */
function partFirm(o: number, a: number, b: number): void {
  const r = rows;
  const m = motions;
  const at = Motion.SHIFT;
  let u = 0;
  for (let c = 0; c < 3; c++)
    u +=
      r[o + c] * (m[a + at + c] - m[b + at + c]) +
      r[o + Row.LEVER_A + c] * m[a + at + 3 + c] -
      r[o + Row.LEVER_B + c] * m[b + at + 3 + c];
  const before = r[o + Row.PUSH];
  const push = Math.max(0, before + (r[o + Row.GOAL] - u) * r[o + Row.MASS]);
  if (push === before) return;
  r[o + Row.PUSH] = push;
  const given = push - before;
  const [ja, jb] = [m[a + Motion.INVERSE_MASS] * given, m[b + Motion.INVERSE_MASS] * given];
  for (let c = 0; c < 3; c++) {
    m[a + at + c] += ja * r[o + c];
    m[a + at + 3 + c] += given * r[o + Row.SWING_A + c];
    m[b + at + c] -= jb * r[o + c];
    m[b + at + 3 + c] -= given * r[o + Row.SWING_B + c];
  }
}

/** Moves the particles of soft bodies, writes the impulses for the report, and gives obstacles theirs. */
function finish({ bodies, state: { views: s } }: World): void {
  for (let o = 0; o < Row.LENGTH * count; o += Row.LENGTH) {
    const k = rows[o + Row.SOURCE];
    for (let a = 0; a < 3; a++) {
      impulse[a] = 0;
      for (let d = o; d < o + 3 * Row.DIRECTION; d += Row.DIRECTION) impulse[a] += rows[d + Row.IMPULSE] * rows[d + a];
    }
    const [carried, at] = placeOf(bodies, s, o);
    if (carried && rows[o + Row.IMPULSE] > 0) {
      for (let a = 0; a < 3; a++) carried[at + a] = impulse[a];
      bodies[rows[o + Row.A] / Motion.ROW].core.carries = true;
    }
    if (k < 0) {
      const i = 4 * gathered.particle[-1 - k];
      const [x, y, z] = [s.x[i], s.x[i + 1], s.x[i + 2]];
      gathered.collider[-1 - k].receive(x, y, z, -impulse[0], -impulse[1], -impulse[2]);
      continue;
    }
    const c = CONTACT_ROW * k;
    const normal = rows[o + Row.IMPULSE];
    s.contactRow[c + ContactRow.NORMAL_IMPULSE] = normal;
    for (let a = 0; a < 3; a++) s.contactRow[c + ContactRow.FRICTION_IMPULSE + a] = impulse[a] - normal * rows[o + a];
    if (rows[o + Row.A] < 0) place(s, s.touching[k]);
    if (rows[o + Row.B] < 0) for (let j = 0; j < PATCH; j++) place(s, s.patch[8 * k + j]);
  }
}
const impulse = new Float64Array(3);

/** Moves a particle by what contact asks for. A particle is visited once for each of its contacts. */
function place({ x, contactShift }: Views, i: number): void {
  for (let o = 4 * i; o < 4 * i + 3; o++) {
    x[o] += contactShift[o];
    contactShift[o] = 0;
  }
}
