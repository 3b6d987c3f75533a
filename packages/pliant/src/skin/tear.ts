import { Assembly, listKnots, type Within } from './assemble.js';
import { CellClipper, type Keys, keysOf } from './clipCell.js';
import { CrackFinder } from './crack.js';
import { KeptWeights } from './keptWeights.js';
import type { Knots } from './knots.js';
import { finish, type Parts } from './parts.js';
import { NO_ANCHOR, Sides, type Torn } from './sides.js';
import type { SkinMesh } from './skinMesh.js';
import { smoothFaces } from './smoothFaces.js';
import type { Surroundings } from './surroundings.js';

/**
 * Costs (see Parts): of a triangle of the cells, a cell that is clipped, a corner that is put in and smoothed, a knot
 * whose particles are listed, and a vertex where these may be others.
 */
const COST = { triangle: 0.006, clip: 1, corner: 0.024, smooth: 0.014, knot: 0.03, touched: 0.5 };
/** Cells that are clipped in one part. */
const AT_ONCE = 512;

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
 *
 * Sides, crossings and the faces within cells are kept from one call to the next and found again where the body
 * changed. The result is the same, bit for bit, as that of the first call.
 */
export class Tearing implements Within {
  private readonly sides: Sides;
  private readonly finder: CrackFinder;
  private readonly clipper: CellClipper;
  private readonly keys: Keys;
  private readonly outer: number;
  /** Per vertex of the mesh: 1 where a triangle has it. Per vertex: whether it was shown. */
  private readonly isUsed: Uint8Array;
  private readonly wasShown: Uint8Array;
  private readonly isEdgeNew: Uint8Array;
  /** Per cell: 1 where its faces are found again. */
  private readonly isClipped: Uint8Array;
  /** Faces within cell c: keys of their corners, faceKey[faceStart[c]] … */
  readonly faceStart: Uint32Array;
  readonly faceLength: Uint32Array;
  private readonly faceRoom: Uint32Array;
  faceKey = new Int32Array(1024);
  private faceEnd = 0;
  /** First of the cell's own knots and points. Per knot its point and the vertex that it follows; per point x y z. */
  private readonly ownStart: Uint32Array;
  private readonly ownRoom: Uint16Array;
  ownPoint = new Uint32Array(64);
  ownBase = new Uint32Array(64);
  ownPlace = new Float64Array(192);
  ownEnd = 0;
  readonly cells: number;
  private readonly kept: KeptWeights;

  constructor(
    private readonly mesh: SkinMesh,
    readonly surroundings: Surroundings,
  ) {
    const { complex, positions } = surroundings;
    this.outer = mesh.positions.length / 3;
    this.sides = new Sides(surroundings);
    this.finder = new CrackFinder(surroundings);
    this.keys = keysOf(this.outer, complex);
    this.clipper = new CellClipper(complex, positions, this.keys, this.sides.anchor);
    this.isUsed = new Uint8Array(this.outer);
    for (let h = 0; h < mesh.indices.length; h++) this.isUsed[mesh.indices[h]] = 1;
    this.wasShown = new Uint8Array(positions.length / 3).fill(1);
    this.isEdgeNew = new Uint8Array(complex.low.length);
    this.cells = complex.start.length - 1;
    this.isClipped = new Uint8Array(this.cells);
    this.kept = new KeptWeights(positions.length / 3);
    this.faceStart = new Uint32Array(this.cells);
    this.faceLength = new Uint32Array(this.cells);
    this.faceRoom = new Uint32Array(this.cells);
    this.ownStart = new Uint32Array(this.cells);
    this.ownRoom = new Uint16Array(this.cells);
  }

  tear(torn: Torn): Tear {
    return finish(this.tearInParts(torn));
  }

  *tearInParts(torn: Torn): Parts<Tear> {
    yield* this.sides.update(torn);
    yield* this.finder.update(this.sides, torn);
    yield* this.clipCells();
    const { mesh, surroundings, sides, finder, keys } = this;
    let faces = mesh.indices.length;
    for (let c = 0; c < this.cells; c++) faces += this.faceLength[c];
    yield COST.corner * faces;
    // Room that is used by all bodies holds an assembly until it is put together.
    const assembly = new Assembly(mesh, surroundings, sides, finder.crack, keys, this);
    const made = assembly.run(this.isUsed);
    yield COST.smooth * faces;
    smoothFaces(made.faces, surroundings.spacing, torn);
    yield COST.knot * made.knots.vertex.length + COST.touched * sides.touched.length;
    this.updateKept(torn);
    return { mesh: made.mesh, knots: listKnots(made.knots, torn, sides, this.kept) };
  }

  /** Forgets the shares of clusters in vertices around which particles or their weights changed. */
  private updateKept({ s, rows }: Torn): void {
    const { kept, sides, surroundings } = this;
    const { start, vertex } = surroundings.around;
    const { isReweighed, heir } = sides.changes;
    for (const v of sides.touched) kept.forget(v);
    if (sides.isFresh) return;
    for (let i = 0; i < rows.particleEnd - rows.particleStart; i++) {
      if (!isReweighed[i]) continue;
      const a = s.ancestor[rows.particleStart + i];
      for (let n = start[a]; n < start[a + 1]; n++) kept.forget(vertex[n]);
    }
    kept.renumber(heir);
  }

  /** Finds the faces within the cells of which an edge is crossed elsewhere than before, or a vertex shown. */
  private *clipCells(): Parts<void> {
    const { isEdgeNew, wasShown, clipper, finder } = this;
    const { anchor, touched } = this.sides;
    const { edge, behind, ahead, neighbourStart, neighbourEdge } = this.surroundings.complex;
    isEdgeNew.fill(0);
    for (const e of finder.changed) isEdgeNew[e] = 1;
    for (const v of touched) {
      const isShown = anchor[v] === NO_ANCHOR ? 0 : 1;
      if (isShown === wasShown[v]) continue;
      wasShown[v] = isShown;
      for (let k = neighbourStart[v]; k < neighbourStart[v + 1]; k++) isEdgeNew[neighbourEdge[k]] = 1;
    }
    clipper.crack = finder.crack;
    yield COST.triangle * behind.length;
    const { isClipped } = this;
    isClipped.fill(0);
    for (let t = 0; t < behind.length; t++) {
      if (!isEdgeNew[edge[3 * t]] && !isEdgeNew[edge[3 * t + 1]] && !isEdgeNew[edge[3 * t + 2]]) continue;
      isClipped[behind[t]] = 1;
      if (ahead[t] >= 0) isClipped[ahead[t]] = 1;
    }
    let waiting = 0;
    for (let c = 0; c < this.cells; c++) {
      if (!isClipped[c]) continue;
      if (waiting-- === 0) {
        waiting = AT_ONCE - 1;
        yield COST.clip * AT_ONCE;
      }
      clipper.clip(c);
      this.keep(c);
    }
  }

  /** Keeps the faces that were found within a cell. */
  private keep(c: number): void {
    const { faces } = this.clipper;
    if (faces.length > this.faceRoom[c]) {
      this.faceRoom[c] = Math.ceil(1.5 * faces.length);
      this.faceStart[c] = this.faceEnd;
      this.faceEnd += this.faceRoom[c];
      if (this.faceEnd > this.faceKey.length) this.faceKey = widened(this.faceKey, new Int32Array(2 * this.faceEnd));
    }
    const own = Math.max(faces.knots, faces.points);
    if (own > this.ownRoom[c]) {
      this.ownRoom[c] = 2 * own;
      this.ownStart[c] = this.ownEnd;
      this.ownEnd += 2 * own;
      if (this.ownEnd > this.ownPoint.length) {
        this.ownPoint = widened(this.ownPoint, new Uint32Array(2 * this.ownEnd));
        this.ownBase = widened(this.ownBase, new Uint32Array(2 * this.ownEnd));
        this.ownPlace = widened(this.ownPlace, new Float64Array(6 * this.ownEnd));
      }
    }
    const first = this.ownStart[c];
    for (let n = 0; n < faces.knots; n++) {
      this.ownPoint[first + n] = first + faces.knotPoint[n];
      this.ownBase[first + n] = faces.knotBase[n];
    }
    for (let n = 0; n < 3 * faces.points; n++) this.ownPlace[3 * first + n] = faces.point[n];
    const at = this.faceStart[c];
    for (let n = 0; n < faces.length; n++)
      this.faceKey[at + n] = faces.corner[n] < this.keys.cells ? faces.corner[n] : faces.corner[n] + first;
    this.faceLength[c] = faces.length;
  }
}

function widened<T extends Uint32Array | Int32Array | Float64Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
