import type { World } from '../world.js';

/** Start of a step: clamps whose time is over let go, the others set the velocity of what they hold. */
export function drive(world: World): void {
  const s = world.state.views;
  let released = false;
  for (const clamp of world.clamps) {
    if (!clamp.active || !clamp.expired(world.time)) continue;
    clamp.active = false;
    if (!clamp.release) continue;
    clamp.letGo(s);
    released = true;
    world.emit({ type: 'release', clamp, time: world.time });
  }
  // A particle may be held by two clamps: those still active take theirs again.
  if (released) for (const clamp of world.clamps) if (clamp.active) clamp.hold(s);
  for (const clamp of world.clamps)
    if (clamp.active && clamp.drive === 'position') clamp.steer(s, world.time + world.dt, world.dt);
}
