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
  buildProxies(s, rows, radius, settings, spacing);
  let pad = 0;
  for (let i = rows.particleStart; i < rows.particleEnd; i++) pad = Math.max(pad, s.reach[i]);
  pad += settings.margin;
  return { settings, overlap, pad, tree: new ClusterTree(restCentres(s, rows, restPositions)) };
}
