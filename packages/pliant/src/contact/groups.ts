import type { Views } from '../state/layout.js';

export const NONE = 0xffffffff;

/**
 * Finds the groups of bodies from the first `count` contacts of `touching`. For each body: the one with the lowest number of all that touch each other, directly or by
 * others; NONE where it touches nothing. Returns `groupOf`, or a longer array in its place if there are more bodies.
 */
export function groupBodies(
  groupOf: Uint32Array,
  { touching, bodyOf, bodyOfCluster, touchCluster }: Views,
  count: number,
  bodies: number,
): Uint32Array {
  const group = groupOf.length < bodies ? new Uint32Array(2 * bodies) : groupOf;
  group.fill(NONE, 0, bodies);
  for (let k = 0; k < count; k++) {
    const i = touching[k];
    const [a, b] = [lowest(group, bodyOf[i]), lowest(group, bodyOfCluster[touchCluster[i]])];
    group[Math.max(a, b)] = Math.min(a, b);
  }
  // Who a body points to has a lower number, and is done by then.
  for (let b = 0; b < bodies; b++) if (group[b] !== NONE) group[b] = group[group[b]];
  return group;
}

/** The one that stands for all that b is known to touch; a body that is new stands for itself. */
function lowest(group: Uint32Array, b: number): number {
  if (group[b] === NONE) group[b] = b;
  while (group[b] !== b) b = group[b] = group[group[b]];
  return b;
}
