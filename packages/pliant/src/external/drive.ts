import type { World } from '../world.js';
import type { Clamp } from './clamp.js';

/** Start of a step: clamps whose time is over let go, the others set the velocity of what they hold. */
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
    // A particle may be held by two clamps, or unpinned by the user: who still holds it takes it again.
    if (clamp.holding) clamp.hold(s);
    if (clamp.active && clamp.moves) clamp.wake();
    if (clamp.firm) steer(world, clamp);
  }
  // Stretched between two hands, free to turn about the line between them, a block came to 6 m/s in 20 s by the torque of the other rotation.
  for (const body of world.bodies) body.core.history.setHeld(false);
  for (const pick of world.picks) pick.body.core.history.setHeld(true);
}

/**
 * Pins of research scenes are pulled off by strain limiting in every step and put back after the clusters were fitted to where
 * that left them: putting them back before would show up in the clusters' mean velocity.
 */
export function steerLoosely(world: World): void {
  for (const clamp of world.core.allClamps) if (!clamp.firm) steer(world, clamp);
}

/** After the particles have moved by all else: hands draw at theirs (external/pick.ts says why then). */
export function pull({ picks, state, h, maxSpeed }: World): void {
  for (const pick of picks) pick.pull(state.views, h, maxSpeed);
}

function steer(world: World, clamp: Clamp): void {
  if (clamp.active && clamp.drive === 'position')
    clamp.steer(world.state.views, world.time + world.h, world.h, world.core.substepsLeft);
}
