import type { Views } from '../state/layout.js';
import { pseudoInverseInto } from '../state/members.js';
import type { Rows } from '../state/rows.js';

/**
 * The coarser levels of a body, outside the state. A coarse cluster holds clusters of the level below, not particles.
 * The weight of a particle in it is w_iC = Σ_c w_ic W_cC. So the weights of a particle sum to 1 in every level, copies
 * of particles and halves of clusters inherit them, and sums over the particles of a coarse cluster are sums over a few
 * clusters.
 */
export interface Hierarchy {
  /** Level of each coarse cluster, 1 or more, ascending. */
  level: Uint32Array;
  /** Ties, in any order. The child is a cluster where the parent is of level 1, else a coarse cluster. */
  child: Uint32Array;
  parent: Uint32Array;
  /** Weight W of each tie; those of a child sum to 1. */
  weight: Float64Array;
  /** Matrix H by columns, and position q of the child's centre in the parent's rest shape: twelve numbers a tie. */
  rest: Float64Array;
}

export const sizeOf = (hierarchy: Hierarchy | undefined) => ({
  coarse: hierarchy?.level.length ?? 0,
  ties: hierarchy?.child.length ?? 0,
});

/** Number of levels of a body, the finest included. */
export const levelsOf = ({ level }: Pick<Hierarchy, 'level'>) => (level.length > 0 ? level[level.length - 1] + 1 : 1);

/** Writes the levels into a body's rows. This is the one place where ties are laid out, by parent and by child. */
export function layOutHierarchy(s: Views, rows: Rows, hierarchy: Hierarchy | undefined): void {
  const { clusterStart, clusterEnd, coarseStart, coarseEnd, tieStart } = rows;
  s.parentTies.fill(0, 2 * clusterStart, 2 * clusterEnd);
  if (!hierarchy) return;
  const { level, child, parent, weight, rest } = hierarchy;
  s.coarseLevel.set(level, coarseStart);
  const byHolder = group(s.coarseChildTies, coarseStart, coarseEnd - coarseStart, parent, everyTie, 0);
  byHolder.forEach((k, n) => {
    const t = tieStart + n;
    s.tieChild[t] = child[k];
    s.tieParent[t] = parent[k];
    s.tieWeight[t] = weight[k];
    s.tieRest.set(rest.subarray(12 * k, 12 * k + 12), 12 * t);
  });
  const held = s.tieChild.subarray(tieStart, tieStart + child.length);
  const isFine = (t: number) => s.coarseLevel[coarseStart + s.tieParent[tieStart + t]] === 1;
  const fine = group(s.parentTies, clusterStart, clusterEnd - clusterStart, held, isFine, 0);
  s.tiesByChild.set(fine, tieStart);
  const above = group(s.coarseParentTies, coarseStart, coarseEnd - coarseStart, held, (t) => !isFine(t), fine.length);
  s.tiesByChild.set(above, tieStart + fine.length);
  describeCoarse(s, rows);
}

const everyTie = () => true;

/** Sorts the wanted ties by owner. Writes where each owner's ties begin and end, counted from `base`, into `runs`. */
function group(
  runs: Uint32Array,
  first: number,
  owners: number,
  ownerOf: Uint32Array,
  wanted: (tie: number) => boolean,
  base: number,
): Uint32Array {
  const next = new Uint32Array(owners + 1);
  for (let t = 0; t < ownerOf.length; t++) if (wanted(t)) next[ownerOf[t] + 1]++;
  for (let k = 0; k < owners; k++) {
    runs[2 * (first + k)] = base + next[k];
    next[k + 1] += next[k];
    runs[2 * (first + k) + 1] = base + next[k + 1];
  }
  const order = new Uint32Array(next[owners]);
  for (let t = 0; t < ownerOf.length; t++) if (wanted(t)) order[next[ownerOf[t]]++] = t;
  return order;
}

/** Copies a body's levels out of the state; undefined if it has none. */
export function takeHierarchy(s: Views, { coarseStart, coarseEnd, tieStart, tieEnd }: Rows): Hierarchy | undefined {
  if (coarseStart === coarseEnd) return undefined;
  return {
    level: s.coarseLevel.slice(coarseStart, coarseEnd),
    child: s.tieChild.slice(tieStart, tieEnd),
    parent: s.tieParent.slice(tieStart, tieEnd),
    weight: s.tieWeight.slice(tieStart, tieEnd),
    rest: s.tieRest.slice(12 * tieStart, 12 * tieEnd),
  };
}

/**
 * Computes mass, centre and A_rr of every coarse cluster from those of its children, level after level: M = Σ W M_c,
 * A_rr = Σ W (H A_c Hᵀ + M_c q qᵀ). Positions q are moved to the centre of mass. Runs when a body is built, when its
 * clusters change, and when it has flowed.
 */
export function describeCoarse(s: Views, rows: Rows): void {
  for (let c = rows.coarseStart; c < rows.coarseEnd; c++) describeOne(s, rows, c);
}

/** Computes those of one coarse cluster, whose children are already described. */
export function describeOne(s: Views, rows: Rows, c: number): void {
  recentre(s, rows, c);
  moment.fill(0);
  for (let t = rows.tieStart + s.coarseChildTies[2 * c]; t < rows.tieStart + s.coarseChildTies[2 * c + 1]; t++)
    addMoment(s, rows, c, t);
  s.coarseMoment.set(moment, 9 * c);
  pseudoInverseInto(s.coarseInverse, 9 * c, moment);
}
const moment = new Float64Array(9);
const inner = new Float64Array(9);
const shift = new Float64Array(3);

/** Mass of the child of tie t (kg). */
const massOf = (s: Views, { clusterStart, coarseStart }: Rows, c: number, t: number) =>
  s.coarseLevel[c] === 1 ? s.clusterMass[clusterStart + s.tieChild[t]] : s.coarseMass[coarseStart + s.tieChild[t]];

/** Moves the positions q so that Σ W M q = 0, and updates the position of this centre in its parents. */
function recentre(s: Views, rows: Rows, c: number): void {
  const { tieStart } = rows;
  const [first, last] = [tieStart + s.coarseChildTies[2 * c], tieStart + s.coarseChildTies[2 * c + 1]];
  let mass = 0;
  shift.fill(0);
  for (let t = first; t < last; t++) {
    const m = s.tieWeight[t] * massOf(s, rows, c, t);
    mass += m;
    for (let a = 0; a < 3; a++) shift[a] += m * s.tieRest[12 * t + 9 + a];
  }
  s.coarseMass[c] = mass;
  for (let a = 0; a < 3; a++) shift[a] /= mass;
  for (let t = first; t < last; t++) for (let a = 0; a < 3; a++) s.tieRest[12 * t + 9 + a] -= shift[a];
  for (let n = tieStart + s.coarseParentTies[2 * c]; n < tieStart + s.coarseParentTies[2 * c + 1]; n++) {
    const o = 12 * (tieStart + s.tiesByChild[n]);
    for (let a = 0; a < 3; a++)
      s.tieRest[o + 9 + a] +=
        s.tieRest[o + a] * shift[0] + s.tieRest[o + 3 + a] * shift[1] + s.tieRest[o + 6 + a] * shift[2];
  }
}

/** moment += W (H A_c Hᵀ + M_c q qᵀ) of one tie of coarse cluster c. */
function addMoment(s: Views, rows: Rows, c: number, t: number): void {
  const H = s.tieRest.subarray(12 * t, 12 * t + 9);
  const q = s.tieRest.subarray(12 * t + 9, 12 * t + 12);
  const W = s.tieWeight[t];
  const m = W * massOf(s, rows, c, t);
  if (s.coarseLevel[c] === 1) {
    const o = 6 * (rows.clusterStart + s.tieChild[t]);
    for (let k = 0; k < 9; k++) inner[k] = s.restMoment[o + SYMMETRIC[k]];
  } else {
    const o = 9 * (rows.coarseStart + s.tieChild[t]);
    for (let k = 0; k < 9; k++) inner[k] = s.coarseMoment[o + k];
  }
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) sum += H[3 * a + i] * inner[3 * b + a] * H[3 * b + j];
      moment[3 * j + i] += W * sum + m * q[i] * q[j];
    }
}
/** Index of each entry of a matrix by columns within xx yy zz xy xz yz. */
const SYMMETRIC = [0, 3, 4, 3, 1, 5, 4, 5, 2];
