import { Scratch } from '../scratch.js';
import type { Complex } from './complex.js';
import type { Crack } from './crack.js';

/**
 * Knots of the inner faces as *keys*: numbers that do not change while a body comes apart. In the order of keys come
 * the vertices, two knots for each edge (in the regions of its lower and of its higher end), three for each triangle
 * (of its middle, in the regions of its corners), and from `cells` on those of points within cells.
 */
export interface Keys {
  readonly edges: number;
  readonly triangles: number;
  readonly cells: number;
}

export function keysOf(vertices: number, complex: Complex): Keys {
  const triangles = vertices + 2 * complex.low.length;
  return { edges: vertices, triangles, cells: triangles + complex.triangles.length };
}

/** Where half-edge k of triangle t is crossed, from its beginning; 0 where it is not. */
export function placeOn({ edge, triangles, low }: Complex, crack: Crack, t: number, k: number): number {
  const s = crack[edge[3 * t + k]];
  return s === 0 || triangles[3 * t + k] === low[edge[3 * t + k]] ? s : 1 - s;
}

/**
 * Writes the shares of the corners of a triangle in the point in its middle, where one or three of its edges are crossed:
 * the mean of the points on these, or halfway from the one point to the corner across, where the slit ends.
 */
export function middleSharesInto(out: Float64Array, complex: Complex, crack: Crack, t: number): void {
  out[0] = out[1] = out[2] = 0;
  let count = 0;
  let only = 0;
  for (let k = 0; k < 3; k++) {
    const s = placeOn(complex, crack, t, k);
    if (s === 0) continue;
    count++;
    only = k;
    out[k] += 1 - s;
    out[k === 2 ? 0 : k + 1] += s;
  }
  for (let k = 0; k < 3; k++) out[k] /= count === 1 ? 2 : count;
  if (count === 1) out[(only + 2) % 3] = 0.5;
}

/** The corner in whose region the middle of a triangle has the knot that corner k sees. If one edge alone is crossed, all see the same. */
export function middleCorner({ edge }: Complex, crack: Crack, t: number, k: number): number {
  let tip = -1;
  for (let n = 0; n < 3; n++) if (crack[edge[3 * t + n]] > 0) tip = tip === -1 ? (n + 2) % 3 : -2;
  return tip >= 0 ? tip : k;
}

/** Faces of the crack within one cell, found by clipCell. */
export class CellFaces {
  /** Keys of the knots of the corners, three a triangle. Those of the cell's own knots count from `Keys.cells`. */
  corner = new Int32Array(64);
  length = 0;
  /** Points of the cell's own, x y z each. */
  point = new Float64Array(64);
  points = 0;
  /** Knots of the cell's own: their point, and the vertex whose particles they follow. */
  knotPoint = new Int32Array(64);
  knotBase = new Int32Array(64);
  knots = 0;

  clear(): void {
    this.length = this.points = this.knots = 0;
  }

  addTriangle(a: number, b: number, c: number): void {
    // A loop that comes through a point twice: what it encloses there is nothing.
    if (a === b || b === c || c === a) return;
    if (this.length + 3 > this.corner.length) {
      const before = this.corner;
      this.corner = new Int32Array(2 * before.length);
      this.corner.set(before);
    }
    this.corner[this.length++] = a;
    this.corner[this.length++] = b;
    this.corner[this.length++] = c;
  }

  addPoint(x: number, y: number, z: number): number {
    if (3 * this.points + 3 > this.point.length) {
      const before = this.point;
      this.point = new Float64Array(2 * before.length);
      this.point.set(before);
    }
    this.point[3 * this.points] = x;
    this.point[3 * this.points + 1] = y;
    this.point[3 * this.points + 2] = z;
    return this.points++;
  }

  addKnot(point: number, base: number): number {
    if (this.knots === this.knotPoint.length) {
      const { knotPoint, knotBase } = this;
      this.knotPoint = new Int32Array(2 * this.knots);
      this.knotBase = new Int32Array(2 * this.knots);
      this.knotPoint.set(knotPoint);
      this.knotBase.set(knotBase);
    }
    this.knotPoint[this.knots] = point;
    this.knotBase[this.knots] = base;
    return this.knots++;
  }
}

/**
 * Finds the faces of the crack within cells. The border of two regions in a cell is the surface between the lines along
 * which they meet on the triangles around it. Loops of lines are filled by triangles; other lines are joined to a
 * point. The faces depend on the crossings of the cell's edges alone and on which of its vertices are shown.
 */
export class CellClipper {
  crack: Crack = new Float32Array(0);
  readonly faces = new CellFaces();
  private cell = 0;
  /** Per vertex: its number within the cell at hand, for vertices stamped with this cell's turn. */
  private readonly local: Int32Array;
  private readonly stamp: Uint32Array;
  private turn = 0;

  constructor(
    private readonly complex: Complex,
    private readonly x: Float64Array,
    private readonly keys: Keys,
    /** Anchors of the vertices: those without one are not shown. */
    private readonly anchor: Int32Array,
  ) {
    this.local = new Int32Array(x.length / 3);
    this.stamp = new Uint32Array(x.length / 3);
  }

  /** Writes the faces within a cell into `faces`. */
  clip(cell: number): void {
    this.faces.clear();
    this.cell = cell;
    const { start, triangle, edge, behind, ahead } = this.complex;
    const { crack } = this;
    const last = start[cell + 1];
    let count = 0;
    let isPlain = true;
    for (let n = start[cell]; n < last; n++) {
      const isTurned = triangle[n] < 0;
      const t = isTurned ? ~triangle[n] : triangle[n];
      const h = 3 * t;
      const crossed =
        (crack[edge[h]] > 0 ? 1 : 0) + (crack[edge[h + 1]] > 0 ? 1 : 0) + (crack[edge[h + 2]] > 0 ? 1 : 0);
      if (crossed === 0) continue;
      if (crossed !== 2) isPlain = false;
      count = this.addLines(t, crossed, isTurned, isTurned ? behind[t] : ahead[t], count);
    }
    if (count === 0) return;
    count = this.joinLines(count);
    if (!(isPlain && this.fillLoops(count))) this.fillCone(count);
  }

  /** Adds the lines in a triangle, as seen from outside the cell; returns how many lines there are now. */
  private addLines(t: number, crossed: number, isTurned: boolean, beyond: number, count: number): number {
    const { edge, triangles } = this.complex;
    const { crack } = this;
    const h = 3 * t;
    if (crossed === 2) {
      // Corner o is cut off; p and q follow it.
      const p = crack[edge[h]] === 0 ? 0 : crack[edge[h + 1]] === 0 ? 1 : 2;
      const o = p === 0 ? 2 : p - 1;
      const q = p === 2 ? 0 : p + 1;
      const u = triangles[h + o];
      putLine(count, edge[h + o], edge[h + q], u, u, triangles[h + p], triangles[h + q], isTurned, beyond);
      return count + 1;
    }
    for (let k = 0; k < 3; k++) {
      if (crack[edge[h + k]] === 0) continue;
      const u = triangles[h + k];
      const v = triangles[h + (k === 2 ? 0 : k + 1)];
      putLine(count++, edge[h + k], ~t, u, u, v, v, isTurned, beyond);
    }
    return count;
  }

  /**
   * Makes one line of two that meet in the midst of a face: the cells on both sides of the face do so. Lines to the
   * middle of a triangle stay.
   */
  private joinLines(count: number): number {
    const { isWithin } = this.complex;
    for (let n = 0; n < count; n++)
      for (let m = n + 1; m < count; m++) {
        const i = LINE * n;
        const j = LINE * m;
        if (lines[i] < 0 || lines[i + 1] < 0 || lines[j] < 0 || lines[j + 1] < 0) continue;
        // Which end of the first line is which end of the second.
        const a = lines[i] === lines[j] || lines[i] === lines[j + 1] ? 0 : 1;
        const e = lines[i + a];
        if (!isWithin[e] || (lines[j] !== e && lines[j + 1] !== e)) continue;
        const b = lines[j] === e ? 0 : 1;
        // Both lines run the same way if the end of one is the beginning of the other; else left and right are swapped.
        const swap = a === b ? 2 : 0;
        lines[i + a] = lines[j + 1 - b];
        lines[i + 2 + a] = lines[j + 2 + swap + 1 - b];
        lines[i + 4 + a] = lines[j + 4 - swap + 1 - b];
        count--;
        for (let k = 0; k < LINE; k++) lines[j + k] = lines[LINE * count + k];
        m = n;
      }
    return count;
  }

  /** Writes the place of a line's end at index `at` of `places`. */
  private placeInto(at: number, end: number): void {
    const { x, complex, crack } = this;
    if (end >= 0) {
      const [u, v, t] = [3 * complex.low[end], 3 * complex.high[end], crack[end]];
      for (let a = 0; a < 3; a++) places[at + a] = x[u + a] + t * (x[v + a] - x[u + a]);
      return;
    }
    middleSharesInto(shares, complex, crack, ~end);
    for (let a = 0; a < 3; a++) {
      places[at + a] = 0;
      for (let k = 0; k < 3; k++) places[at + a] += shares[k] * x[3 * complex.triangles[3 * ~end + k] + a];
    }
  }

  /** The key of a line's end in the region of vertex v; −1 where that is not shown. */
  private keyAt(end: number, v: number): number {
    if (this.anchor[v] < 0) return -1;
    const { keys, complex, crack } = this;
    if (end >= 0) return keys.edges + 2 * end + (v === complex.low[end] ? 0 : 1);
    const h = 3 * ~end;
    const { triangles } = complex;
    return (
      keys.triangles + h + middleCorner(complex, crack, ~end, triangles[h] === v ? 0 : triangles[h + 1] === v ? 1 : 2)
    );
  }

  /** The key of one of the cell's own knots. */
  private ownKey(point: number, base: number): number {
    return this.keys.cells + this.faces.addKnot(point, base);
  }

  /** Fills closed loops of lines. Returns false, with nothing done, if lines are left over or do not fit together. */
  private fillLoops(count: number): boolean {
    taken.fill(0, 0, count);
    let loops = 0;
    let end = 0;
    for (let n = 0; n < count; n++) {
      if (taken[n]) continue;
      loopStart[loops++] = end;
      end = followLoop(count, n, end);
      if (end < 0) return false;
    }
    loopStart[loops] = end;
    for (let n = 0; n < loops; n++) this.fillLoop(loopStart[n], loopStart[n + 1] - loopStart[n]);
    return true;
  }

  /** Fills a loop by a fan around one of its points, that with the shortest spokes. */
  private fillLoop(first: number, count: number): void {
    // A loop of two lines encloses nothing.
    if (count < 3) return;
    for (let n = 0; n < count; n++) {
      const o = LOOP * (first + n);
      loopKey[2 * n] = this.keyAt(loop[o], loop[o + 1]);
      loopKey[2 * n + 1] = this.keyAt(loop[o], loop[o + 2]);
      if (count > 3) this.placeInto(3 * n, loop[o]);
    }
    const hub = count > 3 ? hubOf(first, count) : 0;
    if (hub < 0) {
      this.fillRound(first, count);
      return;
    }
    const { faces } = this;
    const a = 2 * hub;
    for (let n = 1; n + 1 < count; n++) {
      const b = 2 * ((hub + n) % count);
      const c = 2 * ((hub + n + 1) % count);
      // The region on the left has the lines on its border in this direction, so its face has them in the other.
      if (loopKey[a] >= 0) faces.addTriangle(loopKey[c], loopKey[b], loopKey[a]);
      if (loopKey[a + 1] >= 0) faces.addTriangle(loopKey[a + 1], loopKey[b + 1], loopKey[c + 1]);
    }
  }

  /** Fills a loop by a fan around a point in its midst. */
  private fillRound(first: number, count: number): void {
    const { faces } = this;
    mean[0] = mean[1] = mean[2] = 0;
    for (let n = 0; n < count; n++) for (let a = 0; a < 3; a++) mean[a] += places[3 * n + a] / count;
    const point = faces.addPoint(mean[0], mean[1], mean[2]);
    const left = loopKey[0] >= 0 ? this.ownKey(point, loop[LOOP * first + 1]) : -1;
    const right = loopKey[1] >= 0 ? this.ownKey(point, loop[LOOP * first + 2]) : -1;
    for (let n = 0; n < count; n++) {
      const [a, b] = [2 * n, 2 * ((n + 1) % count)];
      if (left >= 0) faces.addTriangle(loopKey[b], loopKey[a], left);
      if (right >= 0) faces.addTriangle(loopKey[a + 1], loopKey[b + 1], right);
    }
  }

  /** Joins all lines of a cell to a point in their midst, which has a knot for each region that hangs together. */
  private fillCone(count: number): void {
    const { faces } = this;
    const vertices = this.joinRegions();
    mean[0] = mean[1] = mean[2] = 0;
    for (let n = 0; n < LINE * count; n += LINE)
      for (let end = n; end < n + 2; end++) {
        this.placeInto(0, lines[end]);
        for (let a = 0; a < 3; a++) mean[a] += places[a] / (2 * count);
      }
    const point = faces.addPoint(mean[0], mean[1], mean[2]);
    const key = regionKey.take(vertices).fill(-1);
    for (let n = 0; n < LINE * count; n += LINE) {
      const [a, b] = [lines[n], lines[n + 1]];
      for (const side of [2, 4]) {
        const [u, v] = [lines[n + side], lines[n + side + 1]];
        if (this.anchor[u] < 0) continue;
        const r = rootOf(this.local[u]);
        if (key[r] < 0) key[r] = this.ownKey(point, regionVertex[r]);
        if (side === 2) faces.addTriangle(this.keyAt(b, v), this.keyAt(a, u), key[r]);
        else faces.addTriangle(this.keyAt(a, u), this.keyAt(b, v), key[r]);
      }
    }
  }

  /** Groups the vertices of the cell by edges that are not crossed; the lowest of a group is its root. Returns their number. */
  private joinRegions(): number {
    const { start, triangle, triangles, edge } = this.complex;
    const { local, stamp, crack } = this;
    const turn = ++this.turn;
    let count = 0;
    if (3 * (start[this.cell + 1] - start[this.cell]) > parent.length) {
      parent = new Int32Array(6 * (start[this.cell + 1] - start[this.cell]));
      regionVertex = new Int32Array(parent.length);
    }
    for (let n = start[this.cell]; n < start[this.cell + 1]; n++) {
      const h = 3 * (triangle[n] < 0 ? ~triangle[n] : triangle[n]);
      for (let k = 0; k < 3; k++) {
        const v = triangles[h + k];
        if (stamp[v] === turn) continue;
        stamp[v] = turn;
        local[v] = parent[count] = count;
        regionVertex[count++] = v;
      }
    }
    for (let n = start[this.cell]; n < start[this.cell + 1]; n++) {
      const h = 3 * (triangle[n] < 0 ? ~triangle[n] : triangle[n]);
      for (let k = 0; k < 3; k++) {
        if (crack[edge[h + k]] > 0) continue;
        const a = rootOf(local[triangles[h + k]]);
        const b = rootOf(local[triangles[h + (k === 2 ? 0 : k + 1)]]);
        if (a === b) continue;
        if (regionVertex[a] < regionVertex[b]) parent[b] = a;
        else parent[a] = b;
      }
    }
    return count;
  }
}

/** Groups of the vertices of the cell at hand: parent of each, and its number in the body. */
let parent = new Int32Array(64);
let regionVertex = new Int32Array(64);
const regionKey = new Scratch(Int32Array);

function rootOf(n: number): number {
  while (parent[n] !== n) n = parent[n] = parent[parent[n]];
  return n;
}

/**
 * The lines around the cell at hand. Each has two ends: an edge, or ~t for the middle of triangle t. The region on the
 * left has the line from the first to the second on its border. There follow the vertices whose regions meet the line,
 * on the left at both ends and on the right, and the cell on the other side.
 */
const LINE = 7;
const MOST_LINES = 4096;
const lines = new Int32Array(LINE * MOST_LINES);
/** Which of them belong to a loop. */
const taken = new Uint8Array(MOST_LINES);
/**
 * Loops of lines: for each point its edge, the ends of that on the left and on the right of the loop, and the cells on
 * the other side of the lines before and after it.
 */
const LOOP = 5;
const loop = new Int32Array(LOOP * MOST_LINES);
const loopStart = new Uint32Array(MOST_LINES + 1);
/** Keys of the loop at hand, on the left and on the right, and places of its points. */
const loopKey = new Int32Array(2 * MOST_LINES);
const places = new Float64Array(3 * MOST_LINES);
const mean = new Float64Array(3);
const shares = new Float64Array(3);

function putLine(
  n: number,
  a: number,
  b: number,
  aLeft: number,
  bLeft: number,
  aRight: number,
  bRight: number,
  isTurned: boolean,
  beyond: number,
): void {
  const o = LINE * n;
  lines[o] = isTurned ? b : a;
  lines[o + 1] = isTurned ? a : b;
  lines[o + 2] = isTurned ? bLeft : aLeft;
  lines[o + 3] = isTurned ? aLeft : bLeft;
  lines[o + 4] = isTurned ? bRight : aRight;
  lines[o + 5] = isTurned ? aRight : bRight;
  lines[o + 6] = beyond;
}

/**
 * Writes a loop of lines, from line n on, at place `first` of `loop`; returns where it ends, −1 if it is not closed or
 * the vertices on a side do not match those of the first line.
 */
function followLoop(count: number, n: number, first: number): number {
  const begin = lines[LINE * n];
  let isTurned = false;
  let end = first;
  for (let at = n; ; ) {
    taken[at] = 1;
    const o = LINE * at;
    const from = isTurned ? 1 : 0;
    const left = o + (isTurned ? 4 : 2);
    const right = o + (isTurned ? 2 : 4);
    const p = LOOP * end++;
    loop[p] = lines[o + from];
    loop[p + 1] = lines[left + from];
    loop[p + 2] = lines[right + from];
    loop[p + 4] = lines[o + 6];
    if (end > first + 1) loop[p + 3] = loop[p - LOOP + 4];
    const to = lines[o + 1 - from];
    const ours = lines[left + 1 - from];
    const theirs = lines[right + 1 - from];
    if (to === begin) {
      loop[LOOP * first + 3] = lines[o + 6];
      return ours === loop[LOOP * first + 1] && theirs === loop[LOOP * first + 2] ? end : -1;
    }
    let next = -1;
    for (let m = 0; m < count && next < 0; m++) {
      if (taken[m]) continue;
      const q = LINE * m;
      if (lines[q] === to && lines[q + 2] === ours && lines[q + 4] === theirs) {
        next = m;
        isTurned = false;
      } else if (lines[q + 1] === to && lines[q + 5] === ours && lines[q + 3] === theirs) {
        next = m;
        isTurned = true;
      }
    }
    if (next < 0) return -1;
    at = next;
  }
}

/**
 * The point of a loop from which the spokes to all others are shortest; −1 if there is none. No spoke may lie between
 * points that another cell has both: that cell might have the same, and four triangles would meet there.
 */
function hubOf(first: number, count: number): number {
  let hub = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < count; n++) {
    let sum = 0;
    for (let m = 0; m < count; m++) sum += apart2(3 * n, 3 * m);
    if (sum >= least) continue;
    let isFree = true;
    for (let m = 2; m < count - 1 && isFree; m++) isFree = !shareCell(first + n, first + ((n + m) % count));
    if (isFree) {
      hub = n;
      least = sum;
    }
  }
  return hub;
}

/** Whether two points of a loop have a neighbouring cell in common. */
function shareCell(m: number, n: number): boolean {
  const [i, j] = [LOOP * m, LOOP * n];
  return (
    loop[i + 3] === loop[j + 3] ||
    loop[i + 3] === loop[j + 4] ||
    loop[i + 4] === loop[j + 3] ||
    loop[i + 4] === loop[j + 4]
  );
}

function apart2(i: number, j: number): number {
  const x = places[i] - places[j];
  const y = places[i + 1] - places[j + 1];
  const z = places[i + 2] - places[j + 2];
  return x * x + y * y + z * z;
}
