import { cos } from '../math/elementary.js';
import { pairHalfEdges } from '../mesh/edges.js';
import { counting, Scratch } from '../scratch.js';
import { CREASE, pickRows, type SkinMesh } from './skinMesh.js';

/**
 * Vertices of a mesh in a form that can be drawn. There are three kinds. *Knots* have a position. *Shades* have a
 * normal; a knot has several shades where creases meet. *Drawn vertices* also have a texture coordinate and a colour.
 */
export interface Shading {
  readonly vertexCount: number;
  readonly shadeCount: number;
  /** Knot and shade of each drawn vertex. */
  readonly knot: Uint32Array;
  readonly shade: Uint32Array;
  /** Three drawn vertices a triangle; inner faces come last. */
  readonly indices: Uint32Array;
  /** Knots and shades of the corners, parallel to `indices`, and the weight of the face normal at each corner. */
  readonly cornerKnot: Uint32Array;
  readonly cornerShade: Uint32Array;
  readonly cornerWeight: Float32Array;
  /** Number of entries of `indices` that belong to outer faces. */
  readonly outer: number;
  readonly uvs: Float32Array | undefined;
  readonly colours: Float32Array | undefined;
  /** Rows of SkinMesh.source, parallel to `indices`. */
  readonly source: Float32Array | undefined;
}

/**
 * Triangles whose area is less than this share of their longest edge squared are weighted by their area: slivers have
 * poor normals.
 */
const SLIVER = 0.05;

/**
 * Knot of the corners of triangles that are not shown, in `knots` of shadeMesh, which gives the knot of each corner.
 */
export const NO_KNOT = 0xffffffff;

export function shadeMesh(mesh: SkinMesh, knots: Uint32Array): Shading {
  const { corners, outer } = shownCorners(mesh, knots);
  let cornerKnot = knots;
  if (corners !== ALL) {
    cornerKnot = new Uint32Array(corners.length);
    for (let k = 0; k < corners.length; k++) cornerKnot[k] = knots[corners[k]];
  }
  const count = cornerKnot.length;
  const picked = corners === ALL ? counting(count) : corners;
  const cornerWeight = new Float32Array(count);
  const faces = describeFaces(mesh, picked, cornerWeight);
  const cornerShade = new Uint32Array(count);
  const flattest = cos(mesh.crease ?? CREASE);
  const outerKnots = cornerKnot.subarray(0, outer);
  const outerShades = shadesInto(cornerShade.subarray(0, outer), smoothTwins(flattest, outerKnots, faces));
  const shadeCount = innerShadesInto(cornerShade, outer, outerShades, cornerKnot, faces, flattest);
  const hasAttributes = mesh.uvs !== undefined || mesh.colours !== undefined;
  const { indices, first } = hasAttributes
    ? drawnVertices(mesh, picked, cornerShade, shadeCount)
    : { indices: cornerShade, first: firstCorners(cornerShade, shadeCount) };
  const knot = new Uint32Array(first.length);
  const shade = new Uint32Array(first.length);
  for (let r = 0; r < first.length; r++) {
    knot[r] = cornerKnot[first[r]];
    shade[r] = cornerShade[first[r]];
  }
  const drawn = drawnRoom.take(hasAttributes ? first.length : 0);
  for (let r = 0; r < drawn.length; r++) drawn[r] = picked[first[r]];
  return {
    vertexCount: first.length,
    shadeCount,
    knot,
    shade,
    indices,
    cornerKnot,
    cornerShade,
    cornerWeight,
    outer,
    uvs: mesh.uvs && pickRows(mesh.uvs, new Float32Array(2 * drawn.length), 2, drawn),
    colours: mesh.colours && pickRows(mesh.colours, new Float32Array(3 * drawn.length), 3, drawn),
    source: mesh.source && pickRows(mesh.source, new Float32Array(3 * count), 3, picked),
  };
}

// Scratch of one mesh at a time.
const cornerRoom = new Scratch();
const normalRoom = new Scratch(Float64Array);
const twinRoom = new Scratch(Int32Array);
const headRoom = new Scratch(Int32Array);
const nextRoom = new Scratch(Int32Array);
const firstRoom = new Scratch();
const drawnRoom = new Scratch();

/** Stands for all corners of a mesh in their order. */
const ALL = new Uint32Array(0);

/** The corners of all shown triangles; those of inner faces come last, from index `outer` on. */
function shownCorners({ indices, inner }: SkinMesh, knots: Uint32Array): { corners: Uint32Array; outer: number } {
  const total = indices.length / 3;
  let outers = 0;
  while (outers < total && knots[3 * outers] !== NO_KNOT && !inner?.[outers]) outers++;
  let t = outers;
  while (t < total && knots[3 * t] !== NO_KNOT && inner?.[t]) t++;
  if (t === total) return { corners: ALL, outer: 3 * outers };
  const shown = cornerRoom.take(indices.length);
  let end = 0;
  let outer = 0;
  for (const kind of inner ? [0, 1] : [0]) {
    for (let k = 0, t = 0; k < indices.length; k += 3, t++) {
      if (knots[k] === NO_KNOT || (inner && inner[t] !== kind)) continue;
      shown[end++] = k;
      shown[end++] = k + 1;
      shown[end++] = k + 2;
    }
    if (kind === 0) outer = end;
  }
  return { corners: shown.subarray(0, end), outer };
}

/**
 * Unit normals of the triangles at rest, 0 for those without area. Writes the weight of a face's cross product in the
 * normal of each corner into `weights`: its angle there over twice its area, both at rest. At rest that is the mean by
 * angle, which does not depend on how the surface is divided into triangles. A face that moves needs no square root.
 */
function describeFaces({ positions: p, indices }: SkinMesh, corners: Uint32Array, weights: Float32Array): Float64Array {
  const normals = normalRoom.take(corners.length);
  for (let k = 0; k < corners.length; k += 3) {
    const a = 3 * indices[corners[k]];
    const b = 3 * indices[corners[k + 1]];
    const c = 3 * indices[corners[k + 2]];
    // From a to b, from a to c, and from b to c.
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const wx = p[c] - p[b];
    const wy = p[c + 1] - p[b + 1];
    const wz = p[c + 2] - p[b + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const scale = area > 0 ? 1 / area : 0;
    normals[k] = nx * scale;
    normals[k + 1] = ny * scale;
    normals[k + 2] = nz * scale;
    // Squares of the sides opposite to the corners.
    const aa = wx * wx + wy * wy + wz * wz;
    const bb = vx * vx + vy * vy + vz * vz;
    const cc = ux * ux + uy * uy + uz * uz;
    const least = Math.max(area, SLIVER * Math.max(aa, bb, cc));
    if (!(least > 0)) continue;
    const angleA = angleOf(area, (bb + cc - aa) / 2);
    const angleB = angleOf(area, (cc + aa - bb) / 2);
    const part = 1 / least;
    weights[k] = angleA * part;
    weights[k + 1] = angleB * part;
    // The angles sum to π also in a triangle without area, in which two corners may coincide.
    weights[k + 2] = (Math.PI - angleA - angleB) * part;
  }
  return normals;
}

/**
 * The angle of (x, y), y ≥ 0, within 2e-5 rad, by the polynomial 4.4.47 of Abramowitz and Stegun: enough for weights of
 * normals, in a quarter of the time of atan2.
 */
function angleOf(y: number, x: number): number {
  const w = Math.abs(x);
  const t = y > w ? w / y : w > 0 ? y / w : 0;
  const s = t * t;
  const a = t * (0.999866 + s * (-0.3302995 + s * (0.180141 + s * (-0.085133 + s * 0.0208351))));
  const b = y > w ? Math.PI / 2 - a : a;
  return x < 0 ? Math.PI - b : b;
}

/** Per half-edge: the other half of its edge, where two triangles of the same orientation meet smoothly; else −1. */
function smoothTwins(flattest: number, cornerKnot: Uint32Array, faces: Float64Array): Int32Array {
  const twin = twinRoom.take(cornerKnot.length);
  pairHalfEdges(twin, cornerKnot);
  for (let g = 0; g < twin.length; g++) {
    const h = twin[g];
    if (h < g) continue;
    const s = g - (g % 3);
    const t = h - (h % 3);
    const dot = faces[s] * faces[t] + faces[s + 1] * faces[t + 1] + faces[s + 2] * faces[t + 2];
    if (dot >= flattest && cornerKnot[g] === cornerKnot[after(h)]) continue;
    twin[g] = twin[h] = -1;
  }
  return twin;
}

/**
 * Gives corners at one knot the same shade where the triangles between them meet smoothly. The next corner around a
 * knot is across the half-edge that begins at the corner, or across the one that ends there, so each corner is visited
 * once. Returns the number of shades.
 */
function shadesInto(shade: Uint32Array, twin: Int32Array): number {
  let count = 0;
  shade.fill(NO_SHADE);
  for (let k = 0; k < shade.length; k++) {
    if (shade[k] !== NO_SHADE) continue;
    let at = k;
    do {
      shade[at] = count;
      at = twin[at] < 0 ? -1 : after(twin[at]);
    } while (at >= 0 && at !== k);
    // The fan is open: its other part lies in the other direction.
    if (at < 0) for (at = twin[before(k)]; at >= 0; at = twin[before(at)]) shade[at] = count;
    count++;
  }
  return count;
}
const NO_SHADE = 0xffffffff;

/**
 * Gives corners of inner faces, those from index `outer` on, at one knot the same shade where their normals differ from that of the shade's first face by less than
 * a crease. Faces of a crack are many and fine, and are made anew at every break: no edges are needed for this, which takes a quarter of the time of
 * `shadesInto`. Numbers follow those of the outer faces, `count`; returns the number of all.
 */
function innerShadesInto(
  shade: Uint32Array,
  outer: number,
  count: number,
  cornerKnot: Uint32Array,
  faces: Float64Array,
  flattest: number,
): number {
  if (outer === shade.length) return count;
  let knots = 0;
  for (let k = outer; k < cornerKnot.length; k++) if (cornerKnot[k] >= knots) knots = cornerKnot[k] + 1;
  const head = headRoom.take(knots).fill(-1);
  // Per shade, counted from the first inner one: its first face, and another shade of its knot.
  const face = firstRoom.take(shade.length - outer);
  const next = nextRoom.take(shade.length - outer);
  let made = 0;
  for (let k = outer; k < shade.length; k += 3) {
    const x = faces[k];
    const y = faces[k + 1];
    const z = faces[k + 2];
    for (let c = k; c < k + 3; c++) {
      const knot = cornerKnot[c];
      let n = head[knot];
      while (n >= 0) {
        const f = face[n];
        if (x * faces[f] + y * faces[f + 1] + z * faces[f + 2] >= flattest) break;
        n = next[n];
      }
      if (n < 0) {
        n = made++;
        face[n] = k;
        next[n] = head[knot];
        head[knot] = n;
      }
      shade[c] = count + n;
    }
  }
  return count + made;
}

const after = (h: number) => (h % 3 === 2 ? h - 2 : h + 1);
const before = (h: number) => (h % 3 === 0 ? h + 2 : h - 1);

/** The first corner of each shade: without attributes, shades are the drawn vertices. */
function firstCorners(cornerShade: Uint32Array, shadeCount: number): Uint32Array {
  const first = firstRoom.take(shadeCount);
  // Shades are numbered in the order of their first corners.
  for (let k = 0, met = 0; met < shadeCount; k++) if (cornerShade[k] === met) first[met++] = k;
  return first;
}

/** Makes one drawn vertex of the corners of a shade with the same attributes; `first` is one corner of each. */
function drawnVertices(
  { uvs, colours }: SkinMesh,
  corners: Uint32Array,
  cornerShade: Uint32Array,
  shadeCount: number,
): { indices: Uint32Array; first: Uint32Array } {
  const head = headRoom.take(shadeCount).fill(-1);
  const next = nextRoom.take(corners.length);
  const first = firstRoom.take(corners.length);
  const indices = new Uint32Array(corners.length);
  let count = 0;
  for (let k = 0; k < corners.length; k++) {
    let r = head[cornerShade[k]];
    while (
      r >= 0 &&
      !(alike(2, uvs, corners[first[r]], corners[k]) && alike(3, colours, corners[first[r]], corners[k]))
    )
      r = next[r];
    if (r < 0) {
      r = count++;
      first[r] = k;
      next[r] = head[cornerShade[k]];
      head[cornerShade[k]] = r;
    }
    indices[k] = r;
  }
  return { indices, first: first.subarray(0, count) };
}

/** Whether two rows are equal; true without values. */
function alike(width: number, values: Float32Array | undefined, j: number, k: number): boolean {
  if (values) for (let a = 0; a < width; a++) if (values[width * j + a] !== values[width * k + a]) return false;
  return true;
}
