import type { ClusterOptions } from 'pliant';
import type { Reader } from './reader.js';

const ALGORITHMS = ['fuzzy', 'kmeans', 'random'] as const;
const KERNELS = ['invsq', 'box', 'poly6', 'blend', 'fcm'] as const;

/** The clustering fields of a research scene as our options (NOTES.md, section 7). */
export function researchClustering(scene: Reader): ClusterOptions {
  const algorithm = ALGORITHMS[scene.integer('clusteringAlgorithm', 0)];
  if (!algorithm)
    scene.refuse(
      'clusteringAlgorithm',
      `is ${scene.raw('clusteringAlgorithm')}; expected 0 (fuzzy), 1 (k-means) or 2 (random)`,
    );
  const given = KERNELS[scene.integer('clusterKernel', 0)];
  if (!given)
    scene.refuse(
      'clusterKernel',
      `is ${scene.raw('clusterKernel')}; expected 0 (1/r²), 1 (constant), 2 (poly6), 3 (blend) or 4 (fcm)`,
    );
  const weight = scene.number('kernelWeight', 2);
  const count = scene.integer('nClusters', 1);
  const radius = scene.number('neighborRadius', 0.1);
  // The original's random clusters ignore the kernel: every member weighs the same.
  const kernel = algorithm === 'random' ? 'box' : given;
  return {
    algorithm,
    kernel,
    ...(kernel === 'blend' ? { beta: weight } : {}),
    ...(kernel === 'fcm' ? { m: weight } : {}),
    count,
    radius,
    // The original reads its maxima only when it has to grow, so a maximum below the start is no error there.
    ...(scene.has('nClustersMax') ? { maxCount: Math.max(count, scene.integer('nClustersMax', count)) } : {}),
    ...(scene.has('neighborRadiusMax')
      ? { maxRadius: Math.max(radius, scene.number('neighborRadiusMax', radius)) }
      : {}),
    ...(scene.has('clusterItersMax') ? { maxIterations: scene.integer('clusterItersMax', 10_000) } : {}),
    orphanWeight: scene.number('blackhole', 1),
  };
}
