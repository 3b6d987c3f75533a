import type { ContactSettings } from '../contact/options.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { buildProxies } from './proxy.js';

/** A body's data for contact beside its rows in the state. Rebuilt when its clusters change. */
export interface ContactShape {
  readonly settings: ContactSettings;
  /** How far the body's surface extends beyond its particles (m). */
  readonly pad: number;
  /** Whether all of its clusters have an implicit surface. Then slow inner particles of another body need not be tested against this one. */
  readonly knowsSurface: boolean;
}

/**
 * How far the boxes of a body's clusters are grown, and the paths of its particles where they are sought in each other (m). Proxies with the exits 'planes' take in points: how far a particle's surface reaches decides neither whether
 * it is in nor how deep. Layers, which have faces beyond their particles, are only made with a `fraction`. Other bodies are sought as far as `pad`: a large cluster's sphere keeps them off where none of its members is.
 */
export function boxPad({ settings: { exits, fraction, margin }, pad }: ContactShape): number {
  return exits === 'planes' && fraction === 0 ? Math.fround(margin) : pad;
}

/** How far the surface of a body lies beyond its boxes (m). */
export const beyondBoxes = (contact: ContactShape): number => contact.pad - boxPad(contact);

export function buildContactShape(
  s: Views,
  rows: Rows,
  restPositions: Float64Array,
  radius: number,
  settings: ContactSettings,
  spacing: number,
): ContactShape {
  let pad = buildProxies(s, rows, radius, settings, spacing);
  for (let i = rows.particleStart; i < rows.particleEnd; i++) pad = Math.max(pad, s.reach[i]);
  // Rounded to f32 as in the kernels, so that the boxes of both backends are the same to the bit.
  pad = Math.fround(pad + settings.margin);
  let knowsSurface = true;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    knowsSurface &&= s.surfaceParameters[2 * c] > 0;
    const i = s.memberParticle[s.memberStart[c]] - rows.particleStart;
    for (let a = 0; a < 3; a++) s.firstMemberRest[4 * c + a] = restPositions[3 * i + a];
  }
  return { settings, pad, knowsSurface: knowsSurface };
}
