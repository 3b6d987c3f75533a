import { prepareScene } from '@pliant/bake';
import { type BuiltScene, buildWorld, loadScene, type SceneDescription, type SceneProgress } from '@pliant/scene';
import type { HostedWorld, OwnCalls, OwnFrame } from '@pliant/three/host';
import type { World } from 'pliant';
import type { FileMaterials, LoadedScene, SceneRequest, SceneSource, SettingCommand, Show, Tell } from '../protocol.js';
import { addressBeside } from '../saving/ownServer.js';
import { Appearance } from './appearance.js';
import { exportBodies } from './exportBodies.js';
import { FramePacker } from './framePacker.js';
import { type Ball, PushingBall } from './pushingBall.js';
import { canBreak, rehearseBreak } from './rehearsal.js';
import { Settings } from './settings.js';
import { describeSurroundings } from './surroundings.js';

/** The parts of building a body, in words. */
const STAGES: Record<SceneProgress['stage'], string> = {
  sample: 'filling it with particles',
  surface: 'measuring its surface',
  cluster: 'finding its clusters',
  levels: 'grouping the clusters',
  append: 'putting it into the world',
};

/** A running scene, which the library steps, draws and keeps: its looks, its settings, and the contents of frames that the library does not have. */
export class Session implements HostedWorld {
  readonly world: World;
  readonly about: LoadedScene;
  readonly calls: OwnCalls;
  readonly queries: OwnCalls;
  private readonly packer: FramePacker;
  private readonly ball: PushingBall;
  private readonly settings: Settings;

  private constructor(
    scene: SceneDescription,
    private readonly built: BuiltScene,
    appearance: Appearance,
    show: Show,
    tell: Tell,
  ) {
    const { world } = built;
    this.world = world;
    this.packer = new FramePacker(built, appearance, show, tell);
    // Before the first snapshot: it then contains the skins, and restoring it need not make them again.
    if (show.surface) for (const body of built.bodies) body.getSkin().update();
    this.ball = new PushingBall(world);
    this.settings = new Settings(world, appearance.names);
    this.about = this.describe(scene, appearance);
    this.calls = {
      set: (_: World, command: SettingCommand) => this.set(command),
      push: (_: World, ball: Ball | undefined) => this.ball.set(ball),
      // Those of the scene file too.
      dropAllPicks: () => {
        for (const pick of [...world.picks]) world.removePick(pick);
      },
    };
    this.queries = {
      show: (_: World, next: Show) => {
        this.packer.show = next;
      },
      resend: () => this.packer.resend(),
      export: () => exportBodies(world, appearance),
    };
  }

  static async load({ source, show }: SceneRequest, tell: Tell): Promise<Session> {
    tell('progress', { what: 'Reading the scene' });
    // Files that came with a scene are found by their names alone, whatever their paths; the reader refuses others.
    const scene = await loadScene(source.path, readerOf(source), { allowOutside: true, materials: true });
    const onProgress = ({ body, bodies, name, stage, done }: SceneProgress) => {
      const which = bodies === 1 ? name : `${name}, ${body + 1} of ${bodies}`;
      tell('progress', { what: `Building ${which}: ${STAGES[stage]}`, share: done });
    };
    const prepared = prepareScene(scene);
    const built = await buildWorld(prepared.scene, { watch: { onProgress } });
    if (canBreak(built.world)) {
      tell('progress', { what: 'Rehearsing a break' });
      await rehearseBreak();
    }
    return new Session(prepared.scene, built, new Appearance(scene, prepared.looks, built.bodies), show, tell);
  }

  private describe(scene: SceneDescription, { materials }: Appearance): LoadedScene {
    const { path, title, description, dt, frames, cameras } = scene;
    const { world, built } = this;
    return {
      ...{ path, title, description, dt, frames, cameras },
      ...{ particles: world.particleCount, clusters: world.clusterCount },
      bodies: built.bodies.map((body) => body.name),
      materials: materials.map(fileMaterials),
      ...describeSurroundings(scene, world),
      warnings: [...scene.warnings, ...built.warnings],
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

  /** Changes a setting. Returns the warnings about materials. */
  private set(command: SettingCommand): string[][] {
    this.settings.set(command);
    return this.materialWarnings;
  }

  beforeStep(): void {
    this.built.cuts.due();
  }

  afterStep(): void {
    this.ball.hold();
  }

  rewind(): void {
    this.built.cuts.rewind();
    this.ball.forget();
  }

  arrived(): boolean {
    this.packer.jump = true;
    return this.settings.setAgain();
  }

  frame({ running }: { running: boolean }): OwnFrame {
    return this.packer.frame(running);
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
