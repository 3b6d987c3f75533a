import { type ExplicitCluster, PliantError } from 'pliant';
import { readJson } from './readJson.js';

/**
 * Reads clusters from a separate file: `{ "clusters": [{ "members": [0, 1, …], "weights": [0.5, …] }, …] }`, or the
 * list alone. Members are particle numbers counted over all bodies of the scene. The weights of a particle sum to 1,
 * and may be left out in all clusters. Other keys (com, radius, planes of the research code's dumps) are ignored.
 */
export async function parseClusterFile(bytes: Uint8Array, file: string): Promise<ExplicitCluster[]> {
  const data = (await readJson(bytes, file)) as { clusters?: unknown } | null;
  const list = Array.isArray(data) ? data : data?.clusters;
  if (!Array.isArray(list) || list.length === 0)
    throw new PliantError(
      file,
      `${file}: clusters is ${list === undefined ? 'missing' : 'empty or no list'}; expected a list of { members, weights }.`,
    );
  return list.map((entry: { members?: unknown; weights?: unknown } | null, c) => ({
    members: numbers(entry?.members, `${file}: clusters[${c}].members`),
    ...(entry?.weights === undefined ? {} : { weights: numbers(entry.weights, `${file}: clusters[${c}].weights`) }),
  }));
}

function numbers(value: unknown, path: string): number[] {
  if (!Array.isArray(value) || value.length === 0 || value.some((v) => typeof v !== 'number'))
    throw new PliantError(
      path,
      `${path} is ${Array.isArray(value) ? 'not all numbers, or empty' : typeof value}; expected a list of numbers.`,
    );
  return value as number[];
}

/**
 * Distributes clusters with particle numbers of the whole scene to the bodies, renumbered from 0 in each. Refuses a
 * member that is no particle, a cluster over two bodies and a particle without a cluster.
 */
export function splitClusters(
  clusters: readonly ExplicitCluster[],
  bodies: readonly { name: string; particles: number }[],
  file: string,
): ExplicitCluster[][] {
  const total = bodies.reduce((sum, body) => sum + body.particles, 0);
  const bodyOf = new Uint32Array(total);
  const firstOf: number[] = [];
  let next = 0;
  bodies.forEach(({ particles }, b) => {
    firstOf.push(next);
    bodyOf.fill(b, next, next + particles);
    next += particles;
  });
  const covered = new Uint8Array(total);
  const split: ExplicitCluster[][] = bodies.map(() => []);
  clusters.forEach(({ members, weights }, c) => {
    const name = `${file}: clusters[${c}]`;
    for (let k = 0; k < members.length; k++) {
      const i = members[k];
      if (!Number.isInteger(i) || i < 0 || i >= total)
        throw new PliantError(
          file,
          `${name}.members[${k}] is ${i}; expected a particle number from 0 to ${total - 1}.`,
        );
      if (bodyOf[i] !== bodyOf[members[0]]) {
        const [a, b] = [bodies[bodyOf[members[0]]].name, bodies[bodyOf[i]].name];
        throw new PliantError(
          file,
          `${name} holds particles of two bodies (${members[0]} of ${a}, ${i} of ${b}); expected one.`,
        );
      }
      covered[i] = 1;
    }
    const b = bodyOf[members[0]];
    split[b].push({ members: Array.from(members, (i) => i - firstOf[b]), weights });
  });
  const bare = covered.indexOf(0);
  if (bare >= 0)
    throw new PliantError(
      file,
      `${file}: particle ${bare} is in no cluster; expected each of ${total} particles in at least one.`,
    );
  return split;
}
