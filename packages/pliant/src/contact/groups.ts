import type { Views } from '../state/layout.js';

/** Of each body: the one with the lowest number of all that touch each other, directly or by others; NONE where it touches nothing. */
export let groupOf = new Uint32Array(64);
export const NONE = 0xffffffff;

/** Finds them from the first `count` contacts of `touching`. */
export function groupBodies({ touching, bodyOf, owner, touchCluster }: Views, count: number, bodies: number): void {
  if (groupOf.length < bodies) groupOf = new Uint32Array(2 * bodies);
  groupOf.fill(NONE, 0, bodies);
  for (let k = 0; k < count; k++) {
    const i = touching[k];
    const [a, b] = [lowest(bodyOf[i]), lowest(owner[touchCluster[i]])];
    groupOf[Math.max(a, b)] = Math.min(a, b);
  }
  // Who a body points to has a lower number, and is done by then.
  for (let b = 0; b < bodies; b++) if (groupOf[b] !== NONE) groupOf[b] = groupOf[groupOf[b]];
}

/** The one that stands for all that b is known to touch; a body that is new stands for itself. */
function lowest(b: number): number {
  if (groupOf[b] === NONE) groupOf[b] = b;
  while (groupOf[b] !== b) b = groupOf[b] = groupOf[groupOf[b]];
  return b;
}
