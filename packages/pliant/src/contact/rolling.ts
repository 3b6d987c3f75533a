import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import { CONTACT_ROW, ContactRow } from '../state/contactRow.js';
import type { World } from '../world.js';
import { BodySpin } from './bodySpin.js';
import { meetsByMiddle } from './byMiddle.js';

/**
 * Resistance to rolling between bodies, as obstacles have it (match/bodyDamping.ts): a torque of the pressure times a lever arm, against that part of the
 * difference of the angular velocities that rolls, at most until it stands. One body gets the torque, the other its opposite, so that angular momentum stays.
 * Pairs are solved one after the other, each of which lowers the energy. Without it, balls of a heap rolled on their neighbours for five seconds.
 */
export function resistRolling(world: World, count: number): void {
  const { bodies, kernels, state } = world;
  if (!bodies.some(rolls)) return;
  begin(bodies.length);
  for (let k = 0; k < count; k++) {
    const i = state.views.touching[k];
    press(world, k, i, state.views.bodyOf[i], state.views.bodyOfCluster[state.views.touchCluster[i]]);
  }
  for (let p = 0; p < pairCount; p++) {
    const [one, other] = [first[p], second[p]];
    slowPair(p, turningOf(world, one), turningOf(world, other), leverOf(bodies[one]) + leverOf(bodies[other]));
  }
  for (let n = 0; n < turningCount; n++) {
    const { body, spin, change } = turning[n];
    if (change[0] !== 0 || change[1] !== 0 || change[2] !== 0) spin.turnBack(kernels, body!.rows, change);
    turning[n].body = undefined;
  }
}

/** Lever arm of a body (m): half of that on an obstacle, as the lever of two alike is that of one. */
function leverOf({ size, core: { law } }: Body): number {
  return 0.5 * size * Math.min(LONGEST, PER_RATIO * (law?.law.dampingRatio ?? 0));
}
/** As of bodies on obstacles. */
const PER_RATIO = 0.1;
const LONGEST = 0.02;

/** Whether the body resists. Pieces of a broken one have no common motion, and sheets and cords bend where a body would roll. */
const rolls = (body: Body) => {
  const { law, history } = body.core;
  return law !== undefined && !law.rigid && !history.broken && !meetsByMiddle(body);
};

/** Sums of the impulses of a pair of bodies along the normals, on the first (N s). */
let pressed = new Float64Array(3 * 64);
let first = new Uint32Array(64);
let second = new Uint32Array(64);
/** Pairs of one first body are in a list: the first of a body, and the next of a pair, or −1. */
let head = new Int32Array(64);
let next = new Int32Array(64);
let pairCount = 0;

/** A body whose turning is measured, once in a substep. */
interface Turning {
  body: Body | undefined;
  readonly spin: BodySpin;
  /** Angular velocity (rad/s), and its change with its sign turned. */
  readonly velocity: Float64Array;
  readonly change: Float64Array;
}
const turning: Turning[] = [];
/** Per body: its place in `turning`, or −1. */
let place = new Int32Array(64);
let turningCount = 0;

function begin(bodies: number): void {
  if (head.length < bodies) {
    head = new Int32Array(2 * bodies);
    place = new Int32Array(2 * bodies);
  }
  head.fill(-1, 0, bodies);
  place.fill(-1, 0, bodies);
  pairCount = turningCount = 0;
}

/** Adds contact k, between a particle i of the body `mine` and a cluster of `other`. */
function press({ bodies, state: { views } }: World, k: number, i: number, mine: number, other: number): void {
  const impulse = views.contactRow[CONTACT_ROW * k + ContactRow.NORMAL_IMPULSE];
  if (!(impulse > 0) || !rolls(bodies[mine]) || !rolls(bodies[other])) return;
  const [a, b, sign] = mine < other ? [mine, other, 1] : [other, mine, -1];
  let p = head[a];
  while (p >= 0 && second[p] !== b) p = next[p];
  if (p < 0) p = addPair(a, b);
  for (let c = 0; c < 3; c++) pressed[3 * p + c] += sign * impulse * views.touch[4 * i + c];
}

function addPair(a: number, b: number): number {
  const p = pairCount++;
  if (p === next.length) {
    first = grown(first, new Uint32Array(2 * p));
    second = grown(second, new Uint32Array(2 * p));
    next = grown(next, new Int32Array(2 * p));
    pressed = grown(pressed, new Float64Array(6 * p));
  }
  first[p] = a;
  second[p] = b;
  next[p] = head[a];
  head[a] = p;
  pressed.fill(0, 3 * p, 3 * p + 3);
  return p;
}

function grown<A extends Uint32Array | Int32Array | Float64Array>(old: A, wider: A): A {
  wider.set(old);
  return wider;
}

function turningOf({ bodies, kernels }: World, b: number): Turning {
  if (place[b] >= 0) return turning[place[b]];
  place[b] = turningCount++;
  if (turning.length < turningCount)
    turning.push({ body: undefined, spin: new BodySpin(), velocity: new Float64Array(3), change: new Float64Array(3) });
  const t = turning[place[b]];
  t.body = bodies[b];
  t.change.fill(0);
  // Bodies that are held or asleep do not turn.
  t.spin.measure(kernels, bodies[b].rows);
  if (bodies[b].asleep) t.spin.isHeld = true;
  t.spin.turnInto(t.velocity, t.spin.spin);
  return t;
}

const roll = new Float64Array(3);
const ofFirst = new Float64Array(3);
const ofSecond = new Float64Array(3);

function slowPair(p: number, a: Turning, b: Turning, lever: number): void {
  const [px, py, pz] = [pressed[3 * p], pressed[3 * p + 1], pressed[3 * p + 2]];
  const pressed2 = squared(px) + squared(py) + squared(pz);
  // Nothing rolls over a point.
  if (pressed2 === 0 || (a.spin.isLine && !a.spin.isHeld) || (b.spin.isLine && !b.spin.isHeld)) return;
  for (let c = 0; c < 3; c++) roll[c] = a.velocity[c] - b.velocity[c];
  // Without the spin about the direction of the pressure.
  const spin = (roll[0] * px + roll[1] * py + roll[2] * pz) / pressed2;
  roll[0] -= spin * px;
  roll[1] -= spin * py;
  roll[2] -= spin * pz;
  const roll2 = squared(roll[0]) + squared(roll[1]) + squared(roll[2]);
  a.spin.turnInto(ofFirst, roll);
  b.spin.turnInto(ofSecond, roll);
  let compliance = 0;
  for (let c = 0; c < 3; c++) compliance += roll[c] * (ofFirst[c] + ofSecond[c]);
  if (!(compliance > 0)) return;
  // The torque −k ω_roll on the first body.
  const k = Math.min(lever * Math.sqrt(pressed2 / roll2), roll2 / compliance);
  for (let c = 0; c < 3; c++) {
    a.velocity[c] -= k * ofFirst[c];
    a.change[c] += k * ofFirst[c];
    b.velocity[c] += k * ofSecond[c];
    b.change[c] -= k * ofSecond[c];
  }
}
