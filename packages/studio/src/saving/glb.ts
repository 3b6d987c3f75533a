import { type Accessor, Document, type Material, type Texture, WebIO } from '@gltf-transform/core';
import type { ExportedBody, FileMaterials, SurfaceGroup } from '../protocol.js';

/**
 * The present bodies, each a node with a mesh: outside and inner faces have separate materials. `files`: the materials
 * of the files that bodies came from, by their place in the scene; they are kept with their textures.
 */
export async function writeGlb(
  bodies: readonly ExportedBody[],
  files: readonly (FileMaterials | undefined)[] = [],
): Promise<Uint8Array> {
  const document = new Document();
  document.getRoot().getAsset().generator = 'Pliant';
  document.createBuffer();
  const scene = document.createScene();
  const sources = new Map<FileMaterials, Sources>();
  for (const body of bodies) {
    if (body.indices.length === 0) continue;
    const file = files[body.origin];
    if (file && !sources.has(file)) sources.set(file, new Sources(document, file));
    const mesh = meshOf(document, body, file && sources.get(file));
    scene.addChild(document.createNode(body.name).setMesh(mesh));
  }
  return new WebIO().writeBinary(document);
}

function meshOf(document: Document, body: ExportedBody, source: Sources | undefined) {
  const { name, positions, normals, indices, groups, uvs, colours } = body;
  const accessor = (type: Parameters<Accessor['setType']>[0], array: Float32Array | Uint32Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>)
      .setBuffer(document.getRoot().listBuffers()[0]);
  const shared: Record<string, Accessor> = {
    POSITION: accessor('VEC3', positions),
    NORMAL: accessor('VEC3', normals),
    // Our v increases upwards, glTF's downwards.
    ...(uvs && {
      TEXCOORD_0: accessor(
        'VEC2',
        uvs.map((value, k) => (k % 2 === 1 ? 1 - value : value)),
      ),
    }),
    ...(colours && { COLOR_0: accessor('VEC3', colours) }),
  };
  const mesh = document.createMesh(name);
  for (const { kind, surface } of distinct(groups)) {
    const corners = groups
      .filter((group) => group.kind === kind && group.surface === surface)
      .flatMap(({ start, count }) => [start, start + count]);
    const primitive = document.createPrimitive().setIndices(accessor('SCALAR', join(indices, corners)));
    for (const [semantic, values] of Object.entries(shared)) primitive.setAttribute(semantic, values);
    const own = kind === 'outer' ? source?.material(surface, uvs !== undefined) : undefined;
    primitive.setMaterial(own ?? materialOf(document, body, kind));
    mesh.addPrimitive(primitive);
  }
  return mesh;
}

/** One group of each material. */
const distinct = (groups: readonly SurfaceGroup[]) =>
  groups.filter(
    ({ kind, surface }, n) => groups.findIndex((other) => other.kind === kind && other.surface === surface) === n,
  );

type Use = { index?: number; texCoord?: number; scale?: number; strength?: number } | undefined;
type Quad = [number, number, number, number];

/** The materials of a body's file in the new document. */
class Sources {
  private readonly materials = new Map<number, Material>();
  private readonly textures = new Map<number, Texture | undefined>();

  constructor(
    private readonly document: Document,
    private readonly file: FileMaterials,
  ) {}

  material(surface: number, hasCoordinates: boolean): Material | undefined {
    const number = this.file.surfaces[surface] ?? -1;
    if (number < 0) return undefined;
    let material = this.materials.get(number);
    if (!material) this.materials.set(number, (material = this.make(number, hasCoordinates)));
    return material;
  }

  private make(number: number, hasCoordinates: boolean): Material {
    const source = this.file.from.materials[number] as Record<string, unknown>;
    const pbr = (source.pbrMetallicRoughness ?? {}) as Record<string, unknown>;
    const texture = (use: unknown) => (hasCoordinates ? this.texture(use as Use) : null);
    const normal = source.normalTexture as Use;
    const occlusion = source.occlusionTexture as Use;
    return this.document
      .createMaterial(typeof source.name === 'string' ? source.name : `material ${number + 1}`)
      .setBaseColorFactor((pbr.baseColorFactor as Quad) ?? [1, 1, 1, 1])
      .setBaseColorTexture(texture(pbr.baseColorTexture))
      .setMetallicFactor((pbr.metallicFactor as number) ?? 1)
      .setRoughnessFactor((pbr.roughnessFactor as number) ?? 1)
      .setMetallicRoughnessTexture(texture(pbr.metallicRoughnessTexture))
      .setNormalTexture(texture(normal))
      .setNormalScale(normal?.scale ?? 1)
      .setOcclusionTexture(texture(occlusion))
      .setOcclusionStrength(occlusion?.strength ?? 1)
      .setEmissiveFactor((source.emissiveFactor as [number, number, number]) ?? [0, 0, 0])
      .setEmissiveTexture(texture(source.emissiveTexture))
      .setAlphaMode((source.alphaMode as 'OPAQUE') ?? 'OPAQUE')
      .setAlphaCutoff((source.alphaCutoff as number) ?? 0.5)
      .setDoubleSided(source.doubleSided === true);
  }

  private texture(use: Use): Texture | null {
    if (typeof use?.index !== 'number' || (use.texCoord ?? 0) !== 0) return null;
    const { source, extensions } = (this.file.from.textures[use.index] ?? {}) as {
      source?: number;
      extensions?: Record<string, { source?: number }>;
    };
    const at = source ?? Object.values(extensions ?? {}).find((one) => typeof one?.source === 'number')?.source;
    const image = at === undefined ? undefined : this.file.from.images[at];
    if (at === undefined || !image) return null;
    if (!this.textures.has(at))
      this.textures.set(
        at,
        this.document
          .createTexture(image.name)
          .setImage(image.bytes as Uint8Array<ArrayBuffer>)
          .setMimeType(image.mimeType),
      );
    return this.textures.get(at)!;
  }
}

/** Concatenates runs of indices, given by begin and end. */
function join(indices: Uint32Array, runs: readonly number[]): Uint32Array {
  if (runs.length === 2 && runs[0] === 0 && runs[1] === indices.length) return indices;
  const parts: number[] = [];
  for (let k = 0; k < runs.length; k += 2) for (let i = runs[k]; i < runs[k + 1]; i++) parts.push(indices[i]);
  return Uint32Array.from(parts);
}

function materialOf(document: Document, body: ExportedBody, kind: 'outer' | 'inner'): Material {
  const { name, colours, colour, innerColour, roughness } = body;
  const bytes = kind === 'inner' ? innerColour : colours ? [255, 255, 255] : colour;
  const [r, g, b] = bytes.map((byte) => linear(byte / 255));
  return document
    .createMaterial(`${name} ${kind}`)
    .setBaseColorFactor([r, g, b, 1])
    .setRoughnessFactor(roughness[kind])
    .setMetallicFactor(0);
}

/** Linear intensity of an sRGB value. */
const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
