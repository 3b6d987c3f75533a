import type { Domain } from './layout.js';

/** The rows of a body. Its particles, clusters, coarse clusters, ties and nodes are each one contiguous run. */
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

/** Subtracts `gap` from the rows of a body. */
export function shiftRows(rows: Rows, gap: Record<Domain, number>): void {
  for (const domain of ['particle', 'cluster', 'coarse', 'tie', 'node'] as const) {
    rows[`${domain}Start`] -= gap[domain];
    rows[`${domain}End`] -= gap[domain];
  }
}
