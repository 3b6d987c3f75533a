import { loadSceneFile } from '@pliant/scene/node';
import type { Io } from './io.js';
import { warningLines } from './printable.js';

/** `pliant validate`: checks a scene file and reads every file that it names. */
export async function validate(path: string, options: { allowOutside?: boolean }, io: Io): Promise<void> {
  const scene = await loadSceneFile(path, options);
  io.err(warningLines(scene.warnings));
  io.out('ok\n');
}
