import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';
import type { ContactSettings } from './options.js';
import { buildOverlap, type Overlap } from './overlap.js';
import { buildProxies, restCentres } from './proxy.js';
import { ClusterTree } from './tree.js';

/** What a body brings to contact beside its rows in the state. Made anew when its clusters change. */
export interface ContactShape {
  readonly settings: ContactSettings;
  readonly overlap: Overlap;
  readonly tree: ClusterTree;
  /** Where the middle member of each cluster is at rest, three numbers a cluster. */
  readonly middles: Float64Array;
  /** How far beyond its particles the body reaches (m). */
  readonly pad: number;
}

export function buildContactShape(
  s: Views,
  rows: Rows,
  restPositions: Float64Array,
  radius: number,
  settings: ContactSettings,
  spacing: number,
): ContactShape {
  const overlap = buildOverlap(s, rows);
  let pad = buildProxies(s, rows, radius, settings, spacing);
  for (let i = rows.particleStart; i < rows.particleEnd; i++) pad = Math.max(pad, s.reach[i]);
  pad += settings.margin;
  const middles = new Float64Array(3 * (rows.clusterEnd - rows.clusterStart));
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    const i = s.memberParticle[s.memberStart[c]] - rows.particleStart;
    for (let a = 0; a < 3; a++) middles[3 * (c - rows.clusterStart) + a] = restPositions[3 * i + a];
  }
  return { settings, overlap, pad, middles, tree: new ClusterTree(restCentres(s, rows, restPositions)) };
}
