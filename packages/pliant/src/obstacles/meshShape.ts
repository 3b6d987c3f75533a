import { squared } from '../math/elementary.js';
import { boundsOf, diagonalOf } from '../mesh/checkMesh.js';
import { firstCrossing, newCrossing } from '../mesh/crossing.js';
import { closestPoint, type MeshData, newClosestPoint } from '../mesh/index.js';
import { type MeshSolid, meshSolid } from '../sample/meshSolid.js';
import type { Hit, Shape } from './shape.js';

/** Cells along the longest side of the mesh. Finer cells save more queries but need more memory: at most 32³ bytes. */
const CELLS = 32;

/** State of a cell. In a MIXED cell the surface is near, and every point is tested individually. */
const UNKNOWN = 0;
const OUTSIDE = 1;
const INSIDE = 2;
const MIXED = 3;
/** No cell: outside the bounds of the mesh. */
const BEYOND = 4;

/**
 * The surface is farther than CLEAR cells from the centre of a cell that is not mixed, and so more than CLEAR − √3/2 > SHORT cells from any
 * point in it. So no path shorter than SHORT cells that ends in such a cell has crossed the surface.
 */
const CLEAR = 1.4;
const SHORT = 0.5;

/** The inside of a closed triangle mesh. */
export class MeshShape implements Shape {
  /** The box around it: minX, minY, minZ, maxX, maxY, maxZ (m). */
  readonly bounds: Float64Array;
  /** Warnings, a sentence each: holes of the mesh. */
  readonly warnings: readonly string[];
  /** The mesh as a solid, for questions about its inside. */
  readonly solid: MeshSolid;
  private readonly cell: number;
  private readonly counts: readonly number[];
  private readonly cells: Uint8Array;
  /** Nearer to the surface than this (m), the vector to it is rounding and has no direction. */
  private readonly touching: number;

  /** @internal */
  constructor(mesh: MeshData, path: string) {
    this.solid = meshSolid(mesh, path);
    this.warnings = this.solid.warnings;
    this.bounds = boundsOf(this.solid.surface.positions);
    const size = [0, 1, 2].map((a) => this.bounds[a + 3] - this.bounds[a]);
    this.cell = Math.max(...size) / CELLS;
    this.counts = size.map((s) => Math.max(1, Math.ceil(s / this.cell)));
    this.cells = new Uint8Array(this.counts[0] * this.counts[1] * this.counts[2]);
    // The inside of an open mesh also ends at its holes, where no triangle is near.
    if (this.solid.surface.orientation.open) this.cells.fill(MIXED);
    this.touching = 1e-9 * diagonalOf(this.bounds);
  }

  /**
   * @internal Uses the first triangle on the path if there is one: the particle came in there, while near an edge the nearest triangle is
   * often another. Most slow particles are far from the surface and cost only the lookup of a cell.
   */
  meet(out: Hit, ax: number, ay: number, az: number, bx: number, by: number, bz: number): boolean {
    const dx = bx - ax;
    const dy = by - ay;
    const dz = bz - az;
    const known = this.cellAt(bx, by, bz);
    if (known === OUTSIDE && dx * dx + dy * dy + dz * dz < squared(SHORT * this.cell)) return false;
    if (firstCrossing(this.solid.surface.bvh, crossing, ax, ay, az, bx, by, bz)) {
      const along = dx * crossing.nx + dy * crossing.ny + dz * crossing.nz;
      if (along < 0) {
        out.nx = crossing.nx;
        out.ny = crossing.ny;
        out.nz = crossing.nz;
        out.depth = -(1 - crossing.t) * along;
        return true;
      }
      // The path leaves through a triangle's back: the particle began inside. It is moved out where its start was nearest to the surface,
      // unless it is already moving out there.
      if (this.nearest(out, ax, ay, az)) {
        const back = dx * out.nx + dy * out.ny + dz * out.nz;
        if (back < 0) {
          out.depth -= back;
          return true;
        }
      }
    }
    return this.nearest(out, bx, by, bz);
  }

  /** @internal */
  near(out: Hit, x: number, y: number, z: number, reach: number): boolean {
    const { bvh } = this.solid.surface;
    if (closestPoint(bvh, x, y, z, closest, reach).triangle < 0) return false;
    out.depth = reach - closest.distance;
    this.wayInto(out, x, y, z, -1);
    return true;
  }

  private nearest(out: Hit, x: number, y: number, z: number): boolean {
    const known = this.cellAt(x, y, z);
    if (known === OUTSIDE || known === BEYOND || (known === MIXED && !this.solid.inside(x, y, z))) return false;
    const { bvh } = this.solid.surface;
    closestPoint(bvh, x, y, z, closest);
    out.depth = closest.distance;
    this.wayInto(out, x, y, z, 1);
    return true;
  }

  /** Writes the outward direction: to the closest point for a point inside (side 1), from it for a point outside (−1). */
  private wayInto(out: Hit, x: number, y: number, z: number, side: number): void {
    if (closest.distance > this.touching) {
      out.nx = (side * (closest.x - x)) / closest.distance;
      out.ny = (side * (closest.y - y)) / closest.distance;
      out.nz = (side * (closest.z - z)) / closest.distance;
    } else this.normalInto(out, closest.triangle);
  }

  /** State of the cell at a point; computed on the first visit to the cell. */
  private cellAt(x: number, y: number, z: number): number {
    const { bounds: b, cell, counts, cells } = this;
    if (!(x >= b[0] && x <= b[3] && y >= b[1] && y <= b[4] && z >= b[2] && z <= b[5])) return BEYOND;
    const i = Math.min(counts[0] - 1, Math.floor((x - b[0]) / cell));
    const j = Math.min(counts[1] - 1, Math.floor((y - b[1]) / cell));
    const k = Math.min(counts[2] - 1, Math.floor((z - b[2]) / cell));
    const at = i + counts[0] * (j + counts[1] * k);
    if (cells[at] === UNKNOWN) {
      const [cx, cy, cz] = [b[0] + (i + 0.5) * cell, b[1] + (j + 0.5) * cell, b[2] + (k + 0.5) * cell];
      const near = closestPoint(this.solid.surface.bvh, cx, cy, cz, closest, CLEAR * cell).triangle >= 0;
      cells[at] = near ? MIXED : this.solid.inside(cx, cy, cz) ? INSIDE : OUTSIDE;
    }
    return cells[at];
  }

  private normalInto(out: Hit, triangle: number): void {
    const { positions: p, indices } = this.solid.surface;
    const [a, b, c] = [3 * indices[3 * triangle], 3 * indices[3 * triangle + 1], 3 * indices[3 * triangle + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.sqrt(x * x + y * y + z * z);
    out.nx = x / length;
    out.ny = y / length;
    out.nz = z / length;
  }
}

const crossing = newCrossing();
const closest = newClosestPoint();
