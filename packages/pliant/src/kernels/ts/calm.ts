import { Row } from '../../state/fields.js';
import type { Views } from '../../state/layout.js';

/** Sums over the first members of clusters, at x, with X from `mean` at rest: out := Σ x, Σ x (X − mean)ᵀ by columns. */
export function sumFirsts(s: Views, out: Float64Array, start: number, end: number, mean: Float64Array): void {
  const { x, firstMemberRest: rest, memberParticle, memberStart } = s;
  out.fill(0, 0, 12);
  for (let c = start; c < end; c++) {
    const o = Row.x * memberParticle[memberStart[c]];
    for (let a = 0; a < 3; a++) {
      out[a] += x[o + a];
      for (let b = 0; b < 3; b++) out[3 + 3 * b + a] += x[o + a] * (rest[Row.firstMemberRest * c + b] - mean[b]);
    }
  }
}

/** Whether |x − x̄ − A (X − mean)|² is at most `farthest` for the first members of all clusters; false where it is not finite. */
export function areFirstsNear(
  s: Views,
  start: number,
  end: number,
  mean: Float64Array,
  centre: Float64Array,
  map: Float64Array,
  farthest: number,
): boolean {
  const { x, firstMemberRest: rest, memberParticle, memberStart } = s;
  for (let c = start; c < end; c++) {
    const o = Row.x * memberParticle[memberStart[c]];
    let off = 0;
    for (let a = 0; a < 3; a++) {
      let e = x[o + a] - centre[a];
      for (let b = 0; b < 3; b++) e -= map[3 * b + a] * (rest[Row.firstMemberRest * c + b] - mean[b]);
      off += e * e;
    }
    if (!(off <= farthest)) return false;
  }
  return true;
}
