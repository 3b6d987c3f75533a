/**
 * The contacts of two rigid sides, reduced to those that carry: the corners of each region of contact. A brick on a floor has dozens of particles in
 * contact and needs four. Sweeps over dozens of contacts that say the same converge slowly: over 50 contacts of a brick, 24 sweeps left a
 * quarter of the speed, over its four corners 1e-6 of it.
 */

/** Contacts whose normals have at least this cosine with that of the deepest one are one region. */
const ALIKE = 0.8;
/** Directions across the normal in each of which the farthest contact is kept. They are none of the axes, so that of the corners of a box one is the farthest. */
const DIRECTIONS = [
  [0.9239, 0.3827],
  [0.3827, 0.9239],
  [-0.3827, 0.9239],
  [-0.9239, 0.3827],
  [-0.9239, -0.3827],
  [-0.3827, -0.9239],
  [0.3827, -0.9239],
  [0.9239, -0.3827],
] as const;
/** A contact that is deeper by d counts as farther by this many times d. */
const DEEPER = 5;

/** Numbers of a candidate: place (m), normal from one side of the pair to the other, the same for all of a pair, depth (m), and how much farther it counts as it carried before (m). */
export const CANDIDATE = 8;

const farthest = new Float64Array(DIRECTIONS.length);
const best = new Int32Array(DIRECTIONS.length);

/**
 * Marks in `keep` the candidates that carry, of those whose numbers are listed in list[from…to). `candidates` holds CANDIDATE numbers each. `keep` must be 0 for them.
 * A contact that carried in the last substep is kept before others that are little farther: impulses to begin with are worth nothing where each substep chooses other corners.
 */
export function keepCorners(
  keep: Uint8Array,
  candidates: Float64Array,
  list: Uint32Array,
  from: number,
  to: number,
): void {
  for (let left = to - from; left > 0; ) {
    const first = deepest(keep, candidates, list, from, to);
    const seed = CANDIDATE * first;
    const [nx, ny, nz] = [candidates[seed + 3], candidates[seed + 4], candidates[seed + 5]];
    // Two directions across the normal: across the coordinate axis that is farthest from it, as in rows.ts.
    let [tx, ty, tz] = [0, nz, -ny];
    if (Math.abs(nx) > Math.abs(ny)) [tx, ty, tz] = [-nz, 0, nx];
    const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
    [tx, ty, tz] = [tx / length, ty / length, tz / length];
    const [bx, by, bz] = [ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx];
    farthest.fill(Number.NEGATIVE_INFINITY);
    best.fill(-1);
    keep[first] |= KEPT;
    for (let n = from; n < to; n++) {
      const at = list[n];
      const c = CANDIDATE * at;
      if (keep[at] & DONE) continue;
      const alike = candidates[c + 3] * nx + candidates[c + 4] * ny + candidates[c + 5] * nz;
      if (!(alike >= ALIKE) && at !== first) continue;
      keep[at] |= DONE;
      left--;
      if (!(alike >= ALIKE)) continue;
      const [x, y, z] = [candidates[c], candidates[c + 1], candidates[c + 2]];
      const t = x * tx + y * ty + z * tz;
      const b = x * bx + y * by + z * bz;
      const more = DEEPER * candidates[c + 6] + candidates[c + 7];
      for (let d = 0; d < DIRECTIONS.length; d++) {
        const far = DIRECTIONS[d][0] * t + DIRECTIONS[d][1] * b + more;
        if (far > farthest[d]) {
          farthest[d] = far;
          best[d] = at;
        }
      }
    }
    for (let d = 0; d < DIRECTIONS.length; d++) if (best[d] >= 0) keep[best[d]] |= KEPT;
  }
}

/** Bits of `keep`: the candidate carries; its region was looked at. */
export const KEPT = 1;
const DONE = 2;

function deepest(keep: Uint8Array, candidates: Float64Array, list: Uint32Array, from: number, to: number): number {
  let [best, depth] = [-1, Number.NEGATIVE_INFINITY];
  for (let n = from; n < to; n++) {
    if (keep[list[n]] & DONE || candidates[CANDIDATE * list[n] + 6] <= depth) continue;
    best = list[n];
    depth = candidates[CANDIDATE * best + 6];
  }
  return best;
}
