import { squared } from '../math/elementary.js';
import { counting } from '../scratch.js';
import { type Crack, findCrack } from './crack.js';
import type { Knots } from './knots.js';
import { NO_ANCHOR, Sides, type Torn } from './sides.js';
import type { SkinMesh } from './skinMesh.js';
import { type SmoothFaces, smoothFaces } from './smoothFaces.js';

/** The shown mesh of a body that has come apart, and its knots: the render mesh, then the inner faces laid open. */
export interface Tear {
  mesh: SkinMesh;
  knots: Knots;
}

/**
 * Tears a render mesh where its body has come apart (SPEC V3). Every vertex of the body's cells belongs to a side. An
 * edge whose ends no longer hang together is crossed by the crack at one point. Around each end of such an edge lies
 * the *region* of that end. In a triangle the border of two regions is the line between two points on edges, or lines
 * from these to a point in its middle: where three regions meet, and where a slit ends. In a cell the border of two
 * regions is the surface between such lines. So every region is closed, by combinatorics alone; nothing depends on
 * rounding. A point of the crack has a knot for each of the regions around it that do not hang together. A vertex has
 * one: it lies within its region.
 */
export function tear(mesh: SkinMesh, torn: Torn): Tear {
  return new Tearing(mesh, torn).run();
}

class Tearing {
  private readonly sides: Sides;
  private readonly crack: Crack;
  /** Triangles of the shown mesh: knots, and rest vertices, of their corners. */
  private readonly corner: number[] = [];
  private readonly vertex: number[] = [];
  /** Attributes of the corners, where the mesh has them, and the kind of each triangle. */
  private readonly uvs: number[] = [];
  private readonly colours: number[] = [];
  private readonly source: number[] = [];
  private readonly inner: number[] = [];
  /** Rest positions of the points of the crack, and whether each lies on the mesh. */
  private readonly points: number[] = [];
  private readonly isOnMesh: number[] = [];
  /** Per knot: its vertex in the shown mesh, and the vertex of the cells whose particles it follows. */
  private readonly knotVertex: number[] = [];
  private readonly knotBase: number[] = [];
  /** Per edge: its point, and its knots at the lower and at the higher end; −1 at first. */
  private readonly edgePoint: Int32Array;
  private readonly edgeKnot: Int32Array;
  /** Per triangle: the point in its middle. Per corner of such a triangle: the knot of this point there. */
  private readonly middlePoint = new Map<number, number>();
  private readonly middleKnot = new Map<number, number>();
  /** Knot of each vertex of the mesh. */
  private readonly vertexKnot: Int32Array;
  private readonly outer: number;
  /** Pairs of points between which a cell has an edge of its own. */
  private readonly spokes = new Set<number>();

  constructor(
    private readonly mesh: SkinMesh,
    private readonly torn: Torn,
  ) {
    const { surroundings } = torn;
    this.sides = new Sides(torn);
    this.crack = findCrack(this.sides, surroundings, torn);
    this.outer = mesh.positions.length / 3;
    this.edgePoint = new Int32Array(this.crack.length).fill(-1);
    this.edgeKnot = new Int32Array(2 * this.crack.length).fill(-1);
    this.vertexKnot = new Int32Array(this.outer).fill(-1);
    this.numberVertices();
  }

  run(): Tear {
    this.showMesh();
    const skin = this.corner.length;
    const { start } = this.torn.surroundings.complex;
    for (let c = 0; c + 1 < start.length; c++) if (start[c] < start[c + 1]) this.showInside(c);
    const { mesh, torn } = this;
    const positions = new Float64Array(mesh.positions.length + this.points.length);
    positions.set(mesh.positions);
    positions.set(this.points, mesh.positions.length);
    const indices = Uint32Array.from(this.vertex);
    const faces: SmoothFaces = {
      positions,
      first: this.outer,
      isFixed: Uint8Array.from(this.isOnMesh),
      vertex: indices,
      start: skin,
    };
    smoothFaces(faces, torn.surroundings.spacing, torn);
    const lengthen = (values: number[], width: number) => {
      const all = new Float32Array(width * this.corner.length);
      all.set(values);
      return all;
    };
    return {
      mesh: {
        positions,
        indices,
        uvs: mesh.uvs && lengthen(this.uvs, 2),
        colours: mesh.colours && lengthen(this.colours, 3),
        ...(mesh.source && { source: lengthen(this.source, 3) }),
        inner: this.inner.includes(1) ? Uint8Array.from(this.inner) : undefined,
        near: undefined,
        crease: mesh.crease,
      },
      knots: this.makeKnots(),
    };
  }

  /** Numbers the vertices of the mesh that are seen: a body that has not come apart at its surface keeps its numbers. */
  private numberVertices(): void {
    const { mesh, sides, vertexKnot } = this;
    for (const v of mesh.indices) if (sides.anchor[v] !== NO_ANCHOR) vertexKnot[v] = 0;
    for (let v = 0; v < this.outer; v++) if (vertexKnot[v] === 0) vertexKnot[v] = this.addKnot(v, v);
  }

  private addKnot(vertex: number, base: number): number {
    this.knotBase.push(base);
    return this.knotVertex.push(vertex) - 1;
  }

  private addPoint(x: number, y: number, z: number, isOnMesh: boolean): number {
    this.points.push(x, y, z);
    return this.outer + this.isOnMesh.push(isOnMesh ? 1 : 0) - 1;
  }

  private coordinate(vertex: number, axis: number): number {
    return this.points[3 * (vertex - this.outer) + axis];
  }

  private pointOf(e: number): number {
    if (this.edgePoint[e] < 0) {
      const { positions: x, complex } = this.torn.surroundings;
      const [u, v, t] = [3 * complex.low[e], 3 * complex.high[e], this.crack[e]];
      const at = (a: number) => x[u + a] + t * (x[v + a] - x[u + a]);
      this.edgePoint[e] = this.addPoint(at(0), at(1), at(2), e < complex.skinEdges);
    }
    return this.edgePoint[e];
  }

  /** The knot of an edge's point in the region of one of its ends. */
  private knotOf(e: number, end: number): number {
    const { complex } = this.torn.surroundings;
    const k = 2 * e + (end === complex.low[e] ? 0 : 1);
    if (this.edgeKnot[k] < 0) this.edgeKnot[k] = this.addKnot(this.pointOf(e), end);
    return this.edgeKnot[k];
  }

  /**
   * The point in the middle of a triangle with one or three crossed edges: the mean of the points on these, or halfway
   * from the one point to the corner across, where the slit ends.
   */
  private middleOf(t: number): number {
    let point = this.middlePoint.get(t);
    if (point !== undefined) return point;
    const { complex } = this.torn.surroundings;
    const place = [0, 0, 0];
    const shares = this.middleShares(t);
    for (let k = 0; k < 3; k++)
      for (let a = 0; a < 3; a++)
        place[a] += shares[k] * this.torn.surroundings.positions[3 * complex.triangles[3 * t + k] + a];
    point = this.addPoint(place[0], place[1], place[2], t < complex.skinTriangles);
    this.middlePoint.set(t, point);
    return point;
  }

  /** Shares of the corners of a triangle in its middle point. */
  private middleShares(t: number): [number, number, number] {
    const shares: [number, number, number] = [0, 0, 0];
    let count = 0;
    for (let k = 0; k < 3; k++) {
      const s = this.placeOn(t, k);
      if (s === 0) continue;
      count++;
      shares[k] += 1 - s;
      shares[(k + 1) % 3] += s;
    }
    if (count === 1) {
      const across = shares.indexOf(0);
      for (let k = 0; k < 3; k++) shares[k] /= 2;
      shares[across] = 0.5;
      return shares;
    }
    for (let k = 0; k < 3; k++) shares[k] /= count;
    return shares;
  }

  /** The knot of the middle of a triangle in the region of corner k. If one edge alone is crossed, all have the same. */
  private middleKnotOf(t: number, k: number): number {
    const { triangles } = this.torn.surroundings.complex;
    let isTip = -1;
    for (let n = 0; n < 3; n++) if (this.placeOn(t, n) > 0) isTip = isTip === -1 ? (n + 2) % 3 : -2;
    const n = isTip >= 0 ? isTip : k;
    let knot = this.middleKnot.get(3 * t + n);
    if (knot === undefined) {
      knot = this.addKnot(this.middleOf(t), triangles[3 * t + n]);
      this.middleKnot.set(3 * t + n, knot);
    }
    return knot;
  }

  /** Where half-edge k of triangle t is crossed, from its beginning; 0 where it is not. */
  private placeOn(t: number, k: number): number {
    const { complex } = this.torn.surroundings;
    const s = this.crack[complex.edge[3 * t + k]];
    return s === 0 || complex.triangles[3 * t + k] === complex.low[complex.edge[3 * t + k]] ? s : 1 - s;
  }

  private isShown(v: number): boolean {
    return this.sides.anchor[v] !== NO_ANCHOR;
  }

  /** Shows the triangles of the mesh, divided where the crack crosses them. */
  private showMesh(): void {
    const { mesh, crack, vertexKnot } = this;
    const { indices } = mesh;
    const { edge } = this.torn.surroundings.complex;
    for (let t = 0; 3 * t < indices.length; t++) {
      const h = 3 * t;
      if (crack[edge[h]] > 0 || crack[edge[h + 1]] > 0 || crack[edge[h + 2]] > 0) this.divideTriangle(t);
      else if (this.isShown(indices[h])) {
        for (let k = h; k < h + 3; k++) this.addCorner(vertexKnot[indices[k]], t, k === h ? 1 : 0, k === h + 1 ? 1 : 0);
        this.inner.push(mesh.inner ? mesh.inner[t] : 0);
      }
    }
  }

  /** Adds a corner of a triangle of the mesh, by its shares of the first two corners of triangle t. */
  private addCorner(knot: number, t: number, a: number, b: number): void {
    const { uvs, colours, source } = this.mesh;
    this.corner.push(knot);
    this.vertex.push(this.knotVertex[knot]);
    const c = 1 - a - b;
    const mix = (values: Float32Array, width: number, n: number) =>
      a * values[3 * t * width + n] + b * values[(3 * t + 1) * width + n] + c * values[(3 * t + 2) * width + n];
    if (uvs) for (let n = 0; n < 2; n++) this.uvs.push(mix(uvs, 2, n));
    if (colours) for (let n = 0; n < 3; n++) this.colours.push(mix(colours, 3, n));
    // All corners of a triangle lie in one triangle of the file, whose number comes first.
    if (source) this.source.push(source[9 * t], mix(source, 3, 1), mix(source, 3, 2));
  }

  private divideTriangle(t: number): void {
    const { mesh, vertexKnot, crack } = this;
    const { edge, triangles } = this.torn.surroundings.complex;
    const v = [0, 1, 2].map((k) => triangles[3 * t + k]);
    const e = [0, 1, 2].map((k) => edge[3 * t + k]);
    const crossed = e.filter((n) => crack[n] > 0).length;
    // Corners of the new triangles: knot, and shares of the corners of the old one.
    type Corner = [number, number, number];
    const at = (k: number): Corner => [vertexKnot[v[k]], k === 0 ? 1 : 0, k === 1 ? 1 : 0];
    const on = (k: number, end: number): Corner => {
      const s = this.placeOn(t, k);
      const shares = [0, 0, 0];
      shares[k] = 1 - s;
      shares[(k + 1) % 3] = s;
      return [this.knotOf(e[k], v[end]), shares[0], shares[1]];
    };
    const add = (...corners: Corner[]) => {
      for (const [knot, a, b] of corners) this.addCorner(knot, t, a, b);
      this.inner.push(mesh.inner ? mesh.inner[t] : 0);
    };
    if (crossed === 2) {
      // Corner o is cut off; p and q follow it.
      const o = (e.findIndex((n) => crack[n] === 0) + 2) % 3;
      const [p, q] = [(o + 1) % 3, (o + 2) % 3];
      if (this.isShown(v[o])) add(at(o), on(o, o), on(q, o));
      if (!this.isShown(v[p])) return;
      const [P, Q] = [on(o, p), on(q, q)];
      if (this.distance2(P[0], v[q]) <= this.distance2(Q[0], v[p])) {
        add(P, at(p), at(q));
        add(P, at(q), Q);
      } else {
        add(P, at(p), Q);
        add(at(p), at(q), Q);
      }
      return;
    }
    const [a, b] = this.middleShares(t);
    const middle = (k: number): Corner => [this.middleKnotOf(t, k), a, b];
    for (let k = 0; k < 3; k++) {
      const n = (k + 1) % 3;
      if (crack[e[k]] === 0) {
        if (this.isShown(v[k])) add(at(k), at(n), middle(k));
        continue;
      }
      if (this.isShown(v[k])) add(at(k), on(k, k), middle(k));
      if (this.isShown(v[n])) add(on(k, n), at(n), middle(n));
    }
  }

  /** Square of the distance of a knot's point of the crack from a vertex of the cells, at rest. */
  private distance2(knot: number, v: number): number {
    const { positions: x } = this.torn.surroundings;
    let square = 0;
    for (let a = 0; a < 3; a++) square += squared(this.coordinate(this.knotVertex[knot], a) - x[3 * v + a]);
    return square;
  }

  /** Shows the faces of the crack within a cell. */
  private showInside(cell: number): void {
    const { start, triangle, edge } = this.torn.surroundings.complex;
    const { crack } = this;
    const last = start[cell + 1];
    let count = 0;
    let isPlain = true;
    for (let n = start[cell]; n < last; n++) {
      const t = triangle[n] < 0 ? ~triangle[n] : triangle[n];
      const h = 3 * t;
      const crossed =
        (crack[edge[h]] > 0 ? 1 : 0) + (crack[edge[h + 1]] > 0 ? 1 : 0) + (crack[edge[h + 2]] > 0 ? 1 : 0);
      if (crossed === 0) continue;
      if (crossed !== 2) isPlain = false;
      count = this.addLines(t, crossed, triangle[n] < 0, count);
    }
    if (count === 0) return;
    count = this.joinLines(count);
    if (!(isPlain && this.fillLoops(count))) this.fillCone(cell, count);
  }

  /** Adds the lines in a triangle, as seen from outside the cell; returns how many lines there are now. */
  private addLines(t: number, crossed: number, isTurned: boolean, count: number): number {
    const { edge, triangles } = this.torn.surroundings.complex;
    const { crack } = this;
    const h = 3 * t;
    if (crossed === 2) {
      // Corner o is cut off; p and q follow it.
      const p = crack[edge[h]] === 0 ? 0 : crack[edge[h + 1]] === 0 ? 1 : 2;
      const o = (p + 2) % 3;
      const q = (p + 1) % 3;
      const u = triangles[h + o];
      putLine(count, edge[h + o], edge[h + q], u, u, triangles[h + p], triangles[h + q], isTurned);
      return count + 1;
    }
    for (let k = 0; k < 3; k++) {
      if (crack[edge[h + k]] === 0) continue;
      const u = triangles[h + k];
      const v = triangles[h + ((k + 1) % 3)];
      putLine(count++, edge[h + k], ~t, u, u, v, v, isTurned);
    }
    return count;
  }

  /**
   * Makes one line of two that meet in the midst of a face: the cells on both sides of the face do so. Lines to the
   * middle of a triangle stay.
   */
  private joinLines(count: number): number {
    const { isWithin } = this.torn.surroundings.complex;
    for (let n = 0; n < count; n++)
      for (let m = n + 1; m < count; m++) {
        const [i, j] = [LINE * n, LINE * m];
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

  private pointAt(place: number): number {
    return place >= 0 ? this.pointOf(place) : this.middleOf(~place);
  }

  /** The knot of a line's end in the region of vertex v; −1 where that is not shown. */
  private knotAt(place: number, v: number): number {
    if (this.sides.anchor[v] === NO_ANCHOR) return -1;
    if (place >= 0) return this.knotOf(place, v);
    const { triangles } = this.torn.surroundings.complex;
    const h = 3 * ~place;
    return this.middleKnotOf(~place, triangles[h] === v ? 0 : triangles[h + 1] === v ? 1 : 2);
  }

  /** Fills closed loops of lines. Returns false, with nothing done, if lines are left over or do not fit together. */
  private fillLoops(count: number): boolean {
    taken.fill(0, 0, count);
    const loops: number[][] = [];
    for (let n = 0; n < count; n++) {
      if (taken[n]) continue;
      const loop = followLoop(count, n);
      if (!loop) return false;
      loops.push(loop);
    }
    for (const loop of loops) this.fillLoop(loop);
    return true;
  }

  /**
   * Fills a loop by a fan around one of its points, that with the shortest spokes. `loop`: for each point its edge, and
   * the ends of that on the left and on the right of the loop.
   */
  private fillLoop(loop: readonly number[]): void {
    const count = loop.length / 3;
    // A loop of two lines encloses nothing.
    if (count < 3) return;
    for (let n = 0; n < count; n++) {
      loopPoint[n] = this.pointOf(loop[3 * n]);
      loopKnot[2 * n] = this.knotAt(loop[3 * n], loop[3 * n + 1]);
      loopKnot[2 * n + 1] = this.knotAt(loop[3 * n], loop[3 * n + 2]);
    }
    const hub = count > 3 ? this.hubOf(count) : 0;
    if (hub < 0) {
      this.fillRound(loop);
      return;
    }
    for (let n = 1; n + 1 < count; n++) {
      const [a, b, c] = [2 * hub, 2 * ((hub + n) % count), 2 * ((hub + n + 1) % count)];
      // The region on the left has the lines on its border in this direction, so its face has them in the other.
      if (loopKnot[a] >= 0) this.addInner(loopKnot[c], loopKnot[b], loopKnot[a]);
      if (loopKnot[a + 1] >= 0) this.addInner(loopKnot[a + 1], loopKnot[b + 1], loopKnot[c + 1]);
    }
  }

  /**
   * The point of a loop from which the spokes to all others are shortest, among those with no spoke that another cell
   * has: four triangles would meet there. −1 if there is none.
   */
  private hubOf(count: number): number {
    let [hub, least] = [-1, Number.POSITIVE_INFINITY];
    for (let n = 0; n < count; n++) {
      let sum = 0;
      for (let m = 0; m < count; m++) sum += this.apart2(loopPoint[n], loopPoint[m]);
      if (sum >= least) continue;
      let isFree = true;
      for (let m = 2; m < count - 1 && isFree; m++)
        isFree = !this.spokes.has(spokeOf(loopPoint[n], loopPoint[(n + m) % count]));
      if (isFree) [hub, least] = [n, sum];
    }
    for (let m = 2; m < count - 1 && hub >= 0; m++)
      this.spokes.add(spokeOf(loopPoint[hub], loopPoint[(hub + m) % count]));
    return hub;
  }

  /** Fills a loop by a fan around a point in its midst. */
  private fillRound(loop: readonly number[]): void {
    const count = loop.length / 3;
    const place = [0, 0, 0];
    for (let n = 0; n < count; n++) for (let a = 0; a < 3; a++) place[a] += this.coordinate(loopPoint[n], a) / count;
    const point = this.addPoint(place[0], place[1], place[2], false);
    const left = loopKnot[0] >= 0 ? this.addKnot(point, loop[1]) : -1;
    const right = loopKnot[1] >= 0 ? this.addKnot(point, loop[2]) : -1;
    for (let n = 0; n < count; n++) {
      const [a, b] = [2 * n, 2 * ((n + 1) % count)];
      if (left >= 0) this.addInner(loopKnot[b], loopKnot[a], left);
      if (right >= 0) this.addInner(loopKnot[a + 1], loopKnot[b + 1], right);
    }
  }

  private apart2(p: number, q: number): number {
    const { points, outer } = this;
    const [i, j] = [3 * (p - outer), 3 * (q - outer)];
    const x = points[i] - points[j];
    const y = points[i + 1] - points[j + 1];
    const z = points[i + 2] - points[j + 2];
    return x * x + y * y + z * z;
  }

  private addInner(a: number, b: number, c: number): void {
    // A loop that comes through a point twice: what it encloses there is nothing.
    if (a === b || b === c || c === a) return;
    this.corner.push(a, b, c);
    this.vertex.push(this.knotVertex[a], this.knotVertex[b], this.knotVertex[c]);
    this.inner.push(1);
  }

  /** Joins all lines of a cell to a point in their midst, which has a knot for each region that hangs together. */
  private fillCone(cell: number, count: number): void {
    const root = this.regionsOf(cell);
    const place = [0, 0, 0];
    for (let n = 0; n < LINE * count; n += LINE)
      for (const end of [this.pointAt(lines[n]), this.pointAt(lines[n + 1])])
        for (let a = 0; a < 3; a++) place[a] += this.coordinate(end, a) / (2 * count);
    const point = this.addPoint(place[0], place[1], place[2], false);
    const knots = new Map<number, number>();
    const knotIn = (v: number) => {
      const r = root(v);
      let knot = knots.get(r);
      if (knot === undefined) {
        knot = this.addKnot(point, r);
        knots.set(r, knot);
      }
      return knot;
    };
    for (let n = 0; n < LINE * count; n += LINE) {
      const [a, b, aLeft, bLeft, aRight, bRight] = lines.subarray(n, n + LINE);
      if (this.isShown(aLeft)) this.addInner(this.knotAt(b, bLeft), this.knotAt(a, aLeft), knotIn(aLeft));
      if (this.isShown(aRight)) this.addInner(this.knotAt(a, aRight), this.knotAt(b, bRight), knotIn(aRight));
    }
  }

  /** The vertices of a cell that hang together by edges that are not crossed: the lowest of each group. */
  private regionsOf(cell: number): (v: number) => number {
    const { start, triangle, triangles, edge } = this.torn.surroundings.complex;
    const parent = new Map<number, number>();
    const root = (v: number): number => {
      const p = parent.get(v) ?? v;
      return p === v ? v : root(p);
    };
    for (let n = start[cell]; n < start[cell + 1]; n++) {
      const h = 3 * (triangle[n] < 0 ? ~triangle[n] : triangle[n]);
      for (let k = 0; k < 3; k++) {
        if (this.crack[edge[h + k]] > 0) continue;
        const [a, b] = [root(triangles[h + k]), root(triangles[h + ((k + 1) % 3)])];
        if (a !== b) parent.set(Math.max(a, b), Math.min(a, b));
      }
    }
    return root;
  }

  private makeKnots(): Knots {
    const { sides, knotBase } = this;
    const count = knotBase.length;
    // Knots of one base follow the same particles.
    const like = new Int32Array(count).fill(-1);
    const firstOf = new Int32Array(sides.vertices).fill(-1);
    const start = new Uint32Array(count + 1);
    let most = 0;
    for (let n = 0; n < count; n++) most += sides.mostOf(knotBase[n]);
    if (most > followed.length) [followed, kernels] = [new Uint32Array(2 * most), new Float32Array(2 * most)];
    for (let n = 0; n < count; n++) {
      const base = knotBase[n];
      const first = firstOf[base];
      if (first < 0) {
        firstOf[base] = n;
        start[n + 1] = sides.followInto(followed, kernels, start[n], base);
      } else {
        like[n] = first;
        followed.copyWithin(start[n], start[first], start[first + 1]);
        kernels.copyWithin(start[n], start[first], start[first + 1]);
        start[n + 1] = start[n] + start[first + 1] - start[first];
      }
    }
    const { particleStart, particleEnd } = this.torn.rows;
    return {
      corner: Uint32Array.from(this.corner),
      vertex: Uint32Array.from(this.knotVertex),
      start,
      particle: followed.slice(0, start[count]),
      kernel: kernels.slice(0, start[count]),
      own: counting(particleEnd - particleStart),
      like,
    };
  }
}

// Room for the particles of knots, kept between calls.
let followed = new Uint32Array(0);
let kernels = new Float32Array(0);

const spokeOf = (p: number, q: number) => (p < q ? p * 0x4000000 + q : q * 0x4000000 + p);

/**
 * The lines around the cell at hand. Each has two ends: an edge, or ~t for the middle of triangle t. The region on the
 * left has the line from the first to the second on its border. There follow the vertices whose regions meet the line:
 * on the left at both ends, and on the right.
 */
const LINE = 6;
const MOST_LINES = 4096;
const lines = new Int32Array(LINE * MOST_LINES);
/** Which of them belong to a loop. */
const taken = new Uint8Array(MOST_LINES);
/** Points and knots of the loop at hand. */
const loopPoint = new Int32Array(MOST_LINES);
const loopKnot = new Int32Array(2 * MOST_LINES);

function putLine(
  n: number,
  a: number,
  b: number,
  aLeft: number,
  bLeft: number,
  aRight: number,
  bRight: number,
  isTurned: boolean,
): void {
  const o = LINE * n;
  lines[o] = isTurned ? b : a;
  lines[o + 1] = isTurned ? a : b;
  lines[o + 2] = isTurned ? bLeft : aLeft;
  lines[o + 3] = isTurned ? aLeft : bLeft;
  lines[o + 4] = isTurned ? bRight : aRight;
  lines[o + 5] = isTurned ? aRight : bRight;
}

/**
 * The ends of a loop of lines, from line n on, with the vertices on the left and on the right of the first line;
 * undefined if it is not closed or the vertices on a side do not match.
 */
function followLoop(count: number, n: number): number[] | undefined {
  const loop: number[] = [];
  const begin = lines[LINE * n];
  let isTurned = false;
  for (let at = n; ; ) {
    taken[at] = 1;
    const o = LINE * at;
    const from = isTurned ? 1 : 0;
    const left = o + (isTurned ? 4 : 2);
    const right = o + (isTurned ? 2 : 4);
    loop.push(lines[o + from], lines[left + from], lines[right + from]);
    const end = lines[o + 1 - from];
    const ours = lines[left + 1 - from];
    const theirs = lines[right + 1 - from];
    if (end === begin) return ours === loop[1] && theirs === loop[2] ? loop : undefined;
    let next = -1;
    for (let m = 0; m < count && next < 0; m++) {
      if (taken[m]) continue;
      const p = LINE * m;
      if (lines[p] === end && lines[p + 2] === ours && lines[p + 4] === theirs) {
        next = m;
        isTurned = false;
      } else if (lines[p + 1] === end && lines[p + 5] === ours && lines[p + 3] === theirs) {
        next = m;
        isTurned = true;
      }
    }
    if (next < 0) return undefined;
    at = next;
  }
}
