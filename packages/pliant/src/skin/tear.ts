import type { Knots } from './knots.js';
import { NO_KNOT } from './shade.js';
import { NO_ANCHOR, Sides, type Torn } from './sides.js';
import type { SkinMesh } from './skinMesh.js';

/** What is shown of a body that has come apart: its skin, then the faces within that have come to light, and the knots of both. */
export interface Tear {
  mesh: SkinMesh;
  knots: Knots;
}

/**
 * Tears a skin where its body has come apart (SPEC V3). Every cell belongs to the side on which most of the matter in it is. A face between two cells that
 * hang together no longer is open: each of them shows its side of it. Cells around a vertex that are joined by faces that are not open
 * share a knot there. Cells that hold nothing but debris are not shown, and what bordered on them is: so the surface of each piece stays closed.
 */
export function tear(mesh: SkinMesh, torn: Torn): Tear {
  const tearing = new Tearing(mesh, torn);
  tearing.openFaces();
  tearing.joinCorners();
  return tearing.show();
}

class Tearing {
  private readonly sides: Sides;
  private readonly anchor: Int32Array;
  private readonly isOpen: Uint8Array;
  /** Per vertex: whether some face around it is open. */
  private readonly isTorn: Uint8Array;
  private readonly vertices: number;
  /** Corners of cells at torn vertices, by cell and vertex; which of them are one: a forest. */
  private readonly corners = new Map<number, number>();
  private readonly parent: number[] = [];
  private readonly cornerCell: number[] = [];
  private readonly cornerVertex: number[] = [];

  constructor(
    private readonly mesh: SkinMesh,
    private readonly torn: Torn,
  ) {
    const { cells, positions } = torn.surroundings;
    this.sides = new Sides(torn);
    this.vertices = positions.length / 3;
    this.anchor = new Int32Array(cells.count);
    for (let c = 0; c < cells.count; c++) this.anchor[c] = this.sides.anchorOf(c);
    this.isOpen = new Uint8Array(cells.from.length);
    this.isTorn = new Uint8Array(this.vertices);
  }

  openFaces(): void {
    const { from, to, start, triangles } = this.torn.surroundings.cells;
    const { anchor, sides, isOpen, isTorn } = this;
    for (let f = 0; f < from.length; f++) {
      const [a, b] = [anchor[from[f]], anchor[to[f]]];
      if (a === b) continue;
      if (a !== NO_ANCHOR && b !== NO_ANCHOR && sides.areHeld(from[f], a, to[f], b)) continue;
      isOpen[f] = 1;
      for (let k = 3 * start[f]; k < 3 * start[f + 1]; k++) isTorn[triangles[k]] = 1;
    }
  }

  joinCorners(): void {
    const { from, to, start, triangles } = this.torn.surroundings.cells;
    const { anchor, isOpen, isTorn, parent } = this;
    for (let f = 0; f < from.length; f++) {
      if (isOpen[f] || anchor[from[f]] === NO_ANCHOR) continue;
      for (let k = 3 * start[f]; k < 3 * start[f + 1]; k++) {
        const v = triangles[k];
        if (!isTorn[v]) continue;
        const a = this.root(this.cornerOf(from[f], v));
        const b = this.root(this.cornerOf(to[f], v));
        parent[Math.max(a, b)] = Math.min(a, b);
      }
    }
  }

  private cornerOf(cell: number, v: number): number {
    const key = cell * this.vertices + v;
    let corner = this.corners.get(key);
    if (corner === undefined) {
      corner = this.parent.length;
      this.corners.set(key, corner);
      this.parent.push(corner);
      this.cornerCell.push(cell);
      this.cornerVertex.push(v);
    }
    return corner;
  }

  private root(n: number): number {
    const { parent } = this;
    while (parent[n] !== n) n = parent[n] = parent[parent[n]];
    return n;
  }

  /** Corners of what is shown first get the number of their vertex, or beyond all of these that of a forest's root. */
  show(): Tear {
    const { mesh, torn, anchor, isTorn, vertices } = this;
    const { cells } = torn.surroundings;
    const skin = mesh.indices.length;
    const corner: number[] = new Array(skin);
    const vertex: number[] = Array.from(mesh.indices);
    // Who a vertex that is not torn goes with: the first cell that shows it.
    const holder = new Int32Array(vertices).fill(-1);
    const name = (cell: number, v: number) => {
      if (isTorn[v]) return vertices + this.root(this.cornerOf(cell, v));
      if (holder[v] < 0) holder[v] = cell;
      return v;
    };
    for (let k = 0; k < skin; k++) {
      const cell = (k - (k % 3)) / 3;
      corner[k] = anchor[cell] === NO_ANCHOR ? NO_KNOT : name(cell, mesh.indices[k]);
    }
    if (cells.isClosed)
      for (let f = 0; f < cells.from.length; f++) {
        if (!this.isOpen[f]) continue;
        for (const [cell, turn] of [[cells.from[f], 0] as const, [cells.to[f], 1] as const]) {
          if (anchor[cell] === NO_ANCHOR) continue;
          for (let k = 3 * cells.start[f]; k < 3 * cells.start[f + 1]; k += 3)
            for (const v of [cells.triangles[k], cells.triangles[k + 1 + turn], cells.triangles[k + 2 - turn]]) {
              vertex.push(v);
              corner.push(name(cell, v));
            }
        }
      }
    return { mesh: this.withInner(vertex), knots: this.numberKnots(corner, holder) };
  }

  /** The skin and what has been added behind it. */
  private withInner(vertex: readonly number[]): SkinMesh {
    const { mesh } = this;
    const lengthen = (width: number, values?: Float32Array) => {
      if (!values) return undefined;
      const longer = new Float32Array(width * vertex.length);
      longer.set(values);
      return longer;
    };
    const inner = new Uint8Array(vertex.length / 3).fill(1);
    if (mesh.inner) inner.set(mesh.inner);
    else inner.fill(0, 0, mesh.indices.length / 3);
    return {
      positions: this.torn.surroundings.positions,
      indices: Uint32Array.from(vertex),
      uvs: lengthen(2, mesh.uvs),
      colours: lengthen(3, mesh.colours),
      inner: mesh.inner || vertex.length > mesh.indices.length ? inner : undefined,
      near: mesh.near && this.torn.surroundings.near,
      crease: mesh.crease,
    };
  }

  /** Names that some corner has, in the order of the vertices: a body that has not come apart at its surface keeps its numbers. */
  private numberKnots(names: readonly number[], holder: Int32Array): Knots {
    const { vertices, anchor, parent, cornerCell, cornerVertex, sides } = this;
    const vertexOf = (name: number) => (name < vertices ? name : cornerVertex[name - vertices]);
    const number = new Uint32Array(vertices + parent.length).fill(NO_KNOT);
    const used: number[] = [];
    for (const name of names)
      if (name !== NO_KNOT && number[name] === NO_KNOT) {
        number[name] = 0;
        used.push(name);
      }
    used.sort((a, b) => vertexOf(a) - vertexOf(b) || a - b);
    const start = new Uint32Array(used.length + 1);
    const particle: number[] = [];
    const kernel: number[] = [];
    let last = -1;
    used.forEach((name, n) => {
      number[name] = n;
      const v = vertexOf(name);
      if (v !== last) sides.at(v);
      last = v;
      const mine = anchor[name < vertices ? holder[name] : cornerCell[name - vertices]];
      const side = sides.sideWith(mine);
      for (let e = 0; side >= 0 && e < sides.particle.length; e++)
        if (sides.sideOf[e] === side && sides.kernel[e] > 0) {
          particle.push(sides.particle[e]);
          kernel.push(sides.kernel[e]);
        }
      // None of its piece is around.
      if (particle.length === start[n]) {
        particle.push(mine);
        kernel.push(1);
      }
      start[n + 1] = particle.length;
    });
    return {
      corner: Uint32Array.from(names, (name) => (name === NO_KNOT ? NO_KNOT : number[name])),
      vertex: Uint32Array.from(used, vertexOf),
      start,
      particle: Uint32Array.from(particle),
      kernel: Float64Array.from(kernel),
    };
  }
}
