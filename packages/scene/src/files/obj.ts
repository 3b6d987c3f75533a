import { type Growing, growingFloats, growingIndices } from './growing.js';
import { addFan, checkNotEmpty, colourFractions, fail, type MeshFile, place, quote } from './meshFile.js';
import { parseNumber, Scanner } from './scan.js';

/** Keywords that do not affect the triangles: normals, groups, materials, lines and points. */
const IGNORED = new Set('vn vp g o s mg l p mtllib usemtl usemap maplib lod bevel c_interp d_interp'.split(' '));

const SLASH = 47;
const F = 102;
const V = 118;

/** State of one reading: the growing arrays, and values that are only complete at the end. */
interface ObjReading {
  scan: Scanner;
  positions: Growing<Float64Array>;
  /** r g b per vertex, NaN for a vertex without a colour; empty as long as none is coloured. */
  colours: Growing<Float64Array>;
  indices: Growing<Uint32Array>;
  corners: Growing<Uint32Array>;
  /**
   * u v of every `vt`. `faceTextures` and `textures` have the number of the `vt` of each corner, counted from 1, 0 for
   * none: of a face, and of all triangles.
   */
  places: Growing<Float64Array>;
  faceTextures: Growing<Uint32Array>;
  textures: Growing<Uint32Array>;
  /** Largest vertex number of any face, and its line: a face may come before its vertices. */
  largest: number;
  largestLine: number;
}

/** Reads Wavefront OBJ: `v` with optional colours and `f` in all its forms; polygons become triangle fans. */
export function parseObj(bytes: Uint8Array, file: string): MeshFile {
  checkNotEmpty(bytes, file, 'an OBJ file');
  const scan = new Scanner(bytes, file, { comments: true, continuation: true });
  const reading: ObjReading = {
    scan,
    positions: growingFloats(),
    colours: growingFloats(),
    indices: growingIndices(),
    corners: growingIndices(16),
    places: growingFloats(),
    faceTextures: growingIndices(16),
    textures: growingIndices(),
    largest: 0,
    largestLine: 0,
  };
  const warnings: string[] = [];
  let unknown = 0;
  while (scan.next()) {
    // Nearly every line is a v or an f: only the keywords of others are converted to strings.
    const letter = scan.end - scan.start === 1 ? bytes[scan.start] : 0;
    if (letter === V) readVertex(reading);
    else if (letter === F) readFace(reading);
    else if (scan.text() === 'vt') readPlace(reading);
    else if (!IGNORED.has(scan.text()) && unknown++ === 0)
      warnings.push(`${place(file, `line ${scan.line}`)} the keyword ${quote(scan.text())} is not read.`);
    if (!scan.skipLine()) break;
  }
  if (unknown > 1) warnings.push(`${place(file)} ${unknown} lines with keywords that are not read.`);
  return finish(reading, file, warnings);
}

function finish(reading: ObjReading, file: string, warnings: string[]) {
  const { positions, colours, indices, places, textures, largest, largestLine } = reading;
  const count = positions.length / 3;
  if (count === 0) fail(file, '', 'the file has no vertices; expected lines "v x y z"');
  if (largest > count)
    fail(
      file,
      `line ${largestLine}`,
      `the face uses vertex ${largest}; expected at most ${count}, the vertices there are`,
    );
  const mesh: MeshFile = {
    kind: indices.length > 0 ? 'mesh' : 'points',
    positions: positions.take(),
    indices: indices.take(),
    warnings,
  };
  if (colours.length > 0) {
    while (colours.length < positions.length) colours.push(Number.NaN);
    mesh.colours = colourFractions(colours.take(), file, warnings);
  }
  if (places.length > 0 && indices.length > 0) mesh.uvs = uvsOf(textures, places, file, warnings);
  return mesh;
}

/** u v by corner: two triangles at one vertex may have different texture coordinates. Corners without one get 0, 0. */
function uvsOf(textures: Growing<Uint32Array>, places: Growing<Float64Array>, file: string, warnings: string[]) {
  const uvs = new Float32Array(2 * textures.length);
  const count = places.length / 2;
  let missing = 0;
  for (let k = 0; k < textures.length; k++) {
    const n = textures.values[k];
    if (n > count) missing++;
    if (n === 0 || n > count) continue;
    uvs[2 * k] = places.values[2 * n - 2];
    uvs[2 * k + 1] = places.values[2 * n - 1];
  }
  if (missing > 0) warnings.push(`${place(file)} ${missing} corners use a "vt" beyond the ${count} there are.`);
  return uvs;
}

/** `vt u v`, `vt u` or `vt u v w`. Anything that is not a number becomes 0, as it is only for rendering. */
function readPlace({ scan, places }: ObjReading): void {
  for (let k = 0; k < 2; k++) {
    const value = scan.nextOnLine() ? parseNumber(scan.bytes, scan.start, scan.end) : 0;
    places.push(Number.isFinite(value) ? value : 0);
  }
}

/** `v x y z`, `v x y z w` (w is for rational curves and ignored) or `v x y z r g b`. */
function readVertex({ scan, positions, colours }: ObjReading): void {
  for (const axis of 'xyz') {
    if (!scan.nextOnLine()) scan.refuse(axis, 'a finite number');
    positions.push(scan.finite(axis));
  }
  if (!scan.nextOnLine()) return;
  const fourth = scan.finite('the number after z');
  if (!scan.nextOnLine()) return;
  while (colours.length < positions.length - 3) colours.push(Number.NaN);
  colours.push(fourth);
  colours.push(scan.finite('green'));
  if (!scan.nextOnLine()) scan.refuse('blue', 'a finite number');
  colours.push(scan.finite('blue'));
}

function readFace(reading: ObjReading): void {
  const { scan, corners, faceTextures } = reading;
  corners.length = faceTextures.length = 0;
  while (scan.nextOnLine()) corners.push(readCorner(reading));
  if (corners.length < 3)
    fail(scan.file, `line ${scan.line}`, `the face has ${corners.length} corners; expected at least 3`);
  addFan(reading.indices, corners);
  addFan(reading.textures, faceTextures);
}

/** `7`, `7/1`, `7//3` or `7/1/3`, counted from 1; negative numbers count back from the last vertex so far. */
function readCorner(reading: ObjReading): number {
  const { scan } = reading;
  let end = scan.start;
  while (end < scan.end && scan.bytes[end] !== SLASH) end++;
  reading.faceTextures.push(textureNumber(reading, end + 1));
  const number = parseNumber(scan.bytes, scan.start, end);
  const count = reading.positions.length / 3;
  if (!Number.isInteger(number) || number === 0 || number > 0xffffffff)
    scan.refuse('a corner of the face', 'a vertex number, from 1 or negative');
  if (number < -count) scan.refuse('a corner of the face', `at most ${count} back, the vertices so far`);
  if (number < 0) return count + number;
  if (number > reading.largest) {
    reading.largest = number;
    reading.largestLine = scan.line;
  }
  return number - 1;
}

/** The number between the slashes, from `start` on; 0 if there is none. */
function textureNumber({ scan, places }: ObjReading, start: number): number {
  let end = start;
  while (end < scan.end && scan.bytes[end] !== SLASH) end++;
  const number = end > start ? parseNumber(scan.bytes, start, end) : 0;
  if (!Number.isInteger(number) || number > 0xffffffff) return 0;
  return number >= 0 ? number : Math.max(0, places.length / 2 + number + 1);
}
