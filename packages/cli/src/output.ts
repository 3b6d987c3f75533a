import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type SceneDescription, writePly } from '@pliant/scene';
import { PliantError, type World } from 'pliant';
import { particleColours } from './colours.js';
import { prepareFolder, prepareFolderOf, write } from './io.js';
import { HtmlOutput } from './player/record.js';

/** Takes down what a run looks like. */
export interface Output {
  begin(world: World, scene: SceneDescription, frames: number): void;
  /** Called with frame 0 and after every step. */
  frame(frame: number): Promise<void>;
  /** Writes what is left to write; returns a line about each result. */
  finish(): Promise<string[]>;
}

const NOTHING: Output = { begin() {}, async frame() {}, finish: async () => [] };

/** What `--out` asks for, by its ending. Folders are made here, so that a path that cannot be fails before the run. */
export async function planOutput(out: string | undefined, every: number): Promise<Output> {
  if (out === undefined) return NOTHING;
  const folder = /[/\\]$/.test(out) || (existsSync(out) && statSync(out).isDirectory());
  const ending = folder ? '' : (/\.([A-Za-z]\w*)$/.exec(out)?.[1].toLowerCase() ?? '');
  switch (ending) {
    case '':
      await prepareFolder(out, '--out');
      return new PlyFolder(out, every);
    case 'ply':
      await prepareFolderOf(out, '--out');
      return new PlyFile(out);
    case 'html':
    case 'htm':
      await prepareFolderOf(out, '--out');
      return new HtmlOutput(out, every);
    default:
      throw new PliantError('--out', `--out is ${JSON.stringify(out)}; expected FILE.ply, FILE.html or a folder.`);
  }
}

const plyOf = (world: World, colours: Uint8Array) => writePly({ positions: world.positions, stride: 4, colours });

/** The last state, coloured by cluster. */
class PlyFile implements Output {
  private world!: World;
  constructor(private readonly file: string) {}

  begin(world: World): void {
    this.world = world;
  }

  async frame(): Promise<void> {}

  async finish(): Promise<string[]> {
    await write(this.file, plyOf(this.world, particleColours(this.world)), '--out');
    return [`wrote ${this.file} (${this.world.particleCount} particles, coloured by cluster)`];
  }
}

/** frame_0000.ply, frame_0001.ply, … */
class PlyFolder implements Output {
  private world!: World;
  private written = 0;
  constructor(
    private readonly folder: string,
    private readonly every: number,
  ) {}

  begin(world: World): void {
    this.world = world;
  }

  async frame(frame: number): Promise<void> {
    if (frame % this.every !== 0) return;
    const name = `frame_${String(frame).padStart(4, '0')}.ply`;
    await write(join(this.folder, name), plyOf(this.world, particleColours(this.world)), '--out');
    this.written++;
  }

  async finish(): Promise<string[]> {
    return [`wrote ${this.written} files into ${this.folder}`];
  }
}
