import { frontFacing, vec4 } from 'three/tsl';
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshStandardNodeMaterial } from 'three/webgpu';
import type { SurfaceData } from '../protocol.js';
import type { Moment } from '../simulation.js';
import { Blended, blendedNode } from './blend.js';
import { paintedColour } from './colour.js';

/** One body's surface on the graphics card. */
interface Drawn {
  mesh: Mesh;
  places: Blended;
  normals: BufferAttribute;
  colours: BufferAttribute;
  vertices: number;
}

/** The skins of bodies: the outer surface, and inner faces, which are duller and have a colour of their own. */
export class Surfaces {
  readonly group = new Group();
  private readonly data = new Map<number, SurfaceData>();
  private readonly drawn = new Map<number, Drawn>();
  /** Which copy of the attributes is the newest: true for A. */
  private turn = false;
  private readonly share;
  private readonly materials: MeshStandardNodeMaterial[];

  constructor() {
    const { share, node } = blendedNode('place');
    this.share = share;
    this.materials = [0.55, 0.85].map((roughness) => {
      const material = new MeshStandardNodeMaterial({ roughness, metalness: 0, side: DoubleSide });
      material.positionNode = node.xyz;
      // Back faces are the inside of a torn body: darker.
      const colour = paintedColour();
      material.colorNode = vec4(frontFacing.select(colour, colour.mul(0.45)), 1);
      return material;
    });
    this.group.visible = false;
  }

  /** Takes over the triangles of bodies that are new or have changed. */
  learn(surfaces: readonly SurfaceData[]): void {
    for (const surface of surfaces) {
      this.data.set(surface.handle, surface);
      this.forget(surface.handle);
    }
  }

  write({ bodies, arrays, jump }: Moment): void {
    this.turn = !this.turn;
    let at = 0;
    const present = new Set<number>();
    for (const { handle, vertices } of bodies) {
      present.add(handle);
      let drawn = this.drawn.get(handle);
      const isNew = !drawn || drawn.vertices !== vertices;
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
    for (const handle of [...this.drawn.keys()]) if (!present.has(handle)) this.forget(handle);
  }

  /** All bodies are written alternately at the same time: one share for all. */
  blend(t: number): void {
    this.share.value = this.turn ? 1 - t : t;
  }

  clear(): void {
    for (const handle of [...this.drawn.keys()]) this.forget(handle);
    this.data.clear();
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
    geometry.setIndex(new BufferAttribute(data.indices, 1));
    for (const { start, count, kind } of data.groups) geometry.addGroup(start, count, kind === 'inner' ? 1 : 0);
    const mesh = new Mesh(geometry, this.materials);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    this.group.add(mesh);
    const drawn = { mesh, places, normals, colours, vertices };
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
