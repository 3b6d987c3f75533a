import { PliantError, refuse } from 'pliant';

/** Input of `writePly`. */
export interface PlyContent {
  /** Coordinates; written as float or double according to the array's type. */
  positions: Float32Array | Float64Array;
  /** Values per vertex in `positions`, of which the first three are x, y, z. Default 3. */
  stride?: number;
  /** r, g, b per vertex, 0..255. */
  colours?: Uint8Array;
  /** Three vertex numbers per triangle. Without them the file is a point cloud. */
  indices?: Uint32Array;
  /** Additional floats per vertex, each with its property name. */
  extra?: readonly { name: string; values: Float32Array }[];
}

const TAKEN = ['x', 'y', 'z', 'red', 'green', 'blue'];

/** Writes a binary little-endian PLY file that MeshLab, Blender and parsePly can read. */
export function writePly(content: PlyContent): Uint8Array {
  const vertices = checkContent(content);
  const { positions, stride = 3, colours, indices, extra = [] } = content;
  const double = positions instanceof Float64Array;
  const header = new TextEncoder().encode(headerText(content, vertices, double));
  const coordinate = double ? 8 : 4;
  const vertexSize = 3 * coordinate + (colours ? 3 : 0) + 4 * extra.length;
  // A triangle: the length 3 in one byte, then three int32.
  const faceBytes = indices ? (indices.length / 3) * 13 : 0;
  const bytes = new Uint8Array(header.length + vertices * vertexSize + faceBytes);
  bytes.set(header);
  const view = new DataView(bytes.buffer);
  let at = header.length;
  for (let i = 0; i < vertices; i++) {
    for (let k = 0; k < 3; k++, at += coordinate) {
      if (double) view.setFloat64(at, positions[i * stride + k], true);
      else view.setFloat32(at, positions[i * stride + k], true);
    }
    if (colours) for (let k = 0; k < 3; k++) bytes[at++] = colours[i * 3 + k];
    for (const { values } of extra) {
      view.setFloat32(at, values[i], true);
      at += 4;
    }
  }
  for (let f = 0; indices && f < indices.length; f += 3) {
    bytes[at++] = 3;
    for (let k = 0; k < 3; k++, at += 4) view.setUint32(at, indices[f + k], true);
  }
  return bytes;
}

function headerText({ colours, indices, extra = [] }: PlyContent, vertices: number, double: boolean): string {
  const lines = ['ply', 'format binary_little_endian 1.0', 'comment written by Pliant', `element vertex ${vertices}`];
  for (const axis of 'xyz') lines.push(`property ${double ? 'double' : 'float'} ${axis}`);
  if (colours) lines.push('property uchar red', 'property uchar green', 'property uchar blue');
  for (const { name } of extra) lines.push(`property float ${name}`);
  if (indices) lines.push(`element face ${indices.length / 3}`, 'property list uchar int vertex_indices');
  return `${lines.join('\n')}\nend_header\n`;
}

/** Refuses content that would make an unreadable file; returns the number of vertices. */
function checkContent({ positions, stride = 3, colours, indices, extra = [] }: PlyContent): number {
  if (!Number.isInteger(stride) || stride < 3) refuse('stride', stride, 'an integer of at least 3');
  if (positions.length === 0 || positions.length % stride !== 0)
    refuse('positions.length', positions.length, `a multiple of the stride ${stride}, above 0`);
  const vertices = positions.length / stride;
  for (let i = 0; i < vertices; i++)
    for (let k = 0; k < 3; k++) {
      const value = positions[i * stride + k];
      if (!Number.isFinite(value)) refuse(`positions[${i * stride + k}]`, value, 'a finite number');
    }
  if (colours && colours.length !== vertices * 3)
    refuse('colours.length', colours.length, `${vertices * 3}, three for each of ${vertices} vertices`);
  if (indices && indices.length % 3 !== 0) refuse('indices.length', indices.length, 'a multiple of 3');
  for (let k = 0; indices && k < indices.length; k++)
    if (indices[k] >= vertices) refuse(`indices[${k}]`, indices[k], `a vertex number from 0 to ${vertices - 1}`);
  const names = new Set(TAKEN);
  for (const { name, values } of extra) {
    if (!/^[A-Za-z_]\w*$/.test(name)) refuse('extra.name', name, 'a name of letters, digits and _');
    if (names.has(name))
      throw new PliantError('extra.name', `extra.name ${name} is there already; expected a new name.`);
    names.add(name);
    if (values.length !== vertices) refuse(`extra.${name}.length`, values.length, `${vertices}, one for each vertex`);
  }
  return vertices;
}
