import type { Clustering } from '../cluster/index.js';
import type { sample } from '../sample/index.js';
import { zOrder } from '../spatial/zOrder.js';

/**
 * Number of particles from which on their order matters: positions and velocities (48 bytes each) no longer fit into
 * the cache of a core. For a creature of 125 000, match took 30 ns a membership in the order of sampling, and 14 along
 * a curve.
 */
const MANY = 32768;

/**
 * Sorts sampled particles so that neighbours in the body are near in memory. Only sampled particles are reordered;
 * given points keep their order.
 */
export function inOrder(sampled: ReturnType<typeof sample>): ReturnType<typeof sample> {
  if (sampled.positions.length < 3 * MANY) return sampled;
  const positions = new Float64Array(sampled.positions.length);
  const order = zOrder(sampled.positions);
  order.forEach((i, n) => {
    for (let a = 0; a < 3; a++) positions[3 * n + a] = sampled.positions[3 * i + a];
  });
  const { shares } = sampled;
  return { ...sampled, positions, ...(shares && { shares: Float64Array.from(order, (i) => shares[i]) }) };
}

/**
 * Number of particles from which on the order of clusters matters: a step then may be run by several threads, each with its share of the clusters and of the
 * particles. In the order of clustering half the members of a cluster were last moved by another thread, and come from the cache of another core
 * (docs/design/threads.md).
 */
const SOME = 8192;

/** The same for clusters, which are processed one after the other. */
export function clustersInOrder(clustering: Clustering, particles: number): Clustering {
  if (particles < SOME) return clustering;
  const order = particles < MANY ? alongParticles(clustering) : zOrder(clustering.centre);
  const start = new Uint32Array(clustering.start.length);
  const [particle, weight] = [clustering.particle.slice(), clustering.weight.slice()];
  const centre = new Float64Array(clustering.centre.length);
  order.forEach((c, n) => {
    const [first, last] = [clustering.start[c], clustering.start[c + 1]];
    start[n + 1] = start[n] + last - first;
    particle.set(clustering.particle.subarray(first, last), start[n]);
    weight.set(clustering.weight.subarray(first, last), start[n]);
    centre.set(clustering.centre.subarray(3 * c, 3 * c + 3), 3 * n);
  });
  return { ...clustering, start, particle, weight, centre };
}

/** Clusters by the mean number of their members. */
function alongParticles({ start, particle, count }: Clustering): Uint32Array {
  const mean = new Float64Array(count);
  for (let c = 0; c < count; c++) {
    for (let k = start[c]; k < start[c + 1]; k++) mean[c] += particle[k];
    mean[c] /= start[c + 1] - start[c];
  }
  return Uint32Array.from(mean.keys()).sort((c, d) => mean[c] - mean[d] || c - d);
}
