import { BufferAttribute, BufferGeometry, Group, type Material, Mesh } from 'three/webgpu';
import type { FileMaterials, SurfaceData } from '../protocol.js';
import type { Moment } from '../simulation.js';
import { Blended, blendedNode } from './blend.js';
import { fileMaterial } from './fileMaterials.js';
import { materialsOf } from './materials.js';

/** One body's surface on the graphics card. */
interface Drawn {
  mesh: Mesh;
  places: Blended;
  normals: BufferAttribute;
  colours: BufferAttribute;
  vertices: number;
  /** Its own materials, and those for colours that mean numbers: one for each group. */
  own: Material[];
  plain: Material[];
}

/** The skins of bodies: the outer surface by look or by the materials of its file, and inner faces with a look of their own. */
export class Surfaces {
  readonly group = new Group();
  private readonly data = new Map<number, SurfaceData>();
  private readonly drawn = new Map<number, Drawn>();
  private files: readonly (FileMaterials | undefined)[] = [];
  /** Bodies whose triangles have changed since the last moment was written. */
  private readonly changed = new Set<number>();
  /** Which copy of the attributes is the newest: true for A. */
  private turn = false;
  private readonly share;
  private readonly node;
  private isPlain = false;
  private readonly key = ++keys;

  constructor(private readonly redraw: () => void = () => {}) {
    const { share, node } = blendedNode('place');
    this.share = share;
    this.node = node;
    this.group.visible = false;
  }

  /** The materials of the bodies' own files, by the place of the body in the scene. */
  setFiles(files: readonly (FileMaterials | undefined)[]): void {
    this.files = files;
  }

  /** Whether colours mean numbers: looks and textures are left out. */
  setPlain(plain: boolean): void {
    if (plain === this.isPlain) return;
    this.isPlain = plain;
    for (const { mesh, own, plain: numbers } of this.drawn.values()) mesh.material = plain ? numbers : own;
  }

  /**
   * Takes over the triangles of bodies that are new or have changed. They are drawn from the next moment on, which comes after them: a frame between the two
   * shows the body as it was.
   */
  learn(surfaces: readonly SurfaceData[]): void {
    for (const surface of surfaces) {
      this.data.set(surface.handle, surface);
      this.changed.add(surface.handle);
    }
  }

  write({ bodies, arrays, jump }: Moment): void {
    this.turn = !this.turn;
    let at = 0;
    const present = new Set<number>();
    for (const { handle, vertices } of bodies) {
      present.add(handle);
      let drawn = this.drawn.get(handle);
      const isNew = !drawn || drawn.vertices !== vertices || this.changed.has(handle);
      if (isNew) {
        this.forget(handle);
        drawn = this.make(handle, vertices);
      }
      if (drawn) {
        drawn.places.write(arrays.positions.subarray(3 * at, 3 * (at + vertices)), jump || isNew, this.turn);
        (drawn.normals.array as Float32Array).set(arrays.normals.subarray(3 * at, 3 * (at + vertices)));
        (drawn.colours.array as Uint8Array).set(arrays.vertexColours.subarray(4 * at, 4 * (at + vertices)));
        drawn.normals.needsUpdate = drawn.colours.needsUpdate = true;
      }
      at += vertices;
    }
    this.changed.clear();
    for (const handle of [...this.drawn.keys()]) if (!present.has(handle)) this.forget(handle);
  }

  /** All bodies are written alternately at the same time: one share for all. */
  blend(t: number): void {
    this.share.value = this.turn ? 1 - t : t;
  }

  clear(): void {
    for (const handle of [...this.drawn.keys()]) this.forget(handle);
    this.data.clear();
    this.changed.clear();
  }

  private make(handle: number, vertices: number): Drawn | undefined {
    const data = this.data.get(handle);
    if (!data || vertices === 0) return undefined;
    const geometry = new BufferGeometry();
    const places = new Blended(3 * vertices, 3);
    const normals = new BufferAttribute(new Float32Array(3 * vertices), 3);
    const colours = new BufferAttribute(new Uint8Array(4 * vertices), 4, true);
    geometry.setAttribute('position', places.a);
    geometry.setAttribute('placeA', places.a);
    geometry.setAttribute('placeB', places.b);
    geometry.setAttribute('normal', normals);
    geometry.setAttribute('colour', colours);
    geometry.setAttribute('rest', new BufferAttribute(data.rest, 4));
    if (data.uvs) geometry.setAttribute('uv', new BufferAttribute(data.uvs, 2));
    geometry.setIndex(new BufferAttribute(data.indices, 1));
    const own: Material[] = [];
    const plain: Material[] = [];
    const [looks, numbers] = [materialsOf(data.look, this.node, this.key), materialsOf('plain', this.node, this.key)];
    const file = this.files[data.origin];
    for (const [n, { start, count, kind, surface }] of data.groups.entries()) {
      geometry.addGroup(start, count, n);
      const ofFile = kind === 'outer' && file && fileMaterial(file, surface, !!data.uvs, this.node, this.redraw);
      own.push(ofFile || looks[kind]);
      plain.push(numbers[kind]);
    }
    const mesh = new Mesh(geometry, this.isPlain ? plain : own);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    this.group.add(mesh);
    const drawn = { mesh, places, normals, colours, vertices, own, plain };
    this.drawn.set(handle, drawn);
    return drawn;
  }

  private forget(handle: number): void {
    const drawn = this.drawn.get(handle);
    if (!drawn) return;
    this.group.remove(drawn.mesh);
    drawn.mesh.geometry.dispose();
    this.drawn.delete(handle);
  }
}

/** Two simulations that are drawn beside each other have materials of their own: each has its share of the newest moment. */
let keys = 0;
