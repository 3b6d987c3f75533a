import { type MeshData, PliantError } from 'pliant';
import {
  type BufferAttribute,
  type BufferGeometry,
  Color,
  type Material,
  Matrix3,
  Matrix4,
  type Mesh,
  type Object3D,
  Quaternion,
  Vector3,
} from 'three';

/** A mesh of three.js in the world's coordinates or in those of its object, with everything that drawing needs of it and the engine does not. */
export interface SourceMesh {
  /** For the engine: positions, triangles, and that the skin keeps where its faces come from. */
  readonly mesh: MeshData & { readonly positions: Float32Array; readonly indices: Uint32Array };
  /** Attributes by name, beside positions: values of each vertex. */
  readonly attributes: ReadonlyMap<string, SourceAttribute>;
  /** Materials, and for each triangle the number of its material. */
  readonly materials: readonly Material[];
  readonly materialOf: Uint16Array;
}

/** An attribute of a source mesh. */
export interface SourceAttribute {
  readonly values: Float32Array;
  /** Numbers a vertex. */
  readonly width: number;
}

/** Attributes that belong to other ways of moving a mesh. */
const LEFT_OUT = new Set(['position', 'skinIndex', 'skinWeight', 'instanceMatrix', 'instanceColor']);

/**
 * Reads the meshes of an object, such as a loaded glTF scene, in the world's coordinates. Attributes that only some of the meshes have are 0 in the others, colours
 * white.
 */
export function readSource(object: Object3D): SourceMesh {
  object.updateWorldMatrix(true, true);
  return readWithin(object, new Matrix4());
}

/** Where a body is put: turned, then moved. */
export interface Pose {
  position: [number, number, number];
  rotation: [number, number, number, number];
}

/** The meshes of an object without their place, which is that of the first of them: equal objects at two places give the same mesh. The scale stays in the mesh. A mesh that its parents shear has no place of its own. */
export function readPlaced(object: Object3D): { source: SourceMesh; pose: Pose } {
  object.updateWorldMatrix(true, true);
  const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  let first = object;
  object.traverse((child) => {
    if ((child as Mesh).isMesh && !(first as Mesh).isMesh) first = child;
  });
  const { matrixWorld } = first;
  matrixWorld.decompose(position, rotation, scale);
  const again = new Matrix4().compose(position, rotation, scale).elements;
  const most = Math.max(...matrixWorld.elements.map(Math.abs));
  if (matrixWorld.elements.some((e, k) => Math.abs(e - again[k]) > SHEARED * most)) {
    position.set(0, 0, 0);
    rotation.identity();
  }
  const back = new Matrix4().compose(position, rotation, new Vector3(1, 1, 1)).invert();
  return {
    source: readWithin(object, back),
    pose: {
      position: [position.x, position.y, position.z],
      rotation: [rotation.x, rotation.y, rotation.z, rotation.w],
    },
  };
}

/** Relative difference of a matrix from the one put together of its place, turn and scale, above which it shears. */
const SHEARED = 1e-6;

/** Reads the meshes, with their places in the world mapped by `from`. */
function readWithin(object: Object3D, from: Matrix4): SourceMesh {
  const parts: Mesh[] = [];
  object.traverse((child) => {
    if ((child as Mesh).isMesh) parts.push(child as Mesh);
  });
  if (parts.length === 0)
    throw new PliantError(
      'object',
      `object is ${object.type} "${object.name}" without meshes; expected a Mesh or an object that contains one.`,
    );
  const vertices = parts.map(({ geometry }) => geometry.getAttribute('position')?.count ?? 0);
  const widths = new Map<string, number>();
  for (const { geometry } of parts)
    for (const [name, { itemSize }] of Object.entries(geometry.attributes))
      if (!LEFT_OUT.has(name)) widths.set(name, Math.max(itemSize, widths.get(name) ?? 0));
  // A normal that some parts do not have cannot be made up.
  if (parts.some(({ geometry }) => !geometry.attributes['normal'])) widths.delete('normal');
  const total = vertices.reduce((sum, n) => sum + n, 0);
  const positions = new Float32Array(3 * total);
  const attributes = new Map<string, SourceAttribute>();
  for (const [name, width] of widths)
    attributes.set(name, { values: new Float32Array(width * total).fill(name === 'color' ? 1 : 0), width });
  const materials: Material[] = [];
  const indices: number[] = [];
  const materialOf: number[] = [];
  let first = 0;
  for (const [n, part] of parts.entries()) {
    const matrix = new Matrix4().multiplyMatrices(from, part.matrixWorld);
    readPlaces(part, matrix, positions, first);
    for (const [name, { values, width }] of attributes) readAttribute(part, matrix, name, values, width, first);
    readTriangles(part, first, indices, materials, materialOf);
    first += vertices[n];
  }
  return {
    mesh: { positions, indices: Uint32Array.from(indices), source: true },
    attributes,
    materials,
    materialOf: Uint16Array.from(materialOf),
  };
}

const place = new Vector3();
const turn = new Matrix3();

function readPlaces({ geometry }: Mesh, matrix: Matrix4, out: Float32Array, first: number): void {
  const position = geometry.getAttribute('position');
  for (let v = 0; v < (position?.count ?? 0); v++)
    place
      .fromBufferAttribute(position, v)
      .applyMatrix4(matrix)
      .toArray(out, 3 * (first + v));
}

function readAttribute(
  { geometry }: Mesh,
  matrix: Matrix4,
  name: string,
  out: Float32Array,
  width: number,
  first: number,
): void {
  const from = geometry.getAttribute(name) as BufferAttribute | undefined;
  if (!from) return;
  turn.getNormalMatrix(matrix);
  for (let v = 0; v < from.count; v++) {
    const o = width * (first + v);
    for (let a = 0; a < from.itemSize; a++) out[o + a] = from.getComponent(v, a);
    if (name === 'normal') place.fromArray(out, o).applyNormalMatrix(turn).toArray(out, o);
    if (name === 'tangent') place.fromArray(out, o).transformDirection(matrix).toArray(out, o);
  }
}

function readTriangles(
  { geometry, material }: Mesh,
  first: number,
  indices: number[],
  materials: Material[],
  materialOf: number[],
): void {
  const { index } = geometry;
  const count = index ? index.count : geometry.getAttribute('position').count;
  const own = Array.isArray(material) ? material : [material];
  const base = materials.length;
  materials.push(...own);
  const ofCorner = groupOfCorners(geometry, count);
  for (let k = 0; k + 2 < count; k += 3) {
    for (let c = k; c < k + 3; c++) indices.push(first + (index ? index.getX(c) : c));
    materialOf.push(base + Math.min(ofCorner(k), own.length - 1));
  }
}

/** The material of the group that an index is in; 0 without groups. */
function groupOfCorners({ groups }: BufferGeometry, count: number): (k: number) => number {
  if (groups.length === 0) return () => 0;
  const of = new Uint16Array(count);
  for (const { start, count: length, materialIndex = 0 } of groups) of.fill(materialIndex, start, start + length);
  return (k) => of[k];
}

/** Tone of inner faces where no material is given for them: darker than the outside, so that a cut is seen. */
const INNER_TONE = 0.6;

/** A material for inner faces, made from the outer one: its colour, darker, without textures that have no coordinates there. */
export function innerOf(outer: Material): Material {
  const inner = outer.clone() as Material & Record<string, unknown>;
  for (const [key, value] of Object.entries(inner))
    if (value && typeof value === 'object' && (value as { isTexture?: boolean }).isTexture && key !== 'envMap')
      inner[key] = null;
  if (inner['color'] instanceof Color) inner['color'].multiplyScalar(INNER_TONE);
  inner.vertexColors = false;
  return inner;
}
