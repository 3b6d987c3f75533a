import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ClusterOptions } from '../options.js';

/** The authors' scenes and results lie beside the repository; they are no part of it. */
const FOLDER = fileURLToPath(new URL('../../../../../../shared/reference/', import.meta.url));

export const hasReference = existsSync(`${FOLDER}results`);

export interface ReferenceResult {
  name: string;
  /** Scene file, relative to the folder of scenes. */
  file: string;
  nClustersFinal: number;
  neighborRadiusFinal: number;
  clusteringRetries: number;
  memberships: number;
  loadSeconds: number;
  crash: string | null;
}

interface Scene {
  particleFiles?: string[];
  movingParticleFiles?: { filename: string; offset?: number[]; scale?: number }[];
  [path: string]: unknown;
}

/** All results of runs in which the authors' program finished its clustering. */
export function referenceResults(): ReferenceResult[] {
  if (!hasReference) return [];
  return readdirSync(`${FOLDER}results`)
    .filter((file) => file.endsWith('.json') && file !== 'CALIBRATION.json')
    .map((file) => ({ ...JSON.parse(readFileSync(`${FOLDER}results/${file}`, 'utf8')), name: file.slice(0, -5) }))
    .filter((result: ReferenceResult) => !result.crash);
}

export function readScene(file: string): Scene {
  const text = readFileSync(`${FOLDER}scenes/${file}`, 'utf8');
  return JSON.parse(withoutComments(text));
}

/** Removes comments of both kinds, but not inside strings. */
const withoutComments = (text: string): string =>
  text.replace(/("(?:\\.|[^"\\])*")|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (_, string) => string ?? '');

/** The bodies of a scene, one per particle file, in the program's order. */
export function sceneBodies(scene: Scene): Float64Array[] {
  const still = (scene.particleFiles ?? []).map(readParticles);
  const moving = (scene.movingParticleFiles ?? []).map(({ filename, offset = [0, 0, 0], scale = 1 }) =>
    readParticles(filename).map((v, k) => v * scale + offset[k % 3]),
  );
  return [...still, ...moving];
}

/** Triples of numbers up to the end or the first word that is no number. */
function readParticles(file: string): Float64Array {
  const words = readFileSync(`${FOLDER}scenes/${file}`, 'utf8').trim().split(/\s+/);
  const end = words.findIndex((word) => !Number.isFinite(Number(word)));
  const numbers = words.slice(0, end < 0 ? words.length : end).map(Number);
  return Float64Array.from(numbers.slice(0, numbers.length - (numbers.length % 3)));
}

const KERNELS = ['invsq', 'box', 'poly6', 'blend', 'fcm'] as const;
const ALGORITHMS = ['fuzzy', 'kmeans', 'random'] as const;

/** The scene's clustering fields (NOTES, "Scene file fields") as our options. */
export function sceneOptions(scene: Scene): ClusterOptions {
  const number = (path: string) => scene[path] as number | undefined;
  return {
    algorithm: ALGORITHMS[number('clusteringAlgorithm') ?? 0],
    kernel: KERNELS[number('clusterKernel') ?? 0],
    beta: number('kernelWeight') ?? 2,
    count: number('nClusters') ?? 1,
    radius: number('neighborRadius') ?? 0.1,
    maxCount: number('nClustersMax'),
    maxRadius: number('neighborRadiusMax'),
    maxIterations: number('clusterItersMax'),
    orphanWeight: number('blackhole'),
  };
}
