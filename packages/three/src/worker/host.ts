import {
  Body,
  type BodyOptions,
  Clamp,
  type Collider,
  type ForceField,
  Pick,
  PliantError,
  plasticStrainInto,
  refuse,
  speedInto,
  stressInto,
  toughnessInto,
  type Vec3,
  World,
  type WorldOptions,
} from 'pliant';
import { cutStroke } from '../controls/cutStroke.js';
import { addSharedNow } from '../sharedBuilds.js';
import { updateInTime } from '../updateInTime.js';
import { History } from './history.js';
import {
  type Command,
  type Frame,
  type FrameBody,
  type Kind,
  PARTICLE_VALUES,
  type Reference,
  type Report,
  type Told,
  type WatchedFrame,
  type WatchOptions,
} from './protocol.js';

export { updateInTime };

/** The end of a connection: `self` of a worker, or a MessagePort. */
export interface Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** Calls that the page may make, by kind. */
const CALLS: Record<Kind, ReadonlySet<string>> = {
  world: new Set([
    ...['addBody', 'addCollider', 'addClamp', 'addForceField', 'addPick'],
    ...['removeBody', 'removeCollider', 'removeClamp', 'removeForceField', 'removePick'],
    ...['separate', 'cut', 'castRay', 'overlapSphere', 'nearestParticle', 'measure', 'maxStretch'],
    ...['save', 'restore', 'wakeAll', 'validate', 'contactPairs'],
  ]),
  body: new Set([
    ...['applyImpulse', 'applyForce', 'applyImpulseAt', 'applyForceAt', 'pin', 'unpin', 'isPinned', 'setPose'],
    ...[
      'setVelocity',
      'setMaterial',
      'setLevels',
      'resetPlasticity',
      'scaleToughness',
      'wake',
      'sleep',
      'copyPositions',
    ],
  ]),
  collider: new Set(['moveTo']),
  clamp: new Set(['moveTo']),
  forceField: new Set([]),
  pick: new Set(['moveTo']),
};

/** Calls that change nothing that a later step depends on. */
const QUERIES: ReadonlySet<string> = new Set([
  ...['castRay', 'overlapSphere', 'nearestParticle', 'measure', 'maxStretch', 'save', 'validate', 'contactPairs'],
  ...['isPinned', 'copyPositions'],
]);

const VALUES = {
  stress: stressInto,
  plasticStrain: plasticStrainInto,
  toughness: toughnessInto,
  speed: speedInto,
} as const satisfies Record<(typeof PARTICLE_VALUES)[number], unknown>;

/** Calls of the page by `WorkerWorld.request`: by name, with the world and the page's arguments. Results are sent as those of other calls. */
export type OwnCalls = Record<string, (world: World, ...args: never[]) => unknown>;

/** Additions of a worker's own module to the worlds that it serves. */
export interface HostOptions {
  /** Makes the world, such as that of a scene file. Default: an empty one of the options that the page gave. */
  create?: (options: WorldOptions, maker: Maker) => World | HostedWorld | Promise<World | HostedWorld>;
  /** Calls for every world. They may change it. */
  calls?: OwnCalls;
}

/** The page's wishes for a world of the worker's own module, and the way to tell it things. */
export interface Maker {
  /** The option `data` of `WorkerWorld.create`. */
  readonly data: unknown;
  /** Sends a message to the page, whose option `on` has a function for it. The value is copied, as by `postMessage`. */
  tell(name: string, value: unknown): void;
}

/** A world of the worker's own module, and whatever belongs to this one alone. */
export interface HostedWorld {
  /** The world. */
  readonly world: World;
  /** Sent to the page with the world: `WorkerWorld.about`. */
  readonly about?: unknown;
  /** Calls that may change the world, so that its run cannot be repeated from before. */
  readonly calls?: OwnCalls;
  /** Calls that change nothing that a later step depends on. */
  readonly queries?: OwnCalls;
  /** Called before each step, also when `seek` repeats it: for cuts at set times, and the like. */
  beforeStep?(): void;
  /** Called after each step that is not repeated. */
  afterStep?(): void;
  /** Called after a past state was restored, before steps from it are repeated. */
  rewind?(): void;
  /** Called after `seek`, `undo`, `redo` and `restore`. Returns whether it has changed the world, so that the run from here is another one. */
  arrived?(): boolean;
  /** Contents of its own for the next frame. `running`: whether the world keeps time with the clock. */
  frame?(state: { readonly running: boolean }): OwnFrame;
}

/** Contents of a frame beside those of the library. */
export interface OwnFrame {
  /** Room that they need in the frame's buffer. */
  readonly bytes: number;
  /** Copied to the page after `write`. */
  readonly data: unknown;
  /** Writes them into the buffer from the byte `at` on, a multiple of 4. */
  write(buffer: ArrayBufferLike, at: number): void;
}

/** Milliseconds of steps at a time, after which commands are handled and a frame is sent. */
const STRETCH = 12;
/** Seconds behind the clock beyond which time is dropped: slow motion instead of a growing delay. */
const PATIENCE = 0.1;
/** Serves a world to the page at the other end of `port`. The module `@pliant/three/worker` calls it in a worker; a module of your own may make the world itself and answer calls of its own. */
export function hostWorld(port: Port, options: HostOptions = {}): void {
  const host = new Host((report, transfer) => port.postMessage(report, transfer), options);
  port.onmessage = ({ data }) => host.obey(data as Command);
}

/** The worker's side: the world, the things that the page holds references to, the clock and the frames. */
class Host {
  private hosted: HostedWorld | undefined;
  /** Number of the world, for all reports about it. */
  private of = 0;
  private readonly things = new Map<number, object>();
  private readonly numbers = new Map<object, number>();
  private nextThing = 1;
  /** Shown bodies by handle: version that was sent, and whether the last frame that was sent had it asleep. */
  private readonly shown = new Map<number, { version: number; wasAsleep: boolean }>();
  private shared = false;
  private running = true;
  private speed = 1;
  private owed = 0;
  private last = 0;
  private stepTime = 0;
  private buffers = 0;
  private free: (ArrayBufferLike | undefined)[] = [];
  private sendsEvents = true;
  private isTold = true;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Calls `tick` without the 4 ms that browsers add to timers, after the messages that are waiting. */
  private readonly turn = new MessageChannel();
  private isTurn = false;
  private waits: Promise<unknown> = Promise.resolve();

  private history: History | undefined;
  private watch: WatchOptions = {};
  /** Simulated seconds per second of the clock, smoothed. */
  private pace = 0;
  private isJump = false;
  /** Whether the worker's own module changed the world when it arrived in another state. */
  private isChanged = false;

  constructor(
    private readonly send: (report: Told, transfer?: Transferable[]) => void,
    private readonly options: HostOptions,
  ) {
    this.turn.port1.onmessage = () => this.tick();
    // In Node an open port keeps the process alive.
    (this.turn.port1 as { unref?(): void }).unref?.();
  }

  private get world(): World | undefined {
    return this.hosted?.world;
  }

  private post(report: Report, transfer?: Transferable[]): void {
    this.send({ ...report, of: this.of }, transfer);
  }

  /** Commands are obeyed one after the other; the first one makes the world, which takes a moment. */
  obey(command: Command): void {
    if (command.type === 'return') {
      if (this.free.length < this.buffers) this.free.push(command.buffer);
      this.wake();
      return;
    }
    if (command.type === 'run') {
      this.running = command.running;
      this.speed = command.speed;
      this.last = now();
      this.isTold = false;
      this.wake();
      return;
    }
    if (command.type === 'release') {
      this.waits = this.waits.then(() => this.clear());
      return;
    }
    this.waits = this.waits.then(async () => {
      try {
        const value = await this.act(command);
        this.post({ type: 'answer', id: command.id, value });
      } catch (error) {
        const { message, path, code } = error as PliantError;
        this.post({ type: 'failed', id: command.id, error: { message: message ?? String(error), path, code } });
      }
      this.isTold = false;
      this.wake();
    });
  }

  /** Gives up the world, if there is one. */
  private clear(): void {
    clearTimeout(this.timer);
    this.hosted?.world.dispose();
    this.hosted = this.history = undefined;
    for (const of of [this.things, this.numbers, this.shown]) of.clear();
    this.watch = {};
    this.owed = this.pace = this.stepTime = 0;
    this.speed = 1;
    this.isJump = this.isChanged = false;
  }

  private async create(command: Command & { type: 'create' }): Promise<unknown> {
    this.clear();
    this.of = command.of;
    const { data } = command;
    const maker: Maker = { data, tell: (name, value) => this.post({ type: 'told', name, value }) };
    const made = await (this.options.create ?? World.create)(command.options, maker);
    const hosted: HostedWorld = made instanceof World ? { world: made } : made;
    const replay = { step: () => this.repeat(hosted), rewind: () => hosted.rewind?.() };
    if (command.history) this.history = new History(hosted.world, command.history, replay);
    this.setWatch(command.watch);
    this.shared = command.shared;
    this.running = command.running;
    this.sendsEvents = command.events;
    this.buffers = command.buffers;
    this.free = new Array(this.buffers).fill(undefined);
    this.last = now();
    this.hosted = hosted;
    return hosted.about;
  }

  private async act(command: Exclude<Command, { type: 'return' | 'run' | 'release' }>): Promise<unknown> {
    if (command.type === 'create') return await this.create(command);
    const world = this.world!;
    if (command.type === 'show') {
      world.getBody(command.body);
      if (command.shown) this.shown.set(command.body, { version: -1, wasAsleep: false });
      else this.shown.delete(command.body);
      this.sendSkins();
      return undefined;
    }
    if (command.type === 'watch') {
      this.setWatch(command.watch);
      return undefined;
    }
    if (command.type === 'request') {
      const { queries = {} } = this.hosted!;
      const all = { ...this.options.calls, ...this.hosted!.calls, ...queries };
      if (!Object.hasOwn(all, command.name))
        refuse('name', command.name, `one of the worker's own calls: ${Object.keys(all).join(', ') || 'it has none'}`);
      const answer = await all[command.name](world, ...(command.args.map((arg) => this.decode(arg)) as never[]));
      if (!Object.hasOwn(queries, command.name)) this.history?.disturb();
      return this.encode(answer);
    }
    const target = this.find(command.target) as Record<string, unknown>;
    const { $pliant: kind } = command.target;
    if (command.type === 'get') return this.encode(target[command.name]);
    if (command.type === 'set') {
      target[command.name] = this.decode(command.value);
      this.history?.disturb();
      return undefined;
    }
    const args = command.args.map((arg) => this.decode(arg));
    if (kind === 'world' && command.method === 'step') {
      for (let n = 0; n < (args[0] as number); n++) this.step(world);
      return undefined;
    }
    if (kind === 'world' && ['seek', 'undo', 'redo'].includes(command.method)) {
      const { history } = this;
      if (!history) refuse('history', undefined, 'a world made with history: {}');
      const answer =
        command.method === 'seek' ? history.goTo(args[0] as number) : history[command.method as 'undo' | 'redo']();
      if (answer !== false) this.arrive();
      return answer;
    }
    if (kind === 'world' && command.method === 'addShared') {
      const body = addSharedNow(world, args[0] as BodyOptions);
      this.history?.disturb();
      return this.encode(body);
    }
    if (kind === 'world' && command.method === 'pickAlong')
      return this.pickAlong(world, ...(args as [Vec3, Vec3, object?]));
    if (kind === 'world' && command.method === 'cutStroke')
      return this.undoable(world, () => cutStroke(world, ...(args as [never, never, never, never?])));
    if (kind === 'world' && command.method === 'cut')
      return this.undoable(world, () => world.cut(...(args as [never, never])));
    if (!CALLS[kind].has(command.method)) refuse('method', command.method, `one of ${[...CALLS[kind]].join(', ')}`);
    const answer = (target[command.method] as (...args: unknown[]) => unknown).apply(target, args);
    if (!QUERIES.has(command.method)) this.history?.disturb();
    if (kind === 'world' && command.method === 'restore') {
      this.hosted!.rewind?.();
      this.arrive();
    }
    return this.encode(answer);
  }

  /** The world is in another state, which no step led to. */
  private arrive(): void {
    this.isChanged = this.hosted!.arrived?.() === true;
    this.isJump = true;
    this.owed = 0;
  }

  private setWatch(watch: WatchOptions): void {
    const { values } = watch;
    if (values !== undefined && !PARTICLE_VALUES.includes(values))
      refuse('watch.values', values, `one of ${PARTICLE_VALUES.join(', ')}`);
    this.watch = watch;
  }

  /** Holds the first body that a ray hits. */
  private pickAlong(world: World, origin: Vec3, direction: Vec3, options: object = {}): unknown {
    const hit = world.castRay(origin, direction);
    if (!hit) return undefined;
    const pick = world.addPick({ ...options, body: hit.body, point: hit.point });
    this.history?.disturb();
    return this.encode({ pick, hit });
  }

  /** A cut, which the page can undo if it cut anything. */
  private undoable(world: World, cut: () => unknown): unknown {
    const { history } = this;
    const before = world.bodies.map(({ topologyVersion }) => topologyVersion).join();
    history?.mark();
    try {
      return this.encode(cut());
    } finally {
      if (world.bodies.map(({ topologyVersion }) => topologyVersion).join() === before) history?.unmark();
      else {
        history?.keepAction();
        this.isJump = true;
      }
    }
  }

  private find({ $pliant: kind, id }: Reference): object {
    if (kind === 'world') return this.world!;
    if (kind === 'body') return this.world!.getBody(id);
    const thing = this.things.get(id);
    if (!thing) throw new PliantError(kind, `${kind} ${id} is not of this world.`);
    return thing;
  }

  private reference(kind: Kind, thing: object): Reference {
    let id = this.numbers.get(thing);
    if (id === undefined) {
      id = this.nextThing++;
      this.numbers.set(thing, id);
      this.things.set(id, thing);
    }
    return { $pliant: kind, id };
  }

  /** Results for the page: bodies and the like as references, everything else copied. */
  private encode(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
    if (value instanceof Body) return { $pliant: 'body', id: value.handle, name: value.name };
    if (value instanceof Clamp) return this.reference('clamp', value);
    if (value instanceof Pick) return this.reference('pick', value);
    const { world } = this;
    if (world?.colliders.includes(value as Collider)) return this.reference('collider', value);
    if (world?.forceFields.includes(value as ForceField)) return this.reference('forceField', value);
    if (ArrayBuffer.isView(value)) return (value as Float32Array).slice();
    if (Array.isArray(value)) return value.map((item) => this.encode(item));
    // `pieces` of a fracture is computed when it is read: the page asks for it if it wants it.
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== 'pieces')
        .map(([key, item]) => [key, this.encode(item)]),
    );
  }

  private decode(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if ('$pliant' in value) return this.find(value as Reference);
    if (Array.isArray(value))
      return value.some((item) => typeof item === 'object') ? value.map((item) => this.decode(item)) : value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.decode(item)]));
  }

  /** A step as the worker's own module wants it. */
  private repeat(hosted: HostedWorld): void {
    hosted.beforeStep?.();
    hosted.world.step();
  }

  private step(world: World): void {
    const begun = now();
    this.repeat(this.hosted!);
    this.stepTime = now() - begun;
    this.hosted!.afterStep?.();
    this.history?.keep();
    // After it: snapshots of later states are gone now.
    if (this.isChanged) this.history?.disturb();
    this.isChanged = false;
    this.isTold = false;
    const events = world.drainEvents();
    if (this.sendsEvents && events.length > 0)
      this.post({ type: 'events', events: events.map((event) => this.encode(event)) });
  }

  /** Has the world keep time with the clock. The event loop runs between stretches of steps, so that commands wait at most one stretch. */
  private wake(): void {
    if (this.isTurn) return;
    this.isTurn = true;
    this.turn.port2.postMessage(0);
  }

  private tick(): void {
    this.isTurn = false;
    clearTimeout(this.timer);
    const { world } = this;
    if (!world) return;
    const elapsed = (now() - this.last) / 1000;
    this.last = now();
    // Without a free buffer nothing is simulated: the page is behind by several frames.
    if (this.free.length === 0) return;
    if (this.running) this.run(world, elapsed);
    if (!this.isTold) this.sendFrame(world);
    if (!this.running) return;
    // Behind the clock: on at once, after the commands that are waiting.
    if (this.owed >= world.dt) {
      this.wake();
      return;
    }
    const left = (world.dt - this.owed) / Math.max(this.speed, 1e-6);
    this.timer = setTimeout(() => this.tick(), Math.min(1000, 1000 * left));
  }

  private run(world: World, elapsed: number): void {
    const { dt } = world;
    this.owed = Math.min(this.owed + elapsed * this.speed, Math.max(dt, PATIENCE * this.speed));
    const until = now() + STRETCH;
    let steps = 0;
    for (; this.owed >= dt && (steps === 0 || now() < until); steps++) {
      this.step(world);
      this.owed -= dt;
    }
    if (elapsed > 0) this.pace += Math.min(1, 2 * elapsed) * ((steps * dt) / elapsed - this.pace);
  }

  /** Sends the triangles of shown bodies that are new or have changed. */
  private sendSkins(): void {
    const { world, shown } = this;
    for (const body of world!.bodies) {
      const entry = shown.get(body.handle);
      if (!entry) continue;
      const skin = body.getSkin();
      // A body that shatters holds up the frames of a running world by no more than a share of its work. One that stands still is shown as it is.
      skin.spread = this.running && !this.isJump;
      updateInTime(skin);
      if (skin.version === entry.version) continue;
      entry.version = skin.version;
      entry.wasAsleep = false;
      const { version, vertexCount, indices, groups, uvs, colours, source } = skin;
      const data = { version, vertexCount, indices, groups, uvs, colours, source, rest: skin.atRest() };
      this.post({ type: 'skin', body: body.handle, skin: data });
    }
  }

  private sendFrame(world: World): void {
    this.sendSkins();
    const bodies: FrameBody[] = [];
    let length = 0;
    const shown = world.bodies.filter(({ handle }) => this.shown.has(handle));
    for (const body of shown) {
      const entry = this.shown.get(body.handle)!;
      const { version, vertexCount: vertices, bounds } = body.getSkin();
      const isStill = body.asleep && entry.wasAsleep;
      bodies.push({
        ...{ handle: body.handle, version, vertices, asleep: body.asleep, at: isStill ? -1 : length },
        ...{ min: [...bounds.min] as [number, number, number], max: [...bounds.max] as [number, number, number] },
      });
      if (!isStill) length += 6 * vertices;
      entry.wasAsleep = body.asleep;
    }
    const watched = this.watched(world, length);
    length += watched
      ? ((watched.particlesAt === undefined ? 0 : 3) + (watched.valuesAt === undefined ? 0 : 1)) * watched.count
      : 0;
    const own = this.hosted!.frame?.({ running: this.running });
    const bytes = 4 * length + (own?.bytes ?? 0);
    let buffer = this.free.pop();
    if (!buffer || buffer.byteLength < bytes) {
      const room = 4 * Math.ceil(0.3 * bytes) + 1024;
      buffer = this.shared ? new SharedArrayBuffer(room) : new ArrayBuffer(room);
    }
    const numbers = new Float32Array(buffer, 0, length);
    bodies.forEach(({ at, vertices }, n) => {
      if (at < 0) return;
      const { positions, normals } = shown[n].getSkin();
      numbers.set(positions, at);
      numbers.set(normals, at + 3 * vertices);
    });
    if (watched) this.writeWatched(world, numbers, watched);
    own?.write(buffer, 4 * length);
    const { stepTime, pace, isJump: jump, history, running } = this;
    this.isJump = false;
    const frame: Frame = {
      ...{ time: world.time, step: world.frame, bodies, stepTime, pace, jump, watched, running },
      ...{ kept: history?.kept, own: own && { data: own.data, at: 4 * length } },
    };
    this.post({ type: 'frame', buffer, frame }, this.shared ? [] : [buffer as ArrayBuffer]);
    this.isTold = true;
  }

  /** The contents that the page asked for, laid out from a place of the buffer on. */
  private watched(world: World, from: number): WatchedFrame | undefined {
    const { particles, values, colliders, picks, measures, profile } = this.watch;
    if (!particles && !values && !colliders && !picks && !measures && !profile) return undefined;
    const count = world.particleCount;
    return {
      bodies: world.bodies.map(({ handle, name, firstParticle, particleCount }) => ({
        ...{ handle, name, first: firstParticle, count: particleCount },
      })),
      count,
      particlesAt: particles ? from : undefined,
      valuesAt: values ? from + (particles ? 3 * count : 0) : undefined,
      colliders: colliders
        ? world.colliders.map((collider) => ({
            ...{
              id: this.reference('collider', collider).id,
              position: collider.position,
              rotation: collider.rotation,
            },
          }))
        : undefined,
      picks: picks
        ? world.picks.map((pick) => ({ id: this.reference('pick', pick).id, from: pick.position, to: pick.target }))
        : undefined,
      measures: measures ? world.measure() : undefined,
      profile: profile ? { ...world.profile.last } : undefined,
    };
  }

  private writeWatched(world: World, numbers: Float32Array, { particlesAt, valuesAt }: WatchedFrame): void {
    const { values } = this.watch;
    for (const body of world.bodies) {
      const { firstParticle, particleCount } = body;
      if (particlesAt !== undefined) {
        const at = particlesAt + 3 * firstParticle;
        body.copyPositions(numbers.subarray(at, at + 3 * particleCount));
      }
      if (valuesAt !== undefined && values) {
        const at = valuesAt + firstParticle;
        VALUES[values](numbers.subarray(at, at + particleCount), world, body);
      }
    }
  }
}

const now = () => performance.now();
