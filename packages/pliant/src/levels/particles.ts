import { type Clustering, type ClusterOptions, overlapParts } from '../cluster/index.js';
import { MAX_LENGTH } from '../limits.js';
import { pseudoInverseInto } from '../state/members.js';
import { Work } from '../work.js';
import { among, type Holding, SHRINK, widest } from './build.js';
import type { resolveLevels } from './options.js';

/**
 * Coarser levels as in [K20] (SPEC C5): every coarse cluster has its own particles and weights, independent of the
 * clusters below it. They serve as the reference for `sums: 'nested'`. They belong to the body, not to the state.
 * Particles are counted from the body's first.
 */
export interface ParticleLevels {
  /** Level of each coarse cluster, 1 or more, ascending. */
  level: Uint32Array;
  /** Cluster-major memberships: cluster c owns [start[c], start[c + 1]). Weights of a particle sum to 1 in every level. */
  start: Uint32Array;
  particle: Uint32Array;
  weight: Float64Array;
  /** Offset of a member from the rest centre of its cluster (m). */
  rest: Float64Array;
  /** Σ m w (kg), and A_rr⁻¹ by columns. */
  mass: Float64Array;
  inverse: Float64Array;
  /** Scratch of the step, per particle: blended displacement to the goals (m) and to the goal velocities (m/s). */
  wanted: Float64Array;
}

/**
 * Builds the levels by [K20] algorithm 1: each has an eighth of the clusters of the one below, with m times the radius,
 * made of all particles. Coarse clusters that reach across parts that the finest level does not connect are divided.
 */
export function buildParticleLevels(
  positions: Float64Array,
  masses: Float64Array,
  clustering: Clustering,
  clusterOptions: ClusterOptions,
  { radiusFactor, count }: ReturnType<typeof resolveLevels>,
  path: string,
  notes: string[],
  work = new Work(),
): ParticleLevels {
  const parts = overlapParts(masses.length, clustering).ofParticle;
  const level: number[] = [];
  const lists: Holding[] = [];
  let radius = clustering.radius > 0 ? clustering.radius : widest({ positions, masses }, clustering);
  for (let at = 1, clusters = clustering.count; at < count && clusters > 1; at++) {
    radius = Math.min(radius * radiusFactor, MAX_LENGTH);
    const wanted = Math.max(Math.floor(clusters / SHRINK), 1);
    const found = among({ positions, masses }, wanted, radius, clusterOptions, `${path} (level ${at})`, work);
    notes.push(...found.notes.map((note) => `level ${at}: ${note}`));
    radius = found.radius;
    const divided = divideByParts(found.holding, parts);
    lists.push(divided);
    for (let c = 0; c < divided.start.length - 1; c++) level.push(at);
    clusters = wanted;
  }
  return describe(positions, masses, Uint32Array.from(level), joined(lists));
}

/** Divides every cluster into one for each part of the body that it holds particles of. */
function divideByParts({ start, particle, weight }: Holding, parts: Uint32Array): Holding {
  const lists = Array.from({ length: start.length - 1 }, (_, c) => {
    const byPart = new Map<number, number[]>();
    for (let k = start[c]; k < start[c + 1]; k++) {
      const list = byPart.get(parts[particle[k]]);
      if (list) list.push(k);
      else byPart.set(parts[particle[k]], [k]);
    }
    return [...byPart.values()];
  }).flat();
  const order = Uint32Array.from(lists.flat());
  const first = new Uint32Array(lists.length + 1);
  lists.forEach((list, c) => {
    first[c + 1] = first[c] + list.length;
  });
  return { start: first, particle: order.map((k) => particle[k]), weight: Float64Array.from(order, (k) => weight[k]) };
}

/** Joins the clusters of all levels into one list. */
function joined(lists: Holding[]): Holding {
  const sum = (of: (list: Holding) => number) => lists.reduce((total, list) => total + of(list), 0);
  const all: Holding = {
    start: new Uint32Array(1 + sum((list) => list.start.length - 1)),
    particle: new Uint32Array(sum((list) => list.particle.length)),
    weight: new Float64Array(sum((list) => list.particle.length)),
  };
  let [cluster, member] = [0, 0];
  for (const { start, particle, weight } of lists) {
    all.particle.set(particle, member);
    all.weight.set(weight, member);
    for (let c = 1; c < start.length; c++) all.start[cluster + c] = member + start[c];
    cluster += start.length - 1;
    member += particle.length;
  }
  return all;
}

/** Computes masses, rest offsets and A_rr⁻¹. */
function describe(positions: Float64Array, masses: Float64Array, level: Uint32Array, lists: Holding): ParticleLevels {
  const { start, particle, weight } = lists;
  const clusters = level.length;
  const rest = new Float64Array(3 * particle.length);
  const [mass, inverse] = [new Float64Array(clusters), new Float64Array(9 * clusters)];
  const moment = new Float64Array(9);
  for (let c = 0; c < clusters; c++) {
    const centre = [0, 0, 0];
    for (let k = start[c]; k < start[c + 1]; k++) {
      const mw = masses[particle[k]] * weight[k];
      mass[c] += mw;
      for (let a = 0; a < 3; a++) centre[a] += mw * positions[3 * particle[k] + a];
    }
    moment.fill(0);
    for (let k = start[c]; k < start[c + 1]; k++) {
      const p = rest.subarray(3 * k, 3 * k + 3);
      for (let a = 0; a < 3; a++) p[a] = positions[3 * particle[k] + a] - centre[a] / mass[c];
      const mw = masses[particle[k]] * weight[k];
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) moment[3 * b + a] += mw * p[a] * p[b];
    }
    pseudoInverseInto(inverse, 9 * c, moment);
  }
  return { ...{ level, start, particle, weight, rest, mass, inverse }, wanted: new Float64Array(6 * masses.length) };
}
