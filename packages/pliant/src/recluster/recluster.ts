import type { Body } from '../body/body.js';
import { setClusterToughness } from '../material/toughness.js';
import { setClusterYield } from '../material/yield.js';
import { identityInto } from '../math/mat3.js';
import { largestEigenvalue, smallestEigenvalue } from '../math/symmetric.js';
import { ticks } from '../math/ticks.js';
import { buildProxies } from '../proxy/proxy.js';
import { FAINT } from '../state/fade.js';
import type { Views } from '../state/layout.js';
import { moveFrame } from '../topology/reweigh.js';
import { TopologyDraft } from '../topology/topologyDraft.js';
import { writeDraft } from '../topology/writeDraft.js';
import type { World } from '../world.js';
import { Bridges, Ties } from './bridges.js';
import { ClusterCreator, type CreatedCluster } from './createCluster.js';
import { Embedding } from './embedding.js';
import { fade } from './fade.js';
import { resample } from './resample.js';

const draft = new TopologyDraft();
const embedding = new Embedding();
const creator = new ClusterCreator();
const bridges = new Bridges();
const ties = new Ties();
const gone: number[] = [];
const created: CreatedCluster[] = [];
const seeds: number[] = [];

/** Rms distance of particles from their goals, in cluster radii, from which on an embedding counts as failed. */
const FAILED = 0.15;

/**
 * Replaces clusters whose rest shape has flowed too far (SPEC R, [F17] 3.0.2). They fade out; particles that would be
 * left without enough clusters get new ones, which fade in. The rest shape of a new cluster is the one in which its
 * particles would lie without stress. So it starts from F^p = I, and the stress in the body stays.
 */
export function recluster(world: World, body: Body): void {
  const { threshold, every } = body.reclustering;
  if (!(threshold < Number.POSITIVE_INFINITY) || !body.core.history.flowed) return;
  const { stepTime } = world.core;
  if (ticks(stepTime, every) !== ticks(stepTime + world.dt, every)) {
    const [added, removed] = replace(world, body);
    const divided = body.reclustering.resample < Number.POSITIVE_INFINITY ? resample(world, body) : 0;
    if (added + removed + divided > 0)
      world.core.emit({ type: 'recluster', body, added, removed, divided, time: world.time });
  }
  if (!body.core.history.fading) return;
  fade(world.state.views, body, world.dt);
  world.state.revision++;
}

/** Creates and removes clusters; returns how many of each. */
function replace(world: World, body: Body): [number, number] {
  const { views } = world.state;
  if (markLeaving(views, body)) body.core.history.setFading(true);
  else if (!body.core.history.fading) return [0, 0];
  findSeeds(views, body);
  bridges.find(views, body);
  seeds.unshift(...bridges.seeds);
  if (seeds.length === 0 && countGone(views, body) === 0) return [0, 0];
  draft.begin(views, body.rows);
  created.length = 0;
  if (seeds.length > 0) {
    layOut(views, body);
    createClusters(views, body);
  }
  const removed = dropGone(views, body);
  if (created.length === 0 && removed === 0) return [0, 0];
  writeDraft(world, body, draft);
  finishClusters(world.state.views, body);
  return [created.length, removed];
}

/** Marks clusters whose F^p is too far from a rotation as leaving (R1). Returns whether there were any. */
function markLeaving(s: Views, { rows, reclustering: { threshold } }: Body): boolean {
  let any = false;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    if (s.leaving[c]) continue;
    const o = 9 * c;
    symmetric[0] = s.plastic[o];
    symmetric[1] = s.plastic[o + 4];
    symmetric[2] = s.plastic[o + 8];
    symmetric[3] = s.plastic[o + 1];
    symmetric[4] = s.plastic[o + 2];
    symmetric[5] = s.plastic[o + 5];
    if (!(largestEigenvalue(symmetric, 0) > threshold * smallestEigenvalue(symmetric, 0))) continue;
    s.leaving[c] = 1;
    any = true;
  }
  return any;
}
const symmetric = new Float64Array(6);

/** Finds particles that too few clusters will hold once the leaving ones are gone (R2). */
function findSeeds(s: Views, { rows, reclustering: { minClusters } }: Body): void {
  seeds.length = 0;
  for (let i = rows.particleStart; i < rows.particleEnd; i++) {
    const n = s.gatherRank[i];
    let stay = 0;
    for (let l = s.linkStart[n]; l < s.linkStart[n + 1]; l++) if (!s.leaving[s.linkCluster[l]]) stay++;
    // A particle that loses no cluster has as many as it was built with and is no seed.
    if (stay < minClusters && stay < s.linkStart[n + 1] - s.linkStart[n]) seeds.push(i);
  }
}

function countGone(s: Views, { rows }: Body): number {
  let count = 0;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) if (s.leaving[c] && s.fade[c] <= FAINT) count++;
  return count;
}

/** Embeds the surroundings of as many seeds as the budget allows; drops the other seeds. */
function layOut(s: Views, body: Body): void {
  const { space, iterations, budget } = body.reclustering;
  embedding.begin(body.rows);
  let taken = 0;
  while (taken < seeds.length && (taken === 0 || embedding.memberships < budget))
    embedding.takeAround(s, seeds[taken++]);
  seeds.length = taken;
  if (space === 'world') {
    embedding.turn(true);
    return;
  }
  // The linear problem converges slowly. It serves for comparison, so it need not be fast.
  embedding.embed(space === 'linear' ? LINEAR_ITERATIONS : iterations, space !== 'linear');
  embedding.residual(space !== 'linear');
}
const LINEAR_ITERATIONS = 500;

function createClusters(s: Views, body: Body): void {
  creator.begin(s, body, draft, embedding);
  const firstNew = draft.clusters;
  seeds.forEach((seed, n) => {
    const bridge = n < bridges.seeds.length;
    // A cluster created before may hold the particle by now.
    if (!bridge && countStaying(s, body, seed, firstNew) >= body.reclustering.minClusters) return;
    const cluster = isLaidOut(s, body, seed) ? creator.create(seed) : undefined;
    if (cluster) created.push(cluster);
    else keepClusters(s, seed);
  });
}

/** Whether the clusters around a particle agree on a shape. In world space there is no embedding to fail. */
function isLaidOut(s: Views, { reclustering: { space, radius } }: Body, particle: number): boolean {
  return space === 'world' || embedding.disagreement(s, particle) < FAILED * radius;
}

/** Keeps a particle's clusters, which nothing can replace: they fade in again (R2). The next search tries again. */
function keepClusters(s: Views, particle: number): void {
  const n = s.gatherRank[particle];
  for (let l = s.linkStart[n]; l < s.linkStart[n + 1]; l++) s.leaving[s.linkCluster[l]] = 0;
}

/** Number of clusters of a particle that stay or are new. */
function countStaying(s: Views, { rows }: Body, particle: number, firstNew: number): number {
  const i = particle - rows.particleStart;
  let stay = 0;
  for (let n = draft.linkFirst[i]; n < draft.linkLast[i]; n++) {
    const c = draft.cluster[draft.links[n]];
    if (c >= firstNew || !s.leaving[rows.clusterStart + c]) stay++;
  }
  return stay;
}

/**
 * Ends clusters that have faded out. One stays if a particle has no other cluster, as when its seed still waits for
 * budget, or if the body would come apart without it.
 */
function dropGone(s: Views, { rows }: Body): number {
  gone.length = 0;
  for (let c = 0; c < rows.clusterEnd - rows.clusterStart; c++)
    if (s.leaving[rows.clusterStart + c] && s.fade[rows.clusterStart + c] <= FAINT) gone.push(c);
  if (gone.length === 0) return 0;
  ties.begin(draft, gone);
  let count = 0;
  for (const c of gone) {
    let needed = false;
    for (let m = draft.memberFirst[c]; m < draft.memberLast[c] && !needed; m++)
      needed = draft.linkCount(draft.particle[draft.members[m]]) < 2;
    if (needed || ties.needs(c)) continue;
    draft.dropCluster(c);
    count++;
  }
  return count;
}

/** Writes the values of new clusters that the draft does not hold. They are the body's last clusters, in order. */
function finishClusters(s: Views, body: Body): void {
  const {
    rows,
    clustering,
    core: { contact },
  } = body;
  const first = rows.clusterEnd - created.length;
  created.forEach(({ cluster, hardened, restFrame, fromRest }, n) => {
    const c = first + n;
    identityInto(plastic);
    s.plastic.set(plastic, 9 * c);
    s.plasticStrain[c] = 0;
    s.hardened[c] = hardened;
    s.fade[c] = FAINT;
    s.leaving[c] = 0;
    s.soundness[c] = 1;
    // A new cluster inherits its stretch from those before it. It may break only after it has once been below its
    // toughness.
    s.unrelaxed[c] = 1;
    s.restFrame.set(restFrame, 12 * c);
    s.fromRest.set(fromRest, 9 * c);
    for (let j = 0; j < 3; j++) s.stretchFromRest.set(fromRest.subarray(3 * j, 3 * j + 3), 12 * c + 4 * j);
    centreInto(centre, cluster);
    moveFrame(s, c, centre);
    const row = { ...rows, clusterStart: c, clusterEnd: c + 1 };
    buildProxies(s, row, clustering.radius, contact.settings, s.proxySpacing[c]);
  });
  if (created.length > 0) {
    setClusterYield(s, rows);
    setClusterToughness(s, rows);
    body.core.history.setFading(true);
  }
}
const plastic = new Float64Array(9);
const centre = new Float64Array(3);

/** Centre of mass of one of the draft's clusters in its own frame. */
function centreInto(out: Float64Array, c: number): void {
  out.fill(0);
  let mass = 0;
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const k = draft.members[m];
    mass += draft.member[4 * k + 3];
    for (let a = 0; a < 3; a++) out[a] += draft.member[4 * k + 3] * draft.member[4 * k + a];
  }
  for (let a = 0; a < 3; a++) out[a] /= mass;
}
