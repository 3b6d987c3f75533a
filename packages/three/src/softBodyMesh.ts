import { type Body, type BodyOptions, MATERIALS, type MaterialOptions, refuse, type World } from 'pliant';
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  type Material,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Sphere,
} from 'three';
import { CarriedVectors } from './carriedVectors.js';
import { attributeInto, type DrawnVertices, drawnVertices } from './drawnVertices.js';
import { addShared, addSharedNow } from './sharedBuilds.js';
import type { DrawableBody, Skin } from './skin.js';
import { innerOf, readPlaced, type SourceMesh } from './sourceMesh.js';
import { updateInTime } from './updateInTime.js';
import type { RemoteBody } from './worker/remote.js';
import type { RemoteWorld } from './worker/remoteWorld.js';

/** Name of a material of the engine, such as 'jelly' or 'softRubber'; 'rubber' is the soft one. */
export type MaterialName = keyof typeof MATERIALS | 'rubber';

/** Materials and source of a `SoftBodyMesh`. */
export interface SoftBodyMeshOptions {
  /** Material of the outer surface, or one for each material of the source mesh. Default: those of the source; without one, a MeshStandardMaterial. */
  outer?: Material | readonly Material[];
  /** Material of the faces that cuts and cracks lay open. Default: the outer one, darker and without textures. */
  inner?: Material;
  /** The mesh that the body was built from, as `readSource` gives it: its attributes, normals and materials are drawn. */
  source?: SourceMesh;
}

/** Options of `SoftBodyMesh.from`: those of a body, whose mesh and place are the object's, and the materials to draw. */
export type FromOptions = Omit<
  BodyOptions,
  'mesh' | 'shape' | 'points' | 'material' | 'scale' | 'rotation' | 'position'
> &
  Pick<SoftBodyMeshOptions, 'outer' | 'inner'>;

/** Number of particles of a body that `SoftBodyMesh.from` makes, where its options do not say. */
const PARTICLES = 1000;

/** Room for more vertices and indices than there are, so that a body that breaks step by step does not need new buffers each time. */
const ROOM = 1.5;

/**
 * A three.js mesh that follows a body of a `World` or `WorkerWorld`. Call `update(alpha)` once a frame. Add it to a scene anywhere: its vertices are in the
 * world's coordinates, whatever its parents are.
 *
 * The work of a break is spread over some updates (`skin.spread`), so that no frame waits for it. Set `body.getSkin().spread = false` to have breaks shown at once.
 *
 * Positions and normals are written in place. When the body breaks or is cut, the triangles change, and buffers that have become too short are replaced. Works with WebGLRenderer
 * and WebGPURenderer.
 *
 * @example
 * const ball = new SoftBodyMesh(world.addBody({ shape: { type: 'sphere', radius: 0.5 }, sampling: { count: 500 } }));
 * scene.add(ball);
 * ball.update(world.advance(1 / 60).alpha);
 */
export class SoftBodyMesh<B extends DrawableBody = DrawableBody> extends Mesh<BufferGeometry, Material[]> {
  /** The mesh that the body was built from, if it was given. */
  readonly source: SourceMesh | undefined;
  private readonly skin: Skin;
  private drawn!: DrawnVertices;
  private carried: CarriedVectors | undefined;
  private shownVersion = -1;
  private wasAsleep = false;
  private readonly outerCount: number;
  /** Made here, so disposed of here. */
  private readonly ownMaterials: readonly Material[];

  constructor(
    /** The body that it shows. */
    readonly body: B,
    { outer, inner, source }: SoftBodyMeshOptions = {},
  ) {
    const given = outer ?? source?.materials;
    const own: Material[] = [];
    const make = <M extends Material>(material: M) => {
      own.push(material);
      return material;
    };
    const outside = given === undefined ? [make(new MeshStandardMaterial())] : 'length' in given ? [...given] : [given];
    super(new BufferGeometry(), [...outside, inner ?? make(innerOf(outside[0]))]);
    // One material for all parts of a source that has several.
    this.outerCount = outside.length;
    this.source =
      source && source.materials.length !== outside.length
        ? { ...source, materialOf: source.materialOf.map((m) => Math.min(m, outside.length - 1)) }
        : source;
    this.ownMaterials = own;
    this.name = body.name;
    this.castShadow = this.receiveShadow = true;
    this.skin = body.getSkin();
    // That of a body here; a worker spreads its own.
    if ('spread' in this.skin) this.skin.spread = true;
    this.update();
  }

  /**
   * Builds a body from a mesh, or from all meshes of an object such as a loaded glTF scene, where the object is, and the mesh that shows it, with the object's materials, texture
   * coordinates, colours, normals and tangents. The object itself is not changed; take it out of the scene. `material` is a name of MATERIALS or the body's material options. With
   * a `WorkerWorld` the result is a promise.
   *
   * Objects that differ only in where they stand are built once for each world: fifty equal bricks cost one build. Material values that are functions are evaluated for each body.
   *
   * @example
   * const { scene: model } = await new GLTFLoader().loadAsync('duck.glb');
   * scene.add(SoftBodyMesh.from(world, model, 'softRubber', { sampling: { count: 2000 } }));
   */
  static from(
    world: World,
    object: Object3D,
    material?: MaterialName | MaterialOptions,
    options?: FromOptions,
  ): SoftBodyMesh<Body>;

  static from(
    world: RemoteWorld,
    object: Object3D,
    material?: MaterialName | MaterialOptions,
    options?: FromOptions,
  ): Promise<SoftBodyMesh<RemoteBody>>;

  static from(
    world: World | RemoteWorld,
    object: Object3D,
    material: MaterialName | MaterialOptions = {},
    { outer, inner, ...options }: FromOptions = {},
  ): SoftBodyMesh<Body> | Promise<SoftBodyMesh<RemoteBody>> {
    const settings = { sampling: { count: PARTICLES }, ...options, material: materialOptions(material) };
    const name = options.name ?? object.name;
    const { source, pose } = readPlaced(object);
    const all: BodyOptions = { ...settings, ...pose, name, mesh: source.mesh };
    if (!isRemote(world)) return new SoftBodyMesh(addSharedNow(world, all), { outer, inner, source });
    return world.addShared(all).then(async (remote) => {
      await remote.show();
      return new SoftBodyMesh(remote, { outer, inner, source });
    });
  }

  /**
   * As `from`, without blocking the page: the body is built in a thread of its own, and equal ones once.
   *
   * @example
   * scene.add(await SoftBodyMesh.fromAsync(world, model, 'softRubber', { sampling: { count: 20_000 } }));
   */
  static async fromAsync(
    world: World,
    object: Object3D,
    material: MaterialName | MaterialOptions = {},
    { outer, inner, ...options }: FromOptions = {},
  ): Promise<SoftBodyMesh<Body>> {
    const { source, pose } = readPlaced(object);
    const body = await addShared(world, {
      ...{ name: object.name, sampling: { count: PARTICLES }, ...options, ...pose },
      ...{ mesh: source.mesh, material: materialOptions(material) },
    });
    return new SoftBodyMesh(body, { outer, inner, source });
  }

  /**
   * Moves the vertices to where the body is, `alpha` of the way from the start of the last step to its end, as `world.advance` returns it. Default 1: the end. Does nothing for
   * a body that sleeps and was drawn asleep, or that is gone from its world.
   */
  update(alpha = 1): void {
    const { body, skin } = this;
    if (!body.alive) return;
    const asleep = body.asleep;
    if (asleep && this.wasAsleep && skin.version === this.shownVersion && !this.wasMoved()) return;
    updateInTime(skin, asleep ? 1 : alpha);
    if (skin.version !== this.shownVersion) this.layOut();
    this.write();
    this.wasAsleep = asleep;
  }

  /** Frees the GPU's buffers and the materials that were made here. The body stays in its world. */
  override dispose(): void {
    this.geometry.dispose();
    for (const material of this.ownMaterials) material.dispose();
    this.removeFromParent();
  }

  /** Vertices are in the world's coordinates, whatever the parents' transforms are. */
  override updateMatrixWorld(force?: boolean): void {
    this.matrixWorld.identity();
    for (const child of this.children) child.updateMatrixWorld(force);
  }

  override updateWorldMatrix(_updateParents: boolean, updateChildren: boolean): void {
    this.matrixWorld.identity();
    if (updateChildren) for (const child of this.children) child.updateWorldMatrix(false, true);
  }

  /** Whether a body that sleeps is not where it was drawn: put back by a snapshot, or written into. */
  private wasMoved(): boolean {
    const now = (this.body as { positions?: Float32Array }).positions;
    if (!now) return false;
    let moved = false;
    for (let k = 0; k < this.mark.length; k++) {
      const at = now[markAt(k, now.length)];
      if (at !== this.mark[k]) moved = true;
      this.mark[k] = at;
    }
    return moved;
  }
  private readonly mark = new Float32Array(12);

  /** Writes triangles and the attributes that do not move, into the present buffers if they are long enough. */
  private layOut(): void {
    const { skin, source } = this;
    const drawn = (this.drawn = drawnVertices(skin, source, this.outerCount));
    this.shownVersion = skin.version;
    const known = this.geometry.getAttribute('position') as BufferAttribute | undefined;
    if (!known || known.count < drawn.count || this.geometry.index!.count < drawn.indices.length) this.makeGeometry();
    const { geometry } = this;
    const index = geometry.index!;
    (index.array as Uint32Array).set(drawn.indices);
    // Rows beyond the end name one vertex: triangles without area for whatever does not honour groups.
    (index.array as Uint32Array).fill(0, drawn.indices.length);
    index.needsUpdate = true;
    geometry.setDrawRange(0, drawn.indices.length);
    geometry.clearGroups();
    for (const { start, count, materialIndex } of drawn.groups) geometry.addGroup(start, count, materialIndex);
    this.fillStill();
  }

  private makeGeometry(): void {
    const { drawn, skin, source } = this;
    const first = this.shownVersion <= 1 && !this.geometry.index;
    // A body is drawn as it was built for most of its life: room is made when it begins to break.
    const room = (length: number) => (first ? length : Math.ceil(ROOM * length));
    const vertices = room(drawn.count);
    const geometry = new BufferGeometry();
    const add = (name: string, width: number, moves: boolean) => {
      const attribute = new BufferAttribute(new Float32Array(width * vertices), width);
      if (moves) attribute.setUsage(DynamicDrawUsage);
      geometry.setAttribute(name, attribute);
    };
    geometry.setIndex(new BufferAttribute(new Uint32Array(3 * Math.ceil(room(drawn.indices.length) / 3)), 1));
    add('position', 3, true);
    add('normal', 3, true);
    if (source) {
      for (const [name, { width }] of source.attributes) if (name !== 'normal') add(name, width, name === 'tangent');
    } else {
      if (skin.uvs) add('uv', 2, false);
      if (skin.colours) add('color', 3, false);
    }
    geometry.boundingBox = new Box3();
    geometry.boundingSphere = new Sphere();
    this.geometry.dispose();
    this.geometry = geometry;
  }

  /** Texture coordinates, colours and whatever else the source has. */
  private fillStill(): void {
    const { drawn, skin, source, geometry } = this;
    const arrayOf = (name: string) => {
      const attribute = geometry.getAttribute(name) as BufferAttribute | undefined;
      if (attribute) attribute.needsUpdate = true;
      return attribute?.array as Float32Array | undefined;
    };
    this.carried = undefined;
    if (!source) {
      for (const [name, values, width] of [
        ['uv', skin.uvs, 2],
        ['color', skin.colours, 3],
      ] as const) {
        const out = arrayOf(name);
        if (out && values) gatherInto(out, values, width, drawn);
      }
      return;
    }
    const at = (name: string, width: number) => {
      const from = source.attributes.get(name);
      if (!from) return undefined;
      const values = new Float32Array(width * drawn.count);
      attributeInto(values, from, drawn, skin, source);
      return values;
    };
    for (const [name, from] of source.attributes)
      if (name !== 'normal' && name !== 'tangent') attributeInto(arrayOf(name)!, from, drawn, skin, source);
    const [normals, tangents] = [at('normal', 3), at('tangent', 4)];
    if (!normals && !tangents) return;
    const places = new Float32Array(3 * drawn.count);
    attributeInto(places, { values: source.mesh.positions, width: 3 }, drawn, skin, source);
    this.carried = new CarriedVectors(drawn, skin, places, normals, tangents);
  }

  private write(): void {
    const { geometry, drawn, skin, carried } = this;
    const position = geometry.getAttribute('position') as BufferAttribute;
    const normal = geometry.getAttribute('normal') as BufferAttribute;
    gatherInto(position.array as Float32Array, skin.positions, 3, drawn);
    gatherInto(normal.array as Float32Array, skin.normals, 3, drawn);
    position.needsUpdate = normal.needsUpdate = true;
    if (carried) {
      carried.normalsInto(normal.array as Float32Array);
      const tangent = geometry.getAttribute('tangent') as BufferAttribute | undefined;
      if (tangent) {
        carried.tangentsInto(tangent.array as Float32Array);
        tangent.needsUpdate = true;
      }
    }
    const { min, max } = skin.bounds;
    geometry.boundingBox!.min.set(min[0], min[1], min[2]);
    geometry.boundingBox!.max.set(max[0], max[1], max[2]);
    geometry.boundingBox!.getBoundingSphere(geometry.boundingSphere!);
  }
}

/** The engine's material options of a name or of options. */
export function materialOptions(material: MaterialName | MaterialOptions): MaterialOptions {
  if (typeof material !== 'string') return material;
  const name = material === 'rubber' ? 'softRubber' : material;
  if (!Object.hasOwn(MATERIALS, name)) refuse('material', material, `one of ${Object.keys(MATERIALS).join(', ')}`);
  return MATERIALS[name].material;
}

function gatherInto(out: Float32Array, from: Float32Array, width: number, { count, skinVertex }: DrawnVertices): void {
  for (let v = 0; v < count; v++) {
    const o = width * v;
    const s = width * skinVertex[v];
    for (let a = 0; a < width; a++) out[o + a] = from[s + a];
  }
}

/** Place of the k-th of a dozen samples of a list of positions, four numbers each: a coordinate, not a mass. */
const markAt = (k: number, length: number) => 4 * Math.floor(((k + 0.5) * length) / 48) + (k % 3);

/** A WorkerWorld has no state of its own. */
const isRemote = (world: World | RemoteWorld): world is RemoteWorld => !('kernels' in world);
