import { Flag } from '../state/flags.js';
import { UNTOUCHED } from '../state/layout.js';
import type { World } from '../world.js';
import { touchPair } from './report.js';

/**
 * The papers' response ([J15] 17), for bodies that both ask for it: the particle moves out by γ times its depth, the other side does
 * not, and no velocity changes. Momentum is not kept and nothing comes to rest on anything; research scenes need it to follow
 * their program. What is pinned or asleep stays where it is. Takes these contacts out of `touching` and returns how many others there
 * are.
 */
export function displace(world: World, count: number): number {
  const { bodies, state } = world;
  if (!bodies.some(({ contact }) => contact.settings.response === 'positions')) return count;
  const { x, flags, touch, touching, touchCluster, owner } = state.views;
  let left = 0;
  for (let k = 0; k < count; k++) {
    const i = touching[k];
    const [mine, other] = [state.views.bodyOf[i], owner[touchCluster[i]]];
    const [a, b] = [bodies[mine].contact.settings, bodies[other].contact.settings];
    if (a.response !== 'positions' || b.response !== 'positions') {
      touching[left++] = i;
      continue;
    }
    const stays = flags[i] & (Flag.FIRM | Flag.ASLEEP);
    const way = stays ? 0 : Math.min(a.gamma, b.gamma) * touch[4 * i + 3];
    for (let axis = 0; axis < 3; axis++) x[4 * i + axis] += way * touch[4 * i + axis];
    if (mine !== other) touchPair(world, i, mine, other);
    touchCluster[i] = UNTOUCHED;
  }
  return left;
}
