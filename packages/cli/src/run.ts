import { setImmediate as turn } from 'node:timers/promises';
import {
  type BuildOptions,
  type BuiltScene,
  buildWorld,
  parseClusterFile,
  readFirst,
  type SceneDescription,
  splitVariant,
} from '@pliant/scene';
import { loadSceneFile, readDisk } from '@pliant/scene/node';
import type { Backend } from 'pliant';
import { exitCodeOf, Interrupt, type StopSignal } from './interrupt.js';
import type { Io } from './io.js';
import { type Output, planOutput } from './output.js';
import { caption, warningLines } from './printable.js';
import { type Progress, startProgress, watchBuild } from './progress.js';
import { ResultFile } from './resultFile.js';
import { refuseSameFile } from './sameFile.js';
import { StatsRecorder } from './stats.js';
import { runTable } from './table.js';
import { pictureSize } from './video/output.js';

export interface RunOptions {
  frames?: number;
  stats?: string;
  clusters?: string;
  backend?: Backend;
  threads?: number;
  seed?: number;
  out?: string;
  every: number;
  size?: string;
  probe: number[];
  variant?: string;
  quiet?: boolean;
  allowOutside?: boolean;
}

/** The outputs of a run: opened before it, and written after it or left unchanged. */
interface Results {
  output: Output | undefined;
  stats: ResultFile | undefined;
}

/** `pliant run`: loads a scene, steps it, reports and writes the results. Returns the exit code. */
export async function run(path: string, options: RunOptions, io: Io): Promise<number> {
  const results: Results = {
    output: planOutput(options.out, options.every, options.size === undefined ? undefined : pictureSize(options.size)),
    stats: options.stats === undefined ? undefined : new ResultFile(options.stats, '--stats'),
  };
  await refuseSameFile([
    { name: 'scene', file: splitVariant(path).file },
    { name: '--clusters', file: options.clusters },
    { name: '--out', file: results.output?.file },
    { name: '--stats', file: options.stats },
  ]);
  // Opened once before the scene is built, so that an output that cannot be written fails at once. Closed again, so
  // that no temporary file remains if a signal ends the build.
  await openAll(results);
  await discardAll(results);
  const began = performance.now();
  const scene = await loadSceneFile(path, { allowOutside: options.allowOutside, variant: options.variant });
  const built = await buildWorld(scene, {
    ...(await buildOptions(options)),
    watch: watchBuild(io, options.quiet === true),
  });
  const loadSeconds = (performance.now() - began) / 1000;
  const interrupt = new Interrupt();
  try {
    await openAll(results);
    return await runBuilt(options, io, { scene, built, results, interrupt, loadSeconds });
  } finally {
    await discardAll(results);
    interrupt.close();
    built.world.dispose();
  }
}

interface Running {
  scene: SceneDescription;
  built: BuiltScene;
  results: Results;
  interrupt: Interrupt;
  loadSeconds: number;
}

async function runBuilt(options: RunOptions, io: Io, running: Running): Promise<number> {
  const { scene, built, results, interrupt, loadSeconds } = running;
  const { world, warnings, notes } = built;
  const say = options.quiet ? () => {} : io.out;
  const frames = options.frames ?? scene.frames;
  const recorder = new StatsRecorder(world, options.probe);
  io.err(warningLines([...scene.warnings, ...warnings]));
  if (!options.quiet) {
    for (const line of notes) io.err(`note: ${caption(line, 1000)}\n`);
    io.err(
      `${caption(scene.title)}: ${world.particleCount} particles, ${world.clusterCount} clusters, ${frames} frames\n`,
    );
  }
  const progress = startProgress(frames, io, options.quiet === true);
  await stepThrough(running, frames, recorder, progress);

  const stats = recorder.finish(scene.path, loadSeconds);
  say(runTable(stats, world));
  const { signal } = interrupt;
  const written = await finishAll(results, `${JSON.stringify(stats, null, 1)}\n`);
  for (const line of written) say(`${line}\n`);
  if (!signal) return 0;
  io.err(`${stopped(signal, stats.step.count, frames, results)}\n`);
  return exitCodeOf(signal);
}

/** Steps until the end or a signal, which is checked between two frames. */
async function stepThrough(
  { scene, built: { world, cuts }, results: { output }, interrupt }: Running,
  frames: number,
  recorder: StatsRecorder,
  progress: Progress,
): Promise<void> {
  try {
    output?.begin(world, scene, frames);
    await output?.frame(0);
    for (let frame = 1; frame <= frames && !interrupt.signal; frame++) {
      const start = performance.now();
      cuts.due();
      world.step();
      recorder.step(performance.now() - start, world.drainEvents());
      await output?.frame(frame);
      progress.update(frame);
      await turn();
    }
  } finally {
    progress.stop();
  }
}

function stopped(signal: StopSignal, done: number, frames: number, { output, stats }: Results): string {
  const files = [output && (output.file ?? 'the frames so far'), stats?.file].filter((file) => file !== undefined);
  return `stopped by ${signal} after frame ${done} of ${frames}; ${files.length > 0 ? `wrote ${files.join(' and ')}` : 'nothing was to be written'}`;
}

async function openAll({ output, stats }: Results): Promise<void> {
  await output?.open();
  try {
    await stats?.open();
  } catch (error) {
    await output?.discard();
    throw error;
  }
}

async function discardAll({ output, stats }: Results): Promise<void> {
  await output?.discard();
  await stats?.discard();
}

/** Writes all outputs even if one fails, then throws the first error. */
async function finishAll({ output, stats }: Results, measured: string): Promise<string[]> {
  const [first, second] = await Promise.allSettled([stats?.write(measured), output?.finish()]);
  for (const one of [first, second]) if (one.status === 'rejected') throw one.reason;
  return second.status === 'fulfilled' ? (second.value ?? []) : [];
}

/** The options of the command line for building a world. */
export async function buildOptions({
  backend,
  threads,
  seed,
  clusters,
}: Pick<RunOptions, 'backend' | 'threads' | 'seed' | 'clusters'>): Promise<BuildOptions> {
  if (clusters === undefined) return { backend, threads, seed };
  const { bytes } = await readFirst(readDisk, [clusters], '--clusters', 'clusters');
  return { backend, threads, seed, clusters: { list: await parseClusterFile(bytes, clusters), file: clusters } };
}
