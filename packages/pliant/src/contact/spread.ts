import type { Body } from '../body/body.js';
import { multiplyInto } from '../math/mat3.js';
import type { Views } from '../state/layout.js';

/** Steps from one look to the next: what a body flows by in between moves nothing across a cluster. */
const EVERY = 4;

/**
 * How the rest shape lies around each cluster of a body that has flowed. Self-contact is looked for where clusters have come nearer than that: a
 * beam pressed to a quarter of its length has nothing but clusters nearer than they were built (12 ms a step, of which 10 were this).
 */
export function spreadFlow(s: Views, { hasFlowed, yields, breaks, rows }: Body, frame: number): void {
  if (!hasFlowed || frame % EVERY !== 0) return;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    P.set(s.plastic.subarray(9 * c, 9 * c + 9));
    K.set(s.fromRest.subarray(9 * c, 9 * c + 9));
    multiplyInto(A, P, K);
    let result = A;
    if (yields || breaks) {
      const o = 6 * c;
      E[0] = s.elastic[o];
      E[4] = s.elastic[o + 1];
      E[8] = s.elastic[o + 2];
      E[1] = E[3] = s.elastic[o + 3];
      E[2] = E[6] = s.elastic[o + 4];
      E[5] = E[7] = s.elastic[o + 5];
      multiplyInto(B, E, A);
      result = B;
    }
    for (let j = 0; j < 3; j++) for (let a = 0; a < 3; a++) s.spread[12 * c + 4 * j + a] = result[3 * j + a];
  }
}

const [P, K, A, B, E] = [1, 2, 3, 4, 5].map(() => new Float64Array(9));
