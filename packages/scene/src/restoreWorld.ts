import { type BuildOptions, type BuiltScene, buildWorld } from './buildWorld.js';
import type { SceneDescription } from './description.js';

/**
 * The world of a scene as it was when its bytes were saved: `world.save()`, or `world.save({ base })` with the snapshot of the world as `buildWorld` returned it,
 * which leaves out all that the scene says. Bodies that were cut or taken apart, and colliders and hands that were added since, come from the bytes; what
 * was removed is gone. The scene's cuts go on from there. `options` must be those that the world was built with.
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
