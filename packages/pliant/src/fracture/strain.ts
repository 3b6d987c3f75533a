import { A, centre as sumCentre, sumMatch } from '../kernels/ts/match.js';
import { cofactorsInto, multiplyInto } from '../math/mat3.js';
import { svdInto } from '../math/svd.js';
import type { Views } from '../state/layout.js';
import { pseudoInverseInto } from '../state/members.js';
import type { Draft } from '../topology/draft.js';

/** Of the cluster last looked at: its centre now and at rest, F, and F^e = U Σ Vᵀ. */
export const centre = new Float64Array(3);
export const restCentre = new Float64Array(3);
export const F = new Float64Array(9);
export const U = new Float64Array(9);
export const sigma = new Float64Array(3);
const V = new Float64Array(9);
const Axr = new Float64Array(9);
const Arr = new Float64Array(9);
const inverse = new Float64Array(9);
const P = new Float64Array(9);
const Q = new Float64Array(9);
const elastic = new Float64Array(9);

/** Centre of a draft's cluster where its members are now, and where they are in its rest frame. */
export function centreOf(s: Views, draft: Draft, firstParticle: number, c: number): void {
  centre.fill(0);
  restCentre.fill(0);
  let mass = 0;
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const k = draft.members[m];
    const o = 4 * (firstParticle + draft.particleFrom[draft.particle[k]]);
    mass += draft.member[4 * k + 3];
    for (let a = 0; a < 3; a++) {
      centre[a] += draft.member[4 * k + 3] * s.x[o + a];
      restCentre[a] += draft.member[4 * k + 3] * draft.member[4 * k + a];
    }
  }
  for (let a = 0; a < 3; a++) {
    centre[a] /= mass;
    restCentre[a] /= mass;
  }
}

/** The deformation of a draft's cluster, without what is plastic in it; `row` is the cluster that it came from. */
export function strainOf(s: Views, draft: Draft, firstParticle: number, c: number, row: number): void {
  centreOf(s, draft, firstParticle, c);
  Axr.fill(0);
  Arr.fill(0);
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const k = draft.members[m];
    const o = 4 * (firstParticle + draft.particleFrom[draft.particle[k]]);
    for (let b = 0; b < 3; b++) {
      const p = draft.member[4 * k + 3] * (draft.member[4 * k + b] - restCentre[b]);
      for (let a = 0; a < 3; a++) {
        Axr[3 * b + a] += p * (s.x[o + a] - centre[a]);
        Arr[3 * b + a] += p * (draft.member[4 * k + a] - restCentre[a]);
      }
    }
  }
  pseudoInverseInto(inverse, 0, Arr);
  multiplyInto(F, Axr, inverse);
  decompose(s, row);
}

/** The same of a cluster as it is in the state. */
export function strainInState(s: Views, row: number): void {
  sumMatch(s, row);
  centre.set(sumCentre);
  restCentre.fill(0);
  multiplyInto(F, A, s.restInverse.subarray(9 * row, 9 * row + 9));
  decompose(s, row);
}

/** F^e = F F^p⁻¹ = U Σ Vᵀ. F^p is symmetric and of determinant 1: its cofactors are its inverse. */
function decompose(s: Views, row: number): void {
  P.set(s.plastic.subarray(9 * row, 9 * row + 9));
  cofactorsInto(Q, P);
  multiplyInto(elastic, F, Q);
  svdInto(U, sigma, V, elastic);
}
