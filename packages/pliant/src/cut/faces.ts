import type { Body } from '../body/body.js';
import { deformationFromSums, Strain } from '../fracture/strain.js';
import { cubed, squared } from '../math/elementary.js';
import { determinant, identityInto, isFlat, normSquared } from '../math/mat3.js';
import { svdInto } from '../math/svd.js';
import { addPlane } from '../proxy/proxy.js';
import type { Views } from '../state/layout.js';
import type { State } from '../state/state.js';
import type { TopologyDraft } from '../topology/topologyDraft.js';
import type { Sides } from './divide.js';
import { heightOf, isOnBlade, type Knife } from './knife.js';

/** Distance from a cut, in spacings, up to which a particle counts as on its face. */
const NEXT_TO = 0.75;

/** Deformation of the cluster visited last. */
const strain = new Strain();
const { centre, F } = strain;
/** The plane in that cluster's rest frame: unit normal n, and change of height per length along n. */
const normal: [number, number, number] = [0, 0, 0];
let slope = 0;

/**
 * Computes n = Fᵀ d for a plane of normal d: the height of p over the plane changes by n·p. Returns false for a cluster
 * that was squeezed flat onto the plane.
 */
function look(d: readonly number[]): boolean {
  completeF();
  for (let a = 0; a < 3; a++) normal[a] = F[3 * a] * d[0] + F[3 * a + 1] * d[1] + F[3 * a + 2] * d[2];
  slope = Math.sqrt(squared(normal[0]) + squared(normal[1]) + squared(normal[2]));
  for (let a = 0; a < 3; a++) normal[a] /= slope;
  return slope > FLATTEST;
}
const FLATTEST = 0.05;

/**
 * Completes F of a single layer, which says nothing of the direction across itself: there it is a rotation, as for its
 * proxy (kernels/ts/proxy.ts).
 */
function completeF(): void {
  if (Math.abs(determinant(F)) > SINGULAR * cubed(Math.sqrt(normSquared(F)))) return;
  svdInto(U, sigma, V, F);
  for (let k = 1; k < 3; k++)
    if (cubed(sigma[k]) < SINGULAR * cubed(sigma[0]))
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) F[3 * b + a] += U[3 * k + a] * V[3 * k + b];
}

/** F of a cluster, completed, from the sums that the kernel sumClusters left. */
export function wholeDeformation(s: Views, c: number): Float64Array {
  deformationFromSums(strain, s, c);
  completeF();
  return F;
}
const SINGULAR = 1e-9;
const U = new Float64Array(9);
const V = new Float64Array(9);
const sigma = new Float64Array(3);

/**
 * Puts members next to a cut on the body's surface, with outward directions across the cut. It runs before the draft is
 * written, and after the kernel sumClusters. Directions are those in the undivided cluster, because the face went
 * through that one; its halves lie beside the face.
 */
export function showFaces(s: Views, body: Body, draft: TopologyDraft, knife: Knife, { height, onBlade }: Sides): void {
  const { rows } = body;
  const near = NEXT_TO * s.proxySpacing[rows.clusterStart];
  for (let c = 0; c < draft.clusters; c++) {
    let seen: boolean | undefined;
    for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
      const k = draft.members[m];
      const i = draft.particle[k];
      if (!onBlade[i] || Math.abs(height[i]) > MOST_STRETCH * near || draft.outward[4 * k + 3] >= 0) continue;
      if (seen === undefined) {
        deformationFromSums(strain, s, rows.clusterStart + draft.clusterFrom[c]);
        seen = look(knife.normal);
      }
      const off = Math.abs(height[i]) / slope;
      if (!seen || off > near) continue;
      for (let a = 0; a < 3; a++) draft.outward[4 * k + a] = height[i] >= 0 ? -normal[a] : normal[a];
      draft.outward[4 * k + 3] = off;
      draft.changed[c] ||= 1;
    }
  }
}
/** Members farther from the cut in the world than this many times the distance that counts at rest are not tested. */
const MOST_STRETCH = 4;

/** Per cluster of a draft: 1 where the knife divided it; 1 where it is above the knife. */
export interface Divided {
  readonly isDivided: Uint8Array;
  readonly isAbove: Uint8Array;
}

/**
 * Adds the plane of the cut to the proxies that it passes, whether or not the cut divided their clusters. The distance
 * field knows the whole body but not the cut. Without the plane, a cluster beside the cut would push out particles of
 * the other side. A cluster that a blade did not divide gets the plane if its centre is above or below the blade.
 * `numbers`: which of the draft's clusters the body has.
 */
export function endAtFaces(
  { views: s, kernels }: State,
  body: Body,
  knife: Knife,
  { isDivided, isAbove }: Divided,
  numbers: Uint32Array,
): void {
  const { clusterStart, clusterEnd } = body.rows;
  const { point, u, v } = knife;
  const along = (axis: readonly number[]) =>
    (centre[0] - point[0]) * axis[0] + (centre[1] - point[1]) * axis[1] + (centre[2] - point[2]) * axis[2];
  kernels.sumClusters(clusterStart, clusterEnd);
  for (let c = clusterStart; c < clusterEnd; c++) {
    deformationFromSums(strain, s, c);
    if (isDivided[numbers[c - clusterStart]] === 0 && !isOnBlade(knife, along(u), along(v))) continue;
    if (!look(knife.normal)) continue;
    const here = heightOf(knife, centre[0], centre[1], centre[2]);
    const sign = isAbove[numbers[c - clusterStart]] === 1 ? -1 : 1;
    const reach = (-sign * here) / slope;
    if (!(reach < s.proxyRadius[c])) continue;
    for (let a = 0; a < 3; a++) normal[a] *= sign;
    addPlane(s, c, normal, reach, true);
  }
}

/** Resets F^p of clusters that have no extent in some direction: F^p is undefined in it (SPEC X5). */
export function forgetFlat(s: Views, { rows }: Body): void {
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    if (!isFlat(s.restInverse, 9 * c)) continue;
    identityInto(s.plastic.subarray(9 * c, 9 * c + 9));
    s.plasticStrain[c] = 0;
  }
}
