import { type BuildOptions, type BuiltScene, buildWorld } from './buildWorld.js';
import type { SceneDescription } from './description.js';

/**
 * The world of a scene in the state of saved bytes: those of `world.save()`, or of `world.save({ base })` with the
 * snapshot of the world as `buildWorld` returned it, which leaves out everything that the scene describes. Bodies that
 * were cut or separated, and colliders and picks that were added since, come from the bytes; things that were removed
 * stay removed. The scene's cuts continue from there. `options` must be those that the world was built with.
 */
export async function restoreWorld(
  scene: SceneDescription,
  bytes: Uint8Array,
  options: BuildOptions = {},
): Promise<BuiltScene> {
  const built = await buildWorld(scene, options);
  try {
    built.world.restore(bytes, { base: built.world.snapshot() });
  } catch (error) {
    built.world.dispose();
    throw error;
  }
  built.world.forgetSnapshots();
  built.cuts.rewind();
  return built;
}
