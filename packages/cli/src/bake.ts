import { basename, dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { type BakeResult, bake, bakeFormat, prepareScene } from '@pliant/bake';
import { buildWorld, splitVariant } from '@pliant/scene';
import { loadSceneFile } from '@pliant/scene/node';
import { PliantError } from 'pliant';
import { DiskStorage } from './diskStorage.js';
import { exitCodeOf, Interrupt } from './interrupt.js';
import type { Io } from './io.js';
import { caption, warningLines } from './printable.js';
import { startProgress, watchBuild } from './progress.js';
import { ResultFile } from './resultFile.js';
import { buildOptions, type RunOptions } from './run.js';
import { refuseSameFile } from './sameFile.js';

export interface BakeCommand
  extends Pick<RunOptions, 'backend' | 'threads' | 'seed' | 'variant' | 'clusters' | 'quiet' | 'allowOutside'> {
  out: string;
  fps?: number;
  frames?: number;
  seconds?: number;
  pieces?: boolean;
}

/** `pliant bake`: runs a scene and writes it as an animation. Returns the exit code. */
export async function bakeScene(path: string, options: BakeCommand, io: Io): Promise<number> {
  const { out, quiet = false } = options;
  bakeFormat(out, '--out');
  if (options.frames !== undefined && options.seconds !== undefined)
    throw new PliantError('--frames', '--frames and --seconds are both given; expected one of them.');
  await refuseSameFile([
    { name: 'scene', file: splitVariant(path).file },
    { name: '--clusters', file: options.clusters },
    { name: '--out', file: out },
  ]);
  // An output that cannot be written fails before the scene is built.
  const tried = new ResultFile(out, '--out');
  await tried.open();
  await tried.discard();
  const scene = await loadSceneFile(path, {
    allowOutside: options.allowOutside,
    variant: options.variant,
    materials: true,
  });
  const prepared = prepareScene(scene);
  const built = await buildWorld(prepared.scene, {
    ...(await buildOptions(options)),
    watch: watchBuild(io, quiet),
  });
  const interrupt = new Interrupt();
  try {
    io.err(warningLines([...scene.warnings, ...built.warnings]));
    let progress: ReturnType<typeof startProgress> | undefined;
    let result: BakeResult;
    try {
      result = await bake(prepared, built, {
        name: basename(out),
        storage: new DiskStorage(dirname(out)),
        fps: options.fps,
        frames: options.frames,
        seconds: options.seconds,
        pieces: options.pieces,
        onProgress: async (done, frames) => {
          progress ??= startProgress(frames, io, quiet);
          progress.update(done);
          // Signals arrive between two turns of the event loop.
          await turn();
        },
        stop: () => interrupt.signal !== undefined,
      });
    } finally {
      progress?.stop();
    }
    io.err(warningLines(result.warnings));
    if (!quiet) io.out(`${summary(out, caption(scene.title), result)}\n`);
    return interrupt.signal ? exitCodeOf(interrupt.signal) : 0;
  } finally {
    interrupt.close();
    built.world.dispose();
  }
}

function summary(out: string, title: string, { files, frames, fps, objects }: BakeResult): string {
  const things = objects === 1 ? '1 object' : `${objects} objects`;
  const rest = files.slice(1);
  const beside =
    rest.length === 0 ? '' : rest.length > 3 ? ` and ${rest.length} files beside it` : ` and ${rest.join(', ')}`;
  return `${title}: wrote ${dirname(out) === '.' ? '' : `${dirname(out)}/`}${files[0]}${beside} (${things}, frames 0 to ${frames}, ${fps} a second)`;
}
