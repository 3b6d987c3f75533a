import type { Domain } from './layout.js';

/** Where a body's rows lie. Particles, clusters and memberships of a body are each one contiguous run. */
export interface Rows {
  particleStart: number;
  particleEnd: number;
  clusterStart: number;
  clusterEnd: number;
  coarseStart: number;
  coarseEnd: number;
  tieStart: number;
  tieEnd: number;
  nodeStart: number;
  nodeEnd: number;
}

/** Rows that have moved down by `gap`. */
export function shiftRows(rows: Rows, gap: Record<Domain, number>): void {
  for (const domain of ['particle', 'cluster', 'coarse', 'tie', 'node'] as const) {
    rows[`${domain}Start`] -= gap[domain];
    rows[`${domain}End`] -= gap[domain];
  }
}
