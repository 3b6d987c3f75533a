import { loadSceneFile } from '@pliant/scene/node';
import type { Io } from './io.js';
import { oneLine } from './printable.js';

/** `pliant validate`: checks a scene file and reads every file that it names. */
export async function validate(path: string, options: { allowOutside?: boolean }, io: Io): Promise<void> {
  const scene = await loadSceneFile(path, options);
  for (const line of new Set(scene.warnings)) io.err(`warning: ${oneLine(line)}\n`);
  io.out('ok\n');
}
