import type { BuiltScene } from '@pliant/scene';
import { type OwnFrame, updateInTime } from '@pliant/three/host';
import type { Body, BoxShape, Collider, MeshShape, RoundShape, World } from 'pliant';
import { type FrameArrays, frameArrays, frameBytes } from '../frames.js';
import type { FrameData, ObstacleData, Show, SurfaceData, Tell } from '../protocol.js';
import type { Appearance } from './appearance.js';
import { DrawnSkin, FEW } from './drawnSkin.js';
import { Energies } from './energy.js';
import { paintClusters, paintParticles } from './paint.js';
import { pack } from './palette.js';
import { countPlanes, placeClusters, placeGoals, placePlanes } from './place.js';

/** Frames between two measurements of slow quantities: volume, pieces. */
const RARELY = 6;
/** Distance of the faces of a cut that nothing draws open, in distances of particles. */
const KERF = 0.3;

/** Writes the content of frames: particles, surfaces, clusters, proxies, and numbers. */
export class FramePacker {
  private topology = 0;
  /** Whether the next frame must not be interpolated with the last. */
  jump = true;
  /** The version of each surface that was last sent. */
  private readonly told = new Map<number, number>();
  private readonly skins = new WeakMap<Body, DrawnSkin>();
  /** Whether the scene had few triangles at its start. */
  private isSmall: boolean | undefined;
  private layout = '';
  private obstacles: readonly Collider[] = [];
  private slow = { volume: 0, pieces: 0, age: 0 };
  private readonly world: World;
  private readonly energies: Energies;

  constructor(
    { world }: BuiltScene,
    private readonly appearance: Appearance,
    public show: Show,
    private readonly tell: Tell,
  ) {
    this.world = world;
    this.energies = new Energies(world);
  }

  /** Sends all surfaces and obstacles with the next frame. */
  resend(): void {
    this.told.clear();
    this.obstacles = [];
    this.jump = true;
  }

  /** The contents of the next frame. Sends new surfaces and obstacles first. */
  frame(running: boolean): OwnFrame {
    const { world, show } = this;
    // While paused there is time, and this may be the last frame.
    const isMeasured = this.slow.age++ % RARELY === 0 || !running;
    for (const body of world.bodies) {
      const skin = body.getSkin();
      // The picture keeps pace with a body that shatters. One that stands still, or comes from another time, shows the body as it is.
      skin.spread = running && !this.jump;
    }
    // Skins may be replaced in any update: none follows that of tellSurfaces.
    const opened = world.bodies.map((body) => (isMeasured ? volumeWithoutKerf(body) : undefined));
    this.tellSurfaces();
    if (isMeasured) this.measure(opened);
    this.tellObstacles();
    const vertices = world.bodies.map((body) => (show.surface ? this.skinOf(body).vertexCount : 0));
    const layout = world.bodies.map((body, k) => `${body.handle}:${body.particleCount}:${vertices[k]}`).join();
    if (layout !== this.layout) this.topology++;
    this.layout = layout;
    const counts = {
      particles: world.particleCount,
      vertices: vertices.reduce((sum, count) => sum + count, 0),
      clusters: show.clusters ? world.clusterCount : 0,
      planes: show.proxies ? countPlanes(world) : 0,
      goals: show.goals ? world.particleCount : 0,
    };
    const data: FrameData = {
      ...{ jump: this.jump, topology: this.topology, counts, vertices },
      ...{ poses: this.posesOf(), range: undefined, stats: this.stats() },
    };
    this.jump = false;
    return { data, bytes: frameBytes(counts), write: (buffer, at) => this.writeInto(buffer, at, data) };
  }

  private writeInto(buffer: ArrayBufferLike, at: number, data: FrameData): void {
    const { world, show } = this;
    const arrays = frameArrays(buffer, data.counts, at);
    arrays.particles.set(world.positions);
    // The drawn radius replaces the mass.
    for (const { firstParticle, particleCount, spacing, size } of world.bodies) {
      const radius = 0.55 * (spacing ?? 0.04 * size);
      for (let i = firstParticle; i < firstParticle + particleCount; i++) arrays.particles[4 * i + 3] = radius;
    }
    data.range = paintParticles(
      world,
      this.appearance,
      show.colouring,
      new Uint32Array(buffer, arrays.particleColours.byteOffset, world.particleCount),
      show.scale,
    );
    if (show.surface) this.writeSurfaces(arrays);
    if (show.clusters) {
      placeClusters(world, arrays.clusters);
      paintClusters(world, arrays.clusterColours);
    }
    if (show.proxies) placePlanes(world, arrays.planes);
    if (show.goals) placeGoals(world, arrays.goals);
  }

  /** Writes surfaces, which were updated by `frame`. */
  private writeSurfaces({ positions, normals, vertexColours, particleColours }: FrameArrays): void {
    const packed = ({ buffer, byteOffset, length }: Uint8Array) => new Uint32Array(buffer, byteOffset, length / 4);
    const [from, to] = [packed(particleColours), packed(vertexColours)];
    let at = 0;
    for (const body of this.world.bodies) {
      const { firstParticle } = body;
      const skin = this.skinOf(body);
      positions.set(skin.positions, 3 * at);
      normals.set(skin.normals, 3 * at);
      const { particle, vertexCount } = skin;
      if (this.show.colouring === 'material') this.paintMaterial(body, to.subarray(at, at + vertexCount));
      else for (let v = 0; v < vertexCount; v++) to[at + v] = from[firstParticle + particle[v]];
      at += vertexCount;
    }
  }

  /**
   * Gives the faces of a body their colours: those of its mesh, white where its file has materials, else that of its
   * look. Inner faces share no vertices with the outer ones.
   */
  private paintMaterial(body: Body, into: Uint32Array): void {
    const skin = this.skinOf(body);
    const { indices, groups } = skin;
    const own = this.appearance.coloursOf(body, skin);
    if (own) for (let v = 0; v < into.length; v++) into[v] = packLinear(own[3 * v], own[3 * v + 1], own[3 * v + 2]);
    else into.fill(this.appearance.isTextured(body) ? WHITE : this.appearance.colour(body));
    const colour = this.appearance.innerColour(body);
    for (const { start, count, kind } of groups)
      if (kind === 'inner') for (let k = start; k < start + count; k++) into[indices[k]] = colour;
  }

  /** The skin of a body as it is drawn. */
  private skinOf(body: Body): DrawnSkin {
    let skin = this.skins.get(body);
    if (skin) return skin;
    const { bodies } = this.world;
    this.isSmall ??= bodies.reduce((sum, one) => sum + one.getSkin().indices.length, 0) <= 3 * FEW;
    skin = new DrawnSkin(body.getSkin(), body.size, this.isSmall);
    this.skins.set(body, skin);
    return skin;
  }

  /** Updates the surfaces, and sends those that are new or have changed. */
  private tellSurfaces(): void {
    if (!this.show.surface) return;
    const surfaces: SurfaceData[] = [];
    for (const body of this.world.bodies) {
      const { handle } = body;
      const made = body.getSkin();
      // A cut is seen at once, also while paused.
      made.kerf = KERF * (body.spacing ?? 0);
      updateInTime(made);
      const skin = this.skinOf(body);
      skin.update();
      if (this.told.get(handle) === skin.version) continue;
      this.told.set(handle, skin.version);
      this.topology++;
      surfaces.push({
        handle,
        ...this.appearance.sorted(body, skin),
        uvs: skin.uvs?.slice(),
        rest: this.appearance.restOf(body, skin),
        origin: this.appearance.origin(body),
        look: this.appearance.look(body),
      });
    }
    if (surfaces.length > 0) this.tell('surfaces', surfaces);
  }

  private tellObstacles(): void {
    const { colliders } = this.world;
    if (colliders.length === this.obstacles.length && colliders.every((c, k) => c === this.obstacles[k])) return;
    this.obstacles = colliders;
    this.tell('obstacles', colliders.map(describeObstacle));
  }

  private posesOf(): Float32Array {
    const poses = new Float32Array(7 * this.obstacles.length);
    this.obstacles.forEach(({ position, rotation, lifetime, since }, k) => {
      if (this.world.time > since + lifetime) poses.fill(Number.NaN, 7 * k, 7 * k + 7);
      else poses.set([...position, ...rotation], 7 * k);
    });
    return poses;
  }

  /** Measures slow quantities. `opened`: volumes of bodies whose cuts are drawn apart. */
  private measure(opened: readonly (number | undefined)[]): void {
    const { slow, world } = this;
    slow.volume = world.bodies.reduce((sum, body, k) => sum + (opened[k] ?? enclosed(body.getSkin())), 0);
    slow.pieces = world.bodies.reduce((sum, { pieces }) => sum + pieces.count, 0);
  }

  private stats(): FrameData['stats'] {
    const { world, slow, energies } = this;
    const isAsked = this.show.energies;
    const { bodies } = world;
    return {
      gravityEnergy: isAsked ? energies.gravity() : Number.NaN,
      strainEnergy: isAsked ? energies.strain() : Number.NaN,
      volume: slow.volume,
      pieces: slow.pieces,
      particles: world.particleCount,
      clusters: world.clusterCount,
      awake: bodies.filter((body) => body.active).length,
    };
  }
}

function describeObstacle({ type, direction, radius, shape, except }: Collider): ObstacleData {
  const mesh = type === 'mesh' ? (shape as MeshShape).solid.surface : undefined;
  return {
    type,
    direction,
    radius,
    half: type === 'capsule' ? (shape as RoundShape).half : 0,
    size: type === 'box' ? (shape as BoxShape).size : [0, 0, 0],
    positions: mesh && Float32Array.from(mesh.positions),
    indices: mesh?.indices.slice(),
    // The planes of moving clamps would hide the body.
    name: except ? 'clamp' : '',
  };
}

const WHITE = pack(255, 255, 255);

/** The colour of linear intensities, 0 to 1. */
function packLinear(r: number, g: number, b: number): number {
  return pack(toSrgb(r), toSrgb(g), toSrgb(b));
}
const toSrgb = (value: number) =>
  Math.round(255 * Math.max(0, Math.min(1, value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)));

/** Volume enclosed by the present surface of a body that was cut, without the kerf, which only the picture has. Undefined for other bodies. Changes the skin until its next update. */
function volumeWithoutKerf(body: Body): number | undefined {
  const skin = body.getSkin();
  if (!skin.groups.some(({ kind }) => kind === 'inner')) return undefined;
  const { kerf } = skin;
  skin.kerf = 0;
  updateInTime(skin);
  skin.kerf = kerf;
  return enclosed(skin);
}

function enclosed({ positions: x, indices }: { positions: Float32Array; indices: Uint32Array }): number {
  let sum = 0;
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [3 * indices[k], 3 * indices[k + 1], 3 * indices[k + 2]];
    sum +=
      x[a] * (x[b + 1] * x[c + 2] - x[b + 2] * x[c + 1]) +
      x[a + 1] * (x[b + 2] * x[c] - x[b] * x[c + 2]) +
      x[a + 2] * (x[b] * x[c + 1] - x[b + 1] * x[c]);
  }
  return sum / 6;
}
