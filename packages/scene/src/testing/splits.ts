import type { Vec3, WorldEvent } from 'pliant';

/** Positions of the splits of clusters. */
export const splitsIn = (events: readonly WorldEvent[]): Vec3[] =>
  events.flatMap((event) => (event.type === 'fracture' ? event.splits.map(({ position }) => position) : []));
