import { Document, WebIO } from '@gltf-transform/core';
import { type BuiltScene, buildWorld, loadScene } from '@pliant/scene';
import type { BakeOptions } from '../bake.js';
import { BlobStorage, bake, prepareScene } from '../index.js';

/** A picture of 2 × 2 pixels. */
const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR4nGM4MS1qQZ4NAxADWQArzgYFvtdJzQAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
);

/** A cube of 0.4 m with texture coordinates: four sides of one material with a texture, top and bottom of another. */
export async function crate(): Promise<Uint8Array> {
  const document = new Document();
  document.createBuffer();
  const texture = document
    .createTexture('planks')
    .setMimeType('image/png')
    .setImage(PNG as Uint8Array<ArrayBuffer>);
  const wood = document
    .createMaterial('wood')
    .setBaseColorTexture(texture)
    .setMetallicFactor(0)
    .setRoughnessFactor(0.8);
  const lid = document.createMaterial('lid').setBaseColorFactor([0.1, 0.6, 0.2, 1]).setMetallicFactor(0);
  const mesh = document.createMesh('crate');
  for (const [material, axes] of [
    [wood, [0, 2]],
    [lid, [1]],
  ] as const) {
    const [positions, uvs, indices]: number[][] = [[], [], []];
    for (const axis of axes)
      for (const side of [-1, 1]) {
        const first = positions.length / 3;
        for (const [u, v] of [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ]) {
          const corner = [0, 0, 0];
          corner[axis] = 0.2 * side;
          corner[(axis + 1) % 3] = 0.4 * u - 0.2;
          corner[(axis + 2) % 3] = 0.4 * v - 0.2;
          positions.push(...corner);
          uvs.push(u, v);
        }
        const order = side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
        indices.push(...order.map((k) => first + k));
      }
    const accessor = (type: 'SCALAR' | 'VEC2' | 'VEC3', array: Float32Array | Uint16Array) =>
      document
        .createAccessor()
        .setType(type)
        .setArray(array as Float32Array<ArrayBuffer>);
    const primitive = document
      .createPrimitive()
      .setMaterial(material)
      .setIndices(accessor('SCALAR', Uint16Array.from(indices)))
      .setAttribute('POSITION', accessor('VEC3', Float32Array.from(positions)))
      .setAttribute('TEXCOORD_0', accessor('VEC2', Float32Array.from(uvs)));
    mesh.addPrimitive(primitive);
  }
  document.createScene().addChild(document.createNode('crate').setMesh(mesh));
  for (const accessor of document.getRoot().listAccessors()) accessor.setBuffer(document.getRoot().listBuffers()[0]);
  return new WebIO().writeBinary(document);
}

/** A soft ball, and beside it a crate that is cut after a tenth of a second. */
export const SCENE = {
  title: 'Ball and "crate"',
  bodies: [
    {
      name: 'ball',
      geometry: { type: 'sphere', radius: 0.2 },
      sampling: { spacing: 0.08 },
      position: [-0.6, 0.4, 0],
    },
    {
      name: 'crate 1',
      geometry: { type: 'mesh', file: 'crate.glb' },
      sampling: { spacing: 0.1 },
      position: [0.2, 0.3, 0],
    },
  ],
  colliders: [{ type: 'plane', normal: [0, 1, 0] }],
  cuts: [{ at: 0.1, body: 'crate 1', plane: { point: [0.25, 0, 0], normal: [1, 0, 0] } }],
  frames: 30,
};

export async function load(scene: object = SCENE) {
  const files: Record<string, () => Promise<Uint8Array>> = {
    'scene.json': async () => new TextEncoder().encode(JSON.stringify(scene)),
    'crate.glb': crate,
  };
  return prepareScene(await loadScene('scene.json', (path) => files[path](), { materials: true }));
}

/** Bakes a scene into memory. */
export async function bakeTo(name: string, options: Partial<BakeOptions> = {}, scene: object = SCENE) {
  const prepared = await load(scene);
  const built = await buildWorld(prepared.scene);
  const storage = new BlobStorage();
  try {
    const result = await bake(prepared, built, { name, storage, ...options });
    const bytes = async (file: string) => new Uint8Array(await storage.files.get(file)!.arrayBuffer());
    return { result, storage, bytes };
  } finally {
    built.world.dispose();
  }
}

/** The same scene without a bake: calls `look` at every step, from step 0 on. */
export async function follow(steps: number, look: (built: BuiltScene, step: number) => void, scene: object = SCENE) {
  const { scene: description } = await load(scene);
  const built = await buildWorld(description);
  for (let step = 0; step <= steps; step++) {
    if (step > 0) {
      built.cuts.due();
      built.world.step();
    }
    for (const body of built.world.bodies) body.getSkin().update();
    look(built, step);
  }
  built.world.dispose();
}

/** Lowest and highest coordinates of points, to five decimals. */
export function boxOf(points: ArrayLike<number>): number[] {
  const low = [1e9, 1e9, 1e9];
  const high = [-1e9, -1e9, -1e9];
  for (let k = 0; k < points.length; k++) {
    low[k % 3] = Math.min(low[k % 3], points[k]);
    high[k % 3] = Math.max(high[k % 3], points[k]);
  }
  return [...low, ...high];
}
