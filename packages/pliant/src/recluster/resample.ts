import type { Body } from '../body/body.js';
import { Strain, strainInState } from '../fracture/strain.js';
import { squared } from '../math/elementary.js';
import { cofactorsInto, determinant, multiplyInto } from '../math/mat3.js';
import { svdInto } from '../math/svd.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import { TopologyDraft } from '../topology/topologyDraft.js';
import { writeDraft } from '../topology/writeDraft.js';
import type { World } from '../world.js';

const draft = new TopologyDraft();
/**
 * Particles to divide: the displacement of each half from the middle (m), and the particle's number; four numbers each.
 */
let ways = new Float64Array(0);
let count = 0;
/** Per particle of the body: 1 if it divides in this round. */
let divides = new Uint8Array(0);

/**
 * Share of its built mass down to which a particle divides. None becomes lighter than half of that, and there are at
 * most 16 of it. A body that is drawn out farther than eight times is sampled more coarsely.
 */
const WHOLE = 1 / 8;

/** Cosine of the angle to the direction of stretch within which another particle is a neighbour along it. */
const ALIGNED = 0.7;

/**
 * Divides particles that plastic flow has drawn too far apart (SPEC R5); returns how many. The halves have half of the
 * mass each, lie at equal distances from the middle and have the same velocity. So mass, momentum, angular momentum and
 * every cluster's centre stay as they were.
 */
export function resample(world: World, body: Body): number {
  const s = world.state.views;
  findSparse(s, body);
  if (count === 0) return 0;
  draft.begin(s, body.rows);
  const before = draft.particles;
  for (let n = 0; n < count; n++) divide(s, body, n);
  writeDraft(world, body, draft);
  const { x, xOld } = world.state.views;
  for (let n = 0; n < count; n++)
    for (let a = 0; a < 3; a++) {
      const [i, j] = [body.rows.particleStart + ways[4 * n + 3], body.rows.particleStart + before + n];
      for (const array of [x, xOld]) {
        array[4 * i + a] -= ways[4 * n + a];
        array[4 * j + a] += ways[4 * n + a];
      }
    }
  return count;
}

/**
 * Lists the particles that have no neighbour near enough on either side along the largest plastic stretch of their
 * heaviest cluster.
 */
function findSparse(s: Views, body: Body): void {
  const { rows, reclustering } = body;
  const particles = rows.particleEnd - rows.particleStart;
  if (ways.length < 4 * particles) {
    ways = new Float64Array(8 * particles);
    divides = new Uint8Array(2 * particles);
  }
  divides.fill(0, 0, particles);
  count = 0;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    if (s.leaving[c] || !(stretchOf(s, c) > reclustering.resample)) continue;
    strainInState(strain, s, c);
    if (!(determinant(F) > SINGULAR)) continue;
    const limit = reclustering.resample * s.proxySpacing[c];
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
      const i = s.memberParticle[k];
      if (divides[i - rows.particleStart] || s.flags[i] & Flag.HELD || heaviest(s, i) !== c) continue;
      if (!(s.x[4 * i + 3] > WHOLE * s.builtMass[i])) continue;
      const gap = gapAround(s, c, k, limit);
      if (!(gap > limit)) continue;
      divides[i - rows.particleStart] = 1;
      // The direction of stretch is known in the rest shape F^p p. It is taken back to p, and then by F to the world.
      const o = 4 * count++;
      for (let a = 0; a < 3; a++) ways[o + a] = (gap / 4) * (F[a] * back[0] + F[3 + a] * back[1] + F[6 + a] * back[2]);
      ways[o + 3] = i - rows.particleStart;
    }
  }
}

/** Least determinant of F for a cluster to place halves: it says nothing when it is inverted or flat. */
const SINGULAR = 0.05;

/**
 * Largest stretch of a cluster's rest shape F^p p against the shape as built. Its direction goes into `along`, in F^p
 * p, and into `back`, in p.
 */
function stretchOf(s: Views, c: number): number {
  P.set(s.plastic.subarray(9 * c, 9 * c + 9));
  M.set(s.fromRest.subarray(9 * c, 9 * c + 9));
  multiplyInto(G, P, M);
  svdInto(U, sigma, V, G);
  cofactorsInto(C, P);
  for (let a = 0; a < 3; a++) {
    along[a] = U[a];
    back[a] = C[a] * U[0] + C[3 + a] * U[1] + C[6 + a] * U[2];
  }
  return sigma[0];
}

/**
 * The smaller of the distances to the nearest members on both sides along `along`. 0 at an end, where one side has none
 * within three times `limit`.
 */
function gapAround(s: Views, c: number, k: number, limit: number): number {
  let [ahead, behind] = [3 * limit, 3 * limit];
  for (let l = s.memberStart[c]; l < s.memberStart[c + 1]; l++) {
    if (l === k) continue;
    for (let a = 0; a < 3; a++) d[a] = s.member[4 * l + a] - s.member[4 * k + a];
    for (let a = 0; a < 3; a++) q[a] = P[a] * d[0] + P[3 + a] * d[1] + P[6 + a] * d[2];
    const length = Math.sqrt(squared(q[0]) + squared(q[1]) + squared(q[2]));
    const way = q[0] * along[0] + q[1] * along[1] + q[2] * along[2];
    if (Math.abs(way) < ALIGNED * length) continue;
    if (way > 0) ahead = Math.min(ahead, length);
    else behind = Math.min(behind, length);
    if (Math.min(ahead, behind) <= limit) return 0;
  }
  return Math.max(ahead, behind) < 3 * limit ? Math.min(ahead, behind) : 0;
}

/** The cluster in which a particle has the most weight. */
function heaviest({ gatherRank, linkStart, link, linkCluster }: Views, i: number): number {
  let best = linkStart[gatherRank[i]];
  for (let l = best + 1; l < linkStart[gatherRank[i] + 1]; l++) if (link[4 * l + 3] > link[4 * best + 3]) best = l;
  return linkCluster[best];
}

/**
 * Divides the n-th listed particle: the copy gets the same memberships, and the rest offsets of both move apart by the
 * displacement in each cluster's rest frame.
 */
function divide(s: Views, { rows }: Body, n: number): void {
  const i = ways[4 * n + 3];
  const copy = draft.addParticle(i);
  draft.particleMass[i] /= 2;
  draft.particleMass[copy] = draft.particleMass[i];
  const links = draft.linkCount(i);
  for (let l = 0; l < links; l++) {
    const k = draft.links[draft.linkFirst[i] + l];
    draft.member[4 * k + 3] /= 2;
    const m = draft.addMember(draft.cluster[k], copy, draft.member[4 * k + 3]);
    strainInState(strain, s, rows.clusterStart + draft.cluster[k]);
    const det = determinant(F);
    cofactorsInto(C, F);
    for (let a = 0; a < 3; a++) {
      // F⁻¹ = cof(F)ᵀ / det. Where F is nearly singular, both rest offsets stay as they are, and the halves are moved
      // apart by their other clusters.
      const dot = C[3 * a] * ways[4 * n] + C[3 * a + 1] * ways[4 * n + 1] + C[3 * a + 2] * ways[4 * n + 2];
      const by = det > SINGULAR ? dot / det : 0;
      draft.member[4 * m + a] = draft.member[4 * k + a] + by;
      draft.member[4 * k + a] -= by;
      draft.outward[4 * m + a] = draft.outward[4 * k + a];
    }
    draft.outward[4 * m + 3] = draft.outward[4 * k + 3];
  }
}

const strain = new Strain();
const { F } = strain;
const along = new Float64Array(3);
const back = new Float64Array(3);
const d = new Float64Array(3);
const q = new Float64Array(3);
const sigma = new Float64Array(3);
const [M, C, P, G, U, V] = [1, 2, 3, 4, 5, 6].map(() => new Float64Array(9));
