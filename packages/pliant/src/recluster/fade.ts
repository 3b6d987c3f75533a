import type { Body } from '../body/body.js';
import type { Views } from '../state/layout.js';
import { reweigh } from '../topology/reweigh.js';

let scale = new Float64Array(0);

/** How far a cluster is in at least, when it comes and before it goes: it weighs 3e-4 of what it does in between. */
export const FAINT = Math.fround(1e-2);

/** What share of its weight a cluster has, by how far it has come: smooth at both ends, so that forces are. */
export const share = (fade: number) => fade * fade * (3 - 2 * fade);

/** One step of coming and going (SPEC R1, R2). */
export function fade(s: Views, body: Body): void {
  const { rows, reclustering } = body;
  const count = rows.clusterEnd - rows.clusterStart;
  if (scale.length < count) scale = new Float64Array(2 * count);
  const { fade: faded, leaving } = s;
  const [out, into] = [1 / reclustering.fadeOut, 1 / reclustering.fadeIn];
  let any = false;
  let change = false;
  for (let n = 0; n < count; n++) {
    const c = rows.clusterStart + n;
    const was = faded[c];
    scale[n] = 1;
    if (leaving[c] === 0 && was === 1) continue;
    any = true;
    const now = leaving[c] ? Math.max(FAINT, was - out) : Math.min(1, was + into);
    faded[c] = now;
    scale[n] = share(faded[c]) / share(was);
    if (scale[n] !== 1) change = true;
  }
  if (change) reweigh(s, body, scale);
  body.fading = any;
}
