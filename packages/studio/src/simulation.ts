import { type RemotePick, RemoteWorld } from '@pliant/three/remote';
import type { Vec3 } from 'pliant';
import { type FrameArrays, frameArrays } from './frames.js';
import type {
  Answers,
  Command,
  ExportedBody,
  Frame,
  FrameData,
  LoadedScene,
  Messages,
  ObstacleData,
  Progress,
  SceneRequest,
  SceneSource,
  SettingCommand,
  Show,
  SurfaceData,
} from './protocol.js';

/** A frame with its arrays: valid until the second frame after it arrives. */
export interface Moment extends Frame {
  arrays: FrameArrays;
  /** Page time of its arrival (ms). */
  came: number;
}

export interface SimulationEvents {
  progress: Progress;
  /** A build was cancelled. */
  cancelled: undefined;
  loaded: LoadedScene;
  warnings: string[][];
  problem: { message: string; fatal: boolean };
  refused: { message: string; edit: number };
  moment: Moment;
  surfaces: SurfaceData[];
  obstacles: ObstacleData[];
  cut: Answers['cut'];
  picked: Answers['picked'];
}

export type { Progress };

type Listener<K extends keyof SimulationEvents> = (value: SimulationEvents[K]) => void;

/** A command that has an answer. */
type Question = Extract<Command, { id: number; type: 'pick' | 'cut' | 'export' }>;

/**
 * The page's side of a simulation: a world in a worker. Nothing blocks the page. The next scene is built in a worker of
 * its own: a build that fails or is cancelled changes nothing.
 */
export class Simulation {
  /** The last two moments; drawing interpolates between them. */
  latest: Moment | undefined;
  previous: Moment | undefined;
  scene: LoadedScene | undefined;
  show: Show;
  /** The world of the present scene. */
  private world: RemoteWorld | undefined;
  /** Ends the build of the next scene. */
  private build: AbortController | undefined;
  /** A worker without a scene: starting one takes longer than building a small scene. */
  private spare: Worker | undefined;
  private readonly listeners = new Map<string, Set<(value: never) => void>>();
  /** Picks of the user by number. A locked one stays until all are released. */
  private readonly held = new Map<number, { pick: RemotePick; locked: boolean }>();
  /** Whether the moments are drawn, so that the world waits for the page. */
  isDrawn = false;
  private ids = 0;

  constructor(show: Show) {
    this.show = show;
    this.spare = this.start();
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module', name: 'simulation' });
    // Until it gets a scene.
    worker.onerror = ({ message }) => {
      if (worker === this.spare) this.spare = undefined;
      this.emit('problem', { message: sentence(`The simulation stopped: ${message}`), fatal: true });
    };
    return worker;
  }

  /** Builds a scene, which replaces the present one once it is built. A build that is still under way ends. */
  load(source: SceneSource, running = true): void {
    this.build?.abort();
    const build = (this.build = new AbortController());
    const worker = this.spare ?? this.start();
    this.spare = undefined;
    void this.make(worker, source, running, build);
  }

  private async make(worker: Worker, source: SceneSource, running: boolean, build: AbortController): Promise<void> {
    let isStopped = false;
    let world: RemoteWorld | undefined;
    try {
      world = await RemoteWorld.connect(worker, {
        running,
        data: { source, show: this.show } satisfies SceneRequest,
        history: { start: 'created' },
        watch: { picks: true, measures: true, profile: true },
        // Nothing here asks for events. One buffer is written while two are drawn.
        ...{ events: false, buffers: 3, signal: build.signal },
        on: {
          progress: (progress: Messages['progress']) => this.emit('progress', progress),
          surfaces: (surfaces: Messages['surfaces']) => this.emit('surfaces', surfaces),
          obstacles: (obstacles: Messages['obstacles']) => this.emit('obstacles', obstacles),
        },
        onFrame: () => this.receive(),
        onStop: ({ message }) => {
          isStopped = true;
          worker.terminate();
          if (worker === this.spare) this.spare = undefined;
          if (!world || world !== this.world) return;
          this.world = this.scene = undefined;
          this.emit('problem', { message: sentence(message), fatal: true });
        },
      });
    } catch (error) {
      if (build.signal.aborted) return;
      this.build = undefined;
      if (!isStopped) this.spare = worker;
      // Messages show file names, not the server's addresses.
      const folder = source.path.slice(0, source.path.lastIndexOf('/') + 1);
      const message = sentence(error);
      this.emit('problem', { message: folder === '' ? message : message.replaceAll(folder, ''), fatal: true });
      return;
    }
    this.build = undefined;
    this.spare = this.world?.release() as Worker | undefined;
    this.world = world;
    this.latest = this.previous = undefined;
    this.held.clear();
    this.scene = world.about as LoadedScene;
    world.waitsForDrawing = this.isDrawn;
    // It may have changed during the build.
    this.setShow(this.show);
    this.emit('loaded', this.scene);
  }

  get isBuilding(): boolean {
    return this.build !== undefined;
  }

  /** Ends the build that is under way; the present scene stays. */
  cancel(): void {
    if (!this.build) return;
    this.build.abort();
    this.build = undefined;
    this.emit('cancelled', undefined);
  }

  /** Carries out an action of the user. Answers to those that have one are told as events; `ask` returns them. */
  send(command: Command): void {
    const { world } = this;
    if (!world) return;
    switch (command.type) {
      case 'run':
        if (command.running) world.run();
        else world.pause();
        break;
      case 'step':
        this.watch(world, world.step(command.steps));
        break;
      case 'speed':
        world.speed = command.factor;
        break;
      case 'reset':
        this.goTo(world, 0);
        break;
      case 'seek':
        this.goTo(world, command.frame);
        break;
      case 'undo':
        this.held.clear();
        this.watch(world, this.undo(world));
        break;
      case 'redo':
        this.held.clear();
        this.watch(world, this.redo(world));
        break;
      case 'resend':
        this.watch(world, world.request('resend'));
        break;
      case 'material':
      case 'levels':
      case 'gravity':
        this.watch(world, this.set(world, command), command.edit);
        break;
      case 'movePick': {
        const held = this.held.get(command.id);
        if (held && !held.locked) ignoreGone(held.pick.moveTo(command.target));
        break;
      }
      case 'lockPick': {
        const held = this.held.get(command.id);
        if (held) held.locked = true;
        break;
      }
      case 'dropPick':
        this.dropPick(world, command.id);
        break;
      case 'dropAllPicks':
        this.held.clear();
        this.watch(world, world.request('dropAllPicks'));
        break;
      case 'push':
        this.watch(world, world.request('push', command.ball));
        break;
      default:
        void this.answer(command).catch(() => {});
    }
  }

  setShow(show: Show): void {
    this.show = show;
    if (this.world) this.watch(this.world, this.world.request('show', show));
  }

  /** Carries out an action that has an answer, and resolves with it. */
  ask<T extends keyof Answers>(command: (id: number) => Command): Promise<Answers[T]> {
    return this.answer(command(++this.ids) as Question) as Promise<Answers[T]>;
  }

  private async answer(command: Question): Promise<Answers[keyof Answers]> {
    const { world } = this;
    const { id, type } = command;
    try {
      if (!world) throw new Error('There is no scene.');
      if (type === 'export') return { id, bodies: await world.request<ExportedBody[]>('export') };
      if (type === 'cut') return await this.cut(world, command);
      return await this.pick(world, command);
    } catch (error) {
      if (world) this.complain(world, error);
      if (type === 'export') throw error;
      return type === 'cut' ? { id, bodies: 0, pieces: 0, message: sentence(error) } : { id, hit: undefined };
    }
  }

  /** Holds the first body that a ray hits. */
  private async pick(world: RemoteWorld, { id, origin, direction }: Command & { type: 'pick' }) {
    this.dropPick(world, id);
    const found = await world.pickAlong(origin, direction);
    if (found && this.world === world) this.held.set(id, { pick: found.pick, locked: false });
    const hit = found && {
      ...{ body: found.hit.body.name, point: found.hit.point, distance: found.hit.distance },
    };
    this.emit('picked', { id, hit });
    return { id, hit };
  }

  private dropPick(world: RemoteWorld, id: number): void {
    const held = this.held.get(id);
    if (held) ignoreGone(world.removePick(held.pick));
    this.held.delete(id);
  }

  /** A stroke on the screen, as the rays from the eye through its ends. */
  private async cut(world: RemoteWorld, { id, origin, from, to }: Command & { type: 'cut' }) {
    const isLine = Math.hypot(...cross(from, to)) > 1e-9;
    const { met: bodies, bodies: parts } = isLine ? await world.cutStroke(origin, from, to) : { met: 0, bodies: [] };
    const [what, pieces] = [bodies === 1 ? 'One body' : `${bodies} bodies`, parts.length];
    const done = {
      ...{ id, bodies, pieces },
      message: !isLine
        ? 'A cut needs a line: draw it across a body.'
        : bodies === 0
          ? 'The line met no body.'
          : pieces > bodies
            ? `${what} cut into ${pieces}.`
            : `${what} cut into, not through.`,
    };
    this.emit('cut', done);
    return done;
  }

  private goTo(world: RemoteWorld, step: number): void {
    this.held.clear();
    this.watch(world, world.seek(step));
  }

  private async undo(world: RemoteWorld): Promise<void> {
    if (!(await world.undo())) throw new Error('There is no cut to take back.');
  }

  private async redo(world: RemoteWorld): Promise<void> {
    if (!(await world.redo())) throw new Error('There is no cut to do again.');
  }

  private async set(world: RemoteWorld, command: SettingCommand): Promise<void> {
    const warnings = await world.request<string[][]>('set', command);
    if (this.world !== world || command.type !== 'material') return;
    if (this.scene) this.scene = { ...this.scene, materialWarnings: warnings };
    this.emit('warnings', warnings);
  }

  /** Tells the user of a call that failed. */
  private watch(world: RemoteWorld, call: Promise<unknown>, edit?: number): void {
    call.catch((error) => this.complain(world, error, edit));
  }

  private complain(world: RemoteWorld, error: unknown, edit?: number): void {
    // A world that was released answers no more.
    if (world !== this.world) return;
    if (edit === undefined) this.emit('problem', { message: sentence(error), fatal: false });
    else this.emit('refused', { message: sentence(error), edit });
  }

  /** A number that no other pick has. */
  newId(): number {
    return ++this.ids;
  }

  on<K extends keyof SimulationEvents>(name: K, listener: Listener<K>): () => void {
    let set = this.listeners.get(name);
    if (!set) this.listeners.set(name, (set = new Set()));
    set.add(listener as (value: never) => void);
    return () => set.delete(listener as (value: never) => void);
  }

  dispose(): void {
    this.build?.abort();
    this.world?.dispose();
    this.spare?.terminate();
    this.world = this.spare = this.build = undefined;
    this.listeners.clear();
  }

  private emit<K extends keyof SimulationEvents>(name: K, value: SimulationEvents[K]): void {
    for (const listener of this.listeners.get(name) ?? []) (listener as Listener<K>)(value);
  }

  /** To be called once a drawn frame: no more moments are sent than can be seen. */
  giveBack(): void {
    if (!this.world) return;
    this.world.waitsForDrawing = this.isDrawn;
    this.world.advance();
  }

  private receive(): void {
    const world = this.world!;
    const [own, watched] = [world.own!, world.watched!];
    const { vertices, stats, ...data } = own.data as FrameData;
    const { kineticEnergy, momentum, angularMomentum } = watched.measures!;
    const ids = new Map([...this.held].map(([id, { pick, locked }]) => [pick, { id, locked }]));
    const moment: Moment = {
      ...data,
      ...{ time: world.time, step: world.frame, running: world.wasRunning, kept: world.kept! },
      jump: world.isJump || data.jump,
      bodies: watched.bodies.map(({ handle, name, count }, k) => ({
        ...{ handle, name, particles: count, vertices: vertices[k] },
      })),
      // Picks of the scene file have numbers below 0, and are locked.
      picks: watched.picks!.map(({ pick, from, to }, k) => ({
        ...(ids.get(pick) ?? { id: -1 - k, locked: true }),
        ...{ from, to },
      })),
      stats: {
        ...stats,
        ...{ kineticEnergy, momentum: Math.hypot(...momentum), angularMomentum: Math.hypot(...angularMomentum) },
        ...{ stages: watched.profile!, pace: world.reachedSpeed },
      },
      arrays: frameArrays(own.buffer, data.counts, own.at),
      came: performance.now(),
    };
    this.previous = this.latest;
    this.latest = moment;
    this.emit('moment', moment);
  }
}

/** A pick may have gone with its body. */
function ignoreGone(call: Promise<unknown>): void {
  call.catch(() => {});
}

/** Messages of the engine are sentences already. */
function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
