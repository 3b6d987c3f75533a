import type { RenderSkin } from 'pliant';

/** The part of a skin that says how its triangles are connected. */
export type Mesh = Pick<RenderSkin, 'indices' | 'welded' | 'groups' | 'vertexCount'>;

/** Number of corners of the outside, whose triangles come first. */
export const outerCorners = (groups: RenderSkin['groups']): number =>
  groups.find(({ kind }) => kind === 'outer')?.count ?? 0;

/**
 * Factors of the two half-steps of smoothing, and the number of steps (Taubin 1995, A signal processing approach to
 * fair surface design): waves of four vertices and less vanish, while the size of the body stays.
 */
const SHRINK = 0.5;
const SWELL = -0.51;
const STEPS = 13;

/**
 * The roundness that a coarse mesh lacks: the height of a smooth surface over its facets, measured once at rest. Every
 * moment the vertices are raised by it along their normals.
 */
export class Relief {
  private readonly sums: Float32Array;

  private constructor(
    /** By drawn vertex: number of its place if it is on the outside, else −1. */
    private readonly place: Int32Array,
    /** By place (m). */
    private readonly height: Float32Array,
    /** Corners of the outside's triangles, and whether a drawn vertex is theirs: others keep their normals. */
    private readonly corners: Uint32Array,
    private readonly isOuter: Uint8Array,
  ) {
    this.sums = new Float32Array(3 * height.length);
  }

  static of({ indices, welded, groups, vertexCount }: Mesh, rest: Float32Array): Relief {
    const corners = indices.slice(0, outerCorners(groups));
    const isOuter = new Uint8Array(vertexCount);
    const numbers = new Map<number, number>();
    for (const v of corners) {
      isOuter[v] = 1;
      if (!numbers.has(welded[v])) numbers.set(welded[v], numbers.size);
    }
    const place = Int32Array.from(welded.subarray(0, vertexCount), (at) => numbers.get(at) ?? -1);
    const x = new Float32Array(3 * numbers.size);
    for (const v of corners) x.set(rest.subarray(3 * v, 3 * v + 3), 3 * place[v]);
    const smooth = x.slice();
    const near = neighboursOf(corners, place, x);
    for (let n = 0; n < STEPS; n++) for (const factor of [SHRINK, SWELL]) relax(smooth, near, factor);
    const relief = new Relief(place, new Float32Array(numbers.size), corners, isOuter);
    const { height, sums } = relief;
    relief.sumNormals(rest);
    for (let p = 0; p < height.length; p++)
      for (let o = 3 * p; o < 3 * p + 3; o++) height[p] += (smooth[o] - x[o]) * sums[o];
    return relief;
  }

  /** Raises the vertices and turns their normals. Faces inside keep their normals, and the rim that they share moves. */
  apply(x: Float32Array, n: Float32Array): void {
    const { place, height, sums, isOuter } = this;
    this.sumNormals(x);
    for (let v = 0; v < place.length; v++) {
      const p = place[v];
      if (p >= 0) for (let c = 0; c < 3; c++) x[3 * v + c] += height[p] * sums[3 * p + c];
    }
    this.sumNormals(x);
    for (let v = 0; v < place.length; v++)
      if (isOuter[v]) for (let c = 0; c < 3; c++) n[3 * v + c] = sums[3 * place[v] + c];
  }

  /** Unit normals of all places: the mean of their triangles by area. */
  private sumNormals(x: Float32Array): void {
    const { sums, corners, place } = this;
    sums.fill(0);
    for (let k = 0; k < corners.length; k += 3) {
      const [a, b, c] = [3 * corners[k], 3 * corners[k + 1], 3 * corners[k + 2]];
      const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
      const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
      const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      for (let corner = k; corner < k + 3; corner++) {
        const o = 3 * place[corners[corner]];
        sums[o] += nx;
        sums[o + 1] += ny;
        sums[o + 2] += nz;
      }
    }
    for (let o = 0; o < sums.length; o += 3) {
      const length = Math.hypot(sums[o], sums[o + 1], sums[o + 2]) || 1;
      for (let c = o; c < o + 3; c++) sums[c] /= length;
    }
  }
}

interface Neighbour {
  place: number;
  /** All of a place's add up to 1. */
  weight: number;
}

/** Neighbours of each place: the nearer, the heavier, so that uneven triangles leave no ripples. */
function neighboursOf(corners: Uint32Array, place: Int32Array, x: Float32Array): Neighbour[][] {
  const near = Array.from({ length: x.length / 3 }, () => new Set<number>());
  for (let k = 0; k < corners.length; k++) {
    const [p, q] = [place[corners[k]], place[corners[k % 3 === 2 ? k - 2 : k + 1]]];
    near[p].add(q);
    near[q].add(p);
  }
  return near.map((some, p) => {
    const weights = [...some].map((q) => {
      const far = Math.hypot(x[3 * q] - x[3 * p], x[3 * q + 1] - x[3 * p + 1], x[3 * q + 2] - x[3 * p + 2]);
      return { place: q, weight: 1 / Math.max(far, 1e-9) };
    });
    const sum = weights.reduce((all, { weight }) => all + weight, 0);
    return weights.map(({ place, weight }) => ({ place, weight: weight / sum }));
  });
}

/** Moves each place by a share of the way to the mean of its neighbours. */
function relax(x: Float32Array, near: readonly Neighbour[][], factor: number): void {
  const from = x.slice();
  near.forEach((some, p) => {
    for (let c = 0; c < 3; c++) {
      let mean = 0;
      for (const { place, weight } of some) mean += weight * from[3 * place + c];
      x[3 * p + c] += factor * (mean - from[3 * p + c]);
    }
  });
}
