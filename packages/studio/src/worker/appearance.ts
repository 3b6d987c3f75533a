import { decodeRed, type Look as Materials, surfaceOfTriangles } from '@pliant/bake';
import { bodyColours, LOOKS, type LookName, type SceneDescription } from '@pliant/scene';
import type { Body } from 'pliant';
import type { SurfaceGroup } from '../protocol.js';
import type { SkinArrays } from './drawnSkin.js';
import { originOf } from './origin.js';
import { pack } from './palette.js';

/** How the scene's bodies look, by their place in its list. Pieces look like the body that they come from. */
export class Appearance {
  readonly names: readonly string[];
  private readonly looks: readonly LookName[];
  private readonly colours: readonly { outer: number; inner: number }[];
  private readonly sizes: readonly number[];
  private readonly known = new Map<string, number>();

  constructor(
    { bodies }: SceneDescription,
    /** Materials of the bodies' files, by bake's count of them. */
    readonly materials: readonly Materials[],
    /** The bodies as they were built. */
    built: readonly Body[],
  ) {
    this.sizes = built.map(({ size }) => size);
    this.names = bodies.map(({ options }) => options.name);
    this.looks = bodies.map(({ look }) => look?.look ?? 'rubber');
    this.colours = bodyColours(bodies.map(({ look }) => look)).map(({ outer, inner }) => ({
      outer: pack(...outer),
      inner: pack(...inner),
    }));
  }

  /** Place in the list of the body that one is or comes from. */
  origin({ name }: Body): number {
    let at = this.known.get(name);
    if (at === undefined) this.known.set(name, (at = originOf(name, this.names)));
    return at;
  }

  look(body: Body): LookName {
    return this.looks[this.origin(body)] ?? 'rubber';
  }

  colour(body: Body): number {
    return this.colours[this.origin(body)]?.outer ?? pack(200, 200, 200);
  }

  innerColour(body: Body): number {
    return this.colours[this.origin(body)]?.inner ?? pack(230, 220, 200);
  }

  materialsOf(body: Body): Materials {
    return this.materials[this.origin(body)];
  }

  /**
   * Coordinates of patterns, four numbers a vertex: the rest position relative to the whole body's size, shifted so
   * that bodies of one shape differ, and that size.
   */
  restOf(body: Body, { rest, vertexCount }: SkinArrays): Float32Array {
    const origin = this.origin(body);
    const size = this.sizes[origin] ?? body.size;
    const out = new Float32Array(4 * vertexCount);
    for (let v = 0; v < vertexCount; v++) {
      for (let a = 0; a < 3; a++) out[4 * v + a] = rest[3 * v + a] / size + ((origin * (0.37 + 0.21 * a)) % 5);
      out[4 * v + 3] = size;
    }
    return out;
  }

  /** The triangles of a skin sorted by material: indices, and a run of them for each. */
  sorted(body: Body, skin: SkinArrays): { indices: Uint32Array; groups: SurfaceGroup[] } {
    const materials = this.materialsOf(body);
    if (!materials || materials.tags === 1)
      return {
        indices: skin.indices.slice(),
        groups: skin.groups.map(({ start, count, kind }) => ({
          ...{ start, count, kind },
          surface: kind === 'inner' && materials ? materials.surfaces.length - 1 : 0,
        })),
      };
    const of = surfaceOfTriangles(skin, materials);
    const indices = new Uint32Array(skin.indices.length);
    const groups: SurfaceGroup[] = [];
    let end = 0;
    for (const [surface, { kind }] of materials.surfaces.entries()) {
      const start = end;
      for (let t = 0; t < of.length; t++)
        if (of[t] === surface) for (let k = 0; k < 3; k++) indices[end++] = skin.indices[3 * t + k];
      if (end > start) groups.push({ start, count: end - start, kind, surface });
    }
    return { indices, groups };
  }

  /** r, g, b of every vertex, 0 to 1 and linear, if the mesh has colours: without the numbers of materials that hide in them. */
  coloursOf(body: Body, { colours }: SkinArrays): Float32Array | undefined {
    const materials = this.materialsOf(body);
    if (!colours || (materials && !materials.coloured)) return undefined;
    const out = colours.slice();
    if (materials && materials.tags > 1)
      for (let o = 0; o < out.length; o += 3) out[o] = decodeRed(out[o], materials.tags).red;
    return out;
  }

  /** Whether a body's file has materials of its own, which have their own colours. */
  isTextured(body: Body): boolean {
    return this.materialsOf(body)?.surfaces.some(({ source }) => source !== undefined) ?? false;
  }

  roughness(body: Body): { outer: number; inner: number } {
    const { roughness, inner } = LOOKS[this.look(body)];
    return { outer: roughness, inner: inner.roughness };
  }
}
