import type { Body } from '../body/body.js';
import { UNTOUCHED } from '../state/layout.js';
import type { World } from '../world.js';

/**
 * Contacts of rigid bodies that are about to come about. Contacts are sought where bodies would be at the end of the substep if nothing held them. Of two bricks that fall together none is then in
 * the other, though the lower one is about to be stopped; in the next substep the upper one has fallen into it. So the surfaces of rigid bodies reach farther while contacts are sought, by
 * `core.margin`. Contacts that come about only so have a depth of 0 or less: the sides may approach by that much.
 */

/** Largest margin, in spacings. The way out of a body is only known near its surface. */
const FARTHEST = 0.25;

let kept = new Float32Array(0);

const isRigid = (body: Body) => body.active && body.core.law?.rigid === true;

/** Lets the surfaces of rigid bodies reach farther, by as much as they would move in the substep. Returns whether there are any. */
export function widenReach({ bodies, state: { views: s } }: World): boolean {
  let some = false;
  for (const body of bodies) {
    const { core } = body;
    core.margin = 0;
    if (!isRigid(body)) continue;
    const { particleStart, particleEnd, clusterStart } = body.rows;
    if (kept.length < s.reach.length) kept = new Float32Array(s.reach.length);
    const margin = Math.min(core.contactState.stride, FARTHEST * s.proxySpacing[clusterStart]);
    core.margin = margin;
    for (let i = particleStart; i < particleEnd; i++) {
      kept[i] = s.reach[i];
      s.reach[i] = kept[i] + margin;
    }
    some = true;
  }
  return some;
}

/** Undoes `widenReach`, and takes the margin off the depths of the first `count` contacts. Drops those of other than rigid bodies that only the margin made. Returns how many are left. */
export function narrowReach({ bodies, state: { views: s } }: World, count: number): number {
  for (const body of bodies) {
    if (!isRigid(body)) continue;
    const { particleStart, particleEnd } = body.rows;
    for (let i = particleStart; i < particleEnd; i++) s.reach[i] = kept[i];
  }
  let left = 0;
  for (let k = 0; k < count; k++) {
    const i = s.touching[k];
    const { margin } = bodies[s.bodyOf[i]].core;
    s.touch[4 * i + 3] -= margin;
    if (margin === 0 || s.touch[4 * i + 3] > 0 || isRigid(bodies[s.bodyOfCluster[s.touchCluster[i]]]))
      s.touching[left++] = i;
    else s.touchCluster[i] = UNTOUCHED;
  }
  return left;
}
