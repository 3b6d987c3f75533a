import type { Body } from '../body/body.js';
import {
  checkBoolean,
  checkKeys,
  checkNumber,
  checkNumberOrInfinity,
  checkOneOf,
  checkVec3,
  refuse,
  type Vec3,
  withDefaults,
} from '../check.js';
import { checkPlace } from '../limits.js';
import { cos, sin } from '../math/elementary.js';
import { copyPlain } from '../plainData.js';
import { Scratch } from '../scratch.js';
import { checkRotation, Pose, type Quaternion } from '../spatial/pose.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import { type Region, resolveRegion } from './region.js';

/**
 * The particles that a clamp holds, and how it moves them. A clamp that stands still pins its particles; a moving one pulls, twists or
 * tilts them as one rigid part.
 */
export interface ClampOptions {
  /** The particles in this part of space are held. `by` says which of their positions counts. */
  region: Region;
  /** Bodies to hold. Default: all bodies that are in the world when the clamp is added. */
  bodies?: readonly Body[];
  /** Velocity (m/s). Default [0, 0, 0]. */
  velocity?: Vec3;
  /** Angular velocity about `centre` (rad/s). Default [0, 0, 0]. */
  angularVelocity?: Vec3;
  /** The point about which `angularVelocity` and `moveTo` turn (m). Default [0, 0, 0]. */
  centre?: Vec3;
  /** Time after which the particles are let go (s). Default: never. */
  lifetime?: number;
  /** 'position' (default): particles follow the motion exactly. 'velocity' (research scenes): only their velocity is set, after the step. */
  drive?: 'position' | 'velocity';
  /** Whether strain limiting leaves held particles in place. Default true. The program of the papers' authors moves them. */
  firm?: boolean;
  /** Whether particles are let go at the end of the lifetime. Default true. If false, they then stay held where they are. */
  release?: boolean;
  /** Which positions `region` tests. 'rest' (default): where particles were placed, before any motion or stretch. 'now': where they are. */
  by?: 'rest' | 'now';
}

/** Defaults of {@link ClampOptions}. */
export const CLAMP_DEFAULTS = {
  velocity: [0, 0, 0],
  angularVelocity: [0, 0, 0],
  centre: [0, 0, 0],
  lifetime: Number.POSITIVE_INFINITY,
  drive: 'position',
  firm: true,
  release: true,
  by: 'rest',
} as const satisfies Omit<Required<ClampOptions>, 'region' | 'bodies'>;

const placeRoom = new Scratch();

/** The held particles of one body: indices within the body, and their positions when the clamp took them. */
interface Grip {
  body: Body;
  particles: Uint32Array;
  anchors: Float64Array;
  /** Displacement of the clamp for this body (m), if the body was teleported since it was taken. */
  shift?: Vec3;
}

/** State of a clamp in a snapshot; plain data, bodies as handles. */
export interface ClampRecord {
  readonly active: boolean;
  readonly grips: readonly {
    readonly body: number;
    readonly particles: Uint32Array;
    readonly anchors: Float64Array;
    readonly shift?: Vec3;
  }[];
  /** Target of a led clamp, position and rotation, and its `moved`; left out for others. */
  readonly led?: readonly number[];
  readonly moved?: boolean;
}

/** Holds the particles of a region: standing still, moving at constant velocity, or led by `moveTo`. `world.addClamp` makes it. */
export class Clamp {
  /** How it moves its particles, see {@link ClampOptions}. */
  readonly drive: 'position' | 'velocity';
  /** Time from `since` after which it lets go (s). */
  readonly lifetime: number;
  /** Whether it lets its particles go at the end of its lifetime. */
  readonly release: boolean;
  /** Whether strain limiting leaves its particles in place. */
  readonly firm: boolean;
  /** False once its lifetime is over: it no longer moves its particles. */
  active = true;
  private readonly flags: number;
  private readonly velocity: Vec3;
  private readonly spin: Vec3;
  private readonly centre: Vec3;
  private grips: Grip[];
  /** Target of a clamp that is led by `moveTo`. */
  private led: Pose | undefined;
  /** @internal For the sleep stage: whether `moveTo` changed its target since the last step. */
  moved = false;
  /** @internal A copy of the options it was made from, without `bodies`; stored in files. */
  readonly options: ClampOptions;

  /**
   * @internal Holds the particles of these bodies that are in its region. Without bodies it holds nothing yet; a snapshot then sets its
   * particles.
   */
  constructor(
    options: ClampOptions,
    bodies: readonly Body[] | undefined,
    /** World time when it was added (s). Its motion and its lifetime begin then. */
    readonly since: number,
    path = 'clamp',
  ) {
    const keys = ['region', 'bodies', ...Object.keys(CLAMP_DEFAULTS)];
    checkKeys(path, options, keys);
    const all = withDefaults(CLAMP_DEFAULTS, options);
    this.velocity = checkVec3(`${path}.velocity`, all.velocity);
    this.spin = checkVec3(`${path}.angularVelocity`, all.angularVelocity);
    this.centre = checkVec3(`${path}.centre`, all.centre);
    this.lifetime = checkNumberOrInfinity(`${path}.lifetime`, all.lifetime, { min: 0 });
    this.drive = checkOneOf(`${path}.drive`, all.drive, ['position', 'velocity']);
    this.release = checkBoolean(`${path}.release`, all.release);
    this.firm = checkBoolean(`${path}.firm`, all.firm);
    this.flags = Flag.HELD | (this.firm ? Flag.FIRM : 0);
    const inside = resolveRegion(`${path}.region`, options.region);
    const by = checkOneOf(`${path}.by`, all.by, ['rest', 'now']);
    this.grips = (bodies ?? []).map((body) => grip(body, inside, by)).filter((g) => g.particles.length > 0);
    const { bodies: _, ...others } = options;
    this.options = copyPlain(others);
    if (bodies && this.grips.length === 0)
      refuse(`${path}.region`, options.region, 'a region that holds at least one particle');
    checkNumber(`${path} start`, since);
  }

  /** Number of particles it holds, without those of removed bodies. */
  get particleCount(): number {
    return this.grips.reduce((sum, { body, particles }) => sum + (body.alive ? particles.length : 0), 0);
  }

  /** @internal The body's particles from `first` on are copies: particle n of particle from[n]. Copies of held particles are held as well. */
  addCopies(body: Body, from: Uint32Array, first: number): void {
    const grip = this.grips.find((g) => g.body === body);
    if (!grip || from.length === first) return;
    const place = placeRoom.takeZeros(first);
    const { particles } = grip;
    for (let k = 0; k < particles.length; k++) place[particles[k]] = k + 1;
    const copies: number[] = [];
    const anchors: number[] = [];
    for (let n = first; n < from.length; n++) {
      const k = place[from[n]] - 1;
      if (k < 0) continue;
      copies.push(n);
      for (let a = 0; a < 3; a++) anchors.push(grip.anchors[3 * k + a]);
    }
    if (copies.length === 0) return;
    const held = particles.length;
    const longer = new Uint32Array(held + copies.length);
    longer.set(particles);
    longer.set(copies, held);
    const wider = new Float64Array(3 * longer.length);
    wider.set(grip.anchors);
    wider.set(anchors, 3 * held);
    grip.particles = longer;
    grip.anchors = wider;
  }

  /** @internal A body was divided; particles[n] are those of bodies[n], by their old numbers. */
  divide(body: Body, bodies: readonly Body[], particles: readonly Uint32Array[]): void {
    const at = this.grips.findIndex((g) => g.body === body);
    if (at < 0) return;
    const [{ particles: held, anchors, shift: by }] = this.grips.splice(at, 1);
    const place = new Map(Array.from(held, (i, k) => [i, k]));
    bodies.forEach((piece, n) => {
      const mine: number[] = [];
      const own: number[] = [];
      particles[n].forEach((i, k) => {
        const from = place.get(i);
        if (from === undefined) return;
        mine.push(k);
        own.push(anchors[3 * from], anchors[3 * from + 1], anchors[3 * from + 2]);
      });
      if (mine.length > 0)
        this.grips.push({
          body: piece,
          particles: Uint32Array.from(mine),
          anchors: Float64Array.from(own),
          ...(by && { shift: by }),
        });
    });
  }

  /** @internal Whether its lifetime is over at `time`, the start of a step. */
  expired(time: number): boolean {
    return time - this.since > this.lifetime;
  }

  /** Whether it holds its particles: until its lifetime is over or, without `release`, for ever. */
  get holding(): boolean {
    return this.active || !this.release;
  }

  /** Whether it moves its particles in the next step. */
  get moves(): boolean {
    if (this.led) return this.moved;
    return this.velocity.some((v) => v !== 0) || this.spin.some((w) => w !== 0);
  }

  /**
   * Leads the clamp: within the next step its particles are moved rigidly, so that the point `centre` of the options comes to `position` (m), turned
   * there by `rotation` (quaternion x, y, z, w) relative to how it was added. Without a `centre`, which then is the origin, `position` is a shift.
   * The default rotation is that of the last call, at first none.
   *
   * From then on the clamp ignores its velocities and stands still unless `moveTo` is called again. The whole distance is done in one step: lead it a
   * little further in every step. Refused with `drive: 'velocity'`.
   *
   * @example
   * const clamp = world.addClamp({ region: { type: 'halfspace', normal: [0, 1, 0], offset: 1 }, by: 'now' });
   * for (let k = 1; k <= 10; k++) {
   *   clamp.moveTo([0, 0.01 * k, 0]);
   *   world.step();
   * }
   */
  moveTo(position: Vec3, rotation?: Quaternion): void {
    if (this.drive === 'velocity') refuse('clamp.drive', this.drive, '"position" for a clamp that is led');
    const p = checkPlace('position', checkVec3('position', position));
    const q = rotation === undefined ? (this.led?.rotation ?? [0, 0, 0, 1]) : checkRotation('rotation', rotation);
    const same =
      this.led &&
      p.every((c, a) => c === this.led!.position[a]) &&
      Array.from(q).every((c, k) => c === this.led!.rotation[k]);
    if (same) return;
    this.led = new Pose().set(p, q);
    this.moved = true;
  }

  /** @internal Wakes the bodies it holds, so that they do not sleep through its motion. */
  wake(): void {
    for (const { body } of this.grips) if (body.alive && body.asleep) body.wake();
  }

  /** @internal Marks the bodies it holds as grounded. */
  ground(): void {
    for (const { body } of this.grips) if (body.alive) body.core.restState.grounded = true;
  }

  /** @internal */
  hold(s: Views): void {
    this.forEach((i) => {
      s.flags[i] |= this.flags;
    });
  }

  /** @internal Frees its particles; those that the user pinned stay where they are now. */
  letGo(s: Views): void {
    this.forEach((i, body) => {
      s.flags[i] &= ~(Flag.HELD | Flag.FIRM);
      const particle = i - body.rows.particleStart;
      if (body.isPinned(particle)) body.pin(particle);
    });
  }

  /**
   * @internal Sets the velocity that brings held particles to their positions at `time` within one step of h. A led clamp reaches its
   * target with the last substep of the step.
   */
  steer(s: Views, time: number, h: number, substepsLeft = 1): void {
    const [cx, cy, cz] = this.centre;
    const { v, x } = s;
    const span = this.led ? substepsLeft * h : h;
    for (const { body, particles, anchors, shift: by } of this.grips) {
      if (!body.alive || !body.active) continue;
      this.placeAt(time, by);
      for (let k = 0; k < particles.length; k++) {
        const o = 4 * (body.rows.particleStart + particles[k]);
        const rx = anchors[3 * k] - cx;
        const ry = anchors[3 * k + 1] - cy;
        const rz = anchors[3 * k + 2] - cz;
        for (let a = 0; a < 3; a++) {
          const goal = origin[a] + turn[a] * rx + turn[3 + a] * ry + turn[6 + a] * rz + shift[a];
          v[o + a] = (goal - x[o + a]) / span;
        }
      }
    }
  }

  /** Writes the clamp's pose at `time` into `origin`, `turn` and `shift`, for a body that was teleported by `by`. */
  private placeAt(time: number, by?: Vec3): void {
    const t = time - this.since;
    if (this.led) turn.set(this.led.matrix);
    else rotationInto(turn, this.spin, t);
    for (let a = 0; a < 3; a++) {
      origin[a] = this.led ? this.led.position[a] : this.centre[a];
      shift[a] = this.led ? 0 : this.velocity[a] * t;
      if (by) shift[a] += by[a];
    }
  }

  /**
   * @internal A body was moved as a whole at `time`: from now on it is held at its new position. For this body the clamp's centre moves
   * along, so that motion and rotation about the centre continue as before. `move` transforms the position at the start of an array.
   */
  moveHold(body: Body, time: number, move: (place: Float64Array) => void): void {
    const grip = this.grips.find((g) => g.body === body);
    if (!grip || !this.active || this.drive !== 'position') return;
    this.placeAt(time, grip.shift);
    const { centre: c } = this;
    for (let a = 0; a < 3; a++) middle[a] = origin[a] + shift[a];
    move(middle);
    const by = [0, 1, 2].map((a) => middle[a] - origin[a] - shift[a]);
    // A copy, because a snapshot may share the old anchors.
    const anchors = grip.anchors.slice();
    for (let k = 0; k < anchors.length; k += 3) {
      const r = [anchors[k] - c[0], anchors[k + 1] - c[1], anchors[k + 2] - c[2]];
      for (let a = 0; a < 3; a++)
        goal[a] = origin[a] + turn[a] * r[0] + turn[3 + a] * r[1] + turn[6 + a] * r[2] + shift[a];
      move(goal);
      for (let a = 0; a < 3; a++) r[a] = goal[a] - middle[a];
      for (let a = 0; a < 3; a++)
        anchors[k + a] = c[a] + turn[3 * a] * r[0] + turn[3 * a + 1] * r[1] + turn[3 * a + 2] * r[2];
    }
    grip.anchors = anchors;
    const [x, y, z] = grip.shift ?? [0, 0, 0];
    grip.shift = [x + by[0], y + by[1], z + by[2]];
  }

  /** @internal As in the research code: v := velocity + ω × (x − centre), nothing else. */
  push(s: Views): void {
    const [wx, wy, wz] = this.spin;
    this.forEach((i, body) => {
      if (!body.active) return;
      const o = 4 * i;
      const [rx, ry, rz] = [s.x[o] - this.centre[0], s.x[o + 1] - this.centre[1], s.x[o + 2] - this.centre[2]];
      s.v[o] = this.velocity[0] + wy * rz - wz * ry;
      s.v[o + 1] = this.velocity[1] + wz * rx - wx * rz;
      s.v[o + 2] = this.velocity[2] + wx * ry - wy * rx;
    });
  }

  /** @internal For snapshots. */
  save(): ClampRecord {
    const held = this.grips.filter(({ body }) => body.alive);
    const led = this.led && { led: [...this.led.position, ...this.led.rotation], moved: this.moved };
    return { active: this.active, grips: held.map((g) => ({ ...g, body: g.body.handle })), ...led };
  }

  /** @internal */
  load(record: ClampRecord, bodyOf: (handle: number) => Body): void {
    this.active = record.active;
    this.led = record.led && new Pose().set(record.led.slice(0, 3), record.led.slice(3));
    this.moved = record.moved ?? false;
    this.grips = record.grips.map((g) => ({ ...g, body: bodyOf(g.body) }));
  }

  /** @internal Marks the rows it holds in a mask of one byte per particle row. */
  markInto(mask: Uint8Array): void {
    this.forEach((i) => {
      mask[i] = 1;
    });
  }

  /** @internal For renderers: visits every particle it holds, by its row. */
  forEachHeld(visit: (row: number, body: Body) => void): void {
    this.forEach(visit);
  }

  private forEach(visit: (row: number, body: Body) => void): void {
    for (const { body, particles } of this.grips)
      if (body.alive) for (const i of particles) visit(body.rows.particleStart + i, body);
  }
}

function grip(body: Body, inside: (x: number, y: number, z: number) => boolean, by: 'rest' | 'now'): Grip {
  const here = body.positions;
  const [from, stride] = by === 'rest' ? [body.restPositions, 3] : [here, 4];
  const held: number[] = [];
  for (let i = 0; i < here.length / 4; i++)
    if (inside(from[stride * i], from[stride * i + 1], from[stride * i + 2])) held.push(i);
  const anchors = Float64Array.from(held.flatMap((i) => [here[4 * i], here[4 * i + 1], here[4 * i + 2]]));
  return { body, particles: Uint32Array.from(held), anchors };
}

/** Scratch: rotation of a clamp at the time it is steered to, nine numbers by columns. */
const turn = new Float64Array(9);
/** Scratch: a point at r from the clamp's centre moves to origin + turn r + shift. */
const origin = new Float64Array(3);
const shift = new Float64Array(3);
const goal = new Float64Array(3);
const middle = new Float64Array(3);

/** Rotation by |ω|t about ω (Rodrigues: I cos + [a]× sin + a aᵀ (1 − cos)), by columns. */
function rotationInto(out: Float64Array, [wx, wy, wz]: Vec3, t: number): void {
  const rate = Math.sqrt(wx * wx + wy * wy + wz * wz);
  const [sine, cosine] = [sin(rate * t), cos(rate * t)];
  const [ax, ay, az] = rate === 0 ? [0, 0, 0] : [wx / rate, wy / rate, wz / rate];
  const rest = 1 - cosine;
  out[0] = cosine + ax * ax * rest;
  out[1] = az * sine + ay * ax * rest;
  out[2] = -ay * sine + az * ax * rest;
  out[3] = -az * sine + ax * ay * rest;
  out[4] = cosine + ay * ay * rest;
  out[5] = ax * sine + az * ay * rest;
  out[6] = ay * sine + ax * az * rest;
  out[7] = -ax * sine + ay * az * rest;
  out[8] = cosine + az * az * rest;
}
