import type { Show } from './protocol.js';
import { fetchDocument, type SceneDocument, sourceOf } from './sceneDocument.js';
import { Simulation } from './simulation.js';
import type { Scenery } from './view/scenery.js';
import type { CameraPlace, Stage } from './view/stage.js';

export type Tool = 'look' | 'pick' | 'push' | 'cut';

export interface AppEvents {
  /** Another document is open, or the open one was edited. */
  document: SceneDocument;
  tool: Tool;
  show: Show;
  /** A second simulation is beside the first, or no longer. */
  beside: boolean;
  message: { text: string; kind: 'note' | 'problem' };
}

/** What has become of the graphics: loaded after the page itself. */
export interface Graphics {
  stage: Stage;
  scenery: Scenery;
  /** Draws a second simulation right of the first; without one only the first again. */
  compare(second: Simulation | undefined): void;
}

/** What all parts of the page share: the open document, its simulation, what is shown and which hand is in use. */
export class App {
  readonly simulation: Simulation;
  /** The same scene with other settings, beside it. */
  second: Simulation | undefined;
  document: SceneDocument | undefined;
  graphics: Graphics | undefined;
  tool: Tool = 'pick';
  show: Show = { colouring: 'material', surface: true, particles: false, clusters: false, proxies: false };
  private readonly listeners = new Map<string, Set<(value: never) => void>>();

  constructor() {
    this.simulation = new Simulation(this.show);
    this.simulation.on('problem', ({ message }) => this.say(message, 'problem'));
  }

  /** Opens a scene of the gallery. */
  async openScene(name: string, running = true): Promise<void> {
    try {
      this.open(await fetchDocument(name), running);
    } catch (error) {
      this.say((error as Error).message, 'problem');
    }
  }

  open(document: SceneDocument, running = true): void {
    this.endComparison();
    this.document = document;
    this.graphics?.scenery.clear();
    this.simulation.load(sourceOf(document), running);
    this.emit('document', document);
  }

  /** The open document with other content, built anew. */
  rebuild(json: SceneDocument['json']): void {
    if (!this.document) return;
    this.document = { ...this.document, json };
    this.graphics?.scenery.clear();
    this.simulation.load(sourceOf(this.document), true);
    this.emit('document', this.document);
  }

  /** The open document with other content that the running world already has. */
  amend(json: SceneDocument['json']): void {
    if (!this.document) return;
    this.document = { ...this.document, json };
    this.emit('document', this.document);
  }

  /** Runs a variant of the open scene beside it, from the start, both. */
  compareWith(json: SceneDocument['json']): void {
    if (!this.document || !this.graphics) return;
    this.second?.dispose();
    this.second = new Simulation(this.show);
    this.second.on('problem', ({ message }) => this.say(`Right: ${message}`, 'problem'));
    this.graphics.compare(this.second);
    this.simulation.load(sourceOf(this.document));
    this.second.load(sourceOf({ ...this.document, json }));
    this.emit('beside', true);
  }

  endComparison(): void {
    if (!this.second) return;
    this.second.dispose();
    this.second = undefined;
    this.graphics?.compare(undefined);
    this.emit('beside', false);
  }

  /** All simulations that run: commands of time go to each. */
  get simulations(): Simulation[] {
    return this.second ? [this.simulation, this.second] : [this.simulation];
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    this.emit('tool', tool);
  }

  setShow(change: Partial<Show>): void {
    this.show = { ...this.show, ...change };
    for (const simulation of this.simulations) simulation.setShow(this.show);
    this.emit('show', this.show);
  }

  look(place: CameraPlace): void {
    this.graphics?.stage.look(place);
  }

  /** Tells the person something. */
  say(text: string, kind: 'note' | 'problem' = 'note'): void {
    this.emit('message', { text, kind });
  }

  on<K extends keyof AppEvents>(name: K, listener: (value: AppEvents[K]) => void): () => void {
    let set = this.listeners.get(name);
    if (!set) this.listeners.set(name, (set = new Set()));
    set.add(listener as (value: never) => void);
    return () => set.delete(listener as (value: never) => void);
  }

  private emit<K extends keyof AppEvents>(name: K, value: AppEvents[K]): void {
    for (const listener of this.listeners.get(name) ?? []) (listener as (value: AppEvents[K]) => void)(value);
  }
}
