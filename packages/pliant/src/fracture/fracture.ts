import type { Body } from '../body/body.js';
import { isShared } from '../kernels/ts/strays.js';
import { toughnessOf } from '../material/toughness.js';
import { squared } from '../math/elementary.js';
import { identityInto, isFlat } from '../math/mat3.js';
import { largestEigenvalue, largestEigenvalueBound } from '../math/symmetric.js';
import { ticks } from '../math/ticks.js';
import { addPlane } from '../proxy/proxy.js';
import { Scratch } from '../scratch.js';
import type { Views } from '../state/layout.js';
import { hasSplit } from '../topology/editRows.js';
import type { Pieces } from '../topology/pieces.js';
import { TopologyDraft } from '../topology/topologyDraft.js';
import { writeDraft } from '../topology/writeDraft.js';
import type { World } from '../world.js';
import { StretchAverage } from './average.js';
import { Bending } from './bending.js';
import { Damage } from './damage.js';
import { Queue } from './queue.js';
import { Crack } from './split.js';
import { deformationFromSums, Strain, strainInState } from './strain.js';

const draft = new TopologyDraft();
const queue = new Queue();
const crack = new Crack();
const damage = new Damage();

/**
 * Splits clusters that are stretched beyond their toughness (SPEC X1 to X7, [J16] 3.3). The most overloaded cluster
 * splits first; the stretch of each is computed again from the members that it has by then. Particles that have gone
 * astray leave their other clusters, and clusters that have become too small end. The body is rewritten once for all
 * changes. Mass and momentum are conserved: an original and its copies share its mass, at the same place and velocity.
 */
export function fracture(world: World, body: Body): void {
  if (!body.core.breaks) return;
  const { views } = world.state;
  age(views, body, world.h);
  fillQueue(views, body);
  const [turn, end] = [ticks(world.time, STRAYS_EVERY / TURNS), ticks(world.time + world.h, STRAYS_EVERY / TURNS)];
  const turns = Math.min(TURNS, end - turn);
  // In a broken body with a law, members go astray by their distance from their place in the cluster.
  const goesByPlace = body.core.law !== undefined && body.core.history.broken;
  const strays =
    body.fracture.outliers < Number.POSITIVE_INFINITY &&
    (goesByPlace
      ? ticks(world.time, PULLED_EVERY) !== ticks(world.time + world.h, PULLED_EVERY) && findPulledOut(world, body)
      : findStrays(world, views, body, turn, turns));
  if (!isOneOverloaded(views, body) && !strays) return;
  draft.begin(views, body.rows, false);
  crack.begin(views, body, draft);
  // The budget is that of a step, of which this is a substep.
  const budget = Math.ceil((body.fracture.budget * world.h) / world.dt);
  splitOverloaded(views, body, budget);
  if (strays && goesByPlace) splitPulledOut(views, body, budget);
  else if (strays) splitStrays(views, body, turn, turns, budget);
  if (crack.splits.length + crack.copies.length + crack.left === 0) {
    crack.end(body);
    return;
  }
  cull(views, body);
  const removed = body.fracture.debris ? NONE : draft.dropDebris();
  const names = nameClusters();
  if (body.core.law) damage.begin(views, body.rows, draft, world.h);
  writeDraft(world, body, draft);
  if (body.core.law) damage.apply(world.state.views, body.rows, draft, names);
  crack.end(body);
  body.core.history.noteBreak();
  finishClusters(world.state.views, body, names);
  let pieces: Pieces | undefined;
  world.core.emit({
    type: 'fracture',
    body,
    splits: crack.splits.map(({ cluster, into, position, normal }) => ({
      cluster: draft.clusterFrom[cluster],
      into: [names[cluster], names[into]] as const,
      position,
      normal,
    })),
    copies: Uint32Array.from(crack.copies),
    removed,
    // Computed on demand: it takes a pass over all links, which most listeners do not need.
    get pieces() {
      pieces ??= body.pieces;
      return pieces;
    },
    time: world.time,
  });
}

const NONE = new Uint32Array(0);

/** Advances the time since each cluster split. */
function age({ sinceSplit }: Views, { rows }: Body, h: number): void {
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) sinceSplit[c] += h;
}

/**
 * Unit of excess stretch; excess is rounded to a multiple of it. An excess of 0 does not split a cluster, and clusters
 * of equal excess split in the order of their numbers.
 *
 * Positions in f32 leave errors of some 1e-7 in a stretch. Without rounding, a body of toughness 0 would break at rest,
 * and in an evenly stretched body these errors would decide the order of the splits, and with it which particles are
 * copied. The unit is a power of two because stretches that people choose are then not half-way between two multiples.
 */
const LEAST_EXCESS = 1 / 8192;

/** Stretch beyond the toughness of the cluster in row c, or beyond so many times that, in units of LEAST_EXCESS. */
const excessOf = (s: Views, body: Body, c: number, stretch: number, times = 1) =>
  Math.round((stretch - 1 - times * toughnessOf(s, body, c)) / LEAST_EXCESS);

/**
 * Queues the clusters whose stretch at the start of the step, as match left it, is beyond their toughness; with an elastic law the mean over
 * `fracture.length` too.
 */
function fillQueue(s: Views, body: Body): void {
  const { rows, fracture } = body;
  queue.clear();
  let averages = false;
  bending.clear();
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    // A cluster that fades out is replaced by others that are stretched as much.
    if (s.leaving[c]) continue;
    // One with too few members for two halves does not split. It may only relax.
    if (s.unrelaxed[c] === 0 && s.memberStart[c + 1] - s.memberStart[c] < 2 * fracture.minMembers) continue;
    // Most clusters are far from breaking. A boost makes them only tougher.
    const bound = largestEigenvalueBound(s.elastic, 6 * c) - 1;
    const toughness = s.clusterToughness[c];
    const isNear = Math.round((bound - toughness) / LEAST_EXCESS) > 0;
    const mayBend =
      fracture.thin === true && Math.round((bound - BENT * toughness) / LEAST_EXCESS) > 0 && !hasSplit(s, c);
    if (!isNear && !mayBend) {
      s.unrelaxed[c] = 0;
      continue;
    }
    const waits = fracture.delay && s.unrelaxed[c] !== 0;
    const stretch = largestEigenvalue(s.elastic, 6 * c);
    let excess = isNear ? excessOf(s, body, c, stretch) : 0;
    let isAround = false;
    if (excess > 0 && fracture.length > 0) {
      const thread = excessOf(s, body, c, stretch, THREAD);
      // It has split, so that there is a crack, and it has not relaxed, whatever the mean.
      if (waits && thread > 0) continue;
      if (!averages) average.begin(s, rows, fracture.length);
      averages = isAround = true;
      average.into(around, c);
      const mean = excessOf(s, body, c, largestEigenvalue(around, 0));
      excess = Math.min(excess, average.cracked ? Math.max(mean, thread) : mean);
    }
    if (mayBend && !(excess > 0)) {
      bending.begin(s, rows);
      if (bending.isStretched(c, 1 + toughnessOf(s, body, c))) {
        if (!averages) average.begin(s, rows, fracture.length);
        averages = true;
        if (!isAround) average.into(around, c);
        excess = excessOf(s, body, c, bending.stretchAt(c, average, fracture.length));
        if (excess > 0) bending.mark(c);
      }
    }
    if (!(excess > 0)) s.unrelaxed[c] = 0;
    else if (!waits) queue.add(c - rows.clusterStart, excess);
  }
}

/** Share of its toughness from which on a cluster is asked for its stretch at the surface: a plate that is only bent, so that its middle is stretched by less, breaks where two clusters and more share its thickness. */
const BENT = 0.5;
const bending = new Bending();
const direction = new Float64Array(3);

const average = new StretchAverage();
const around = new Float64Array(6);
/**
 * A cluster beside a crack that is stretched by this many times its toughness breaks whatever the mean around it. The last threads across a crack lie between relaxed
 * clusters: by the mean alone they would be drawn out without end. Where nothing has split the mean alone decides: at a notch or under a blow the stretch of
 * single clusters grows with their number.
 */
const THREAD = 2;

/**
 * Whether a queued cluster will split in the present state. Clusters that will not are removed from the head of the
 * queue, so that no draft is begun for them.
 */
function isOneOverloaded(s: Views, body: Body): boolean {
  const { rows, fracture } = body;
  const { centre, sigma, U } = strain;
  while (queue.length > 0) {
    const c = rows.clusterStart + queue.first;
    const isLarge = s.memberStart[c + 1] - s.memberStart[c] >= 2 * fracture.minMembers;
    if (isLarge) strainInState(strain, s, c);
    if (isLarge && (excessOf(s, body, c, sigma[0]) > 0 || bending.directionInto(U, queue.first))) {
      let beyond = 0;
      for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
        const o = 4 * s.memberParticle[k];
        let side = 0;
        for (let a = 0; a < 3; a++) side += (s.x[o + a] - centre[a]) * U[a];
        if (side > 0) beyond++;
      }
      if (Math.min(beyond, s.memberStart[c + 1] - s.memberStart[c] - beyond) >= fracture.minMembers) return true;
    }
    queue.take();
  }
  return false;
}
const strain = new Strain();

function splitOverloaded(s: Views, body: Body, budget: number): void {
  const { rows, fracture } = body;
  while (queue.length > 0 && crack.work < budget) {
    const c = queue.take();
    if (draft.memberCount(c) < 2 * fracture.minMembers) {
      // It cannot split. It counts as work all the same, so that a budget carries as far as if it were measured.
      crack.work += draft.memberCount(c);
      continue;
    }
    const stretch = crack.stretchOf(s, draft, body, c);
    if (excessOf(s, body, rows.clusterStart + c, stretch) > 0) crack.split(s, draft, body, c);
    else if (draft.changed[c] === 0 && bending.directionInto(direction, c)) {
      crack.turn(direction);
      crack.split(s, draft, body, c);
    }
  }
}

/** Strays are searched in each cluster once in this many seconds: in one of TURNS parts of the clusters after another. */
const STRAYS_EVERY = 8 / 60;
const TURNS = 8;

/**
 * Whether a cluster whose turn it is has a member that has gone astray (SPEC X3). Clusters that fade in or out are left
 * out. A copy made by such a cluster would have next to no mass and no other cluster. It would seed a cluster of its
 * own, from which it strays again with a thousandth of the mass each time.
 */
function findStrays({ kernels }: World, s: Views, body: Body, turn: number, turns: number): boolean {
  const { clusterStart, clusterEnd } = body.rows;
  const [times2, least2] = [strayTimes2(body), strayLeast2(s, body)];
  for (let n = 0; n < turns; n++)
    if (kernels.hasStray(clusterStart + ((turn + n) % TURNS), clusterEnd, TURNS, times2, least2)) return true;
  return false;
}

/**
 * Squared distance at which a member has gone astray: (1 + γ)·threshold·|p|. |p| counts as two spacings at least.
 * Without that bound, a member near the centre would leave at the slightest offset; the reference gains particles in
 * scenes without fracture that way.
 */
function farthest2(s: Views, body: Body, x: number, y: number, z: number): number {
  return strayTimes2(body) * Math.max(x * x + y * y + z * z, strayLeast2(s, body));
}

const strayTimes2 = ({ fracture, material }: Body) => squared((1 + material.limit.gamma) * fracture.outliers);
const strayLeast2 = (s: Views, { rows }: Body) => 4 * squared(s.proxySpacing[rows.clusterStart]);

/**
 * Makes a copy of each stray that belongs to the cluster it strayed from alone. Its other clusters keep the original.
 */
function splitStrays(s: Views, body: Body, turn: number, turns: number, budget: number): void {
  const first = body.rows.particleStart;
  for (let c = 0; c < draft.clusters; c++) {
    if ((c + TURNS - (turn % TURNS)) % TURNS >= turns) continue;
    if (crack.work > 2 * budget) return;
    if (s.fade[body.rows.clusterStart + draft.clusterFrom[c]] < 1) continue;
    const at = crack.locate(s, draft, first, c);
    const [x, y, z] = [crack.centres[at], crack.centres[at + 1], crack.centres[at + 2]];
    crack.rest(s, draft, first, c);
    const near = farthest2(s, body, 0, 0, 0);
    // If a membership ends here, the loop skips the next one. It is tested again when the cluster's turn comes.
    for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
      const k = draft.members[m];
      const i = draft.particle[k];
      const o = 4 * (first + draft.particleFrom[i]);
      const dx = s.x[o] - x;
      const dy = s.x[o + 1] - y;
      const dz = s.x[o + 2] - z;
      const d2 = dx * dx + dy * dy + dz * dz;
      if (d2 <= near) continue;
      const p = crack.restOffset(draft, k);
      if (d2 > farthest2(s, body, p[0], p[1], p[2]) && draft.linkCount(i) > 1)
        crack.copyIfNeeded(draft, i, (l) => l === k);
    }
  }
}

/** Members that are pulled out of their clusters are searched in all clusters once in this many seconds. */
const PULLED_EVERY = 1 / 60;

/** Per cluster of the body: whether it has a member that is pulled out. */
const leftRoom = new Scratch(Uint8Array);
let hasLeft: Uint8Array = new Uint8Array(0);

/** Toughness from which on a member may be off by `outliers` spacings, and the smallest share of that which counts. */
const TOUGH = 0.25;
const LEAST_PULL = 0.5;

/**
 * Squared distance (m²) from its place in a cluster, x̄ + F p, at which a member is pulled out. The cluster's neighbours are some four spacings away: a member that is
 * off by a spacing stretches what is between them by a quarter.
 */
function pulledOut2(s: Views, { fracture, rows }: Body, c: number): number {
  const share = Math.min(1, Math.max(LEAST_PULL, s.clusterToughness[c] / TOUGH));
  return squared(share * fracture.outliers * s.proxySpacing[rows.clusterStart]);
}

/**
 * Whether a cluster of a law body has a member that is pulled out (SPEC X3), and which have. Shards that hang together by a few shared particles would otherwise never part: a particle in
 * hundreds hardly stretches its cluster, and by the distance from the centre it has gone astray only when it is as far as the cluster is wide. F p follows any even deformation, so that only what is off by itself counts.
 */
function findPulledOut(world: World, body: Body): boolean {
  const { clusterStart, clusterEnd } = body.rows;
  const s = world.state.views;
  const { F, centre } = strain;
  const { member, memberParticle, memberStart, x } = s;
  hasLeft = leftRoom.take(clusterEnd - clusterStart);
  hasLeft.fill(0);
  world.kernels.sumClusters(clusterStart, clusterEnd);
  let any = false;
  for (let c = clusterStart; c < clusterEnd; c++) {
    if (s.fade[c] < 1) continue;
    deformationFromSums(strain, s, c);
    const most = pulledOut2(s, body, c);
    const [cx, cy, cz] = centre;
    const [a, b, d, e, f, g, h, i, j] = F;
    const last = memberStart[c + 1];
    for (let k = memberStart[c]; k < last; k++) {
      const o = 4 * memberParticle[k];
      const p = member[4 * k];
      const q = member[4 * k + 1];
      const r = member[4 * k + 2];
      const dx = x[o] - cx - (a * p + e * q + h * r);
      const dy = x[o + 1] - cy - (b * p + f * q + i * r);
      const dz = x[o + 2] - cz - (d * p + g * q + j * r);
      if (!(dx * dx + dy * dy + dz * dz > most) || !isShared(s, o / 4)) continue;
      hasLeft[c - clusterStart] = 1;
      any = true;
      break;
    }
  }
  return any;
}

/** Makes a copy of each member that is pulled out, which belongs to that cluster alone. Its other clusters keep the original. */
function splitPulledOut(s: Views, body: Body, budget: number): void {
  const first = body.rows.particleStart;
  for (let c = 0; c < draft.clusters; c++) {
    if (!hasLeft[draft.clusterFrom[c]] || draft.memberCount(c) === 0) continue;
    if (crack.work > 2 * budget) return;
    const most = pulledOut2(s, body, body.rows.clusterStart + draft.clusterFrom[c]);
    crack.fit(s, draft, first, c);
    // If a membership ends here, the loop skips the next one. It is tested again in the next turn.
    for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
      const k = draft.members[m];
      const i = draft.particle[k];
      if (draft.linkCount(i) > 1 && crack.offset2(s, draft, first, k) > most)
        crack.copyIfNeeded(draft, i, (l) => l === k);
    }
  }
}

/** Removes clusters that have become too small, but never the last one (SPEC X5). */
function cull({ clusterMass }: Views, { rows: { clusterStart }, fracture: { minMembers, minMass } }: Body): void {
  const massOf = (c: number) => (draft.changed[c] === 0 ? clusterMass[clusterStart + c] : sumOf(c));
  let alive = 0;
  for (let c = 0; c < draft.clusters; c++) if (draft.memberCount(c) > 0) alive++;
  for (let c = 0; c < draft.clusters && alive > 1; c++) {
    const count = draft.memberCount(c);
    if (count === 0 || (count >= minMembers && massOf(c) >= minMass)) continue;
    draft.dropCluster(c);
    alive--;
  }
}

/** Sum of m·w over the members of a cluster (kg). */
function sumOf(c: number): number {
  let mass = 0;
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) mass += draft.member[4 * draft.members[m] + 3];
  return mass;
}

/** For each cluster of the draft: its number in the body once the draft is written; −1 if it ends. */
function nameClusters(): Int32Array {
  const names = new Int32Array(draft.clusters).fill(-1);
  let next = 0;
  for (let c = 0; c < draft.clusters; c++) if (draft.memberCount(c) > 0) names[c] = next++;
  return names;
}

/** Marks the clusters that split, and adds the crack planes to their proxies. */
function finishClusters(s: Views, body: Body, names: Int32Array): void {
  const { clusterStart } = body.rows;
  for (const { cluster, into } of crack.splits)
    for (const c of [names[cluster], names[into]]) {
      if (c < 0) continue;
      s.sinceSplit[clusterStart + c] = 0;
      s.unrelaxed[clusterStart + c] = 1;
      // The cluster has no extent in some direction: F^p is undefined in it and is reset (SPEC X5).
      if (isFlat(s.restInverse, 9 * (clusterStart + c))) {
        identityInto(s.plastic.subarray(9 * (clusterStart + c), 9 * (clusterStart + c) + 9));
        s.plasticStrain[clusterStart + c] = 0;
      }
    }
  for (const { cluster, normal, reach } of crack.planes) {
    const c = names[cluster];
    if (c < 0) continue;
    // The draft's rest offsets count from the old centre of the cluster, those of the state from the new one.
    const row = clusterStart + c;
    const k = draft.members[draft.memberFirst[cluster]];
    const at = memberOf(s, body, row, draft.particle[k]);
    let shift = 0;
    for (let a = 0; a < 3; a++) shift += normal[a] * (draft.member[4 * k + a] - s.member[4 * at + a]);
    addPlane(s, row, normal, reach - shift, true);
  }
}

function memberOf({ memberStart, memberParticle }: Views, { rows }: Body, row: number, particle: number): number {
  let k = memberStart[row];
  while (memberParticle[k] !== rows.particleStart + particle) k++;
  return k;
}
