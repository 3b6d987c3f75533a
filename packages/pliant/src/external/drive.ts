import type { World } from '../world.js';
import type { Clamp } from './clamp.js';

/** Start of a step: clamps whose lifetime is over let go; the others set the velocity of their particles. */
export function drive(world: World): void {
  const s = world.state.views;
  for (const clamp of world.core.allClamps) {
    if (!clamp.active || !clamp.expired(world.time)) continue;
    clamp.active = false;
    if (!clamp.release) continue;
    clamp.wake();
    clamp.letGo(s);
    world.core.emit({ type: 'release', clamp, time: world.time });
  }
  for (const clamp of world.core.allClamps) {
    // Flags are set again in every step, because another clamp that held the same particle may have freed it, or the user may have unpinned
    // it.
    if (clamp.holding) clamp.hold(s);
    if (clamp.active && clamp.moves) clamp.wake();
    if (clamp.firm) steer(world, clamp);
  }
}

/**
 * Strain limiting moves the pinned particles of research scenes in every step. They are put back only after the clusters were fitted to the
 * moved positions: putting them back before would change the clusters' mean velocity.
 */
export function steerLoosely(world: World): void {
  for (const clamp of world.core.allClamps) if (!clamp.firm) steer(world, clamp);
}

/** Lets the picks act, after all other motion of the particles (external/pick.ts gives the reason). */
export function pull({ picks, state, h, maxSpeed }: World): void {
  for (const pick of picks) pick.pull(state.views, h, maxSpeed);
}

function steer(world: World, clamp: Clamp): void {
  if (clamp.active && clamp.drive === 'position')
    clamp.steer(world.state.views, world.time + world.h, world.h, world.core.substepsLeft);
}
