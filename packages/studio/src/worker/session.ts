import { prepareScene } from '@pliant/bake';
import { type BuiltScene, buildWorld, loadScene, type SceneDescription, type SceneProgress } from '@pliant/scene';
import type { World } from 'pliant';
import type { Command, FileMaterials, Frame, LoadedScene, LoadOptions, Report, SceneSource } from '../protocol.js';
import { addressBeside } from '../saving/ownServer.js';
import { Appearance } from './appearance.js';
import { exportBodies } from './exportBodies.js';
import { FramePacker } from './framePacker.js';
import { Hands } from './hands.js';
import { History } from './history.js';
import { Settings } from './settings.js';
import { describeSurroundings, type Surroundings } from './surroundings.js';

type Post = (report: Report, transfer?: Transferable[]) => void;

/** Commands that change a run, so that stepping alone cannot repeat it. */
const DISTURBING: ReadonlySet<string> = new Set([
  'material',
  'levels',
  'gravity',
  'pick',
  'movePick',
  'dropPick',
  'dropAllPicks',
  'push',
  'undo',
  'redo',
]);

/** The parts of building a body, in words. */
const STAGES: Record<SceneProgress['stage'], string> = {
  sample: 'filling it with particles',
  surface: 'measuring its surface',
  cluster: 'finding its clusters',
  levels: 'grouping the clusters',
  append: 'putting it into the world',
};

/** A running scene: the world, its history and the user's tools. */
export class Session {
  running: boolean;
  speed = 1;
  private readonly packer: FramePacker;
  private readonly history: History;
  private readonly hands: Hands;
  private readonly settings: Settings;
  private readonly surroundings: Surroundings;
  /** Whether the next frame must not be interpolated with the last. */
  private jumped = true;
  /** Whether settings changed after a return to an earlier time. */
  private changed = false;

  private constructor(
    private readonly scene: SceneDescription,
    private readonly built: BuiltScene,
    private readonly appearance: Appearance,
    options: LoadOptions,
    private readonly post: Post,
  ) {
    this.running = options.running;
    this.packer = new FramePacker(built, appearance, options.show, post);
    // Before the first snapshot: it then contains the skins, and restoring it need not make them again.
    if (options.show.surface) for (const body of built.bodies) body.getSkin().update();
    this.history = new History(built.world, built.cuts);
    this.hands = new Hands(built.world);
    this.surroundings = describeSurroundings(scene, built.world);
    this.settings = new Settings(built.world, appearance.names);
  }

  static async load(source: SceneSource, options: LoadOptions, post: Post): Promise<Session> {
    post({ type: 'progress', what: 'Reading the scene' });
    // Files that came with a scene are found by their names alone, whatever their paths; the reader refuses others.
    const scene = await loadScene(source.path, readerOf(source), { allowOutside: true, materials: true });
    const onProgress = ({ body, bodies, name, stage, done }: SceneProgress) => {
      const which = bodies === 1 ? name : `${name}, ${body + 1} of ${bodies}`;
      post({ type: 'progress', what: `Building ${which}: ${STAGES[stage]}`, share: done });
    };
    const prepared = prepareScene(scene);
    const built = await buildWorld(prepared.scene, { watch: { onProgress } });
    return new Session(prepared.scene, built, new Appearance(scene, prepared.looks, built.bodies), options, post);
  }

  get world(): World {
    return this.built.world;
  }

  get summary(): LoadedScene {
    const { path, title, description, dt, frames, cameras } = this.scene;
    return {
      path,
      title,
      description,
      dt,
      frames,
      cameras,
      particles: this.world.particleCount,
      clusters: this.world.clusterCount,
      bodies: this.built.bodies.map((body) => body.name),
      materials: this.appearance.materials.map(fileMaterials),
      ...this.surroundings,
      warnings: [...this.scene.warnings, ...this.built.warnings],
      materialWarnings: this.materialWarnings,
    };
  }

  /** Without the path that they begin with: the panel shows them at the body. */
  private get materialWarnings(): string[][] {
    const begins = /^body\.material\./;
    return this.built.bodies.map((body) =>
      body.alive ? body.warnings.filter((line) => begins.test(line)).map((line) => line.replace(begins, '')) : [],
    );
  }

  step(): void {
    this.built.cuts.due();
    this.world.step();
    this.world.drainEvents();
    this.hands.follow();
    this.history.keep();
    if (this.changed) this.history.disturb();
    this.changed = false;
  }

  frame(pace: number): Frame {
    const frame = this.packer.describe({ pace, running: this.running, jump: this.jumped, kept: this.history.kept });
    frame.picks = this.hands.shown();
    this.jumped = false;
    return frame;
  }

  writeInto(buffer: ArrayBufferLike, frame: Frame): void {
    this.packer.writeInto(buffer, frame);
  }

  obey(command: Exclude<Command, { type: 'load' | 'unload' | 'return' }>): void {
    if (DISTURBING.has(command.type)) this.history.disturb();
    switch (command.type) {
      case 'run':
        this.running = command.running;
        break;
      case 'step':
        for (let n = 0; n < command.steps; n++) this.step();
        break;
      case 'speed':
        this.speed = command.factor;
        break;
      case 'reset':
        this.goTo(0);
        break;
      case 'seek':
        this.goTo(command.frame);
        break;
      case 'show':
        this.packer.show = command.show;
        break;
      case 'resend':
        this.packer.resend();
        this.jumped = true;
        break;
      case 'material':
        this.settings.set(command);
        this.post({ type: 'warnings', materialWarnings: this.materialWarnings });
        break;
      case 'levels':
      case 'gravity':
        this.settings.set(command);
        break;
      case 'pick': {
        const hit = this.hands.pick(command.id, command.origin, command.direction);
        this.post({ type: 'picked', id: command.id, hit });
        break;
      }
      case 'movePick':
        this.hands.movePick(command.id, command.target);
        break;
      case 'lockPick':
        this.hands.lockPick(command.id);
        break;
      case 'dropPick':
        this.hands.dropPick(command.id);
        break;
      case 'dropAllPicks':
        this.hands.dropAllPicks();
        break;
      case 'push':
        this.hands.push(command.ball);
        break;
      case 'cut': {
        this.history.mark();
        const done = this.hands.cut(command.origin, command.from, command.to);
        if (done.bodies === 0) this.history.unmark();
        else this.history.keepCut();
        this.jumped = true;
        this.post({ type: 'cut', id: command.id, ...done });
        break;
      }
      case 'undo':
        this.hands.dropAllPicks();
        if (!this.history.undo()) throw new Error('There is no cut to take back.');
        this.changed = this.settings.setAgain();
        this.jumped = true;
        break;
      case 'redo':
        this.hands.dropAllPicks();
        if (!this.history.redo()) throw new Error('There is no cut to do again.');
        this.changed = this.settings.setAgain();
        this.jumped = true;
        break;
      case 'export':
        this.post({ type: 'exported', id: command.id, bodies: exportBodies(this.world, this.appearance) });
        break;
    }
  }

  dispose(): void {
    this.world.dispose();
  }

  private goTo(frame: number): void {
    this.hands.dropAllPicks();
    this.hands.push(undefined);
    this.history.goTo(frame);
    this.changed = this.settings.setAgain();
    this.jumped = true;
  }
}

/**
 * Reads files that came with the scene first, then those beside it on the page's own server. (Data URIs inside the
 * scene never come here.)
 */
export function readerOf({ path, text, files = {} }: SceneSource) {
  return async (file: string): Promise<Uint8Array> => {
    if (file === path && text !== undefined) return new TextEncoder().encode(text);
    const name = file.split('/').at(-1)!;
    if (Object.hasOwn(files, name)) return files[name];
    const answer = await fetch(addressBeside(file, path), { mode: 'same-origin' });
    if (!answer.ok) throw new Error(answer.status === 404 ? 'not found' : `the server answered ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  };
}

/** The materials of a body's file, if it has some. */
function fileMaterials({ surfaces }: Appearance['materials'][number]): FileMaterials | undefined {
  const from = surfaces.find(({ source }) => source)?.source?.from;
  return from && { from, surfaces: surfaces.map(({ source }) => source?.index ?? -1) };
}
