import type { Body } from '../body/body.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import { findPatch, PATCH, patchParticle, patchWeight, reservePatches } from './patch.js';

/**
 * The response to contacts. Each is between a particle i and the patch of the other body's surface that it is in: a few
 * particles k with weights w that sum to 1. The patch moves as Σ w v, and an impulse J on the particle is −w J on them, so that
 * linear momentum is kept exactly.
 *
 * Contacts are worked off one after the other, by particle, several times over. Each takes the approach it finds and at most μ
 * times as much of the sliding; that is an inelastic blow, which loses energy whatever the order. (Tried before: the cluster as a
 * whole in place of the patch, all contacts at once with split masses. It conserves angular momentum as well, but
 * a body at rest creeps, as every contact moves a whole cluster.)
 */

/** Sweeps over the velocities, and over the positions. */
const VELOCITY_SWEEPS = 8;
const POSITION_SWEEPS = 4;
/** A sweep that gives less than this share of all impulses so far is the last. */
const SETTLED = 0.01;
/**
 * Friction of displacements at most: it only has to keep resting bodies from creeping. With μ = 1 contacts whose normals differ by 90°
 * drag each other on without end (a collision in 60 won twenty times its energy).
 */
const STEADY = 0.3;
/** Penetration up to this share of the proxy's radius is shared by both sides; what is beyond goes back the way it came. */
const SHARED_DEPTH = 0.2;

// Per contact. `softness`: what a unit impulse changes the parting velocity by (1/kg); `goal`: parting velocity or displacement
// asked for; `normal`, `tangent`: impulses so far, of which the tangent one is a vector; `bounce`: restitution, 0 for slow ones;
// `asleep`: 1 if the particle's body sleeps, 2 if its patch's does: neither is moved.
let asleep = new Uint8Array(0);
let softness = new Float64Array(0);
let goal = new Float64Array(0);
let normal = new Float64Array(0);
let tangent = new Float64Array(0);
let friction = new Float64Array(0);
let bounce = new Float64Array(0);
// Σ u² over the blows that stopped an approach u (m²/s²).
let stopped = new Float64Array(0);
// The same as `normal` and `tangent` for displacements.
let parted = new Float64Array(0);
let dragged = new Float64Array(0);

/** Impulse (N s) that contact k gave its particle, after `solveContacts`. */
export function impulseInto(out: Float64Array, s: Views, k: number): void {
  const i = s.touching[k];
  for (let a = 0; a < 3; a++) out[a] = normal[k] * s.touch[4 * i + a] + tangent[3 * k + a];
}

/** Resolves the contacts of the first `count` particles of `touching`. Approaching speeds below `slow` (m/s) do not bounce. */
export function solveContacts(world: World, count: number, slow: number): void {
  const s = world.state.views;
  reserve(count);
  s.touching.subarray(0, count).sort();
  for (let k = 0; k < count; k++) describe(world, k, slow);
  let total = 0;
  for (let sweep = 0; sweep < VELOCITY_SWEEPS; sweep++) {
    let given = 0;
    for (let k = 0; k < count; k++) given += push(s, s.v, k, normal, tangent, friction[k]);
    total += given;
    if (given < SETTLED * total) break;
  }
  for (let k = 0; k < count; k++) giveBack(s, k);
  separate(world, count);
}

function reserve(contacts: number): void {
  reservePatches(contacts);
  if (softness.length >= contacts) return;
  const room = 2 * contacts;
  asleep = new Uint8Array(room);
  softness = new Float64Array(room);
  goal = new Float64Array(room);
  normal = new Float64Array(room);
  tangent = new Float64Array(3 * room);
  friction = new Float64Array(room);
  bounce = new Float64Array(room);
  stopped = new Float64Array(room);
  parted = new Float64Array(room);
  dragged = new Float64Array(3 * room);
}

/** Patch, masses and material of contact k. */
function describe({ state: { views: s }, bodies }: World, k: number, slow: number): void {
  const i = s.touching[k];
  const c = s.touchCluster[i];
  const mine = bodies[ownerOf(s, i)];
  const other = bodies[s.owner[c]];
  findPatch(s, k, i, c);
  asleep[k] = (mine.asleep ? 1 : 0) | (other.asleep ? 2 : 0);
  softness[k] = inverseMass(s, mine, i);
  for (let n = PATCH * k; n < PATCH * (k + 1); n++)
    softness[k] += patchWeight[n] * patchWeight[n] * inverseMass(s, other, patchParticle[n]);
  // Like other engines: both surfaces share the friction, the bouncier one decides the bounce.
  friction[k] = Math.sqrt(mine.material.friction * other.material.friction);
  bounce[k] = Math.max(mine.material.restitution, other.material.restitution);
  goal[k] = normal[k] = parted[k] = stopped[k] = 0;
  tangent.fill(0, 3 * k, 3 * k + 3);
  dragged.fill(0, 3 * k, 3 * k + 3);
  relativeMotion(s.v, k, i);
  if (parting(s, i) > -slow) bounce[k] = 0;
}

/** Place in world.bodies of the body that a particle belongs to. */
export const ownerOf = (s: Views, i: number) => s.owner[s.linkCluster[s.linkStart[s.rank[i]]]];

/** What is held or asleep does not move. */
const inverseMass = (s: Views, body: Body, i: number) =>
  s.flags[i] & Flag.HELD || body.asleep ? 0 : 1 / s.x[4 * i + 3];

/** v_i − Σ w v_k into `rel`. */
function relativeMotion(u: Float32Array, k: number, i: number): void {
  let x = u[4 * i];
  let y = u[4 * i + 1];
  let z = u[4 * i + 2];
  for (let n = PATCH * k; n < PATCH * (k + 1); n++) {
    const o = 4 * patchParticle[n];
    const w = patchWeight[n];
    x -= w * u[o];
    y -= w * u[o + 1];
    z -= w * u[o + 2];
  }
  rel[0] = x;
  rel[1] = y;
  rel[2] = z;
}
const rel = new Float64Array(3);

/** How fast the particle and its patch part, once relativeMotion has been asked. */
const parting = (s: Views, i: number) =>
  rel[0] * s.touch[4 * i] + rel[1] * s.touch[4 * i + 1] + rel[2] * s.touch[4 * i + 2];

/**
 * Contact k parts at least as fast as its goal afterwards, and slides slower: by at most μ times the normal impulse so far. Both
 * impulses are added to `along` and `across`; returns the sum of their sizes.
 */
function push(s: Views, u: Float32Array, k: number, along: Float64Array, across: Float64Array, mu: number): number {
  const soft = softness[k];
  if (soft === 0) return 0;
  const i = s.touching[k];
  const nx = s.touch[4 * i];
  const ny = s.touch[4 * i + 1];
  const nz = s.touch[4 * i + 2];
  relativeMotion(u, k, i);
  const out = parting(s, i);
  const j = Math.max(0, goal[k] - out) / soft;
  along[k] += j;
  if (j > 0 && goal[k] === 0) stopped[k] += out * out;
  const tx = rel[0] - out * nx;
  const ty = rel[1] - out * ny;
  const tz = rel[2] - out * nz;
  const sliding = Math.sqrt(tx * tx + ty * ty + tz * tz);
  const used = Math.sqrt(across[3 * k] ** 2 + across[3 * k + 1] ** 2 + across[3 * k + 2] ** 2);
  const slip = sliding > 0 ? Math.min(1 / soft, Math.max(0, mu * along[k] - used) / sliding) : 0;
  across[3 * k] -= slip * tx;
  across[3 * k + 1] -= slip * ty;
  across[3 * k + 2] -= slip * tz;
  if (j > 0 || slip > 0) give(s, u, k, i, j * nx - slip * tx, j * ny - slip * ty, j * nz - slip * tz);
  return j + slip * sliding;
}

/** The impulse J for the particle, −w J for its patch. */
function give(s: Views, u: Float32Array, k: number, i: number, jx: number, jy: number, jz: number): void {
  if (!(asleep[k] & 1)) add(s, u, i, 1, jx, jy, jz);
  if (asleep[k] & 2) return;
  for (let n = PATCH * k; n < PATCH * (k + 1); n++) add(s, u, patchParticle[n], -patchWeight[n], jx, jy, jz);
}

function add(s: Views, u: Float32Array, i: number, share: number, jx: number, jy: number, jz: number): void {
  if (s.flags[i] & Flag.HELD) return;
  const w = share / s.x[4 * i + 3];
  u[4 * i] += w * jx;
  u[4 * i + 1] += w * jy;
  u[4 * i + 2] += w * jz;
}

/**
 * Restitution: every contact gets back e² of the energy that its own blows took, ½ u²/softness for each that stopped an approach
 * u. For a single blow that is e times the approach; for many together no more than they lost.
 */
function giveBack(s: Views, k: number): void {
  if (bounce[k] === 0 || stopped[k] === 0) return;
  const i = s.touching[k];
  relativeMotion(s.v, k, i);
  const out = parting(s, i);
  const j = (Math.sqrt(Math.max(0, out) ** 2 + bounce[k] ** 2 * stopped[k]) - out) / softness[k];
  give(s, s.v, k, i, j * s.touch[4 * i], j * s.touch[4 * i + 1], j * s.touch[4 * i + 2]);
  normal[k] += j;
}

/**
 * Positions: friction takes back the way of the sliding it took (as with obstacles), then both sides part by γ times the depth,
 * with friction too: parting along normals that do not all look the same way would make bodies creep. None of it becomes
 * velocity.
 */
function separate({ state: { views: s }, dt, bodies }: World, count: number): void {
  for (let k = 0; k < count; k++) {
    const i = s.touching[k];
    const c = s.touchCluster[i];
    give(s, s.shift, k, i, dt * tangent[3 * k], dt * tangent[3 * k + 1], dt * tangent[3 * k + 2]);
    const gamma = Math.min(bodies[ownerOf(s, i)].contact.settings.gamma, bodies[s.owner[c]].contact.settings.gamma);
    goal[k] = gamma * Math.min(s.touch[4 * i + 3], SHARED_DEPTH * s.proxyRadius[c]);
  }
  // Now, or friction would see it as sliding and undo it.
  moveAll(s, count);
  let total = 0;
  for (let sweep = 0; sweep < POSITION_SWEEPS; sweep++) {
    let given = 0;
    for (let k = 0; k < count; k++) given += push(s, s.shift, k, parted, dragged, Math.min(friction[k], STEADY));
    total += given;
    if (given < SETTLED * total) break;
  }
  for (let k = 0; k < count; k++) rollBack(s, k);
  moveAll(s, count);
}

function moveAll(s: Views, count: number): void {
  for (let k = 0; k < count; k++) {
    move(s, s.touching[k]);
    for (let n = PATCH * k; n < PATCH * (k + 1); n++) move(s, patchParticle[n]);
  }
}

/** A particle that came farther than SHARED_DEPTH in this step goes back along the normal, no farther than it came. */
function rollBack(s: Views, k: number): void {
  const i = s.touching[k];
  if (s.flags[i] & Flag.HELD || asleep[k] & 1) return;
  let came = 0;
  for (let a = 0; a < 3; a++) came -= s.touch[4 * i + a] * (s.x[4 * i + a] - s.xOld[4 * i + a]);
  const deep = s.touch[4 * i + 3] - SHARED_DEPTH * s.proxyRadius[s.touchCluster[i]];
  const back = Math.max(0, Math.min(came, deep));
  for (let a = 0; a < 3; a++) s.x[4 * i + a] += back * s.touch[4 * i + a];
}

/** Takes the displacement over into the position. The array is left at 0: a particle is met once per contact it has part in. */
function move(s: Views, i: number): void {
  for (let o = 4 * i; o < 4 * i + 3; o++) {
    s.x[o] += s.shift[o];
    s.shift[o] = 0;
  }
}
