import type { Body } from '../body/body.js';
import { match } from '../match/match.js';
import type { World } from '../world.js';

/**
 * Wakes a sleeping body that contact touches, within a substep in which it was not matched. Its clusters are fitted now: those from before it fell asleep are not in a snapshot, and a restored
 * world would go on differently.
 */
export function wakeTouched(world: World, body: Body): void {
  body.wake();
  match(world, body);
}
