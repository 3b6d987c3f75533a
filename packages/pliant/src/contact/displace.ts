import type { Body } from '../body/body.js';
import { Flag } from '../state/flags.js';
import { UNTOUCHED, type Views } from '../state/layout.js';
import type { World } from '../world.js';
import { addTouches, pairOf } from './report.js';

/**
 * The papers' response ([J15] 17), for bodies that both ask for it: the particle moves out by γ times its depth, the other side does
 * not, and no velocity changes. Momentum is not kept and nothing comes to rest on anything; research scenes need it to follow
 * their program. What is pinned or asleep stays where it is. Takes these contacts out of `touching` and returns how many others there
 * are.
 */
export function displace(world: World, count: number): number {
  const { bodies, state } = world;
  if (!bodies.some(({ contact }) => contact.settings.response === 'positions')) return count;
  const { touching, touchCluster, owner, bodyOf } = state.views;
  let left = 0;
  for (let k = 0; k < count; ) {
    // Contacts of two bodies mostly follow each other.
    const from = k;
    const mine = bodyOf[touching[k]];
    const other = owner[touchCluster[touching[k]]];
    while (k < count && bodyOf[touching[k]] === mine && owner[touchCluster[touching[k]]] === other) k++;
    const gamma = gammaOf(bodies[mine], bodies[other]);
    if (gamma === ELSEWHERE) {
      touching.copyWithin(left, from, k);
      left += k - from;
      continue;
    }
    moveOut(state.views, from, k, gamma);
    if (mine !== other) addTouches(pairOf(world, mine, other), k - from, sums, mine < other);
  }
  return left;
}

/** Of the contacts moved last: the sum of their places, and of their normals. */
const sums = new Float64Array(6);

function moveOut({ x, flags, touch, touching, touchCluster }: Views, from: number, to: number, gamma: number): void {
  let [px, py, pz, nx, ny, nz] = [0, 0, 0, 0, 0, 0];
  for (let k = from; k < to; k++) {
    const i = touching[k];
    const o = 4 * i;
    const way = flags[i] & (Flag.FIRM | Flag.ASLEEP) ? 0 : gamma * touch[o + 3];
    x[o] += way * touch[o];
    x[o + 1] += way * touch[o + 1];
    x[o + 2] += way * touch[o + 2];
    px += x[o];
    py += x[o + 1];
    pz += x[o + 2];
    nx += touch[o];
    ny += touch[o + 1];
    nz += touch[o + 2];
    touchCluster[i] = UNTOUCHED;
  }
  sums[0] = px;
  sums[1] = py;
  sums[2] = pz;
  sums[3] = nx;
  sums[4] = ny;
  sums[5] = nz;
}

/** In place of a γ: these two bodies respond otherwise. */
const ELSEWHERE = -1;

function gammaOf({ contact: { settings: a } }: Body, { contact: { settings: b } }: Body): number {
  return a.response === 'positions' && b.response === 'positions' ? Math.min(a.gamma, b.gamma) : ELSEWHERE;
}
