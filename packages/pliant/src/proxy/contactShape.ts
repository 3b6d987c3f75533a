import type { ContactSettings } from '../contact/options.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { buildProxies } from './proxy.js';

/** A body's data for contact beside its rows in the state. Rebuilt when its clusters change. */
export interface ContactShape {
  readonly settings: ContactSettings;
  /** How far the body's surface extends beyond its particles (m). */
  readonly reach: number;
  /**
   * How far the boxes of its clusters, and the paths of its particles, are grown where they are tested against each other (m): `reach`. A proxy with the exits 'planes' takes in points, so a body that has these alone
   * is grown by its margin and by the faces of layers.
   */
  readonly pad: number;
  /** Whether all of its clusters have an implicit surface. Then slow inner particles of another body need not be tested against this one. */
  readonly knowsSurface: boolean;
}

export function buildContactShape(
  s: Views,
  rows: Rows,
  restPositions: Float64Array,
  radius: number,
  settings: ContactSettings,
  spacing: number,
): ContactShape {
  const faces = buildProxies(s, rows, radius, settings, spacing);
  let reach = faces;
  for (let i = rows.particleStart; i < rows.particleEnd; i++) reach = Math.max(reach, s.reach[i]);
  // Rounded to f32 as in the kernels, so that the boxes of both backends are the same to the bit.
  reach = Math.fround(reach + settings.margin);
  const pad = settings.exits === 'planes' ? Math.fround(faces + settings.margin) : reach;
  let knowsSurface = true;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    knowsSurface &&= s.surfaceParameters[2 * c] > 0;
    const i = s.memberParticle[s.memberStart[c]] - rows.particleStart;
    for (let a = 0; a < 3; a++) s.firstMemberRest[4 * c + a] = restPositions[3 * i + a];
  }
  return { settings, reach, pad, knowsSurface };
}
