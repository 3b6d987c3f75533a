import type { BodyRecord } from '../../body/record.js';
import { PliantError, refuse } from '../../check.js';
import type { ArrayName, LAYOUT } from '../../state/layout.js';
import type { Snapshot } from '../snapshot.js';
import { checkLevels } from './levels.js';
import { checkTree } from './tree.js';

type U32Name = { [K in ArrayName]: (typeof LAYOUT)[K]['type'] extends 'u32' ? K : never }[ArrayName];
type KeptU32 = { [K in U32Name]: (typeof LAYOUT)[K]['kind'] extends 'scratch' ? never : K }[U32Name];
type Arrays = Record<KeptU32, Uint32Array>;

const TILED = ['particle', 'cluster', 'coarse', 'tie', 'node'] as const;

/**
 * The file that checks each array of integers. A new array does not compile until it is listed here: a kernel that uses
 * an unchecked index could read any memory.
 */
export const LOOKED_AT: Record<KeptU32, 'arrays.ts' | 'checkRows.ts' | 'tree.ts' | 'levels.ts'> = {
  flags: 'arrays.ts',
  bodyOf: 'checkRows.ts',
  ancestor: 'checkRows.ts',
  gatherOrder: 'checkRows.ts',
  gatherRank: 'checkRows.ts',
  linkStart: 'checkRows.ts',
  memberStart: 'checkRows.ts',
  unrelaxed: 'arrays.ts',
  leaving: 'arrays.ts',
  proxyPlanes: 'arrays.ts',
  proxyExits: 'arrays.ts',
  proxyRound: 'arrays.ts',
  surfaceEnd: 'checkRows.ts',
  neighbourStart: 'tree.ts',
  treeNode: 'tree.ts',
  bodyOfCluster: 'checkRows.ts',
  distanceGrid: 'checkRows.ts',
  parentTies: 'levels.ts',
  coarseLevel: 'levels.ts',
  coarseChildTies: 'levels.ts',
  coarseParentTies: 'levels.ts',
  tieChild: 'levels.ts',
  tieParent: 'levels.ts',
  tiesByChild: 'levels.ts',
  neighbour: 'tree.ts',
  memberParticle: 'checkRows.ts',
  linkCluster: 'checkRows.ts',
};

/**
 * Checks all references to rows: they must exist and belong to the same body. Bodies are contiguous in every domain,
 * runs have no gaps, lists name existing rows, trees are trees. After this no loop over the rows leaves them or runs
 * for ever.
 */
export function checkRows({ arrays, counts, bodies }: Snapshot): void {
  const s = arrays as unknown as Arrays;
  const end = { particle: 0, cluster: 0, coarse: 0, tie: 0, node: 0 };
  // Bodies have no row ranges of memberships and neighbours: their runs follow from the clusters.
  let [membership, neighbour] = [0, 0];
  bodies.forEach((body, k) => {
    const { rows } = body;
    for (const domain of TILED) {
      const path = `snapshot.bodies[${k}].rows.${domain}`;
      const [first, last] = [rows[`${domain}Start`], rows[`${domain}End`]];
      if (first !== end[domain]) refuse(`${path}Start`, first, `${end[domain]}, where the body before it ends`);
      if (!(last >= first && last <= counts[domain])) refuse(`${path}End`, last, `in [${first}, ${counts[domain]}]`);
      end[domain] = last;
    }
    if (rows.particleEnd === rows.particleStart)
      refuse(`snapshot.bodies[${k}].rows.particleEnd`, rows.particleEnd, 'a body of particles');
    membership = checkMembers(s, body, k, membership, counts.membership);
    checkParticles(s, arrays.x, body, k);
    checkClusters(s, arrays.proxySpacing, body, k);
    neighbour = checkTree(s, rows, `snapshot.bodies[${k}]`, neighbour, counts.neighbour);
    checkLevels(s, rows, `snapshot.bodies[${k}]`);
  });
  for (const domain of TILED)
    if (end[domain] !== counts[domain])
      refuse(`snapshot.counts.${domain}`, counts[domain], `${end[domain]}, what the bodies have`);
  if (membership !== counts.membership) refuse('snapshot.counts.membership', counts.membership, String(membership));
  if (neighbour !== counts.neighbour) refuse('snapshot.counts.neighbour', counts.neighbour, String(neighbour));
}

/** Checks members and links of one body, from `base` on. Returns the base of the next body. */
function checkMembers(s: Arrays, { rows }: BodyRecord, k: number, base: number, most: number): number {
  const { particleStart, particleEnd, clusterStart, clusterEnd } = rows;
  const run = (name: 'memberStart' | 'linkStart', first: number, last: number, least: number) => {
    if (s[name][first] !== base) refuse(`snapshot.arrays.${name}[${first}]`, s[name][first], `${base}`);
    for (let n = first; n < last; n++)
      if (!(s[name][n + 1] >= s[name][n] + least && s[name][n + 1] <= most))
        refuse(`snapshot.arrays.${name}[${n + 1}]`, s[name][n + 1], `in [${s[name][n] + least}, ${most}]`);
    return s[name][last];
  };
  const last = run('memberStart', clusterStart, clusterEnd, 1);
  const lastLink = run('linkStart', particleStart, particleEnd, 0);
  if (lastLink !== last)
    refuse(`snapshot.arrays.linkStart[${particleEnd}]`, lastLink, `${last}, as memberStart of body ${k}`);
  for (let m = base; m < last; m++) {
    within(`snapshot.arrays.memberParticle[${m}]`, s.memberParticle[m], particleStart, particleEnd);
    within(`snapshot.arrays.linkCluster[${m}]`, s.linkCluster[m], clusterStart, clusterEnd);
  }
  return last;
}

function checkParticles(s: Arrays, x: ArrayLike<number>, { rows, parts }: BodyRecord, k: number): void {
  const { particleStart, particleEnd } = rows;
  const built = parts.builtPositions.length / 3;
  for (let n = particleStart; n < particleEnd; n++) {
    within(`snapshot.arrays.gatherOrder[${n}]`, s.gatherOrder[n], particleStart, particleEnd);
    // This proves a permutation: no two places can have the same particle.
    if (s.gatherRank[s.gatherOrder[n]] !== n)
      refuse(
        `snapshot.arrays.gatherRank[${s.gatherOrder[n]}]`,
        s.gatherRank[s.gatherOrder[n]],
        `${n}, its place in gatherOrder`,
      );
    if (s.bodyOf[n] !== k) refuse(`snapshot.arrays.bodyOf[${n}]`, s.bodyOf[n], `${k}`);
    if (!(x[4 * n + 3] > 0)) refuse(`snapshot.arrays.x[${4 * n + 3}]`, x[4 * n + 3], 'a mass above 0');
    within(`snapshot.arrays.ancestor[${n}]`, s.ancestor[n], 0, built);
  }
}

function checkClusters(s: Arrays, spacing: ArrayLike<number>, { rows }: BodyRecord, k: number): void {
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    if (s.bodyOfCluster[c] !== k) refuse(`snapshot.arrays.bodyOfCluster[${c}]`, s.bodyOfCluster[c], `${k}`);
    within(`snapshot.arrays.surfaceEnd[${c}]`, s.surfaceEnd[c], s.memberStart[c] + 1, s.memberStart[c + 1] + 1);
    if (!(s.proxyExits[c] <= s.proxyPlanes[c]))
      refuse(`snapshot.arrays.proxyExits[${c}]`, s.proxyExits[c], `at most ${s.proxyPlanes[c]}, its planes`);
    if (!(spacing[c] > 0)) refuse(`snapshot.arrays.proxySpacing[${c}]`, spacing[c], 'a number above 0');
    const [first, nx, ny, nz] = s.distanceGrid.subarray(4 * c, 4 * c + 4);
    // The product of three may be rounded, but is then far beyond any count.
    const isField = first === rows.nodeStart && nx * ny * nz === rows.nodeEnd - rows.nodeStart;
    if (nx !== 0 ? !isField : ny !== 0 || nz !== 0)
      throw new PliantError(
        `snapshot.arrays.distanceGrid[${4 * c}]`,
        `snapshot.arrays.distanceGrid[${4 * c}] describes ${nx} × ${ny} × ${nz} nodes from ${first} on; expected the field of body ${k}, ${rows.nodeEnd - rows.nodeStart} nodes from ${rows.nodeStart} on, or none.`,
      );
  }
}

/** Refuses a number that is not in [first, last). */
export function within(path: string, value: number, first: number, last: number): void {
  if (!(value >= first && value < last)) refuse(path, value, `an integer in [${first}, ${last})`);
}
