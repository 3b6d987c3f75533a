import {
  type BuildOptions,
  buildWorld,
  type Cuts,
  loadScene,
  parseClusterFile,
  readFirst,
  type SceneDescription,
} from '@pliant/scene';
import type { Backend, World } from 'pliant';
import { type Io, prepareFolderOf, read, write } from './io.js';
import { type Output, planOutput } from './output.js';
import { startProgress, watchBuild } from './progress.js';
import { StatsRecorder } from './stats.js';
import { runTable } from './table.js';

export interface RunOptions {
  frames?: number;
  stats?: string;
  clusters?: string;
  backend?: Backend;
  seed?: number;
  out?: string;
  every: number;
  probe: number[];
  quiet?: boolean;
}

/** `pliant run`: loads a scene, steps it, tells and writes what happened. */
export async function run(path: string, options: RunOptions, io: Io): Promise<void> {
  const output = await planOutput(options.out, options.every);
  if (options.stats) await prepareFolderOf(options.stats, '--stats');
  const began = performance.now();
  const scene = await loadScene(path, read);
  const { world, cuts, warnings, notes } = await buildWorld(scene, {
    ...(await buildOptions(options)),
    watch: watchBuild(io, options.quiet === true),
  });
  const loadSeconds = (performance.now() - began) / 1000;

  const frames = options.frames ?? scene.frames;
  const recorder = new StatsRecorder(world, options.probe);
  for (const line of new Set([...scene.warnings, ...warnings])) io.err(`warning: ${line}\n`);
  if (!options.quiet) for (const line of notes) io.err(`note: ${line}\n`);
  if (!options.quiet)
    io.err(`${scene.title}: ${world.particleCount} particles, ${world.clusterCount} clusters, ${frames} frames\n`);
  await stepThrough(world, cuts, scene, frames, recorder, output, startProgress(frames, io, options.quiet === true));

  const stats = recorder.finish(path, loadSeconds);
  if (!options.quiet) io.out(runTable(stats, world));
  if (options.stats) await write(options.stats, `${JSON.stringify(stats, null, 1)}\n`, '--stats');
  for (const line of await output.finish()) if (!options.quiet) io.out(`${line}\n`);
  world.dispose();
}

/** What of the command line concerns the building of a world. */
export async function buildOptions({
  backend,
  seed,
  clusters,
}: Pick<RunOptions, 'backend' | 'seed' | 'clusters'>): Promise<BuildOptions> {
  if (clusters === undefined) return { backend, seed };
  const { bytes } = await readFirst(read, [clusters], '--clusters');
  return { backend, seed, clusters: { list: parseClusterFile(bytes, clusters), file: clusters } };
}

async function stepThrough(
  world: World,
  cuts: Cuts,
  scene: SceneDescription,
  frames: number,
  recorder: StatsRecorder,
  output: Output,
  progress: ReturnType<typeof startProgress>,
): Promise<void> {
  output.begin(world, scene, frames);
  await output.frame(0);
  for (let frame = 1; frame <= frames; frame++) {
    const start = performance.now();
    cuts.due();
    world.step();
    recorder.step(performance.now() - start, world.drainEvents());
    await output.frame(frame);
    progress.update(frame);
  }
  progress.stop();
}
