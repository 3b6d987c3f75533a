import { listsBy } from './connect.js';
import type { Hierarchy } from './hierarchy.js';

/**
 * The levels of a body after its clusters have changed: cluster n came from from[n] and gets the ties of that one, with
 * the same weights. Both halves of a split cluster are held by its holders. Coarse clusters that hold nothing any more
 * end.
 */
export function remapTies(hierarchy: Hierarchy, from: ArrayLike<number>, clusters: number): Hierarchy {
  const { level, child, parent } = hierarchy;
  const fine = Uint32Array.from(child.keys()).filter((t) => level[parent[t]] === 1);
  const heldBy = listsBy(
    clusters,
    Uint32Array.from(fine, (t) => child[t]),
    fine,
  );
  const ties: { child: number; tie: number }[] = [];
  for (let n = 0; n < from.length; n++)
    for (let k = heldBy.start[from[n]]; k < heldBy.start[from[n] + 1]; k++)
      ties.push({ child: n, tie: heldBy.list[k] });
  // Level after level: a coarse cluster that holds something stays, and keeps its own ties to the next level.
  const lives = new Uint8Array(level.length);
  for (const { tie } of ties) lives[parent[tie]] = 1;
  const highest = level.length > 0 ? level[level.length - 1] : 0;
  for (let at = 2; at <= highest; at++)
    for (let t = 0; t < child.length; t++)
      if (level[parent[t]] === at && lives[child[t]]) {
        lives[parent[t]] = 1;
        ties.push({ child: child[t], tie: t });
      }
  const number = new Uint32Array(level.length);
  let living = 0;
  for (let c = 0; c < level.length; c++) if (lives[c]) number[c] = living++;
  const rest = new Float64Array(12 * ties.length);
  ties.forEach(({ tie }, n) => {
    rest.set(hierarchy.rest.subarray(12 * tie, 12 * tie + 12), 12 * n);
  });
  return {
    level: level.filter((_, c) => lives[c] === 1),
    child: Uint32Array.from(ties, (t) => (level[parent[t.tie]] === 1 ? t.child : number[t.child])),
    parent: Uint32Array.from(ties, (t) => number[parent[t.tie]]),
    weight: Float64Array.from(ties, (t) => hierarchy.weight[t.tie]),
    rest,
  };
}

/**
 * Updates ties to clusters whose rest centres have moved by centres[3c] … centres[3c + 2], in the clusters' own frames.
 */
export function moveTieCentres({ level, child, parent, rest }: Hierarchy, centres: Float64Array): void {
  for (let t = 0; t < child.length; t++) {
    if (level[parent[t]] !== 1) continue;
    const [o, c] = [12 * t, 3 * child[t]];
    for (let a = 0; a < 3; a++)
      rest[o + 9 + a] += rest[o + a] * centres[c] + rest[o + 3 + a] * centres[c + 1] + rest[o + 6 + a] * centres[c + 2];
  }
}

/**
 * Updates ties to clusters that have a new frame; frames[c] maps from the new frame to the old one, and is undefined
 * where the frame did not change.
 */
export function moveTieFrames({ level, child, parent, rest }: Hierarchy, frames: (Float64Array | undefined)[]): void {
  const H = new Float64Array(9);
  for (let t = 0; t < child.length; t++) {
    const frame = level[parent[t]] === 1 ? frames[child[t]] : undefined;
    if (!frame) continue;
    H.set(rest.subarray(12 * t, 12 * t + 9));
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++)
        rest[12 * t + 3 * b + a] = H[a] * frame[3 * b] + H[3 + a] * frame[3 * b + 1] + H[6 + a] * frame[3 * b + 2];
      rest[12 * t + 9 + a] += H[a] * frame[9] + H[3 + a] * frame[10] + H[6 + a] * frame[11];
    }
  }
}
