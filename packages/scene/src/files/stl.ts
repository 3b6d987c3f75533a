import { growingFloats } from './growing.js';
import { checkNotEmpty, checkVertices, fail, type MeshFile, place } from './meshFile.js';
import { Scanner } from './scan.js';

const HEADER = 80;
/** Bytes of a facet: normal and three corners as float32, then two bytes that no standard defines. */
const FACET = 50;

/** Reads STL, text or binary, as triangle soup: three separate vertices per facet. Normals are ignored. */
export function parseStl(bytes: Uint8Array, file: string): MeshFile {
  checkNotEmpty(bytes, file, 'an STL file');
  const warnings: string[] = [];
  const positions = isText(bytes) ? parseText(bytes, file) : parseBinary(bytes, file, warnings);
  if (positions.length === 0) fail(file, '', 'the file has no facets; expected at least one');
  const indices = new Uint32Array(positions.length / 3).map((_, k) => k);
  return { kind: 'mesh', positions, indices, warnings };
}

/**
 * Binary files may begin with "solid" too. A file whose length fits its binary count is binary: in a text file those
 * four bytes are at least 0x09090909, which would mean 7 GB. Otherwise a text file has "solid" and, soon after, a
 * keyword.
 */
function isText(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fits = bytes.length >= HEADER + 4 && HEADER + 4 + FACET * view.getUint32(HEADER, true) === bytes.length;
  if (fits) return false;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4096)).toLowerCase();
  return (
    /^(\xef\xbb\xbf)?\s*solid/.test(head) && (bytes.length < HEADER + 4 || /\s(facet|endsolid)\s/.test(`${head} `))
  );
}

function parseBinary(bytes: Uint8Array, file: string, warnings: string[]): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER + 4)
    fail(file, '', `the file has ${bytes.length} bytes; expected text that begins with "solid" or at least 84 bytes`);
  const count = view.getUint32(HEADER, true);
  const wanted = HEADER + 4 + FACET * count;
  if (bytes.length < wanted)
    fail(
      file,
      `byte ${HEADER}`,
      `${count} facets take ${wanted} bytes, the file has ${bytes.length}; expected a whole STL file`,
    );
  if (bytes.length > wanted)
    warnings.push(`${place(file, `byte ${wanted}`)} ${bytes.length - wanted} bytes after the last facet are not read.`);
  checkVertices(3 * count, file, `byte ${HEADER}`);
  const positions = new Float64Array(count * 9);
  for (let k = 0; k < positions.length; k++) {
    const offset = HEADER + 4 + FACET * Math.floor(k / 9) + 12 + 4 * (k % 9);
    const value = view.getFloat32(offset, true);
    if (!Number.isFinite(value)) fail(file, `byte ${offset}`, `${'xyz'[k % 3]} is ${value}; expected a finite number`);
    positions[k] = value;
  }
  return positions;
}

function parseText(bytes: Uint8Array, file: string): Float64Array {
  const scan = new Scanner(bytes, file);
  const positions = growingFloats();
  // Corners of the open facet; -1 between facets.
  let corners = -1;
  while (scan.next()) {
    const keyword = scan.text().toLowerCase();
    switch (keyword) {
      case 'solid':
      case 'endsolid':
        if (corners >= 0) scan.refuse('the next keyword', 'endfacet');
        scan.skipLine();
        break;
      case 'facet':
        if (corners >= 0) scan.refuse('the next keyword', 'endfacet');
        corners = 0;
        // "normal" and three values of any kind, often nan: the normal follows from the corners.
        for (let k = 0; k < 4 && scan.nextOnLine(); k++);
        break;
      case 'vertex':
        if (corners < 0) scan.refuse('the next keyword', 'facet');
        for (const axis of 'xyz') {
          if (!scan.nextOnLine()) scan.refuse(axis, 'a finite number');
          positions.push(scan.finite(axis));
        }
        corners++;
        break;
      case 'endfacet':
        if (corners !== 3) fail(file, `line ${scan.line}`, `the facet has ${Math.max(0, corners)} corners; expected 3`);
        corners = -1;
        break;
      case 'outer':
      case 'loop':
      case 'endloop':
        break;
      default:
        scan.refuse('the next keyword', 'solid, facet, outer loop, vertex, endloop, endfacet or endsolid');
    }
  }
  if (corners >= 0)
    fail(file, `line ${scan.line}`, `the file ends inside a facet with ${corners} corners; expected endfacet`);
  return positions.take();
}
