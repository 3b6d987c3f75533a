import type { SourceImage, SourceMaterials } from '@pliant/scene';
import { imageNumber } from '../images.js';
import type { Look, Surface } from '../looks.js';

type Json = Record<string, unknown>;

/** The materials of a glTF file: those of source files with their textures and extensions, and plain ones for bodies without. */
export class GltfMaterials {
  private readonly materials: Json[] = [];
  private readonly textures: Json[] = [];
  private readonly samplers: Json[] = [];
  private readonly images: SourceImage[] = [];
  private readonly extensions = new Set<string>();
  private readonly known = new Map<string, number>();
  private readonly knownTextures = new Map<SourceMaterials, Map<number, number | undefined>>();
  /** Numbers of looks, for keys. */
  private readonly looks = new Map<Look, number>();

  constructor(private readonly warnings: string[]) {}

  /** Number of the material of a surface. */
  add(look: Look, surface: number, textured: boolean): number {
    if (!this.looks.has(look)) this.looks.set(look, this.looks.size);
    const key = `${this.looks.get(look)} ${surface} ${textured}`;
    let number = this.known.get(key);
    if (number === undefined) {
      number = this.materials.push(this.materialOf(look.surfaces[surface], textured)) - 1;
      this.known.set(key, number);
    }
    return number;
  }

  private materialOf({ name, colour, roughness, source }: Surface, textured: boolean): Json {
    if (!source)
      return {
        name,
        pbrMetallicRoughness: { baseColorFactor: [...colour, 1], metallicFactor: 0, roughnessFactor: roughness },
      };
    const material = this.copy(source.from.materials[source.index], source.from, name, textured) as Json;
    return { ...material, name };
  }

  /** Copies JSON of a material. Textures get their numbers in the new file; those that are missing, or need another set of coordinates, are left out. */
  private copy(value: unknown, from: SourceMaterials, name: string, textured: boolean): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.copy(entry, from, name, textured));
    if (typeof value !== 'object' || value === null) return value;
    const out: Json = {};
    for (const [key, entry] of Object.entries(value)) {
      if (key === 'extensions') for (const extension of Object.keys(entry ?? {})) this.extensions.add(extension);
      if (/Texture$/.test(key) && typeof entry?.index === 'number') {
        const index = this.textureOf(entry, from, name, key, textured);
        if (index !== undefined) out[key] = { ...(this.copy(entry, from, name, textured) as Json), index };
      } else out[key] = this.copy(entry, from, name, textured);
    }
    return out;
  }

  private textureOf(use: Json, from: SourceMaterials, name: string, key: string, textured: boolean) {
    const moved = (use.extensions as { KHR_texture_transform?: { texCoord?: number } })?.KHR_texture_transform
      ?.texCoord;
    if (!textured || (moved ?? use.texCoord ?? 0) !== 0) {
      this.warn(`${name}: ${key} needs texture coordinates that the mesh has not kept; it is left out.`);
      return undefined;
    }
    const known = this.knownTextures.get(from) ?? new Map<number, number | undefined>();
    this.knownTextures.set(from, known);
    const number = use.index as number;
    if (!known.has(number)) known.set(number, this.addTexture(from, number));
    const index = known.get(number);
    if (index === undefined) this.warn(`${name}: ${key} has no image; it is left out.`);
    return index;
  }

  private addTexture(from: SourceMaterials, number: number): number | undefined {
    const texture = from.textures[number];
    const source = imageNumber(texture);
    const image = source === undefined ? undefined : from.images[source];
    if (!image) return undefined;
    let at = this.images.indexOf(image);
    if (at < 0) at = this.images.push(image) - 1;
    const { sampler: old, source: _, extensions, ...rest } = texture;
    const sampler = typeof old === 'number' ? from.samplers[old] : undefined;
    const kinds = Object.keys((extensions ?? {}) as Json);
    for (const kind of kinds) this.extensions.add(kind);
    return (
      this.textures.push({
        ...rest,
        ...(kinds.length > 0
          ? { extensions: Object.fromEntries(kinds.map((kind) => [kind, { source: at }])) }
          : { source: at }),
        ...(sampler && { sampler: this.samplers.push(sampler) - 1 }),
      }) - 1
    );
  }

  private warn(line: string): void {
    if (!this.warnings.includes(line)) this.warnings.push(line);
  }

  /** The parts of the file's JSON. `put` writes an image and returns its buffer view. */
  async describe(put: (bytes: Uint8Array) => Promise<number>): Promise<Json> {
    const images = [];
    for (const { name, mimeType, bytes } of this.images) images.push({ name, mimeType, bufferView: await put(bytes) });
    const lists = { materials: this.materials, textures: this.textures, samplers: this.samplers, images };
    const extensionsUsed = [...this.extensions].sort();
    return {
      ...(extensionsUsed.length > 0 && { extensionsUsed }),
      ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    };
  }
}
