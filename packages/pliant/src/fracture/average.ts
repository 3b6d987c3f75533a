import { Scratch } from '../scratch.js';
import { TRANSFORM_ROW, Transform } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { hasSplit } from '../topology/editRows.js';

/**
 * The elastic stretch around a cluster, as a mean over the length ℓ of the material (docs/design/fracture-and-topology.md). Small clusters see higher
 * peaks at notches, grips and crack tips than large ones. The mean over the same length is the same at any resolution.
 *
 * A cluster is itself a mean, over its own width. The kernel (1 − d²/R²)² around it adds the rest: its variance along each axis is R²/9, so that
 * R² = 9 (ℓ²/12 − σ²) with the variance σ² of the cluster's members. Clusters as wide as ℓ have no neighbours in it.
 */
export class StretchAverage {
  private count = 0;
  /** Edge of a cell (m). */
  private size = 0;
  private first = 0;
  private s!: Views;
  private readonly startRoom = new Scratch();
  private readonly itemRoom = new Scratch();
  private readonly cellRoom = new Scratch(Int32Array);
  private readonly rowRoom = new Scratch(Float64Array);
  private readonly placeRoom = new Scratch();
  private starts!: Uint32Array;
  /** In the order of cells, for each cluster: ITEM numbers, its number in the body, and the three numbers of its cell. */
  private rowsBy!: Float64Array;
  private items!: Uint32Array;
  private cells!: Int32Array;
  /** Place of each cluster in that order. */
  private place!: Uint32Array;
  private mask = 0;
  /** ℓ²/12 (m²). */
  private variance = 0;
  /** Whether a cluster that has split is among those of the last mean, or the mean is that of the cluster alone. */
  cracked = false;
  /** R² of the last mean (m²), 0 or less where it is that of the cluster alone, and the rows of the clusters within R, its own first. */
  reach2 = 0;
  near!: Uint32Array;
  nearCount = 0;
  private readonly nearRoom = new Scratch();

  /** Sorts the clusters of a body into cells of the largest R, where match found them. Clusters that fade out are left out. */
  begin(s: Views, { clusterStart, clusterEnd }: Rows, length: number): void {
    this.s = s;
    this.first = clusterStart;
    this.variance = (length * length) / 12;
    this.size = Math.sqrt(SPREAD * this.variance);
    this.count = clusterEnd - clusterStart;
    const { count, size } = this;
    let cells = 16;
    while (cells < count) cells *= 2;
    this.mask = cells - 1;
    const starts = this.startRoom.takeZeros(cells + 1);
    const items = this.itemRoom.take(count);
    const place = this.placeRoom.take(count);
    const cell = this.cellRoom.take(3 * count);
    const sorted = this.rowRoom.take(ITEM * count);
    this.near = this.nearRoom.take(count);
    for (let c = 0; c < count; c++) place[c] = this.cellAt(s, c);
    for (let c = 0; c < count; c++) starts[place[c]]++;
    let end = 0;
    for (let n = 0; n <= cells; n++) {
      end += starts[n];
      starts[n] = end;
    }
    for (let c = count - 1; c >= 0; c--) {
      const at = --starts[place[c]];
      items[at] = c;
      place[c] = at;
      const row = clusterStart + c;
      centreInto(sorted, ITEM * at, s, row);
      sorted[ITEM * at + 3] = s.leaving[row] ? 0 : s.clusterMass[row];
      for (let a = 0; a < 6; a++) sorted[ITEM * at + 4 + a] = s.elastic[6 * row + a];
      for (let a = 0; a < 3; a++) cell[3 * at + a] = Math.floor(sorted[ITEM * at + a] / size);
    }
    this.starts = starts;
    this.items = items;
    this.place = place;
    this.cells = cell;
    this.rowsBy = sorted;
  }

  private cellAt(s: Views, c: number): number {
    centreInto(centre, 0, s, this.first + c);
    return this.cellOf(centre[0], centre[1], centre[2]);
  }

  private cellOf(x: number, y: number, z: number): number {
    return this.hash(Math.floor(x / this.size), Math.floor(y / this.size), Math.floor(z / this.size));
  }

  private hash(i: number, j: number, k: number): number {
    return (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & this.mask;
  }

  /** out := the mean stretch around the cluster in row c, xx yy zz xy xz yz. */
  into(out: Float64Array, c: number): void {
    const { s, first, rowsBy: sorted, cells, items, starts } = this;
    const { elastic, clusterMass, restMoment } = s;
    for (let a = 0; a < 6; a++) out[a] = elastic[6 * c + a];
    const own = (restMoment[6 * c] + restMoment[6 * c + 1] + restMoment[6 * c + 2]) / (3 * clusterMass[c]);
    const reach2 = SPREAD * (this.variance - own);
    this.reach2 = reach2;
    this.near[0] = c;
    this.nearCount = 1;
    this.cracked = !(reach2 > 0) || hasSplit(s, c);
    if (!(reach2 > 0)) return;
    const n = c - first;
    const here = this.place[n];
    const x = sorted[ITEM * here];
    const y = sorted[ITEM * here + 1];
    const z = sorted[ITEM * here + 2];
    let sum = clusterMass[c];
    for (let a = 0; a < 6; a++) out[a] *= sum;
    const i = cells[3 * here];
    const j = cells[3 * here + 1];
    const k = cells[3 * here + 2];
    for (let di = -1; di <= 1; di++)
      for (let dj = -1; dj <= 1; dj++)
        for (let dk = -1; dk <= 1; dk++) {
          const cell = this.hash(i + di, j + dj, k + dk);
          const last = starts[cell + 1];
          for (let m = starts[cell]; m < last; m++) {
            const o = ITEM * m;
            const dx = sorted[o] - x;
            const dy = sorted[o + 1] - y;
            const dz = sorted[o + 2] - z;
            const share = 1 - (dx * dx + dy * dy + dz * dz) / reach2;
            if (!(share > 0) || items[m] === n) continue;
            // Cells share a hash: each cluster counts in its own cell alone.
            if (cells[3 * m] !== i + di || cells[3 * m + 1] !== j + dj || cells[3 * m + 2] !== k + dk) continue;
            // Clusters that fade out have no mass here.
            if (sorted[o + 3] === 0) continue;
            if (!this.cracked) this.cracked = hasSplit(s, first + items[m]);
            this.near[this.nearCount++] = first + items[m];
            const w = share * share * sorted[o + 3];
            sum += w;
            out[0] += w * sorted[o + 4];
            out[1] += w * sorted[o + 5];
            out[2] += w * sorted[o + 6];
            out[3] += w * sorted[o + 7];
            out[4] += w * sorted[o + 8];
            out[5] += w * sorted[o + 9];
          }
        }
    for (let a = 0; a < 6; a++) out[a] /= sum;
  }
}

/** R² over the variance of the kernel (1 − d²/R²)² along an axis. */
export const SPREAD = 9;
/** Numbers of a cluster in the order of cells: centre (m), mass (kg), elastic stretch. */
const ITEM = 10;
const centre = new Float64Array(3);

/** Writes the centre of the cluster in row c at index `at`. */
function centreInto(out: Float64Array, at: number, { transform }: Views, c: number): void {
  const t = TRANSFORM_ROW * c;
  for (let a = 0; a < 3; a++) out[at + a] = transform[t + Transform.CENTRE + a] + transform[t + Transform.ORIGIN + a];
}
