import type { GLTF } from '@gltf-transform/core';
import { index, isObject, type Json, objects, shown } from './gltfContainer.js';
import { fail, named } from './meshFile.js';

/** Bytes per component, by glTF's componentType. */
const COMPONENT_SIZE = new Map<unknown, number>([
  [5120, 1],
  [5121, 1],
  [5122, 2],
  [5123, 2],
  [5125, 4],
  [5126, 4],
]);
const COMPONENTS = new Map<unknown, number>(Object.entries({ SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }));

/** Largest number of bytes and elements of one object of a file. */
const LIMIT = 4294967296;

/**
 * Largest number of zeros. Accessors without a buffer view are zeros except for their sparse values: the file's size
 * does not bound them.
 */
const MOST_ZEROS = 1 << 24;

/**
 * Largest number of bytes of all accessors together. Each is read into separate memory, and many may refer to one view,
 * so the file's size does not bound them.
 */
const MOST_BYTES = 1 << 30;

/** Extensions that a file may require and that do not change its triangles. */
const HARMLESS =
  /^(KHR_materials_\w+|KHR_texture_\w+|EXT_texture_\w+|MSFT_texture_dds|KHR_lights_\w+|KHR_mesh_quantization)$/;
const DRACO = 'KHR_draco_mesh_compression';
const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

export function checkExtensions(json: Json, file: string): void {
  const required = json.extensionsRequired ?? [];
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string'))
    fail(file, '', `extensionsRequired is ${shown(required)}; expected a list of names`);
  for (const name of required) if (!HARMLESS.test(name)) refuseExtension(name, file);
}

function refuseExtension(name: string, file: string): never {
  const advice = name === DRACO || MESHOPT.includes(name) ? 'a file saved without compression' : 'one without it';
  fail(file, '', `the file needs the extension ${named(name)}, which is not supported; expected ${advice}`);
}

const hasExtension = ({ extensions }: Json, name: string) => isObject(extensions) && name in extensions;

/**
 * Extracts positions, colours, texture coordinates and indices of all meshes from a file. glTF-Transform decodes every
 * accessor and image that it is given and does not check bounds (an accessor reads on into the next view, a wrong count
 * allocates). So it is given only the needed parts, renumbered, after their bounds were checked here.
 */
export class GeometryPicker {
  /** Input of glTF-Transform. The bytes of buffer k are expected under the URI `buffers[k].uri`. */
  readonly json = { asset: { version: '2.0' }, meshes: [], accessors: [], bufferViews: [], buffers: [] } as {
    asset: GLTF.IAsset;
    meshes: GLTF.IMesh[];
    accessors: GLTF.IAccessor[];
    bufferViews: GLTF.IBufferView[];
    buffers: GLTF.IBuffer[];
  };
  /** The file's own number and URI for each buffer of `json`. */
  readonly sources: { what: string; uri: unknown }[] = [];

  private readonly accessors: Json[];
  private readonly views: Json[];
  private readonly buffers: Json[];
  /** The new number of each part already picked, by its name in the file. */
  private readonly picked = new Map<string, number>();
  private zeros = 0;
  private bytes = 0;

  constructor(
    source: Json,
    private readonly file: string,
  ) {
    this.accessors = objects(source, 'accessors', file);
    this.views = objects(source, 'bufferViews', file);
    this.buffers = objects(source, 'buffers', file);
    objects(source, 'meshes', file).forEach((mesh, m) => {
      const primitives = objects(mesh, 'primitives', file);
      this.json.meshes.push({
        primitives: primitives.map((primitive, p) => this.primitive(primitive, `meshes[${m}].primitives[${p}]`)),
      });
    });
  }

  private primitive(primitive: Json, what: string): GLTF.IMeshPrimitive {
    const { file } = this;
    const given = primitive.attributes;
    if (!isObject(given) || given.POSITION === undefined) fail(file, '', `${what} has no POSITION; expected one`);
    const attributes: Record<string, number> = {};
    const position = index(given.POSITION, this.accessors.length, `${what}.POSITION`, file);
    if (hasExtension(primitive, DRACO) && this.accessors[position].bufferView === undefined)
      refuseExtension(DRACO, file);
    attributes.POSITION = this.accessor(position, ['VEC3'], `${what}.POSITION`);
    if (given.COLOR_0 !== undefined)
      attributes.COLOR_0 = this.accessor(given.COLOR_0, ['VEC3', 'VEC4'], `${what}.COLOR_0`);
    if (given.TEXCOORD_0 !== undefined)
      attributes.TEXCOORD_0 = this.accessor(given.TEXCOORD_0, ['VEC2'], `${what}.TEXCOORD_0`);
    const mode = index(primitive.mode ?? 4, 7, `${what}.mode`, file) as GLTF.MeshPrimitiveMode;
    if (primitive.indices === undefined) return { attributes, mode };
    return { attributes, mode, indices: this.accessor(primitive.indices, ['SCALAR'], `${what}.indices`) };
  }

  private accessor(value: unknown, types: readonly string[], user: string): number {
    const { file } = this;
    const k = index(value, this.accessors.length, user, file);
    const source = this.accessors[k];
    const { componentType, type } = source;
    if (!types.includes(type as string)) fail(file, '', `${user} is a ${shown(type)}; expected ${types.join(' or ')}`);
    return this.once(`accessors[${k}]`, (what) => {
      const count = index(source.count, LIMIT, `${what}.count`, file);
      const size = this.componentSize(componentType, what);
      const accessor = { componentType, type, count, normalized: source.normalized === true } as GLTF.IAccessor;
      const elementSize = size * COMPONENTS.get(type)!;
      if (source.bufferView !== undefined) Object.assign(accessor, this.run(source, count, elementSize, what));
      else if ((this.zeros += count) > MOST_ZEROS)
        fail(file, '', `${what} has ${count} elements without data; expected at most ${MOST_ZEROS} in all`);
      if ((this.bytes += count * elementSize) > MOST_BYTES)
        fail(file, '', `${what} and those before it have ${this.bytes} bytes; expected at most ${MOST_BYTES} in all`);
      if (source.sparse !== undefined) accessor.sparse = this.sparse(source.sparse, count, elementSize, what);
      return this.json.accessors.push(accessor) - 1;
    });
  }

  private sparse(sparse: unknown, count: number, elementSize: number, what: string): GLTF.IAccessorSparse {
    if (!isObject(sparse) || !isObject(sparse.indices) || !isObject(sparse.values))
      fail(this.file, '', `${what}.sparse is incomplete; expected count, indices and values`);
    const changed = index(sparse.count, count + 1, `${what}.sparse.count`, this.file);
    const componentType = sparse.indices.componentType as GLTF.AccessorComponentType;
    const indexSize = this.componentSize(componentType, `${what}.sparse.indices`);
    return {
      count: changed,
      indices: { ...this.run(sparse.indices, changed, indexSize, `${what}.sparse.indices`), componentType },
      values: this.run(sparse.values, changed, elementSize, `${what}.sparse.values`),
    };
  }

  /** A run of `count` elements in a view: the base of an accessor, or its sparse indices or values. */
  private run(run: Json, count: number, elementSize: number, what: string) {
    const bufferView = this.view(index(run.bufferView, this.views.length, `${what}.bufferView`, this.file));
    const byteOffset = index(run.byteOffset ?? 0, LIMIT, `${what}.byteOffset`, this.file);
    const { byteLength, byteStride = elementSize } = this.json.bufferViews[bufferView];
    const end = byteOffset + (count === 0 ? 0 : byteStride * (count - 1) + elementSize);
    if (end > byteLength)
      fail(
        this.file,
        '',
        `${what} with ${count} elements ends at byte ${end} of its view; expected at most ${byteLength}`,
      );
    // The offset is always given: glTF-Transform 4.5 lets a sparse run without one inherit the accessor's.
    return { bufferView, byteOffset };
  }

  private view(k: number): number {
    const { file } = this;
    const source = this.views[k];
    for (const name of MESHOPT) if (hasExtension(source, name)) refuseExtension(name, file);
    return this.once(`bufferViews[${k}]`, (what) => {
      const buffer = this.buffer(index(source.buffer, this.buffers.length, `${what}.buffer`, file));
      const byteOffset = index(source.byteOffset ?? 0, LIMIT, `${what}.byteOffset`, file);
      const byteLength = index(source.byteLength, LIMIT, `${what}.byteLength`, file);
      // 252 is glTF's largest stride.
      const byteStride = index(source.byteStride ?? 0, 253, `${what}.byteStride`, file) || undefined;
      const most = this.json.buffers[buffer].byteLength;
      if (byteOffset + byteLength > most)
        fail(file, '', `${what} ends at byte ${byteOffset + byteLength} of its buffer; expected at most ${most}`);
      return this.json.bufferViews.push({ buffer, byteOffset, byteLength, byteStride }) - 1;
    });
  }

  private buffer(k: number): number {
    return this.once(`buffers[${k}]`, (what) => {
      const byteLength = index(this.buffers[k].byteLength, LIMIT, `${what}.byteLength`, this.file);
      this.sources.push({ what, uri: this.buffers[k].uri });
      return this.json.buffers.push({ uri: `buffer${k}`, byteLength }) - 1;
    });
  }

  private componentSize(componentType: unknown, what: string): number {
    const size = COMPONENT_SIZE.get(componentType);
    if (!size)
      fail(
        this.file,
        '',
        `${what}.componentType is ${shown(componentType)}; expected ${[...COMPONENT_SIZE.keys()].join(', ')}`,
      );
    return size;
  }

  private once(what: string, pick: (what: string) => number): number {
    const known = this.picked.get(what) ?? pick(what);
    this.picked.set(what, known);
    return known;
  }
}
