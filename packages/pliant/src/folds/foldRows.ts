import { type Candidates, STRETCH } from './candidates.js';
import { toEdge, toTriangle } from './closest.js';
import { distance2, type FoldMesh, foldedWithin, type Lists } from './foldMesh.js';

/** Layout of a contact of two parts of a sheet or cord, in f64. The parts are combinations of four nodes with weights of sum 0: the relative place of the first part is Σ w x. */
export const FoldRow = {
  /** Nodes, and their weights. */
  NODE: 0,
  WEIGHT: 4,
  /** From the second part to the first, of length 1, at the start of the substep. */
  NORMAL: 8,
  /** Distance at the start of the substep, and the one that the parts keep (m). */
  BEFORE: 11,
  APART: 12,
  /** Relative velocity by unit impulse, Σ w²/m (1/kg). */
  MOBILITY: 13,
  /** Impulse along the normal, impulse of friction (N s), and displacement along the normal times mass (kg m). */
  ALONG: 14,
  ACROSS: 15,
  SHIFT: 18,
  LENGTH: 19,
} as const;

const { NODE, WEIGHT, NORMAL, BEFORE, APART, MOBILITY, LENGTH } = FoldRow;

/** Parts nearer than this share of the distance that they keep have no normal. */
const TOUCHING = 1e-6;

/** Weights of the closest place of a triangle, or shares along two edges. */
const weights = new Float64Array(3);

/** Of three nodes the one nearest to node i that is not near to it, or to k, in the rest shape; −1 for none. */
function nearest({ near }: FoldMesh, p: Float64Array, i: number, k: number, a: number, b: number, c: number): number {
  let found = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const j of [a, b, c]) {
    const square = distance2(p, i, j);
    if (square >= least || has(near, i, j) || has(near, k, j)) continue;
    least = square;
    found = j;
  }
  return found;
}

function has({ start, items }: Lists, i: number, j: number): boolean {
  for (let k = start[i]; k < start[i + 1]; k++) if (items[k] === j) return true;
  return false;
}

/**
 * Whether node i may touch a part whose nearest corner is j, not farther than `most` (m); −1 for none. Candidates are listed by these rules with some room. They are applied again to positions of this substep, so that contacts do not depend
 * on when candidates were listed.
 */
function mayTouch(mesh: FoldMesh, p: Float64Array, i: number, j: number, most: number): boolean {
  if (j < 0) return false;
  const distance = Math.sqrt(distance2(p, i, j));
  return distance <= most && distance <= foldedWithin(mesh, i, j);
}

/** The contacts of the current body. The list grows as needed. */
export class FoldRows {
  rows = new Float64Array(LENGTH * 64);
  count = 0;

  /**
   * Lists the candidates that would be nearer than they may at the end of the substep, along the line between their closest places at its start. At the start they are on their own sides of
   * each other, so that nothing passes through within a substep.
   */
  list(
    mesh: FoldMesh,
    candidates: Candidates,
    start: Float64Array,
    end: Float64Array,
    inverseMass: Float64Array,
  ): void {
    this.count = 0;
    const { triangles, edges } = mesh;
    const reach = mesh.apart + 2 * candidates.way;
    const { faces, edges: crossings } = candidates;
    for (let k = 0; k < faces.count; k++) {
      if (faces.distance[k] > faces.apart[k] + candidates.nearer) continue;
      const i = faces.items[2 * k];
      const t = 3 * faces.items[2 * k + 1];
      const a = triangles[t];
      const b = triangles[t + 1];
      const c = triangles[t + 2];
      const square = toTriangle(weights, start, i, a, b, c);
      const [u, v, w] = [-weights[0], -weights[1], -weights[2]];
      if (this.add(i, a, b, c, 1, u, v, w, Math.sqrt(square), faces.apart[k], start, end))
        this.keepIf(
          mayTouch(mesh, start, i, nearest(mesh, start, i, i, a, b, c), STRETCH * mesh.radius[t / 3] + reach),
        );
    }
    for (let k = 0; k < crossings.count; k++) {
      if (crossings.distance[k] > crossings.apart[k] + candidates.nearer) continue;
      const e = 2 * crossings.items[2 * k];
      const f = 2 * crossings.items[2 * k + 1];
      const a = edges[e];
      const b = edges[e + 1];
      const c = edges[f];
      const d = edges[f + 1];
      const square = toEdge(weights, start, a, b, c, d);
      const s = weights[0];
      const u = weights[1];
      if (this.add(a, b, c, d, 1 - s, s, u - 1, -u, Math.sqrt(square), crossings.apart[k], start, end)) {
        const [p, q] = [nearest(mesh, start, a, b, c, d, d), nearest(mesh, start, b, a, c, d, d)];
        const isFirst = q < 0 || (p >= 0 && distance2(start, a, p) <= distance2(start, b, q));
        const most = STRETCH * Math.min(mesh.crossing, mesh.half[e / 2] + mesh.half[f / 2]) + reach;
        const [near, far] = isFirst ? [a, p] : [b, q];
        this.keepIf(mayTouch(mesh, start, near, far, most));
      }
    }
    this.weigh(inverseMass);
  }

  /** Adds a row, if the parts would be too near. Returns false if they are not, or have a row already. */
  private add(
    a: number,
    b: number,
    c: number,
    d: number,
    wa: number,
    wb: number,
    wc: number,
    wd: number,
    distance: number,
    apart: number,
    start: Float64Array,
    end: Float64Array,
  ): boolean {
    if (!(distance > TOUCHING * apart)) return false;
    const oa = 3 * a;
    const ob = 3 * b;
    const oc = 3 * c;
    const od = 3 * d;
    const nx = (wa * start[oa] + wb * start[ob] + wc * start[oc] + wd * start[od]) / distance;
    const ny = (wa * start[oa + 1] + wb * start[ob + 1] + wc * start[oc + 1] + wd * start[od + 1]) / distance;
    const nz = (wa * start[oa + 2] + wb * start[ob + 2] + wc * start[oc + 2] + wd * start[od + 2]) / distance;
    const x = wa * end[oa] + wb * end[ob] + wc * end[oc] + wd * end[od];
    const y = wa * end[oa + 1] + wb * end[ob + 1] + wc * end[oc + 1] + wd * end[od + 1];
    const z = wa * end[oa + 2] + wb * end[ob + 2] + wc * end[oc + 2] + wd * end[od + 2];
    if (nx * x + ny * y + nz * z >= apart) return false;
    if (this.rows.length < LENGTH * (this.count + 1)) {
      const wider = new Float64Array(2 * this.rows.length);
      wider.set(this.rows);
      this.rows = wider;
    }
    const { rows } = this;
    const o = LENGTH * this.count;
    rows[o + NODE] = a;
    rows[o + NODE + 1] = b;
    rows[o + NODE + 2] = c;
    rows[o + NODE + 3] = d;
    rows[o + WEIGHT] = wa;
    rows[o + WEIGHT + 1] = wb;
    rows[o + WEIGHT + 2] = wc;
    rows[o + WEIGHT + 3] = wd;
    rows[o + NORMAL] = nx;
    rows[o + NORMAL + 1] = ny;
    rows[o + NORMAL + 2] = nz;
    rows[o + BEFORE] = distance;
    rows[o + APART] = apart;
    rows.fill(0, o + MOBILITY, o + LENGTH);
    if (this.isRepeated(o)) return false;
    this.count++;
    return true;
  }

  /** Takes the last row back, unless it is a contact. */
  private keepIf(isContact: boolean): void {
    if (!isContact) this.count--;
  }

  /** Whether a row before, of the same node, has the same closest place: that of a corner or an edge of two triangles. */
  private isRepeated(o: number): boolean {
    const { rows } = this;
    for (let p = o - LENGTH; p >= 0 && p >= o - 8 * LENGTH; p -= LENGTH) {
      if (rows[p + NODE] !== rows[o + NODE]) return false;
      let off = 0;
      for (let a = 0; a < 3; a++) off += Math.abs(rows[p + NORMAL + a] - rows[o + NORMAL + a]);
      if (off < 1e-6 && Math.abs(rows[p + BEFORE] - rows[o + BEFORE]) < 1e-6 * rows[o + APART]) return true;
    }
    return false;
  }

  /** Σ w²/m of the row at o (1/kg). */
  mobility(o: number, inverseMass: Float64Array): number {
    const { rows } = this;
    let sum = 0;
    for (let p = 0; p < 4; p++) sum += rows[o + WEIGHT + p] * rows[o + WEIGHT + p] * inverseMass[rows[o + NODE + p]];
    return sum;
  }

  /** Writes the mobilities. Contacts that nothing can move are left out. */
  private weigh(inverseMass: Float64Array): void {
    const { rows } = this;
    let kept = 0;
    for (let n = 0; n < this.count; n++) {
      const o = LENGTH * n;
      const sum = this.mobility(o, inverseMass);
      if (!(sum > 0)) continue;
      rows[o + MOBILITY] = sum;
      if (kept < n) rows.copyWithin(LENGTH * kept, o, o + LENGTH);
      kept++;
    }
    this.count = kept;
  }
}
