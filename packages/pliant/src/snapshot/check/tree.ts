import { refuse } from '../../check.js';
import type { Rows } from '../../state/rows.js';

interface Arrays {
  treeNode: Uint32Array;
  neighbourStart: Uint32Array;
  neighbour: Uint32Array;
}

/** Largest depth of a tree: trees halve their clusters, and 2³² is more than there are rows. */
const DEEPEST = 33;

/**
 * Checks the tree of a body's clusters and the lists of neighbours (proxy/tree.ts, proxy/neighbours.ts). The body's
 * neighbours begin at `base`. Returns the base of the next body.
 */
export function checkTree(
  s: Arrays,
  { clusterStart, clusterEnd }: Rows,
  body: string,
  base: number,
  most: number,
): number {
  const clusters = clusterEnd - clusterStart;
  if (clusters > 0) checkBranches(s.treeNode, 2 * clusterStart, clusters, body);
  const nodes = Math.max(0, 2 * clusters - 1);
  const { neighbourStart: start, neighbour } = s;
  let last = base;
  // Three runs a cluster. The row after the last has only its first number.
  for (let k = 3 * clusterStart; k < 3 * clusterEnd; k++) {
    if (start[k] !== last)
      refuse(`snapshot.arrays.neighbourStart[${k}]`, start[k], `${last}, where the run before it ends`);
    last = start[k + 1];
    if (!(last >= start[k] && last <= most))
      refuse(`snapshot.arrays.neighbourStart[${k + 1}]`, last, `in [${start[k]}, ${most}]`);
    // Clusters that share a particle, the ring, and far nodes of the tree.
    const below = k % 3 === 2 ? nodes : clusters;
    for (let n = start[k]; n < last; n++)
      if (!(neighbour[n] < below))
        refuse(`snapshot.arrays.neighbour[${n}]`, neighbour[n], `an integer in [0, ${below})`);
  }
  return last;
}

/**
 * Depth-first order: the left child of a node is the next one, and the right child begins where the left one's nodes
 * end. Each leaf is a different cluster.
 */
function checkBranches(branch: Uint32Array, root: number, clusters: number, body: string): void {
  const seen = new Uint8Array(clusters);
  // Right children still to come, the next one last.
  const open: number[] = [];
  for (let node = 0; node < 2 * clusters - 1; node++) {
    const [right, cluster] = [branch[2 * (root + node)], branch[2 * (root + node) + 1]];
    const path = `snapshot.arrays.treeNode[${2 * (root + node)}]`;
    if (right !== 0) {
      const end = open.at(-1) ?? 2 * clusters - 1;
      if (!(right > node + 1 && right < end)) refuse(path, right, `a node of ${body} in (${node + 1}, ${end})`);
      open.push(right);
      if (open.length > DEEPEST) refuse(path, right, `a tree of at most ${DEEPEST} levels`);
      continue;
    }
    if (!(cluster < clusters) || seen[cluster])
      refuse(
        `snapshot.arrays.treeNode[${2 * (root + node) + 1}]`,
        cluster,
        `a cluster of ${body} that no other leaf has`,
      );
    seen[cluster] = 1;
    const next = open.pop() ?? 2 * clusters - 1;
    if (next !== node + 1) refuse(path, right, `node ${node + 1} of ${body} to be a right child`);
  }
}
