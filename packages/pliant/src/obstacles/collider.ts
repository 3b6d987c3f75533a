import type { Body } from '../body/body.js';
import type { Vec3 } from '../check.js';
import { checkBoolean, checkVec3, refuse } from '../check.js';
import type { Clamp } from '../external/clamp.js';
import { ALL_GROUPS, type Groups, groupsRecord, resolveGroups } from '../groups.js';
import { angularVelocityInto, checkRotation, Pose, type Quaternion } from '../spatial/pose.js';
import { fitBounds } from './bounds.js';
import { type Motion, poseInto } from './motion.js';
import type { ColliderOptions } from './options.js';
import type { Shape } from './shape.js';

/** The settings that stay as they were when the collider was added, validated. `resolveCollider` makes them from options. */
export interface ColliderSettings {
  readonly type: ColliderOptions['type'];
  /** A plane's normal, the axis of a cylinder or a capsule: of length 1, in the collider's own space. */
  readonly direction: Vec3;
  /** Its position at the start. */
  readonly origin: Vec3;
  /** Offset of a plane at the start (m). */
  readonly offset: number;
  readonly radius: number;
  readonly momentumScale: number;
  readonly exitSpeed: number;
  readonly friction: number;
  readonly restitution: number;
  readonly velocity: Vec3;
  readonly lifetime: number;
  readonly law: 'coulomb' | 'research';
  readonly except: Clamp | undefined;
  readonly groups: Groups;
  /** Its geometry; undefined for a plane, which has only a direction. */
  readonly shape: Shape | undefined;
  /** @internal */
  readonly start: Pose;
  /** How it moves by itself. */
  readonly motion: Motion;
  readonly warnings: readonly string[];
  /** A copy of the options it was made from, without `except`; stored in files. */
  readonly options: ColliderOptions;
}

type Triple = [number, number, number];

/** State of a collider in a snapshot, plain data: poses at both ends of the last step, and where it is led. */
export interface ColliderRecord {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly led: readonly number[] | undefined;
  readonly motion: readonly number[];
  readonly bounds: readonly number[];
  readonly received: readonly number[];
  readonly enabled: boolean;
  readonly switched: boolean;
  /** Left out if it meets everything. */
  readonly groups?: Groups;
}

const poseOf = ({ position, rotation }: Pose) => [...position, ...rotation];
const setPose = (pose: Pose, values: readonly number[]) => pose.set(values.slice(0, 3), values.slice(3));

const going = new Pose();
const coming = new Pose();

/**
 * An obstacle in a world. `world.addCollider` makes it. It moves as its options or `moveTo` say. Bodies never move it; `impulse` is the
 * impulse that they gave it.
 */
export class Collider implements ColliderSettings {
  /** The type of obstacle. */
  readonly type: ColliderOptions['type'];
  /** The normal of a plane, or the axis of a cylinder or a capsule, of length 1, in the collider's own axes. */
  readonly direction: Vec3;
  /** Position when the collider was added (m). */
  readonly origin: Vec3;
  /** Of a plane: distance from the origin along the normal when it was added (m). */
  readonly offset: number;
  /** Radius (m); 0 for types without one. */
  readonly radius: number;
  /** See {@link SphereOptions}. */
  readonly momentumScale: number;
  /** Speed at which particles inside are pushed out (m/s), see {@link SphereOptions}. */
  readonly exitSpeed: number;
  /** Coulomb's coefficient of friction μ. */
  readonly friction: number;
  /** Share of the approaching speed that a particle bounces back with, in [0, 1]. */
  readonly restitution: number;
  /** Velocity of the options (m/s). `linear` is the velocity in the last step. */
  readonly velocity: Vec3;
  /** Time from `since` after which the collider is gone (s). */
  readonly lifetime: number;
  /** How it changes velocities, see {@link PlaneOptions}. */
  readonly law: 'coulomb' | 'research';
  /** The clamp whose particles pass through it, if any. */
  readonly except: Clamp | undefined;
  /** The geometry in the collider's own axes: a BoxShape, a RoundShape or a MeshShape. Undefined for a plane. */
  readonly shape: Shape | undefined;
  /** @internal Pose when it was added. */
  readonly start: Pose;
  /** How it moves by itself. */
  readonly motion: Motion;
  /** Warnings, a sentence each: holes of a mesh. */
  readonly warnings: readonly string[];
  /** A copy of the options it was made from, without `except`. */
  readonly options: ColliderOptions;
  /** @internal Poses at the start and at the end of the step. */
  readonly from = new Pose();
  /** @internal */
  readonly to = new Pose();
  /** Velocity of its position in the last step (m/s). The same array in every step. */
  readonly linear: Float64Array = new Float64Array(3);
  /** Angular velocity in the last step (rad/s). The same array in every step. */
  readonly angular: Float64Array = new Float64Array(3);
  /** @internal The box around all its poses during the step: minX, minY, minZ, maxX, maxY, maxZ. */
  readonly bounds: Float64Array = new Float64Array(6);
  /** Impulse that the bodies gave it in the last step (N s). The same array in every step. */
  readonly impulse: Vec3;
  /** Angular impulse that the bodies gave it in the last step, about its position (N m s). The same array in every step. */
  readonly angularImpulse: Vec3;
  /** Bodies that touched it in the last step. Bodies that sleep are not among them. The same list in every step; snapshots do not contain it. */
  readonly touching: readonly Body[] = [];
  /** The bodies of `touching`: a list of hundreds is not searched for each of them. */
  private readonly met = new Set<Body>();
  private readonly taken: Triple = [0, 0, 0];
  private readonly turned: Triple = [0, 0, 0];
  private led: Pose | undefined;
  private on = true;
  private meets: Groups;
  /** @internal For the sleep stage: whether it was enabled or disabled, or its groups were set, since the last step. */
  switched = false;

  /** @internal */
  constructor(
    settings: ColliderSettings,
    /** World time when it was added (s). Its motion and its lifetime begin then. */
    readonly since: number,
  ) {
    this.type = settings.type;
    this.direction = settings.direction;
    this.origin = settings.origin;
    this.offset = settings.offset;
    this.radius = settings.radius;
    this.momentumScale = settings.momentumScale;
    this.exitSpeed = settings.exitSpeed;
    this.friction = settings.friction;
    this.restitution = settings.restitution;
    this.velocity = settings.velocity;
    this.lifetime = settings.lifetime;
    this.law = settings.law;
    this.except = settings.except;
    this.shape = settings.shape;
    this.start = settings.start;
    this.motion = settings.motion;
    this.warnings = settings.warnings;
    this.options = settings.options;
    this.meets = settings.groups;
    this.impulse = this.taken;
    this.angularImpulse = this.turned;
    poseInto(this.from, this.start, this.motion, 0);
    this.to.copy(this.from);
    if (this.motion.type === 'steady') {
      this.linear.set(this.motion.velocity);
      this.angular.set(this.motion.spin);
    }
    if (this.shape) fitBounds(this.bounds, this.shape.bounds, this.from, this.to);
  }

  /** Position after the last step (m). A new array on every access. */
  get position(): Vec3 {
    const [x, y, z] = this.to.position;
    return [x, y, z];
  }
  /** Rotation after the last step: quaternion x, y, z, w. A new array on every access. */
  get rotation(): Quaternion {
    const [x, y, z, w] = this.to.rotation;
    return [x, y, z, w];
  }

  /** @internal Whether it turns in this step. */
  get turns(): boolean {
    const w = this.angular;
    return w[0] !== 0 || w[1] !== 0 || w[2] !== 0;
  }

  /** Whether bodies meet it. Default true. A disabled collider can be moved without hitting anything on its path. */
  get enabled(): boolean {
    return this.on;
  }
  set enabled(value: boolean) {
    checkBoolean('enabled', value);
    if (value !== this.on) this.switched = true;
    if (value && !this.on && this.led) this.to.copy(this.led);
    this.on = value;
  }

  /**
   * Which bodies the collider meets, see {@link Groups}. Default: all. After a change, bodies near it wake in the next step.
   *
   * @example
   * // The bodies of group 1 fall through this floor, all others lie on it.
   * const floor = world.addCollider({ type: 'plane', normal: [0, 1, 0] });
   * floor.groups = { membership: 0xffffffff, filter: ~(1 << 1) >>> 0 };
   */
  get groups(): Groups {
    return this.meets;
  }
  set groups(value: Partial<Groups>) {
    this.meets = resolveGroups('groups', value);
    this.switched = true;
  }

  /** @internal Whether `moveTo` was called. */
  get isLed(): boolean {
    return this.led !== undefined;
  }

  /** @internal Whether it stands still unless `moveTo` is called. */
  get stands(): boolean {
    return this.led === undefined && this.motion.type === 'standing';
  }

  /**
   * Moves the collider to a position (m) and rotation (quaternion x, y, z, w; default: as it is) within the next step. It hits everything
   * on its path, at the speed of covering that distance in one step. From then on the collider ignores its own motion: it stands still
   * unless `moveTo` is called again. Refused with `law: 'research'`.
   */
  moveTo(position: Vec3, rotation: Quaternion = this.rotation): void {
    if (this.law === 'research') refuse('collider.law', this.law, '"coulomb" for a collider that is led');
    const p = checkVec3('position', position);
    const q = checkRotation('rotation', rotation);
    this.led ??= new Pose();
    this.led.set(p, q);
  }

  /** @internal For the stage: a body touches it. */
  meet(body: Body): void {
    if (this.met.has(body)) return;
    this.met.add(body);
    (this.touching as Body[]).push(body);
  }

  /** @internal Start of a step: the impulses and the bodies that touch it are those of all its substeps. */
  forgetImpulses(): void {
    (this.touching as Body[]).length = 0;
    this.met.clear();
    this.taken.fill(0);
    this.turned.fill(0);
  }

  /** @internal Start of the stage: updates poses and velocities for the step that begins at `time`. */
  advance(time: number, h: number, substepsLeft: number): void {
    if (this.stands) return;
    const { from, to, motion } = this;
    this.ahead(from, to, time, h, substepsLeft);
    if (this.led || motion.type === 'keyed') {
      for (let a = 0; a < 3; a++) this.linear[a] = (to.position[a] - from.position[a]) / h;
      angularVelocityInto(this.angular, from.rotation, to.rotation, h);
    }
    if (this.shape) fitBounds(this.bounds, this.shape.bounds, from, to);
  }

  /** @internal Start of a step: sets `bounds` for the coming motion, so that sleeping bodies in its path can be woken first. */
  foresee(time: number, h: number): void {
    if (this.stands || !this.shape) return;
    coming.copy(this.to);
    this.ahead(going, coming, time, h, 1);
    fitBounds(this.bounds, this.shape.bounds, going, coming);
  }

  /** Sets the poses at both ends of the step. On entry `to` holds the pose at the end of the last step. */
  private ahead(from: Pose, to: Pose, time: number, h: number, substepsLeft: number): void {
    if (this.led) {
      from.copy(this.on ? to : this.led);
      // A led collider reaches its target at the end of the step, by equal parts in the substeps.
      if (this.on && substepsLeft > 1) to.moveTowards(this.led, 1 / substepsLeft);
      else to.copy(this.led);
    } else {
      poseInto(from, this.start, this.motion, time - this.since);
      poseInto(to, this.start, this.motion, time + h - this.since);
    }
  }

  /** @internal For snapshots. */
  save(): ColliderRecord {
    return {
      from: poseOf(this.from),
      to: poseOf(this.to),
      led: this.led && poseOf(this.led),
      motion: [...this.linear, ...this.angular],
      bounds: [...this.bounds],
      received: [...this.taken, ...this.turned],
      enabled: this.on,
      switched: this.switched,
      ...groupsRecord(this.meets),
    };
  }

  /** @internal */
  load(record: ColliderRecord): void {
    setPose(this.from, record.from);
    setPose(this.to, record.to);
    this.led = record.led && setPose(new Pose(), record.led);
    this.linear.set(record.motion.slice(0, 3));
    this.angular.set(record.motion.slice(3));
    this.bounds.set(record.bounds);
    for (let a = 0; a < 3; a++) {
      this.taken[a] = record.received[a];
      this.turned[a] = record.received[3 + a];
    }
    this.on = record.enabled;
    this.switched = record.switched;
    this.meets = record.groups ? resolveGroups('groups', record.groups) : ALL_GROUPS;
  }

  /** @internal For the stage: adds an impulse j (N s) at the point x of the world. */
  receive(x: number, y: number, z: number, jx: number, jy: number, jz: number): void {
    const p = this.to.position;
    const rx = x - p[0];
    const ry = y - p[1];
    const rz = z - p[2];
    this.taken[0] += jx;
    this.taken[1] += jy;
    this.taken[2] += jz;
    this.turned[0] += ry * jz - rz * jy;
    this.turned[1] += rz * jx - rx * jz;
    this.turned[2] += rx * jy - ry * jx;
  }

  /** @internal For the stage: adds the impulses (N s) from sums[taken] on, and their torques about its position (N m s) from sums[turned] on. */
  receiveSums(sums: Float64Array, taken: number, turned: number): void {
    for (let a = 0; a < 3; a++) {
      this.taken[a] += sums[taken + a];
      this.turned[a] += sums[turned + a];
    }
  }
}
