import type { Body } from './body/body.js';
import { copyPlaces } from './body/copyPositions.js';
import type { BodyOptions } from './body/options.js';
import { checkVec3, type Vec3 } from './check.js';
import type { ContactPair } from './contact/report.js';
import type { CutResult } from './cut/cut.js';
import type { CutOptions } from './cut/knife.js';
import { type DebugDrawOptions, type DebugLines, debugDraw } from './debugDraw.js';
import type { WorldEvent } from './events.js';
import type { Clamp, ClampOptions } from './external/clamp.js';
import type { ForceField, ForceFieldOptions } from './external/forceField.js';
import type { Pick, PickOptions } from './external/pick.js';
import type { Backend, Kernels } from './kernels/kernels.js';
import { createTsKernels } from './kernels/ts/index.js';
import { createWasmKernels } from './kernels/wasm/index.js';
import { type Measures, maxStretch, measure } from './measure.js';
import { hasExpired } from './obstacles/collide.js';
import type { Collider } from './obstacles/collider.js';
import type { ColliderOptions } from './obstacles/options.js';
import { Profile } from './profile.js';
import { castRay, type RayHit } from './query/castRay.js';
import type { ColliderHit, ColliderOverlap } from './query/colliders.js';
import { type NearestParticle, nearestParticle } from './query/nearestParticle.js';
import type { OverlapOptions, RayOptions, ReachOptions } from './query/options.js';
import { overlapSphere, type SphereOverlap } from './query/overlapSphere.js';
import type { BytesOptions } from './snapshot/bytes.js';
import type { Snapshot } from './snapshot/snapshot.js';
import { State } from './state/state.js';
import { validate } from './validate.js';
import type { BuildWatch } from './work.js';
import { addClamp, addCollider, removeClamp, removeCollider } from './world/actors.js';
import { addBody, cut, removeBody, separate } from './world/bodies.js';
import { WorldCore } from './world/core.js';
import { disposeWorld } from './world/dispose.js';
import { addForceField, addPick, removeForceField, removePick } from './world/drivers.js';
import { checkDt, resolveWorld, type WorldOptions } from './world/options.js';
import { restoreWorld, saveWorld, takeSnapshot } from './world/snapshots.js';
import { advance, stepWorld } from './world/time.js';

export class World {
  /** @internal The arrays of all bodies. */
  readonly state: State;
  readonly profile = new Profile();
  /** Seconds since the world began. */
  time = 0;
  /** Steps since the world began. */
  frame = 0;
  forceFields: readonly ForceField[] = [];
  picks: readonly Pick[] = [];

  /** @internal What stages, topology changes and snapshots use of it. */
  readonly core: WorldCore;

  private constructor(
    /** @internal */
    readonly kernels: Kernels,
    state: State,
    settings: Required<WorldOptions>,
  ) {
    this.state = state;
    this.core = new WorldCore(state, settings);
    state.kernels = kernels;
    state.world = this;
  }

  /** Makes an empty world. Asynchronous because browsers compile WASM asynchronously. */
  static async create(options: WorldOptions = {}): Promise<World> {
    const settings = resolveWorld(options);
    const state = new State();
    const kernels = settings.backend === 'wasm' ? await createWasmKernels(state) : createTsKernels(state);
    return new World(kernels, state, settings);
  }

  get gravity(): Vec3 {
    return this.core.settings.gravity;
  }

  set gravity(value: Vec3) {
    this.core.check();
    this.core.settings = { ...this.core.settings, gravity: checkVec3('gravity', value) };
    this.wakeAll();
  }

  /**
   * Seconds of a step. Can be set between two steps: velocities stay. A body's stiffness and damping are shares of a step, so that it gets stiffer and calms down sooner where steps are shorter.
   *
   * @example
   * world.dt = 1 / 120;
   */
  get dt(): number {
    return this.core.h;
  }

  set dt(value: number) {
    this.core.checkIdle('dt');
    this.core.h = checkDt('dt', value);
  }

  get sleepSpeed(): number {
    return this.core.settings.sleepSpeed;
  }

  get sleepAfter(): number {
    return this.core.settings.sleepAfter;
  }

  get maxSpeed(): number {
    return this.core.settings.maxSpeed;
  }

  get backend(): Backend {
    return this.kernels.backend;
  }

  get bodies(): readonly Body[] {
    return this.core.table.list;
  }

  get particleCount(): number {
    return this.state.count.particle;
  }

  get clusterCount(): number {
    return this.state.count.cluster;
  }

  get membershipCount(): number {
    return this.state.count.membership;
  }

  /** All particles' positions and masses, four numbers each. A view, valid as long as those of a body (see there). */
  get positions(): Float32Array {
    this.core.check();
    return this.state.views.x.subarray(0, 4 * this.particleCount);
  }

  get velocities(): Float32Array {
    this.core.check();
    return this.state.views.v.subarray(0, 4 * this.particleCount);
  }

  /**
   * Samples, clusters and adds a body. Nothing of it stays behind when an option is refused or the build is cancelled. Large bodies take long (docs/limits.md):
   * `watch` is told how far it is, and can cancel it.
   */
  addBody(options: BodyOptions, watch?: BuildWatch): Body {
    return addBody(this, options, watch);
  }

  /**
   * Makes bodies of the pieces that one has fallen into: the largest keeps the handle (and the debris), the others get their own. Motion,
   * clamps, pins and force fields go on as before. Returns all of them, the largest first; a body in one piece is left as it is.
   */
  separate(body: Body): Body[] {
    return separate(this, body);
  }

  /**
   * Cuts a body where it is now, by a plane or by a blade, a flat convex polygon. What falls apart becomes bodies of their own as in `separate`; a blade
   * that ends inside leaves one body with a flap. Mass, positions and velocities stay; a cut that meets nothing changes nothing.
   */
  cut(body: Body, options: CutOptions): CutResult {
    return cut(this, body, options);
  }

  /** The body of a handle; refused if it was removed, even if its slot has a new tenant. */
  getBody(handle: number): Body {
    this.core.check();
    return this.core.table.get(handle);
  }

  removeBody(body: Body | number): void {
    removeBody(this, body);
  }

  addCollider(options: ColliderOptions): Collider {
    return addCollider(this, options);
  }

  removeCollider(collider: Collider): void {
    removeCollider(this, collider);
  }

  /** Holds part of the bodies, standing still or moving. */
  addClamp(options: ClampOptions): Clamp {
    return addClamp(this, options);
  }

  removeClamp(clamp: Clamp): void {
    removeClamp(this, clamp);
  }

  /** Adds a force field: it pushes every particle of its bodies from the next step on. */
  addForceField(options: ForceFieldOptions): ForceField {
    return addForceField(this, options);
  }

  removeForceField(field: ForceField): void {
    removeForceField(this, field);
  }

  /** Grabs a body by a point or a particle: the hand draws it to its target, from the next step on and as long as it is there (SPEC I1). */
  addPick(options: PickOptions): Pick {
    return addPick(this, options);
  }

  removePick(pick: Pick): void {
    removePick(this, pick);
  }

  /**
   * All that the further run depends on, as plain data: restored, the same steps give the same bits. What did not change since the snapshot before is shared with it;
   * nothing in a snapshot may be written to. The world keeps what it names, also when it is removed, until `forgetSnapshots`.
   */
  snapshot(): Snapshot {
    return takeSnapshot(this);
  }

  /**
   * The same as bytes, for files and messages: restored, the same steps give the same bits, in this world, in one that was built in the same way, and in an empty
   * one. `base` makes them a difference to a snapshot that both sides have, such as that of the world as it was built: then they take little more than
   * what moves. A force field of type "custom" is a function, which bytes cannot hold: they can be restored only where the world has it.
   */
  save(options: BytesOptions = {}): Uint8Array {
    return saveWorld(this, options);
  }

  /**
   * Goes back (or forth) to a snapshot of this world, or of one that was built in the same way, or to what `save` returned, of any world. Bodies, colliders, clamps,
   * force fields and picks that are in it are there again, the same objects as ever, also if they were removed since; others are removed. What this world never
   * had is made from the bytes, and the time step and limits of sleep and speed are theirs. Views are replaced; events that wait are dropped. All of it is looked at
   * before anything is changed: whatever is damaged or does not fit is refused, and the world stays as it is.
   */
  restore(snapshot: Snapshot | Uint8Array, options: BytesOptions = {}): void {
    restoreWorld(this, snapshot, options);
  }

  /** No snapshot taken so far will be restored: lets go of what was removed since and is in one. */
  forgetSnapshots(): void {
    this.core.memory.forget();
  }

  /** Advances by one fixed time step. */
  step(): void {
    stepWorld(this);
  }

  /**
   * Advances by `seconds` of real time in fixed steps, keeping the rest for the next call; at most `maxSteps`, beyond which
   * time is dropped (a slow machine shows slow motion instead of falling ever further behind). `alpha` in [0, 1) is the rest as a
   * share of a step: draw previousPositions + alpha · (positions − previousPositions). The time of a first animation frame may be that of a moment before the page asked for it: an interval of less than a second
   * below 0 counts as 0.
   *
   * @example
   * const { steps, alpha } = world.advance(1 / 30);
   */
  advance(seconds: number, maxSteps = 4): { steps: number; alpha: number } {
    return advance(this, seconds, maxSteps);
  }

  /** Takes the waiting events out of the queue. */
  drainEvents(): WorldEvent[] {
    this.core.check();
    const events = this.core.events;
    this.core.events = [];
    return events;
  }

  /**
   * The first hit of a ray, or of a piece of one, on a body's surface; with `obstacles: true` on a body or a collider, whichever is nearer. A hit on a collider has `collider` in place of `body`.
   *
   * @example
   * const hit = world.castRay([0, 5, 0], [0, -1, 0], { obstacles: true, maxDistance: 100 });
   * if (hit?.collider) console.log('an obstacle', hit.distance);
   * else if (hit) console.log(hit.body.name, hit.particle);
   */
  castRay(origin: Vec3, direction: Vec3, options: RayOptions & { obstacles: true }): RayHit | ColliderHit | undefined;

  castRay(origin: Vec3, direction: Vec3, options?: RayOptions & { obstacles?: false }): RayHit | undefined;

  castRay(origin: Vec3, direction: Vec3, options?: RayOptions): RayHit | ColliderHit | undefined;

  castRay(origin: Vec3, direction: Vec3, options?: RayOptions): RayHit | ColliderHit | undefined {
    this.core.check();
    return castRay(this, origin, direction, options);
  }

  /**
   * The bodies that have a part in a ball, nearest first; with `obstacles: true` the colliders among them, which have `collider` in place of `body`.
   *
   * @example
   * for (const { body, distance } of world.overlapSphere([0, 0, 0], 1)) console.log(body.name, distance);
   */
  overlapSphere(
    centre: Vec3,
    radius: number,
    options: OverlapOptions & { obstacles: true },
  ): (SphereOverlap | ColliderOverlap)[];

  overlapSphere(centre: Vec3, radius: number, options?: OverlapOptions & { obstacles?: false }): SphereOverlap[];

  overlapSphere(centre: Vec3, radius: number, options?: OverlapOptions): (SphereOverlap | ColliderOverlap)[];

  overlapSphere(centre: Vec3, radius: number, options?: OverlapOptions): (SphereOverlap | ColliderOverlap)[] {
    this.core.check();
    return overlapSphere(this, centre, radius, options);
  }

  /**
   * The particle that is nearest to a point.
   *
   * @example
   * const nearest = world.nearestParticle([0, 1, 0], { filter: { membership: 1 << 0, filter: 1 << 0 } });
   */
  nearestParticle(point: Vec3, options?: ReachOptions): NearestParticle | undefined {
    this.core.check();
    return nearestParticle(this, point, options);
  }

  /** Mass, momenta, energy and extent, of a body or of everything. */
  measure(body?: Body): Measures {
    this.core.check();
    if (!body) return measure(this);
    this.core.ownBody(body);
    return measure(this, body.rows.particleStart, body.rows.particleEnd);
  }

  /** The largest stretch of any cluster: 1 is none. */
  maxStretch(): number {
    this.core.check();
    return maxStretch(this);
  }

  /** Ends the world. Its bodies and itself refuse everything afterwards. */
  dispose(): void {
    disposeWorld(this);
  }

  /**
   * Pairs of bodies that touched in the last step: where, how and how hard. Valid until the next step.
   *
   * @example
   * for (const { a, b, impulse } of world.contactPairs()) console.log(a.name, b.name, Math.hypot(...impulse));
   */
  contactPairs(): readonly ContactPair[] {
    this.core.check();
    return this.core.pairs.list;
  }

  /** Wakes every body that sleeps. */
  wakeAll(): void {
    for (const body of this.bodies) body.wake();
  }

  /** What is wrong with its state, one line each; empty when all is sound. Slow: for tests, and for whoever writes into the state. */
  validate(): string[] {
    this.core.check();
    return validate(this);
  }

  /**
   * The colliders in the order in which they were added; those whose lifetime is over are no longer among them.
   *
   * @example
   * for (const collider of world.colliders) console.log(collider.type, collider.position);
   */
  get colliders(): readonly Collider[] {
    return this.core.allColliders.filter((collider) => !hasExpired(this, collider));
  }

  /** The clamps in the order in which they were added; those that have let go at the end of their lifetime are no longer among them. */
  get clamps(): readonly Clamp[] {
    return this.core.allClamps.filter((clamp) => clamp.holding);
  }

  /**
   * All particles' positions as x, y, z after one another: into `out`, or into a new array. Returns the array. `positions` is a view of four numbers a particle that costs nothing; this is a copy.
   *
   * @example
   * const xyz = world.copyPositions();
   */
  copyPositions(out?: Float32Array): Float32Array {
    return copyPlaces(this.positions, out);
  }

  /**
   * Fills line buffers with what there is to see of the world while something is wrong with it: boxes, colliders, clamps, picks and contacts, and as `options` say also memberships, clusters and proxies.
   * Returns `out`, whose arrays are replaced only when they are too short. For three.js: a LineSegments whose position and color attributes are these arrays, with setDrawRange(0, count).
   *
   * @example
   * const lines = world.debugDraw();
   * world.step();
   * world.debugDraw(lines, { clusters: true });
   * console.log(lines.count / 2, lines.positions, lines.colours);
   */
  debugDraw(
    out: DebugLines = { positions: new Float32Array(0), colours: new Float32Array(0), count: 0 },
    options?: DebugDrawOptions,
  ): DebugLines {
    this.core.check();
    return debugDraw(this, out, options);
  }
}
