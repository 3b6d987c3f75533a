import { type Encoder, type Plan, writeFile } from '../bake.js';
import { Images } from '../images.js';
import type { Look } from '../looks.js';
import type { OutputFile } from '../storage.js';
import { type Stream, Streams } from '../streams.js';
import type { Track } from '../tracks.js';
import { UsdMaterial } from './materials.js';
import { UsdObject } from './object.js';
import { number, PrimNames, quoted } from './text.js';
import { Crc32, writeZip, type ZipEntry } from './zip.js';

const ROOT = '/scene';

/** USD as text: an object is a Mesh whose attributes, also the topology, are sampled by time. `usdz` is an archive of it with its textures. */
export class UsdEncoder implements Encoder {
  private readonly objects: UsdObject[] = [];
  private readonly names = new PrimNames();

  private constructor(
    private readonly plan: Plan,
    private readonly streams: Streams,
  ) {
    this.names.take('materials');
  }

  static async open(plan: Plan): Promise<UsdEncoder> {
    return new UsdEncoder(plan, new Streams(await plan.storage.scratch()));
  }

  async frame(frame: number, tracks: readonly Track[]): Promise<void> {
    for (const track of tracks.slice(this.objects.length))
      this.objects.push(new UsdObject(track, this.names.take(track.name), this.streams));
    for (const object of this.objects) await object.frame(frame);
  }

  async finish(frames: number): Promise<string[]> {
    const { stem, format, storage } = this.plan;
    const images = new Images(format === 'usdz' ? 'textures/' : `${stem}_textures/`);
    const name = `${stem}.${format}`;
    if (format === 'usdz') {
      await this.writeArchive(name, frames, images);
      return [name];
    }
    const out = await storage.create(name);
    try {
      await this.copyTo(out, frames, images);
      for (const { name, image } of images.files) await writeFile(storage, name, image.bytes);
      await out.close();
    } catch (error) {
      await out.discard();
      throw error;
    }
    return [name, ...images.files.map((image) => image.name)];
  }

  private async writeArchive(name: string, frames: number, images: Images): Promise<void> {
    const { stem, storage } = this.plan;
    const layer: Stream = this.streams.open();
    const crc = new Crc32();
    await this.copyTo(
      {
        write: async (bytes) => {
          crc.add(bytes);
          await layer.write(bytes);
        },
      },
      frames,
      images,
    );
    const entries: ZipEntry[] = [
      { name: `${stem}.usda`, length: crc.length, crc: crc.value, copyTo: (out) => layer.copyTo(out) },
      ...images.files.map(({ name, image: { bytes } }) => {
        const own = new Crc32();
        own.add(bytes);
        return {
          name,
          length: bytes.length,
          crc: own.value,
          copyTo: (to: Pick<OutputFile, 'write'>) => to.write(bytes),
        };
      }),
    ];
    const out = await storage.create(name);
    try {
      await writeZip(out, entries);
      await out.close();
    } catch (error) {
      await out.discard();
      throw error;
    }
  }

  private async copyTo(out: Pick<OutputFile, 'write'>, frames: number, images: Images): Promise<void> {
    const text = (part: string) => out.write(new TextEncoder().encode(part));
    const { fps, title } = this.plan;
    await text(
      [
        '#usda 1.0',
        '(',
        '    defaultPrim = "scene"',
        `    doc = ${quoted(`${title}, written by Pliant`)}`,
        '    metersPerUnit = 1',
        '    upAxis = "Y"',
        '    startTimeCode = 0',
        `    endTimeCode = ${frames}`,
        `    timeCodesPerSecond = ${number(fps)}`,
        `    framesPerSecond = ${number(fps)}`,
        ')',
        '',
        'def Xform "scene" (',
        '    kind = "assembly"',
        ')',
        '{',
        '',
      ].join('\n'),
    );
    const materials = await this.copyMaterials(text, images);
    for (const object of this.objects) await object.copyTo(out, materials.get(object.track.look)!);
    await text('}\n');
  }

  /** Writes the materials that are used; returns the paths of those of each look. */
  private async copyMaterials(text: (part: string) => Promise<void>, images: Images): Promise<Map<Look, string[]>> {
    const names = new PrimNames();
    const paths = new Map<Look, string[]>();
    await text('    def Scope "materials"\n    {\n');
    for (const { track } of this.objects) {
      const { look } = track;
      if (paths.has(look)) continue;
      const own: string[] = [];
      for (const [s, surface] of look.surfaces.entries()) {
        const name = names.take(surface.name);
        own.push(`${ROOT}/materials/${name}`);
        const used = this.objects.some((object) => object.track.look === look && object.used[s]);
        if (used || s === 0)
          await text(
            UsdMaterial.describe(surface, name, `${ROOT}/materials`, look.coloured, images, this.plan.warnings),
          );
      }
      paths.set(look, own);
    }
    await text('    }\n');
    return paths;
  }

  discard = (): Promise<void> => this.streams.discard();
}
