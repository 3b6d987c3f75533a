import type { Body } from './body/body.js';
import { divideByConnection, overlappingClusters } from './levels/connect.js';
import { takeHierarchy } from './levels/hierarchy.js';
import { hypot } from './math/elementary.js';
import { joinRoots, ownRoots } from './math/forest.js';
import { piecesOf } from './topology/pieces.js';
import type { World } from './world.js';

/**
 * Faults of the state of a world, one line each; empty if it is sound (SPEC C4, K2). For tests and for users who write
 * into the state: it visits every membership several times.
 */
export function validate(world: World): string[] {
  const faults: string[] = [];
  const demand = (holds: boolean, what: string) => {
    if (!holds) faults.push(what);
  };
  const { views: s, count, capacity } = world.state;
  for (const domain of ['particle', 'cluster', 'membership'] as const)
    demand(count[domain] <= capacity[domain], `more ${domain} rows than room`);

  // Bodies tile the rows without gap or overlap, in the order they were added.
  let [particle, cluster] = [0, 0];
  const blur = new Float64Array(count.cluster);
  for (const { rows, restPositions, name } of world.bodies) {
    blur.fill(blurOf(restPositions), rows.clusterStart, rows.clusterEnd);
    demand(rows.particleStart === particle && rows.clusterStart === cluster, `body ${name} begins elsewhere`);
    demand(rows.particleEnd - rows.particleStart === restPositions.length / 3, `body ${name} has lost particles`);
    particle = rows.particleEnd;
    cluster = rows.clusterEnd;
    const order = s.gatherOrder.slice(rows.particleStart, rows.particleEnd).sort();
    demand(
      order.every((i, n) => i === rows.particleStart + n),
      `gather of body ${name} is no permutation of its rows`,
    );
    for (let c = rows.clusterStart; c < rows.clusterEnd; c++)
      for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++)
        demand(
          s.memberParticle[k] >= rows.particleStart && s.memberParticle[k] < rows.particleEnd,
          `member ${k} of body ${name} is a particle of another`,
        );
  }
  demand(particle === count.particle && cluster === count.cluster, 'the bodies do not cover the rows');
  demand(s.memberStart[0] === 0 && s.memberStart[count.cluster] === count.membership, 'memberStart does not close');
  demand(s.linkStart[0] === 0 && s.linkStart[count.particle] === count.membership, 'linkStart does not close');

  // Members and links are transposes of each other.
  const members = new Map<string, number>();
  for (let c = 0; c < count.cluster; c++) {
    let [mass, width] = [0, 0];
    const off = [0, 0, 0];
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
      members.set(`${s.memberParticle[k]} ${c}`, k);
      const mw = s.member[4 * k + 3];
      mass += mw;
      for (let a = 0; a < 3; a++) off[a] += mw * s.member[4 * k + a];
      width = Math.max(width, hypot(s.member[4 * k], s.member[4 * k + 1], s.member[4 * k + 2]));
    }
    demand(
      hypot(off[0], off[1], off[2]) <= mass * (OFF_CENTRE * width + blur[c]),
      `cluster ${c} is not about its centre`,
    );
    demand(s.fade[c] > 0 && s.fade[c] <= 1, `cluster ${c} has faded to ${s.fade[c]}`);
    demand(Math.abs(mass - s.clusterMass[c]) <= 1e-12 * mass, `cluster ${c} has another mass than its members`);
  }
  demand(members.size === count.membership, 'a membership is there twice');
  for (let n = 0; n < count.particle; n++) {
    const i = s.gatherOrder[n];
    demand(s.gatherRank[i] === n, `rank of particle ${i} is not its place in gather`);
    let sum = 0;
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++) {
      const m = members.get(`${i} ${s.linkCluster[k]}`);
      if (m === undefined) {
        faults.push(`link ${k} (particle ${i}, cluster ${s.linkCluster[k]}) is no member`);
        continue;
      }
      const isLast = k + 1 === s.linkStart[n + 1];
      demand(isLast || s.linkCluster[k] < s.linkCluster[k + 1], `links of particle ${i} are not by ascending cluster`);
      for (let a = 0; a < 3; a++) demand(s.link[4 * k + a] === s.member[4 * m + a], `link ${k} has another p`);
      const mw = s.link[4 * k + 3] * s.x[4 * i + 3];
      demand(Math.abs(mw - s.member[4 * m + 3]) <= 3e-7 * mw + TINY, `link ${k}: w m is not the member's`);
      sum += s.link[4 * k + 3];
    }
    const debris = s.linkStart[n] === s.linkStart[n + 1];
    demand(debris || Math.abs(sum - 1) <= 1e-6, `weights of particle ${i} sum to ${sum}`);
  }
  for (const body of world.bodies) {
    checkDebris(world, body, demand);
    checkConnection(world, body, demand);
  }
  for (const body of world.bodies) checkBody(world, body, demand);
  for (const body of world.bodies) checkLevels(world, body, demand);
  return faults;
}

type Demand = (holds: boolean, what: string) => void;

/** Products below this have no relative precision in f32: weights fade out that far in bodies that flow. */
const TINY = 1e-38;

/**
 * Largest distance of the mean of a cluster's rest offsets from 0, as a share of the largest offset: each is rounded to
 * f32.
 */
const OFF_CENTRE = 1e-6;

/**
 * Distance (m) within which two points of a rest shape count as the same. Offsets are differences of coordinates of the
 * rest shape in f64. The centre of one particle, or of several at one place, differs from it by their rounding: 2⁻⁵³ of
 * the largest coordinate in each of some tens of operations.
 */
const blurOf = (restPositions: Float64Array) =>
  1e-14 * restPositions.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

/** Checks that only a body that has broken has particles in no cluster. */
function checkDebris({ state: { views: s } }: World, { rows, name, core: { history } }: Body, demand: Demand): void {
  if (history.broken) return;
  for (let n = rows.particleStart; n < rows.particleEnd; n++)
    demand(
      s.linkStart[n] < s.linkStart[n + 1],
      `particle ${s.gatherOrder[n]} is in no cluster, and body ${name} never broke`,
    );
}

/**
 * Checks that the clusters of a body are as connected as they were built; only a body that has broken may come apart.
 */
function checkConnection({ state }: World, { rows, clustering, name, core: { history } }: Body, demand: Demand): void {
  if (history.broken) return;
  const { start, particle, count } = clustering;
  const parent = ownRoots(count);
  const holder = new Int32Array(particle.reduce((most, i) => Math.max(most, i), 0) + 1).fill(-1);
  for (let c = 0; c < count; c++)
    for (let k = start[c]; k < start[c + 1]; k++) {
      const i = particle[k];
      if (holder[i] >= 0) joinRoots(parent, holder[i], c);
      holder[i] = c;
    }
  const built = parent.filter((root, c) => root === c).length;
  const pieces = piecesOf(state.views, rows).count;
  demand(pieces <= built, `body ${name} is in ${pieces} pieces, was built in ${built}, and never broke`);
}

/**
 * Checks the levels: every cluster is held with weights that sum to 1, both orders of ties agree, and no coarse cluster
 * connects what the clusters do not.
 */
function checkLevels({ state: { views: s } }: World, body: Body, demand: Demand): void {
  const {
    rows,
    name,
    core: { levelCount },
    restPositions,
  } = body;
  const { clusterStart, clusterEnd, coarseStart, coarseEnd, tieStart, tieEnd } = rows;
  if (levelCount === 1) demand(coarseStart === coarseEnd, `body ${name} has coarse clusters and one level`);
  if (coarseStart === coarseEnd) return;
  const byHolder = new Set<number>();
  for (let c = coarseStart; c < coarseEnd; c++) {
    demand(
      s.coarseLevel[c] >= s.coarseLevel[Math.max(coarseStart, c - 1)] && s.coarseLevel[c] < levelCount,
      `coarse cluster ${c} of body ${name} is out of order`,
    );
    const off = [0, 0, 0];
    for (let t = tieStart + s.coarseChildTies[2 * c]; t < tieStart + s.coarseChildTies[2 * c + 1]; t++) {
      byHolder.add(t);
      demand(coarseStart + s.tieParent[t] === c, `tie ${t} of body ${name} is another's`);
      const child = s.tieChild[t];
      const mass = s.coarseLevel[c] === 1 ? s.clusterMass[clusterStart + child] : s.coarseMass[coarseStart + child];
      for (let a = 0; a < 3; a++) off[a] += (s.tieWeight[t] * mass * s.tieRest[12 * t + 9 + a]) / s.coarseMass[c];
    }
    const width = Math.sqrt(
      (s.coarseMoment[9 * c] + s.coarseMoment[9 * c + 4] + s.coarseMoment[9 * c + 8]) / s.coarseMass[c],
    );
    demand(
      hypot(off[0], off[1], off[2]) <= 1e-9 * width + blurOf(restPositions),
      `coarse cluster ${c} of body ${name} is not about its centre`,
    );
  }
  demand(byHolder.size === tieEnd - tieStart, `coarse clusters of body ${name} do not have all its ties`);
  const heldOnce = (what: string, child: number, runs: Uint32Array, row: number) => {
    let sum = 0;
    for (let n = tieStart + runs[2 * row]; n < tieStart + runs[2 * row + 1]; n++) {
      demand(s.tieChild[tieStart + s.tiesByChild[n]] === child, `rise ${n} of body ${name} is not of ${what} ${row}`);
      sum += s.tieWeight[tieStart + s.tiesByChild[n]];
    }
    demand(Math.abs(sum - 1) <= 1e-9, `${what} ${row} of body ${name} is held ${sum} times`);
  };
  for (let c = clusterStart; c < clusterEnd; c++) heldOnce('cluster', c - clusterStart, s.parentTies, c);
  for (let c = coarseStart; c < coarseEnd; c++)
    if (s.coarseLevel[c] < levelCount - 1) heldOnce('coarse cluster', c - coarseStart, s.coarseParentTies, c);
  const members = s.memberParticle.subarray(s.memberStart[clusterStart], s.memberStart[clusterEnd]);
  const start = s.memberStart.slice(clusterStart, clusterEnd + 1).map((k) => k - s.memberStart[clusterStart]);
  const particles = members.map((i) => i - rows.particleStart);
  const whole = takeHierarchy(s, rows)!;
  const divided = divideByConnection(
    whole,
    overlappingClusters(rows.particleEnd - rows.particleStart, start, particles),
  );
  demand(divided.level.length === whole.level.length, `a coarse cluster of body ${name} spans a gap`);
}

/**
 * Checks that cluster masses sum to the mass of all particles in clusters, and that neighbour lists agree with the
 * memberships.
 */
function checkBody({ state: { views: s } }: World, { rows, name }: Body, demand: Demand): void {
  const { particleStart, particleEnd, clusterStart, clusterEnd } = rows;
  let [particles, clusters] = [0, 0];
  for (let n = particleStart; n < particleEnd; n++)
    if (s.linkStart[n] < s.linkStart[n + 1]) particles += s.x[4 * s.gatherOrder[n] + 3];
  for (let c = clusterStart; c < clusterEnd; c++) clusters += s.clusterMass[c];
  demand(
    Math.abs(clusters - particles) <= 1e-6 * particles,
    `clusters of body ${name} weigh ${clusters}, not ${particles}`,
  );

  // Clusters that share a particle, or copies of one, never collide.
  const holders = new Map<number, Set<number>>();
  for (let c = clusterStart; c < clusterEnd; c++)
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
      const ancestor = s.ancestor[s.memberParticle[k]];
      if (!holders.has(ancestor)) holders.set(ancestor, new Set());
      holders.get(ancestor)!.add(c - clusterStart);
    }
  const sharing = Array.from({ length: clusterEnd - clusterStart }, () => new Set<number>());
  for (const together of holders.values())
    for (const a of together) for (const b of together) if (a !== b) sharing[a].add(b);
  for (let c = clusterStart; c < clusterEnd; c++) {
    const listed = s.neighbour.slice(s.neighbourStart[3 * c], s.neighbourStart[3 * c + 1]);
    const expected = sharing[c - clusterStart];
    demand(
      listed.length === expected.size && listed.every((b) => expected.has(b)),
      `cluster ${c} of body ${name} has the wrong neighbours`,
    );
    // The short lists of a body with many clusters name the root, and with it all others.
    if (
      s.neighbourStart[3 * c + 3] - s.neighbourStart[3 * c + 1] === 1 &&
      s.neighbour[s.neighbourStart[3 * c + 1]] === 0
    )
      continue;
    const others = new Set<number>([c - clusterStart, ...listed]);
    const add = (b: number) => {
      demand(!others.has(b), `cluster ${c} of body ${name} lists cluster ${b} twice`);
      others.add(b);
    };
    for (let k = s.neighbourStart[3 * c + 1]; k < s.neighbourStart[3 * c + 2]; k++) add(s.neighbour[k]);
    for (let k = s.neighbourStart[3 * c + 2]; k < s.neighbourStart[3 * c + 3]; k++)
      forLeaves(s.treeNode, 4 * clusterStart, s.neighbour[k], add);
    demand(others.size === clusterEnd - clusterStart, `cluster ${c} of body ${name} does not know all others`);
  }
}

/** Visits the clusters below a node of a body's tree. */
function forLeaves(branch: Uint32Array, first: number, node: number, visit: (cluster: number) => void): void {
  const right = branch[first + 2 * node];
  if (right === 0) {
    visit(branch[first + 2 * node + 1]);
    return;
  }
  forLeaves(branch, first, node + 1, visit);
  forLeaves(branch, first, right, visit);
}
