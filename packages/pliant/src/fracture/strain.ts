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
export function centreOf({ x }: Views, draft: Draft, firstParticle: number, c: number): void {
  const { member, members, particle, particleFrom } = draft;
  let mass = 0;
  let [cx, cy, cz] = [0, 0, 0];
  let [px, py, pz] = [0, 0, 0];
  const last = draft.memberLast[c];
  for (let n = draft.memberFirst[c]; n < last; n++) {
    const m = 4 * members[n];
    const o = 4 * (firstParticle + particleFrom[particle[members[n]]]);
    const mw = member[m + 3];
    mass += mw;
    cx += mw * x[o];
    cy += mw * x[o + 1];
    cz += mw * x[o + 2];
    px += mw * member[m];
    py += mw * member[m + 1];
    pz += mw * member[m + 2];
  }
  centre[0] = cx / mass;
  centre[1] = cy / mass;
  centre[2] = cz / mass;
  restCentre[0] = px / mass;
  restCentre[1] = py / mass;
  restCentre[2] = pz / mass;
}

/** The deformation of a draft's cluster, without what is plastic in it; `row` is the cluster that it came from. */
export function strainOf(s: Views, draft: Draft, firstParticle: number, c: number, row: number): void {
  centreOf(s, draft, firstParticle, c);
  const { member, members, particle, particleFrom } = draft;
  Axr.fill(0);
  Arr.fill(0);
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const k = members[m];
    const o = 4 * (firstParticle + particleFrom[particle[k]]);
    const [x, y, z] = [s.x[o] - centre[0], s.x[o + 1] - centre[1], s.x[o + 2] - centre[2]];
    const px = member[4 * k] - restCentre[0];
    const py = member[4 * k + 1] - restCentre[1];
    const pz = member[4 * k + 2] - restCentre[2];
    for (let b = 0; b < 3; b++) {
      const p = member[4 * k + 3] * (b === 0 ? px : b === 1 ? py : pz);
      Axr[3 * b] += p * x;
      Axr[3 * b + 1] += p * y;
      Axr[3 * b + 2] += p * z;
      Arr[3 * b] += p * px;
      Arr[3 * b + 1] += p * py;
      Arr[3 * b + 2] += p * pz;
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
