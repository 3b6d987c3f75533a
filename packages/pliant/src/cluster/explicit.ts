import { checkInteger, checkNumber, PliantError } from '../check.js';
import type { Clustering } from './cluster.js';
import { CLUSTER_DEFAULTS } from './options.js';

/** One cluster, given member by member. */
export interface ExplicitCluster {
  /** Numbers of its particles, each once. */
  members: ArrayLike<number>;
  /**
   * Weight of each member, above 0; the weights of a particle must sum to 1. Give them in all clusters or in none. Default: a particle is shared
   * equally by its clusters.
   */
  weights?: ArrayLike<number>;
}

/**
 * A particle's sum of weights may differ from 1 by this much: that is rounding of the file and is corrected silently.
 */
const SUM_TOLERANCE = 1e-3;

/**
 * Makes a Clustering of clusters that are given member by member. Throws a PliantError if a number is out of range, a
 * member occurs twice, a weight is not above 0, the weights of a particle do not sum to 1, a cluster is empty, or a
 * particle is in no cluster. `path` is the name that messages begin with. `warn` is called with sentences about input
 * that is allowed but doubtful.
 *
 * `centre` and `radius` of the result are 0: positions are not known here.
 */
export function explicitClusters(
  particleCount: number,
  clusters: readonly ExplicitCluster[],
  path = 'clusters',
  warn: (line: string) => void = () => {},
): Clustering {
  checkInteger('particleCount', particleCount, { min: 1 });
  if (!Array.isArray(clusters) || clusters.length === 0)
    throw new PliantError(path, `${path} is empty; expected at least one cluster.`);
  const start = new Uint32Array(clusters.length + 1);
  clusters.forEach((given, c) => {
    start[c + 1] = start[c] + checkShape(given, `${path}[${c}]`);
  });
  const particle = new Uint32Array(start[clusters.length]);
  const weight = new Float64Array(start[clusters.length]);
  const owners = new Uint32Array(particleCount);
  const seenIn = new Int32Array(particleCount).fill(-1);
  clusters.forEach(({ members, weights }, c) => {
    const name = `${path}[${c}]`;
    for (let k = 0; k < members.length; k++) {
      const i = checkInteger(`${name}.members[${k}]`, members[k], { min: 0, max: particleCount - 1 });
      if (seenIn[i] === c)
        throw new PliantError(`${name}.members[${k}]`, `${name}.members[${k}] is ${i}, which is a member twice.`);
      seenIn[i] = c;
      owners[i]++;
      if (weights) checkNumber(`${name}.weights[${k}]`, weights[k], { above: 0 });
    }
    const ascending = Uint32Array.from({ length: members.length }, (_, k) => k);
    ascending.sort((a, b) => members[a] - members[b]);
    ascending.forEach((k, at) => {
      particle[start[c] + at] = members[k];
      weight[start[c] + at] = weights ? weights[k] : 0;
    });
    if (members.length < 4)
      warn(`${name} has ${members.length} members; fewer than 4 cannot tell how they are turned and stretched.`);
  });
  const uncovered = owners.indexOf(0);
  if (uncovered >= 0)
    throw new PliantError(path, `${path} hold no particle ${uncovered}; expected every particle in a cluster.`);
  normalise(particle, weight, owners, clusters[0].weights === undefined, path);
  return {
    ...{ start, particle, weight, centre: new Float64Array(3 * clusters.length), radius: 0, count: clusters.length },
    epsilon: CLUSTER_DEFAULTS.epsilon,
    report: {
      ...{ algorithm: 'explicit', kernel: 'explicit', attempts: 0, iterations: 0, reseated: 0, converged: true },
      ...{ cycle: 0, slack: 0, orphans: 0, radiusGrown: false, countGrown: false, evaluations: 0, notes: [] },
    },
  };

  function checkShape({ members, weights }: ExplicitCluster, name: string): number {
    if (members === undefined || typeof members !== 'object' || members === null || !(members.length > 0))
      throw new PliantError(`${name}.members`, `${name}.members is empty; expected at least one particle index.`);
    if ((weights === undefined) !== (clusters[0].weights === undefined))
      throw new PliantError(
        `${name}.weights`,
        `${name}.weights is ${weights === undefined ? 'left out' : 'given'}; expected weights in all clusters or in none.`,
      );
    if (weights !== undefined && weights.length !== members.length)
      throw new PliantError(
        `${name}.weights`,
        `${name}.weights has ${weights.length} numbers; expected ${members.length}, one for each member.`,
      );
    return members.length;
  }
}

/**
 * Equal weights 1/n (the box kernel, [J15] eq. 8), or the given ones scaled so that each particle's sum is exactly 1.
 */
function normalise(
  particle: Uint32Array,
  weight: Float64Array,
  owners: Uint32Array,
  equal: boolean,
  path: string,
): void {
  if (equal) {
    for (let k = 0; k < particle.length; k++) weight[k] = 1 / owners[particle[k]];
    return;
  }
  const sums = new Float64Array(owners.length);
  for (let k = 0; k < particle.length; k++) sums[particle[k]] += weight[k];
  for (let i = 0; i < sums.length; i++)
    if (!(Math.abs(sums[i] - 1) <= SUM_TOLERANCE))
      throw new PliantError(
        path,
        `${path} give particle ${i} weights that sum to ${sums[i]}; expected a sum of 1 (within ${SUM_TOLERANCE}).`,
      );
  for (let k = 0; k < particle.length; k++) weight[k] /= sums[particle[k]];
}
