import { loadScene } from '@pliant/scene';
import { type Io, read } from './io.js';

/** `pliant validate`: checks a scene file and reads every file that it names. */
export async function validate(path: string, io: Io): Promise<void> {
  const scene = await loadScene(path, read);
  for (const line of new Set(scene.warnings)) io.err(`warning: ${line}\n`);
  io.out('ok\n');
}
