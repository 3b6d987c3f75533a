/**
 * Least value of `fade`: that of a new cluster, and of a leaving one before it is removed. At this value a cluster has
 * 3e-4 of its full weight.
 */
export const FAINT = Math.fround(1e-2);

/** Share of its full weight that a cluster has at a value of `fade`. Its slope is 0 at both ends, so that forces have no jump. */
export const fadeWeight = (fade: number) => fade * fade * (3 - 2 * fade);
