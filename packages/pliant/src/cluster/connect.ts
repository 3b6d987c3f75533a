import { checkPoints, PliantError } from '../check.js';
import { checkPlaces } from '../limits.js';
import { ball, buildGrid, newNeighbourList, type PointGrid, spacingOf } from '../spatial/grid.js';

/** A partition of the particles into connected parts, numbered from 0 in the order of their first particle. */
export interface Parts {
  /** Number of parts. */
  count: number;
  /** Number of the part that each particle is in. */
  ofParticle: Uint32Array;
}

/** Whether the clusters of a body connect what its sampling connects. `connectedComponents` returns it. */
export interface Connection {
  /** Parts of the body by the distances between its particles. */
  sampling: Parts;
  /** Parts of the body by clusters that share a particle: these stay together in the simulation. */
  overlap: Parts;
  /** Two particles that the sampling connects and the clusters do not; null if there are none. */
  split: [number, number] | null;
}

/**
 * Particles are neighbours within LINK × the spacing. On a grid of spacing s the diagonal of a cell (√3 s = 1.73 s) is
 * a link and a missing layer (2 s) is a gap. A blue-noise sampling with least distance r leaves no hole that a ball of
 * radius r fits into, so neighbours are at most 2 r apart. Its median nearest-neighbour distance is above 1.05 r
 * (Bridson's algorithm), and 1.9 × that is 2 r.
 */
const LINK = 1.9;

/** Side of a cell in spacings, for a body that fills its box. Most bodies fill less, and their particles are nearer. */
const CELL = 0.7;

/**
 * Compares how the particles of a body are connected by distance and by clusters. If `split` is not null, the body would fall apart where its
 * particles are close together.
 */
export function connectedComponents(
  positions: ArrayLike<number>,
  clusters: { start: Uint32Array; particle: Uint32Array },
): Connection {
  checkPoints('positions', positions);
  checkPlaces('positions', positions);
  return compareParts(samplingParts(positions), overlapParts(positions.length / 3, clusters));
}

export function compareParts(sampling: Parts, overlap: Parts): Connection {
  const first = new Int32Array(sampling.count).fill(-1);
  for (let i = 0; i < sampling.ofParticle.length; i++) {
    const part = sampling.ofParticle[i];
    if (first[part] < 0) first[part] = i;
    else if (overlap.ofParticle[first[part]] !== overlap.ofParticle[i])
      return { sampling, overlap, split: [first[part], i] };
  }
  return { sampling, overlap, split: null };
}

/** The parts of a body by its clusters: clusters that share a particle are in the same part. A particle in no cluster is a part of its own. */
export function overlapParts(count: number, clusters: { start: Uint32Array; particle: Uint32Array }): Parts {
  const { start, particle } = clusters ?? {};
  if (!(start?.length >= 1) || !(particle?.length >= start[start.length - 1]))
    throw new PliantError('clusters', 'clusters has no lists `start` and `particle` that fit; expected a clustering.');
  const parent = Uint32Array.from({ length: count }, (_, i) => i);
  for (let c = 0; c < start.length - 1; c++)
    for (let k = start[c] + 1; k < start[c + 1]; k++) join(parent, particle[start[c]], particle[k]);
  return numberParts(parent);
}

/**
 * The parts of a body by the distances between its particles (x, y, z each, m). Two particles are linked within 1.9
 * times the larger of two lengths: the median spacing of the body, and the smaller spacing of the two. The spacing of a
 * particle is the distance to its nearest neighbour at another place. So a coarse region of a graded sampling stays
 * connected, and a lone particle is not linked to a body far away.
 */
export function samplingParts(positions: ArrayLike<number>): Parts {
  const grid = buildGrid(positions, CELL * spacingOf(positions));
  const { count, x, y, z, order } = grid;
  const spacing = nearestDistances(grid);
  const real = spacing.filter((s) => s < Infinity).sort();
  const median = real.length > 0 ? real[Math.floor(real.length / 2)] : 0;
  const parent = Uint32Array.from({ length: count }, (_, i) => i);
  const near = newNeighbourList(64);
  for (let i = 0; i < count; i++) {
    const own = Math.max(median, Math.min(spacing[i], grid.size * Math.max(...grid.cells)));
    const end = ball(grid, x[i], y[i], z[i], LINK * own, near, 0);
    for (let k = 0; k < end; k++) {
      const j = near.index[k];
      const link = LINK * Math.max(median, Math.min(spacing[i], spacing[j]));
      if (near.distance2[k] <= link * link) join(parent, order[i], order[j]);
    }
  }
  return numberParts(parent);
}

/** Distance of every point (in the grid's order) to the nearest other place; Infinity when all points coincide. */
function nearestDistances(grid: PointGrid): Float64Array {
  const { count, x, y, z } = grid;
  const near = newNeighbourList(64);
  const distance = new Float64Array(count);
  const extent = 2 * grid.size * Math.max(...grid.cells);
  for (let i = 0; i < count; i++) {
    let least = Infinity;
    // Balls of doubling radius until one holds another place, or the whole body.
    for (let radius = grid.size / CELL; least === Infinity && radius < 4 * extent; radius *= 2) {
      const end = ball(grid, x[i], y[i], z[i], radius, near, 0);
      for (let k = 0; k < end; k++) {
        const d2 = near.distance2[k];
        if (d2 > 0 && d2 < least) least = d2;
      }
    }
    distance[i] = Math.sqrt(least);
  }
  return distance;
}

function root(parent: Uint32Array, i: number): number {
  while (parent[i] !== i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/** The smaller index becomes the root, so that a part has the number of its first particle. */
function join(parent: Uint32Array, a: number, b: number): void {
  const ra = root(parent, a);
  const rb = root(parent, b);
  if (ra < rb) parent[rb] = ra;
  else parent[ra] = rb;
}

function numberParts(parent: Uint32Array): Parts {
  const ofParticle = new Uint32Array(parent.length);
  let count = 0;
  for (let i = 0; i < parent.length; i++) ofParticle[i] = parent[i] === i ? count++ : ofParticle[root(parent, i)];
  return { count, ofParticle };
}
