import type { Body } from '../body/body.js';
import { multiplyInto } from '../math/mat3.js';
import { ticks } from '../math/ticks.js';
import type { Views } from '../state/layout.js';

/** Seconds between updates. The flow of a body within this time moves nothing across a cluster. */
const EVERY = 8 / 60;

/**
 * Updates `stretchFromRest` = S^e F^p fromRest of each cluster of a body that has flowed: the directions of the rest shape as they lie now,
 * up to a rotation. Self-contact is searched where clusters have come nearer than this predicts. Without it, all clusters of a beam pressed
 * to a quarter of its length count as nearer than built (12 ms a step, of which the search took 10).
 */
export function updateFlowedRest(
  s: Views,
  { core: { history, yields, breaks }, rows }: Body,
  time: number,
  h: number,
): void {
  if (!history.flowed || ticks(time, EVERY) === ticks(time + h, EVERY)) return;
  const { plastic, elastic, fromRest, stretchFromRest } = s;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    const [o, e, to] = [9 * c, 6 * c, 12 * c];
    for (let k = 0; k < 9; k++) A[k] = plastic[o + k];
    if (!isBuilt(fromRest, o)) {
      for (let k = 0; k < 9; k++) K[k] = fromRest[o + k];
      multiplyInto(B, A, K);
      A.set(B);
    }
    if (yields || breaks) {
      E[0] = elastic[e];
      E[4] = elastic[e + 1];
      E[8] = elastic[e + 2];
      E[1] = E[3] = elastic[e + 3];
      E[2] = E[6] = elastic[e + 4];
      E[5] = E[7] = elastic[e + 5];
      multiplyInto(B, E, A);
      A.set(B);
    }
    for (let j = 0; j < 3; j++) for (let a = 0; a < 3; a++) stretchFromRest[to + 4 * j + a] = A[3 * j + a];
  }
}

/** Whether a cluster was built with its body: its `fromRest` is the identity. */
const isBuilt = (m: Float64Array, o: number) =>
  m[o] === 1 && m[o + 4] === 1 && m[o + 8] === 1 && m[o + 1] === 0 && m[o + 2] === 0 && m[o + 5] === 0;

const [K, A, B, E] = [1, 2, 3, 4].map(() => new Float64Array(9));
