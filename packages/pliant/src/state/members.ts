import { squared } from '../math/elementary.js';
import { cofactorsInto, determinant } from '../math/mat3.js';
import { svdInto } from '../math/svd.js';
import { Scratch } from '../scratch.js';
import { describeGoals } from './bend.js';
import { describeElasticity } from './elasticity.js';
import { MemberBlock } from './fields.js';
import type { Views } from './layout.js';
import type { Rows } from './rows.js';

/**
 * Memberships of a body before they are written to the state, by cluster. Particles are numbered from the body's first.
 */
export interface Members {
  /** Cluster c has the memberships order[start[c]] … order[start[c + 1] − 1]. */
  start: Uint32Array;
  order: Uint32Array;
  particle: Uint32Array;
  /**
   * Rest position of the member (m), relative to any point common to the members of the cluster, and m·w (kg): four
   * numbers each.
   */
  member: Float32Array | Float64Array;
  /** As in the state: four numbers each. */
  outward: Float32Array;
  /**
   * Per cluster: 0 if its rows are written already and stay as they are, to the last bit. If this is missing, all
   * clusters are new.
   */
  changed?: Uint8Array;
  /**
   * Given if only the owners of memberships changed and not their number: unchanged rows then move in runs, in both
   * orders.
   */
  rewrite?: LinkRewrite;
}

/** Changes of a body's particles. Memberships, clusters and particles are numbered from the body's first. */
export interface LinkRewrite {
  /** Number of particles before the change. */
  particles: number;
  /**
   * Particles whose links are rewritten, each once: copies, the particles they were copied from, and all members of
   * clusters that changed.
   */
  touched: readonly number[];
  /** Memberships of those: links[linkFirst[i]] … links[linkLast[i] − 1]. */
  links: Uint32Array;
  linkFirst: Uint32Array;
  linkLast: Uint32Array;
  /** Cluster of a membership. */
  cluster: Uint32Array;
}

/**
 * A cluster is flat (a sheet of one layer, a line) if A_rr has an eigenvalue this far below its largest. That is a
 * thickness of 1e-5 of its extent, which f32 positions do not distinguish from 0. F is undetermined in that direction;
 * the rotation completes it.
 */
const FLAT = 1e-10;
/** Numbers that describeSums takes. */
export const MEMBER_SUMS = 11;
/** Determinant, in cubes of the mean eigenvalue, above which no direction is that flat. */
const ROUND = 1e-4;

/**
 * Writes memberships into a body's rows, from `base` on. This is the only place that writes them in both orders.
 * Offsets become relative to each cluster's centre of mass. Returns these centres, relative to the offsets given, three
 * numbers a cluster.
 */
export function layOutMembers(
  s: Views,
  rows: Rows,
  base: number,
  members: Members,
  masses: ArrayLike<number>,
  gamma: number,
): Float64Array {
  const { start } = members;
  if (places.length < members.member.length / 4) places = new Uint32Array(members.member.length / 4);
  const clusters = start.length - 1;
  const centres = new Float64Array(3 * clusters);
  for (let c = 0; c <= clusters; c++) s.memberStart[rows.clusterStart + c] = base + start[c];
  for (let c = 0; c < clusters; c++) {
    const row = rows.clusterStart + c;
    if (isNew(members, c)) {
      const centre = centres.subarray(3 * c, 3 * c + 3);
      centreInto(centre, members, c);
      writeMembers(s, rows, members, c, centre);
      describeCluster(s, row, gamma);
      boundSurfaceMembers(s, row);
    } else if (members.rewrite) {
      let last = c + 1;
      while (last < clusters && isNextInRun(members, last)) last++;
      moveMembers(s, rows, base, members, c, last);
      c = last - 1;
    } else {
      copyMembers(s, rows, members, c);
      boundSurfaceMembers(s, row);
    }
  }
  if (members.rewrite) rewriteTouchedLinks(s, rows, base, members, masses);
  else layOutLinks(s, rows, base, masses);
  return centres;
}

const isNew = ({ changed }: Members, c: number) => changed?.[c] !== 0;

/** Weighted centre of mass of a cluster at rest: Σ m w X / Σ m w. */
function centreInto(out: Float64Array, { start, order, member }: Members, c: number): void {
  let [sum, x, y, z] = [0, 0, 0, 0];
  for (let n = start[c]; n < start[c + 1]; n++) {
    const o = 4 * order[n];
    const mw = member[o + 3];
    sum += mw;
    x += mw * member[o];
    y += mw * member[o + 1];
    z += mw * member[o + 2];
  }
  out[0] = x / sum;
  out[1] = y / sum;
  out[2] = z / sum;
}

/**
 * Writes the members of a cluster: the one nearest the centre first (kernels sum relative to it), then those on the
 * surface, then the others; each group in the given order.
 */
function writeMembers(s: Views, rows: Rows, members: Members, c: number, centre: Float64Array): void {
  const { start, order, member, outward } = members;
  let middle = order[start[c]];
  let least = Number.POSITIVE_INFINITY;
  const last = start[c + 1];
  for (let n = start[c]; n < last; n++) {
    const o = 4 * order[n];
    const d = squared(member[o] - centre[0]) + squared(member[o + 1] - centre[1]) + squared(member[o + 2] - centre[2]);
    if (d < least) {
      least = d;
      middle = order[n];
    }
  }
  const first = s.memberStart[rows.clusterStart + c];
  const sorted = sortedRoom.take(last - start[c]);
  let skin = 0;
  sorted[skin++] = middle;
  for (let n = start[c]; n < last; n++)
    if (order[n] !== middle && outward[4 * order[n] + 3] >= 0) sorted[skin++] = order[n];
  s.surfaceEnd[rows.clusterStart + c] = first + skin;
  for (let n = start[c]; n < last; n++)
    if (order[n] !== middle && outward[4 * order[n] + 3] < 0) sorted[skin++] = order[n];
  writeSorted(s, rows, members, sorted, centre, first);
}
const sortedRoom = new Scratch();

/**
 * Writes members that are in order already: the middle first, then those on the surface. Only their particles may have
 * changed.
 */
function copyMembers(s: Views, rows: Rows, { start, order, particle, member, outward }: Members, c: number): void {
  const [first, last] = [start[c], start[c + 1]];
  const at = s.memberStart[rows.clusterStart + c];
  const k = order[first];
  s.member.set(member.subarray(4 * k, 4 * (k + last - first)), 4 * at);
  s.outward.set(outward.subarray(4 * k, 4 * (k + last - first)), 4 * at);
  for (let n = 0; n < last - first; n++) s.memberParticle[at + n] = rows.particleStart + particle[k + n];
  let end = at + 1;
  while (end < at + last - first && s.outward[4 * end + 3] >= 0) end++;
  s.surfaceEnd[rows.clusterStart + c] = end;
}

/** Whether cluster c did not change, and its members lie in the state right behind those of the cluster before it. */
function isNextInRun(members: Members, c: number): boolean {
  const { start, order } = members;
  return !isNew(members, c) && order[start[c]] === order[start[c - 1]] + start[c] - start[c - 1];
}

/**
 * The same for the members of clusters [c, last) that still lie in the state, at or after their new rows: clusters before them only lost members. They are a run there.
 */
function moveMembers(s: Views, rows: Rows, base: number, { start, order }: Members, c: number, last: number): void {
  const [from, at, count] = [base + order[start[c]], base + start[c], start[last] - start[c]];
  if (from === at) return;
  s.memberParticle.copyWithin(at, from, from + count);
  s.member.copyWithin(4 * at, 4 * from, 4 * (from + count));
  s.outward.copyWithin(4 * at, 4 * from, 4 * (from + count));
  s.surfaceBox.copyWithin(at, from, from + count);
  for (let row = rows.clusterStart + c; row < rows.clusterStart + last; row++) s.surfaceEnd[row] -= from - at;
}

/** Writes memberships in the order given, from row `first` on. */
function writeSorted(
  { memberParticle, member: rest, outward: look }: Views,
  { particleStart }: Rows,
  { particle, member, outward }: Members,
  sorted: Uint32Array,
  [x, y, z]: Float64Array,
  first: number,
): void {
  for (let n = 0; n < sorted.length; n++) {
    const k = sorted[n];
    const from = 4 * k;
    const o = 4 * (first + n);
    places[k] = first + n;
    memberParticle[first + n] = particleStart + particle[k];
    rest[o] = member[from] - x;
    rest[o + 1] = member[from + 1] - y;
    rest[o + 2] = member[from + 2] - z;
    rest[o + 3] = member[from + 3];
    look[o] = outward[from];
    look[o + 1] = outward[from + 1];
    look[o + 2] = outward[from + 2];
    look[o + 3] = outward[from + 3];
  }
}

/**
 * Writes mass, A_rr⁻¹ and width of one cluster, computed from the stored f32 values, which are those that the kernels
 * read.
 */
export function describeCluster(s: Views, row: number, gamma: number): void {
  const { member } = s;
  const last = 4 * s.memberStart[row + 1];
  const sums = sumsRoom;
  let mass = 0;
  let widest = 0;
  let sx = 0;
  let sy = 0;
  let sz = 0;
  let xx = 0;
  let yy = 0;
  let zz = 0;
  let xy = 0;
  let xz = 0;
  let yz = 0;
  for (let o = 4 * s.memberStart[row]; o < last; o += 4) {
    const x = member[o];
    const y = member[o + 1];
    const z = member[o + 2];
    const mw = member[o + 3];
    const wx = mw * x;
    const wy = mw * y;
    const wz = mw * z;
    mass += mw;
    widest = Math.max(widest, x * x + y * y + z * z);
    sx += wx;
    sy += wy;
    sz += wz;
    xx += wx * x;
    yy += wy * y;
    zz += wz * z;
    xy += wx * y;
    xz += wx * z;
    yz += wy * z;
  }
  sums[0] = mass;
  sums[1] = widest;
  sums[2] = sx;
  sums[3] = sy;
  sums[4] = sz;
  sums[5] = xx;
  sums[6] = yy;
  sums[7] = zz;
  sums[8] = xy;
  sums[9] = xz;
  sums[10] = yz;
  describeSums(s, row, gamma, sums, 0);
}
const sumsRoom = new Float64Array(MEMBER_SUMS);

/** The same from the sums over the members: mass, the largest square of a distance, first moments, and second moments xx yy zz xy xz yz, from sums[o] on. `beyond`: as in describeElasticity. */
export function describeSums(
  s: Views,
  row: number,
  gamma: number,
  sums: Float64Array,
  o: number,
  beyond?: Float64Array,
  at?: number,
): void {
  const mass = sums[o];
  s.clusterMass[row] = mass;
  s.restShift[3 * row] = sums[o + 2] / mass;
  s.restShift[3 * row + 1] = sums[o + 3] / mass;
  s.restShift[3 * row + 2] = sums[o + 4] / mass;
  s.width[row] = Math.sqrt(sums[o + 1]);
  s.limit[row] = gamma * s.width[row];
  for (let k = 0; k < 6; k++) s.restMoment[6 * row + k] = sums[o + 5 + k];
  moment[0] = sums[o + 5];
  moment[4] = sums[o + 6];
  moment[8] = sums[o + 7];
  moment[1] = moment[3] = sums[o + 8];
  moment[2] = moment[6] = sums[o + 9];
  moment[5] = moment[7] = sums[o + 10];
  pseudoInverseInto(s.restInverse, 9 * row, moment);
  describeElasticity(s, row, beyond, at);
  describeGoals(s, row);
}
const moment = new Float64Array(9);

/** Pseudo-inverse of a symmetric positive semi-definite matrix: directions without extent stay 0. */
export function pseudoInverseInto(out: Float64Array, at: number, m: Float64Array): void {
  // Most matrices are far from flat: their inverse is cofactors/determinant.
  const det = determinant(m);
  const mean = (m[0] + m[4] + m[8]) / 3;
  if (det > ROUND * mean * mean * mean) {
    cofactorsInto(U, m);
    for (let k = 0; k < 9; k++) out[at + k] = U[k] / det;
    return;
  }
  svdInto(U, sigma, V, m);
  out.fill(0, at, at + 9);
  for (let k = 0; k < 3; k++)
    if (Math.abs(sigma[k]) > FLAT * sigma[0])
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) out[at + 3 * b + a] += (V[3 * k + a] * U[3 * k + b]) / sigma[k];
}
const U = new Float64Array(9);
const sigma = new Float64Array(3);
const V = new Float64Array(9);

/**
 * Shifts the bounds below to another origin in the cluster's rest frame. Rounding leaves an error of some 1e-7 of a
 * spacing.
 */
export function moveSurfaceMembers(
  { surfaceBox, memberStart, surfaceEnd }: Views,
  row: number,
  by: ArrayLike<number>,
): void {
  const [first, last] = [memberStart[row], surfaceEnd[row]];
  if (last - first < MemberBlock.LEAST) return;
  for (let m = first; m < last; m += MemberBlock.SIZE) {
    const o = first + ((m - first) / MemberBlock.SIZE) * MemberBlock.BOX;
    for (let a = 0; a < 3; a++) {
      surfaceBox[o + a] -= by[a];
      surfaceBox[o + 4 + a] -= by[a];
    }
  }
}

/** Bounds of every block of members up to the last on the surface, by which the patch of a contact is found. */
function boundSurfaceMembers({ surfaceBox, member, memberStart, surfaceEnd }: Views, row: number): void {
  const [first, last] = [memberStart[row], surfaceEnd[row]];
  // Unused entries are set to 0, so that equal bodies have equal states, whatever their history.
  surfaceBox.fill(0, first, memberStart[row + 1]);
  if (last - first < MemberBlock.LEAST) return;
  for (let m = first; m < last; m += MemberBlock.SIZE) {
    const o = first + ((m - first) / MemberBlock.SIZE) * MemberBlock.BOX;
    const past = 4 * Math.min(m + MemberBlock.SIZE, last);
    for (let a = 0; a < 3; a++) {
      let low = member[4 * m + a];
      let high = low;
      for (let k = 4 * m + 4 + a; k < past; k += 4) {
        const value = member[k];
        if (value < low) low = value;
        else if (value > high) high = value;
      }
      surfaceBox[o + a] = low;
      surfaceBox[o + 4 + a] = high;
    }
  }
}

/**
 * Number of particles that are sorted by their number of links at a time. It is large enough for long runs of equal
 * length, which the branch predictor needs. It is small enough for the positions and velocities (48 bytes each) to stay
 * in the L1 cache while they are visited once per number of links.
 */
export const GATHER_BLOCK = 4096;

const linksRoom = new Scratch();
const nextRoom = new Scratch();
const orderRoom = new Scratch();

/**
 * Writes the particle-major transpose of the members just written, in gather order, clusters ascending within a
 * particle.
 */
function layOutLinks(s: Views, rows: Rows, base: number, masses: ArrayLike<number>): void {
  const { particleStart, particleEnd, clusterStart, clusterEnd } = rows;
  const particles = particleEnd - particleStart;
  const links = linksRoom.takeZeros(particles);
  const [first, last] = [s.memberStart[clusterStart], s.memberStart[clusterEnd]];
  for (let k = first; k < last; k++) links[s.memberParticle[k] - particleStart]++;
  const order = gatherOrder(links);
  // Row of the next link of each particle.
  const next = nextRoom.take(particles);
  let end = base;
  for (let n = 0; n < particles; n++) {
    const i = order[n];
    s.gatherOrder[particleStart + n] = particleStart + i;
    s.gatherRank[particleStart + i] = particleStart + n;
    s.linkStart[particleStart + n] = end;
    next[i] = end;
    end += links[i];
  }
  s.linkStart[particleEnd] = end;
  writeLinks(s, rows, masses, next);
}

/** Writes the links. next[i] is the row of the next link of particle i and is advanced. */
function writeLinks(
  { member, memberParticle, memberStart, link, linkCluster }: Views,
  { particleStart, clusterStart, clusterEnd }: Rows,
  masses: ArrayLike<number>,
  next: Uint32Array,
): void {
  for (let c = clusterStart; c < clusterEnd; c++) {
    const past = memberStart[c + 1];
    for (let k = memberStart[c]; k < past; k++) {
      const i = memberParticle[k] - particleStart;
      const at = next[i]++;
      const o = 4 * at;
      const m = 4 * k;
      linkCluster[at] = c;
      link[o] = member[m];
      link[o + 1] = member[m + 1];
      link[o + 2] = member[m + 2];
      link[o + 3] = member[m + 3] / masses[i];
    }
  }
}

/**
 * The same if most links do not change: they move in runs, and only links of touched particles are written. Particles
 * keep their ranks and copies come last, so that after many copies the order by number of links is only approximate.
 */
function rewriteTouchedLinks(s: Views, rows: Rows, base: number, members: Members, masses: ArrayLike<number>): void {
  const { particleStart, particleEnd } = rows;
  const { particles, touched, linkFirst, linkLast } = members.rewrite!;
  const { gatherOrder, gatherRank, linkStart, link, linkCluster } = s;
  const past = particleStart + particles;
  const behind = s.memberStart[rows.clusterEnd];
  // Places of the particles that have fewer links than before, in gather order.
  const fewer = fewerRoom.take(touched.length);
  let places = 0;
  for (const i of touched) {
    if (i >= particles) continue;
    const n = gatherRank[particleStart + i];
    const end = n + 1 < past ? linkStart[n + 1] : behind;
    if (end - linkStart[n] !== linkLast[i] - linkFirst[i]) fewer[places++] = n;
  }
  fewer.subarray(0, places).sort();
  // A run of links that all move down by `gap`: those of the particles from rank `first` on.
  let [gap, first, from] = [0, particleStart, base];
  const move = (n: number, to: number) => {
    if (gap === 0) return;
    link.copyWithin(4 * (from - gap), 4 * from, 4 * to);
    linkCluster.copyWithin(from - gap, from, to);
    for (let r = first; r < n; r++) linkStart[r] -= gap;
  };
  for (let k = 0; k < places; k++) {
    const n = fewer[k];
    const i = gatherOrder[n] - particleStart;
    const [at, end] = [linkStart[n], n + 1 < past ? linkStart[n + 1] : behind];
    move(n + 1, at);
    gap += end - at - (linkLast[i] - linkFirst[i]);
    [first, from] = [n + 1, end];
  }
  move(past, behind);
  let end = behind - gap;
  for (let n = past; n < particleEnd; n++) {
    gatherOrder[n] = gatherRank[n] = n;
    linkStart[n] = end;
    end += linkLast[n - particleStart] - linkFirst[n - particleStart];
  }
  linkStart[particleEnd] = end;
  for (const i of touched) rewriteLinks(s, rows, base, members, i, masses[i]);
}
const fewerRoom = new Scratch();

/** Writes all links of one particle, by ascending cluster, and its number into its memberships. */
function rewriteLinks(s: Views, rows: Rows, base: number, members: Members, i: number, mass: number): void {
  const { links, linkFirst, linkLast, cluster } = members.rewrite!;
  const [first, last] = [linkFirst[i], linkLast[i]];
  for (let n = first + 1; n < last; n++) {
    const k = links[n];
    let m = n;
    for (; m > first && cluster[links[m - 1]] > cluster[k]; m--) links[m] = links[m - 1];
    links[m] = k;
  }
  let at = s.linkStart[s.gatherRank[rows.particleStart + i]];
  for (let n = first; n < last; n++, at++) {
    const c = cluster[links[n]];
    const k = isNew(members, c)
      ? places[links[n]]
      : base + members.start[c] + links[n] - members.order[members.start[c]];
    s.memberParticle[k] = rows.particleStart + i;
    s.linkCluster[at] = rows.clusterStart + c;
    for (let a = 0; a < 3; a++) s.link[4 * at + a] = s.member[4 * k + a];
    s.link[4 * at + 3] = s.member[4 * k + 3] / mass;
  }
}

/** Rows of the memberships of clusters that changed. */
let places = new Uint32Array(0);

/** The link of a particle to one of its clusters, by linear search: a particle has few. */
export function linkOf({ gatherRank, linkStart, linkCluster }: Views, i: number, c: number): number {
  let l = linkStart[gatherRank[i]];
  while (linkCluster[l] !== c) l++;
  return l;
}

/** Order by number of links within each block, then by particle number. */
function gatherOrder(links: Uint32Array): Uint32Array {
  const order = orderRoom.take(links.length);
  let most = 0;
  for (let i = 0; i < links.length; i++) most = Math.max(most, links[i]);
  const next = new Uint32Array(most + 2);
  for (let block = 0; block < links.length; block += GATHER_BLOCK) {
    const end = Math.min(block + GATHER_BLOCK, links.length);
    next.fill(0);
    for (let i = block; i < end; i++) next[links[i] + 1]++;
    for (let n = 0; n <= most; n++) next[n + 1] += next[n];
    for (let i = block; i < end; i++) order[block + next[links[i]]++] = i;
  }
  return order;
}
