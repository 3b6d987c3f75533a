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
  progress: string;
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

type Listener<K extends keyof SimulationEvents> = (value: SimulationEvents[K]) => void;

const OF_A_SCENE: ReadonlySet<string> = new Set(['frame', 'surfaces', 'obstacles', 'cut', 'warnings']);

/** The page's side of a simulation worker. It communicates by messages only and never blocks. */
export class Simulation {
  /** The last two moments; drawing interpolates between them. */
  latest: Moment | undefined;
  previous: Moment | undefined;
  scene: LoadedScene | undefined;
  show: Show;
  private readonly worker: Worker;
  private readonly listeners = new Map<string, Set<(value: never) => void>>();
  private readonly waiting = new Map<number, (report: Report) => void>();
  /** Whether the moments are drawn, and their buffers returned after drawing. */
  isDrawn = false;
  private readonly spent: ArrayBufferLike[] = [];
  private ids = 0;
  private loads = 0;
  private isLoading = false;
  private source: SceneSource | undefined;
  private readonly shared = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer !== 'undefined';

  constructor(show: Show) {
    this.show = show;
    this.worker = new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module', name: 'simulation' });
    this.worker.onmessage = ({ data }: MessageEvent<Report>) => this.hear(data);
    this.worker.onerror = ({ message }) =>
      this.emit('problem', { message: `The simulation stopped: ${message}.`, fatal: true });
  }

  load(source: SceneSource, running = true): void {
    this.source = source;
    this.latest = this.previous = undefined;
    const { show, shared } = this;
    this.isLoading = true;
    this.spent.length = 0;
    this.send({ type: 'load', scene: source, options: { load: ++this.loads, running, shared, show } });
  }

  get loadedFrom(): SceneSource | undefined {
    return this.source;
  }

  send(command: Command): void {
    this.worker.postMessage(command);
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
    this.worker.terminate();
    this.listeners.clear();
  }

  private emit<K extends keyof SimulationEvents>(name: K, value: SimulationEvents[K]): void {
    for (const listener of this.listeners.get(name) ?? []) (listener as Listener<K>)(value);
  }

  private hear(report: Report): void {
    if ('id' in report) {
      this.waiting.get(report.id)?.(report);
      this.waiting.delete(report.id);
    }
    // Late reports of the former scene are ignored.
    if (this.isLoading && OF_A_SCENE.has(report.type)) return;
    switch (report.type) {
      case 'progress':
        this.emit('progress', report.what);
        break;
      case 'loaded':
        if (report.load !== this.loads) break;
        this.isLoading = false;
        this.scene = report.scene;
        this.emit('loaded', report.scene);
        break;
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
      this.worker.postMessage({ type: 'return', buffer }, this.shared ? [] : [buffer as ArrayBuffer]);
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
