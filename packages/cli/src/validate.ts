import { buildWorld, type SceneDescription } from '@pliant/scene';
import { loadSceneFile } from '@pliant/scene/node';
import type { Io } from './io.js';
import { warningLines } from './printable.js';
import { watchBuild } from './progress.js';

export interface ValidateOptions {
  /** Only reads and checks: errors of sampling, clustering and clamps are not found. */
  quick?: boolean;
  allowOutside?: boolean;
}

/**
 * `pliant validate`: checks a scene file, reads every file that it names and builds what it describes, so that `run`
 * refuses nothing that this accepts. The plain kernels suffice: building is the same with both.
 */
export async function validate(path: string, { quick = false, allowOutside }: ValidateOptions, io: Io): Promise<void> {
  const scene = await loadSceneFile(path, { allowOutside });
  const warnings = [...scene.warnings, ...lateCuts(scene)];
  if (!quick) {
    const built = await buildWorld(scene, { backend: 'ts', watch: watchBuild(io, false) });
    warnings.push(...built.warnings);
    built.world.dispose();
  }
  io.err(warningLines(warnings));
  io.out('ok\n');
}

/** Cuts at times beyond the scene's own length. */
function lateCuts({ cuts, frames, dt }: SceneDescription): string[] {
  const end = frames * dt;
  return cuts
    .filter(({ at }) => at >= end)
    .map(({ path, at }) => `${path}.at is ${at}: never made, as the scene ends after ${Number(end.toPrecision(6))} s.`);
}
