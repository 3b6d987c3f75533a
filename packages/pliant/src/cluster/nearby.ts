import { squared } from '../math/elementary.js';
import { ball, type NeighbourList, newNeighbourList, type PointGrid, reserve } from '../spatial/grid.js';

/** Share of balls that have left their lists at which all lists are rebuilt. */
export const ASTRAY = 0.1;
/** Share of the margin within which a list is valid: a little less than all, so that rounding loses no point. */
export const FREE = 0.999;

/**
 * Ball queries of centres that move little between queries. Each centre remembers the points up to a `margin` beyond
 * its radius (like the lists of Verlet 1967 for molecules). As long as it has not moved by more than the margin, only
 * those points are tested. The result is the same, in the same order.
 */
export class Nearby {
  private readonly start: Uint32Array;
  private readonly list: NeighbourList;
  /** Positions of the centres when their lists were built; infinite at first. */
  private readonly at: Float64Array;
  private readonly stale: Uint8Array;
  /** x, y, z of each point in cell order, and a number for the caller: what belongs to a point lies in one line of the cache. */
  readonly places: Float64Array;
  /** The largest radius that the lists are valid for. */
  private reach = 0;

  constructor(
    private readonly grid: PointGrid,
    centres: number,
    private readonly margin: number,
  ) {
    this.places = new Float64Array(4 * grid.count);
    for (let i = 0; i < grid.count; i++) {
      this.places[4 * i] = grid.x[i];
      this.places[4 * i + 1] = grid.y[i];
      this.places[4 * i + 2] = grid.z[i];
    }
    this.start = new Uint32Array(centres + 1);
    this.list = newNeighbourList(2 * grid.count);
    this.at = new Float64Array(3 * centres).fill(Number.POSITIVE_INFINITY);
    this.stale = new Uint8Array(centres);
  }

  /** To be called whenever the centres have moved, before queries of balls of `radius`. */
  refresh(centre: Float64Array, radius: number): void {
    const { at, stale } = this;
    const free2 = squared(FREE * this.margin);
    let astray = 0;
    for (let c = 0; c < stale.length; c++) {
      const way2 =
        squared(centre[3 * c] - at[3 * c]) +
        squared(centre[3 * c + 1] - at[3 * c + 1]) +
        squared(centre[3 * c + 2] - at[3 * c + 2]);
      stale[c] = way2 <= free2 ? 0 : 1;
      astray += stale[c];
    }
    if (astray <= ASTRAY * stale.length && radius <= this.reach) return;
    this.reach = radius;
    this.remember(centre);
  }

  private remember(centre: Float64Array): void {
    const { grid, start, list } = this;
    for (let c = 0; c < this.stale.length; c++) {
      const [x, y, z] = [centre[3 * c], centre[3 * c + 1], centre[3 * c + 2]];
      start[c + 1] = ball(grid, x, y, z, this.reach + this.margin, list, start[c]);
    }
    this.at.set(centre);
    this.stale.fill(0);
  }

  /** As `ball` of grid.ts, for the centre number c, which is at (cx, cy, cz) now. */
  ball(c: number, cx: number, cy: number, cz: number, radius: number, into: NeighbourList, at: number): number {
    const { grid, start, list } = this;
    if (this.stale[c]) return ball(grid, cx, cy, cz, radius, into, at);
    const { places } = this;
    const first = start[c];
    const last = start[c + 1];
    grid.evaluations += last - first;
    reserve(into, at + last - first);
    const { index, distance2 } = into;
    const candidates = list.index;
    const r2 = radius * radius;
    for (let k = first; k < last; k++) {
      const i = candidates[k];
      const px = places[4 * i] - cx;
      const py = places[4 * i + 1] - cy;
      const pz = places[4 * i + 2] - cz;
      const d2 = px * px + py * py + pz * pz;
      // As in `ball`: always written, kept only if inside.
      index[at] = i;
      distance2[at] = d2;
      at += d2 <= r2 ? 1 : 0;
    }
    return at;
  }

  /**
   * As `ball`, with the weights 1/(d² + ε) of the kernel 'invsq' in place of the squared distances, which are added to `sums` of each point: one pass
   * instead of two over the largest lists of a clustering.
   */
  weighedBall(
    c: number,
    cx: number,
    cy: number,
    cz: number,
    radius: number,
    epsilon: number,
    into: NeighbourList,
    at: number,
    sums: Float64Array,
  ): number {
    const { grid, start, list, places } = this;
    if (this.stale[c]) {
      const end = ball(grid, cx, cy, cz, radius, into, at);
      for (let k = at; k < end; k++) {
        const w = 1 / (into.distance2[k] + epsilon);
        into.distance2[k] = w;
        sums[into.index[k]] += w;
      }
      return end;
    }
    const first = start[c];
    const last = start[c + 1];
    grid.evaluations += last - first;
    reserve(into, at + last - first);
    const { index, distance2 } = into;
    const candidates = list.index;
    const r2 = radius * radius;
    for (let k = first; k < last; k++) {
      const i = candidates[k];
      const px = places[4 * i] - cx;
      const py = places[4 * i + 1] - cy;
      const pz = places[4 * i + 2] - cz;
      const d2 = px * px + py * py + pz * pz;
      if (d2 > r2) continue;
      const w = 1 / (d2 + epsilon);
      index[at] = i;
      distance2[at] = w;
      sums[i] += w;
      at++;
    }
    return at;
  }
}
