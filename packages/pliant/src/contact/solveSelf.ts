import type { Body } from '../body/body.js';
import type { Kernels } from '../kernels/kernels.js';
import { PATCH } from '../state/contactRow.js';
import { SelfChange, type SelfRoom, SelfRow, takeSelfRoom } from '../state/selfRow.js';
import type { World } from '../world.js';
import { BodySpin } from './bodySpin.js';

/**
 * Contact of a body with itself (SPEC K6). Contacts are impulses within the step: velocities change by Δv and positions by h Δv, as if the
 * impulse had acted together with the pull of the goals. The first pass stops approaching contacts so that no particle goes in, with
 * friction and restitution. The second pass separates contacts that penetrated before the step, by part of their depth. Both are sweeps over
 * all contacts in kernels (kernels/ts/selfContacts.ts).
 *
 * Momentum. Each impulse conserves linear momentum, and angular momentum at the current positions (state/selfRow.ts). Moving particles of
 * velocity v by h Δv changes the angular momentum by h Σ m Δv × v. The whole body is turned back by that amount.
 *
 * Energy. An impulse J changes the energy by J·(u₀ + u₁)/2, with the relative velocities at the start and at the end of the step. The sum
 * is kept for each body as long as a contact lasts. Impulses are shortened where the sum would exceed 0.
 */

const { GOAL, EXIT_SPEED, LENGTH } = SelfRow;
const { KEPT } = SelfChange;

/** Share of γ times the penetration from before the step that one step removes. */
const PARTING = 0.8;

/**
 * Relative increase of Q, the quadratic part of the energy of impulses (see `shorten`). Clusters turn as their particles move, which Q
 * leaves out. Without this, 200 undamped collisions with a restitution of 1 gained up to 0.3 %.
 */
const PRUDENCE = 0.05;

/** Angular momentum of the current body. */
const whole = new BodySpin();
/** Results of kernels.weighSelf. */
const sums = new Float64Array(5);
/** Angular momentum that a pass adds by moving particles (kg m²/s), and the angular velocity that removes it (rad/s). */
const gain = new Float64Array(3);
const turn = new Float64Array(3);

/**
 * Resolves the contacts of `touching` with indices in [first, last). They are sorted by particle, and their patches are described.
 * Approaches below `slow` (m/s) do not bounce. The state's views may be replaced.
 */
export function solveSelf(world: World, first: number, last: number, slow: number): void {
  const { state } = world;
  for (let k = first; k < last; ) {
    const { touching, bodyOf } = state.views;
    const owner = bodyOf[touching[k]];
    const from = k;
    while (k < last && bodyOf[touching[k]] === owner) k++;
    solveBody(world, world.bodies[owner], from, k, slow);
  }
}

function solveBody(world: World, body: Body, first: number, last: number, slow: number): void {
  const { h, kernels, state } = world;
  const { substep } = world.core;
  const { rows, material } = body;
  const most = Math.min((1 + PATCH) * (last - first), rows.particleEnd - rows.particleStart);
  const room = takeSelfRoom(state, last - first, most);
  const { views: s } = state;
  const moved = kernels.listSelf(room, first, last);
  const { friction, restitution } = material;
  const count = kernels.describeSelf(room, first, last, { h, slow, friction, restitution });
  if (count > 0) {
    whole.measure(kernels, rows);
    const { contactState } = body.core;
    let spare = contactState.selfSince === substep - 1 ? contactState.selfSpare : 0;
    kernels.sweepSelf(room, count);
    spare = shorten(kernels, room, moved, spare, h);
    if (askToPart(room, count, body.core.contact.settings.gamma)) {
      kernels.keepSelf(room, moved);
      kernels.sweepSelf(room, count);
      spare = shorten(kernels, room, moved, spare, h);
    }
    whole.weighMoved(kernels, moved);
    kernels.moveSelf(room, moved, h);
    whole.restoreMoved(kernels, rows, moved);
    contactState.selfSpare = spare;
    contactState.selfSince = substep;
  }
  const { listedFor, moved: particles } = s;
  for (let n = 0; n < moved; n++) listedFor[particles[n]] = 0;
}

/** Raises the goal speed of contacts that penetrated before the step. Returns false if there are none. */
function askToPart({ rows }: SelfRoom, count: number, gamma: number): boolean {
  let any = false;
  for (let o = 0; o < LENGTH * count; o += LENGTH) {
    if (!(rows[o + EXIT_SPEED] > 0)) continue;
    rows[o + GOAL] = Math.max(rows[o + GOAL], PARTING * gamma * rows[o + EXIT_SPEED]);
    any = true;
  }
  return any;
}

/**
 * Scales the changes of velocity since those kept by the largest factor f ≤ 1 with which they add no more energy than `spare` (J). Returns the
 * energy that is left. With Δ = Δ₀ + f Δ₁ and ω the angular velocity that turns the body back for Δ₁, the change of energy is f L + f² Q:
 *   L = Σ m Δ₁·((v₀ + v)/2 + Δ₀) − ω·(angular momentum)
 *   Q = ½ Σ m Δ₁² − ½ ω·(angular momentum that Δ₁ adds)
 */
function shorten(kernels: Kernels, room: SelfRoom, moved: number, spare: number, h: number): number {
  // Held particles that move do work on the body: energy is not limited.
  if (whole.isDriven) return 0;
  kernels.weighSelf(sums, room, moved, h);
  let linear = sums[0];
  let square = sums[1];
  for (let a = 0; a < 3; a++) gain[a] = sums[2 + a];
  whole.turnInto(turn, gain);
  for (let a = 0; a < 3; a++) {
    linear -= turn[a] * whole.spin[a];
    square -= 0.5 * turn[a] * gain[a];
  }
  square *= 1 + PRUDENCE;
  let f = 1;
  if (linear + square > spare) {
    const root = Math.sqrt(Math.max(0, linear * linear + 4 * square * spare));
    f = square > 0 ? Math.min(1, Math.max(0, (root - linear) / (2 * square))) : 0;
    const { changes } = room;
    for (let c = 0; c < SelfChange.LENGTH * moved; c += SelfChange.LENGTH)
      for (let a = c; a < c + 3; a++) changes[a] = changes[a + KEPT] + f * (changes[a] - changes[a + KEPT]);
  }
  return Math.max(0, spare - f * linear - f * f * square);
}
