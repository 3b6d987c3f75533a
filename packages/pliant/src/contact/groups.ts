import type { Views } from '../state/layout.js';

export const NONE = 0xffffffff;

/**
 * Finds groups of bodies that touch each other, directly or through others, by the first `count` contacts of `touching`. The entry of a
 * body is the lowest body number of its group, or NONE if the body touches nothing. Returns `groupOf`, or a longer array in its place if
 * there are more bodies.
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
  // A body points to a lower number, whose entry is final by then.
  for (let b = 0; b < bodies; b++) if (group[b] !== NONE) group[b] = group[group[b]];
  return group;
}

/** Root of the group of body b so far (union-find with path halving). A body without a group becomes its own root. */
function lowest(group: Uint32Array, b: number): number {
  if (group[b] === NONE) group[b] = b;
  while (group[b] !== b) b = group[b] = group[group[b]];
  return b;
}
