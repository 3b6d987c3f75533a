import { Finding } from '../core/finding.mjs';

/** Mass may be off by this share of the most there ever was, as copies of particles are rounded to f32. */
const MASS_TOLERANCE = 1e-6;
/** Particles that fracture, cuts and division may make of one that was built, and how many are no matter at all. */
const MOST_COPIES = 32;
const FEW_PARTICLES = 2000;

/** Checks the conditions that hold after every call. */
export class Oracles {
  #session;
  #expectedMass = 0;
  #mostMass = 0;
  #massAt = new Map();
  #built = 0;
  #before = '';
  #masses = new Map();

  constructor(session) {
    this.#session = session;
  }

  /** Remembers the world as it is before a call. */
  before() {
    const { world } = this.#session;
    this.#before = fingerprint(world);
    this.#masses = new Map(world.bodies.map((body) => [body.handle, massOf(body)]));
  }

  /** Throws a Finding where something does not hold after it. */
  after(call, outcome, isDisposed) {
    const { world } = this.#session;
    const { refusal, ownError } = outcome;
    if (refusal) {
      checkRefusal(refusal);
      this.#checkUnchanged('refused but changed', `a call that was refused (${refusal.path})`);
    }
    // The steps before it have taken place.
    if (ownError && call[0] !== 'advance')
      this.#checkUnchanged('left but changed', `a call that a function of the user's left (${ownError.message})`);
    if (isDisposed) return;
    this.checkFinite();
    const faults = world.validate();
    if (faults.length > 0)
      throw new Finding('validate', `${faults[0]}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}`);
    this.#checkMass(call, outcome);
    this.checkCount();
  }

  #checkUnchanged(kind, what) {
    const now = fingerprint(this.#session.world);
    if (now !== this.#before) throw new Finding(kind, `${what} changed the world: ${differenceOf(this.#before, now)}`);
  }

  checkFinite() {
    const { world } = this.#session;
    for (const [name, view] of [
      ['position', world.positions],
      ['velocity', world.velocities],
    ])
      for (let k = 0; k < view.length; k++)
        if (!Number.isFinite(view[k]))
          throw new Finding('not finite', `${name} ${k % 4} of particle ${k >> 2} is ${view[k]}`);
  }

  checkCount() {
    const { world } = this.#session;
    const most = FEW_PARTICLES + MOST_COPIES * this.#built;
    if (world.particleCount > most)
      throw new Finding('runaway', `${world.particleCount} particles, of ${this.#built} that were built`);
  }

  #checkMass([name], { value, refusal, ownError }) {
    const { world, snapshots, foreignBody } = this.#session;
    const isDone = !refusal && !ownError;
    const mass = world.bodies.reduce((sum, body) => sum + massOf(body), 0);
    if (isDone && ADDS_A_BODY.has(name)) {
      this.#expectedMass += massOf(value);
      this.#built += value.particleCount;
    }
    if (isDone && name === 'removeBody')
      for (const [handle, m] of this.#masses)
        if (!world.bodies.some((b) => b.handle === handle)) this.#expectedMass -= m;
    if (isDone && name === 'snapshot') this.#massAt.set(snapshots.length - 1, this.#expectedMass);
    // Which snapshot it was is not known here; what it leads to is one of those that were there. Another world's is taken where things of its numbers and kinds are there:
    // plain snapshots do not say what these were made from.
    if (isDone && (name === 'restore' || name === 'restoreCopy'))
      this.#expectedMass = [...this.#massAt.values()].reduce(
        (best, m) => (Math.abs(m - mass) < Math.abs(best - mass) ? m : best),
        massOf(foreignBody),
      );
    // Debris that is not kept takes its mass along.
    if (world.bodies.some((body) => !body.fracture.debris)) this.#expectedMass = Math.min(this.#expectedMass, mass);
    this.#mostMass = Math.max(this.#mostMass, mass);
    if (Math.abs(mass - this.#expectedMass) > MASS_TOLERANCE * this.#mostMass)
      throw new Finding('mass', `the bodies weigh ${mass} kg; ${this.#expectedMass} kg were put in`);
  }
}

/** Calls that return a new body. */
const ADDS_A_BODY = new Set(['addBody', 'addBuilt', 'addLoaded', 'addBodyAsync']);

function checkRefusal({ message, path }) {
  if (typeof message !== 'string' || message.length < 10)
    throw new Finding('poor refusal', `a refusal says only ${JSON.stringify(message)}`);
  if (typeof path !== 'string' || path.length === 0)
    throw new Finding('poor refusal', `a refusal names no option: ${message}`);
  if (message.length > 2000) throw new Finding('poor refusal', `a refusal of ${message.length} characters`);
}

export function massOf(body) {
  const x = body.positions;
  let sum = 0;
  for (let k = 3; k < x.length; k += 4) sum += x[k];
  return sum;
}

/** All that a user sees of a world, in short: text, so that a difference can be named. */
export function fingerprint(world) {
  if (!world) return '';
  const parts = [`time ${world.time} frame ${world.frame} gravity ${world.gravity} dt ${world.dt}`];
  for (const b of world.bodies)
    parts.push(
      `body ${b.handle} particles ${b.particleCount} clusters ${b.clusterCount} topology ${b.topologyVersion} enabled ${b.enabled} asleep ${b.asleep} pinned ${b.pinnedCount} groups ${JSON.stringify(b.groups)}` +
        ` positions ${hashOf(b.positions)} velocities ${hashOf(b.velocities)} previous ${hashOf(b.previousPositions)} rest ${hashOf(b.restPositions)} flow ${hashOf(b.plasticStrain)}` +
        ` material ${JSON.stringify(b.material)} levels ${JSON.stringify(b.levels)}`,
    );
  for (const c of world.colliders)
    parts.push(
      `collider ${c.type} at ${c.position} turned ${c.rotation} enabled ${c.enabled} groups ${JSON.stringify(c.groups)}`,
    );
  for (const c of world.clamps) parts.push(`clamp of ${c.particleCount}`);
  for (const p of world.picks) parts.push(`pick of ${p.particleCount} to ${p.target}`);
  parts.push(`fields ${world.forceFields.length}`);
  return parts.join('\n');
}

/** FNV-1a over the words of an array. */
export function hashOf(array) {
  const words = new Uint32Array(array.slice().buffer);
  let h = 0x811c9dc5;
  for (let k = 0; k < words.length; k++) h = Math.imul(h ^ words[k], 0x01000193);
  return (h >>> 0).toString(16);
}

/** The first words in which two fingerprints differ. */
export function differenceOf(a, b) {
  const [before, after] = [a.split(/[ \n]/), b.split(/[ \n]/)];
  const k = before.findIndex((word, n) => word !== after[n]);
  return `${before[k - 1] ?? ''} ${before[k]} became ${after[k]}`;
}
