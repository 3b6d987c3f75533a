import type { App } from '../app.js';
import { parseScene } from '../parseScene.js';
import { addressOf, fetchDocument, type SceneDocument } from '../sceneDocument.js';
import { portable } from './files.js';
import { LONGEST_LINK, readAddress, writeAddress } from './link.js';

/**
 * An address that opens the scene: by its name if it is an unchanged scene of the gallery, otherwise with its content.
 */
export async function linkTo(document: SceneDocument): Promise<string> {
  const { name } = document;
  const page = location.href;
  if (name !== undefined && (await isUnchanged(document))) return writeAddress({ name, text: undefined }, page);
  // Files on the page's server are not embedded.
  const json = await portable(document, undefined);
  const link = await writeAddress({ name, text: JSON.stringify(json) }, page);
  if (link.length > LONGEST_LINK)
    throw new Error(
      `The scene would make a link of ${Math.round(link.length / 1000)} 000 letters, which few programs pass on: save the scene file and send that.`,
    );
  return link;
}

async function isUnchanged({ name, json, files }: SceneDocument): Promise<boolean> {
  if (Object.keys(files).length > 0) return false;
  try {
    return JSON.stringify((await fetchDocument(name!)).json) === JSON.stringify(json);
  } catch {
    return false;
  }
}

/** Opens the scene of the page's address. */
export async function openLink(app: App, running = true): Promise<void> {
  try {
    const { name, text } = await readAddress(location.href);
    const json = parseScene(text!, 'What is in the link');
    app.open({ name, path: addressOf(`${name ?? 'shared'}.json`), json, files: {} }, running);
  } catch (error) {
    app.say((error as Error).message, 'problem');
  }
}
