import type { SourceImage, SourceMaterials } from '@pliant/scene';
import { fileNameOf, UniqueNames } from './names.js';

const ENDINGS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/ktx2': 'ktx2',
};

/** Gives the images of materials names of files, each image once. */
export class Images {
  readonly files: { name: string; image: SourceImage }[] = [];
  private readonly known = new Map<SourceImage, string>();
  private readonly names = new UniqueNames();

  /** @param folder Folder of the files, with its slash. */
  constructor(private readonly folder: string) {}

  /** The file of the image that a texture of a material shows; undefined if it has none. */
  fileOf(from: SourceMaterials, texture: unknown): string | undefined {
    const source = imageNumber(from.textures[texture as number]);
    const image = source === undefined ? undefined : from.images[source];
    if (!image) return undefined;
    let name = this.known.get(image);
    if (name === undefined) {
      name = `${this.folder}${this.names.take(fileNameOf(image.name))}.${ENDINGS[image.mimeType] ?? 'bin'}`;
      this.known.set(image, name);
      this.files.push({ name, image });
    }
    return name;
  }
}

/** Number of the image of a texture: its own, or that of an extension for other kinds of images. */
export function imageNumber(texture: Record<string, unknown> | undefined): number | undefined {
  if (typeof texture?.source === 'number') return texture.source;
  for (const extension of Object.values((texture?.extensions ?? {}) as Record<string, { source?: unknown }>))
    if (typeof extension?.source === 'number') return extension.source;
  return undefined;
}
