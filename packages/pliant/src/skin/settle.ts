import { invertInto, multiplyInto, transposeInto } from '../math/mat3.js';
import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';
import { type Binding, restDirections } from './bind.js';
import type { Knots } from './knots.js';
import { rotationInto } from './place.js';

/**
 * Moves vertices of the rest mesh so that their knots are at `wanted` (x y z a vertex) as the clusters are now, and the binding with them: places are
 * linear in rest places, x(X + d) = x(X) + J d with J = Σ_c W F_c G_c, G_c being `fromRest`. Where clusters are crushed J is next to
 * singular: those that would have to move several times as far as they are to come only do so a little, and the rest of the way is an offset beside it.
 * (Should a crushed splinter get its shape back, they would fly off.) `size` is the body's.
 */
export function settleVertices(
  s: Views,
  rows: Rows,
  binding: Binding,
  knots: Knots,
  places: Float32Array,
  wanted: Float64Array,
  rest: Float64Array,
  size: number,
): void {
  const settler = new Settler(binding, restDirections(s, rows), rest);
  const { vertex } = knots;
  for (let n = 0; n < vertex.length; n++) {
    const v = 3 * vertex[n];
    // Inner faces of what has come apart follow by themselves.
    if (v >= wanted.length) continue;
    const x = wanted[v] - places[3 * n];
    const y = wanted[v + 1] - places[3 * n + 1];
    const z = wanted[v + 2] - places[3 * n + 2];
    if (x * x + y * y + z * z < SETTLED * size * size) continue;
    way[0] = x;
    way[1] = y;
    way[2] = z;
    settler.move(n, v);
  }
}

class Settler {
  /** F_c G_c of the clusters that carry anything. */
  private readonly products: Float64Array;

  constructor(
    private readonly binding: Binding,
    private readonly fromRest: Float64Array,
    private readonly rest: Float64Array,
  ) {
    this.products = new Float64Array(fromRest.length);
    for (const c of binding.carriers) {
      for (let a = 0; a < 9; a++) {
        F[a] = binding.frames.frames[12 * c + a];
        G[a] = fromRest[9 * c + a];
      }
      multiplyInto(product, F, G);
      this.products.set(product, 9 * c);
    }
  }

  /** Moves vertex v, place in the rest positions, so that its knot n goes its `way`. */
  move(n: number, v: number): void {
    const { fromRest, rest } = this;
    const x = way[0];
    const y = way[1];
    const z = way[2];
    const { start, cluster, at, carried } = this.binding;
    this.sumJ(n);
    solve();
    const far = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const isCrushed = !(far < CRUSHED * CRUSHED * (x * x + y * y + z * z));
    if (isCrushed) dampen();
    const dx = d[0];
    const dy = d[1];
    const dz = d[2];
    rest[v] += dx;
    rest[v + 1] += dy;
    rest[v + 2] += dz;
    for (let k = start[n]; k < start[n + 1]; k++) {
      const g = 9 * cluster[k];
      const e = 4 * at[k];
      const w = carried[e + 3];
      carried[e] += w * (fromRest[g] * dx + fromRest[g + 3] * dy + fromRest[g + 6] * dz);
      carried[e + 1] += w * (fromRest[g + 1] * dx + fromRest[g + 4] * dy + fromRest[g + 7] * dz);
      carried[e + 2] += w * (fromRest[g + 2] * dx + fromRest[g + 5] * dy + fromRest[g + 8] * dz);
    }
    if (!isCrushed) return;
    for (let a = 0; a < 3; a++) left[a] = way[a] - J[a] * d[0] - J[3 + a] * d[1] - J[6 + a] * d[2];
    this.leave(n);
  }

  /** J = Σ_c W F_c G_c of a knot. */
  private sumJ(n: number): void {
    const { products } = this;
    const { start, cluster, at, carried } = this.binding;
    let xx = 0;
    let yx = 0;
    let zx = 0;
    let xy = 0;
    let yy = 0;
    let zy = 0;
    let xz = 0;
    let yz = 0;
    let zz = 0;
    const last = start[n + 1];
    for (let k = start[n]; k < last; k++) {
      const f = 9 * cluster[k];
      const w = carried[4 * at[k] + 3];
      xx += w * products[f];
      yx += w * products[f + 1];
      zx += w * products[f + 2];
      xy += w * products[f + 3];
      yy += w * products[f + 4];
      zy += w * products[f + 5];
      xz += w * products[f + 6];
      yz += w * products[f + 7];
      zz += w * products[f + 8];
    }
    J[0] = xx;
    J[1] = yx;
    J[2] = zx;
    J[3] = xy;
    J[4] = yy;
    J[5] = zy;
    J[6] = xz;
    J[7] = yz;
    J[8] = zz;
  }

  /** What is left of the way is an offset in the rotation of the cluster that has most of the knot, until the binding is made anew. */
  private leave(n: number): void {
    const { frames, start, cluster, at, carried, strays } = this.binding;
    let most = start[n];
    for (let k = most + 1; k < start[n + 1]; k++) if (carried[4 * at[k] + 3] > carried[4 * at[most] + 3]) most = k;
    rotationInto(R, frames.frames, cluster[most]);
    strays.into.push(3 * n);
    strays.cluster.push(cluster[most]);
    for (let a = 0; a < 9; a += 3) strays.offset.push(R[a] * left[0] + R[a + 1] * left[1] + R[a + 2] * left[2]);
  }
}
const left = new Float64Array(3);
/** What a knot is to be moved by (m): numbers that are handed over have to be put somewhere too. */
const way = new Float64Array(3);

/** J d = way, by Cramer's rule. */
function solve(): void {
  const x = way[0];
  const y = way[1];
  const z = way[2];
  // Cross products of the columns.
  const px = J[4] * J[8] - J[5] * J[7];
  const py = J[5] * J[6] - J[3] * J[8];
  const pz = J[3] * J[7] - J[4] * J[6];
  const qx = J[7] * J[2] - J[8] * J[1];
  const qy = J[8] * J[0] - J[6] * J[2];
  const qz = J[6] * J[1] - J[7] * J[0];
  const rx = J[1] * J[5] - J[2] * J[4];
  const ry = J[2] * J[3] - J[0] * J[5];
  const rz = J[0] * J[4] - J[1] * J[3];
  const scale = 1 / (J[0] * px + J[1] * py + J[2] * pz);
  d[0] = scale * (px * x + py * y + pz * z);
  d[1] = scale * (qx * x + qy * y + qz * z);
  d[2] = scale * (rx * x + ry * y + rz * z);
}

/** d = Jᵀ (J Jᵀ + λ)⁻¹ x: nothing along directions in which all is crushed. */
function dampen(): void {
  transposeInto(F, J);
  multiplyInto(product, J, F);
  for (let k = 0; k < 9; k += 4) product[k] += DAMPING;
  invertInto(inverse, product);
  multiplyInto(product, F, inverse);
  for (let a = 0; a < 3; a++) d[a] = product[a] * way[0] + product[3 + a] * way[1] + product[6 + a] * way[2];
}
/** How many times the way that a knot is to come its vertex may go. */
const CRUSHED = 4;
/** Squared stretch that counts half: vertices go no farther than their knots are to come. */
const DAMPING = 0.25;
const J = new Float64Array(9);
const F = new Float64Array(9);
const G = new Float64Array(9);
const R = new Float64Array(9);
const product = new Float64Array(9);
const inverse = new Float64Array(9);
const d = new Float64Array(3);
/** Squared share of the body's size that is not worth it: rounding. */
const SETTLED = 1e-14;
