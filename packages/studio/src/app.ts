import type { Show } from './protocol.js';
import { fetchDocument, type SceneDocument, type SceneJson, sourceOf } from './sceneDocument.js';
import { Past } from './settings/past.js';
import { Simulation } from './simulation.js';
import type { Scenery } from './view/scenery.js';
import type { CameraPlace, Stage } from './view/stage.js';

/** A side of a comparison: the open document is the left one, its variant the right one. */
export type Side = 'left' | 'right';

export type Tool = 'look' | 'pick' | 'push' | 'cut' | 'move';

export interface AppEvents {
  /** Another document is open, or the open one was edited. */
  document: SceneDocument;
  /** Another document is open. */
  opened: SceneDocument;
  tool: Tool;
  show: Show;
  /** A comparison began or ended. */
  beside: boolean;
  /** The panel edits another document, or the content of the edited one changed. */
  edited: undefined;
  /** A scene, or its variant, was built, or its build failed or was cancelled. */
  built: Side;
  failed: Side;
  /** The title of the scene that is being built to be opened; undefined when it was, or was not. */
  opening: string | undefined;
  /** The warnings of a world about its materials may have changed. */
  warnings: undefined;
  /** A running world refused a change. */
  refused: { side: Side; edit: number };
  /** The user dragged a body, or a piece of it, to where it shall begin. */
  move: { body: string; by: [number, number, number] };
  /** The user dragged an obstacle, by its place in the list. */
  moveObstacle: { at: number; by: [number, number, number] };
  /** The user touched a thing with the tool that moves it: a body by its name, an obstacle by its place in the list. */
  choose: string | number;
  message: { text: string; kind: 'note' | 'problem' };
}

/** The graphics, which are loaded after the page itself. */
export interface Graphics {
  stage: Stage;
  scenery: Scenery;
  /** Scenery of the second simulation. */
  beside: Scenery | undefined;
  /** Draws a second simulation right of the first; without one only the first. */
  compare(second: Simulation | undefined): void;
}

/**
 * The state that all parts of the page share: the open document, its simulation, what is shown and which tool is in
 * use.
 */
export class App {
  readonly simulation: Simulation;
  /** Edits and cuts that can be taken back. */
  readonly past: Past;
  /** The same scene with other settings, drawn beside it. */
  second: Simulation | undefined;
  document: SceneDocument | undefined;
  /** The document as it was opened; of a variant the scene that it belongs to. */
  original: SceneJson | undefined;
  /** The document of the second simulation. */
  variant: SceneJson | undefined;
  /** The side that the panel edits. */
  side: Side = 'left';
  graphics: Graphics | undefined;
  tool: Tool = 'pick';
  show: Show = {
    colouring: 'material',
    surface: true,
    particles: false,
    clusters: false,
    proxies: false,
    goals: false,
    energies: false,
  };
  /** Whether the simulation runs, or will run once it is built. */
  running = true;
  speed = 1;
  /** The document that is being built to be opened. */
  private opening:
    | { document: SceneDocument; running: boolean; original: SceneJson; done: (isOpen: boolean) => void }
    | undefined;
  /** Whether the open document was edited while another was being built, so that its own world has to be built anew. */
  private isBehind = false;
  /** Sides of a comparison that are being built; the other waits. */
  private readonly building = new Set<Side>();
  private readonly listeners = new Map<string, Set<(value: never) => void>>();

  constructor() {
    this.simulation = new Simulation(this.show);
    this.hear(this.simulation, 'left');
    this.past = new Past(this);
  }

  /** Opens a scene of the gallery, or one of its variants. Resolves with whether it is open. */
  async openScene(name: string, running = true, variant?: string): Promise<boolean> {
    try {
      const document = await fetchDocument(name);
      if (variant === undefined) return await this.open(document, running);
      const { applyVariant } = await import('./settings/variants.js');
      const json = applyVariant(document.json, variant, name);
      return await this.open({ ...document, json }, running, document.json);
    } catch (error) {
      this.say((error as Error).message, 'problem');
      return false;
    }
  }

  /** Builds a document and opens it. The present one stays open until then, paused, and runs on if that fails. `original`: what it is compared with, if that is another. Resolves with whether it is open. */
  open(document: SceneDocument, running = true, original: SceneJson = document.json): Promise<boolean> {
    this.endOpening(false);
    return new Promise((done) => {
      this.opening = { document, running, original, done };
      this.emit('opening', document.json.title ?? 'the scene');
      // The open scene waits, so that the build has the machine to itself.
      this.simulation.send({ type: 'run', running: false });
      this.simulation.load(sourceOf(document), running);
    });
  }

  private endOpening(isOpen: boolean): void {
    const { opening } = this;
    if (!opening) return;
    this.opening = undefined;
    this.emit('opening', undefined);
    opening.done(isOpen);
  }

  /** Ends the build that is under way. The open scene stays open, as it was. */
  cancelBuild(): void {
    for (const simulation of this.simulations) simulation.cancel();
  }

  /** Replaces the content of the open document, or of its variant, and builds it anew. */
  rebuild(json: SceneJson, side: Side = 'left'): void {
    if (!this.document) return;
    this.amend(json, side);
    if (this.opening) this.isBehind = true;
    else if (this.second) this.startTogether([side]);
    else this.simulation.load(sourceOf(this.document), this.running);
  }

  /**
   * Replaces the content of the open document, or of its variant, without a build: the running world already has it, or
   * will have it soon.
   */
  amend(json: SceneJson, side: Side = 'left'): void {
    if (!this.document) return;
    if (side === 'right') this.variant = json;
    else {
      this.document = { ...this.document, json };
      this.emit('document', this.document);
    }
    this.emit('edited', undefined);
  }

  /** The document that the panel edits, and its simulation. */
  get edited(): { json: SceneJson; simulation: Simulation } | undefined {
    const { document, variant, second, simulation } = this;
    if (this.side === 'right' && variant && second) return { json: variant, simulation: second };
    return document && { json: document.json, simulation };
  }

  edit(side: Side): void {
    this.side = side;
    this.emit('edited', undefined);
  }

  /** Runs a variant of the open scene beside it, both from the start. */
  compareWith(json: SceneJson): void {
    if (!this.document || !this.graphics) return;
    this.second?.dispose();
    this.second = new Simulation(this.show);
    this.hear(this.second, 'right');
    this.graphics.compare(this.second);
    this.variant = json;
    this.startTogether(['left', 'right']);
    this.emit('beside', true);
    this.edit('right');
  }

  /** Ends a comparison and keeps one side as the open document. The left one continues to run. */
  endComparison(keep: Side = 'left'): void {
    const { second, variant } = this;
    if (!second) return;
    second.dispose();
    this.second = this.variant = undefined;
    this.building.clear();
    this.graphics?.compare(undefined);
    this.emit('beside', false);
    this.edit('left');
    if (keep === 'right' && variant) this.rebuild(variant);
    else this.run(this.running);
  }

  /**
   * Subscribes to the events of a simulation: sets the speed of a new scene, and passes its messages to the user and to
   * the editor.
   */
  private hear(simulation: Simulation, side: Side): void {
    const say = (message: string) => this.say(side === 'left' ? message : `Right: ${message}`, 'problem');
    simulation.on('loaded', () => {
      if (side === 'left') this.turnTo();
      (side === 'left' ? this.graphics?.scenery : this.graphics?.beside)?.clear();
      simulation.send({ type: 'speed', factor: this.speed });
      // Paused or continued meanwhile.
      if (this.building.size === 0) simulation.send({ type: 'run', running: this.running });
      this.emit('built', side);
      this.emit('warnings', undefined);
    });
    simulation.on('cancelled', () => this.giveUp(side));
    simulation.on('warnings', () => this.emit('warnings', undefined));
    simulation.on('problem', ({ message, fatal }) => {
      say(message);
      if (fatal) this.giveUp(side);
    });
    simulation.on('refused', ({ message, edit }) => {
      say(message);
      this.emit('refused', { side, edit });
    });
  }

  /** The scene that was built takes the place of the open one. */
  private turnTo(): void {
    const { opening } = this;
    if (!opening) return;
    this.endComparison();
    this.document = opening.document;
    this.original = opening.original;
    this.running = opening.running;
    this.isBehind = false;
    this.emit('opened', this.document);
    this.emit('document', this.document);
    this.emit('edited', undefined);
    this.endOpening(true);
  }

  /** A build failed or was cancelled. */
  private giveUp(side: Side): void {
    if (side === 'right' || !this.opening) {
      this.emit('failed', side);
      return;
    }
    this.endOpening(false);
    this.run(this.running);
    if (this.isBehind) this.rebuild(this.document!.json);
    this.isBehind = false;
  }

  /** Builds the given sides anew, resets the other, and starts both when all are ready. */
  private startTogether(anew: Side[]): void {
    const { document, second, variant, simulation } = this;
    if (!document || !second || !variant) return;
    for (const side of ['left', 'right'] as const) {
      const one = side === 'left' ? simulation : second;
      if (anew.includes(side)) {
        this.building.add(side);
        once(one, () => {
          if (second !== this.second || !this.building.delete(side)) return;
          this.run(this.running);
        });
        one.load(sourceOf(side === 'left' ? document : { ...document, json: variant }), false);
      } else {
        one.send({ type: 'run', running: false });
        one.send({ type: 'reset' });
      }
    }
  }

  /** All running simulations: commands about time go to each. */
  get simulations(): Simulation[] {
    return this.second ? [this.simulation, this.second] : [this.simulation];
  }

  run(running: boolean): void {
    this.running = running;
    if (this.building.size > 0) return;
    for (const simulation of this.simulations) simulation.send({ type: 'run', running });
  }

  /** Simulated seconds per real second, if the machine is fast enough. */
  setSpeed(speed: number): void {
    this.speed = speed;
    for (const simulation of this.simulations) simulation.send({ type: 'speed', factor: speed });
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    this.emit('tool', tool);
  }

  /** Changes where a body begins. */
  moveBody(body: string, by: [number, number, number]): void {
    this.emit('move', { body, by });
  }

  moveObstacle(at: number, by: [number, number, number]): void {
    this.emit('moveObstacle', { at, by });
  }

  /** Selects a body or an obstacle in the panel. */
  choose(thing: string | number): void {
    this.emit('choose', thing);
  }

  setShow(change: Partial<Show>): void {
    this.show = { ...this.show, ...change };
    for (const simulation of this.simulations) simulation.setShow(this.show);
    this.emit('show', this.show);
  }

  look(place: CameraPlace): void {
    this.graphics?.stage.look(place);
  }

  /** Shows a message to the user. */
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

/** Calls back once the scene that is being loaded was built or failed. */
function once(simulation: Simulation, done: () => void): void {
  const finish = () => {
    loaded();
    cancelled();
    failed();
    done();
  };
  const loaded = simulation.on('loaded', finish);
  const cancelled = simulation.on('cancelled', finish);
  const failed = simulation.on('problem', ({ fatal }) => fatal && finish());
}
