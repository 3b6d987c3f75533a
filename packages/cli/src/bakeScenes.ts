import { basename, extname } from 'node:path';
import { bakeFormat } from '@pliant/bake';
import { splitVariant } from '@pliant/scene';
import { PliantError } from 'pliant';
import type { BakeCommand } from './bake.js';
import type { Io } from './io.js';
import { manyScenes } from './manyScenes.js';

/** `pliant bake` of several scenes, by the queue of `pliant sweep`. A * in `out` is replaced by the name of each scene. Returns the largest exit code. */
export async function bakeScenes(scenes: readonly string[], options: BakeCommand, io: Io): Promise<number> {
  const { out } = options;
  if (out.split('*').length !== 2)
    throw new PliantError(
      '--out',
      `--out is ${JSON.stringify(out)}; expected one * in it, for the names of ${scenes.length} scenes.`,
    );
  bakeFormat(out, '--out');
  // "bar", and of a variant "bar-paper".
  const names = scenes.map((scene) => {
    const { file, variant } = splitVariant(scene);
    return `${basename(file, extname(file))}${variant === undefined ? '' : `-${variant}`}`;
  });
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice !== undefined)
    throw new PliantError(
      'scene',
      `two scenes are called ${twice}; expected names of their own, as their results would be one file.`,
    );
  const flags = flagsOf(options);
  return manyScenes(
    scenes,
    (scene) => ['bake', '--out', out.replace('*', names[scenes.indexOf(scene)]), ...flags, '--', scene],
    io,
  );
}

/** The options as they were given. */
function flagsOf({
  fps,
  frames,
  seconds,
  seed,
  variant,
  clusters,
  backend,
  threads,
  pieces,
  allowOutside,
  quiet,
}: BakeCommand): string[] {
  const values = Object.entries({ fps, frames, seconds, seed, variant, clusters, backend, threads }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]),
  );
  return [
    ...values,
    ...(pieces ? ['--pieces'] : []),
    ...(allowOutside ? ['--allow-outside'] : []),
    ...(quiet ? ['--quiet'] : []),
  ];
}
