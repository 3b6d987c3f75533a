import type { Body } from '../body/body.js';
import { ball, buildGrid, found } from '../cluster/grid.js';
import { invertInto, multiplyInto } from '../math/mat3.js';
import type { Views } from '../state/layout.js';
import type { RestAt } from './cutMesh.js';
import { deformationOf } from './faces.js';

/**
 * Where points within a body are at rest: each particle around says X_i + Σ_c w_ic (F_c G_c)⁻¹ (x − x_i), G_c being `fromRest`, and those near count
 * more, by the kernel (1 − d²/r²)².
 */
export function restAtOf(s: Views, { rows, builtPositions, spacing }: Body, positions: Float64Array): RestAt {
  const inverses = new Map<number, Float64Array>();
  const inverseOf = (c: number) => {
    let inverse = inverses.get(c);
    if (!inverse) {
      inverse = new Float64Array(9);
      multiplyInto(product, deformationOf(s, c), s.fromRest.subarray(9 * c, 9 * c + 9));
      invertInto(inverse, product);
      inverses.set(c, inverse);
    }
    return inverse;
  };
  /** Σ_c w_ic (F_c G_c)⁻¹ of the particles that were asked. */
  const gradients = new Float64Array(3 * positions.length);
  const isKnown = new Uint8Array(positions.length / 3);
  const learn = (i: number) => {
    isKnown[i] = 1;
    const n = s.rank[rows.particleStart + i];
    for (let l = s.linkStart[n]; l < s.linkStart[n + 1]; l++) {
      const M = inverseOf(s.linkCluster[l]);
      for (let a = 0; a < 9; a++) gradients[9 * i + a] += s.link[4 * l + 3] * M[a];
    }
  };
  const grid = buildGrid(positions, 2 * (spacing ?? 0));
  const near = found(64);
  return (out, x, y, z) => {
    let radius = REACH * grid.size;
    let count = 0;
    while ((count = ball(grid, x, y, z, radius, near, 0)) === 0) radius *= 1.5;
    out.fill(0);
    let total = 0;
    for (let n = 0; n < count; n++) {
      const i = grid.order[near.index[n]];
      const kernel = Math.max(1e-6, 1 - near.distance2[n] / (radius * radius)) ** 2;
      total += kernel;
      if (!isKnown[i]) learn(i);
      const dx = x - positions[3 * i];
      const dy = y - positions[3 * i + 1];
      const dz = z - positions[3 * i + 2];
      const at = 3 * s.ancestor[rows.particleStart + i];
      const m = 9 * i;
      for (let a = 0; a < 3; a++)
        out[a] +=
          kernel *
          (builtPositions[at + a] + gradients[m + a] * dx + gradients[m + 3 + a] * dy + gradients[m + 6 + a] * dz);
    }
    for (let a = 0; a < 3; a++) out[a] /= total;
  };
}
/** Radius within which particles are asked, in cells of two spacings: some ten are. */
const REACH = 0.7;
const product = new Float64Array(9);
