import { encodeDataUri } from '@pliant/scene';
import type { SceneDocument, SceneJson } from '../sceneDocument.js';
import { selfContained } from './gltfFiles.js';
import { addressBeside } from './ownServer.js';

/** All files that a scene names as `file`: meshes, particles, clusters, maps. */
export function filesNamed(json: unknown, found = new Set<string>()): Set<string> {
  if (typeof json !== 'object' || json === null) return found;
  for (const [key, value] of Object.entries(json)) {
    if (key === 'file' && typeof value === 'string') found.add(value);
    else filesNamed(value, found);
  }
  return found;
}

/** The same scene with other names for its files. */
export function renameFiles<T>(json: T, names: ReadonlyMap<string, string>): T {
  if (Array.isArray(json)) return json.map((entry) => renameFiles(entry, names)) as T;
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).map(([key, value]) => [
    key,
    key === 'file' && typeof value === 'string' ? (names.get(value) ?? value) : renameFiles(value, names),
  ]);
  return Object.fromEntries(entries) as T;
}

export const baseName = (path: string): string => path.split(/[/\\]/).at(-1)!;

/** Fetches a file that a scene names and that did not come with it. */
export type Fetch = (name: string) => Promise<Uint8Array>;

/**
 * The scene with its files embedded: all, so that it can be read anywhere, or without `fetchFile` only those that came
 * with it.
 */
export async function portable({ json, files }: SceneDocument, fetchFile: Fetch | undefined): Promise<SceneJson> {
  const names = new Map<string, string>();
  const get: Fetch = async (name) => {
    const own = baseName(name);
    if (Object.hasOwn(files, own)) return files[own];
    if (fetchFile) return fetchFile(name);
    throw new Error(`${name} did not come with the scene.`);
  };
  for (const name of filesNamed(json)) {
    if (/^data:/i.test(name) || !(fetchFile || Object.hasOwn(files, baseName(name)))) continue;
    const bytes = await get(name);
    const whole = /\.gltf$/i.test(name) ? await selfContained(bytes, baseName(name), get) : bytes;
    names.set(name, encodeDataUri(baseName(name), whole));
  }
  return renameFiles(json, names);
}

/** Fetches from the server, relative to the scene's own address. */
export const fetchFrom =
  (path: string): Fetch =>
  async (name) => {
    const answer = await fetch(addressBeside(name, path), { mode: 'same-origin' });
    if (!answer.ok) throw new Error(`${name}, which the scene names, is not on the server.`);
    return new Uint8Array(await answer.arrayBuffer());
  };
