import { type Growing, growingIndices } from './growing.js';
import {
  addFan,
  checkNotEmpty,
  checkVertices,
  colourFractions,
  fail,
  type MeshFile,
  named,
  place,
} from './meshFile.js';
import { checkElementFits, type PlyData, plyData } from './plyData.js';
import { type PlyElement, type PlyProperty, type PlyType, parsePlyHeader } from './plyHeader.js';

const COLOURS = ['red', 'green', 'blue'];
/** Property names that writers use for texture coordinates. */
const PLACES = [
  ['s', 't'],
  ['u', 'v'],
  ['texture_u', 'texture_v'],
];
const FACE_LISTS = ['vertex_indices', 'vertex_index'];

/** Reads PLY, text or binary of either byte order. Without faces it is a point cloud: kind 'points'. */
export function parsePly(bytes: Uint8Array, file: string): MeshFile {
  checkNotEmpty(bytes, file, 'a PLY file');
  const header = parsePlyHeader(bytes, file);
  const data = plyData(bytes, file, header);
  const vertex = header.elements.find((e) => e.name === 'vertex');
  if (!vertex || vertex.count === 0)
    fail(file, '', 'the header has no vertices; expected "element vertex" with a count above 0');
  const warnings: string[] = [];
  let vertices: { positions: Float64Array; colours?: Float64Array; uvs?: Float32Array } | undefined;
  const indices = growingIndices();
  for (const element of header.elements) {
    checkElementFits(data, file, element);
    if (element === vertex) checkVertices(element.count, file, '');
    if (element === vertex) vertices = readVertices(data, file, element);
    else if (element.name === 'face') readFaces(data, file, element, vertex.count, indices);
    else {
      skip(data, file, element);
      if (element.name === 'tristrips')
        warnings.push(`${place(file)} triangle strips (element tristrips) are not read.`);
    }
  }
  const rest = data.rest();
  if (rest) warnings.push(`${place(file)} ${rest} after the last element: not read.`);
  const { positions, colours, uvs } = vertices!;
  const mesh: MeshFile = { kind: indices.length > 0 ? 'mesh' : 'points', positions, indices: indices.take(), warnings };
  if (colours) mesh.colours = colourFractions(colours, file, warnings);
  if (uvs) mesh.uvs = uvs;
  return mesh;
}

function readVertices(data: PlyData, file: string, { count, properties }: PlyElement) {
  const single = new Map(properties.filter((p) => !p.length).map((p) => [p.name, p]));
  for (const axis of 'xyz')
    if (!single.has(axis))
      fail(file, '', `the vertices have ${named([...single.keys()]) || 'no values'}; expected x, y and z`);
  const coloured = COLOURS.every((name) => single.has(name));
  const positions = new Float64Array(count * 3);
  const colours = coloured ? new Float64Array(count * 3) : undefined;
  const names = PLACES.find((pair) => pair.every((name) => single.has(name)));
  const uvs = names && new Float32Array(count * 2);
  // Per property: which of x, y, z or red, green, blue it is, or -1.
  const axes = properties.map((p) => (p.length || p.name.length !== 1 ? -1 : 'xyz'.indexOf(p.name)));
  const channels = properties.map((p) => (p.length || !coloured ? -1 : COLOURS.indexOf(p.name)));
  const places = properties.map((p) => (p.length || !names ? -1 : names.indexOf(p.name)));
  for (let vertex = 0; vertex < count; vertex++) {
    for (let k = 0; k < properties.length; k++) {
      const property = properties[k];
      if (property.length) {
        skipList(data, file, property);
        continue;
      }
      const value = data.next(property.type, property.name);
      // Only for rendering: anything that is not a number becomes 0.
      if (places[k] >= 0) uvs![vertex * 2 + places[k]] = Number.isFinite(value) ? value : 0;
      if (axes[k] < 0 && channels[k] < 0) continue;
      if (!Number.isFinite(value))
        fail(file, data.where(), `${property.name} of vertex ${vertex} is ${value}; expected a finite number`);
      if (axes[k] >= 0) positions[vertex * 3 + axes[k]] = value;
      else colours![vertex * 3 + channels[k]] = fraction(value, property.type);
    }
  }
  return { positions, colours, uvs };
}

/** Integers have a known full value. Floats are fractions, or 0..255, which only the whole file shows. */
const fraction = (value: number, { full }: PlyType) => (full === undefined ? value : Math.min(1, value / full));

function readFaces(data: PlyData, file: string, element: PlyElement, vertices: number, indices: Growing<Uint32Array>) {
  const { count, properties } = element;
  const list = properties.find((p) => p.length && FACE_LISTS.includes(p.name));
  if (!list && count > 0)
    fail(
      file,
      '',
      `the faces have ${named(properties.map((p) => p.name))}; expected a list ${FACE_LISTS.join(' or ')}`,
    );
  const corners = growingIndices(16);
  for (let face = 0; face < count; face++) {
    for (const property of properties) {
      if (property !== list) {
        skipProperty(data, file, property);
        continue;
      }
      const length = listLength(data, file, property);
      if (length < 3) fail(file, data.where(), `face ${face} has ${length} corners; expected at least 3`);
      corners.length = 0;
      for (let k = 0; k < length; k++) {
        const index = data.next(property.type, property.name);
        if (!(index >= 0 && index < vertices) || !Number.isInteger(index))
          fail(file, data.where(), `face ${face} uses vertex ${index}; expected 0 to ${vertices - 1}`);
        corners.push(index);
      }
      addFan(indices, corners);
    }
  }
}

function skip(data: PlyData, file: string, { count, properties }: PlyElement): void {
  for (let item = 0; item < count; item++) for (const property of properties) skipProperty(data, file, property);
}

function skipProperty(data: PlyData, file: string, property: PlyProperty): void {
  if (property.length) skipList(data, file, property);
  else data.next(property.type, property.name);
}

function skipList(data: PlyData, file: string, property: PlyProperty): void {
  const length = listLength(data, file, property);
  for (let k = 0; k < length; k++) data.next(property.type, property.name);
}

/** The length of a list, after a check that its values fit into the file. */
function listLength(data: PlyData, file: string, { name, type, length }: PlyProperty): number {
  const count = data.next(length!, `the length of ${name}`);
  if (count < 0) fail(file, data.where(), `the length of ${named(name)} is ${count}; expected at least 0`);
  data.checkFits(count * type.size, count, `${count} × ${named(name)}`);
  return count;
}
