import { buildWorld, type SceneDescription } from '@pliant/scene';
import { loadSceneFile } from '@pliant/scene/node';
import type { Io } from './io.js';
import { warningLines } from './printable.js';
import { watchBuild } from './progress.js';

export interface ValidateOptions {
  /** Only reads and checks: errors of sampling, clustering and clamps are not found. */
  quick?: boolean;
  allowOutside?: boolean;
  /** Only this variant of the scene. Default: the scene and all of its variants. */
  variant?: string;
}

/**
 * `pliant validate`: checks a scene file, reads every file that it names and builds what it describes, so that `run`
 * refuses nothing that this accepts; then the same for each of its variants. The plain kernels suffice: building is the same with both.
 */
export async function validate(path: string, options: ValidateOptions, io: Io): Promise<void> {
  const { variants = [], variant } = await validateOne(path, options, io);
  if (variant !== undefined || variants.length === 0) return io.out('ok\n');
  for (const { name } of variants) await validateOne(path, { ...options, variant: name }, io);
  io.out(
    `ok, with ${variants.length === 1 ? 'the variant' : 'the variants'} ${variants.map(({ name }) => name).join(', ')}\n`,
  );
}

async function validateOne(
  path: string,
  { quick = false, allowOutside, variant }: ValidateOptions,
  io: Io,
): Promise<SceneDescription> {
  const scene = await loadSceneFile(path, { allowOutside, variant });
  const warnings = [...scene.warnings, ...lateCuts(scene)];
  if (!quick) {
    const built = await buildWorld(scene, { backend: 'ts', watch: watchBuild(io, false) });
    warnings.push(...built.warnings);
    built.world.dispose();
  }
  io.err(warningLines(scene.variant === undefined ? warnings : warnings.map((line) => `#${scene.variant}: ${line}`)));
  return scene;
}

/** Cuts at times beyond the scene's own length. */
function lateCuts({ cuts, frames, dt }: SceneDescription): string[] {
  const end = frames * dt;
  return cuts
    .filter(({ at }) => at >= end)
    .map(({ path, at }) => `${path}.at is ${at}: never made, as the scene ends after ${Number(end.toPrecision(6))} s.`);
}
