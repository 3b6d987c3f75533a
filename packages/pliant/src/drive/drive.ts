import type { World } from '../world.js';
import type { Clamp } from './clamp.js';

/** Start of a step: clamps whose time is over let go, the others set the velocity of what they hold. */
export function drive(world: World): void {
  const s = world.state.views;
  for (const clamp of world.clamps) {
    if (!clamp.active || !clamp.expired(world.time)) continue;
    clamp.active = false;
    if (!clamp.release) continue;
    clamp.letGo(s);
    world.emit({ type: 'release', clamp, time: world.time });
  }
  for (const clamp of world.clamps) {
    // A particle may be held by two clamps, or unpinned by the user: who still holds it takes it again.
    if (clamp.holding) clamp.hold(s);
    if (clamp.firm) steer(world, clamp);
  }
}

/**
 * Pins of research scenes are pulled off by strain limiting in every step and put back after the clusters were fitted to where
 * that left them: putting them back before would show up in the clusters' mean velocity.
 */
export function steerLoosely(world: World): void {
  for (const clamp of world.clamps) if (!clamp.firm) steer(world, clamp);
}

function steer(world: World, clamp: Clamp): void {
  if (clamp.active && clamp.drive === 'position') clamp.steer(world.state.views, world.time + world.dt, world.dt);
}
