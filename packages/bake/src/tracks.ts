import { ancestorsInto, type Body, NO_PIECE, type RenderSkin, type World } from 'pliant';
import type { Look } from './looks.js';
import { blend, emptyShape, gather, pieceOfTriangles, type Shape, type Topology, topologyOf } from './shapes.js';

/** An object of the baked file: a body, or a piece of one. Encoders read `shown`, `moved` and `reshaped`. */
export class Track {
  /** Its shape in the present frame; undefined if it is not there. */
  shown: Shape | undefined;
  /** Whether vertices moved since the last frame, and whether the topology is another. */
  moved = false;
  reshaped = false;

  /** After the last step, and before it. */
  private now: Shape | undefined;
  private before: Shape | undefined;
  /** Room for a shape between two steps, and a copy of the last that was shown. */
  private between: Shape | undefined;
  private last: Shape | undefined;
  /** The shape that was shown before the last change. */
  previous: Shape | undefined;

  constructor(
    /** Number among the tracks, and name, which no other track has. */
    readonly index: number,
    readonly name: string,
    readonly look: Look,
  ) {}

  /** Forgets the shape of the step before the last; the next `put` is the last step's. */
  stepped(): void {
    const { before } = this;
    this.before = this.now;
    // The arrays of the former shape are written again.
    this.now = undefined;
    this.spare = before;
  }
  private spare: Shape | undefined;

  put(topology: Topology, skin: RenderSkin): void {
    const shape = this.spare?.topology === topology ? this.spare : emptyShape(topology);
    this.spare = undefined;
    gather(skin.positions, 3, topology.skinVertex, shape.positions);
    gather(skin.normals, 3, topology.skinVertex, shape.normals);
    this.now = shape;
  }

  /** Shows the shape at a share of the way from the step before the last to the last: 1 is the last. */
  show(share: number): void {
    const { now, before } = this;
    if (share >= 1) this.shown = now;
    else if (now && before && now.topology === before.topology) {
      if (this.between?.topology !== now.topology) this.between = emptyShape(now.topology);
      blend(before, now, share, this.between);
      this.shown = this.between;
    } else this.shown = share < 0.5 ? before : now;
    const { shown, last } = this;
    this.reshaped = shown?.topology !== last?.topology;
    this.moved = this.reshaped || (shown !== undefined && !same(shown, last!));
    if (!this.moved) return;
    const room = this.previous;
    this.previous = last;
    this.last = undefined;
    if (!shown) return;
    this.last = room?.topology === shown.topology ? room : emptyShape(shown.topology);
    this.last.positions.set(shown.positions);
    this.last.normals.set(shown.normals);
  }
}

function same(a: Shape, b: Shape): boolean {
  for (let k = 0; k < a.positions.length; k++) if (a.positions[k] !== b.positions[k]) return false;
  for (let k = 0; k < a.normals.length; k++) if (a.normals[k] !== b.normals[k]) return false;
  return true;
}

/** The tracks of one body. */
interface BodyTracks {
  version: number;
  topologyVersion: number;
  /** The piece that each particle of the whole was in, by its number in `builtPositions`, and the track of each piece. */
  pieceOf: Map<number, number>;
  tracks: { track: Track | undefined; topology: Topology }[];
}

/** Follows all bodies of a world from step to step. */
export class Tracks {
  readonly all: Track[] = [];
  private readonly bodies = new Map<Body, BodyTracks>();
  private readonly lookOf = new Map<Float64Array, Look>();
  private readonly names = new Set<string>();

  constructor(
    private readonly world: World,
    looks: readonly Look[],
    /** Whether each piece is an object of its own. */
    private readonly pieces: boolean,
  ) {
    // Pieces that came off a body share `builtPositions` with it.
    world.bodies.forEach((body, k) => {
      this.lookOf.set(body.builtPositions, looks[k]);
    });
  }

  /** Reads the shapes of all bodies, after a step. */
  read(): void {
    for (const track of this.all) track.stepped();
    for (const body of this.world.bodies) {
      const skin = body.getSkin();
      skin.update();
      let own = this.bodies.get(body);
      if (!own || own.version !== skin.version || (this.pieces && own.topologyVersion !== body.topologyVersion)) {
        own = this.lay(body, skin, own);
        this.bodies.set(body, own);
      }
      // Shards may be too small to show a face: formats refuse meshes without vertices.
      for (const { track, topology } of own.tracks) if (topology.vertexCount > 0) track!.put(topology, skin);
    }
    for (const body of this.bodies.keys()) if (!body.alive) this.bodies.delete(body);
  }

  show(share: number): void {
    for (const track of this.all) track.show(share);
  }

  private lay(body: Body, skin: RenderSkin, former: BodyTracks | undefined): BodyTracks {
    const look = this.lookOf.get(body.builtPositions)!;
    const pieces = pieceOfTriangles(body, skin);
    const { version } = skin;
    const { topologyVersion } = body;
    if (!this.pieces) {
      const topology = topologyOf(skin, look, pieces);
      const tracks = [{ track: former?.tracks[0].track ?? this.add(body.name, look, topology), topology }];
      return { version, topologyVersion, pieceOf: new Map(), tracks };
    }
    const { heirs, pieceOf } = this.inherit(body, former);
    const tracks = heirs.map((track, piece) => {
      const topology = topologyOf(skin, look, pieces, piece);
      return { track: track ?? this.add(body.name, look, topology), topology };
    });
    return { version, topologyVersion, pieceOf, tracks };
  }

  /** For each piece, the track that it continues: that of the former piece from which most of its particles come, if it has most of those. */
  private inherit(body: Body, former: BodyTracks | undefined) {
    const { count, ofParticle } = body.pieces;
    const ancestor = new Uint32Array(body.particleCount);
    ancestorsInto(ancestor, this.world, body);
    const pieceOf = new Map<number, number>();
    /** Particles that a former piece and a piece share. */
    const shared = new Map<string, { from: number; to: number; particles: number }>();
    for (let i = 0; i < ofParticle.length; i++) {
      const to = ofParticle[i];
      if (to === NO_PIECE) continue;
      pieceOf.set(ancestor[i], to);
      const from = former?.pieceOf.get(ancestor[i]);
      if (from === undefined) continue;
      const key = `${from} ${to}`;
      const entry = shared.get(key) ?? { from, to, particles: 0 };
      entry.particles++;
      shared.set(key, entry);
    }
    const heirs: (Track | undefined)[] = new Array(count).fill(undefined);
    const taken = new Set<number>();
    for (const { from, to } of [...shared.values()].sort((a, b) => b.particles - a.particles || a.to - b.to)) {
      if (heirs[to] || taken.has(from) || !former?.tracks[from]) continue;
      heirs[to] = former.tracks[from].track;
      taken.add(from);
    }
    return { heirs, pieceOf };
  }

  /** A new track, unless there is nothing to see of it yet. */
  private add(wanted: string, look: Look, { vertexCount }: Topology): Track | undefined {
    if (vertexCount === 0) return undefined;
    let name = wanted;
    for (let n = 2; this.names.has(name); n++) name = `${wanted} ${n}`;
    this.names.add(name);
    const track = new Track(this.all.length, name, look);
    this.all.push(track);
    return track;
  }
}
