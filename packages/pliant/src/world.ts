import type { Body } from './body/body.js';
import type { BuiltBody } from './body/build.js';
import { copyPlaces } from './body/copyPositions.js';
import type { AddOptions, BodyOptions } from './body/options.js';
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
import { createSharedMemory } from './threads/sharedMemory.js';
import { wantedThreads } from './threads/wantedThreads.js';
import { validate } from './validate.js';
import type { BuildWatch } from './work.js';
import { addClamp, addCollider, removeClamp, removeCollider } from './world/actors.js';
import { addBodyAsync } from './world/asyncBody.js';
import { addBody, cut, removeBody, separate } from './world/bodies.js';
import { WorldCore } from './world/core.js';
import { disposeWorld } from './world/dispose.js';
import { addForceField, addPick, removeForceField, removePick } from './world/drivers.js';
import { checkDt, checkMaxSubsteps, checkSubsteps, resolveWorld, type WorldOptions } from './world/options.js';
import { restoreWorld, saveWorld, takeSnapshot } from './world/snapshots.js';
import { advance, stepWorld } from './world/time.js';

/**
 * Bodies, colliders, clamps, force fields and picks, and the clock that advances them. Make one with `await World.create()`, add bodies, then call
 * `step` or `advance`.
 *
 * Any call that changes the world is refused during a step, that is from a force function.
 */
export class World {
  /** @internal The arrays of all bodies. */
  readonly state: State;
  /** Time that each stage of the step took (ms). */
  readonly profile = new Profile();
  /** Simulated time since the world began (s). */
  time = 0;
  /** Number of steps since the world began. */
  frame = 0;
  /** The force fields, in the order in which they were added. */
  forceFields: readonly ForceField[] = [];
  /** The picks, in the order in which they were added. */
  picks: readonly Pick[] = [];

  /** @internal The parts that stages, topology changes and snapshots use. */
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

  /** Makes an empty world. Asynchronous, because it compiles the WASM module. */
  static async create(options: WorldOptions = {}): Promise<World> {
    const settings = resolveWorld(options);
    if (settings.backend === 'ts') {
      // Pages load the plain kernels only when they ask for them.
      const { createTsKernels } = await import('./kernels/ts/index.js');
      const state = new State();
      return new World(createTsKernels(state), state, settings);
    }
    const wanted = wantedThreads(settings.threads);
    const shared = wanted && createSharedMemory();
    const state = new State(shared);
    return new World(await createWasmKernels(state, shared && wanted), state, settings);
  }

  /** Acceleration of all particles (m/s²). Setting it wakes all bodies. */
  get gravity(): Vec3 {
    return this.core.settings.gravity;
  }

  set gravity(value: Vec3) {
    this.core.check();
    this.core.settings = { ...this.core.settings, gravity: checkVec3('gravity', value) };
    this.wakeAll();
  }

  /**
   * Length of a step (s). Can be set between two steps; velocities stay. A body with an elastic law (`material.young`) behaves as before. The stiffness and damping of other bodies are
   * shares per step, so with shorter steps such a body is stiffer and comes to rest sooner.
   *
   * @example
   * world.dt = 1 / 120;
   */
  get dt(): number {
    return this.core.dt;
  }

  set dt(value: number) {
    this.core.checkIdle('dt');
    this.core.dt = this.core.h = checkDt('dt', value);
  }

  /** @internal Seconds of a substep. */
  get h(): number {
    return this.core.h;
  }

  /**
   * Parts of equal length into which each step is divided, or 'auto': as many as the stiffest awake body with an elastic law needs, up to `maxSubsteps`.
   *
   * @example
   * world.substeps = 4;
   */
  get substeps(): number | 'auto' {
    return this.core.settings.substeps;
  }

  set substeps(value: number | 'auto') {
    this.core.checkIdle('substeps');
    this.core.settings = { ...this.core.settings, substeps: checkSubsteps('substeps', value) };
  }

  /** Bound of `substeps: 'auto'`. */
  get maxSubsteps(): number {
    return this.core.settings.maxSubsteps;
  }

  set maxSubsteps(value: number) {
    this.core.checkIdle('maxSubsteps');
    this.core.settings = { ...this.core.settings, maxSubsteps: checkMaxSubsteps('maxSubsteps', value) };
  }

  /** A body may fall asleep when it is slower than this many body sizes a second. Set by `World.create`. */
  get sleepSpeed(): number {
    return this.core.settings.sleepSpeed;
  }

  /** How long (s) a body must be slow before it falls asleep. Set by `World.create`. */
  get sleepAfter(): number {
    return this.core.settings.sleepAfter;
  }

  /** Largest speed of a particle (m/s). Set by `World.create`. */
  get maxSpeed(): number {
    return this.core.settings.maxSpeed;
  }

  /** Which implementation of the kernels runs. */
  get backend(): Backend {
    return this.kernels.backend;
  }

  /**
   * Number of threads that steps run on, the calling one among them. 1 where memory cannot be shared with workers, while the world is too small to gain (with `threads: 'auto'`), and until the
   * workers have started: they start in the first step that needs them.
   */
  get threads(): number {
    return this.kernels.threads.count;
  }

  /** The bodies, in the order in which they were added. A body that was separated or cut moves to the end, with its pieces. */
  get bodies(): readonly Body[] {
    return this.core.table.list;
  }

  /** Number of particles of all bodies. */
  get particleCount(): number {
    return this.state.count.particle;
  }

  /** Number of clusters of all bodies, of the finest level. */
  get clusterCount(): number {
    return this.state.count.cluster;
  }

  /** Number of memberships: particles of each cluster, summed over all clusters. The time of a step grows with it. */
  get membershipCount(): number {
    return this.state.count.membership;
  }

  /** Positions and masses of all particles, four numbers each: x, y, z (m), mass (kg). A view, valid as long as the views of a {@link Body}. */
  get positions(): Float32Array {
    this.core.check();
    return this.state.views.x.subarray(0, 4 * this.particleCount);
  }

  /** Velocities of all particles, four numbers each: x, y, z (m/s) and 0. A view, valid as long as the views of a {@link Body}. */
  get velocities(): Float32Array {
    this.core.check();
    return this.state.views.v.subarray(0, 4 * this.particleCount);
  }

  /**
   * Samples, clusters and adds a body. It runs synchronously; large bodies take long (docs/limits.md). `watch` reports the
   * progress and can cancel it. If an option is refused or the build is cancelled, it throws a PliantError and the world is unchanged.
   *
   * A body that `buildBody` or `loadBody` made is added in a fraction of that time, as often as wanted. `options` say where and with which motion; the result is the same to the bit as
   * that of building it there.
   */
  addBody(options: BodyOptions, watch?: BuildWatch): Body;

  addBody(built: BuiltBody, options?: AddOptions): Body;

  addBody(given: BodyOptions | BuiltBody, how?: BuildWatch | AddOptions): Body {
    return addBody(this, given, how);
  }

  /**
   * As `addBody`, without blocking the caller: samples and clusters in a thread of its own, and adds the body when that is done, with the same bits. Where there are no threads, and for options
   * with functions, which cannot be sent to one, it builds on the calling thread and pauses between the stages. `watch` reports the progress and can cancel it; an AbortSignal will do. If an option is refused or the
   * build is cancelled, the promise is rejected with a PliantError and the world is unchanged. Bodies are added in the order in which they are finished.
   *
   * @example
   * const ball = await world.addBodyAsync(
   *   { shape: { type: 'sphere', radius: 0.5 }, sampling: { count: 500 } },
   *   { onProgress: ({ done }) => console.log(done) },
   * );
   * console.log(ball.particleCount);
   */
  addBodyAsync(options: BodyOptions | BuiltBody, watch?: BuildWatch): Promise<Body> {
    return addBodyAsync(this, options, watch);
  }

  /**
   * Makes a body of each piece that a body has broken into, and returns them, the largest first. The largest piece stays the same `Body` and keeps
   * the debris. Motion, clamps, pins and force fields go on as before. A body in one piece is returned as it is.
   */
  separate(body: Body): Body[] {
    return separate(this, body);
  }

  /**
   * Cuts a body where it is now, by a plane or by a blade (a flat convex polygon). Parts that come off become bodies of their own, as in `separate`.
   * A blade that ends inside the body leaves a flap. Mass, positions and velocities do not change. A cut that meets nothing changes nothing.
   */
  cut(body: Body, options: CutOptions): CutResult {
    return cut(this, body, options);
  }

  /** The body with a handle. Throws if the body was removed, even if another body has taken its place in memory. */
  getBody(handle: number): Body {
    this.core.check();
    return this.core.table.get(handle);
  }

  /** Removes a body, given as such or by its handle. Its picks go too, and bodies that touched it wake. */
  removeBody(body: Body | number): void {
    removeBody(this, body);
  }

  /**
   * Adds an obstacle: plane, sphere, cylinder, box, capsule or mesh. Bodies bump into it from the next step on; nothing moves it but its own motion
   * and `moveTo`. Wakes all bodies.
   */
  addCollider(options: ColliderOptions): Collider {
    return addCollider(this, options);
  }

  /** Removes an obstacle. Wakes all bodies. */
  removeCollider(collider: Collider): void {
    removeCollider(this, collider);
  }

  /** Holds the particles of a region, standing still or moving rigidly. Throws if the region holds no particle. */
  addClamp(options: ClampOptions): Clamp {
    return addClamp(this, options);
  }

  /** Removes a clamp and lets its particles go. Particles that are pinned stay where they are. */
  removeClamp(clamp: Clamp): void {
    removeClamp(this, clamp);
  }

  /** Adds a force field. It acts on every particle of its bodies from the next step on. */
  addForceField(options: ForceFieldOptions): ForceField {
    return addForceField(this, options);
  }

  /** Removes a force field. */
  removeForceField(field: ForceField): void {
    removeForceField(this, field);
  }

  /**
   * Grabs a body at a point or a particle, as a mouse does: a damped spring pulls the grabbed place to the target from the next step on, until
   * `removePick`.
   */
  addPick(options: PickOptions): Pick {
    return addPick(this, options);
  }

  /** Lets go of a grabbed body. */
  removePick(pick: Pick): void {
    removePick(this, pick);
  }

  /**
   * The state of the world as plain data. After `restore` the same steps give the same bits. Consecutive snapshots share the arrays that did not
   * change, so do not write into a snapshot. The world keeps objects that a snapshot names, also after they are removed, until `forgetSnapshots`.
   */
  snapshot(): Snapshot {
    return takeSnapshot(this);
  }

  /**
   * The state of the world as bytes with a checksum, for files and messages. It can be restored in this world, in one that was built alike, and in an
   * empty one; then the same steps give the same bits. With `base`, a snapshot that both sides have, the bytes hold only the difference. A force
   * field of type 'custom' is a function and is not stored: such bytes can be restored only in a world that has the field.
   */
  save(options: BytesOptions = {}): Uint8Array {
    return saveWorld(this, options);
  }

  /**
   * Goes back, or forth, to a snapshot of this world or of one that was built alike, or to bytes of `save` of any world. Bodies, colliders, clamps,
   * force fields and picks of the snapshot are there again, as the same objects, also if they were removed since. Those that are not in the snapshot
   * are removed. Things that this world never had are made from the bytes; `dt`, `maxSpeed` and the sleep settings are taken from them too.
   *
   * All views become invalid, and waiting events are dropped. The snapshot is checked before anything changes: if it is damaged or does not fit, it
   * is refused with a PliantError and the world stays as it is.
   */
  restore(snapshot: Snapshot | Uint8Array, options: BytesOptions = {}): void {
    restoreWorld(this, snapshot, options);
  }

  /**
   * Frees what the world keeps for its snapshots: objects that were removed since. Snapshots taken before cannot be restored once an object that they
   * name is gone.
   */
  forgetSnapshots(): void {
    this.core.memory.forget();
  }

  /**
   * Advances the world by one step of `dt` seconds. If a force function throws, the error is passed on and the step does not take place: time, positions, velocities, waiting forces, clamps and
   * events stay as they were, and the step can be tried again. (A body with numbers that are not finite is put into quarantine first, as in every step.)
   */
  step(): void {
    stepWorld(this);
  }

  /**
   * Advances by `seconds` of real time, in steps of `dt`. Time that is left over is kept for the next call. At most `maxSteps` steps are done and the
   * time beyond is dropped, so that a slow machine shows slow motion. An interval between −1 and 0 s counts as 0, as the first frame of
   * requestAnimationFrame may report one. If a force function throws, the error is passed on: the steps before it have taken place, and the time of the others is kept for the next call.
   *
   * `steps` is the number of steps done. `alpha` in [0, 1) is the time left over as a share of a step: draw `previousPositions + alpha * (positions -
   * previousPositions)`.
   *
   * @example
   * const { steps, alpha } = world.advance(1 / 30);
   */
  advance(seconds: number, maxSteps = 4): { steps: number; alpha: number } {
    return advance(this, seconds, maxSteps);
  }

  /** Returns the events since the last call, oldest first, and empties the queue. Call it regularly: events pile up otherwise. */
  drainEvents(): WorldEvent[] {
    this.core.check();
    const events = this.core.events;
    this.core.events = [];
    return events;
  }

  /**
   * The first hit of a ray on the surface of a body, or undefined. `direction` has any length but 0. With `obstacles: true` colliders are hit as
   * well; such a hit has `collider` in place of `body`.
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
   * The particle that is nearest to a point (m), or undefined if there is none within `maxDistance`.
   *
   * @example
   * const nearest = world.nearestParticle([0, 1, 0], { filter: { membership: 1 << 0, filter: 1 << 0 } });
   */
  nearestParticle(point: Vec3, options?: ReachOptions): NearestParticle | undefined {
    this.core.check();
    return nearestParticle(this, point, options);
  }

  /** Mass, momentum, energy and extent of a body, or of all bodies. Takes time proportional to the particles. */
  measure(body?: Body): Measures {
    this.core.check();
    if (!body) return measure(this);
    this.core.ownBody(body);
    return measure(this, body.rows.particleStart, body.rows.particleEnd);
  }

  /** The largest stretch of any cluster, as a ratio of lengths: 1 means undeformed. */
  maxStretch(): number {
    this.core.check();
    return maxStretch(this);
  }

  /** Ends the world. Every later call on it or its bodies throws. The memory is freed once nothing refers to the world. */
  dispose(): void {
    disposeWorld(this);
  }

  /**
   * Pairs of bodies that touched in the last step: where, in which direction and how hard. The list is rewritten by the next step.
   *
   * @example
   * for (const { a, b, impulse } of world.contactPairs()) console.log(a.name, b.name, Math.hypot(...impulse));
   */
  contactPairs(): readonly ContactPair[] {
    this.core.check();
    return this.core.pairs.list;
  }

  /** Wakes every sleeping body. */
  wakeAll(): void {
    for (const body of this.bodies) body.wake();
  }

  /**
   * Checks the whole state and returns what is wrong with it, a sentence each; an empty list if nothing is. Slow: for tests, and after you wrote into
   * views.
   */
  validate(): string[] {
    this.core.check();
    return validate(this);
  }

  /**
   * The colliders, in the order in which they were added. Those whose lifetime is over are not in the list.
   *
   * @example
   * for (const collider of world.colliders) console.log(collider.type, collider.position);
   */
  get colliders(): readonly Collider[] {
    return this.core.allColliders.filter((collider) => !hasExpired(this, collider));
  }

  /** The clamps, in the order in which they were added. Those that let go at the end of their lifetime are not in the list. */
  get clamps(): readonly Clamp[] {
    return this.core.allClamps.filter((clamp) => clamp.holding);
  }

  /**
   * Copies the positions of all particles as x, y, z, x, y, z, … (m) into `out`, or into a new array, and returns it. `positions` needs no copy, but
   * has four numbers a particle.
   *
   * @example
   * const xyz = world.copyPositions();
   */
  copyPositions(out?: Float32Array): Float32Array {
    return copyPlaces(this.positions, out);
  }

  /**
   * Fills line buffers with a picture of the world for debugging: bounding boxes, colliders, clamps, picks and contacts, and if `options` ask for
   * them memberships, clusters and proxies. Returns `out`; its arrays are replaced only when they are too short. For three.js, make a LineSegments
   * whose position and color attributes are these arrays, with `setDrawRange(0, count)`.
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
