import type { Body } from '../body/body.js';
import { Flag } from '../state/flags.js';
import { UNTOUCHED } from '../state/layout.js';
import type { World } from '../world.js';
import { addTouch, type ContactPair, pairOf } from './report.js';

/**
 * The papers' response ([J15] 17), for bodies that both ask for it: the particle moves out by γ times its depth, the other side does
 * not, and no velocity changes. Momentum is not kept and nothing comes to rest on anything; research scenes need it to follow
 * their program. What is pinned or asleep stays where it is. Takes these contacts out of `touching` and returns how many others there
 * are.
 */
export function displace(world: World, count: number): number {
  const { bodies, state } = world;
  if (!bodies.some(({ contact }) => contact.settings.response === 'positions')) return count;
  const { x, flags, touch, touching, touchCluster, owner, bodyOf } = state.views;
  let left = 0;
  // What two bodies say about their contacts, which mostly follow each other.
  let [mine, other, gamma] = [-1, -1, ELSEWHERE];
  let pair: ContactPair | undefined;
  for (let k = 0; k < count; k++) {
    const i = touching[k];
    const owned = owner[touchCluster[i]];
    if (bodyOf[i] !== mine || owned !== other) {
      mine = bodyOf[i];
      other = owned;
      gamma = gammaOf(bodies[mine], bodies[other]);
      if (gamma !== ELSEWHERE) pair = mine === other ? undefined : pairOf(world, mine, other);
    }
    if (gamma === ELSEWHERE) {
      touching[left++] = i;
      continue;
    }
    const way = flags[i] & (Flag.FIRM | Flag.ASLEEP) ? 0 : gamma * touch[4 * i + 3];
    x[4 * i] += way * touch[4 * i];
    x[4 * i + 1] += way * touch[4 * i + 1];
    x[4 * i + 2] += way * touch[4 * i + 2];
    if (pair) addTouch(pair, state.views, i, mine < other);
    touchCluster[i] = UNTOUCHED;
  }
  return left;
}

/** In place of a γ: these two bodies respond otherwise. */
const ELSEWHERE = -1;

function gammaOf({ contact: { settings: a } }: Body, { contact: { settings: b } }: Body): number {
  return a.response === 'positions' && b.response === 'positions' ? Math.min(a.gamma, b.gamma) : ELSEWHERE;
}
