import { type Growing, growingFloats, growingIndices } from './growing.js';
import { addFan, checkNotEmpty, colourFractions, fail, type MeshFile, place, quote } from './meshFile.js';
import { parseNumber, Scanner } from './scan.js';

/** Keywords that say nothing about the shape as triangles: texture, normals, groups, materials, lines and points. */
const IGNORED = new Set('vt vn vp g o s mg l p mtllib usemtl usemap maplib lod bevel c_interp d_interp'.split(' '));

const SLASH = 47;
const F = 102;
const V = 118;

/** State of one reading: the arrays that grow and what is only known at the end. */
interface ObjReading {
  scan: Scanner;
  positions: Growing<Float64Array>;
  /** r g b per vertex, NaN for a vertex without; empty while none is coloured. */
  colours: Growing<Float64Array>;
  indices: Growing<Uint32Array>;
  corners: Growing<Uint32Array>;
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
    largest: 0,
    largestLine: 0,
  };
  const warnings: string[] = [];
  let unknown = 0;
  while (scan.next()) {
    // Nearly every line is a v or an f: only the others are made into a string.
    const letter = scan.end - scan.start === 1 ? bytes[scan.start] : 0;
    if (letter === V) readVertex(reading);
    else if (letter === F) readFace(reading);
    else if (!IGNORED.has(scan.text()) && unknown++ === 0)
      warnings.push(`${place(file, `line ${scan.line}`)} the keyword ${quote(scan.text())} is not read.`);
    if (!scan.skipLine()) break;
  }
  if (unknown > 1) warnings.push(`${place(file)} ${unknown} lines with keywords that are not read.`);
  return finish(reading, file, warnings);
}

function finish({ positions, colours, indices, largest, largestLine }: ObjReading, file: string, warnings: string[]) {
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
  return mesh;
}

/** `v x y z`, `v x y z w` (w is for rational curves and not read) or `v x y z r g b`. */
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
  const { scan, corners } = reading;
  corners.length = 0;
  while (scan.nextOnLine()) corners.push(readCorner(reading));
  if (corners.length < 3)
    fail(scan.file, `line ${scan.line}`, `the face has ${corners.length} corners; expected at least 3`);
  addFan(reading.indices, corners);
}

/** `7`, `7/1`, `7//3` or `7/1/3`, counted from 1; negative numbers count back from the last vertex so far. */
function readCorner(reading: ObjReading): number {
  const { scan } = reading;
  let end = scan.start;
  while (end < scan.end && scan.bytes[end] !== SLASH) end++;
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
