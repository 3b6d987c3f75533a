import type { Body } from '../body/body.js';
import type { Views } from '../state/layout.js';
import { reweigh } from '../topology/reweigh.js';

let scale = new Float64Array(0);

/** How far a cluster that is about to go stays in: it ends when nothing depends on it, and weighs 3e-4 of what it did. */
export const GONE = Math.fround(1e-2);

/** What share of its weight a cluster has, by how far it has come: smooth at both ends, so that forces are. */
export const share = (fade: number) => fade * fade * (3 - 2 * fade);

/** One step of coming and going (SPEC R1, R2). */
export function fade(s: Views, body: Body): void {
  const { rows, reclustering } = body;
  const count = rows.clusterEnd - rows.clusterStart;
  if (scale.length < count) scale = new Float64Array(2 * count);
  let [any, change] = [false, false];
  for (let n = 0; n < count; n++) {
    const c = rows.clusterStart + n;
    const was = s.fade[c];
    if (s.leaving[c]) s.fade[c] = Math.max(GONE, was - 1 / reclustering.fadeOut);
    else if (was < 1) s.fade[c] = Math.min(1, was + 1 / reclustering.fadeIn);
    scale[n] = share(s.fade[c]) / share(was);
    change ||= scale[n] !== 1;
    any ||= s.leaving[c] === 1 || s.fade[c] < 1;
  }
  if (change) reweigh(s, body, scale);
  body.fading = any;
}
