import type { Body } from '../body/body.js';
import { FAINT, fadeWeight } from '../state/fade.js';
import type { Views } from '../state/layout.js';
import { reweigh } from '../topology/reweigh.js';

let scale = new Float64Array(0);

/** Advances the fade of a body's clusters by a step of dt seconds, and their weights with it (SPEC R1, R2). */
export function fade(s: Views, body: Body, dt: number): void {
  const { rows, reclustering } = body;
  const count = rows.clusterEnd - rows.clusterStart;
  if (scale.length < count) scale = new Float64Array(2 * count);
  const { fade: faded, leaving } = s;
  const [out, into] = [dt / reclustering.fadeOut, dt / reclustering.fadeIn];
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
    scale[n] = fadeWeight(faded[c]) / fadeWeight(was);
    if (scale[n] !== 1) change = true;
  }
  if (change) reweigh(s, body, scale);
  body.core.history.setFading(any);
}
