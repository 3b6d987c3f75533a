import type { Body } from '../body/body.js';
import { checkInteger, checkKeys, checkNumber, checkVec3, PliantError, type Vec3, withDefaults } from '../check.js';
import { squared } from '../math/elementary.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';

/** Body and place that a pick grabs, and its strength. A pick is a hand: a damped spring from a place of a body to a target. */
export interface PickOptions {
  /** The body to grab. */
  body: Body;
  /** The place that is grabbed, as a point of the world (m); the particles around the one nearest to it are held. Give this or `particle`. */
  point?: Vec3;
  /** The place that is grabbed, as a particle, counted from the body's first. Give this or `point`. */
  particle?: number;
  /** Where the place is pulled to (m). Default: where it is. */
  target?: Vec3;
  /** Angular frequency of the spring (1/s): how fast the body follows. 40 (default) covers nine tenths of the way within 0.1 s. */
  stiffness?: number;
  /** Damping ratio of the spring: at 1 (default) the body stops at the target without overshooting, below it swings, above it creeps. */
  damping?: number;
  /** Largest force of the hand, divided by the mass of the body (m/s²). Default 500. */
  maxAcceleration?: number;
  /** How far around the place particles are held (m). Default: 2.5 spacings of the particles. */
  radius?: number;
}

/** Defaults of {@link PickOptions}. */
export const PICK_DEFAULTS = {
  stiffness: 40,
  damping: 1,
  maxAcceleration: 500,
} as const satisfies Omit<Required<PickOptions>, 'body' | 'point' | 'particle' | 'target' | 'radius'>;

/** Default radius of a pick (spacings). It holds some fifty particles of a grid, so that none is torn out of its body. */
const REACH = 2.5;
/** Targets farther off (m, along an axis) pull as if they were at this distance: k d would overflow. */
const FAR = 1e9;
/** Largest stiffness, damping and acceleration. At any time step such a pick acts like a clamp, and the numbers are far from overflow. */
const STRONGEST = 1e12;

/** State of a pick in a snapshot; plain data, its body as a handle. */
export interface PickRecord {
  readonly body: number;
  readonly stiffness: number;
  readonly damping: number;
  readonly maxAcceleration: number;
  readonly particles: Uint32Array;
  readonly pickWeights: Float64Array;
  readonly offset: Vec3;
  readonly target: Vec3;
  readonly impulse: Vec3;
  readonly moved: boolean;
}

/**
 * A hand: a damped spring that pulls a place of a body to a target. `world.addPick` makes it. It is stable for any stiffness, damping and
 * time step.
 *
 * The place is X = Σ w x + offset over the particles around where it was grabbed. The spring constants are those for the mass M of the
 * whole body, k = M ω² and c = 2 ζ M ω. The spring acts implicitly on the effective mass of the held particles, m = 1/Σ w²/m_i, after all
 * other changes of their velocity in the step:
 *
 *     m (u − v) = h (k (target − X − h u) − c u)
 *
 * So for any k, c and h, u lies between v and the velocity that reaches the target within h; an infinitely strong hand is a clamp. (If the
 * spring acted before the pull to the goals, a strong hand would respond to α (g − x)/h one step late. By theory that grows by α in every
 * step; not tried.)
 */
export class Pick {
  /** Angular frequency of the spring (1/s). */
  readonly stiffness: number;
  /** Damping ratio of the spring. */
  readonly damping: number;
  /** Largest force, divided by the mass of the body (m/s²). */
  readonly maxAcceleration: number;
  private held: Body;
  /** Particles it holds, counted from its body's first, and their weights: 1 in the middle, falling to 0 at the radius. */
  private particles: Uint32Array;
  private pickWeights: Float64Array;
  /** From the mean of the held particles to the place that was grabbed (m). */
  private offset: Vec3;
  private aim: Vec3;
  /** Impulse that it gave its body in the last step (N s). The same array in every step. */
  readonly impulse: [number, number, number] = [0, 0, 0];
  /** @internal For the sleep stage: whether its target was moved since the last step. */
  moved = true;

  private constructor(body: Body, record: Omit<PickRecord, 'body'>) {
    this.stiffness = record.stiffness;
    this.damping = record.damping;
    this.maxAcceleration = record.maxAcceleration;
    this.held = body;
    this.particles = record.particles;
    this.pickWeights = record.pickWeights;
    this.offset = record.offset;
    this.aim = record.target;
  }

  /** @internal Grabs a body. */
  static grab(options: PickOptions, s: Views, path = 'pick'): Pick {
    checkKeys(path, options, ['body', 'point', 'particle', 'target', 'radius', ...Object.keys(PICK_DEFAULTS)]);
    const { body, point, particle } = options;
    const all = withDefaults(PICK_DEFAULTS, options);
    const settings = {
      stiffness: checkNumber(`${path}.stiffness`, all.stiffness, { min: 0, max: STRONGEST }),
      damping: checkNumber(`${path}.damping`, all.damping, { min: 0, max: STRONGEST }),
      maxAcceleration: checkNumber(`${path}.maxAcceleration`, all.maxAcceleration, { min: 0, max: STRONGEST }),
    };
    const spacing = s.proxySpacing[body.rows.clusterStart];
    const radius = checkNumber(`${path}.radius`, options.radius ?? REACH * spacing, { above: 0 });
    if ((point === undefined) === (particle === undefined))
      throw new PliantError(
        path,
        `${path} gives ${point === undefined ? 'neither point nor particle' : 'point and particle'}; expected one of the two.`,
      );
    const at = point && checkVec3(`${path}.point`, point);
    const middle = at
      ? nearest(body, at)
      : checkInteger(`${path}.particle`, particle, { min: 0, below: body.particleCount });
    const x = body.positions;
    const grabbed: Vec3 = at ?? [x[4 * middle], x[4 * middle + 1], x[4 * middle + 2]];
    const target = options.target === undefined ? grabbed : checkVec3(`${path}.target`, options.target);
    const grip = hold(s, body, middle, radius);
    const rest = { ...settings, ...grip, offset: [0, 0, 0] as const, target, impulse: [0, 0, 0] as const, moved: true };
    const pick = new Pick(body, rest);
    const [cx, cy, cz] = pick.position;
    pick.offset = [grabbed[0] - cx, grabbed[1] - cy, grabbed[2] - cz];
    return pick;
  }

  /** @internal For snapshots. */
  static from(record: PickRecord, body: Body): Pick {
    const pick = new Pick(body, record);
    pick.load(record, body);
    return pick;
  }

  /** The body that it holds. If the body comes apart into several, it is the one with most of the held particles. */
  get body(): Body {
    return this.held;
  }

  /** Number of particles that it holds. */
  get particleCount(): number {
    return this.particles.length;
  }

  /** Where the held place is pulled to (m). Setting it is the same as `moveTo`. */
  get target(): Vec3 {
    return this.aim;
  }
  set target(value: Vec3) {
    this.moveTo(value);
  }

  /** Sets the target (m) from the next step on, and wakes the body. */
  moveTo(point: Vec3): void {
    const next = checkVec3('target', point);
    if (next.every((c, a) => c === this.aim[a])) return;
    this.aim = next;
    this.moved = true;
    if (this.held.alive) this.held.wake();
  }

  /** Where the held place is now (m). */
  get position(): Vec3 {
    const x = this.held.positions;
    this.meanInto(mean, x, x, 0);
    return [mean[0] + this.offset[0], mean[1] + this.offset[1], mean[2] + this.offset[2]];
  }

  /**
   * @internal For the step, between integrate and limit: pulls the held particles, for a step of h seconds. No particle gets faster than
   * `maxSpeed`.
   */
  pull(s: Views, h: number, maxSpeed: number): void {
    const { held, particles, pickWeights, aim, offset } = this;
    if (!held.active) return;
    const { x, v, xOld, flags } = s;
    const base = 4 * held.rows.particleStart;
    let mass = 0;
    for (let o = base; o < 4 * held.rows.particleEnd; o += 4) mass += x[o + 3];
    this.meanInto(mean, xOld, x, base);
    for (let a = 0; a < 3; a++) way[a] = Math.max(-FAR, Math.min(FAR, aim[a] - mean[a] - offset[a]));
    this.meanInto(mean, v, x, base);
    // 1/m = Σ w²/m_i over the free particles; w = m_i share/weight.
    let inverse = 0;
    for (let k = 0; k < particles.length; k++) {
      const o = base + 4 * particles[k];
      if (!(flags[o / 4] & Flag.HELD)) inverse += (pickWeights[k] * pickWeights[k] * x[o + 3]) / (weight * weight);
    }
    if (inverse === 0) return;
    const spring = h * mass * this.stiffness * this.stiffness;
    const drag = 2 * h * mass * this.damping * this.stiffness;
    const soft = 1 + (drag + h * spring) * inverse;
    for (let a = 0; a < 3; a++) jolt[a] = (spring * (way[a] - h * mean[a]) - drag * mean[a]) / soft;
    const most = h * mass * this.maxAcceleration;
    const size = Math.sqrt(jolt[0] * jolt[0] + jolt[1] * jolt[1] + jolt[2] * jolt[2]);
    if (size > most) for (let a = 0; a < 3; a++) jolt[a] *= most / size;
    this.give(s, base, h, maxSpeed);
  }

  /** Adds the impulse `jolt` to the free held particles, w J/m each, and moves them by the change. */
  private give({ x, v, xOld, flags }: Views, base: number, h: number, maxSpeed: number): void {
    const { particles, pickWeights, impulse } = this;
    for (let k = 0; k < particles.length; k++) {
      const o = base + 4 * particles[k];
      if (flags[o / 4] & Flag.HELD) continue;
      const share = pickWeights[k] / weight;
      for (let a = 0; a < 3; a++) next[a] = v[o + a] + share * jolt[a];
      const speed = Math.sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2]);
      const shorten = speed > maxSpeed ? maxSpeed / speed : 1;
      for (let a = 0; a < 3; a++) {
        const before = v[o + a];
        v[o + a] = next[a] * shorten;
        impulse[a] += x[o + 3] * (v[o + a] - before);
        x[o + a] = xOld[o + a] + h * v[o + a];
      }
    }
  }

  /**
   * out := mean of rows of four numbers over the held particles, weighted by mass times pick weight. Writes the sum of the weights into
   * `weight`.
   */
  private meanInto(out: Float64Array, rows: Float32Array, x: Float32Array, base: number): void {
    const { particles, pickWeights } = this;
    out.fill(0);
    weight = 0;
    for (let k = 0; k < particles.length; k++) {
      const o = base + 4 * particles[k];
      const w = x[o + 3] * pickWeights[k];
      weight += w;
      for (let a = 0; a < 3; a++) out[a] += w * rows[o + a];
    }
    for (let a = 0; a < 3; a++) out[a] /= weight;
  }

  /** @internal The body's particles from `first` on are copies: particle n of particle from[n]. Copies of held particles are held as well. */
  addCopies(body: Body, from: Uint32Array, first: number): void {
    if (body !== this.held || from.length === first) return;
    const place = new Map(Array.from(this.particles, (i, k) => [i, k]));
    const copies: number[] = [];
    const shares: number[] = [];
    for (let n = first; n < from.length; n++) {
      const k = place.get(from[n]);
      if (k === undefined) continue;
      copies.push(n);
      shares.push(this.pickWeights[k]);
    }
    this.particles = Uint32Array.from([...this.particles, ...copies]);
    this.pickWeights = Float64Array.from([...this.pickWeights, ...shares]);
  }

  /**
   * @internal A body was divided; particles[n] are those of bodies[n], by their old numbers. The pick stays with the body in which it holds
   * most.
   */
  divide(body: Body, bodies: readonly Body[], particles: readonly Uint32Array[]): void {
    if (body !== this.held) return;
    const share = new Map(Array.from(this.particles, (i, k) => [i, this.pickWeights[k]]));
    let most = -1;
    bodies.forEach((piece, n) => {
      const mine = Uint32Array.from(particles[n].keys()).filter((k) => share.has(particles[n][k]));
      const shares = Float64Array.from(mine, (k) => share.get(particles[n][k])!);
      const total = shares.reduce((sum, w) => sum + w, 0);
      if (total <= most) return;
      most = total;
      [this.held, this.particles, this.pickWeights] = [piece, mine, shares];
    });
  }

  /** @internal For snapshots. */
  save(): PickRecord {
    const { held, stiffness, damping, maxAcceleration, particles, pickWeights, offset, aim, impulse, moved } = this;
    return {
      ...{ body: held.handle, stiffness, damping, maxAcceleration, particles, pickWeights, offset, target: aim },
      ...{ impulse: [...impulse], moved },
    };
  }

  /** @internal For snapshots: whether this pick is the one of a record, by the numbers that never change after grabbing. */
  canLoad({ stiffness, damping, maxAcceleration, offset }: PickRecord): boolean {
    const mine = [this.stiffness, this.damping, this.maxAcceleration, ...this.offset];
    return [stiffness, damping, maxAcceleration, ...offset].every((value, k) => Object.is(value, mine[k]));
  }

  /** @internal */
  load(record: PickRecord, body: Body): void {
    this.held = body;
    this.particles = record.particles;
    this.pickWeights = record.pickWeights;
    this.aim = record.target;
    for (let a = 0; a < 3; a++) this.impulse[a] = record.impulse[a];
    this.moved = record.moved;
  }
}

// Scratch of one pick: vector to its target, mean position or velocity of the held particles, impulse, new velocity of a particle, sum of
// weights.
const way = new Float64Array(3);
const mean = new Float64Array(3);
const jolt = new Float64Array(3);
const next = new Float64Array(3);
let weight = 0;

function nearest({ positions: x }: Body, [px, py, pz]: Vec3): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; i < x.length / 4; i++) {
    const d = squared(x[4 * i] - px) + squared(x[4 * i + 1] - py) + squared(x[4 * i + 2] - pz);
    if (d < least) [best, least] = [i, d];
  }
  return best;
}

/**
 * Holds the particles within `radius` of `middle` that share a cluster with it, so that particles across a crack or of another fold are not
 * grabbed. Their weights are (1 − d²/r²)², which is smooth at the rim.
 */
function hold(
  s: Views,
  { rows }: Body,
  middle: number,
  radius: number,
): { particles: Uint32Array; pickWeights: Float64Array } {
  const { x, gatherRank, linkStart, linkCluster, memberStart, memberParticle } = s;
  const i = rows.particleStart + middle;
  const found = new Map([[middle, 1]]);
  for (let l = linkStart[gatherRank[i]]; l < linkStart[gatherRank[i] + 1]; l++)
    for (let k = memberStart[linkCluster[l]]; k < memberStart[linkCluster[l] + 1]; k++) {
      const j = memberParticle[k];
      const d2 =
        squared(x[4 * j] - x[4 * i]) + squared(x[4 * j + 1] - x[4 * i + 1]) + squared(x[4 * j + 2] - x[4 * i + 2]);
      const share = 1 - d2 / (radius * radius);
      if (share > 0) found.set(j - rows.particleStart, share * share);
    }
  const particles = Uint32Array.from(found.keys()).sort();
  return { particles, pickWeights: Float64Array.from(particles, (j) => found.get(j)!) };
}
