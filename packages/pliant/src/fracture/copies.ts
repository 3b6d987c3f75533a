import type { Body } from '../body/body.js';
import type { Clustering } from '../cluster/index.js';
import { Scratch } from '../scratch.js';
import type { Views } from '../state/layout.js';
import type { TopologyDraft } from '../topology/topologyDraft.js';

/** Number of particles, the original included, into which fracture may divide any particle. */
const FEW = 4;

/**
 * Least mass of a copy as a share of the mass that its particle was built with. Clusters that fade in or out have
 * little weight. Without this bound, copies that took over such weights again and again reached mass 0 in f32, and 350
 * particles became 30 000 in ninety steps.
 */
export const LIGHTEST = 1e-3;

/**
 * Limit on the copies that fracture makes of a particle (SPEC X7). Of each particle that the body was built with there
 * are at most n, the number of clusters that held it, or 4 where n is less.
 *
 * Without reclustering n is no restriction: each copy needs a cluster of its own, and a split makes no memberships.
 * Reclustering makes new memberships again and again, and copies in new clusters were copied anew: 121 particles became
 * 7 556 in 900 steps.
 *
 * A body that reclusters may have only part of the particle's mass, when other pieces were separated from it. Its limit
 * is then that share of n. Otherwise every separated body could begin anew.
 */
export class CopyLimit {
  private s!: Views;
  private draft!: TopologyDraft;
  private first = 0;
  /** By ancestor: how many copies there are, and how many clusters held it. */
  private count: Uint32Array = new Uint32Array(0);
  private holders: Uint32Array = new Uint32Array(0);
  /** Whether `most`, by ancestor, says how many there may be. */
  private byShare = false;
  private most: Float64Array = new Float64Array(0);

  begin(s: Views, body: Body, draft: TopologyDraft): void {
    const { particleStart } = body.rows;
    this.s = s;
    this.draft = draft;
    this.first = particleStart;
    const built = body.builtPositions.length / 3;
    const holders = holdersOf(body.clustering, built);
    const { ancestor } = s;
    this.count = takeCount(s, body, built);
    this.holders = holders;
    this.byShare = body.reclustering.threshold < Number.POSITIVE_INFINITY;
    if (!this.byShare) return;
    this.most = mostRoom.takeZeros(built);
    draft.weighAll();
    for (let i = 0; i < draft.particles; i++) {
      const a = ancestor[particleStart + i];
      const share = draft.particleMass[i] / s.builtMass[particleStart + i];
      this.most[a] += share * Math.max(FEW, holders[a]);
    }
  }

  /** Whether a particle of the draft may be divided into a copy of `mass` (kg) and the rest. */
  allows(i: number, mass: number): boolean {
    const row = this.first + this.draft.particleFrom[i];
    const a = this.s.ancestor[row];
    if (Math.min(mass, this.draft.particleMass[i] - mass) < LIGHTEST * this.s.builtMass[row]) return false;
    // The tolerance is for shares of a mass in f32, which sum to 1 but for rounding.
    return this.count[a] + 1 <= (this.byShare ? this.most[a] : Math.max(FEW, this.holders[a])) + 0.01;
  }

  /** Keeps the counts for the next break of a body, whose draft was written with all copies that were counted. */
  end(body: Body): void {
    if (!this.draft.dropped) counts.set(body.restPositions, this.count);
  }

  /** Counts a copy that was made of particle i. */
  add(i: number): void {
    this.count[this.s.ancestor[this.first + this.draft.particleFrom[i]]]++;
  }
}

const mostRoom = new Scratch(Float64Array);

/**
 * How many copies there are of each particle that a body was built with, by the array of its rest positions. Every change of a body's particles gives it another one.
 * A count that has been taken is no longer that of the array: the snapshot of a body may still hold it.
 */
const counts = new WeakMap<Float64Array, Uint32Array>();

function takeCount({ ancestor }: Views, { restPositions, rows }: Body, built: number): Uint32Array {
  const kept = counts.get(restPositions);
  counts.delete(restPositions);
  if (kept) return kept;
  const count = new Uint32Array(built);
  for (let row = rows.particleStart; row < rows.particleEnd; row++) count[ancestor[row]]++;
  return count;
}

/** How many clusters held each particle when the body was built. */
function holdersOf(clustering: Clustering, built: number): Uint32Array {
  let holders = known.get(clustering);
  if (!holders) {
    holders = new Uint32Array(built);
    for (let k = 0; k < clustering.particle.length; k++) holders[clustering.particle[k]]++;
    known.set(clustering, holders);
  }
  return holders;
}
const known = new WeakMap<Clustering, Uint32Array>();
