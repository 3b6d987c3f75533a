import { Scratch } from '../scratch.js';
import { TRANSFORM_ROW, Transform } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

/**
 * The elastic stretch around a cluster, as a mean over the length ℓ of the material (docs/design/fracture-and-topology.md). Small clusters see higher
 * peaks at notches, grips and crack tips than large ones. The mean over the same length is the same at any resolution.
 *
 * A cluster is itself a mean, over its own width. The kernel 1 − d²/R² around it adds the rest: its variance along each axis is R²/7, so that
 * R² = 7 (ℓ²/12 − σ²) with the variance σ² of the cluster's members. Clusters as wide as ℓ have no neighbours in it.
 */
export class StretchAverage {
  private count = 0;
  /** Edge of a cell (m). */
  private size = 0;
  private first = 0;
  private s!: Views;
  private readonly centreRoom = new Scratch(Float64Array);
  private readonly startRoom = new Scratch();
  private readonly itemRoom = new Scratch();
  private centres!: Float64Array;
  private starts!: Uint32Array;
  private items!: Uint32Array;
  private mask = 0;
  /** ℓ²/12 (m²). */
  private variance = 0;

  /** Sorts the clusters of a body into cells of the largest R, where match found them. Clusters that fade out are left out. */
  begin(s: Views, { clusterStart, clusterEnd }: Rows, length: number): void {
    this.s = s;
    this.first = clusterStart;
    this.variance = (length * length) / 12;
    this.size = Math.sqrt(7 * this.variance);
    this.count = clusterEnd - clusterStart;
    let cells = 16;
    while (cells < this.count) cells *= 2;
    this.mask = cells - 1;
    const centres = this.centreRoom.take(3 * this.count);
    const starts = this.startRoom.takeZeros(cells + 1);
    const items = this.itemRoom.take(this.count);
    for (let c = 0; c < this.count; c++) {
      const t = TRANSFORM_ROW * (clusterStart + c);
      for (let a = 0; a < 3; a++)
        centres[3 * c + a] = s.transform[t + Transform.CENTRE + a] + s.transform[t + Transform.ORIGIN + a];
      starts[this.cellOf(centres[3 * c], centres[3 * c + 1], centres[3 * c + 2])]++;
    }
    let end = 0;
    for (let n = 0; n <= cells; n++) {
      end += starts[n];
      starts[n] = end;
    }
    for (let c = this.count - 1; c >= 0; c--)
      items[--starts[this.cellOf(centres[3 * c], centres[3 * c + 1], centres[3 * c + 2])]] = c;
    this.centres = centres;
    this.starts = starts;
    this.items = items;
  }

  private cellOf(x: number, y: number, z: number): number {
    return this.hash(Math.floor(x / this.size), Math.floor(y / this.size), Math.floor(z / this.size));
  }

  private hash(i: number, j: number, k: number): number {
    return (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & this.mask;
  }

  /** out := the mean stretch around the cluster in row c, xx yy zz xy xz yz. */
  into(out: Float64Array, c: number): void {
    const { s, size, centres, first } = this;
    const { elastic, clusterMass, restMoment, leaving } = s;
    for (let a = 0; a < 6; a++) out[a] = elastic[6 * c + a];
    const own = (restMoment[6 * c] + restMoment[6 * c + 1] + restMoment[6 * c + 2]) / (3 * clusterMass[c]);
    const reach2 = 7 * (this.variance - own);
    if (!(reach2 > 0)) return;
    const n = c - first;
    const [x, y, z] = [centres[3 * n], centres[3 * n + 1], centres[3 * n + 2]];
    let sum = clusterMass[c];
    for (let a = 0; a < 6; a++) out[a] *= sum;
    const [i, j, k] = [Math.floor(x / size), Math.floor(y / size), Math.floor(z / size)];
    const reach = Math.sqrt(reach2);
    for (let di = -1; di <= 1; di++)
      for (let dj = -1; dj <= 1; dj++)
        for (let dk = -1; dk <= 1; dk++) {
          const cell = this.hash(i + di, j + dj, k + dk);
          for (let m = this.starts[cell]; m < this.starts[cell + 1]; m++) {
            const d = this.items[m];
            if (d === n || leaving[first + d]) continue;
            const [dx, dy, dz] = [centres[3 * d] - x, centres[3 * d + 1] - y, centres[3 * d + 2] - z];
            if (Math.abs(dx) > reach || Math.abs(dy) > reach || Math.abs(dz) > reach) continue;
            // Cells share a hash: each cluster counts in its own cell alone.
            if (
              Math.floor(centres[3 * d] / size) !== i + di ||
              Math.floor(centres[3 * d + 1] / size) !== j + dj ||
              Math.floor(centres[3 * d + 2] / size) !== k + dk
            )
              continue;
            const share = 1 - (dx * dx + dy * dy + dz * dz) / reach2;
            if (share <= 0) continue;
            const w = share * clusterMass[first + d];
            sum += w;
            for (let a = 0; a < 6; a++) out[a] += w * elastic[6 * (first + d) + a];
          }
        }
    for (let a = 0; a < 6; a++) out[a] /= sum;
  }
}
