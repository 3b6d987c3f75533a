import { PliantError } from 'pliant';
import type { Encoder, Plan } from '../bake.js';
import type { Shape, Topology } from '../shapes.js';
import { type Stream, Streams } from '../streams.js';
import type { Track } from '../tracks.js';
import { GltfMaterials } from './materials.js';

/** Most shapes of one node beside its first. Viewers keep them in the layers of one texture; WebGL 2 promises 256 layers. */
const MOST_TARGETS = 255;
const FLOAT = 5126;
const UINT = 5125;
const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;
/** Largest file: lengths are 32-bit numbers. */
const LARGEST = 2 ** 32 - 1;

/** A run of frames in which an object keeps its topology: one node with a morph target for every shape after the first. */
interface Segment {
  topology: Topology;
  /** Frame that it begins at, and the last so far. */
  first: number;
  last: number;
  /** Whether the shape of its first frame is also the last of the segment before. */
  continues: boolean;
  base: Shape;
  /** Accessors of the attributes that all primitives share, by their names. */
  attributes: Record<string, number>;
  /** Accessors of each target. */
  targets: { POSITION: number; NORMAL: number }[];
  /** Frames in which a new shape is reached; frames between two of them that changed nothing are not listed. */
  keys: { frame: number; target: number }[];
}

/**
 * glTF: each object is a row of nodes that take turns. A node has the morph targets of up to 256 shapes with one topology;
 * when that is full, or the object comes apart, the next node takes over: scale 0 hides the others. The JSON comes before
 * the binary data in the file, so both are put aside while frames arrive.
 */
export class GlbEncoder implements Encoder {
  private readonly segments = new Map<Track, Segment>();
  private readonly binary: Stream;
  private readonly json: Record<'accessors' | 'bufferViews' | 'meshes' | 'nodes' | 'samplers' | 'channels', JsonList>;
  private readonly materials: GltfMaterials;
  /** Nodes of each object. */
  private readonly nodesOf = new Map<Track, number[]>();

  private constructor(
    private readonly plan: Plan,
    private readonly streams: Streams,
  ) {
    this.binary = streams.open();
    const list = () => new JsonList(streams.open());
    this.json = {
      accessors: list(),
      bufferViews: list(),
      meshes: list(),
      nodes: list(),
      samplers: list(),
      channels: list(),
    };
    this.materials = new GltfMaterials(plan.warnings);
  }

  static async open(plan: Plan): Promise<GlbEncoder> {
    return new GlbEncoder(plan, new Streams(await plan.storage.scratch()));
  }

  async frame(frame: number, tracks: readonly Track[]): Promise<void> {
    for (const track of tracks) {
      const { shown } = track;
      let segment = this.segments.get(track);
      if (segment && shown?.topology !== segment.topology) {
        await this.close(track, segment, frame);
        segment = undefined;
      }
      if (!shown) continue;
      if (!segment) await this.begin(track, shown, frame, false);
      else if (!track.moved) segment.last = frame;
      else if (segment.targets.length < MOST_TARGETS) await this.addTarget(segment, shown, frame);
      else {
        // The next node begins with the shape that this one ends with: between the two frames it moves on.
        const { base, last } = segment;
        const end = this.lastShapes.get(track) ?? base;
        await this.close(track, segment, last);
        const next = await this.begin(track, end, last, true);
        await this.addTarget(next, shown, frame);
      }
      if (track.moved) this.remember(track, shown);
    }
  }

  /** Copies of the last shapes: they are the bases of nodes that take over. */
  private readonly lastShapes = new Map<Track, Shape>();
  private remember(track: Track, { topology, positions, normals }: Shape): void {
    const known = this.lastShapes.get(track);
    if (known?.topology === topology) {
      known.positions.set(positions);
      known.normals.set(normals);
    } else this.lastShapes.set(track, { topology, positions: positions.slice(), normals: normals.slice() });
  }

  private async begin(track: Track, shape: Shape, frame: number, continues: boolean): Promise<Segment> {
    const { topology } = shape;
    const base = { topology, positions: shape.positions.slice(), normals: shape.normals.slice() };
    const attributes: Record<string, number> = {
      POSITION: await this.vectors(base.positions, true),
      NORMAL: await this.vectors(base.normals),
    };
    // Our v increases upwards, glTF's downwards.
    if (topology.uvs)
      attributes.TEXCOORD_0 = await this.floats(
        topology.uvs.map((value, k) => (k % 2 === 1 ? 1 - value : value)),
        'VEC2',
      );
    if (topology.colours) attributes.COLOR_0 = await this.vectors(topology.colours);
    const keys = [{ frame, target: -1 }];
    const segment = { topology, first: frame, last: frame, continues, base, attributes, targets: [], keys };
    this.segments.set(track, segment);
    return segment;
  }

  private async addTarget(segment: Segment, shape: Shape, frame: number): Promise<void> {
    const { base, targets, keys } = segment;
    const difference = (now: Float32Array, then: Float32Array) => now.map((value, k) => value - then[k]);
    // Nothing moved for some frames: the shape stays until the last of them.
    if (segment.last > keys.at(-1)!.frame) keys.push({ frame: segment.last, target: keys.at(-1)!.target });
    targets.push({
      POSITION: await this.vectors(difference(shape.positions, base.positions), true),
      NORMAL: await this.vectors(difference(shape.normals, base.normals)),
    });
    segment.last = frame;
    keys.push({ frame, target: targets.length - 1 });
  }

  /** Writes the node of a segment, which is shown until `end`: the first frame that it does not show, or the one at which the next continues it. */
  private async close(track: Track, segment: Segment, end: number): Promise<void> {
    const { topology, attributes, targets, keys, first } = segment;
    this.segments.delete(track);
    const primitives = [];
    for (const { surface, start, count } of topology.runs)
      primitives.push({
        attributes,
        indices: await this.indices(topology.indices.slice(start, start + count)),
        material: this.materials.add(track.look, surface, topology.uvs !== undefined),
        ...(targets.length > 0 && { targets }),
      });
    const own = this.nodesOf.get(track) ?? [];
    this.nodesOf.set(track, own);
    const name = own.length === 0 ? track.name : `${track.name} (${own.length + 1})`;
    const mesh = await this.json.meshes.add({
      name,
      primitives,
      ...(targets.length > 0 && { weights: new Array(targets.length).fill(0) }),
    });
    const node = await this.json.nodes.add({ name, mesh });
    own.push(node);
    if (targets.length > 0) await this.animateWeights(node, targets.length, keys);
    await this.animateTurn(node, first, end);
  }

  private async animateWeights(node: number, targets: number, keys: Segment['keys']): Promise<void> {
    const weights = new Float32Array(targets * keys.length);
    keys.forEach(({ target }, k) => {
      if (target >= 0) weights[targets * k + target] = 1;
    });
    await this.animate(
      node,
      'weights',
      keys.map(({ frame }) => frame),
      await this.floats(weights, 'SCALAR', false),
      'LINEAR',
    );
  }

  /** Shows the node from one frame to another. A node that is shown all the time is not animated; that is known at the end only. */
  private async animateTurn(node: number, first: number, end: number): Promise<void> {
    if (first === 0 && end === Number.POSITIVE_INFINITY) return;
    const frames = [...(first > 0 ? [0] : []), first, ...(Number.isFinite(end) ? [end] : [])];
    const scales = frames.flatMap((frame) => (frame >= first && frame < end ? [1, 1, 1] : [0, 0, 0]));
    await this.animate(node, 'scale', frames, await this.floats(Float32Array.from(scales), 'VEC3', false), 'STEP');
  }

  private async animate(node: number, path: string, frames: number[], output: number, interpolation: string) {
    const times = Float32Array.from(frames, (frame) => frame / this.plan.fps);
    const view = await this.view(times);
    const input = await this.json.accessors.add({
      bufferView: view,
      componentType: FLOAT,
      count: times.length,
      type: 'SCALAR',
      min: [times[0]],
      max: [times[times.length - 1]],
    });
    const sampler = await this.json.samplers.add({ input, output, interpolation });
    await this.json.channels.add({ sampler, target: { node, path } });
  }

  private async vectors(values: Float32Array, bounds = false): Promise<number> {
    return this.floats(values, 'VEC3', true, bounds);
  }

  private async floats(
    values: Float32Array,
    type: 'SCALAR' | 'VEC2' | 'VEC3',
    vertices = true,
    bounds = false,
  ): Promise<number> {
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3 }[type];
    return this.json.accessors.add({
      bufferView: await this.view(values, vertices ? ARRAY_BUFFER : undefined),
      componentType: FLOAT,
      count: values.length / width,
      type,
      ...(bounds && boundsOf(values)),
    });
  }

  private async indices(values: Uint32Array): Promise<number> {
    const bufferView = await this.view(values, ELEMENT_ARRAY_BUFFER);
    return this.json.accessors.add({ bufferView, componentType: UINT, count: values.length, type: 'SCALAR' });
  }

  private async view(values: Float32Array | Uint32Array | Uint8Array, target?: number): Promise<number> {
    const byteOffset = this.binary.length;
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    await this.binary.write(bytes);
    if (bytes.length % 4 !== 0) await this.binary.write(new Uint8Array(4 - (bytes.length % 4)));
    if (this.binary.length > LARGEST) this.refuseSize();
    return this.json.bufferViews.add({ buffer: 0, byteOffset, byteLength: bytes.length, ...(target && { target }) });
  }

  private refuseSize(): never {
    throw new PliantError(
      'format',
      `the file exceeds 4 GiB, which .glb cannot hold; expected fewer frames, or ${this.plan.stem}.usda.`,
    );
  }

  async finish(frames: number, tracks: readonly Track[]): Promise<string[]> {
    const { stem, storage } = this.plan;
    for (const [track, segment] of this.segments) await this.close(track, segment, Number.POSITIVE_INFINITY);
    const materials = await this.materials.describe(async (bytes) => this.view(bytes));
    const children = [];
    for (const track of tracks) {
      const own = this.nodesOf.get(track);
      if (!own) continue;
      if (own.length === 1) children.push(own[0]);
      else children.push(await this.json.nodes.add({ name: `${track.name} all`, children: own }));
    }
    const json = await this.writeJson(children, materials, frames);
    const name = `${stem}.glb`;
    const out = await storage.create(name);
    try {
      const jsonLength = Math.ceil(json.length / 4) * 4;
      const total = 12 + 8 + jsonLength + (this.binary.length > 0 ? 8 + this.binary.length : 0);
      if (total > LARGEST) this.refuseSize();
      await out.write(words(0x46546c67, 2, total, jsonLength, 0x4e4f534a));
      await json.copyTo(out);
      await out.write(new Uint8Array(jsonLength - json.length).fill(0x20));
      if (this.binary.length > 0) {
        await out.write(words(this.binary.length, 0x004e4942));
        await this.binary.copyTo(out);
      }
      await out.close();
    } catch (error) {
      await out.discard();
      throw error;
    }
    return [name];
  }

  private async writeJson(children: number[], materials: object, frames: number): Promise<Stream> {
    const out = this.streams.open();
    const { samplers, channels, ...lists } = this.json;
    await out.write(
      JSON.stringify({
        asset: { version: '2.0', generator: 'Pliant' },
        scene: 0,
        scenes: [{ name: this.plan.title || this.plan.stem, ...(children.length > 0 && { nodes: children }) }],
        ...(this.binary.length > 0 && { buffers: [{ byteLength: this.binary.length }] }),
        ...materials,
        extras: { fps: this.plan.fps, frames },
      }).slice(0, -1),
    );
    for (const [key, list] of Object.entries(lists)) if (list.count > 0) await list.copyTo(out, `,"${key}":`);
    if (channels.count > 0) {
      await out.write(`,"animations":[{"name":"bake"`);
      await samplers.copyTo(out, ',"samplers":');
      await channels.copyTo(out, ',"channels":');
      await out.write('}]');
    }
    await out.write('}');
    return out;
  }

  discard = (): Promise<void> => this.streams.discard();
}

/** A list of objects, written as JSON as it grows. */
class JsonList {
  count = 0;

  constructor(private readonly stream: Stream) {}

  /** Returns its number. */
  async add(entry: object): Promise<number> {
    await this.stream.write(`${this.count > 0 ? ',' : ''}${JSON.stringify(entry)}`);
    return this.count++;
  }

  async copyTo(out: Stream, before: string): Promise<void> {
    await out.write(`${before}[`);
    await this.stream.copyTo(out);
    await out.write(']');
  }
}

function boundsOf(values: Float32Array): { min: number[]; max: number[] } {
  const min = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const max = min.map((value) => -value);
  for (let k = 0; k < values.length; k++) {
    const a = k % 3;
    if (values[k] < min[a]) min[a] = values[k];
    if (values[k] > max[a]) max[a] = values[k];
  }
  return { min, max };
}

function words(...values: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, k) => {
    view.setUint32(4 * k, value, true);
  });
  return new Uint8Array(view.buffer);
}
