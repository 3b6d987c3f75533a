import type { Show } from './protocol.js';
import { fetchDocument, type SceneDocument, type SceneJson, sourceOf } from './sceneDocument.js';
import { Simulation } from './simulation.js';
import type { Scenery } from './view/scenery.js';
import type { CameraPlace, Stage } from './view/stage.js';

/** Of a comparison: the open document is the left, its variant the right. */
export type Side = 'left' | 'right';

export type Tool = 'look' | 'pick' | 'push' | 'cut';

export interface AppEvents {
  /** Another document is open, or the open one was edited. */
  document: SceneDocument;
  tool: Tool;
  show: Show;
  /** A second simulation is beside the first, or no longer. */
  beside: boolean;
  /** What the panel edits is another, or has other content. */
  edited: undefined;
  /** A scene, or its variant, was built; or could not be. */
  built: Side;
  failed: Side;
  /** What a world has to say of its materials may be other. */
  warnings: undefined;
  /** What was told to a running world was refused. */
  refused: { side: Side; edit: number };
  message: { text: string; kind: 'note' | 'problem' };
}

/** What has become of the graphics: loaded after the page itself. */
export interface Graphics {
  stage: Stage;
  scenery: Scenery;
  /** Of the second simulation. */
  beside: Scenery | undefined;
  /** Draws a second simulation right of the first; without one only the first again. */
  compare(second: Simulation | undefined): void;
}

/** What all parts of the page share: the open document, its simulation, what is shown and which hand is in use. */
export class App {
  readonly simulation: Simulation;
  /** The same scene with other settings, beside it. */
  second: Simulation | undefined;
  document: SceneDocument | undefined;
  /** The document as it was opened. */
  original: SceneJson | undefined;
  /** What the second simulation runs. */
  variant: SceneJson | undefined;
  /** Which of the two the panel edits. */
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
  /** Whether time goes on, or will when what is being built is there. */
  running = true;
  speed = 1;
  /** Sides of a comparison that are being built; the other waits. */
  private readonly building = new Set<Side>();
  private readonly listeners = new Map<string, Set<(value: never) => void>>();

  constructor() {
    this.simulation = new Simulation(this.show);
    this.hear(this.simulation, 'left');
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
    this.original = document.json;
    this.running = running;
    this.graphics?.scenery.clear();
    this.simulation.load(sourceOf(document), running);
    this.emit('document', document);
    this.emit('edited', undefined);
  }

  /** The open document with other content, built anew; or its variant. */
  rebuild(json: SceneJson, side: Side = 'left'): void {
    if (!this.document) return;
    this.amend(json, side);
    if (this.second) this.startTogether([side]);
    else {
      this.graphics?.scenery.clear();
      this.simulation.load(sourceOf(this.document), this.running);
    }
  }

  /** The open document, or its variant, with other content that the running world already has, or will have soon. */
  amend(json: SceneJson, side: Side = 'left'): void {
    if (!this.document) return;
    if (side === 'right') this.variant = json;
    else {
      this.document = { ...this.document, json };
      this.emit('document', this.document);
    }
    this.emit('edited', undefined);
  }

  /** What the panel edits. */
  get edited(): { json: SceneJson; simulation: Simulation } | undefined {
    const { document, variant, second, simulation } = this;
    if (this.side === 'right' && variant && second) return { json: variant, simulation: second };
    return document && { json: document.json, simulation };
  }

  edit(side: Side): void {
    this.side = side;
    this.emit('edited', undefined);
  }

  /** Runs a variant of the open scene beside it, from the start, both. */
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

  /** Leaves one of the two: as the open document, which runs on if it is the left. */
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

  /** A scene begins at the speed that is set; what it says is for the person, and for whoever has edited it. */
  private hear(simulation: Simulation, side: Side): void {
    const say = (message: string) => this.say(side === 'left' ? message : `Right: ${message}`, 'problem');
    simulation.on('loaded', () => {
      simulation.send({ type: 'speed', factor: this.speed });
      this.emit('built', side);
      this.emit('warnings', undefined);
    });
    simulation.on('warnings', () => this.emit('warnings', undefined));
    simulation.on('problem', ({ message, fatal }) => {
      say(message);
      if (fatal) this.emit('failed', side);
    });
    simulation.on('refused', ({ message, edit }) => {
      say(message);
      this.emit('refused', { side, edit });
    });
  }

  /** Builds what is named anew, takes the other back to its start, and lets both go when all are ready. */
  private startTogether(anew: Side[]): void {
    const { document, second, variant, simulation } = this;
    if (!document || !second || !variant) return;
    for (const side of ['left', 'right'] as const) {
      const one = side === 'left' ? simulation : second;
      if (anew.includes(side)) {
        (side === 'left' ? this.graphics?.scenery : this.graphics?.beside)?.clear();
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

  /** All simulations that run: commands of time go to each. */
  get simulations(): Simulation[] {
    return this.second ? [this.simulation, this.second] : [this.simulation];
  }

  run(running: boolean): void {
    this.running = running;
    if (this.building.size > 0) return;
    for (const simulation of this.simulations) simulation.send({ type: 'run', running });
  }

  /** Seconds simulated for each that passes, where the machine can. */
  setSpeed(speed: number): void {
    this.speed = speed;
    for (const simulation of this.simulations) simulation.send({ type: 'speed', factor: speed });
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

/** Calls back when the scene that is being loaded is there, or cannot be. */
function once(simulation: Simulation, done: () => void): void {
  const finish = () => {
    loaded();
    failed();
    done();
  };
  const loaded = simulation.on('loaded', finish);
  const failed = simulation.on('problem', ({ fatal }) => fatal && finish());
}
