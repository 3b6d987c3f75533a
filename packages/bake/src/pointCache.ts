import { PliantError } from 'pliant';
import { type Encoder, type Plan, writeFile } from './bake.js';
import { Images } from './images.js';
import type { Look } from './looks.js';
import { fileNameOf, UniqueNames } from './names.js';
import { placesOf, type Shape, type Topology } from './shapes.js';
import { type Stream, Streams } from './streams.js';
import type { Track } from './tracks.js';

interface Cache {
  name: string;
  topology: Topology;
  stream: Stream;
  /** The OBJ file, put aside: a bake that is refused later leaves no file. */
  obj: Stream;
  /** Bytes of a frame, in the byte order of the format. */
  room: DataView;
}

/**
 * PC2 or MDD: positions of vertices for every frame, one file for every object, and beside it an OBJ file with the mesh
 * as it is at the start. Neither format can say that a mesh came apart.
 */
export class PointCacheEncoder implements Encoder {
  private readonly caches = new Map<Track, Cache>();
  private streams: Streams | undefined;
  private readonly files: string[] = [];
  private readonly littleEndian: boolean;
  private readonly images: Images;

  constructor(private readonly plan: Plan) {
    this.littleEndian = plan.format === 'pc2';
    this.images = new Images(`${plan.stem}_textures/`);
  }

  async frame(frame: number, tracks: readonly Track[]): Promise<void> {
    if (frame === 0) await this.begin(tracks);
    for (const track of tracks) {
      const { shown } = track;
      const cache = this.caches.get(track);
      if (!cache || shown?.topology !== cache.topology) this.refuse(track, frame, cache !== undefined);
      const { room } = cache;
      const places = placesOf(shown);
      for (let k = 0; k < places.length; k++) room.setFloat32(4 * k, places[k], this.littleEndian);
      await cache.stream.write(new Uint8Array(room.buffer));
    }
  }

  private refuse({ name }: Track, frame: number, known: boolean): never {
    const { format, stem } = this.plan;
    throw new PliantError(
      'format',
      `"${name}" ${known ? 'came apart' : 'came off another body'} in frame ${frame}, and .${format} needs a mesh that stays the same; expected ${stem}.usda, ${stem}.glb or ${stem}.ply, which can hold that.`,
    );
  }

  private async begin(tracks: readonly Track[]): Promise<void> {
    this.streams = new Streams(await this.plan.storage.scratch());
    const names = new UniqueNames();
    for (const track of tracks) {
      const name = tracks.length === 1 ? this.plan.stem : `${this.plan.stem}-${names.take(fileNameOf(track.name))}`;
      const { topology } = track.shown!;
      const room = new DataView(new ArrayBuffer(12 * topology.placeCount));
      const obj = this.streams.open();
      await obj.write(objOf(track, track.shown!, `${this.plan.stem}.mtl`));
      this.caches.set(track, { name, topology, stream: this.streams.open(), obj, room });
    }
  }

  private async write(name: string, content: Uint8Array | string): Promise<void> {
    await writeFile(this.plan.storage, name, content);
    this.files.push(name);
  }

  async finish(frames: number): Promise<string[]> {
    const { format, fps, stem } = this.plan;
    const header = format === 'pc2' ? pc2Header : mddHeader;
    for (const { name, topology, stream } of this.caches.values())
      await this.copy(`${name}.${format}`, stream, header(topology.placeCount, frames + 1, fps));
    for (const { name, obj } of this.caches.values()) await this.copy(`${name}.obj`, obj);
    await this.write(`${stem}.mtl`, this.mtlOf([...new Set([...this.caches.keys()].map(({ look }) => look))]));
    for (const { name, image } of this.images.files) await this.write(name, image.bytes);
    return this.files;
  }

  private async copy(name: string, stream: Stream, header?: Uint8Array): Promise<void> {
    const out = await this.plan.storage.create(name);
    try {
      if (header) await out.write(header);
      await stream.copyTo(out);
      await out.close();
    } catch (error) {
      await out.discard();
      throw error;
    }
    this.files.push(name);
  }

  async discard(): Promise<void> {
    await this.streams?.discard();
    this.streams = undefined;
  }

  private mtlOf(looks: readonly Look[]): string {
    const lines = ['# written by Pliant'];
    for (const surface of new Set(looks.flatMap(({ surfaces }) => surfaces))) {
      lines.push(`newmtl ${materialName(surface.name)}`, `Kd ${surface.colour.map((c) => c.toPrecision(6)).join(' ')}`);
      const pbr = surface.source?.from.materials[surface.source.index].pbrMetallicRoughness as
        | { baseColorTexture?: { index?: number } }
        | undefined;
      const file = pbr?.baseColorTexture && this.images.fileOf(surface.source!.from, pbr.baseColorTexture.index);
      if (file) lines.push(`map_Kd ${file}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

const materialName = (name: string) => name.replace(/\s+/g, '_');

/** PC2: "POINTCACHE2", version 1, points, first frame, frames between samples, samples. Then x, y, z of every point, all little-endian. */
function pc2Header(points: number, samples: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(32));
  for (const [k, letter] of [...'POINTCACHE2'].entries()) header.setUint8(k, letter.charCodeAt(0));
  header.setInt32(12, 1, true);
  header.setInt32(16, points, true);
  header.setFloat32(20, 0, true);
  header.setFloat32(24, 1, true);
  header.setInt32(28, samples, true);
  return new Uint8Array(header.buffer);
}

/** MDD: samples, points, the time of every sample (s). Then x, y, z of every point, all big-endian. */
function mddHeader(points: number, samples: number, fps: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(8 + 4 * samples));
  header.setInt32(0, samples);
  header.setInt32(4, points);
  for (let n = 0; n < samples; n++) header.setFloat32(8 + 4 * n, n / fps);
  return new Uint8Array(header.buffer);
}

/** A mesh as OBJ: places as vertices, so that their order is that of the cache; texture coordinates and normals by vertex of ours. */
function objOf({ name, look }: Track, shape: Shape, mtl: string): string {
  const { topology, normals } = shape;
  const { uvs, indices, place, runs } = topology;
  const lines = ['# written by Pliant', `mtllib ${mtl}`, `o ${name.replace(/\s+/g, '_')}`];
  const rows = (key: string, values: Float32Array, width: number) => {
    for (let o = 0; o < values.length; o += width) {
      let line = key;
      for (let a = 0; a < width; a++) line += ` ${Number(values[o + a].toPrecision(9))}`;
      lines.push(line);
    }
  };
  rows('v', placesOf(shape), 3);
  if (uvs) rows('vt', uvs, 2);
  rows('vn', normals, 3);
  const corner = (v: number) => `${place[v] + 1}/${uvs ? v + 1 : ''}/${v + 1}`;
  for (const { surface, start, count } of runs) {
    lines.push(`usemtl ${materialName(look.surfaces[surface].name)}`);
    for (let k = start; k < start + count; k += 3)
      lines.push(`f ${corner(indices[k])} ${corner(indices[k + 1])} ${corner(indices[k + 2])}`);
  }
  return `${lines.join('\n')}\n`;
}
