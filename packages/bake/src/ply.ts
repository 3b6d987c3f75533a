import { writePly } from '@pliant/scene';
import { type Encoder, type Plan, writeFile } from './bake.js';
import type { Shape } from './shapes.js';
import type { Track } from './tracks.js';

/** A PLY file for every frame: all objects in one mesh, with the numbers of objects and pieces at the vertices. */
export class PlyEncoder implements Encoder {
  private readonly files: string[] = [];
  private written = 0;

  constructor(private readonly plan: Plan) {}

  async frame(frame: number, tracks: readonly Track[]): Promise<void> {
    const { storage, stem } = this.plan;
    const name = `${stem}_${String(frame).padStart(4, '0')}.ply`;
    await writeFile(storage, name, plyOf(tracks));
    if (this.written++ === 0) this.files.push(name);
    else this.files[1] = name;
  }

  /** The first and the last: a list of all would grow with the frames. */
  async finish(): Promise<string[]> {
    return this.files;
  }

  async discard(): Promise<void> {}
}

const EMPTY =
  'ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n';

function plyOf(tracks: readonly Track[]): Uint8Array | string {
  const objects = tracks.flatMap((track) => (track.shown ? [{ track, shape: track.shown }] : []));
  const vertices = objects.reduce((sum, { shape }) => sum + shape.topology.vertexCount, 0);
  if (vertices === 0) return EMPTY;
  const corners = objects.reduce((sum, { shape }) => sum + shape.topology.indices.length, 0);
  const positions = new Float32Array(3 * vertices);
  const colours = new Uint8Array(3 * vertices);
  const indices = new Uint32Array(corners);
  const extra = ['nx', 'ny', 'nz', 's', 't', 'object', 'piece', 'inner'].map((name) => ({
    name,
    values: new Float32Array(vertices),
  }));
  let [first, corner] = [0, 0];
  for (const { track, shape } of objects) {
    const { topology } = shape;
    positions.set(shape.positions, 3 * first);
    for (let v = 0; v < topology.vertexCount; v++) {
      for (let a = 0; a < 3; a++) extra[a].values[first + v] = shape.normals[3 * v + a];
      for (let a = 0; a < 2; a++) extra[3 + a].values[first + v] = topology.uvs?.[2 * v + a] ?? 0;
      extra[5].values[first + v] = track.index;
    }
    paint(track, shape, first, colours, extra[6].values, extra[7].values);
    for (const index of topology.indices) indices[corner++] = first + index;
    first += topology.vertexCount;
  }
  const textured = objects.some(({ shape }) => shape.topology.uvs);
  return writePly({ positions, colours, indices, extra: extra.filter(({ name }) => textured || !/^[st]$/.test(name)) });
}

/** Colours, pieces and kinds of vertices, which have those of their triangles. */
function paint(
  { look }: Track,
  { topology }: Shape,
  first: number,
  colours: Uint8Array,
  piece: Float32Array,
  inner: Float32Array,
): void {
  const { indices, runs, pieces, colours: own } = topology;
  for (const { surface, start, count } of runs) {
    const { colour, kind } = look.surfaces[surface];
    for (let k = start; k < start + count; k++) {
      const v = indices[k];
      for (let a = 0; a < 3; a++) colours[3 * (first + v) + a] = byte(colour[a] * (own ? own[3 * v + a] : 1));
      piece[first + v] = pieces[Math.floor(k / 3)];
      inner[first + v] = kind === 'inner' ? 1 : 0;
    }
  }
}

/** An sRGB byte of a linear intensity. */
const byte = (value: number) =>
  Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * Math.max(0, Math.min(1, value)) ** (1 / 2.4) - 0.055));
