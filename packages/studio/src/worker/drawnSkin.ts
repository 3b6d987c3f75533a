import type { RenderSkin } from 'pliant';
import { type Mesh, outerCorners, Relief } from './relief.js';

/** The arrays of a skin that are drawn. */
export type SkinArrays = Pick<
  RenderSkin,
  'vertexCount' | 'positions' | 'normals' | 'indices' | 'groups' | 'uvs' | 'colours' | 'rest' | 'particle'
>;

/** Concave creases of more than this (cosine of 40°), and folds of more than 100°, are smoothed. */
const CONCAVE = Math.cos((40 * Math.PI) / 180);
const FOLD = Math.cos((100 * Math.PI) / 180);
/** Rounds of smoothing, and how far a vertex goes to the mean of its neighbours in each. */
const ROUNDS = 6;
const STEP = 0.55;
/** Triangles of a scene up to which edges of its round bodies are halved. */
export const FEW = 8000;
/** The least bulge of an edge, relative to the body, that asks for it: flat bodies gain nothing. */
const BULGE = 3e-4;
/** How far the middle of an edge goes to the tangent planes of its ends (Boubekeur and Alexa 2008, Phong tessellation): with ½ it lies on a sphere that the ends lie on. */
const ROUND = 0.5;

/**
 * A mesh of at least so many triangles without an edge of more than 50° (its cosine) is round, if coarse: a ring of
 * twenty by eight quads. It is rounded (Relief). Dice have fewer triangles, boxes and prisms sharper edges.
 */
const MANY = 100;
const SHARP = Math.cos((50 * Math.PI) / 180);

/**
 * A skin as it is drawn. Where parts of a traced body meet, its surface is folded and spiky: there it is smoothed. A
 * round body of few triangles has its edges halved, and the new vertices lie on the curve that the normals tell.
 */
export class DrawnSkin implements SkinArrays {
  version = -1;
  vertexCount = 0;
  positions: Float32Array = new Float32Array(0);
  normals: Float32Array = new Float32Array(0);
  indices: Uint32Array = new Uint32Array(0);
  groups: RenderSkin['groups'] = [];
  uvs: Float32Array | undefined;
  colours: Float32Array | undefined;
  rest: Float32Array = new Float32Array(0);
  particle: Uint32Array = new Uint32Array(0);
  private smoothing: Smoothing | undefined;
  private relief: Relief | undefined;
  private middles: Middles | undefined;

  constructor(
    private readonly skin: RenderSkin,
    private readonly size: number,
    /** Whether edges may be halved. */
    private readonly mayHalve: boolean,
  ) {}

  /** Takes over the positions of the skin, which has been updated. */
  update(): void {
    const { skin } = this;
    if (this.version !== skin.version) this.layOut();
    this.positions.set(skin.positions);
    this.normals.set(skin.normals);
    this.smoothing?.apply(this.positions, this.normals);
    if (this.middles) placeMiddles(this.positions, this.normals, this.middles);
    this.relief?.apply(this.positions, this.normals);
  }

  private layOut(): void {
    const { skin } = this;
    const first = this.version < 0;
    this.version = skin.version;
    const edges = edgesOf(skin);
    this.smoothing = Smoothing.of(skin, edges);
    const isFew = this.mayHalve && skin.indices.length <= 3 * FEW;
    if (first) {
      this.isCoarse = isFew && isBlunt(skin, edges);
      this.isRound = isFew && (this.isCoarse || bulgeOf(skin, edges) > BULGE * this.size);
    }
    this.middles = undefined;
    for (const key of ['indices', 'uvs', 'colours', 'rest', 'particle', 'groups', 'vertexCount'] as const)
      Object.assign(this, { [key]: skin[key] });
    let mesh: Mesh = skin;
    if (isFew && this.isRound) mesh = this.halve(skin, edges);
    this.relief = this.isCoarse ? Relief.of(mesh, this.rest) : undefined;
    this.positions = new Float32Array(3 * this.vertexCount);
    this.normals = new Float32Array(3 * this.vertexCount);
  }

  /** Halves all edges: each triangle becomes four. */
  private halve(mesh: Mesh, edges: Edges): Mesh {
    this.middles = middlesOf(mesh, edges);
    const { a, b, round } = this.middles;
    // The relief has all of the roundness.
    if (this.isCoarse) round.fill(0);
    this.uvs = this.uvs && halved(this.uvs, 2, a, b);
    this.colours = this.colours && halved(this.colours, 3, a, b);
    this.rest = halved(this.rest, 3, a, b);
    this.vertexCount = mesh.vertexCount + a.length;
    const particle = new Uint32Array(this.vertexCount);
    particle.set(this.particle);
    particle.set(
      a.map((v) => this.particle[v]),
      mesh.vertexCount,
    );
    this.particle = particle;
    this.indices = quartered(mesh, edges);
    this.groups = mesh.groups.map(({ start, count, kind }) => ({ start: 4 * start, count: 4 * count, kind }));
    const welded = new Uint32Array(this.vertexCount);
    welded.set(mesh.welded);
    // Places are fewer than vertices: those of the edges come after them.
    edges.of.forEach((edge, k) => {
      welded[mesh.vertexCount + edges.middle[k]] = mesh.vertexCount + edge;
    });
    return { indices: this.indices, groups: this.groups, vertexCount: this.vertexCount, welded };
  }
  /** Whether the body, when it was whole, was round enough for its edges to be halved. */
  private isRound = false;
  /** Whether it was round without being smooth. */
  private isCoarse = false;
}

/** New vertices, from the number `from` on: for each the two that it lies between, and whether its edge is round (1) or a crease (0). */
interface Middles {
  from: number;
  a: Uint32Array;
  b: Uint32Array;
  round: Uint8Array;
}

function placeMiddles(x: Float32Array, n: Float32Array, { from, a, b, round }: Middles): void {
  for (let k = 0; k < a.length; k++) {
    const [i, j, o] = [3 * a[k], 3 * b[k], 3 * (from + k)];
    const [dx, dy, dz] = [x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]];
    // Heights of each end over the tangent plane of the other.
    const up = round[k] ? dx * n[i] + dy * n[i + 1] + dz * n[i + 2] : 0;
    const down = round[k] ? dx * n[j] + dy * n[j + 1] + dz * n[j + 2] : 0;
    let [nx, ny, nz] = [n[i] + n[j], n[i + 1] + n[j + 1], n[i + 2] + n[j + 2]];
    for (let c = 0; c < 3; c++)
      x[o + c] = 0.5 * (x[i + c] + x[j + c]) + 0.25 * ROUND * (down * n[j + c] - up * n[i + c]);
    const length = Math.hypot(nx, ny, nz) || 1;
    nx /= length;
    ny /= length;
    nz /= length;
    n[o] = nx;
    n[o + 1] = ny;
    n[o + 2] = nz;
  }
}

/** The edges of a skin between places: their ends, the triangles beside them, and the drawn vertices there. */
interface Edges {
  /** By half-edge (corner k to the next in its triangle): number of its edge, and of its new vertex if edges are halved. */
  of: Uint32Array;
  middle: Uint32Array;
  middleCount: number;
  /** By edge: its first two half-edges, the second −1 at a border. */
  first: Int32Array;
  second: Int32Array;
}

const after = (k: number) => (k % 3 === 2 ? k - 2 : k + 1);

function edgesOf({ indices, welded }: Mesh): Edges {
  const places = welded.length;
  const known = new Map<number, number>();
  const drawn = new Map<number, number>();
  const of = new Uint32Array(indices.length);
  const middle = new Uint32Array(indices.length);
  const [first, second]: [number[], number[]] = [[], []];
  for (let k = 0; k < indices.length; k++) {
    const [i, j] = [indices[k], indices[after(k)]];
    const [p, q] = [welded[i], welded[j]];
    const key = p < q ? p * places + q : q * places + p;
    let edge = known.get(key);
    if (edge === undefined) {
      known.set(key, (edge = first.length));
      first.push(k);
      second.push(-1);
    } else if (second[edge] < 0) second[edge] = k;
    of[k] = edge;
    const own = i < j ? i * places + j : j * places + i;
    let at = drawn.get(own);
    if (at === undefined) drawn.set(own, (at = drawn.size));
    middle[k] = at;
  }
  return {
    ...{ of, middle, middleCount: drawn.size },
    first: Int32Array.from(first),
    second: Int32Array.from(second),
  };
}

/** Largest distance between the middle of an edge and where it would be placed, at rest. */
function bulgeOf(skin: RenderSkin, edges: Edges): number {
  const { indices } = skin;
  const { positions: x, normals: n } = skin.atRest();
  let most = 0;
  for (let e = 0; e < edges.first.length; e++) {
    const k = edges.first[e];
    const [i, j] = [3 * indices[k], 3 * indices[after(k)]];
    const [dx, dy, dz] = [x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]];
    const up = dx * n[i] + dy * n[i + 1] + dz * n[i + 2];
    const down = dx * n[j] + dy * n[j + 1] + dz * n[j + 2];
    most = Math.max(most, 0.25 * ROUND * Math.min(Math.abs(up), Math.abs(down)));
  }
  return most;
}

/** Whether the outside is a mesh of many triangles without a sharp edge, but has creases. */
function isBlunt({ indices, groups, rest }: RenderSkin, { middle, first, second }: Edges): boolean {
  const outer = outerCorners(groups);
  if (outer < 3 * MANY) return false;
  let creases = 0;
  for (let e = 0; e < first.length; e++) {
    const [g, h] = [first[e], second[e]];
    if (h < 0 || g >= outer || h >= outer || middle[g] === middle[h]) continue;
    const [m, n] = [normalOf(rest, indices, g), normalOf(rest, indices, h)];
    if (m[0] * n[0] + m[1] * n[1] + m[2] * n[2] < SHARP) return false;
    creases++;
  }
  return creases > 0;
}

/** The new vertices: an edge with the same drawn vertices on both sides is round, another a crease. */
function middlesOf({ indices, vertexCount }: Mesh, { middle, middleCount, first, second }: Edges): Middles {
  const [a, b] = [new Uint32Array(middleCount), new Uint32Array(middleCount)];
  const round = new Uint8Array(middleCount);
  for (let k = 0; k < indices.length; k++) {
    a[middle[k]] = Math.min(indices[k], indices[after(k)]);
    b[middle[k]] = Math.max(indices[k], indices[after(k)]);
  }
  for (let e = 0; e < first.length; e++)
    if (second[e] >= 0 && middle[first[e]] === middle[second[e]]) round[middle[first[e]]] = 1;
  return { from: vertexCount, a, b, round };
}

/** Values of the old vertices, and after them the means at the middles. */
function halved(values: Float32Array, width: number, a: Uint32Array, b: Uint32Array): Float32Array {
  const out = new Float32Array(values.length + width * a.length);
  out.set(values);
  for (let k = 0; k < a.length; k++)
    for (let c = 0; c < width; c++)
      out[values.length + width * k + c] = 0.5 * (values[width * a[k] + c] + values[width * b[k] + c]);
  return out;
}

/** Every triangle as four. */
function quartered({ indices, vertexCount }: Mesh, { middle }: Edges): Uint32Array {
  const out = new Uint32Array(4 * indices.length);
  for (let k = 0; k < indices.length; k += 3) {
    const [i, j, l] = [indices[k], indices[k + 1], indices[k + 2]];
    const [ij, jl, li] = [middle[k] + vertexCount, middle[k + 1] + vertexCount, middle[k + 2] + vertexCount];
    out.set([i, ij, li, ij, j, jl, li, jl, l, ij, jl, li], 4 * k);
  }
  return out;
}

/** Smooths the places where the parts of a body meet in a fold. */
class Smoothing {
  private readonly next: Float32Array;

  private constructor(
    /** Places that are smoothed: their neighbours, and the drawn vertices that have them, by runs. */
    private readonly neighbourStart: Uint32Array,
    private readonly neighbours: Uint32Array,
    private readonly drawnStart: Uint32Array,
    private readonly drawn: Uint32Array,
    /** Triangles around these places, three drawn vertices each, by runs. */
    private readonly facesStart: Uint32Array,
    private readonly faces: Uint32Array,
  ) {
    this.next = new Float32Array(3 * (neighbourStart.length - 1));
  }

  static of({ indices, welded, rest, groups }: RenderSkin, { first, second }: Edges): Smoothing | undefined {
    const outer = outerCorners(groups);
    const places = welded.length;
    const marked = new Uint8Array(places);
    let any = false;
    for (let e = 0; e < first.length; e++) {
      const [g, h] = [first[e], second[e]];
      if (h < 0 || g >= outer || h >= outer) continue;
      const [m, n] = [normalOf(rest, indices, g), normalOf(rest, indices, h)];
      const cosine = m[0] * n[0] + m[1] * n[1] + m[2] * n[2];
      if (cosine > CONCAVE) continue;
      // Across the edge, the far corner of the second triangle lies in front of the first.
      const [far, at] = [3 * indices[after(after(h))], 3 * indices[g]];
      const front = [0, 1, 2].reduce((sum, c) => sum + m[c] * (rest[far + c] - rest[at + c]), 0);
      if (front <= 0 && cosine > FOLD) continue;
      any = true;
      marked[welded[indices[g]]] = marked[welded[indices[after(g)]]] = 1;
    }
    if (!any) return undefined;
    // The ring around them too, so that the fold has room to unfold.
    const grown = marked.slice();
    for (let k = 0; k < outer; k++) {
      const [p, q] = [welded[indices[k]], welded[indices[after(k)]]];
      if (marked[p]) grown[q] = 1;
      if (marked[q]) grown[p] = 1;
    }
    return new Smoothing(...gatherRuns(indices, welded, grown));
  }

  apply(x: Float32Array, n: Float32Array): void {
    const { neighbourStart, neighbours, drawnStart, drawn, next } = this;
    const count = neighbourStart.length - 1;
    for (let round = 0; round < ROUNDS; round++) {
      for (let p = 0; p < count; p++) {
        const [start, end] = [neighbourStart[p], neighbourStart[p + 1]];
        const o = 3 * drawn[drawnStart[p]];
        for (let c = 0; c < 3; c++) {
          let sum = 0;
          for (let k = start; k < end; k++) sum += x[3 * neighbours[k] + c];
          next[3 * p + c] = x[o + c] + STEP * (sum / (end - start) - x[o + c]);
        }
      }
      for (let p = 0; p < count; p++)
        for (let k = drawnStart[p]; k < drawnStart[p + 1]; k++)
          for (let c = 0; c < 3; c++) x[3 * drawn[k] + c] = next[3 * p + c];
    }
    for (let p = 0; p < count; p++) this.shade(x, n, p);
  }

  /** One normal for all drawn vertices of a place: the mean of its triangles by area. */
  private shade(x: Float32Array, n: Float32Array, p: number): void {
    const { facesStart, faces, drawnStart, drawn } = this;
    let [nx, ny, nz] = [0, 0, 0];
    for (let k = facesStart[p]; k < facesStart[p + 1]; k += 3) {
      const [a, b, c] = [3 * faces[k], 3 * faces[k + 1], 3 * faces[k + 2]];
      const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
      const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
      nx += uy * vz - uz * vy;
      ny += uz * vx - ux * vz;
      nz += ux * vy - uy * vx;
    }
    const length = Math.hypot(nx, ny, nz);
    if (!(length > 0)) return;
    for (let k = drawnStart[p]; k < drawnStart[p + 1]; k++) {
      n[3 * drawn[k]] = nx / length;
      n[3 * drawn[k] + 1] = ny / length;
      n[3 * drawn[k] + 2] = nz / length;
    }
  }
}

/** Neighbours, drawn vertices and triangles of each marked place, as runs: where each begins, and all after each other. */
function gatherRuns(
  indices: Uint32Array,
  welded: Uint32Array,
  marked: Uint8Array,
): [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
  const around = new Map<number, { near: Map<number, number>; drawn: Set<number>; faces: number[] }>();
  for (let k = 0; k < indices.length; k++) {
    const place = welded[indices[k]];
    if (!marked[place]) continue;
    let one = around.get(place);
    if (!one) around.set(place, (one = { near: new Map(), drawn: new Set(), faces: [] }));
    one.drawn.add(indices[k]);
    const [j, l] = [indices[after(k)], indices[after(after(k))]];
    // By place: a neighbour with several drawn vertices counts once.
    one.near.set(welded[j], j);
    one.near.set(welded[l], l);
    one.faces.push(indices[k], j, l);
  }
  const all = [...around.values()];
  const runs = (of: (one: (typeof all)[number]) => Iterable<number>): [Uint32Array, Uint32Array] => {
    const start = [0];
    const values: number[] = [];
    for (const one of all) {
      for (const value of of(one)) values.push(value);
      start.push(values.length);
    }
    return [Uint32Array.from(start), Uint32Array.from(values)];
  };
  return [...runs(({ near }) => near.values()), ...runs(({ drawn }) => drawn), ...runs(({ faces }) => faces)];
}

/** Unit normal of the triangle of a corner; 0 without area. */
function normalOf(x: Float32Array, indices: Uint32Array, corner: number): [number, number, number] {
  const k = corner - (corner % 3);
  const [a, b, c] = [3 * indices[k], 3 * indices[k + 1], 3 * indices[k + 2]];
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  const n: [number, number, number] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(...n) || 1;
  return [n[0] / length, n[1] / length, n[2] / length];
}
