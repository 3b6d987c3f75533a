import type { World } from '../world.js';

/** Ends a world: it has nothing left, and refuses everything afterwards. */
export function disposeWorld(world: World): void {
  world.core.refuseInStep('dispose');
  world.core.table.replaceBodies([]);
  world.core.setActors([]);
  world.forceFields = [];
  world.picks = [];
  world.core.memory.forget();
  world.kernels.threads.dispose();
  world.core.disposed = true;
}
