import type { App } from '../app.js';
import type { ExportedBody } from '../protocol.js';
import { download, fileNameOf } from './download.js';
import { writeSceneFile } from './sceneFile.js';

const titleOf = (app: App): string => fileNameOf(app.simulation.scene?.title ?? 'scene');

export async function saveScene(app: App): Promise<void> {
  if (!app.document) throw new Error('No scene is open.');
  download(`${titleOf(app)}.json`, await writeSceneFile(app.document), 'application/json');
}

/** The present shapes of the bodies. */
async function shapes(app: App): Promise<ExportedBody[]> {
  if (!app.simulation.latest) throw new Error('There is no body yet.');
  const { bodies } = await app.simulation.ask<'exported'>((id) => ({ type: 'export', id }));
  return bodies;
}

export async function exportGlb(app: App): Promise<void> {
  const [bodies, { writeGlb }] = await Promise.all([shapes(app), import('./glb.js')]);
  download(
    `${titleOf(app)}.glb`,
    (await writeGlb(bodies, app.simulation.scene?.materials)) as Uint8Array<ArrayBuffer>,
    'model/gltf-binary',
  );
}

export async function exportPly(app: App, what: 'surface' | 'particles'): Promise<void> {
  const [bodies, { writeSurfaces, writeParticles }] = await Promise.all([shapes(app), import('./ply.js')]);
  const bytes = what === 'surface' ? writeSurfaces(bodies) : writeParticles(bodies);
  const name = what === 'surface' ? titleOf(app) : `${titleOf(app)}-particles`;
  download(`${name}.ply`, bytes as Uint8Array<ArrayBuffer>, 'application/octet-stream');
}

export async function savePicture(app: App): Promise<void> {
  if (!app.graphics) throw new Error('Nothing is drawn yet.');
  download(`${titleOf(app)}.png`, await app.graphics.stage.picture('image/png'), 'image/png');
}
