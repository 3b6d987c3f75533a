import type { App } from '../app.js';
import { sourceOf } from '../sceneDocument.js';
import type { BakeReport, BakeRequest } from './bakeWorker.js';
import { download, fileNameOf } from './download.js';

const TYPES = { glb: 'model/gltf-binary', usdz: 'model/vnd.usdz+zip' };

/** Runs the scene from its start in a worker of its own, and offers it as an animation. `tell` gets the share that is done. */
export async function bakeMotion(app: App, format: keyof typeof TYPES, tell: (share: number) => void): Promise<void> {
  if (!app.document) throw new Error('No scene is open.');
  const name = `${fileNameOf(app.simulation.scene?.title ?? 'scene')}.${format}`;
  const worker = new Worker(new URL('./bakeWorker.ts', import.meta.url), { type: 'module' });
  try {
    const { file, warnings } = await new Promise<Extract<BakeReport, { type: 'done' }>>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<BakeReport>) => {
        if (data.type === 'progress') tell(data.share);
        else if (data.type === 'done') resolve(data);
        else reject(new Error(data.message));
      };
      worker.onerror = () => reject(new Error('The animation could not be written.'));
      const request: BakeRequest = { scene: sourceOf(app.document!), name };
      worker.postMessage(request);
    });
    download(name, file, TYPES[format]);
    if (warnings.length > 0) app.say(warnings.join(' '));
  } finally {
    worker.terminate();
  }
}
