import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuiltScene, buildWorld, loadScene, parseClusterFile } from '@pliant/scene';
import type { Backend } from 'pliant';

/** The authors' scenes and what their program did with them; beside the project where it exists, never part of it. */
export const REFERENCE = fileURLToPath(new URL('../../shared/reference/', import.meta.url));
export const hasReference = existsSync(`${REFERENCE}results`);

export interface ReferenceFrame {
  frame: number;
  particles: number;
  mass: number;
  com: number[];
  bboxMin: number[];
  bboxMax: number[];
  rms: number;
  probe: [number, number[]][];
}

export interface ReferenceResult {
  scene: string;
  file: string;
  particles: number;
  clusters: number;
  memberships: number;
  clusteringRetries: number;
  neighborRadiusFinal: number;
  phases: Record<string, number>;
  loadSeconds: number;
  frames: ReferenceFrame[];
}

export function referenceResult(name: string): ReferenceResult {
  return JSON.parse(readFileSync(`${REFERENCE}results/${name}.json`, 'utf8'));
}

/** Every result that ran to its end, by name. */
export function referenceNames(): string[] {
  return readdirSync(`${REFERENCE}results`)
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => name !== 'CALIBRATION' && referenceResult(name).frames !== undefined);
}

const read = async (path: string) => new Uint8Array(await readFile(path));

/**
 * A reference scene as a world, with the reference's clusters or with our own. Without contact between clusters unless asked for: what
 * is compared is the matching, up to where contact acts in the reference.
 */
export async function referenceWorld(
  name: string,
  given: 'reference clusters' | 'own clusters',
  backend: Backend = 'wasm',
  contact: 'none' | undefined = 'none',
): Promise<BuiltScene> {
  const scene = await loadScene(`${REFERENCE}scenes/${referenceResult(name).file}`, read);
  const file = `${REFERENCE}clusters/${name}.json`;
  const clusters =
    given === 'own clusters' ? undefined : { list: await parseClusterFile(await read(file), file), file };
  return buildWorld(scene, { backend, clusters, contact, threads: 1 });
}
