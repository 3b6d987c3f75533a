import { type FrameArrays, frameArrays } from './frames.js';
import type { Command, Frame, LoadedScene, ObstacleData, Report, SceneSource, Show, SurfaceData } from './protocol.js';

/** A frame with its arrays: valid until the second frame after it arrives. */
export interface Moment extends Frame {
  arrays: FrameArrays;
  buffer: ArrayBufferLike;
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
  cut: { bodies: number; pieces: number; message: string };
  picked: Extract<Report, { type: 'picked' }>;
}

export type Progress = Pick<Extract<Report, { type: 'progress' }>, 'what' | 'share'>;

type Listener<K extends keyof SimulationEvents> = (value: SimulationEvents[K]) => void;

/**
 * The page's side of a simulation. It communicates with workers by messages only and never blocks. The next scene is
 * built in a worker of its own: a build that fails or is cancelled changes nothing.
 */
export class Simulation {
  /** The last two moments; drawing interpolates between them. */
  latest: Moment | undefined;
  previous: Moment | undefined;
  scene: LoadedScene | undefined;
  show: Show;
  /** The worker of the present scene. */
  private worker: Worker | undefined;
  /** The worker that builds the next scene. */
  private builder: Worker | undefined;
  /** A worker without a scene: starting one takes longer than building a small scene. */
  private spare: Worker | undefined;
  private readonly listeners = new Map<string, Set<(value: never) => void>>();
  private readonly waiting = new Map<number, (report: Report) => void>();
  /** Whether the moments are drawn, and their buffers returned after drawing. */
  isDrawn = false;
  private readonly spent: ArrayBufferLike[] = [];
  private ids = 0;
  private loads = 0;
  private readonly shared = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer !== 'undefined';

  constructor(show: Show) {
    this.show = show;
    this.spare = this.start();
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module', name: 'simulation' });
    worker.onmessage = ({ data }: MessageEvent<Report>) => this.hear(worker, data);
    worker.onerror = ({ message }) => {
      worker.terminate();
      if (worker === this.spare) this.spare = undefined;
      if (worker === this.worker) this.worker = this.scene = undefined;
      if (worker === this.builder) this.builder = undefined;
      this.emit('problem', { message: `The simulation stopped: ${message}.`, fatal: true });
    };
    return worker;
  }

  /** Builds a scene, which replaces the present one once it is built. A build that is still under way ends. */
  load(source: SceneSource, running = true): void {
    this.builder?.terminate();
    this.builder = this.spare ?? this.start();
    this.spare = undefined;
    const { show, shared } = this;
    const options = { load: ++this.loads, running, shared, show };
    this.builder.postMessage({ type: 'load', scene: source, options } satisfies Command);
  }

  get isBuilding(): boolean {
    return this.builder !== undefined;
  }

  /** Ends the build that is under way; the present scene stays. */
  cancel(): void {
    if (!this.builder) return;
    this.builder.terminate();
    this.builder = undefined;
    this.emit('cancelled', undefined);
  }

  send(command: Command): void {
    this.worker?.postMessage(command);
  }

  setShow(show: Show): void {
    this.show = show;
    this.send({ type: 'show', show });
  }

  /** Sends a command that is answered, and resolves with the answer. */
  ask<T extends 'picked' | 'cut' | 'exported'>(
    command: (id: number) => Command,
  ): Promise<Extract<Report, { type: T }>> {
    const id = ++this.ids;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve as (report: Report) => void);
      this.send(command(id));
    });
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
    for (const worker of [this.worker, this.builder, this.spare]) worker?.terminate();
    this.listeners.clear();
  }

  private emit<K extends keyof SimulationEvents>(name: K, value: SimulationEvents[K]): void {
    for (const listener of this.listeners.get(name) ?? []) (listener as Listener<K>)(value);
  }

  private hear(worker: Worker, report: Report): void {
    if (worker === this.builder) this.hearBuilder(worker, report);
    else if (worker === this.worker) this.hearScene(report);
  }

  private hearBuilder(worker: Worker, report: Report): void {
    if (report.type === 'progress') this.emit('progress', report);
    else if (report.type === 'loaded' && report.load === this.loads) {
      this.builder = undefined;
      this.spare = this.worker;
      this.spare?.postMessage({ type: 'unload' } satisfies Command);
      this.worker = worker;
      this.latest = this.previous = undefined;
      this.spent.length = 0;
      this.scene = report.scene;
      // The former worker answers no more.
      for (const [id, answer] of this.waiting) answer({ type: 'picked', id, hit: undefined });
      this.waiting.clear();
      this.send({ type: 'show', show: this.show });
      this.emit('loaded', report.scene);
    } else if (report.type === 'problem') {
      this.builder = undefined;
      this.spare = worker;
      this.emit('problem', report);
    }
  }

  private hearScene(report: Report): void {
    if ('id' in report) {
      this.waiting.get(report.id)?.(report);
      this.waiting.delete(report.id);
    }
    switch (report.type) {
      case 'warnings':
        if (this.scene) this.scene = { ...this.scene, materialWarnings: report.materialWarnings };
        this.emit('warnings', report.materialWarnings);
        break;
      case 'surfaces':
        this.emit('surfaces', report.surfaces);
        break;
      case 'obstacles':
        this.emit('obstacles', report.obstacles);
        break;
      case 'problem':
        this.emit('problem', report);
        break;
      case 'refused':
        this.emit('refused', report);
        break;
      case 'cut':
        this.emit('cut', report);
        break;
      case 'picked':
        this.emit('picked', report);
        break;
      case 'frame':
        this.receive(report.frame, report.buffer);
        break;
    }
  }

  /**
   * Returns the buffers of past moments: once a frame while they are drawn, so that no more are sent than can be seen.
   */
  giveBack(): void {
    for (const buffer of this.spent.splice(0))
      this.worker?.postMessage({ type: 'return', buffer }, this.shared ? [] : [buffer as ArrayBuffer]);
  }

  private receive(frame: Frame, buffer: ArrayBufferLike): void {
    const moment: Moment = { ...frame, buffer, arrays: frameArrays(buffer, frame.counts), came: performance.now() };
    const old = this.previous;
    this.previous = this.latest;
    this.latest = moment;
    this.emit('moment', moment);
    if (old) this.spent.push(old.buffer);
    if (!this.isDrawn) this.giveBack();
  }
}
