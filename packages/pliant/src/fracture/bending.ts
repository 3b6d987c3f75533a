import { polarInto } from '../math/polar.js';
import { svdInto } from '../math/svd.js';
import { largestEigenvalue } from '../math/symmetric.js';
import { Scratch } from '../scratch.js';
import { FIELDS, Row, Symmetric, TRANSFORM_ROW, Transform } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { hasSplit } from '../topology/editRows.js';
import { SPREAD, type StretchAverage } from './average.js';
import { deformationInState, Strain } from './strain.js';

/**
 * Stretch at the surface of parts of a body that are thinner than `fracture.length` (docs/design/fracture-and-topology.md). A cluster knows the stretch at its centre. Where the body is bent, that at the surface is larger, and a
 * cluster that goes through the whole thickness knows only that of the middle. The rest that its members leave of the best affine map tells how the stretch varies across it:
 * u = κ q z, with the offset q along the surface and z across, is the bending κ.
 */
export class Bending {
  private s!: Views;
  private first = 0;
  private begun = false;
  private readonly rowRoom = new Scratch(Float64Array);
  private readonly knownRoom = new Scratch(Uint8Array);
  private readonly bentRoom = new Scratch(Uint8Array);
  private readonly directionRoom = new Scratch(Float64Array);
  /** ROW.WIDTH numbers of each cluster of the body, and whether they are known. */
  private rows!: Float64Array;
  private known!: Uint8Array;
  /** 1 for the clusters that are queued by their stretch at the surface, and its direction in the world. */
  private bent!: Uint8Array;
  private directions!: Float64Array;

  /** Forgets what it knew. */
  clear(): void {
    this.begun = false;
  }

  /** Makes room for the clusters of a body, unless there is. */
  begin(s: Views, { clusterStart, clusterEnd }: Rows): void {
    if (this.begun) return;
    this.begun = true;
    const count = clusterEnd - clusterStart;
    this.s = s;
    this.first = clusterStart;
    this.rows = this.rowRoom.take(ROW.WIDTH * count);
    this.known = this.knownRoom.takeZeros(count);
    this.directions = this.directionRoom.take(3 * count);
    this.bent = this.bentRoom.takeZeros(count);
  }

  /** Whether the cluster in row c, which has not split, is itself stretched by more than this at a face of the body. */
  isStretched(c: number, stretch: number): boolean {
    if (this.measure(c) !== Known.SURFACE) return false;
    const o = ROW.WIDTH * (c - this.first);
    return this.aloneAt(c, this.rows[o + ROW.TOP]) > stretch || this.aloneAt(c, this.rows[o + ROW.BOTTOM]) > stretch;
  }

  /** Stretch of the cluster in row c at the place z (m) across the surface; 0 where there is no face. */
  private aloneAt(c: number, z: number): number {
    const bend = ROW.WIDTH * (c - this.first) + ROW.BEND;
    for (let a = 0; a < 6; a++) alone[a] = this.s.elastic[6 * c + a] + z * this.rows[bend + a];
    return Number.isNaN(z) ? 0 : largestEigenvalue(alone, 0);
  }

  /**
   * The larger stretch of the two faces of a thin part: at a face of the cluster in row c the mean over `length`, or the stretch of the cluster itself where that is less. `average` has just been asked for that cluster. 0 where the body is thicker than `length`.
   * Each cluster counts as two points, one standard deviation of its members to either side of its centre across the surface.
   */
  stretchAt(c: number, average: StretchAverage, length: number): number {
    const { s, rows, first } = this;
    const own = ROW.WIDTH * (c - first);
    const across2 = (SPREAD * length * length) / 12;
    const along2 = Math.max(average.reach2, LEAST_REACH * across2);
    let most = 0;
    for (const side of SIDES) {
      const z = rows[own + (side > 0 ? ROW.TOP : ROW.BOTTOM)];
      if (Number.isNaN(z)) continue;
      for (let a = 0; a < 3; a++) {
        normal[a] = side * rows[own + ROW.NORMAL + a];
        face[a] = centreOf(s, c, a) + side * z * normal[a];
      }
      let thickness = Number.POSITIVE_INFINITY;
      let sum = 0;
      mean.fill(0);
      for (let k = 0; k < average.nearCount; k++) {
        const j = average.near[k];
        const o = ROW.WIDTH * (j - first);
        const surface = this.measure(j) === Known.SURFACE;
        for (let a = 0; a < 3; a++) offset[a] = centreOf(s, j, a) - face[a];
        if (surface) thickness = Math.min(thickness, this.depthOfOpposite(o));
        const sigma = rows[o + ROW.SIGMA];
        for (const end of SIDES) {
          let d2 = 0;
          let along = 0;
          for (let a = 0; a < 3; a++) {
            const d = offset[a] + end * sigma * (surface ? rows[o + ROW.NORMAL + a] : normal[a]);
            d2 += d * d;
            along += d * normal[a];
          }
          const share = 1 - (d2 - along * along) / along2 - (along * along) / across2;
          if (!(share > 0)) continue;
          const w = share * share * s.clusterMass[j];
          sum += w;
          for (let a = 0; a < 6; a++)
            mean[a] += w * (s.elastic[6 * j + a] + (surface ? end * sigma * rows[o + ROW.BEND + a] : 0));
        }
      }
      if (!(sum > 0) || thickness > length) continue;
      for (let a = 0; a < 6; a++) mean[a] /= sum;
      const stretch = Math.min(largestEigenvalue(mean, 0), this.aloneAt(c, z));
      if (!(stretch > most)) continue;
      most = stretch;
      this.turnInto(c);
    }
    return most;
  }

  /** Notes that the cluster in row c is queued by that stretch. */
  mark(c: number): void {
    this.bent[c - this.first] = 1;
  }

  /** Whether cluster c of the body was queued so; `out` then has the direction of the stretch in the world. */
  directionInto(out: Float64Array, c: number): boolean {
    if (!this.begun || this.bent[c] !== 1) return false;
    for (let a = 0; a < 3; a++) out[a] = this.directions[3 * c + a];
    return true;
  }

  /** How deep (m) the other face of the body lies below `face`, as the cluster with the row at o has it. */
  private depthOfOpposite(o: number): number {
    const { rows } = this;
    let cosine = 0;
    let depth = 0;
    for (let a = 0; a < 3; a++) {
      cosine += normal[a] * rows[o + ROW.NORMAL + a];
      depth -= normal[a] * offset[a];
    }
    const z = cosine > 0 ? rows[o + ROW.BOTTOM] : rows[o + ROW.TOP];
    return Math.abs(cosine) < ALIKE || Number.isNaN(z) ? Number.POSITIVE_INFINITY : depth - z * cosine;
  }

  /** Notes the direction of the largest stretch in `mean`, for the cluster in row c. */
  private turnInto(c: number): void {
    const { rows, first, directions } = this;
    matrix[0] = mean[Symmetric.XX];
    matrix[4] = mean[Symmetric.YY];
    matrix[8] = mean[Symmetric.ZZ];
    matrix[1] = matrix[3] = mean[Symmetric.XY];
    matrix[2] = matrix[6] = mean[Symmetric.XZ];
    matrix[5] = matrix[7] = mean[Symmetric.YZ];
    svdInto(U, values, V, matrix);
    const R = ROW.WIDTH * (c - first) + ROW.ROTATION;
    for (let a = 0; a < 3; a++)
      directions[3 * (c - first) + a] = rows[R + a] * U[0] + rows[R + 3 + a] * U[1] + rows[R + 6 + a] * U[2];
  }

  /** Measures the cluster in row c, once. */
  private measure(c: number): number {
    const { s, known, first } = this;
    if (known[c - first] === Known.NOT) {
      const o = ROW.WIDTH * (c - first);
      const found = !s.leaving[c] && !hasSplit(s, c) && this.findFaces(c, o);
      if (found) this.findBend(c, o);
      else {
        const { restMoment, clusterMass } = s;
        const trace = restMoment[6 * c] + restMoment[6 * c + 1] + restMoment[6 * c + 2];
        this.rows[o + ROW.SIGMA] = Math.sqrt(trace / (3 * clusterMass[c]));
      }
      known[c - first] = found ? Known.SURFACE : Known.INSIDE;
    }
    return known[c - first];
  }

  /** Writes the axis across the surface (at rest): of normals that are alike up to their sign the mean, of others the one that most have in common. */
  private findAxis(from: number, to: number): boolean {
    const { member, outward } = this.s;
    axis.fill(0);
    matrix.fill(0);
    let [any, alike] = [false, true];
    for (let k = from; k < to; k++) {
      const n = Row.outward * k;
      if (!(outward[n + FIELDS.outward.HEIGHT] >= 0)) continue;
      const m = member[Row.member * k + FIELDS.member.MASS];
      const [x, y, z] = [outward[n], outward[n + 1], outward[n + 2]];
      const cosine = any ? x * matrix[0] + y * matrix[1] + z * matrix[2] : 1;
      if (!any) {
        matrix[0] = x;
        matrix[1] = y;
        matrix[2] = z;
        any = true;
      }
      alike &&= Math.abs(cosine) > ALIKE;
      const share = cosine < 0 ? -m : m;
      axis[0] += share * x;
      axis[1] += share * y;
      axis[2] += share * z;
    }
    if (!any) return false;
    if (!alike) {
      matrix.fill(0);
      for (let k = from; k < to; k++) {
        const n = Row.outward * k;
        if (!(outward[n + FIELDS.outward.HEIGHT] >= 0)) continue;
        const m = member[Row.member * k + FIELDS.member.MASS];
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++) matrix[3 * b + a] += m * outward[n + a] * outward[n + b];
      }
      svdInto(U, values, V, matrix);
      axis.set(V.subarray(0, 3));
    }
    const length = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (let a = 0; a < 3; a++) axis[a] /= length;
    return length > 0;
  }

  /** Writes where the faces of the body are along the axis across the surface. */
  private findFaces(c: number, o: number): boolean {
    const { member, memberStart, outward } = this.s;
    const [from, to] = [memberStart[c], memberStart[c + 1]];
    if (!this.findAxis(from, to)) return false;
    const [nx, ny, nz] = axis;
    let [top, above, bottom, below] = [0, 0, 0, 0];
    for (let k = from; k < to; k++) {
      const n = Row.outward * k;
      const height = outward[n + FIELDS.outward.HEIGHT];
      if (!(height >= 0)) continue;
      const along = nx * outward[n] + ny * outward[n + 1] + nz * outward[n + 2];
      if (Math.abs(along) < ALIKE) continue;
      const p = Row.member * k;
      const m = member[p + FIELDS.member.MASS];
      const z = nx * member[p] + ny * member[p + 1] + nz * member[p + 2];
      if (along > 0) {
        top += m * (z + height);
        above += m;
      } else {
        bottom += m * (z - height);
        below += m;
      }
    }
    this.rows[o + ROW.TOP] = above > 0 ? top / above : Number.NaN;
    this.rows[o + ROW.BOTTOM] = below > 0 ? bottom / below : Number.NaN;
    return above > 0 || below > 0;
  }

  /** Writes the rotation of the cluster, the axis in the world, the deviation of its members along it, and the change of the stretch along it. */
  private findBend(c: number, o: number): void {
    const { s, rows } = this;
    const { member, memberStart, memberParticle, x } = s;
    const { F, centre } = strain;
    deformationInState(strain, s, c);
    polarInto(R, F);
    for (let k = 0; k < 9; k++) rows[o + ROW.ROTATION + k] = R[k];
    const [nx, ny, nz] = axis;
    for (let a = 0; a < 3; a++) rows[o + ROW.NORMAL + a] = R[a] * nx + R[3 + a] * ny + R[6 + a] * nz;
    // Two axes along the surface.
    const least = Math.abs(nx) < 0.6 ? 0 : 1;
    for (let a = 0; a < 3; a++) along[a] = (a === least ? 1 : 0) - axis[least] * axis[a];
    const length = Math.sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    for (let a = 0; a < 3; a++) along[a] /= length;
    along[3] = ny * along[2] - nz * along[1];
    along[4] = nz * along[0] - nx * along[2];
    along[5] = nx * along[1] - ny * along[0];
    let [mass, square, first, second] = [0, 0, 0, 0];
    moments.fill(0);
    const to = memberStart[c + 1];
    for (let n = memberStart[c]; n < to; n++) {
      const k = Row.member * n;
      const p = member[k];
      const q = member[k + 1];
      const r = member[k + 2];
      const m = member[k + FIELDS.member.MASS];
      const i = Row.x * memberParticle[n];
      const u = x[i] - centre[0] - (F[0] * p + F[3] * q + F[6] * r);
      const v = x[i + 1] - centre[1] - (F[1] * p + F[4] * q + F[7] * r);
      const w = x[i + 2] - centre[2] - (F[2] * p + F[5] * q + F[8] * r);
      const z = nx * p + ny * q + nz * r;
      const g = z * (along[0] * p + along[1] * q + along[2] * r);
      const h = z * (along[3] * p + along[4] * q + along[5] * r);
      mass += m;
      square += m * z * z;
      first += m * g;
      second += m * h;
      // The sums of m u are 0, so that means of g and h need not be subtracted here.
      moments[0] += m * g * u;
      moments[1] += m * g * v;
      moments[2] += m * g * w;
      moments[3] += m * g * g;
      moments[4] += m * h * u;
      moments[5] += m * h * v;
      moments[6] += m * h * w;
      moments[7] += m * h * h;
    }
    rows[o + ROW.SIGMA] = Math.sqrt(square / mass);
    moments[3] -= (first * first) / mass;
    moments[7] -= (second * second) / mass;
    const bend = o + ROW.BEND;
    for (let a = 0; a < 6; a++) rows[bend + a] = 0;
    for (let b = 0; b < 2; b++) {
      const scale = moments[4 * b + 3];
      if (!(scale > 0)) continue;
      const [tx, ty, tz] = [along[3 * b], along[3 * b + 1], along[3 * b + 2]];
      // Turned to the rest shape, without the part across the surface.
      for (let a = 0; a < 3; a++)
        turned[a] =
          (R[3 * a] * moments[4 * b] + R[3 * a + 1] * moments[4 * b + 1] + R[3 * a + 2] * moments[4 * b + 2]) / scale;
      const out = turned[0] * nx + turned[1] * ny + turned[2] * nz;
      for (let a = 0; a < 3; a++) turned[a] -= out * axis[a];
      rows[bend + Symmetric.XX] += turned[0] * tx;
      rows[bend + Symmetric.YY] += turned[1] * ty;
      rows[bend + Symmetric.ZZ] += turned[2] * tz;
      rows[bend + Symmetric.XY] += (turned[0] * ty + turned[1] * tx) / 2;
      rows[bend + Symmetric.XZ] += (turned[0] * tz + turned[2] * tx) / 2;
      rows[bend + Symmetric.YZ] += (turned[1] * tz + turned[2] * ty) / 2;
    }
  }
}

const centreOf = ({ transform }: Views, c: number, a: number): number =>
  transform[TRANSFORM_ROW * c + Transform.CENTRE + a] + transform[TRANSFORM_ROW * c + Transform.ORIGIN + a];

/** Knowledge of a cluster: nothing yet, that the surface is not in it, that it is. */
const Known = { NOT: 0, INSIDE: 1, SURFACE: 2 } as const;
/**
 * Indices into the row of a cluster: the axis across the surface in the world; standard deviation of its members along it (m); places of the faces along it (m, NaN where there is none); change of the stretch
 * along it (1/m, xx yy zz xy xz yz); its rotation.
 */
const ROW = { NORMAL: 0, SIGMA: 3, TOP: 4, BOTTOM: 5, BEND: 6, ROTATION: 12, WIDTH: 21 } as const;
const SIDES = [1, -1] as const;
/** Cosine of the angle between two normals of one face, at least. */
const ALIKE = 0.8;
/** R² along the surface at least, as a share of that across: clusters as wide as the length have themselves alone. */
const LEAST_REACH = 0.01;

const strain = new Strain();
const R = new Float64Array(9);
const U = new Float64Array(9);
const V = new Float64Array(9);
const matrix = new Float64Array(9);
const values = new Float64Array(3);
const axis = new Float64Array(3);
const along = new Float64Array(6);
const moments = new Float64Array(8);
const turned = new Float64Array(3);
const normal = new Float64Array(3);
const face = new Float64Array(3);
const offset = new Float64Array(3);
const mean = new Float64Array(6);
const alone = new Float64Array(6);
