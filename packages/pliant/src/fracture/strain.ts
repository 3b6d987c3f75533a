import { MatchSums, sumMatch } from '../kernels/ts/match.js';
import { cofactorsInto, multiplyInto } from '../math/mat3.js';
import { svdInto } from '../math/svd.js';
import { Fit } from '../state/coarseRow.js';
import type { Views } from '../state/layout.js';
import { pseudoInverseInto } from '../state/members.js';
import type { TopologyDraft } from '../topology/topologyDraft.js';

/**
 * Deformation of one cluster: its centre now and at rest, F, and F^e = U Σ Vᵀ. Each caller owns one, which the
 * functions here fill.
 */
export class Strain {
  readonly centre = new Float64Array(3);
  readonly restCentre = new Float64Array(3);
  readonly F = new Float64Array(9);
  readonly U = new Float64Array(9);
  readonly sigma = new Float64Array(3);
}

const sums = new MatchSums();
const V = new Float64Array(9);
const Axr = new Float64Array(9);
const Arr = new Float64Array(9);
const inverse = new Float64Array(9);
const P = new Float64Array(9);
const Q = new Float64Array(9);
const elastic = new Float64Array(9);

/** Centres of a draft's cluster: of the present positions of its members, and of their rest offsets. */
export function centreOf(
  { centre, restCentre }: Strain,
  s: Views,
  draft: TopologyDraft,
  firstParticle: number,
  c: number,
): void {
  const { x } = s;
  let mass = 0;
  let [cx, cy, cz] = [0, 0, 0];
  let [px, py, pz] = [0, 0, 0];
  if (draft.changed[c] === 0) {
    // The memberships are still those of the state, one behind the other, and copies are where their particles are.
    const { member, memberParticle } = s;
    const last = draft.base + draft.memberLast[c];
    for (let k = draft.base + draft.memberFirst[c]; k < last; k++) {
      const m = 4 * k;
      const o = 4 * memberParticle[k];
      const mw = member[m + 3];
      mass += mw;
      cx += mw * x[o];
      cy += mw * x[o + 1];
      cz += mw * x[o + 2];
      px += mw * member[m];
      py += mw * member[m + 1];
      pz += mw * member[m + 2];
    }
  } else {
    draft.hold(c);
    const { member, members, particle, particleFrom } = draft;
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
  }
  centre[0] = cx / mass;
  centre[1] = cy / mass;
  centre[2] = cz / mass;
  restCentre[0] = px / mass;
  restCentre[1] = py / mass;
  restCentre[2] = pz / mass;
}

/** F and F^e of a draft's cluster; `row` is the cluster that it came from, whose F^p it has. */
export function strainOf(
  out: Strain,
  s: Views,
  draft: TopologyDraft,
  firstParticle: number,
  c: number,
  row: number,
): void {
  deformationOf(out, s, draft, firstParticle, c);
  decompose(out, s, row);
}

/** F and the centres of a draft's cluster. */
export function deformationOf(out: Strain, s: Views, draft: TopologyDraft, firstParticle: number, c: number): void {
  centreOf(out, s, draft, firstParticle, c);
  draft.hold(c);
  for (let b = 0; b < 3; b++) sumColumn(out, s, draft, firstParticle, c, b);
  pseudoInverseInto(inverse, 0, Arr);
  multiplyInto(out.F, Axr, inverse);
}

/** Column b of A_xr and A_rr of a draft's cluster. One column at a time keeps the sums in registers. */
function sumColumn(
  { centre, restCentre }: Strain,
  { x }: Views,
  draft: TopologyDraft,
  firstParticle: number,
  c: number,
  b: number,
): void {
  const { member, members, particle, particleFrom } = draft;
  const [cx, cy, cz] = [centre[0], centre[1], centre[2]];
  const [rx, ry, rz] = [restCentre[0], restCentre[1], restCentre[2]];
  const from = restCentre[b];
  const last = draft.memberLast[c];
  let ax = 0;
  let ay = 0;
  let az = 0;
  let px = 0;
  let py = 0;
  let pz = 0;
  for (let m = draft.memberFirst[c]; m < last; m++) {
    const k = 4 * members[m];
    const o = 4 * (firstParticle + particleFrom[particle[members[m]]]);
    const p = member[k + 3] * (member[k + b] - from);
    ax += p * (x[o] - cx);
    ay += p * (x[o + 1] - cy);
    az += p * (x[o + 2] - cz);
    px += p * (member[k] - rx);
    py += p * (member[k + 1] - ry);
    pz += p * (member[k + 2] - rz);
  }
  Axr[3 * b] = ax;
  Axr[3 * b + 1] = ay;
  Axr[3 * b + 2] = az;
  Arr[3 * b] = px;
  Arr[3 * b + 1] = py;
  Arr[3 * b + 2] = pz;
}

/** F and F^e of a cluster of the state. */
export function strainInState(out: Strain, s: Views, row: number): void {
  deformationInState(out, s, row);
  decompose(out, s, row);
}

/** F and the centre of a cluster of the state. */
export function deformationInState({ centre, restCentre, F }: Strain, s: Views, row: number): void {
  sumMatch(sums, s, row);
  centre.set(sums.centre);
  restCentre.fill(0);
  for (let k = 0; k < 9; k++) inverse[k] = s.restInverse[9 * row + k];
  multiplyInto(F, sums.A, inverse);
}

/** F and the centre of a cluster of the state, from the sums that the kernel sumClusters left. */
export function deformationFromSums(
  { centre, restCentre, F }: Strain,
  { sums, restInverse }: Views,
  row: number,
): void {
  const from = Fit.SUMS * row;
  for (let k = 0; k < 9; k++) {
    Axr[k] = sums[from + Fit.A + k];
    inverse[k] = restInverse[9 * row + k];
  }
  for (let a = 0; a < 3; a++) centre[a] = sums[from + Fit.CENTRE + a];
  restCentre.fill(0);
  multiplyInto(F, Axr, inverse);
}

/** F^e = F F^p⁻¹ = U Σ Vᵀ. F^p is symmetric and has determinant 1, so its cofactor matrix is its inverse. */
function decompose({ F, U, sigma }: Strain, s: Views, row: number): void {
  P.set(s.plastic.subarray(9 * row, 9 * row + 9));
  cofactorsInto(Q, P);
  multiplyInto(elastic, F, Q);
  svdInto(U, sigma, V, elastic);
}
