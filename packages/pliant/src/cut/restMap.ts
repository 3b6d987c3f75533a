import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import { invertInto, multiplyInto } from '../math/mat3.js';
import { Scratch } from '../scratch.js';
import { ball, buildGrid, diagonalOf, newNeighbourList, type PointGrid } from '../spatial/grid.js';
import { nearestInto } from '../spatial/nearest.js';
import type { Views } from '../state/layout.js';
import type { RestMap } from './cutMesh.js';
import { wholeDeformation } from './faces.js';

/**
 * Rest positions of points inside a body. Each particle i around x gives X_i + Σ_c w_ic (F_c G_c)⁻¹ (x − x_i), where
 * G_c is `fromRest`. These are averaged by the kernel (1 − d²/r²)². Points lie on the knife, so only particles near it
 * are searched; where there is none around a point, all are.
 */
export class BodyRestMap implements RestMap {
  private readonly radius: number;
  /**
   * Particles near the knife, and a grid of their positions; undefined where the knife passes between layers that are
   * far apart.
   */
  private readonly close: Uint32Array;
  private readonly grid: PointGrid | undefined;
  private whole: PointGrid | undefined;
  private readonly near = newNeighbourList(64);
  /** Per cluster: (F_c G_c)⁻¹, computed when first needed. */
  private readonly inverses: Float64Array;
  private readonly isInverted: Uint8Array;
  /** Per particle: Σ_c w_ic (F_c G_c)⁻¹, computed when first needed. */
  private readonly gradients: Float64Array;
  private readonly isKnown: Uint8Array;

  /**
   * `positions` of the body's particles, x y z each, and their `height` above the knife. The kernel sumClusters must
   * have run at these positions.
   */
  constructor(
    private readonly s: Views,
    private readonly body: Body,
    private readonly positions: Float64Array,
    height: Float64Array,
  ) {
    const clusters = body.rows.clusterEnd - body.rows.clusterStart;
    this.radius = REACH * (body.spacing ?? diagonalOf(positions));
    this.close = withinReach(height, this.radius);
    if (this.close.length > 0) this.grid = buildGrid(pickPoints(positions, this.close), this.radius);
    this.inverses = new Float64Array(9 * clusters);
    this.isInverted = new Uint8Array(clusters);
    this.gradients = gradientRoom.take(3 * positions.length);
    this.isKnown = new Uint8Array(positions.length / 3);
  }

  restInto(out: Float64Array, at: number, x: number, y: number, z: number): void {
    const { s, close, near, positions, gradients, isKnown } = this;
    const { rows, builtPositions } = this.body;
    let { grid, radius } = this;
    let count = grid ? ball(grid, x, y, z, radius, near, 0) : 0;
    const areClose = count > 0;
    if (!grid || !areClose) {
      grid = this.whole ??= buildGrid(positions, 2 * radius);
      radius = this.reachFrom(grid, x, y, z);
      count = ball(grid, x, y, z, radius, near, 0);
    }
    let total = 0;
    let X = 0;
    let Y = 0;
    let Z = 0;
    for (let n = 0; n < count; n++) {
      const found: number = grid.order[near.index[n]];
      const i = areClose ? close[found] : found;
      const d2 = near.distance2[n];
      const kernel = d2 > 0 ? squared(Math.max(1e-6, 1 - d2 / (radius * radius))) : 1;
      total += kernel;
      if (isKnown[i] === 0) this.learn(i);
      const dx = x - positions[3 * i];
      const dy = y - positions[3 * i + 1];
      const dz = z - positions[3 * i + 2];
      const o = 3 * s.ancestor[rows.particleStart + i];
      const m = 9 * i;
      X += kernel * (builtPositions[o] + gradients[m] * dx + gradients[m + 3] * dy + gradients[m + 6] * dz);
      Y += kernel * (builtPositions[o + 1] + gradients[m + 1] * dx + gradients[m + 4] * dy + gradients[m + 7] * dz);
      Z += kernel * (builtPositions[o + 2] + gradients[m + 2] * dx + gradients[m + 5] * dy + gradients[m + 8] * dz);
    }
    out[at] = X / total;
    out[at + 1] = Y / total;
    out[at + 2] = Z / total;
  }

  /**
   * The first radius, growing by a half each time, within which there is a particle. For coincident particles, of
   * radius 0, it is the distance of the nearest.
   */
  private reachFrom(grid: PointGrid, x: number, y: number, z: number): number {
    // One part in 10^9 beyond the nearest particle, which rounding of the squares would lose otherwise.
    const least = (1 + 1e-9) * nearestInto(nearest, grid, x, y, z, -1).distance;
    let radius = 1.5 * this.radius;
    if (!(radius > 0)) return least;
    while (radius < least) radius *= 1.5;
    return radius;
  }

  /** Computes the gradient of a particle. */
  private learn(i: number): void {
    const { gradients, inverses, isInverted, body } = this;
    const { linkStart, linkCluster, link, gatherRank } = this.s;
    const { particleStart, clusterStart } = body.rows;
    this.isKnown[i] = 1;
    gradients.fill(0, 9 * i, 9 * i + 9);
    const n = gatherRank[particleStart + i];
    for (let l = linkStart[n]; l < linkStart[n + 1]; l++) {
      const c = linkCluster[l] - clusterStart;
      if (isInverted[c] === 0) this.invert(c);
      for (let a = 0; a < 9; a++) gradients[9 * i + a] += link[4 * l + 3] * inverses[9 * c + a];
    }
  }

  private invert(c: number): void {
    const { s, inverses, isInverted } = this;
    const row = this.body.rows.clusterStart + c;
    isInverted[c] = 1;
    multiplyInto(product, wholeDeformation(s, row), s.fromRest.subarray(9 * row, 9 * row + 9));
    invertInto(inverse, product);
    inverses.set(inverse, 9 * c);
  }
}

const gradientRoom = new Scratch(Float64Array);
const nearest = { index: -1, distance: 0, othersBeyond: 0 };

/** Radius of the kernel, in spacings: some ten particles are within it. */
const REACH = 1.4;

/** The particles within this distance of the knife, with a margin for rounding. */
function withinReach(height: Float64Array, radius: number): Uint32Array {
  const close = closeRoom.take(height.length);
  let count = 0;
  for (let i = 0; i < height.length; i++) if (Math.abs(height[i]) <= 1.001 * radius) close[count++] = i;
  return close.subarray(0, count);
}
const closeRoom = new Scratch();

function pickPoints(points: Float64Array, which: Uint32Array): Float64Array {
  const picked = pointRoom.take(3 * which.length);
  for (let n = 0; n < which.length; n++) for (let a = 0; a < 3; a++) picked[3 * n + a] = points[3 * which[n] + a];
  return picked;
}
const pointRoom = new Scratch(Float64Array);
const product = new Float64Array(9);
const inverse = new Float64Array(9);
