import {
  type BodyOptions,
  type Bounds,
  type CutOptions,
  type Measures,
  PliantError,
  type RayHit,
  type Vec3,
  type WorldOptions,
} from 'pliant';
import type { HistoryOptions } from './history.js';
import type { Port } from './host.js';
import type { Command, Frame, FrameBody, Reference, Told, WatchedFrame, WatchOptions } from './protocol.js';
import {
  type Remote,
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

/** Options of `RemoteWorld.connect`: those of a world, and how the worker is run. */
export interface RemoteWorldOptions extends WorldOptions {
  /** Whether frames lie in shared memory. Default: where the page may share memory (`crossOriginIsolated`). */
  shared?: boolean;
  /** Whether the world keeps time with the clock from the start on. Default true. */
  running?: boolean;
  /** Keeps past states, for `seek`, `undo` and `redo`; `{}` for the defaults. Default: none. */
  history?: HistoryOptions;
  /** The first contents of frames beside skins, as of `watch`. */
  watch?: WatchOptions;
  /** Whether the worker sends the world's events, for `drainEvents`. Default true. */
  events?: boolean;
  /** Number of buffers that frames go round in, 3 or more. With 3 the worker is at most one frame ahead of the page. Default 4. */
  buffers?: number;
  /** Handed to `create` of the worker's own module, see `hostWorld`. It is copied, as by `postMessage`. */
  data?: unknown;
  /** Called with the messages of the worker's own module, by their names. */
  on?: Record<string, (value: never) => void>;
  /** Called when a frame has come. */
  onFrame?: () => void;
  /** Called if the worker ends by an error of its own. The world is of no use then. */
  onStop?: (error: Error) => void;
  /** Ends the worker, and the world with it; while the world is being made, the promise is rejected. */
  signal?: AbortSignal;
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

export type { RemotePick } from './remote.js';

/** Numbers of worlds: a worker that made several tells by them which one it reports about. */
let worlds = 0;

/**
 * A world at the other end of a connection: that of a worker whose module calls `hostWorld`. The calls are those of a `World`, as promises. The world runs by itself, in time with the clock; frames with
 * the skins of shown bodies come by shared memory where the page may share it, and in transferred buffers elsewhere. `WorkerWorld` is one that can start its worker itself.
 *
 * @example
 * const worker = new Worker(new URL('./myWorker.js', import.meta.url), { type: 'module' });
 * const world = await RemoteWorld.connect(worker, { data: 'castle.json' });
 */
export class RemoteWorld {
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
  /** The contents of the last frame that are of the worker's own module: the data, and the buffer with the byte at which its numbers begin. Valid until the second frame after it. */
  get own(): { readonly data: unknown; readonly buffer: ArrayBufferLike; readonly at: number } | undefined {
    const { latest } = this;
    return latest?.own && { ...latest.own, buffer: latest.buffer };
  }
  /** Whether the run jumped to the last frame, by `seek`, `undo`, `redo`, `restore` or a cut: it is not to be blended with the one before. */
  get isJump(): boolean {
    return this.latest?.jump ?? false;
  }
  /** Whether the world kept time with the clock when the last frame was made. */
  get wasRunning(): boolean {
    return this.latest?.running ?? false;
  }
  /** Told by the worker's own module when it made the world, see `HostedWorld`. */
  about: unknown;
  /**
   * Whether the world waits for the page: buffers of past frames go back to the worker when `advance` is called, not when the next frame comes. Nothing is simulated then that is not drawn, such as in a hidden page.
   * Default false.
   */
  waitsForDrawing = false;
  /** Whether frames lie in shared memory. */
  readonly isShared: boolean;
  private readonly of = ++worlds;
  /** The options that go to the worker, and those that stay here. */
  private readonly wishes: Omit<RemoteWorldOptions, 'shared' | 'running' | 'on' | 'onFrame' | 'onStop' | 'signal'>;
  private readonly heard: Pick<RemoteWorldOptions, 'on' | 'onFrame'>;
  private readonly signal: AbortSignal | undefined;
  /** Buffers of past frames that go back when the page draws. */
  private readonly spent: ArrayBufferLike[] = [];
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

  protected constructor(
    private readonly port: Port & Partial<Pick<Worker, 'terminate'>>,
    { shared, running = true, on, onFrame, onStop, signal, ...wishes }: RemoteWorldOptions,
  ) {
    this.wishes = wishes;
    this.heard = { on, onFrame };
    this.signal = signal;
    const may = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer !== 'undefined';
    this.isShared = shared ?? may;
    this.isRunning = running;
    port.onmessage = ({ data }) => this.hear(data as Told);
    if ('onerror' in port)
      (port as Worker).onerror = ({ message }) => {
        const error = new Error(`The world's worker stopped: ${message}`);
        this.fail(error);
        onStop?.(error);
      };
    this.wire = {
      call: (target, method, args) => this.ask((id) => ({ type: 'call', id, target, method, args: args.map(encode) })),
      get: (target, name) => this.ask((id) => ({ type: 'get', id, target, name })),
      set: (target, name, value) =>
        this.ask((id) => ({ type: 'set', id, target, name, value: encode(value) })) as Promise<void>,
      show: (body, shown) => this.show(body, shown),
      blendInto: (body, positions, normals, bounds, alpha) => this.blendInto(body, positions, normals, bounds, alpha),
    };
  }

  /** Has a worker make a world. The worker may have made others before, which were released. */
  static async connect(worker: Worker | MessagePort, options: RemoteWorldOptions = {}): Promise<RemoteWorld> {
    const world = new RemoteWorld(worker as Port, options);
    await world.begin();
    return world;
  }

  /** Makes the world. */
  protected async begin(): Promise<void> {
    const { history, watch = {}, events = true, buffers = 4, data, ...options } = this.wishes;
    const { signal } = this;
    if (!(Number.isInteger(buffers) && buffers >= 3))
      throw new PliantError('buffers', `buffers is ${buffers}; expected a whole number of at least 3.`);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => this.dispose(), { once: true });
    const { of, isShared: shared, isRunning: running } = this;
    this.about = await this.ask((id) => ({
      ...{ type: 'create', id, of, options, data, shared, running, history, watch, events, buffers },
    }));
  }

  /**
   * The share of the way from the frame before the last to the last one that is to be drawn now, for `mesh.update(alpha)`. It takes the place of `World.advance`, with which code for both kinds of world can
   * be the same: steps are done by the worker, so that `seconds` is not used and `steps` is 0.
   */
  advance(_seconds?: number): { steps: number; alpha: number } {
    for (const buffer of this.spent.splice(0)) this.giveBack(buffer);
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
  /** Returns to the state in which the last cut was undone. False if there is none, or if another cut was made since. Wants a world with a `history`. */
  redo(): Promise<boolean> {
    return this.call('redo');
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
  /** As `addBody`, and builds it only if no equal one was built in this world: bodies that differ only in place, velocity, name and groups are equal. */
  addShared(options: BodyOptions): Promise<RemoteBody> {
    return this.call('addShared', options);
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
  /** Casts a ray and holds the body that it hits first, in one call: between two, the body would have moved on. Undefined if it hits none. */
  pickAlong(
    origin: Vec3,
    direction: Vec3,
    options: Omit<RemotePickOptions, 'body' | 'point'> = {},
  ): Promise<{ pick: RemotePick; hit: Remote<RayHit> } | undefined> {
    return this.call('pickAlong', origin, direction, options);
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

  /** Gives the world up, and returns its worker, in which another one can be made: starting a worker takes longer than building a small world. Calls that wait for an answer are rejected. */
  release(): Worker | MessagePort {
    const { port } = this;
    this.end('The world was released.');
    port.postMessage({ type: 'release' } satisfies Command);
    return port as unknown as Worker | MessagePort;
  }

  /** Ends the worker. Calls that wait for an answer are rejected. */
  dispose(): void {
    if (this.isDisposed) return;
    this.end('The world was disposed.');
    if (this.port.terminate) this.port.terminate();
    else (this.port as unknown as MessagePort).close?.();
  }

  private end(message: string): void {
    this.isDisposed = true;
    this.fail(new Error(message));
    this.port.onmessage = null;
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

  private hear(report: Told): void {
    // A worker may still have sent things about a world that was released.
    if (report.of !== this.of) return;
    switch (report.type) {
      case 'told':
        this.heard.on?.[report.name]?.(report.value as never);
        break;
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
    if (previous) this.spent.push(previous.buffer);
    // A step that is not later is a jump, such as back to what was saved: nothing to blend with.
    const isLater = latest !== undefined && frame.step > latest.step && !frame.jump;
    if (latest && !isLater) this.spent.push(latest.buffer);
    if (!this.waitsForDrawing) for (const past of this.spent.splice(0)) this.giveBack(past);
    this.previous = isLater ? latest : undefined;
    this.latest = { ...frame, buffer, numbers: new Float32Array(buffer), bodyOf, came };
    for (const [handle, body] of this.shown) {
      const now = bodyOf.get(handle);
      if (now) body.asleep = now.asleep;
      // A body that the worker shows and that is not in a frame any more is gone.
      else if (latest?.bodyOf.has(handle)) body.alive = false;
    }
    this.heard.onFrame?.();
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
