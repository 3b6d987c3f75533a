import { cofactorsInto, determinant } from '../math/mat3.js';
import type { Views } from '../state/layout.js';

/**
 * Transforms to and from a cluster's rest space, after its proxy was placed: q = F⁻¹ (x − x̄). `proxyFrame` holds F⁻¹ by columns of four,
 * then x̄.
 */
const FRAME = 20;
const CENTRE = 12;

/** out := a world point in rest space. */
export function toRest(out: Float64Array, { proxyFrame }: Views, c: number, p: ArrayLike<number>): void {
  const f = FRAME * c;
  const x = p[0] - proxyFrame[f + CENTRE];
  const y = p[1] - proxyFrame[f + CENTRE + 1];
  const z = p[2] - proxyFrame[f + CENTRE + 2];
  for (let a = 0; a < 3; a++) out[a] = proxyFrame[f + a] * x + proxyFrame[f + 4 + a] * y + proxyFrame[f + 8 + a] * z;
}

/** out := a world direction in rest space. Its length changes with the stretch of the cluster. */
export function directionToRest(out: Float64Array, { proxyFrame }: Views, c: number, d: ArrayLike<number>): void {
  const f = FRAME * c;
  for (let a = 0; a < 3; a++)
    out[a] = proxyFrame[f + a] * d[0] + proxyFrame[f + 4 + a] * d[1] + proxyFrame[f + 8 + a] * d[2];
}

/**
 * out := world normal of a plane of rest space, F⁻ᵀ n normalized. Returns its length before: a rest height h over the plane is the world
 * distance h divided by that length.
 */
export function normalToWorld(out: Float64Array, { proxyFrame }: Views, c: number, n: ArrayLike<number>): number {
  const f = FRAME * c;
  for (let a = 0; a < 3; a++) {
    const o = f + 4 * a;
    out[a] = proxyFrame[o] * n[0] + proxyFrame[o + 1] * n[1] + proxyFrame[o + 2] * n[2];
  }
  const length = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  for (let a = 0; a < 3; a++) out[a] /= length;
  return length;
}

const G = new Float64Array(9);
const cofactors = new Float64Array(9);

/** out := a point of rest space in the world, x̄ + F q. */
export function toWorld(out: Float64Array, { proxyFrame }: Views, c: number, q: ArrayLike<number>): void {
  const f = FRAME * c;
  for (let j = 0; j < 3; j++) for (let a = 0; a < 3; a++) G[3 * j + a] = proxyFrame[f + 4 * j + a];
  cofactorsInto(cofactors, G);
  const det = determinant(G);
  // F = G⁻¹ = cof(G)ᵀ / det G.
  for (let a = 0; a < 3; a++) {
    const o = 3 * a;
    out[a] =
      proxyFrame[f + CENTRE + a] + (cofactors[o] * q[0] + cofactors[o + 1] * q[1] + cofactors[o + 2] * q[2]) / det;
  }
}
