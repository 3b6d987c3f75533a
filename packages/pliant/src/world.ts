import { Body } from './body/body.js';
import { type BodyOptions, buildBody } from './body/build.js';
import { copyPlaces } from './body/copyPositions.js';
import { BodyTable } from './body/table.js';
import {
  checkInteger,
  checkKeys,
  checkNumber,
  checkOneOf,
  checkVec3,
  PliantError,
  refuse,
  type Vec3,
  withDefaults,
} from './check.js';
import { type ContactPair, ContactPairs } from './contact/report.js';
import { BodySweep } from './contact/sweep.js';
import { type CutResult, cutBody } from './cut/cut.js';
import type { CutOptions } from './cut/knife.js';
import { type DebugDrawOptions, type DebugLines, debugDraw } from './debugDraw.js';
import type { WorldEvent } from './events.js';
import { Clamp, type ClampOptions } from './external/clamp.js';
import { ForceField, type ForceFieldOptions } from './external/forceField.js';
import { Pick, type PickOptions } from './external/pick.js';
import { BACKENDS, type Backend, type Kernels } from './kernels/kernels.js';
import { createTsKernels } from './kernels/ts/index.js';
import { createWasmKernels } from './kernels/wasm/index.js';
import { checkParticleCount, MAX_PARTICLES } from './limits.js';
import { type Measures, maxStretch, measure } from './measure.js';
import { hasExpired } from './obstacles/collide.js';
import type { Collider } from './obstacles/collider.js';
import type { ColliderOptions } from './obstacles/options.js';
import { resolveCollider } from './obstacles/resolve.js';
import { Profile } from './profile.js';
import { castRay, type RayHit } from './query/castRay.js';
import type { ColliderHit, ColliderOverlap } from './query/colliders.js';
import { type NearestParticle, nearestParticle } from './query/nearestParticle.js';
import type { OverlapOptions, RayOptions, ReachOptions } from './query/options.js';
import { overlapSphere, type SphereOverlap } from './query/overlapSphere.js';
import { COUNT_TOLERANCE } from './sample/searchSpacing.js';
import { type BytesOptions, encodeSnapshot, readSnapshot } from './snapshot/bytes.js';
import { isTyped } from './snapshot/format/schema.js';
import { Memory, type Snapshot } from './snapshot/snapshot.js';
import type { Rows } from './state/rows.js';
import { State } from './state/state.js';
import { step } from './step.js';
import { shiftBodies } from './topology/bodyRows.js';
import { appendBody, removeBody } from './topology/editRows.js';
import { NO_PIECE } from './topology/pieces.js';
import { separateBody } from './topology/separateBody.js';
import { unchangedDraft } from './topology/writePieces.js';
import { validate } from './validate.js';
import { type BuildWatch, Work } from './work.js';

export interface WorldOptions {
  /** m/s². */
  gravity?: Vec3;
  /** Fixed time step (s). */
  dt?: number;
  backend?: Backend;
  /** Bodies slower than this share of their size per second (rms over their particles) may fall asleep; 0: none ever does. */
  sleepSpeed?: number;
  /** For how long (s) they must have been that slow. */
  sleepAfter?: number;
  /** m/s; faster particles are slowed to it, so that no impulse of any size overflows f32. */
  maxSpeed?: number;
}

export const WORLD_DEFAULTS = {
  gravity: [0, -9.81, 0],
  dt: 1 / 60,
  backend: 'wasm',
  sleepSpeed: 0.03,
  sleepAfter: 0.5,
  maxSpeed: 1e6,
} as const satisfies Required<WorldOptions>;

export class World {
  /** @internal The arrays of all bodies. */
  readonly state: State;
  readonly profile = new Profile();
  /** @internal Which bodies touch. */
  readonly pairs = new ContactPairs();
  /** @internal Which bodies are near each other. */
  readonly sweep = new BodySweep();
  /** Seconds since the world began. */
  time = 0;
  /** Steps since the world began. */
  frame = 0;
  /** @internal Colliders and clamps in the order they were added. */
  actors: readonly (Collider | Clamp)[] = [];
  /** @internal Those whose lifetime is over among them. */
  allColliders: readonly Collider[] = [];
  /** @internal Those that have let go among them. */
  allClamps: readonly Clamp[] = [];
  forceFields: readonly ForceField[] = [];
  picks: readonly Pick[] = [];
  private readonly table = new BodyTable();
  private readonly memory = new Memory();
  private events: WorldEvent[] = [];
  private accumulator = 0;
  private disposed = false;
  private isStepping = false;
  private masks = new Map<Clamp, Uint8Array>();
  private h: number;

  private constructor(
    /** @internal */
    readonly kernels: Kernels,
    state: State,
    private settings: Required<WorldOptions>,
  ) {
    this.state = state;
    this.h = settings.dt;
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
    return this.settings.gravity;
  }
  set gravity(value: Vec3) {
    this.check();
    this.settings = { ...this.settings, gravity: checkVec3('gravity', value) };
    this.wakeAll();
  }
  /**
   * Seconds of a step. Can be set between two steps: velocities stay. A body's stiffness and damping are shares of a step, so that it gets stiffer and calms down sooner where steps are shorter.
   *
   * @example
   * world.dt = 1 / 120;
   */
  get dt(): number {
    return this.h;
  }
  set dt(value: number) {
    this.checkIdle('dt');
    this.h = checkDt('dt', value);
  }
  /** @internal For snapshots: the one that the world was created with. */
  get createdDt(): number {
    return this.settings.dt;
  }
  get sleepSpeed(): number {
    return this.settings.sleepSpeed;
  }
  get sleepAfter(): number {
    return this.settings.sleepAfter;
  }
  get maxSpeed(): number {
    return this.settings.maxSpeed;
  }
  get backend(): Backend {
    return this.kernels.backend;
  }
  get bodies(): readonly Body[] {
    return this.table.list;
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
    this.check();
    return this.state.views.x.subarray(0, 4 * this.particleCount);
  }
  get velocities(): Float32Array {
    this.check();
    return this.state.views.v.subarray(0, 4 * this.particleCount);
  }

  /**
   * Samples, clusters and adds a body. Nothing of it stays behind when an option is refused or the build is cancelled. Large bodies take long (docs/limits.md):
   * `watch` is told how far it is, and can cancel it.
   */
  addBody(options: BodyOptions, watch?: BuildWatch): Body {
    this.checkIdle('addBody');
    const work = new Work(watch);
    this.checkRoom(options);
    const built = buildBody(options, 'body', work);
    checkParticleCount('world', (this.particleCount + built.data.masses.length) / (1 + COUNT_TOLERANCE));
    work.begin('append');
    const rows = appendBody(this.state, built.data);
    let body: Body;
    try {
      body = Body.fromBuilt(this.table.newHandle(), this.state, rows, built);
      work.finish();
    } catch (error) {
      // A surface that cannot be bound is found out last.
      removeBody(this.state, rows);
      throw error;
    }
    this.table.seat(body);
    this.table.list.push(body);
    this.numberOwners();
    this.masks.clear();
    return body;
  }

  /**
   * Makes bodies of the pieces that one has fallen into: the largest keeps the handle (and the debris), the others get their own. Motion,
   * clamps, pins and force fields go on as before. Returns all of them, the largest first; a body in one piece is left as it is.
   */
  separate(body: Body): Body[] {
    this.checkIdle('separate');
    const whole = this.ownBody(body);
    if (whole.pieces.count < 2) return [whole];
    if (whole.ownLevels)
      refuse('body', whole.name, "one whose levels have sums: 'nested': lists of particles are not divided");
    const skins = whole.skinsOfPieces();
    const { pieces } = whole;
    const { ofParticle } = pieces;
    const which: number[] = [];
    const bodies = separateBody(this, whole, unchangedDraft(this.state.views, whole), pieces, ({ particles }) => {
      which.push(ofParticle[particles.find((i) => ofParticle[i] !== NO_PIECE)!]);
    });
    if (skins) for (const [n, piece] of bodies.entries()) piece.setSkinMesh(skins[which[n]]);
    return bodies;
  }

  /**
   * Cuts a body where it is now, by a plane or by a blade, a flat convex polygon. What falls apart becomes bodies of their own as in `separate`; a blade
   * that ends inside leaves one body with a flap. Mass, positions and velocities stay; a cut that meets nothing changes nothing.
   */
  cut(body: Body, options: CutOptions): CutResult {
    this.checkIdle('cut');
    this.ownBody(body);
    if (body.ownLevels)
      refuse(
        'body',
        body.name,
        "a body without levels.sums: 'particles', which keep the clusters they were built with",
      );
    return cutBody(this, body, options);
  }

  /** The body of a handle; refused if it was removed, even if its slot has a new tenant. */
  getBody(handle: number): Body {
    this.check();
    return this.table.get(handle);
  }

  /** @internal Refuses what is no body of this world, or no longer. `field` names it. */
  ownBody(body: Body, path = 'body'): Body {
    this.check();
    if (!(body instanceof Body)) refuse(path, body, 'a body of this world');
    if (!this.bodies.includes(body)) refuse(path, body.name, 'a body of this world');
    return body;
  }

  /** The same for a list of bodies. Returns each of them once. */
  private ownBodies(bodies: readonly Body[], path: string): readonly Body[] {
    if (!Array.isArray(bodies)) refuse(path, bodies, 'a list of bodies of this world');
    for (const [k, body] of bodies.entries()) this.ownBody(body, `${path}[${k}]`);
    return [...new Set(bodies)];
  }

  removeBody(body: Body | number): void {
    this.checkIdle('removeBody');
    const gone = typeof body === 'number' ? this.getBody(body) : this.ownBody(body);
    const gap = removeBody(this.state, gone.rows);
    shiftBodies(this, gap, gone.rows.particleStart);
    this.table.remove(gone);
    this.numberOwners();
    this.picks = this.picks.filter((pick) => pick.body !== gone);
    // What leaned on it may fall.
    for (const { a, b } of this.pairs.list) if (a === gone || b === gone) (a === gone ? b : a).wake();
    this.pairs.forget(gone);
  }

  addCollider(options: ColliderOptions): Collider {
    this.checkIdle('addCollider');
    const collider = resolveCollider(options, this.time);
    if (collider.except && !this.actors.includes(collider.except))
      refuse('collider.except', collider.except, 'a clamp of this world');
    this.memory.actors.enrol(collider);
    this.setActors([...this.actors, collider]);
    this.wakeAll();
    return collider;
  }

  removeCollider(collider: Collider): void {
    this.checkIdle('removeCollider');
    const at = this.actors.indexOf(collider);
    if (at < 0 || this.actors[at] instanceof Clamp) refuse('collider', collider, 'a collider of this world');
    this.setActors(this.actors.filter((_, k) => k !== at));
    this.wakeAll();
  }

  /** Holds part of the bodies, standing still or moving. */
  addClamp(options: ClampOptions): Clamp {
    this.checkIdle('addClamp');
    const bodies = options?.bodies === undefined ? this.bodies : this.ownBodies(options.bodies, 'clamp.bodies');
    const clamp = new Clamp(options, bodies, this.time);
    clamp.hold(this.state.views);
    clamp.wake();
    this.memory.actors.enrol(clamp);
    this.setActors([...this.actors, clamp]);
    return clamp;
  }

  removeClamp(clamp: Clamp): void {
    this.checkIdle('removeClamp');
    const at = this.actors.indexOf(clamp);
    if (at < 0 || !(clamp instanceof Clamp)) refuse('clamp', clamp, 'a clamp of this world');
    this.setActors(this.actors.filter((_, k) => k !== at));
    clamp.wake();
    clamp.letGo(this.state.views);
    // A particle may be held by two clamps: the others take theirs again.
    for (const other of this.allClamps) if (other.holding) other.hold(this.state.views);
    this.masks.delete(clamp);
  }

  /** Adds a force field: it pushes every particle of its bodies from the next step on. */
  addForceField(options: ForceFieldOptions): ForceField {
    this.checkIdle('addForceField');
    if (options?.bodies !== undefined) this.ownBodies(options.bodies, 'forceField.bodies');
    const field = new ForceField(options, this.time);
    this.memory.forceFields.enrol(field);
    this.forceFields = [...this.forceFields, field];
    return field;
  }

  removeForceField(field: ForceField): void {
    this.checkIdle('removeForceField');
    if (!this.forceFields.includes(field)) refuse('forceField', field, 'a force field of this world');
    this.forceFields = this.forceFields.filter((f) => f !== field);
  }

  /** Grabs a body by a point or a particle: the hand draws it to its target, from the next step on and as long as it is there (SPEC I1). */
  addPick(options: PickOptions): Pick {
    this.checkIdle('addPick');
    this.ownBody(options?.body, 'pick.body');
    const pick = Pick.grab(options, this.state.views);
    pick.body.wake();
    this.memory.picks.enrol(pick);
    this.picks = [...this.picks, pick];
    return pick;
  }

  removePick(pick: Pick): void {
    this.checkIdle('removePick');
    if (!this.picks.includes(pick)) refuse('pick', pick, 'a pick of this world');
    this.picks = this.picks.filter((p) => p !== pick);
    pick.body.wake();
  }

  /**
   * All that the further run depends on, as plain data: restored, the same steps give the same bits. What did not change since the snapshot before is shared with it;
   * nothing in a snapshot may be written to. The world keeps what it names, also when it is removed, until `forgetSnapshots`.
   */
  snapshot(): Snapshot {
    this.checkIdle('snapshot');
    return this.memory.take(this, { accumulator: this.accumulator, gravity: this.gravity });
  }

  /**
   * The same as bytes, for files and messages: restored, the same steps give the same bits, in this world, in one that was built in the same way, and in an empty
   * one. `base` makes them a difference to a snapshot that both sides have, such as that of the world as it was built: then they take little more than
   * what moves. A force field of type "custom" is a function, which bytes cannot hold: they can be restored only where the world has it.
   */
  save(options: BytesOptions = {}): Uint8Array {
    this.checkIdle('save');
    checkKeys('options', options, ['base']);
    const snapshot = this.memory.takeComplete(this, { accumulator: this.accumulator, gravity: this.gravity });
    return encodeSnapshot(snapshot, options);
  }

  /**
   * Goes back (or forth) to a snapshot of this world, or of one that was built in the same way, or to what `save` returned, of any world. Bodies, colliders, clamps,
   * force fields and picks that are in it are there again, the same objects as ever, also if they were removed since; others are removed. What this world never
   * had is made from the bytes, and the time step and limits of sleep and speed are theirs. Views are replaced; events that wait are dropped. All of it is looked at
   * before anything is changed: whatever is damaged or does not fit is refused, and the world stays as it is.
   */
  restore(snapshot: Snapshot | Uint8Array, options: BytesOptions = {}): void {
    this.checkIdle('restore');
    checkKeys('options', options, ['base']);
    const plan = this.memory.restore(
      this,
      isTyped(snapshot, 'Uint8Array') ? (readSnapshot(snapshot as Uint8Array, options) as Snapshot) : snapshot,
    );
    this.time = plan.time;
    this.frame = plan.frame;
    this.accumulator = plan.accumulator;
    this.settings = { ...this.settings, ...plan.numbers, gravity: plan.gravity };
    this.h = plan.dt ?? this.settings.dt;
    this.table.replaceBodies(plan.bodies);
    this.setActors(plan.actors);
    this.forceFields = plan.forceFields;
    this.picks = plan.picks;
    this.events = [];
    this.masks.clear();
  }

  /** No snapshot taken so far will be restored: lets go of what was removed since and is in one. */
  forgetSnapshots(): void {
    this.memory.forget();
  }

  /** Advances by one fixed time step. */
  step(): void {
    this.checkIdle('step');
    this.isStepping = true;
    try {
      step(this);
    } finally {
      this.isStepping = false;
    }
    this.frame++;
    this.time += this.dt;
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
    this.checkIdle('advance');
    checkNumber('seconds', seconds, { above: -1 });
    checkInteger('maxSteps', maxSteps, { min: 1 });
    this.accumulator += Math.max(0, seconds);
    let steps = 0;
    while (this.accumulator >= this.dt && steps < maxSteps) {
      this.step();
      this.accumulator -= this.dt;
      steps++;
    }
    if (this.accumulator >= this.dt) this.accumulator %= this.dt;
    return { steps, alpha: this.accumulator / this.dt };
  }

  /** Takes the waiting events out of the queue. */
  drainEvents(): WorldEvent[] {
    this.check();
    const events = this.events;
    this.events = [];
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
    this.check();
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
    this.check();
    return overlapSphere(this, centre, radius, options);
  }

  /**
   * The particle that is nearest to a point.
   *
   * @example
   * const nearest = world.nearestParticle([0, 1, 0], { filter: { membership: 1 << 0, filter: 1 << 0 } });
   */
  nearestParticle(point: Vec3, options?: ReachOptions): NearestParticle | undefined {
    this.check();
    return nearestParticle(this, point, options);
  }

  /** Mass, momenta, energy and extent, of a body or of everything. */
  measure(body?: Body): Measures {
    this.check();
    if (!body) return measure(this);
    this.ownBody(body);
    return measure(this, body.rows.particleStart, body.rows.particleEnd);
  }

  /** The largest stretch of any cluster: 1 is none. */
  maxStretch(): number {
    this.check();
    return maxStretch(this);
  }

  /** Ends the world. Its bodies and itself refuse everything afterwards. */
  dispose(): void {
    this.refuseInStep('dispose');
    this.table.replaceBodies([]);
    this.setActors([]);
    this.forceFields = [];
    this.picks = [];
    this.memory.forget();
    this.disposed = true;
  }

  /**
   * Pairs of bodies that touched in the last step: where, how and how hard. Valid until the next step.
   *
   * @example
   * for (const { a, b, impulse } of world.contactPairs()) console.log(a.name, b.name, Math.hypot(...impulse));
   */
  contactPairs(): readonly ContactPair[] {
    this.check();
    return this.pairs.list;
  }

  /** Wakes every body that sleeps. */
  wakeAll(): void {
    for (const body of this.bodies) body.wake();
  }

  /** @internal For topology changes: makes a body of a piece of another one, whose rows are in the state already. It is not in `bodies` yet. */
  addPiece(whole: Body, name: string, rows: Rows, particles: Uint32Array): Body {
    const piece = whole.makePiece(this.table.newHandle(), name, rows, particles);
    this.table.seat(piece);
    return piece;
  }

  /** @internal For topology changes: its pieces, itself among them, stand for a body. */
  replaceBody(whole: Body, bodies: readonly Body[]): void {
    this.table.list = [...this.bodies.filter((b) => b !== whole), ...bodies];
    this.numberOwners();
    this.pairs.forget(whole);
    this.forgetMasks();
  }

  /** @internal For topology changes: which particles clamps hold has to be found anew. */
  forgetMasks(): void {
    this.masks.clear();
  }

  /** What is wrong with its state, one line each; empty when all is sound. Slow: for tests, and for whoever writes into the state. */
  validate(): string[] {
    this.check();
    return validate(this);
  }

  /** @internal Queues an event. */
  emit(event: WorldEvent): void {
    this.events.push(event);
  }

  /** @internal One byte per particle row, 1 where the clamp holds it. Kept until bodies come or go. */
  maskOf(clamp: Clamp): Uint8Array {
    let mask = this.masks.get(clamp);
    if (!mask) {
      mask = new Uint8Array(this.particleCount);
      clamp.markInto(mask);
      this.masks.set(clamp, mask);
    }
    return mask;
  }

  /** Refuses what asks for more particles than the world has room for, before it is built. */
  private checkRoom(options: BodyOptions): void {
    // What is no object at all is refused by `buildBody`.
    const { sampling, points } = options ?? {};
    const wanted = points?.length ? points.length / 3 : (sampling?.count ?? 0);
    if (typeof wanted !== 'number' || !(wanted > MAX_PARTICLES - this.particleCount)) return;
    const room = this.particleCount > 0 ? `, as there are ${this.particleCount} of at most ${MAX_PARTICLES}` : '';
    const path = points ? 'body.points' : 'body.sampling.count';
    refuse(path, wanted, `at most ${MAX_PARTICLES - this.particleCount} particles${room}`);
  }

  private setActors(actors: readonly (Collider | Clamp)[]): void {
    this.actors = actors;
    this.allClamps = actors.filter((a): a is Clamp => a instanceof Clamp);
    this.allColliders = actors.filter((a): a is Collider => !(a instanceof Clamp));
  }

  /** Clusters know their body by its place in `bodies`. */
  private numberOwners(): void {
    this.bodies.forEach(({ rows }, k) => {
      this.state.views.bodyOfCluster.fill(k, rows.clusterStart, rows.clusterEnd);
      this.state.views.bodyOf.fill(k, rows.particleStart, rows.particleEnd);
    });
  }

  /** Refuses what would change bodies, colliders, clamps, force fields or picks while a step works on them: a user's force function may not call it. */
  private checkIdle(call: string): void {
    this.check();
    this.refuseInStep(call);
  }

  private refuseInStep(call: string): void {
    if (this.isStepping)
      throw new PliantError(
        'world',
        `world.${call} was called from inside a step, by a force function; expected to be called between steps.`,
      );
  }

  // ── Beside the step ───────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * The colliders in the order in which they were added; those whose lifetime is over are no longer among them.
   *
   * @example
   * for (const collider of world.colliders) console.log(collider.type, collider.position);
   */
  get colliders(): readonly Collider[] {
    return this.allColliders.filter((collider) => !hasExpired(this, collider));
  }

  /** The clamps in the order in which they were added; those that have let go at the end of their lifetime are no longer among them. */
  get clamps(): readonly Clamp[] {
    return this.allClamps.filter((clamp) => clamp.holding);
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
    this.check();
    return debugDraw(this, out, options);
  }

  private check(): void {
    if (this.disposed) throw new PliantError('world', 'world is disposed; expected a world that is still in use.');
  }
}

const checkDt = (path: string, value: unknown) => checkNumber(path, value, { above: 0, max: 1 });

function resolveWorld(options: WorldOptions): Required<WorldOptions> {
  checkKeys('world', options, Object.keys(WORLD_DEFAULTS));
  const all = withDefaults(WORLD_DEFAULTS, options);
  return {
    gravity: checkVec3('world.gravity', all.gravity),
    dt: checkDt('world.dt', all.dt),
    backend: checkOneOf('world.backend', all.backend, BACKENDS),
    sleepSpeed: checkNumber('world.sleepSpeed', all.sleepSpeed, { min: 0 }),
    sleepAfter: checkNumber('world.sleepAfter', all.sleepAfter, { min: 0 }),
    maxSpeed: checkNumber('world.maxSpeed', all.maxSpeed, { above: 0, max: 1e15 }),
  };
}
