import { MOST_GROWTHS } from '../limits.js';
import { squared } from '../math/elementary.js';
import { ball, buildGrid, type NeighbourList, newNeighbourList, spacingOf } from '../spatial/grid.js';

/** Which clusters carry each vertex, and with what share. Shares of a vertex sum to 1. */
export interface Blend {
  /** First entry of each vertex; vertices + 1 offsets. */
  start: Uint32Array;
  /** Cluster within the body, ascending within a vertex. */
  cluster: Uint32Array;
  share: Float64Array;
}

/** Memberships of a body, cluster-major, clusters and particles counted from the body's first. */
export interface Memberships {
  start: Uint32Array;
  particle: Uint32Array;
  weight: Float64Array;
}

/**
 * Number of particles from which a vertex takes its clusters: about the first shell of neighbours of a point on the
 * surface of a close packing. With fewer the blend follows single particles; with more it is blurred over clusters that
 * end before the vertex.
 */
const NEIGHBOURS = 12;
/**
 * Greatest number of particles around a vertex. Within the kernel's reach there are some 12 · 1.2³ = 21, and up to 40
 * on lattices with many at one distance. There are more only where particles coincide; the farthest are then left out.
 */
const MOST = 64;
/** Reach of the kernel over the distance of the last of them, so that no vertex has weights that all vanish. */
const KERNEL_REACH = 1.2;

/**
 * The particles that carry each vertex, whatever clusters they are in: the nearest first, with the value of the kernel.
 */
export interface Near {
  /** First entry of each vertex; vertices + 1 offsets. */
  start: Uint32Array;
  particle: Uint32Array;
  /** f32 suffices: the averages end as f32, and the lists are copied in every cut. */
  kernel: Float32Array;
}

/**
 * Finds the particles around each vertex, with the kernel (1 − d²/r²)². The radius r = 1.2 d₁₂ depends on the distance
 * to the twelfth neighbour, which is continuous in the vertex, and the kernel vanishes at r. So averages by this kernel
 * are continuous in the vertex.
 */
export function findNear(vertices: Float64Array, particles: Float64Array): Near {
  const grid = buildGrid(particles, 2 * spacingOf(particles));
  const near = newNeighbourList(64);
  const vertexCount = vertices.length / 3;
  const start = new Uint32Array(vertexCount + 1);
  const particle: number[] = [];
  const kernel: number[] = [];
  const wanted = Math.min(NEIGHBOURS, grid.count);
  for (let v = 0; v < vertexCount; v++) {
    const x = vertices[3 * v];
    const y = vertices[3 * v + 1];
    const z = vertices[3 * v + 2];
    let radius = grid.size;
    let count = 0;
    for (let round = 0; round < MOST_GROWTHS && count < wanted; round++, radius *= 1.5)
      count = ball(grid, x, y, z, radius, near, 0);
    const farthest2 = near.distance2.slice(0, count).sort()[wanted - 1];
    // All twelve are at the vertex itself (coincident particles): they get equal weights.
    const r2 = farthest2 > 0 ? KERNEL_REACH * KERNEL_REACH * farthest2 : Number.POSITIVE_INFINITY;
    if (r2 < Number.POSITIVE_INFINITY) count = ball(grid, x, y, z, Math.sqrt(r2), near, 0);
    if (count > MOST) count = keepNearest(near, count);
    putNearestFirst(near, count);
    for (let n = 0; n < count; n++) {
      particle.push(grid.order[near.index[n]]);
      kernel.push(squared(Math.max(0, 1 - near.distance2[n] / r2)));
    }
    start[v + 1] = particle.length;
  }
  return { start, particle: Uint32Array.from(particle), kernel: Float32Array.from(kernel) };
}

/** Keeps the MOST nearest particles, of equals the first ones; returns their number. */
function keepNearest({ index, distance2 }: NeighbourList, count: number): number {
  const nearest = Array.from({ length: count }, (_, n) => n).sort((a, b) => distance2[a] - distance2[b] || a - b);
  const stay = nearest.slice(0, MOST).sort((a, b) => a - b);
  stay.forEach((from, n) => {
    index[n] = index[from];
    distance2[n] = distance2[from];
  });
  return MOST;
}

/** Removes repetitions: each vertex keeps the first entry of each of `count` particles. */
export function onceEach({ start, particle, kernel }: Near, count: number): Near {
  const lastSeen = new Int32Array(count).fill(-1);
  const once: Near = { start: new Uint32Array(start.length), particle: particle.slice(), kernel: kernel.slice() };
  let end = 0;
  for (let v = 0; v + 1 < start.length; v++) {
    for (let n = start[v]; n < start[v + 1]; n++) {
      if (lastSeen[particle[n]] === v) continue;
      lastSeen[particle[n]] = v;
      once.particle[end] = particle[n];
      once.kernel[end++] = kernel[n];
    }
    once.start[v + 1] = end;
  }
  return end === particle.length
    ? once
    : { start: once.start, particle: once.particle.slice(0, end), kernel: once.kernel.slice(0, end) };
}

function putNearestFirst({ index, distance2 }: NeighbourList, count: number): void {
  let best = 0;
  for (let n = 1; n < count; n++) if (distance2[n] < distance2[best]) best = n;
  [index[0], index[best]] = [index[best], index[0]];
  [distance2[0], distance2[best]] = [distance2[best], distance2[0]];
}

/**
 * Shares of the clusters in each vertex: the weights w_ic of the particles around it, averaged by the kernel. They are
 * a partition of unity, because the weights of a particle sum to 1, and as smooth as the weights of the clustering.
 */
export function blendClusters(vertices: Float64Array, particles: Float64Array, members: Memberships): Blend {
  const clustersOf = transpose(members, particles.length / 3);
  const clusterCount = members.start.length - 1;
  const near = findNear(vertices, particles);
  const vertexCount = vertices.length / 3;
  const start = new Uint32Array(vertexCount + 1);
  const cluster: number[] = [];
  const share: number[] = [];
  const sum = new Float64Array(clusterCount);
  for (let v = 0; v < vertexCount; v++) {
    const touched: number[] = [];
    let total = 0;
    for (let n = near.start[v]; n < near.start[v + 1]; n++) {
      const i = near.particle[n];
      for (let k = clustersOf.start[i]; k < clustersOf.start[i + 1]; k++) {
        const c = clustersOf.cluster[k];
        const part = near.kernel[n] * clustersOf.weight[k];
        if (!(part > 0)) continue;
        if (sum[c] === 0) touched.push(c);
        sum[c] += part;
        total += part;
      }
    }
    touched.sort((a, b) => a - b);
    for (const c of touched) {
      cluster.push(c);
      share.push(sum[c] / total);
      sum[c] = 0;
    }
    start[v + 1] = cluster.length;
  }
  return { start, cluster: Uint32Array.from(cluster), share: Float64Array.from(share) };
}

/** Memberships sorted by particle. */
export function transpose(
  { start, particle, weight }: { [key in keyof Memberships]: ArrayLike<number> },
  particles: number,
): { start: Uint32Array; cluster: Uint32Array; weight: Float64Array } {
  const offsets = new Uint32Array(particles + 1);
  for (let k = 0; k < particle.length; k++) offsets[particle[k] + 1]++;
  for (let i = 0; i < particles; i++) offsets[i + 1] += offsets[i];
  const next = offsets.slice();
  const cluster = new Uint32Array(particle.length);
  const by = new Float64Array(particle.length);
  for (let c = 0; c + 1 < start.length; c++)
    for (let k = start[c]; k < start[c + 1]; k++) {
      const at = next[particle[k]]++;
      cluster[at] = c;
      by[at] = weight[k];
    }
  return { start: offsets, cluster, weight: by };
}
