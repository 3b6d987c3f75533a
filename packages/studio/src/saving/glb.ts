import { type Accessor, Document, type Material, WebIO } from '@gltf-transform/core';
import type { ExportedBody } from '../protocol.js';

/** Factor on the colour of cut faces: darker, as on the screen (view/surfaces.ts). */
const INNER = 0.72;

/** The present bodies, each a node with a mesh: outside and cut faces have separate materials. */
export async function writeGlb(bodies: readonly ExportedBody[]): Promise<Uint8Array> {
  const document = new Document();
  document.getRoot().getAsset().generator = 'Pliant';
  document.createBuffer();
  const scene = document.createScene();
  for (const body of bodies)
    if (body.indices.length > 0) scene.addChild(document.createNode(body.name).setMesh(meshOf(document, body)));
  return new WebIO().writeBinary(document);
}

function meshOf(document: Document, { name, positions, normals, indices, groups, uvs, colours, colour }: ExportedBody) {
  const accessor = (type: Parameters<Accessor['setType']>[0], array: Float32Array | Uint32Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>)
      .setBuffer(document.getRoot().listBuffers()[0]);
  const shared: Record<string, Accessor> = {
    POSITION: accessor('VEC3', positions),
    NORMAL: accessor('VEC3', normals),
    // Our v increases upwards, glTF's downwards.
    ...(uvs && {
      TEXCOORD_0: accessor(
        'VEC2',
        uvs.map((value, k) => (k % 2 === 1 ? 1 - value : value)),
      ),
    }),
    ...(colours && { COLOR_0: accessor('VEC3', colours) }),
  };
  const mesh = document.createMesh(name);
  for (const kind of ['outer', 'inner'] as const) {
    const corners = groups.filter((group) => group.kind === kind).flatMap(({ start, count }) => [start, start + count]);
    if (corners.length === 0) continue;
    const primitive = document.createPrimitive().setIndices(accessor('SCALAR', join(indices, corners)));
    for (const [semantic, values] of Object.entries(shared)) primitive.setAttribute(semantic, values);
    primitive.setMaterial(materialOf(document, `${name} ${kind}`, colours ? [255, 255, 255] : colour, kind));
    mesh.addPrimitive(primitive);
  }
  return mesh;
}

/** Concatenates runs of indices, given by begin and end. */
function join(indices: Uint32Array, runs: readonly number[]): Uint32Array {
  if (runs.length === 2 && runs[0] === 0 && runs[1] === indices.length) return indices;
  const parts: number[] = [];
  for (let k = 0; k < runs.length; k += 2) for (let i = runs[k]; i < runs[k + 1]; i++) parts.push(indices[i]);
  return Uint32Array.from(parts);
}

function materialOf(
  document: Document,
  name: string,
  colour: readonly [number, number, number],
  kind: 'outer' | 'inner',
): Material {
  const tone = kind === 'inner' ? INNER : 1;
  const [r, g, b] = colour.map((byte) => tone * linear(byte / 255));
  return document.createMaterial(name).setBaseColorFactor([r, g, b, 1]).setRoughnessFactor(0.55).setMetallicFactor(0);
}

/** Linear intensity of an sRGB value. */
const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
