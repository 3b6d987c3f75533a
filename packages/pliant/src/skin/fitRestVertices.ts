import { invertInto, multiplyInto, transposeInto } from '../math/mat3.js';
import { Scratch } from '../scratch.js';
import type { Strays, Wanted } from './bind.js';
import type { Knots } from './knots.js';
import type { KnotWeights } from './knotWeights.js';
import { rotationInto } from './place.js';

/**
 * Moves vertices of the rest mesh so that their knots have the wanted positions with the present frames. Positions are
 * linear in rest positions: x(X) = b + J X with J = Σ_c W F_c G_c and b = Σ_c W (F_c o_c + x̄_c), where G_c is
 * `fromRest`.
 *
 * Where clusters are crushed, J is nearly singular. A vertex that would have to move several times as far as its knot
 * moves only a little, and the remaining offset is left to `strays`. Otherwise, should a crushed splinter regain its
 * shape, such vertices would fly off. The frames must be fitted.
 */
export function fitRestVertices(
  strays: Strays,
  frames: Float64Array,
  bindingClusters: Uint32Array,
  shares: KnotWeights,
  { vertex }: Knots,
  { now, size }: Wanted,
  rest: Float64Array,
): void {
  const fitter = new RestVertexFitter(frames, bindingClusters, shares, strays);
  const least = CONVERGED * size * size;
  for (let n = 0; n < vertex.length; n++) {
    const v = 3 * vertex[n];
    // Vertices of inner faces have no wanted position.
    if (v < now.length) fitter.fit(n, v, now, rest, least);
  }
}

class RestVertexFitter {
  /** Per cluster F_c G_c. */
  private readonly products: Float64Array;
  /**
   * F_c o + x̄_c of each cluster or of each entry, as `origin`; relative to the first binding cluster, as in
   * placeKnots.
   */
  private readonly starts: Float64Array;
  private readonly ox: number;
  private readonly oy: number;
  private readonly oz: number;

  constructor(
    private readonly frames: Float64Array,
    bindingClusters: Uint32Array,
    private readonly shares: KnotWeights,
    private readonly strays: Strays,
  ) {
    const { fromRest, origin, cluster, isEven } = shares;
    this.ox = frames[12 * bindingClusters[0] + 9];
    this.oy = frames[12 * bindingClusters[0] + 10];
    this.oz = frames[12 * bindingClusters[0] + 11];
    this.products = new Float64Array(fromRest.length);
    for (const c of bindingClusters) {
      for (let a = 0; a < 9; a++) {
        F[a] = frames[12 * c + a];
        G[a] = fromRest[9 * c + a];
      }
      multiplyInto(product, F, G);
      this.products.set(product, 9 * c);
    }
    this.starts = startRoom.take(origin.length);
    if (isEven) for (const c of bindingClusters) this.start(c, c);
    else for (let k = 0; k < cluster.length; k++) this.start(k, cluster[k]);
  }

  /** Position of the origin of the rest shape by cluster c, with the origin of index n. */
  private start(n: number, c: number): void {
    const { frames: f, starts, ox, oy, oz } = this;
    const { origin } = this.shares;
    const x = origin[3 * n];
    const y = origin[3 * n + 1];
    const z = origin[3 * n + 2];
    const o = 12 * c;
    starts[3 * n] = f[o] * x + f[o + 3] * y + f[o + 6] * z + f[o + 9] - ox;
    starts[3 * n + 1] = f[o + 1] * x + f[o + 4] * y + f[o + 7] * z + f[o + 10] - oy;
    starts[3 * n + 2] = f[o + 2] * x + f[o + 5] * y + f[o + 8] * z + f[o + 11] - oz;
  }

  /** Moves the vertex of knot n, at index v of the positions, unless its squared error is below `least`. */
  fit(n: number, v: number, now: Float64Array, rest: Float64Array, least: number): void {
    this.sumUp(n);
    const x = now[v] - this.ox - b[0] - J[0] * rest[v] - J[3] * rest[v + 1] - J[6] * rest[v + 2];
    const y = now[v + 1] - this.oy - b[1] - J[1] * rest[v] - J[4] * rest[v + 1] - J[7] * rest[v + 2];
    const z = now[v + 2] - this.oz - b[2] - J[2] * rest[v] - J[5] * rest[v + 1] - J[8] * rest[v + 2];
    const far = x * x + y * y + z * z;
    if (far < least) return;
    way[0] = x;
    way[1] = y;
    way[2] = z;
    solve();
    const isCrushed = !(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < CRUSHED * CRUSHED * far);
    if (isCrushed) dampen();
    rest[v] += d[0];
    rest[v + 1] += d[1];
    rest[v + 2] += d[2];
    if (!isCrushed) return;
    for (let a = 0; a < 3; a++) left[a] = way[a] - J[a] * d[0] - J[3 + a] * d[1] - J[6 + a] * d[2];
    this.leave(n);
  }

  /** J and b of a knot. */
  private sumUp(n: number): void {
    const { products, starts } = this;
    const { start, cluster, share, isEven } = this.shares;
    let xx = 0;
    let yx = 0;
    let zx = 0;
    let xy = 0;
    let yy = 0;
    let zy = 0;
    let xz = 0;
    let yz = 0;
    let zz = 0;
    let x = 0;
    let y = 0;
    let z = 0;
    const last = start[n + 1];
    for (let k = start[n]; k < last; k++) {
      const c = cluster[k];
      const f = 9 * c;
      const o = isEven ? 3 * c : 3 * k;
      const w = share[k];
      xx += w * products[f];
      yx += w * products[f + 1];
      zx += w * products[f + 2];
      xy += w * products[f + 3];
      yy += w * products[f + 4];
      zy += w * products[f + 5];
      xz += w * products[f + 6];
      yz += w * products[f + 7];
      zz += w * products[f + 8];
      x += w * starts[o];
      y += w * starts[o + 1];
      z += w * starts[o + 2];
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
    b[0] = x;
    b[1] = y;
    b[2] = z;
  }

  /**
   * Records the remaining offset of a knot, in the rotation of the cluster with the largest share, until the knot is
   * bound anew.
   */
  private leave(n: number): void {
    const { strays, frames } = this;
    const { start, cluster, share } = this.shares;
    let most = start[n];
    for (let k = most + 1; k < start[n + 1]; k++) if (share[k] > share[most]) most = k;
    rotationInto(R, frames, cluster[most]);
    strays.into.push(3 * n);
    strays.cluster.push(cluster[most]);
    for (let a = 0; a < 9; a += 3) strays.offset.push(R[a] * left[0] + R[a + 1] * left[1] + R[a + 2] * left[2]);
  }
}
const startRoom = new Scratch(Float64Array);
const left = new Float64Array(3);
/** Displacement wanted of a knot (m). Module-level: as arguments the three numbers would have to be stored as well. */
const way = new Float64Array(3);

/** Solves J d = way by Cramer's rule. */
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

/** d = Jᵀ (J Jᵀ + λ)⁻¹ way: no movement along crushed directions. */
function dampen(): void {
  transposeInto(F, J);
  multiplyInto(product, J, F);
  for (let k = 0; k < 9; k += 4) product[k] += DAMPING;
  invertInto(inverse, product);
  multiplyInto(product, F, inverse);
  for (let a = 0; a < 3; a++) d[a] = product[a] * way[0] + product[3 + a] * way[1] + product[6 + a] * way[2];
}
/** Greatest displacement of a vertex over that of its knot. */
const CRUSHED = 4;
/** λ: squared stretch at which the solution is halved. With it vertices move no farther than their knots. */
const DAMPING = 0.25;
const J = new Float64Array(9);
const b = new Float64Array(3);
const F = new Float64Array(9);
const G = new Float64Array(9);
const R = new Float64Array(9);
const product = new Float64Array(9);
const inverse = new Float64Array(9);
const d = new Float64Array(3);
/** Squared error, as a share of the body's size squared, that counts as rounding. */
const CONVERGED = 1e-14;
