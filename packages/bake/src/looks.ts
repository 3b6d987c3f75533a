import {
  type BodyDescription,
  bodyColours,
  LOOKS,
  type Rgb,
  type SceneDescription,
  type SourceMaterials,
} from '@pliant/scene';
import type { MeshData } from 'pliant';

/** The material of some faces of an object. */
export interface Surface {
  /** Name of the material. */
  readonly name: string;
  /** Whether it is of the surface as it was built, or of faces that cuts and cracks laid open. */
  readonly kind: 'outer' | 'inner';
  /** Linear r, g, b. */
  readonly colour: readonly [number, number, number];
  /** Roughness for light, 0 to 1, where there is no source. */
  readonly roughness: number;
  /** The material of the source file, if there is one. */
  readonly source?: { readonly from: SourceMaterials; readonly index: number };
}

/** How the objects of a body are shown. */
export interface Look {
  /** The outer materials, then that of the inner faces. */
  readonly surfaces: readonly Surface[];
  /** Number of outer materials that the red channel of the mesh's colours tells apart; 1: it is just red. */
  readonly tags: number;
  /** Whether the vertices have colours of their own. */
  readonly coloured: boolean;
}

/** A scene whose bodies carry what a bake needs: the numbers of materials, hidden in the colours of meshes. */
export interface PreparedScene {
  /** Build this one: `buildWorld(prepared.scene)`. */
  readonly scene: SceneDescription;
  /** @internal The looks of the bodies, in the order of the scene. */
  readonly looks: readonly Look[];
}

/** Linear intensity of an sRGB byte. */
const linear = (byte: number) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/**
 * Makes a scene ready to be baked. The engine hands colours of vertices through cuts and cracks, and nothing else that
 * could name a material. So where a mesh has several materials, the number of each triangle's material is put into the
 * red channel of its corners. Simulations do not depend on it.
 */
export function prepareScene(scene: SceneDescription): PreparedScene {
  const looks: Look[] = [];
  // Copies of a body share their mesh.
  const tagged = new Map<MeshData, MeshData>();
  const colours = bodyColours(scene.bodies.map(({ look }) => look));
  const bodies = scene.bodies.map((body, k) => {
    const { look, numbers } = lookOf(body, colours[k]);
    looks.push(look);
    const { mesh } = body.options;
    if (!mesh || look.tags === 1) return body;
    const tagging = tagged.get(mesh) ?? tagMesh(mesh, body, numbers);
    tagged.set(mesh, tagging);
    return { ...body, options: { ...body.options, mesh: tagging } };
  });
  return { scene: { ...scene, bodies }, looks };
}

function lookOf(
  { options, materials, groups, look }: BodyDescription,
  colours: { outer: Rgb; inner: Rgb },
): { look: Look; numbers: number[] } {
  const { roughness, inner: within } = LOOKS[look?.look ?? 'rubber'];
  const coloured = options.mesh?.colours !== undefined;
  const colour = coloured ? ([1, 1, 1] as const) : linearRgb(colours.outer);
  const numbers = [...new Set((groups ?? []).map(({ material }) => material))].sort((a, b) => a - b);
  const plain: Surface = { name: options.name, kind: 'outer', colour, roughness };
  const outer: Surface[] =
    materials && numbers.length > 0
      ? numbers.map((index) => (index < 0 ? plain : sourceSurface(materials, index, options.name)))
      : [plain];
  const inner: Surface = {
    name: `${options.name} inner`,
    kind: 'inner',
    colour: linearRgb(colours.inner),
    roughness: within.roughness,
  };
  return { look: { surfaces: [...outer, inner], tags: outer.length, coloured }, numbers };
}

const linearRgb = (bytes: Rgb) => bytes.map(linear) as unknown as Surface['colour'];

function sourceSurface(from: SourceMaterials, index: number, body: string): Surface {
  const material = from.materials[index] as { name?: unknown; pbrMetallicRoughness?: { baseColorFactor?: unknown } };
  const name = typeof material.name === 'string' && material.name !== '' ? material.name : `${body} ${index + 1}`;
  const factor = material.pbrMetallicRoughness?.baseColorFactor;
  const base = Array.isArray(factor) && factor.every(Number.isFinite) ? factor : [1, 1, 1];
  return { name, kind: 'outer', colour: [base[0], base[1], base[2]], roughness: 1, source: { from, index } };
}

/**
 * Red of a corner whose material is the m-th of `tags`: the m-th of as many equal intervals, and in it, apart from its
 * ends, the red that was there. Cuts interpolate between corners of one triangle, and rounding stays inside.
 */
const encodeRed = (red: number, m: number, tags: number) => (m + (1 + 254 * red) / 256) / tags;

/** Material and red of such a colour. */
export function decodeRed(value: number, tags: number): { material: number; red: number } {
  const material = Math.max(0, Math.min(tags - 1, Math.floor(value * tags)));
  return { material, red: Math.max(0, Math.min(1, ((value * tags - material) * 256 - 1) / 254)) };
}

function tagMesh(mesh: MeshData, { groups }: BodyDescription, numbers: readonly number[]): MeshData {
  const { positions, colours } = mesh;
  const indices = mesh.indices!;
  const out = new Float32Array(3 * indices.length).fill(1);
  const byVertex = colours?.length === positions.length;
  for (const { start, count, material } of groups!) {
    const m = numbers.indexOf(material);
    for (let k = start; k < start + count; k++) {
      const from = 3 * (byVertex ? indices[k] : k);
      out[3 * k] = encodeRed(colours ? colours[from] : 1, m, numbers.length);
      if (!colours) continue;
      out[3 * k + 1] = colours[from + 1];
      out[3 * k + 2] = colours[from + 2];
    }
  }
  return { ...mesh, colours: out };
}
