import { squared } from '../math/elementary.js';
import type { Section } from './section.js';
import { largest, turn } from './triangulate.js';

/**
 * Refines the triangles of a face so that it can bend with the body ([Liepa 2003], filling holes in meshes). Nodes are
 * added in the middle of triangles larger than `length`, and edges are flipped towards Delaunay, in turns until neither
 * is needed. Edges of the border stay.
 */
export class Refinement {
  /** Three nodes a triangle. */
  readonly triangles: number[];
  /** Per half-edge: the other half of the same edge; −1 on the border. */
  private readonly twin: number[];
  /** Half-edges whose edge may have to be flipped. */
  private readonly doubtful: number[] = [];

  private readonly at: number[];

  constructor(
    private readonly nodes: Pick<Section, 'at' | 'addNode'>,
    triangles: readonly number[],
  ) {
    this.at = nodes.at;
    this.triangles = triangles.slice();
    this.twin = pairUp(this.triangles);
  }

  /**
   * Flips edges towards Delaunay and divides large triangles in turns, until no triangle's middle is far from all of
   * its corners (FAR, relative to `length`).
   */
  run(length: number, most: number): void {
    for (let h = 0; h < this.twin.length; h++) this.doubtful.push(h);
    this.turnEdges();
    if (!(length > 0)) return;
    for (let round = 0; round < ROUNDS && this.divideLarge(length, most); round++) this.turnEdges();
  }

  /**
   * Divides inner edges of the face both of whose ends are marked. The faces of both sides share the vertices of marked
   * nodes, so they would share such an edge too.
   */
  partMarked(isMarked: (node: number) => boolean): void {
    const { triangles, twin } = this;
    for (let h = 0; h < twin.length; h++) {
      if (twin[h] < 0 || !isMarked(triangles[h]) || !isMarked(triangles[after(h)])) continue;
      this.divideEdge(h);
    }
    // A face of a single triangle between three marked nodes has no inner edge, and would coincide with that of the
    // other side.
    for (let t = 0; 3 * t < twin.length; t++)
      if ([0, 1, 2].every((k) => twin[3 * t + k] < 0 && isMarked(triangles[3 * t + k]))) this.divideTriangle(t);
  }

  private divideLarge(length: number, most: number): boolean {
    const { at, triangles } = this;
    const count = triangles.length / 3;
    let any = false;
    for (let t = 0; t < count && triangles.length / 3 < most; t++) {
      const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
      const x = (at[2 * a] + at[2 * b] + at[2 * c]) / 3;
      const y = (at[2 * a + 1] + at[2 * b + 1] + at[2 * c + 1]) / 3;
      const far = FAR * length * length;
      if (!(offBy(at, a, x, y) > far && offBy(at, b, x, y) > far && offBy(at, c, x, y) > far)) continue;
      this.divideTriangle(t);
      any = true;
    }
    return any;
  }

  private divideTriangle(t: number): void {
    const { at, triangles, twin } = this;
    const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
    const x = (at[2 * a] + at[2 * b] + at[2 * c]) / 3;
    const m = this.nodes.addNode(x, (at[2 * a + 1] + at[2 * b + 1] + at[2 * c + 1]) / 3);
    const [bc, ca] = [twin[3 * t + 1], twin[3 * t + 2]];
    const [p, q] = [triangles.length, triangles.length + 3];
    triangles[3 * t + 2] = m;
    triangles.push(b, c, m, c, a, m);
    twin.push(-1, -1, -1, -1, -1, -1);
    this.join(p, bc);
    this.join(q, ca);
    this.join(3 * t + 1, p + 2);
    this.join(p + 1, q + 2);
    this.join(q + 1, 3 * t + 2);
    this.doubtful.push(3 * t, p, q);
  }

  private divideEdge(h: number): void {
    const { at, triangles, twin } = this;
    const g = twin[h];
    const [a, b] = [triangles[h], triangles[after(h)]];
    const m = this.nodes.addNode((at[2 * a] + at[2 * b]) / 2, (at[2 * a + 1] + at[2 * b + 1]) / 2);
    // (a b c) becomes (a m c) and (m b c), on the other side (b a d) becomes (b m d) and (m a d).
    const [ends, starts] = [after(h), after(g)];
    const [bc, ad] = [twin[ends], twin[starts]];
    const [c, d] = [triangles[after(ends)], triangles[after(starts)]];
    triangles[ends] = m;
    triangles[starts] = m;
    const [p, q] = [triangles.length, triangles.length + 3];
    triangles.push(m, b, c, m, a, d);
    twin.push(-1, -1, -1, -1, -1, -1);
    this.join(p + 1, bc);
    this.join(q + 1, ad);
    this.join(ends, p + 2);
    this.join(starts, q + 2);
    this.join(h, q);
    this.join(g, p);
  }

  private join(h: number, g: number): void {
    this.twin[h] = g;
    if (g >= 0) this.twin[g] = h;
  }

  private turnEdges(): void {
    let budget = TURNS * this.triangles.length;
    while (this.doubtful.length > 0 && budget-- > 0) {
      const h = this.doubtful.pop()!;
      if (this.twin[h] >= 0 && this.wantsTurn(h)) this.turnEdge(h);
    }
    this.doubtful.length = 0;
  }

  /**
   * Whether an edge is to be flipped: the angles opposite to it add up to more than π, and the two triangles form a
   * convex quadrilateral.
   */
  private wantsTurn(h: number): boolean {
    const { at, triangles, twin } = this;
    const a = triangles[h];
    const b = triangles[after(h)];
    const c = triangles[before(h)];
    const d = triangles[before(twin[h])];
    if (c === d) return false;
    const size = Math.max(lengthSquared(at, a, b), lengthSquared(at, c, d));
    if (!(turn(at, a, d, c) > CONVEX * size && turn(at, d, b, c) > CONVEX * size)) return false;
    const sinC = turn(at, c, a, b);
    const cosC = facing(at, c, a, b);
    const sinD = turn(at, d, b, a);
    const cosD = facing(at, d, b, a);
    return sinC * cosD + cosC * sinD < -CONVEX * (Math.abs(sinC * cosD) + Math.abs(cosC * sinD));
  }

  /** Flips an edge: (a b c) and (b a d) become (d b c) and (c a d). */
  private turnEdge(h: number): void {
    const { triangles, twin } = this;
    const g = twin[h];
    const [h1, h2, g1, g2] = [after(h), before(h), after(g), before(g)];
    const [c, d] = [triangles[h2], triangles[g2]];
    const [ca, db] = [twin[h2], twin[g2]];
    triangles[h] = d;
    triangles[g] = c;
    this.join(h, db);
    this.join(g, ca);
    this.join(h2, g2);
    this.doubtful.push(h, g, h1, g1);
  }
}

/**
 * Squared distance of a triangle's middle from its corners, in target lengths squared, above which it is divided. An
 * equilateral triangle of the target length has 1/3.
 */
const FAR = 0.5;
const ROUNDS = 12;
/** Upper bound of flips per half-edge, against endless loops. */
const TURNS = 20;
const CONVEX = 1e-9;

const after = (h: number) => (h % 3 === 2 ? h - 2 : h + 1);
const before = (h: number) => (h % 3 === 0 ? h + 2 : h - 1);
const lengthSquared = (at: readonly number[], a: number, b: number) =>
  squared(at[2 * a] - at[2 * b]) + squared(at[2 * a + 1] - at[2 * b + 1]);

/** Squared distance of a node from a position. */
const offBy = (at: readonly number[], n: number, x: number, y: number) =>
  squared(at[2 * n] - x) + squared(at[2 * n + 1] - y);

/** (a − c)·(b − c). */
const facing = (at: readonly number[], c: number, a: number, b: number) =>
  (at[2 * a] - at[2 * c]) * (at[2 * b] - at[2 * c]) + (at[2 * a + 1] - at[2 * c + 1]) * (at[2 * b + 1] - at[2 * c + 1]);

function pairUp(triangles: readonly number[]): number[] {
  const twin = new Array<number>(triangles.length).fill(-1);
  const most = 1 + largest(triangles);
  const seen = new Map<number, number>();
  for (let h = 0; h < triangles.length; h++) {
    const [a, b] = [triangles[h], triangles[after(h)]];
    const other = seen.get(b * most + a);
    if (other === undefined) seen.set(a * most + b, h);
    else {
      twin[h] = other;
      twin[other] = h;
    }
  }
  return twin;
}
