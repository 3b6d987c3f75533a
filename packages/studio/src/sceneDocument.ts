import type { SceneSource } from './protocol.js';

/** A scene file in the page: it is edited, saved, shared and sent to the worker. */
export interface SceneDocument {
  /** The scene of the gallery that it is or came from, if any. */
  name: string | undefined;
  /** Address that relative paths in it are resolved against. */
  path: string;
  /** The file's content, parsed. Never changed in place: edits make a new one. */
  json: SceneJson;
  /** Meshes that came with it, by file name. */
  files: Record<string, Uint8Array>;
}

export interface SceneJson {
  title?: string;
  description?: string;
  bodies: Record<string, unknown>[];
  materials?: Record<string, Record<string, unknown>>;
  /** Named variants: the same scene with other settings. */
  variants?: Record<string, { description?: string; set: Record<string, unknown> }>;
  [key: string]: unknown;
}

/** Address of a scene file of this name: beside those of the gallery and their meshes. */
export const addressOf = (file: string): string =>
  decodeURI(new URL(`scenes/${encodeURIComponent(file)}`, document.baseURI).href);

/** Reads a scene of the gallery from the server. */
export async function fetchDocument(name: string): Promise<SceneDocument> {
  const path = addressOf(`${name}.json`);
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`There is no scene "${name}" in the gallery.`);
  const text = await answer.text();
  const json = plainScene(text) ?? (await import('./parseScene.js')).parseScene(text, name);
  return { name, path, json, files: {} };
}

/** The scene of a plain JSON file; undefined if it is anything else. The parser that accepts comments is loaded when one is opened that needs it. */
function plainScene(text: string): SceneJson | undefined {
  try {
    const json = JSON.parse(text);
    return Array.isArray(json?.bodies) ? json : undefined;
  } catch {
    return undefined;
  }
}

export const sourceOf = ({ path, json, files }: SceneDocument): SceneSource => ({
  path,
  text: JSON.stringify(json),
  files,
});
