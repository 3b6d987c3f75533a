import type { Body } from '../body/body.js';
import { TOUCH } from '../kernels/constants.js';
import { squared } from '../math/elementary.js';
import { invertInto, multiplyInto } from '../math/mat3.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { RestClusters } from './boxes.js';
import { meetsByMiddle } from './byMiddle.js';

/**
 * Whether a body cannot be in contact with itself, by where its clusters are: a cluster is searched for particles of another one, with which it shares none, only if the first members of both have come
 * nearer than `TOUCH.NEARER` times their distance at rest (`haveComeNearer` in kernels/ts/touch.ts).
 *
 * Let X be the first members at rest, x now, A the affine map between them by least squares, and ε the longest |x − x̄ − A (X − X̄)|. Two of them are |A ΔX| − 2 ε apart at least, and |A ΔX| ≥ s |ΔX| with the
 * smallest singular value s of A. So nothing has come near if (s − NEARER) D ≥ 2 ε, where D is the least distance at rest of two clusters that share no particle. s² ≥ 1 − |AᵀA − 1|.
 * A falling or standing body passes this test in three steps of four; it takes a few microseconds in the place of boxes of all clusters and a walk through their tree.
 */
export function isCalm(s: Views, body: Body): boolean {
  const { contact, history, surface } = body.core;
  if (history.broken || history.flowed || history.fading) return false;
  const rest = restClustersOf(s, body);
  if (rest.hasDebris) return false;
  return !contact.settings.self || surface !== undefined || meetsByMiddle(body) || hasNothingNear(body, rest);
}

/** Most clusters of a body that is tested: all their pairs are compared when it is first seen. */
const MOST = 1024;
/** Kernels compare distances in 24 bits, and may take a distance for less than NEARER that is a little more. */
const ROUNDED = 1.0001;

function restClustersOf(s: Views, { core, rows, topologyVersion }: Body): RestClusters {
  const found = core.boxes.rest;
  if (found.version === topologyVersion) return found;
  found.version = topologyVersion;
  const { clusterStart, clusterEnd } = rows;
  const count = clusterEnd - clusterStart;
  found.hasDebris = hasDebris(s, rows);
  found.least = count <= MOST ? leastDistance(s, clusterStart, count) : 0;
  const { firstMemberRest: rest } = s;
  const { mean, inverse } = found;
  mean.fill(0);
  for (let c = clusterStart; c < clusterEnd; c++) for (let a = 0; a < 3; a++) mean[a] += rest[4 * c + a] / count;
  S.fill(0);
  for (let c = clusterStart; c < clusterEnd; c++)
    for (let j = 0; j < 3; j++)
      for (let i = 0; i < 3; i++) S[3 * j + i] += (rest[4 * c + i] - mean[i]) * (rest[4 * c + j] - mean[j]);
  invertInto(inverse, S);
  return found;
}

function hasDebris({ linkStart, gatherRank }: Views, { particleStart, particleEnd }: Rows): boolean {
  for (let i = particleStart; i < particleEnd; i++)
    if (linkStart[gatherRank[i] + 1] === linkStart[gatherRank[i]]) return true;
  return false;
}

function leastDistance({ firstMemberRest: rest, neighbour, neighbourStart }: Views, start: number, count: number) {
  sharesWith.fill(0, 0, count);
  let least = Number.POSITIVE_INFINITY;
  for (let c = 0; c < count; c++) {
    const row = 3 * (start + c);
    for (let k = neighbourStart[row]; k < neighbourStart[row + 1]; k++) sharesWith[neighbour[k]] = c + 1;
    const o = 4 * (start + c);
    const ox = rest[o];
    const oy = rest[o + 1];
    const oz = rest[o + 2];
    // Half a million pairs in a first step, whose code is not compiled yet: without calls, and most leave early.
    for (let d = c + 1, p = o + 4; d < count; d++, p += 4) {
      const dx = rest[p] - ox;
      let square = dx * dx;
      if (square >= least) continue;
      const dy = rest[p + 1] - oy;
      const dz = rest[p + 2] - oz;
      square = square + dy * dy + dz * dz;
      if (square < least && sharesWith[d] !== c + 1) least = square;
    }
  }
  return Math.sqrt(least);
}

/** Whether (s − NEARER) D ≥ 2 ε. */
function hasNothingNear({ core, rows }: Body, { least, mean, inverse }: RestClusters): boolean {
  if (least === Number.POSITIVE_INFINITY) return true;
  const { clusterStart, clusterEnd } = rows;
  const { kernels } = core.state;
  kernels.sumFirsts(sums, clusterStart, clusterEnd, mean);
  for (let a = 0; a < 3; a++) centre[a] = sums[a] / (clusterEnd - clusterStart);
  for (let k = 0; k < 9; k++) B[k] = sums[3 + k];
  // Σ x (X − X̄)ᵀ is Σ (x − x̄)(X − X̄)ᵀ, because X − X̄ sums to 0.
  multiplyInto(A, B, inverse);
  let off = 0;
  for (let i = 0; i < 9; i += 3)
    for (let j = 0; j < 9; j += 3)
      off += squared(A[i] * A[j] + A[i + 1] * A[j + 1] + A[i + 2] * A[j + 2] - (i === j ? 1 : 0));
  const room = Math.sqrt(1 - Math.sqrt(off)) - ROUNDED * TOUCH.NEARER;
  // Both negations are true of numbers that are not finite, too.
  if (!(room > 0)) return false;
  const farthest = squared(0.5 * room * least);
  return kernels.areFirstsNear(clusterStart, clusterEnd, mean, centre, A, farthest);
}

/** Results of kernels.sumFirsts. */
const sums = new Float64Array(16);
const centre = new Float64Array(3);
const sharesWith = new Uint32Array(MOST);
const [S, B, A] = [1, 2, 3].map(() => new Float64Array(9));
