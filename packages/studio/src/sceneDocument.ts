import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
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
  return { name, path, json: parseScene(await answer.text(), name), files: {} };
}

/** Accepts comments and trailing commas. Refuses anything but an object with bodies. */
export function parseScene(text: string, file: string): SceneJson {
  const errors: ParseError[] = [];
  let json: SceneJson;
  try {
    json = parse(text, errors, { allowTrailingComma: true });
  } catch {
    // Its only exception is a stack overflow.
    throw new Error(`${file} is not a scene: its brackets are nested too deeply.`);
  }
  if (errors.length > 0) {
    const line = text.slice(0, errors[0].offset).split('\n').length;
    throw new Error(`${file} is not a scene: line ${line}, ${printParseErrorCode(errors[0].error)}.`);
  }
  if (typeof json === 'object' && json !== null && ('particleFiles' in json || 'movingParticleFiles' in json))
    throw new Error(
      `${file} is a scene of the papers’ authors: its particles are in other files, which the page cannot look for. The command line runs it: npx pliant run ${file}`,
    );
  if (typeof json !== 'object' || json === null || !Array.isArray(json.bodies))
    throw new Error(`${file} is not a scene: it has no list of bodies.`);
  return json;
}

export const sourceOf = ({ path, json, files }: SceneDocument): SceneSource => ({
  path,
  text: JSON.stringify(json),
  files,
});
