import { counting, Scratch } from '../scratch.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import { MemberBlock, Row } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import { describeSums, GATHER_BLOCK, layOutMembers, MEMBER_SUMS, type Members } from '../state/members.js';
import type { Rows } from '../state/rows.js';
import { Soft } from '../state/soft.js';
import type { BodyData } from './editRows.js';

/** A body's memberships before they are written to the state. */
export type Membership = Pick<BodyData, 'positions' | 'masses' | 'clusters' | 'particleSurface'>;

/** Members of a cluster up to which codes and numbers fit into one word: 15 bits and 17. */
const MOST = 1 << 17;

/** Writes the members of a new body into its rows, from `base` on, in both orders. Those of each cluster lie along a Z-order curve: neighbours in the list are near each other in space. */
export function writeNewMembers(s: Views, rows: Rows, base: number, body: Membership, gamma: number): void {
  const widest = widestOf(body.clusters.start);
  const writeFast = (space: Workspace): true => {
    layOutFast(space, s, rows, base, listFast(space, body), body, gamma);
    return true;
  };
  if (widest > MOST || !withKernels(writeFast)) layOutMembers(s, rows, base, listPlain(body), body.masses, gamma);
}

/** Members of the cluster that has most. */
function widestOf(start: Uint32Array): number {
  let widest = 0;
  for (let c = 0; c < start.length - 1; c++) widest = Math.max(widest, start[c + 1] - start[c]);
  return widest;
}

function listPlain({ clusters, positions, masses, particleSurface }: Membership): Members {
  const { start, particle, weight } = clusters;
  const { normal, height } = particleSurface;
  const members: Members = {
    start: start.slice(),
    order: counting(particle.length),
    particle: new Uint32Array(particle.length),
    member: new Float64Array(4 * particle.length),
    outward: new Float32Array(4 * particle.length),
  };
  const { member, outward } = members;
  for (let c = 0; c < start.length - 1; c++) {
    const order = alongCurve(particle, start[c], start[c + 1], positions);
    for (let n = 0; n < order.length; n++) {
      const k = order[n];
      const i = particle[k];
      const o = 4 * (start[c] + n);
      members.particle[start[c] + n] = i;
      member[o] = positions[3 * i];
      member[o + 1] = positions[3 * i + 1];
      member[o + 2] = positions[3 * i + 2];
      member[o + 3] = masses[i] * weight[k];
      outward[o] = normal[3 * i];
      outward[o + 1] = normal[3 * i + 1];
      outward[o + 2] = normal[3 * i + 2];
      outward[o + 3] = isOnSurface(normal, i) ? height[i] : -1;
    }
  }
  return members;
}

/** Addresses of lists in the workspace. */
interface Listed {
  start: number;
  particle: number;
  member: number;
  outward: number;
  mass: number;
}

/** The same in WASM, but for the sorting. */
function listFast(
  space: Workspace,
  { clusters: { start, particle, weight }, positions, masses, particleSurface: { normal, height } }: Membership,
): Listed {
  const { kernels } = space;
  const [count, clusters] = [particle.length, start.length - 1];
  const [starts, particles, weights] = [space.putWords(start), space.putWords(particle), space.putReals(weight)];
  const [points, mass] = [space.putReals(positions), space.putReals(masses)];
  const [normals, heights] = [space.putReals(normal), space.putReals(height)];
  const [keys, sorted] = [space.takeWords(count), space.takeWords(count)];
  const [member, outward] = [space.takeReals(4 * count), space.take(16 * count)];
  kernels.curveKeys(starts, clusters, particles, points, keys);
  const key = space.words(keys, count);
  for (let c = 0; c < clusters; c++) key.subarray(start[c], start[c + 1]).sort();
  kernels.fillMembers(
    ...[starts, clusters, particles, weights, keys, points],
    ...[mass, normals, heights, sorted, member, outward],
  );
  return { start: starts, particle: sorted, member, outward, mass };
}

/** As layOutMembers does for a body all of whose clusters are new. */
function layOutFast(
  space: Workspace,
  s: Views,
  rows: Rows,
  base: number,
  { start, particle, member, outward, mass }: Listed,
  { clusters: { start: first, particle: memberships }, masses }: Membership,
  gamma: number,
): void {
  const { kernels } = space;
  const { particleStart, clusterStart } = rows;
  const [count, particles, clusters] = [memberships.length, masses.length, first.length - 1];
  const [owners, members, outwards] = [space.takeWords(count), space.take(16 * count), space.take(16 * count)];
  const [ends, sums, boxes] = [
    space.takeWords(clusters),
    space.takeReals(MEMBER_SUMS * clusters),
    space.take(4 * count),
  ];
  const [counts, next, runs] = [space.takeWords(particles), space.takeWords(particles), space.takeWords(clusters + 2)];
  const [order, rank, linkStart] = [
    space.takeWords(particles),
    space.takeWords(particles),
    space.takeWords(particles + 1),
  ];
  const [links, linkCluster] = [space.take(16 * count), space.takeWords(count)];
  kernels.layMembers(
    ...[start, clusters, particle, member, outward, base, particleStart],
    ...[owners, members, outwards, ends, sums],
  );
  kernels.boundMembers(
    ...[start, clusters, ends, base, members],
    ...[MemberBlock.SIZE, MemberBlock.BOX, MemberBlock.LEAST, boxes],
  );
  kernels.layLinks(
    ...[start, clusters, owners, members, mass, particles, GATHER_BLOCK, base, particleStart, clusterStart],
    ...[counts, next, runs, order, rank, linkStart, links, linkCluster],
  );
  s.memberParticle.set(space.words(owners, count), base);
  s.member.set(space.floats(members, 4 * count), 4 * base);
  s.outward.set(space.floats(outwards, 4 * count), 4 * base);
  s.surfaceEnd.set(space.words(ends, clusters), clusterStart);
  s.surfaceBox.set(space.floats(boxes, count), base);
  s.gatherOrder.set(space.words(order, particles), particleStart);
  s.gatherRank.set(space.words(rank, particles), particleStart);
  s.linkStart.set(space.words(linkStart, particles + 1), particleStart);
  s.link.set(space.floats(links, 4 * count), 4 * base);
  s.linkCluster.set(space.words(linkCluster, count), base);
  for (let c = 0; c <= clusters; c++) s.memberStart[clusterStart + c] = base + first[c];
  const sharesBeyond =
    s.softness[Row.softness * clusterStart + Soft.LAW] === 1
      ? shareBeyond(space, s, rows, start, first, { members, outwards, owners, sums })
      : undefined;
  const sum = space.reals(sums, MEMBER_SUMS * clusters);
  for (let c = 0; c < clusters; c++)
    describeSums(s, clusterStart + c, gamma, sum, MEMBER_SUMS * c, sharesBeyond, 6 * c);
}

/** The shares of the clusters' volume beyond their outermost particles, six numbers each (state/elasticity.ts). */
function shareBeyond(
  space: Workspace,
  { builtVolume }: Views,
  { particleStart, particleEnd }: Rows,
  start: number,
  first: Uint32Array,
  { members, outwards, owners, sums }: { members: number; outwards: number; owners: number; sums: number },
): Float64Array {
  const clusters = first.length - 1;
  const widest = widestOf(first);
  const volumes = space.putFloats(builtVolume.subarray(particleStart, particleEnd));
  const [room, out] = [space.takeReals(8 * widest + 9), space.takeReals(6 * clusters)];
  space.kernels.shareBeyond(
    ...([start, clusters, members, outwards, owners, particleStart] as const),
    ...([volumes, sums, MEMBER_SUMS, widest, room, out] as const),
  );
  return space.reals(out, 6 * clusters);
}

export const isOnSurface = (normal: Float64Array, i: number) =>
  normal[3 * i] !== 0 || normal[3 * i + 1] !== 0 || normal[3 * i + 2] !== 0;

/**
 * Numbers `first` … `last` − 1 of the particles of a cluster, sorted along a Z-order curve of 32 cells a side, so that
 * neighbours in the list are near each other in space.
 */
function alongCurve(particle: Uint32Array, first: number, last: number, positions: Float64Array): Uint32Array {
  const count = last - first;
  const code = codeRoom.takeZeros(count);
  for (let a = 0; a < 3; a++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = first; k < last; k++) {
      const value = positions[3 * particle[k] + a];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const perCell = high > low ? 32 / (high - low) : 0;
    for (let n = 0; n < count; n++) {
      const cell = Math.min(31, Math.floor((positions[3 * particle[first + n] + a] - low) * perCell));
      code[n] |= SPREAD[cell] << a;
    }
  }
  // Codes have 15 bits. With the number below, as long as 17 bits hold it, one sort of plain numbers is enough.
  const order = orderRoom.take(count);
  if (count <= 1 << 17) {
    for (let n = 0; n < count; n++) order[n] = (code[n] << 17) | n;
    order.sort();
    for (let n = 0; n < count; n++) order[n] = first + (order[n] & 0x1ffff);
  } else {
    for (let n = 0; n < count; n++) order[n] = n;
    order.sort((j, k) => code[j] - code[k] || j - k);
    for (let n = 0; n < count; n++) order[n] += first;
  }
  return order;
}
const codeRoom = new Scratch();
const orderRoom = new Scratch();

/** The five bits of a number, three places apart. */
const SPREAD = Uint32Array.from(
  { length: 32 },
  (_, cell) => (cell & 1) | ((cell & 2) << 2) | ((cell & 4) << 4) | ((cell & 8) << 6) | ((cell & 16) << 8),
);
