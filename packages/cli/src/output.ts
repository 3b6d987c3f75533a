import { existsSync, statSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type SceneDescription, writePly } from '@pliant/scene';
import { PliantError, type World } from 'pliant';
import { particleColours } from './colours.js';
import { makeFolder } from './makeFolder.js';
import { HtmlOutput } from './player/record.js';
import { ResultFile } from './resultFile.js';
import { VideoOutput } from './video/output.js';

/** Records a run for an output file. */
export interface Output {
  /** The file that it writes, if it is a single one. */
  readonly file?: string;
  /** Opens the output, so that a path that cannot be written fails before the run. */
  open(): Promise<void>;
  begin(world: World, scene: SceneDescription, frames: number): void;
  /** Called with frame 0 and after every step. */
  frame(frame: number): Promise<void>;
  /** Writes the rest; returns a line about each result. */
  finish(): Promise<string[]>;
  /** Removes files that were opened and not written. */
  discard(): Promise<void>;
}

/** The output for `--out`, by its ending. `size`: of the pictures of a video. */
export function planOutput(
  out: string | undefined,
  every: number,
  size: readonly [number, number] = [1280, 720],
): Output | undefined {
  if (out === undefined) return undefined;
  if (out === '')
    throw new PliantError('--out', '--out is empty; expected FILE.ply, FILE.html, FILE.mp4, FILE.webm or a folder.');
  const folder = /[/\\]$/.test(out) || (existsSync(out) && statSync(out).isDirectory());
  const ending = folder ? '' : (/\.([A-Za-z]\w*)$/.exec(out)?.[1].toLowerCase() ?? '');
  switch (ending) {
    case '':
      return new PlyFolder(out, every);
    case 'ply':
      return new PlyFile(out);
    case 'html':
    case 'htm':
      return new HtmlOutput(out, every);
    case 'mp4':
    case 'webm':
      return new VideoOutput(out, ending, every, size);
    default:
      throw new PliantError(
        '--out',
        `--out is ${JSON.stringify(out)}; expected FILE.ply, FILE.html, FILE.mp4, FILE.webm or a folder.`,
      );
  }
}

const plyOf = (world: World, colours: Uint8Array) => writePly({ positions: world.positions, stride: 4, colours });

/** The last state, coloured by cluster. */
class PlyFile implements Output {
  private world!: World;
  private readonly result: ResultFile;

  constructor(readonly file: string) {
    this.result = new ResultFile(file, '--out');
  }

  open = () => this.result.open();
  discard = () => this.result.discard();

  begin(world: World): void {
    this.world = world;
  }

  async frame(): Promise<void> {}

  async finish(): Promise<string[]> {
    await this.result.write(plyOf(this.world, particleColours(this.world)));
    return [`wrote ${this.file} (${this.world.particleCount} particles, coloured by cluster)`];
  }
}

/** frame_0000.ply, frame_0001.ply, … */
class PlyFolder implements Output {
  private world!: World;
  private written = 0;
  private made: string[] = [];
  constructor(
    private readonly folder: string,
    private readonly every: number,
  ) {}

  async open(): Promise<void> {
    this.made = await makeFolder(this.folder, '--out');
    const first = this.frameFile(0);
    await first.open();
    await first.discard();
  }

  begin(world: World): void {
    this.world = world;
  }

  async frame(frame: number): Promise<void> {
    if (frame % this.every !== 0) return;
    const result = this.frameFile(frame);
    await result.open();
    // A frame is one of many: the run does not wait until it is on the disk.
    await result.write(plyOf(this.world, particleColours(this.world)), false);
    this.written++;
  }

  async finish(): Promise<string[]> {
    return [`wrote ${this.written} files into ${this.folder}`];
  }

  async discard(): Promise<void> {
    if (this.written > 0) return;
    for (const folder of this.made.reverse()) await rmdir(folder).catch(() => {});
    this.made = [];
  }

  private frameFile(frame: number): ResultFile {
    return new ResultFile(join(this.folder, `frame_${String(frame).padStart(4, '0')}.ply`), '--out');
  }
}
