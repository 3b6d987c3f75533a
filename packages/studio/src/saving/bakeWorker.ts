/// <reference lib="webworker" />
import { BlobStorage, bake, prepareScene } from '@pliant/bake';
import { buildWorld, loadScene } from '@pliant/scene';
import type { SceneSource } from '../protocol.js';
import { readerOf } from '../worker/session.js';

/** Runs a scene from its start and writes it as one file, apart from the world that is shown. */
export interface BakeRequest {
  scene: SceneSource;
  /** Name of the file, with its ending. */
  name: string;
}

export type BakeReport =
  | { type: 'progress'; share: number }
  | { type: 'done'; file: Blob; warnings: string[] }
  | { type: 'problem'; message: string };

const post = (report: BakeReport) => (self as unknown as Worker).postMessage(report);

self.onmessage = async ({ data: { scene, name } }: MessageEvent<BakeRequest>) => {
  try {
    const read = readerOf(scene);
    const prepared = prepareScene(await loadScene(scene.path, read, { allowOutside: true, materials: true }));
    const built = await buildWorld(prepared.scene);
    const storage = new BlobStorage();
    const { warnings } = await bake(prepared, built, {
      name,
      storage,
      onProgress: (done, frames) => post({ type: 'progress', share: done / Math.max(1, frames) }),
    });
    built.world.dispose();
    post({ type: 'done', file: storage.files.get(name)!, warnings });
  } catch (error) {
    post({ type: 'problem', message: (error as Error).message });
  }
};
