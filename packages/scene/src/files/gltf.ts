import { type Accessor, type Document, type Primitive, WebIO } from '@gltf-transform/core';
import { shorten } from '../show.js';
import { type Json, loadBuffer, objects, openGltf, type ResolveUri } from './gltfContainer.js';
import { checkExtensions, GeometryPicker } from './gltfGeometry.js';
import { type MeshInstance, meshInstances } from './gltfNodes.js';
import { growingIndices, MOST_NUMBERS, MOST_VERTICES } from './growing.js';
import { checkNotEmpty, fail, type MeshFile, place } from './meshFile.js';

export type { ResolveUri } from './gltfContainer.js';

const TRIANGLES = 4;
const STRIP = 5;
const FAN = 6;
const KINDS = ['points', 'lines', 'line loops', 'line strips'];

/**
 * Largest number of placed primitives. One mesh may be placed by many nodes, so the file's size does not bound their
 * number.
 */
const MOST_PIECES = 1_000_000;

/** One primitive with the transform of a node. */
interface Piece {
  primitive: Primitive;
  matrix: ArrayLike<number>;
  positions: Accessor;
  /** Number of its material, −1 for none. */
  material: number;
}

/** Destination of a piece: its first vertex in the merged mesh; the file is for messages. */
interface Target {
  file: string;
  first: number;
}

/**
 * Reads .gltf and .glb: all triangles of the default scene in world space, in the file's unit, with COLOR_0 (linear
 * rgb), TEXCOORD_0 and the numbers of materials (`readMaterials` reads those). Skins and morph targets are ignored. `resolve` fetches buffers that are in separate
 * files.
 */
export async function parseGltf(bytes: Uint8Array, file: string, resolve?: ResolveUri): Promise<MeshFile> {
  checkNotEmpty(bytes, file, 'a glTF 2.0 file');
  const warnings: string[] = [];
  const { json, bin } = openGltf(bytes, file);
  checkExtensions(json, file);
  const instances = meshInstances(json, file, warnings);
  const { json: geometry, sources } = new GeometryPicker(json, file);
  const resources: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const [k, { uri, byteLength }] of geometry.buffers.entries())
    resources[uri!] = (await loadBuffer(sources[k], byteLength, file, bin, resolve)) as Uint8Array<ArrayBuffer>;
  let document: Document;
  try {
    document = await new WebIO().readJSON({ json: geometry, resources });
  } catch (error) {
    fail(file, '', `glTF-Transform refuses it (${shorten((error as Error).message)}); expected a glTF 2.0 file`);
  }
  return merge(collect(document, instances, materialNumbers(json, file), file, warnings), file, warnings);
}

/** Number of the material of each primitive of each mesh, −1 for none. */
function materialNumbers(json: Json, file: string): number[][] {
  const most = objects(json, 'materials', file).length;
  return objects(json, 'meshes', file).map((mesh) =>
    objects(mesh, 'primitives', file).map(({ material }) =>
      Number.isInteger(material) && (material as number) >= 0 && (material as number) < most
        ? (material as number)
        : -1,
    ),
  );
}

function collect(
  document: Document,
  instances: MeshInstance[],
  materials: number[][],
  file: string,
  warnings: string[],
): Piece[] {
  const meshes = document.getRoot().listMeshes();
  const pieces: Piece[] = [];
  const skipped = new Set<string>();
  let vertices = 0;
  let corners = 0;
  let placed = 0;
  for (const { mesh, matrix } of instances)
    for (const [p, primitive] of meshes[mesh].listPrimitives().entries()) {
      if (++placed > MOST_PIECES)
        fail(file, '', `the scene has more than ${MOST_PIECES} primitives, placed by nodes; expected fewer`);
      if (primitive.getMode() < TRIANGLES) {
        skipped.add(KINDS[primitive.getMode()]);
        continue;
      }
      const positions = primitive.getAttribute('POSITION')!;
      vertices += positions.getCount();
      corners += primitive.getIndices()?.getCount() ?? positions.getCount();
      if (vertices > MOST_VERTICES || corners > MOST_NUMBERS / 3)
        fail(file, '', `the scene has more than ${MOST_VERTICES} vertices or corners; expected fewer`);
      pieces.push({ primitive, matrix, positions, material: materials[mesh][p] });
    }
  for (const kind of skipped) warnings.push(`${place(file)} ${kind} are not read, only triangles.`);
  return pieces;
}

function merge(pieces: Piece[], file: string, warnings: string[]): MeshFile {
  const count = pieces.reduce((sum, { positions }) => sum + positions.getCount(), 0);
  const positions = new Float64Array(count * 3);
  const coloured = pieces.some(({ primitive }) => primitive.getAttribute('COLOR_0'));
  const colours = coloured ? new Float32Array(count * 3).fill(1) : undefined;
  const textured = pieces.some(({ primitive }) => primitive.getAttribute('TEXCOORD_0'));
  const uvs = textured ? new Float32Array(count * 2) : undefined;
  const indices = growingIndices();
  const groups: { start: number; count: number; material: number }[] = [];
  let first = 0;
  for (const piece of pieces) {
    const at = { file, first };
    placeVertices(piece, positions, at);
    if (colours) copyColours(piece, colours, at);
    if (uvs) copyUvs(piece, uvs, at);
    const begin = indices.length;
    addTriangles(piece, indices, at);
    if (determinant(piece.matrix) < 0) flip(indices.values, begin, indices.length);
    first += piece.positions.getCount();
    const last = groups.at(-1);
    if (last?.material === piece.material) last.count = indices.length - last.start;
    else groups.push({ start: begin, count: indices.length - begin, material: piece.material });
  }
  if (indices.length === 0) fail(file, '', 'the default scene has no triangles; expected at least one');
  return {
    kind: 'mesh',
    positions,
    indices: indices.take(),
    ...(colours && { colours }),
    ...(uvs && { uvs }),
    ...(groups.some(({ material }) => material >= 0) && { groups }),
    warnings,
  };
}

function placeVertices({ positions, matrix: m }: Piece, out: Float64Array, { file, first }: Target) {
  const v = [0, 0, 0];
  for (let i = 0; i < positions.getCount(); i++) {
    const [x, y, z] = positions.getElement(i, v);
    for (let k = 0; k < 3; k++) {
      const value = m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k];
      if (!Number.isFinite(value))
        fail(
          file,
          '',
          `vertex ${first + i} is at (${x}, ${y}, ${z}), which its node takes to ${value}; expected finite numbers`,
        );
      out[(first + i) * 3 + k] = value;
    }
  }
}

function copyColours({ primitive, positions }: Piece, out: Float32Array, { file, first }: Target) {
  const colours = primitive.getAttribute('COLOR_0');
  if (!colours) return;
  const count = positions.getCount();
  if (colours.getCount() !== count)
    fail(file, '', `COLOR_0 has ${colours.getCount()} values; expected ${count}, one for each vertex`);
  // Integer colours are normalised by definition, though some writers do not declare it.
  if (colours.getComponentType() !== 5126) colours.setNormalized(true);
  const rgb = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    colours.getElement(i, rgb);
    for (let k = 0; k < 3; k++) out[(first + i) * 3 + k] = Math.min(1, Math.max(0, rgb[k] || 0));
  }
}

/** In glTF v increases downwards from the top of an image; here it increases upwards. */
function copyUvs({ primitive, positions }: Piece, out: Float32Array, { file, first }: Target) {
  const uvs = primitive.getAttribute('TEXCOORD_0');
  if (!uvs) return;
  const count = positions.getCount();
  if (uvs.getCount() !== count)
    fail(file, '', `TEXCOORD_0 has ${uvs.getCount()} values; expected ${count}, one for each vertex`);
  // Normalised, as colours.
  if (uvs.getComponentType() !== 5126) uvs.setNormalized(true);
  const uv = [0, 0];
  for (let i = 0; i < count; i++) {
    uvs.getElement(i, uv);
    out[(first + i) * 2] = Number.isFinite(uv[0]) ? uv[0] : 0;
    out[(first + i) * 2 + 1] = Number.isFinite(uv[1]) ? 1 - uv[1] : 0;
  }
}

/** glTF 2.0 section 3.7.2.1: corners of triangle i in lists, strips and fans. */
function addTriangles({ primitive, positions }: Piece, out: ReturnType<typeof growingIndices>, at: Target) {
  const given = primitive.getIndices()?.getArray();
  const vertices = positions.getCount();
  const corners = given?.length ?? vertices;
  const mode = primitive.getMode();
  if (mode === TRIANGLES && corners % 3 !== 0)
    fail(at.file, '', `a triangle list has ${corners} corners; expected a multiple of 3`);
  const corner = (k: number) => {
    const vertex = given ? given[k] : k;
    if (!(vertex >= 0 && vertex < vertices) || !Number.isInteger(vertex))
      fail(at.file, '', `corner ${k} uses vertex ${vertex}; expected 0 to ${vertices - 1}`);
    return vertex;
  };
  const add = (a: number, b: number, c: number) => {
    // Strips are stitched together by triangles without area.
    if (mode !== TRIANGLES && (a === b || b === c || c === a)) return;
    out.push(at.first + a);
    out.push(at.first + b);
    out.push(at.first + c);
  };
  if (mode === TRIANGLES) for (let k = 0; k < corners; k += 3) add(corner(k), corner(k + 1), corner(k + 2));
  if (mode === STRIP)
    for (let k = 2; k < corners; k++) add(corner(k - 2), corner(k - 1 + (k % 2)), corner(k - (k % 2)));
  if (mode === FAN) for (let k = 2; k < corners; k++) add(corner(0), corner(k - 1), corner(k));
}

/** The triangles of a mirrored node are seen from behind: glTF 2.0 section 3.7.4 reverses their winding. */
function determinant(m: ArrayLike<number>): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}

function flip(indices: Uint32Array, begin: number, end: number): void {
  for (let k = begin; k < end; k += 3) [indices[k + 1], indices[k + 2]] = [indices[k + 2], indices[k + 1]];
}
