import {
  type BodyOptions,
  type Bounds,
  type CutOptions,
  type Measures,
  PliantError,
  type Vec3,
  type WorldOptions,
} from 'pliant';
import type { HistoryOptions } from './history.js';
import type { Port } from './host.js';
import type { Command, Frame, FrameBody, Reference, Report, WatchedFrame, WatchOptions } from './protocol.js';
import {
  RemoteBody,
  RemoteClamp,
  type RemoteClampOptions,
  RemoteCollider,
  type RemoteColliderOptions,
  type RemoteContactPair,
  type RemoteCutResult,
  type RemoteEvent,
  RemoteForceField,
  type RemoteForceFieldOptions,
  type RemoteNearest,
  type RemoteOverlap,
  RemotePick,
  type RemotePickOptions,
  type RemoteRayHit,
  type Wire,
} from './remote.js';

/** Options of `WorkerWorld.create`: those of a world, and how the worker is run. */
export interface WorkerWorldOptions extends WorldOptions {
  /** A worker whose module imports '@pliant/three/worker', or the port of one. Default: a worker of this package's own module. */
  worker?: Worker | MessagePort;
  /** Whether frames lie in shared memory. Default: where the page may share memory (`crossOriginIsolated`). */
  shared?: boolean;
  /** Whether the world keeps time with the clock from the start on. Default true. */
  running?: boolean;
  /** Keeps past states, for `seek` and `undo`; `{}` for the defaults. Default: none. */
  history?: HistoryOptions;
}

/** The contents of the last frame that `watch` asked for. The arrays are those of the frame: copy what is needed longer than until the next one. */
export interface Watched extends Pick<WatchedFrame, 'bodies' | 'measures' | 'profile'> {
  /** x, y, z of each particle (m). */
  readonly particles: Float32Array | undefined;
  /** The value of each particle. */
  readonly values: Float32Array | undefined;
  /** Place and turn (quaternion x, y, z, w) of each collider. */
  readonly colliders: readonly { collider: RemoteCollider; position: Vec3; rotation: readonly number[] }[] | undefined;
  /** Where each pick holds its body, and its target (m). */
  readonly picks: readonly { pick: RemotePick; from: Vec3; to: Vec3 }[] | undefined;
}

interface Moment extends Frame {
  readonly numbers: Float32Array;
  readonly buffer: ArrayBufferLike;
  readonly bodyOf: ReadonlyMap<number, FrameBody>;
  /** Page time of its arrival (ms). */
  readonly came: number;
}

const WORLD: Reference = { $pliant: 'world', id: 0 };

/** Longest time between two frames (ms) that counts for the time over which they are blended: a longer one was a pause. */
const LONGEST = 250;

/**
 * A world in a worker: the page stays free however long a step or the building of a body takes. The calls are those of a `World`, as promises. The world runs by itself, in time with the clock;
 * frames with the skins of shown bodies come by shared memory where the page may share it, and in transferred buffers elsewhere.
 *
 * @example
 * const world = await WorkerWorld.create({ gravity: [0, -9.81, 0] });
 * await world.addCollider({ type: 'plane', normal: [0, 1, 0] });
 * const duck = await SoftBodyMesh.from(world, model, 'softRubber');
 * scene.add(duck);
 * renderer.setAnimationLoop(() => {
 *   duck.update(world.advance().alpha);
 *   renderer.render(scene, camera);
 * });
 */
export class WorkerWorld {
  /** Simulated time of the last frame (s). */
  get time(): number {
    return this.latest?.time ?? 0;
  }
  /** Number of steps until the last frame. */
  get frame(): number {
    return this.latest?.step ?? 0;
  }
  /** Milliseconds that the worker took for the last step. */
  get stepTime(): number {
    return this.latest?.stepTime ?? 0;
  }
  /** Simulated seconds per second of the clock that the worker reaches, smoothed over half a second. Less than `speed` where steps take too long. */
  get reachedSpeed(): number {
    return this.latest?.pace ?? 0;
  }
  /** The steps that `seek` can go to. Undefined without a history. */
  get kept(): { readonly first: number; readonly last: number } | undefined {
    return this.latest?.kept;
  }
  /** The contents of the last frame that `watch` asked for. */
  get watched(): Watched | undefined {
    const { latest } = this;
    if (!latest?.watched) return undefined;
    const { particlesAt, valuesAt, count, colliders, picks, bodies, measures, profile } = latest.watched;
    const { numbers } = latest;
    return {
      ...{ bodies, measures, profile },
      particles: particlesAt === undefined ? undefined : numbers.subarray(particlesAt, particlesAt + 3 * count),
      values: valuesAt === undefined ? undefined : numbers.subarray(valuesAt, valuesAt + count),
      colliders: colliders?.map(({ id, ...pose }) => ({
        collider: this.thing({ $pliant: 'collider', id }) as RemoteCollider,
        ...pose,
      })),
      picks: picks?.map(({ id, ...ends }) => ({ pick: this.thing({ $pliant: 'pick', id }) as RemotePick, ...ends })),
    };
  }
  /** Whether frames lie in shared memory. */
  readonly isShared: boolean;
  private latest: Moment | undefined;
  private previous: Moment | undefined;
  /** Milliseconds between frames, smoothed. */
  private interval = 1000 / 60;
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private ids = 0;
  private events: RemoteEvent[] = [];
  private readonly things = new Map<string, object>();
  private readonly shown = new Map<number, RemoteBody>();
  private readonly wire: Wire;
  private isDisposed = false;
  private isRunning: boolean;
  private pace = 1;

  private constructor(
    private readonly port: Port & Partial<Pick<Worker, 'terminate'>>,
    shared: boolean,
    running: boolean,
  ) {
    this.isShared = shared;
    this.isRunning = running;
    port.onmessage = ({ data }) => this.hear(data as Report);
    if ('onerror' in port)
      (port as Worker).onerror = ({ message }) => this.fail(new Error(`The world's worker stopped: ${message}`));
    this.wire = {
      call: (target, method, args) => this.ask((id) => ({ type: 'call', id, target, method, args: args.map(encode) })),
      get: (target, name) => this.ask((id) => ({ type: 'get', id, target, name })),
      set: (target, name, value) =>
        this.ask((id) => ({ type: 'set', id, target, name, value: encode(value) })) as Promise<void>,
      show: (body, shown) => this.show(body, shown),
      blendInto: (body, positions, normals, bounds, alpha) => this.blendInto(body, positions, normals, bounds, alpha),
    };
  }

  /** Starts a worker and makes an empty world in it. */
  static async create({
    worker,
    shared,
    running = true,
    history,
    ...options
  }: WorkerWorldOptions = {}): Promise<WorkerWorld> {
    const may = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer !== 'undefined';
    const port = worker ?? new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'pliant' });
    const world = new WorkerWorld(port as Port, shared ?? may, running);
    await world.ask((id) => ({ type: 'create', id, options, shared: world.isShared, running, history }));
    return world;
  }

  /**
   * The share of the way from the frame before the last to the last one that is to be drawn now, for `mesh.update(alpha)`. It takes the place of `World.advance`, with which code for both kinds of world can
   * be the same: steps are done by the worker, so that `seconds` is not used and `steps` is 0.
   */
  advance(_seconds?: number): { steps: number; alpha: number } {
    const { latest, previous } = this;
    if (!latest || !previous) return { steps: 0, alpha: 1 };
    return { steps: 0, alpha: Math.min(1, Math.max(0, (performance.now() - latest.came) / this.interval)) };
  }

  /** Lets the world keep time with the clock. */
  run(): void {
    this.isRunning = true;
    this.sendPace();
  }
  /** Stops the clock; `step` still does steps. */
  pause(): void {
    this.isRunning = false;
    this.sendPace();
  }
  /** Whether the world keeps time with the clock. */
  get running(): boolean {
    return this.isRunning;
  }
  /** Simulated seconds per second of the clock. Default 1. */
  get speed(): number {
    return this.pace;
  }
  set speed(value: number) {
    if (!(value >= 0 && Number.isFinite(value)))
      throw new PliantError('speed', `speed is ${value}; expected a finite number of at least 0.`);
    this.pace = value;
    this.sendPace();
  }

  /** Does steps. Resolves when they are done. */
  async step(count = 1): Promise<void> {
    await this.wire.call(WORLD, 'step', [count]);
  }

  /**
   * Goes to a step of the past, or of the future that was left by going back, within `kept`. A run that was disturbed by calls goes to the last snapshot before it. Resolves with the step. Wants a world with a `history`.
   *
   * @example
   * const world = await WorkerWorld.create({ history: {} });
   * await world.step(120);
   * await world.seek(60);
   */
  seek(step: number): Promise<number> {
    return this.call('seek', step);
  }
  /** Undoes the last cut that cut anything. False if there is none. Wants a world with a `history`. */
  undo(): Promise<boolean> {
    return this.call('undo');
  }
  /** Says what frames contain beside the skins of shown bodies; `watched` has it. */
  async watch(watch: WatchOptions): Promise<void> {
    await this.ask((id) => ({ type: 'watch', id, watch }));
  }
  /** Makes a call of the worker's own module, see `hostWorld`. */
  async request<T>(name: string, ...args: unknown[]): Promise<T> {
    return this.decode(await this.ask((id) => ({ type: 'request', id, name, args: args.map(encode) }))) as T;
  }

  /** As `world.addBody`, without blocking the page. */
  addBody(options: BodyOptions): Promise<RemoteBody> {
    return this.call('addBody', options);
  }
  /** As `world.removeBody`. */
  async removeBody(body: RemoteBody): Promise<void> {
    await this.call('removeBody', body);
    body.alive = false;
    this.shown.delete(body.handle);
  }
  /** As `world.addCollider`. */
  addCollider(options: RemoteColliderOptions): Promise<RemoteCollider> {
    return this.call('addCollider', options);
  }
  /** As `world.removeCollider`. */
  removeCollider(collider: RemoteCollider): Promise<void> {
    return this.call('removeCollider', collider);
  }
  /** As `world.addClamp`. */
  addClamp(options: RemoteClampOptions): Promise<RemoteClamp> {
    return this.call('addClamp', options);
  }
  /** As `world.removeClamp`. */
  removeClamp(clamp: RemoteClamp): Promise<void> {
    return this.call('removeClamp', clamp);
  }
  /** As `world.addForceField`. A function cannot be sent to a worker: fields of type 'custom' are refused. */
  async addForceField(options: RemoteForceFieldOptions): Promise<RemoteForceField> {
    if ((options as { type: string }).type === 'custom')
      throw new PliantError(
        'forceField.type',
        'forceField.type is "custom"; expected a field without a function, which cannot be sent to a worker.',
      );
    return this.call('addForceField', options);
  }
  /** As `world.removeForceField`. */
  removeForceField(field: RemoteForceField): Promise<void> {
    return this.call('removeForceField', field);
  }
  /** As `world.addPick`. */
  addPick(options: RemotePickOptions): Promise<RemotePick> {
    return this.call('addPick', options);
  }
  /** As `world.removePick`. */
  removePick(pick: RemotePick): Promise<void> {
    return this.call('removePick', pick);
  }
  /** As `world.separate`. */
  separate(body: RemoteBody): Promise<RemoteBody[]> {
    return this.call('separate', body);
  }
  /** As `world.cut`. */
  cut(body: RemoteBody, options: CutOptions): Promise<RemoteCutResult> {
    return this.call('cut', body, options);
  }
  /** Cuts by a stroke on the screen, see `cutStroke`. */
  cutStroke(origin: Vec3, from: Vec3, to: Vec3): Promise<{ met: number; bodies: readonly RemoteBody[] }> {
    return this.call('cutStroke', origin, from, to);
  }
  /** As `world.castRay`. */
  castRay(
    origin: Vec3,
    direction: Vec3,
    options?: { obstacles?: boolean; maxDistance?: number },
  ): Promise<RemoteRayHit | undefined> {
    return this.call('castRay', origin, direction, ...(options ? [options] : []));
  }
  /** As `world.overlapSphere`. */
  overlapSphere(centre: Vec3, radius: number): Promise<RemoteOverlap[]> {
    return this.call('overlapSphere', centre, radius);
  }
  /** As `world.nearestParticle`. */
  nearestParticle(point: Vec3): Promise<RemoteNearest | undefined> {
    return this.call('nearestParticle', point);
  }
  /** As `world.contactPairs`. */
  contactPairs(): Promise<RemoteContactPair[]> {
    return this.call('contactPairs');
  }
  /** As `world.measure`. */
  measure(body?: RemoteBody): Promise<Measures> {
    return this.call('measure', ...(body ? [body] : []));
  }
  /** As `world.maxStretch`. */
  maxStretch(): Promise<number> {
    return this.call('maxStretch');
  }
  /** As `world.validate`. */
  validate(): Promise<string[]> {
    return this.call('validate');
  }
  /** As `world.wakeAll`. */
  wakeAll(): Promise<void> {
    return this.call('wakeAll');
  }
  /** As `world.save`. */
  save(): Promise<Uint8Array> {
    return this.call('save');
  }
  /** As `world.restore`. */
  restore(bytes: Uint8Array): Promise<void> {
    return this.call('restore', bytes);
  }
  /** Acceleration of all particles (m/s²). */
  async gravity(): Promise<Vec3> {
    return (await this.wire.get(WORLD, 'gravity')) as Vec3;
  }
  /** As setting `world.gravity`. */
  setGravity(gravity: Vec3): Promise<void> {
    return this.wire.set(WORLD, 'gravity', gravity);
  }
  /** The bodies of the world. */
  async bodies(): Promise<RemoteBody[]> {
    return this.decode(await this.wire.get(WORLD, 'bodies')) as RemoteBody[];
  }

  /** Returns the events that have come since the last call, oldest first. */
  drainEvents(): RemoteEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  /** Ends the worker. Calls that wait for an answer are rejected. */
  dispose(): void {
    this.isDisposed = true;
    this.fail(new Error('The world was disposed.'));
    this.port.onmessage = null;
    if (this.port.terminate) this.port.terminate();
    else (this.port as unknown as MessagePort).close?.();
    for (const body of this.shown.values()) body.alive = false;
  }

  private async call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.decode(await this.wire.call(WORLD, method, args)) as T;
  }

  private sendPace(): void {
    this.port.postMessage({ type: 'run', running: this.isRunning, speed: this.pace } satisfies Command);
  }

  private ask(make: (id: number) => Command): Promise<unknown> {
    if (this.isDisposed)
      return Promise.reject(new PliantError('world', 'world is disposed; expected a world that is still in use.'));
    const id = ++this.ids;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.port.postMessage(make(id));
    });
  }

  private async show(body: RemoteBody, shown: boolean): Promise<void> {
    if (shown) this.shown.set(body.handle, body);
    else this.shown.delete(body.handle);
    await this.ask((id) => ({ type: 'show', id, body: body.handle, shown }));
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  private hear(report: Report): void {
    switch (report.type) {
      case 'answer':
        this.waiting.get(report.id)?.resolve(report.value);
        this.waiting.delete(report.id);
        break;
      case 'failed': {
        const { message, path, code } = report.error;
        const error = path === undefined ? new Error(message) : new PliantError(path, message, code);
        this.waiting.get(report.id)?.reject(error);
        this.waiting.delete(report.id);
        break;
      }
      case 'skin':
        this.shown.get(report.body)?.take(report.skin);
        break;
      case 'events':
        this.events.push(...(this.decode(report.events) as RemoteEvent[]));
        break;
      case 'frame':
        this.receive(report.frame, report.buffer);
        break;
    }
  }

  private receive(frame: Frame, buffer: ArrayBufferLike): void {
    const came = performance.now();
    const bodyOf = new Map(frame.bodies.map((body) => [body.handle, body]));
    const { latest, previous } = this;
    if (latest && came - latest.came < LONGEST) this.interval += 0.2 * (came - latest.came - this.interval);
    if (previous) this.giveBack(previous.buffer);
    // A step that is not later is a jump, such as back to what was saved: nothing to blend with.
    const isLater = latest !== undefined && frame.step > latest.step && !frame.jump;
    if (latest && !isLater) this.giveBack(latest.buffer);
    this.previous = isLater ? latest : undefined;
    this.latest = { ...frame, buffer, numbers: new Float32Array(buffer), bodyOf, came };
    for (const [handle, body] of this.shown) {
      const now = bodyOf.get(handle);
      if (now) body.asleep = now.asleep;
      // A body that the worker shows and that is not in a frame any more is gone.
      else if (latest?.bodyOf.has(handle)) body.alive = false;
    }
  }

  /** Returns the buffer of a frame that is past: one is written, one sent, two are blended. */
  private giveBack(buffer: ArrayBufferLike): void {
    this.port.postMessage({ type: 'return', buffer } satisfies Command, this.isShared ? [] : [buffer as ArrayBuffer]);
  }

  private blendInto(
    body: RemoteBody,
    positions: Float32Array,
    normals: Float32Array,
    bounds: Bounds,
    alpha: number,
  ): void {
    const { latest, previous } = this;
    const now = latest?.bodyOf.get(body.handle);
    if (!latest || !now || now.at < 0 || 3 * now.vertices !== positions.length) return;
    const before = previous?.bodyOf.get(body.handle);
    const isBlended = before !== undefined && before.version === now.version && before.at >= 0 && alpha < 1;
    const share = isBlended ? alpha : 1;
    const length = positions.length;
    const [a, b] = [isBlended ? previous!.numbers : latest.numbers, latest.numbers];
    const [at, to] = [isBlended ? before.at : now.at, now.at];
    for (let k = 0; k < length; k++) {
      positions[k] = a[at + k] + share * (b[to + k] - a[at + k]);
      normals[k] = a[at + length + k] + share * (b[to + length + k] - a[at + length + k]);
    }
    const [min, max] = [bounds.min as [number, number, number], bounds.max as [number, number, number]];
    for (let k = 0; k < 3; k++) {
      min[k] = isBlended ? Math.min(before.min[k], now.min[k]) : now.min[k];
      max[k] = isBlended ? Math.max(before.max[k], now.max[k]) : now.max[k];
    }
  }

  /** Results of the worker: references as the things that they name, always the same object. */
  private decode(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) return value.map((item) => this.decode(item));
    if ('$pliant' in value) return this.thing(value as Reference);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.decode(item)]));
  }

  private thing({ $pliant: kind, id, name = '' }: Reference): object {
    const key = `${kind} ${id}`;
    let thing = this.things.get(key);
    if (!thing) {
      const { wire } = this;
      thing =
        kind === 'body'
          ? new RemoteBody(wire, id, name)
          : kind === 'collider'
            ? new RemoteCollider(wire, kind, id)
            : kind === 'clamp'
              ? new RemoteClamp(wire, kind, id)
              : kind === 'pick'
                ? new RemotePick(wire, kind, id)
                : new RemoteForceField(wire, kind, id);
      this.things.set(key, thing);
    }
    return thing;
  }
}

/** Arguments for the worker: things of its world as references. */
function encode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if ('reference' in value && '$pliant' in (value.reference as object)) return value.reference;
  if (Array.isArray(value)) return value.map(encode);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)]));
}
