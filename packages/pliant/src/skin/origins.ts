import { Scratch } from '../scratch.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

/** ‖G‖ beyond which it is discarded: matter drawn out to its tenfold length has 10. */
const LARGEST = 20;

/**
 * `fromRest` of every cluster, replaced by the identity where it is meaningless. A cluster created from particles that
 * lay in one plane at rest has the inverse of a singular matrix (1e14 and more).
 */
export function restDirections(s: Views, { clusterStart, clusterEnd }: Rows): Float64Array {
  const out = Float64Array.from(s.fromRest.subarray(9 * clusterStart, 9 * clusterEnd));
  for (let o = 0; o < out.length; o += 9) {
    let square = 0;
    for (let k = o; k < o + 9; k++) square += out[k] * out[k];
    if (square <= LARGEST * LARGEST) continue;
    out.fill(0, o, o + 9);
    out[o] = out[o + 4] = out[o + 8] = 1;
  }
  return out;
}

/**
 * Offset of the origin of the rest shape in each cluster: the mean of o_ic = p_ic − G_c X_i over its members. For a
 * cluster as built that is −X̄_c, the same for all members. A cluster that replaced others in a body that has flowed
 * has a new rest shape, and its members differ.
 */
export function originsOf(s: Views, rows: Rows, built: Float64Array, fromRest: Float64Array): Float64Array {
  const { clusterStart, clusterEnd } = rows;
  const { ancestor, member, memberParticle, memberStart, restShift } = s;
  const origin = new Float64Array(3 * (clusterEnd - clusterStart));
  for (let c = clusterStart; c < clusterEnd; c++) {
    let mass = 0;
    let [px, py, pz] = [0, 0, 0];
    let [x, y, z] = [0, 0, 0];
    const last = memberStart[c + 1];
    for (let k = memberStart[c]; k < last; k++) {
      const mw = member[4 * k + 3];
      const i = 3 * ancestor[memberParticle[k]];
      mass += mw;
      px += mw * member[4 * k];
      py += mw * member[4 * k + 1];
      pz += mw * member[4 * k + 2];
      x += mw * built[i];
      y += mw * built[i + 1];
      z += mw * built[i + 2];
    }
    const o = 3 * (c - clusterStart);
    const g = 3 * o;
    origin[o] = (px - fromRest[g] * x - fromRest[g + 3] * y - fromRest[g + 6] * z) / mass - restShift[3 * c];
    origin[o + 1] =
      (py - fromRest[g + 1] * x - fromRest[g + 4] * y - fromRest[g + 7] * z) / mass - restShift[3 * c + 1];
    origin[o + 2] =
      (pz - fromRest[g + 2] * x - fromRest[g + 5] * y - fromRest[g + 8] * z) / mass - restShift[3 * c + 2];
  }
  return origin;
}

/** w o of each of a body's links, from its first on. */
export function placesOf(s: Views, rows: Rows, built: Float64Array, fromRest: Float64Array): Float64Array {
  const { ancestor, gatherRank, linkStart, linkCluster, link, restShift } = s;
  const { particleStart, particleEnd, clusterStart } = rows;
  const base = linkStart[particleStart];
  const places = placeRoom.take(3 * (linkStart[particleEnd] - base));
  for (let i = particleStart; i < particleEnd; i++) {
    const at = 3 * ancestor[i];
    const x = built[at];
    const y = built[at + 1];
    const z = built[at + 2];
    const last = linkStart[gatherRank[i] + 1];
    for (let l = linkStart[gatherRank[i]]; l < last; l++) {
      const w = link[4 * l + 3];
      const c = linkCluster[l];
      const g = 9 * (c - clusterStart);
      const o = 3 * (l - base);
      const px = link[4 * l] - restShift[3 * c];
      const py = link[4 * l + 1] - restShift[3 * c + 1];
      const pz = link[4 * l + 2] - restShift[3 * c + 2];
      places[o] = w * (px - fromRest[g] * x - fromRest[g + 3] * y - fromRest[g + 6] * z);
      places[o + 1] = w * (py - fromRest[g + 1] * x - fromRest[g + 4] * y - fromRest[g + 7] * z);
      places[o + 2] = w * (pz - fromRest[g + 2] * x - fromRest[g + 5] * y - fromRest[g + 8] * z);
    }
  }
  return places;
}
// Scratch of one body at a time.
const placeRoom = new Scratch(Float64Array);

/**
 * Difference of offsets, as a share of the cluster's width, up to which it counts as rounding: offsets are f32, and
 * rounded again whenever the cluster is divided.
 */
const EVEN = 1e-6;

/** Whether all members of each cluster have the same o, but for rounding. Then no knot depends on which members are near. */
export function areEven(
  s: Views,
  rows: Rows,
  built: Float64Array,
  fromRest: Float64Array,
  origin: Float64Array,
): boolean {
  const { ancestor, member, memberParticle, memberStart, restShift, width } = s;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    // A cluster of one particle has width 0 and nothing to compare.
    const most = EVEN * width[c];
    if (!(most > 0)) continue;
    const o = 3 * (c - rows.clusterStart);
    const g = 3 * o;
    const sx = restShift[3 * c] + origin[o];
    const sy = restShift[3 * c + 1] + origin[o + 1];
    const sz = restShift[3 * c + 2] + origin[o + 2];
    const last = memberStart[c + 1];
    for (let k = memberStart[c]; k < last; k++) {
      const at = 3 * ancestor[memberParticle[k]];
      const X = built[at];
      const Y = built[at + 1];
      const Z = built[at + 2];
      const x = member[4 * k] - sx - fromRest[g] * X - fromRest[g + 3] * Y - fromRest[g + 6] * Z;
      const y = member[4 * k + 1] - sy - fromRest[g + 1] * X - fromRest[g + 4] * Y - fromRest[g + 7] * Z;
      const z = member[4 * k + 2] - sz - fromRest[g + 2] * X - fromRest[g + 5] * Y - fromRest[g + 8] * Z;
      // Members without weight carry nothing.
      if (!(x * x + y * y + z * z <= most * most) && member[4 * k + 3] > 0) return false;
    }
  }
  return true;
}
