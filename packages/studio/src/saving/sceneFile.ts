import type { App } from '../app.js';
import { parseScene } from '../parseScene.js';
import { addressOf, type SceneDocument } from '../sceneDocument.js';
import { fetchFrom, portable } from './files.js';
import { formatJson } from './format.js';

/** The scene as a file that can be read anywhere, with all its files embedded. */
export async function writeSceneFile(document: SceneDocument): Promise<string> {
  const { $schema: _, ...json } = await portable(document, fetchFrom(document.path));
  return `${formatJson({ $schema: addressOf('scene.schema.json'), ...json })}\n`;
}

/** Opens a scene file; `files` are those that came with it. */
export function openSceneFile(app: App, name: string, text: string, files: Record<string, Uint8Array>): void {
  app.open({ name: undefined, path: addressOf(name), json: parseScene(text, name), files });
}
