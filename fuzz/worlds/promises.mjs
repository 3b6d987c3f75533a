import * as pliant from 'pliant';
import { Finding } from '../core/finding.mjs';
import { hasLaw } from './options.mjs';

/**
 * The engine's promises for a body that nothing outside acts on: linear momentum is kept, with the rotation of the covariance the angular one too, and no energy comes from nowhere.
 * Cases of which this is asked say so (`isFree`).
 */

/** Default of the strain that the limit allows. A body that begins beyond it is drawn back whatever its stiffness is, by energy that `strainEnergy` does not count. */
export const GAMMA = 0.3;
export const LEAST_STRETCH = 0.3;
/** A flat body that begins longer than twice its length swings through a line into its mirror image, where the rotation of its clusters jumps. */
export const MOST_STRETCH = 1.9;

/** Settings of a material, and of its `raw`, for which it is not promised. */
export const UNPROMISED = ['toughness', 'yield'];
export const UNPROMISED_RAW = ['inversion', 'mode', 'volume', 'areaLimit', 'beta', 'flowMode', 'hardening'];

/** Whether it is promised for a body of these options. A case that is made smaller must not leave this. */
export function isPromised({ material = {}, contact = {}, levels, fracture, reclustering, stretch = [1, 1, 1] }) {
  const { raw = {} } = material;
  const { rotation = 'covariance', dampingMode = 'rigid', limit = {}, stiffness = 0.8 } = raw;
  const { gamma = GAMMA } = limit;
  const isConserving =
    rotation === 'covariance' &&
    dampingMode === 'rigid' &&
    (limit.mode ?? 'conserving') === 'conserving' &&
    stiffness <= 1;
  return (
    (isConserving || hasLaw(material)) &&
    (contact.response ?? 'momentum') === 'momentum' &&
    stretch.every((s) => s >= Math.max(LEAST_STRETCH, 1 - gamma) && s <= Math.min(MOST_STRETCH, 1 + gamma)) &&
    UNPROMISED.every((key) => material[key] === undefined) &&
    UNPROMISED_RAW.every((key) => raw[key] === undefined) &&
    [levels, fracture, reclustering].every((part) => part === undefined)
  );
}

/** Share of Σ m |v| by which momentum may drift in a case, beside what rounding of positions to f32 makes in every step. */
const DRIFT = 1e-4;
/** Energy is that of kinetics and of strain; an implicit step moves it to and fro between them, more so with a high stiffness. */
const ENERGY_FACTOR = 4;

export class FreeMotion {
  #world;
  #start;
  #energy;
  #steps = 0;
  #speed = 0;
  #isShortened = false;

  /** `isStretched`: the body was built stretched. */
  constructor(world, isStretched) {
    this.#world = world;
    this.#start = world.measure();
    // `strainEnergy` counts that of per-step parameters. The energy of a body with an elastic law is known only before its first step: it is 0, unless the body begins stretched.
    const isUntold = (isStretched || world.frame > 0) && world.bodies.some((body) => body.young !== undefined);
    this.#energy = isUntold ? Number.POSITIVE_INFINITY : energyOf(world);
  }

  step() {
    const { mass, momentum, angularMomentum, kineticEnergy, bboxMin, bboxMax } = this.#world.measure();
    this.#steps++;
    this.#speed = Math.max(this.#speed, Math.sqrt((2 * kineticEnergy) / mass));
    // Speeds are shortened to `maxSpeed`, and momentum with them.
    this.#isShortened ||= fastest(this.#world) > 0.999 * this.#world.maxSpeed;
    if (this.#isShortened) return;
    const reach = Math.max(...bboxMin.map(Math.abs), ...bboxMax.map(Math.abs));
    // A coordinate is rounded by 6e-8 of itself; the velocity by that over h, the length of a substep.
    const rounding = (1.2e-7 * reach * this.#steps) / this.#world.h;
    const may = mass * (DRIFT * this.#speed + rounding);
    const off = distance(momentum, this.#start.momentum);
    if (off > may)
      throw new Finding(
        'momentum',
        `linear momentum of a free body went from ${this.#start.momentum} to ${momentum} in ${this.#steps} steps`,
      );
    const turned = distance(angularMomentum, this.#start.angularMomentum);
    if (turned > 10 * may * reach)
      throw new Finding(
        'angular momentum',
        `angular momentum of a free body went from ${this.#start.angularMomentum} to ${angularMomentum} in ${this.#steps} steps`,
      );
    const noise = mass * rounding * rounding;
    if (kineticEnergy > ENERGY_FACTOR * this.#energy + 10 * noise)
      throw new Finding(
        'energy',
        `kinetic energy of a free body is ${kineticEnergy} J after ${this.#steps} steps; ${this.#energy} J were put in`,
      );
  }
}

const energyOf = (world) =>
  world.measure().kineticEnergy + world.bodies.reduce((sum, body) => sum + pliant.strainEnergy(world, body), 0);
const distance = (a, b) => Math.sqrt(a.reduce((sum, x, k) => sum + (x - b[k]) ** 2, 0));

function fastest({ velocities: v }) {
  let most = 0;
  for (let k = 0; k < v.length; k += 4) most = Math.max(most, Math.hypot(v[k], v[k + 1], v[k + 2]));
  return most;
}
