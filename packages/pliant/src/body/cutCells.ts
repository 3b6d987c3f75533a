import { type DistanceField, distanceAt } from '../proxy/field.js';
import type { Lattice } from '../sample/grid.js';
import type { Solid } from '../sample/solid.js';

/** Pieces along each axis of a cell. */
const ACROSS = 4;
const PIECES = ACROSS * ACROSS * ACROSS;
/** Parts of a cell that count as nothing: the field has the precision of f32. The cells of a box are then whole, and the box is what it is without cut cells. */
const NOTHING = 2e-3;
/** Depth (largest side of a cell) up to which the surface can cross a cell, and up to which the cell next to it can have its centre outside. */
const CROSSED = 0.9;
const NEXT = 1.8;
/** A cell whose corners are all outside is empty if its centre is farther outside than this (largest side of a cell). */
const POKES = 0.25;
/** Places of the corners from the centre (sides of a cell): within the cell, as the faces of a box lie between cells. */
const CORNER = 0.499;

/** How exactly cells fill a volume that consists of whole ones. */
const EXACT = 1e-9;

/** Where particles of a grid lie, and the volumes that they stand for as multiples of their mean. */
export interface CutCells {
  positions: Float64Array;
  shares: Float64Array;
}

/**
 * The particles of a grid in a body whose surface crosses cells. A particle stands for the part of its cell that is inside, and for the parts of cells whose centres are outside that are nearer to it than to other
 * particles. It lies in the middle of what it stands for. Volume, centre of mass and moments of inertia of the particles are then those of the body. Undefined where all cells are whole.
 */
export function cutCells(
  positions: Float64Array,
  lattice: Lattice,
  field: DistanceField,
  solid: Solid,
  volume: number,
): CutCells | undefined {
  // A box of whole cells: the volume is known by a formula.
  const [sx, sy, sz] = lattice.spacing;
  if (Math.abs((positions.length / 3) * sx * sy * sz - volume) <= EXACT * volume) return undefined;
  const cells = new Cells(positions, lattice);
  const { count, index } = cells;
  const side = Math.max(...lattice.spacing);
  const lines = new Lines(cells, field, solid, side);
  const [parts, moment] = [new Float64Array(count).fill(1), new Float64Array(3 * count)];
  /** Adds what `lines` found in a cell to its own particle, or to the nearest of those around. */
  const add = (found: number, own: number, i: number, j: number, k: number) => {
    const { piece } = lines;
    if (own < 0 && found > 0) cells.gatherAround(i, j, k);
    for (let o = 0; o < PIECE * found; o += PIECE) {
      const u = piece[o + 1];
      const v = piece[o + 2];
      const w = piece[o + 3];
      const to = own >= 0 ? own : cells.nearest(u, v, w);
      if (to < 0) continue;
      parts[to] += piece[o];
      moment[3 * to] += piece[o] * (i + u - index[3 * to]);
      moment[3 * to + 1] += piece[o] * (j + v - index[3 * to + 1]);
      moment[3 * to + 2] += piece[o] * (k + w - index[3 * to + 2]);
    }
  };

  for (let p = 0; p < count; p++) {
    const depth = -distanceAt(field, positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]);
    if (depth > NEXT * side) continue;
    const i = index[3 * p];
    const j = index[3 * p + 1];
    const k = index[3 * p + 2];
    if (depth < CROSSED * side) {
      const found = lines.inside(i, j, k);
      if (found !== WHOLE) {
        parts[p] -= 1;
        add(found, p, i, j, k);
      }
    }
    for (let c = k - 1; c <= k + 1; c++)
      for (let b = j - 1; b <= j + 1; b++)
        for (let a = i - 1; a <= i + 1; a++)
          if (cells.takeEmpty(a, b, c)) add(Math.max(0, lines.inside(a, b, c)), -1, a, b, c);
  }
  return settle(positions, cells, field, parts, moment);
}

/** Moves particles to the middle of what they stand for. */
function settle(
  positions: Float64Array,
  cells: Cells,
  field: DistanceField,
  volume: Float64Array,
  moment: Float64Array,
): CutCells | undefined {
  const { count, index } = cells;
  const moved = positions.slice();
  const to = new Float64Array(3);
  let changed = false;
  let whole = 0;
  for (let p = 0; p < count; p++) {
    volume[p] = Math.max(NOTHING, volume[p]);
    const u = moment[3 * p] / volume[p];
    const v = moment[3 * p + 1] / volume[p];
    const w = moment[3 * p + 2] / volume[p];
    if (Math.max(Math.abs(volume[p] - 1), Math.abs(u), Math.abs(v), Math.abs(w)) <= NOTHING) volume[p] = 1;
    else {
      changed = true;
      cells.placeInto(to, index[3 * p] + u, index[3 * p + 1] + v, index[3 * p + 2] + w);
      // The middle of a part that is bent may be outside.
      if (distanceAt(field, to[0], to[1], to[2]) < 0) moved.set(to, 3 * p);
    }
    whole += volume[p];
  }
  if (!changed) return undefined;
  return { positions: moved, shares: volume.map((part) => (part * count) / whole) };
}

/** Numbers of a piece of a cell: its part of the cell, and where its middle is from the centre of the cell (sides). */
const PIECE = 4;
/** In the place of a number of pieces: the cell is wholly inside. */
const WHOLE = -1;

/**
 * The part of a cell that is inside, by the signs of the field along lines through it: where the surface crosses a line is known between two places. The lines run along the axis that is nearest to the normal. Distances themselves are
 * too small beside the edges of a box, since the field is linear between its nodes.
 */
class Lines {
  readonly piece = new Float64Array(PIECE * PIECES);
  private readonly place = new Float64Array(3);
  private readonly at = new Float64Array(3);
  /** Distances along the lines. */
  private readonly along = new Float64Array((ACROSS + 1) * ACROSS * ACROSS);

  constructor(
    private readonly cells: Cells,
    private readonly field: DistanceField,
    private readonly solid: Solid,
    private readonly side: number,
  ) {}

  /** Fills `piece` for a cell. Returns how many there are, or WHOLE. */
  inside(i: number, j: number, k: number): number {
    const corners = this.cornersInside(i, j, k);
    const middle = this.distance(i, j, k);
    if (corners === 8 && middle <= 0) return WHOLE;
    if (corners === 0 && middle > POKES * this.side) return 0;
    const axis = this.across(i, j, k);
    const beside = this.follow(i, j, k, axis);
    return this.cut(axis, beside);
  }

  private cornersInside(i: number, j: number, k: number): number {
    let found = 0;
    for (let n = 0; n < 8; n++) {
      const u = n & 1 ? CORNER : -CORNER;
      const v = n & 2 ? CORNER : -CORNER;
      const w = n & 4 ? CORNER : -CORNER;
      if (this.distance(i + u, j + v, k + w) <= 0) found++;
    }
    return found;
  }

  /** The axis of the lattice along which the distance changes most. */
  private across(i: number, j: number, k: number): number {
    const x = Math.abs(this.distance(i + 0.5, j, k) - this.distance(i - 0.5, j, k));
    const y = Math.abs(this.distance(i, j + 0.5, k) - this.distance(i, j - 0.5, k));
    const z = Math.abs(this.distance(i, j, k + 0.5) - this.distance(i, j, k - 0.5));
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  }

  /** Writes distances along the lines. Returns by how much the surface lies beside that of the field (m): one that is curved does, as the field is linear between its nodes. */
  private follow(i: number, j: number, k: number, axis: number): number {
    const { at, along } = this;
    const b = (axis + 1) % 3;
    const c = (axis + 2) % 3;
    let nearest = 1;
    let [u, v, w] = [0, 0, 0];
    for (let line = 0, o = 0; line < ACROSS * ACROSS; line++) {
      at[b] = middleOf(line % ACROSS);
      at[c] = middleOf(Math.floor(line / ACROSS));
      for (let n = 0; n <= ACROSS; n++, o++) {
        at[axis] = n / ACROSS - 0.5;
        along[o] = this.distance(i + at[0], j + at[1], k + at[2]);
        if (n === 0 || along[o] > 0 === along[o - 1] > 0) continue;
        at[axis] -= along[o] / (along[o] - along[o - 1]) / ACROSS;
        const far = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
        if (far >= nearest) continue;
        nearest = far;
        u = at[0];
        v = at[1];
        w = at[2];
      }
    }
    return nearest < 1 ? this.exact(i + u, j + v, k + w) : 0;
  }

  /** Fills `piece` from the distances along the lines; returns how many there are. */
  private cut(axis: number, beside: number): number {
    const { along, piece } = this;
    const b = (axis + 1) % 3;
    const c = (axis + 2) % 3;
    let o = 0;
    for (let line = 0; line < ACROSS * ACROSS; line++)
      for (let n = 1; n <= ACROSS; n++) {
        const from = along[(ACROSS + 1) * line + n - 1] + beside;
        const to = along[(ACROSS + 1) * line + n] + beside;
        if (from > 0 && to > 0) continue;
        const part = from <= 0 && to <= 0 ? 1 : Math.min(from, to) / -Math.abs(from - to);
        const middle = from <= 0 ? part / 2 : 1 - part / 2;
        piece[o] = part / PIECES;
        piece[o + 1 + axis] = (n - 1 + middle) / ACROSS - 0.5;
        piece[o + 1 + b] = middleOf(line % ACROSS);
        piece[o + 1 + c] = middleOf(Math.floor(line / ACROSS));
        o += PIECE;
      }
    return o / PIECE;
  }

  private distance(i: number, j: number, k: number): number {
    const { place } = this;
    this.cells.placeInto(place, i, j, k);
    return distanceAt(this.field, place[0], place[1], place[2]);
  }

  /** Distance of a place of the lattice from the surface itself (m), negative inside. */
  private exact(i: number, j: number, k: number): number {
    const { place, solid, side } = this;
    this.cells.placeInto(place, i, j, k);
    const distance = Math.min(solid.distance(place[0], place[1], place[2], side), side);
    return solid.inside(place[0], place[1], place[2]) ? -distance : distance;
  }
}

/** Where the middle of the n-th piece along an axis is from the centre of a cell (sides). */
const middleOf = (n: number) => (n + 0.5) / ACROSS - 0.5;

/** In the place of a particle: its centre is outside; and that was asked before. */
const EMPTY = -1;
const TAKEN = -2;
/** Cells for each particle up to which the box around the body is a table. */
const TABLE = 64;

/** The cells of a lattice that have a particle. */
class Cells {
  readonly count: number;
  /** Three whole numbers a particle. */
  readonly index: Int32Array;
  private readonly first = [0, 0, 0];
  private readonly size = [0, 0, 0];
  private readonly table?: Int32Array;
  private readonly map = new Map<number, number>();
  /** Particles in a cell and those around it, and where they lie from its centre (m). */
  private readonly near = new Int32Array(27);
  private readonly offset = new Float64Array(3 * 27);
  private nearCount = 0;

  constructor(
    positions: Float64Array,
    private readonly lattice: Lattice,
  ) {
    const count = positions.length / 3;
    this.count = count;
    this.index = new Int32Array(positions.length);
    const { centre, spacing, shift, rotation } = lattice;
    const from = [0, 0, 0];
    const last = [0, 0, 0];
    for (let p = 0; p < count; p++) {
      for (let a = 0; a < 3; a++) from[a] = positions[3 * p + a] - centre[a];
      for (let a = 0; a < 3; a++) {
        const along = rotation
          ? rotation[a] * from[0] + rotation[3 + a] * from[1] + rotation[6 + a] * from[2]
          : from[a];
        const at = Math.round(along / spacing[a] - shift[a]);
        this.index[3 * p + a] = at;
        if (p === 0 || at < this.first[a]) this.first[a] = at;
        if (p === 0 || at > last[a]) last[a] = at;
      }
    }
    // Room for the cells around, and for those around them.
    for (let a = 0; a < 3; a++) this.size[a] = last[a] - this.first[a] + 5;
    const all = this.size[0] * this.size[1] * this.size[2];
    if (all <= TABLE * Math.max(count, 64)) this.table = new Int32Array(all).fill(EMPTY);
    for (let p = 0; p < count; p++)
      this.set(this.keyOf(this.index[3 * p], this.index[3 * p + 1], this.index[3 * p + 2]), p);
  }

  /** Whether a cell has no particle and was not asked for before. */
  takeEmpty(i: number, j: number, k: number): boolean {
    const key = this.keyOf(i, j, k);
    if (this.get(key) !== EMPTY) return false;
    this.set(key, TAKEN);
    return true;
  }

  /** Lists the particles around a cell for `nearest`. */
  gatherAround(i: number, j: number, k: number): void {
    const { spacing } = this.lattice;
    let n = 0;
    for (let c = -1; c <= 1; c++)
      for (let b = -1; b <= 1; b++)
        for (let a = -1; a <= 1; a++) {
          const p = this.get(this.keyOf(i + a, j + b, k + c));
          if (p < 0) continue;
          this.near[n] = p;
          this.offset[3 * n] = a * spacing[0];
          this.offset[3 * n + 1] = b * spacing[1];
          this.offset[3 * n + 2] = c * spacing[2];
          n++;
        }
    this.nearCount = n;
  }

  /** The particle nearest to a place of the cell at hand (sides from its centre); −1 if there is none. */
  nearest(u: number, v: number, w: number): number {
    const { offset, near } = this;
    const { spacing } = this.lattice;
    let found = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let n = 0; n < this.nearCount; n++) {
      const x = offset[3 * n] - u * spacing[0];
      const y = offset[3 * n + 1] - v * spacing[1];
      const z = offset[3 * n + 2] - w * spacing[2];
      const far = x * x + y * y + z * z;
      if (far >= least) continue;
      found = near[n];
      least = far;
    }
    return found;
  }

  /** Where a place of the lattice lies (m). */
  placeInto(out: Float64Array, i: number, j: number, k: number): void {
    const { centre, spacing, shift, rotation } = this.lattice;
    const u = (i + shift[0]) * spacing[0];
    const v = (j + shift[1]) * spacing[1];
    const w = (k + shift[2]) * spacing[2];
    out[0] = centre[0] + (rotation ? rotation[0] * u + rotation[1] * v + rotation[2] * w : u);
    out[1] = centre[1] + (rotation ? rotation[3] * u + rotation[4] * v + rotation[5] * w : v);
    out[2] = centre[2] + (rotation ? rotation[6] * u + rotation[7] * v + rotation[8] * w : w);
  }

  private keyOf(i: number, j: number, k: number): number {
    const { first, size } = this;
    return ((k - first[2] + 2) * size[1] + j - first[1] + 2) * size[0] + i - first[0] + 2;
  }

  private get(key: number): number {
    return this.table ? this.table[key] : (this.map.get(key) ?? EMPTY);
  }

  private set(key: number, value: number): void {
    if (this.table) this.table[key] = value;
    else this.map.set(key, value);
  }
}
