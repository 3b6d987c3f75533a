// A project that uses the published types of `@pliant/scene` and `@pliant/bake`, compiled as consumer.ts is.
import { type BakeResult, BlobStorage, bake, prepareScene } from '@pliant/bake';
import { buildWorld, loadScene, type Read, type SceneFile } from '@pliant/scene';

export const scene: SceneFile = {
  bodies: [{ geometry: { type: 'box', size: [1, 1, 1] }, sampling: { count: 200 } }],
};

export async function film(read: Read): Promise<BakeResult> {
  const prepared = prepareScene(await loadScene('scene.json', read, { materials: true }));
  const built = await buildWorld(prepared.scene);
  return bake(prepared, built, { name: 'scene.glb', storage: new BlobStorage(), fps: 30 });
}
