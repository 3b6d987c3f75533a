import { PRODUCTS, productsInto } from '../state/bend.js';
import { FIELDS, Row } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import { Soft } from '../state/soft.js';
import type { Binding } from './bind.js';

// Scratch of one cluster: products of an offset, what no linear map explains of them, A_xb and B (3×6 by columns).
const q = new Float64Array(PRODUCTS);
const b = new Float64Array(PRODUCTS);
const X = new Float64Array(3 * PRODUCTS);
const B = new Float64Array(3 * PRODUCTS);
const { BY_X, BY_Y, BY_Z } = FIELDS.bendRest;

/**
 * Adds the bend of clusters with quadratic goals to the places of their knots: W B b(p), where B = A_xb A_bb⁻¹ is fitted to the present positions as the goals are
 * (kernels/ts/soften.ts). Without it a skin stays straight while its particles hang. Allocates nothing.
 */
export function addBend(
  places: Float64Array,
  s: Views,
  firstRow: number,
  { bindingClusters, first, entries, into }: Binding,
): void {
  for (let n = 0; n < bindingClusters.length; n++) {
    const c = bindingClusters[n];
    const row = firstRow + c;
    if (s.softness[Row.softness * row + Soft.ORDER] !== 2) continue;
    fitBend(s, row);
    for (let k = first[c]; k < first[c + 1]; k++) {
      const w = entries[4 * k + 3];
      if (!(w > 0)) continue;
      bendOf(s, row, entries[4 * k] / w, entries[4 * k + 1] / w, entries[4 * k + 2] / w);
      for (let j = 0; j < PRODUCTS; j++) for (let a = 0; a < 3; a++) places[into[k] + a] += w * B[3 * j + a] * b[j];
    }
  }
}

/** b := q(p) − q̄ − L p of an offset p in a cluster (state/bend.ts). */
function bendOf({ bendRest, restShift }: Views, row: number, px: number, py: number, pz: number): void {
  productsInto(q, axes, px, py, pz);
  const o = Row.bendRest * row;
  const t = Row.restShift * row;
  for (let j = 0; j < PRODUCTS; j++)
    b[j] =
      q[j] -
      bendRest[o + j] -
      bendRest[o + BY_X + j] * (px - restShift[t]) -
      bendRest[o + BY_Y + j] * (py - restShift[t + 1]) -
      bendRest[o + BY_Z + j] * (pz - restShift[t + 2]);
}

/** B of a cluster. Σ m w b = 0, so that positions may be relative to any point: here the first member. */
function fitBend(s: Views, row: number): void {
  const { x, member, memberParticle, memberStart, bendInverse, bendAxes } = s;
  for (let k = 0; k < axes.length; k++) axes[k] = bendAxes[Row.bendAxes * row + k];
  const start = memberStart[row];
  const origin = Row.x * memberParticle[start];
  X.fill(0);
  for (let k = start; k < memberStart[row + 1]; k++) {
    const m = Row.member * k;
    const i = Row.x * memberParticle[k];
    bendOf(s, row, member[m], member[m + 1], member[m + 2]);
    for (let j = 0; j < PRODUCTS; j++)
      for (let a = 0; a < 3; a++) X[3 * j + a] += member[m + FIELDS.member.MASS] * b[j] * (x[i + a] - x[origin + a]);
  }
  const o = Row.bendInverse * row;
  for (let j = 0; j < PRODUCTS; j++)
    for (let a = 0; a < 3; a++) {
      let sum = 0;
      for (let l = 0; l < PRODUCTS; l++) sum += X[3 * l + a] * bendInverse[o + FIELDS.bendInverse.COLUMN * j + l];
      B[3 * j + a] = sum;
    }
}
/** Axes of the cluster at hand. */
const axes = new Float32Array(Row.bendAxes);
