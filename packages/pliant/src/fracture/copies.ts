import type { Body } from '../body/body.js';
import type { Clustering } from '../cluster/index.js';
import { Scratch } from '../scratch.js';
import type { Views } from '../state/layout.js';
import type { TopologyDraft } from '../topology/topologyDraft.js';

/** Copies that fracture may make of a particle in any case, itself among them. */
const FEW = 4;

/**
 * No copy is made that would weigh less than this share of what its particle was built with. Clusters that come and go have little weight: by what they
 * share out again and again masses came to 0 in f32, and 350 particles to 30 000 in ninety steps.
 */
const LIGHTEST = 1e-3;

/**
 * How many copies of a particle fracture may make (SPEC X7). One that was built into n clusters comes apart into n at most, as each copy needs a cluster of
 * its own and a split makes no memberships. Reclustering makes them, again and again: copies that come into new clusters were copied anew, 121
 * particles into 7 556 in 900 steps. So of each particle that the body was built with there are n copies at most, or 4 where n is less. A body that
 * reclusters and has only part of the particle's mass, others having been separated from it, has that many by its share: else each could begin anew.
 */
export class CopyLimit {
  private s!: Views;
  private draft!: TopologyDraft;
  private first = 0;
  /** By the number that particles had when the body was built: how many copies there are, and how many there may be. */
  private count: Uint32Array = new Uint32Array(0);
  private most: Float64Array = new Float64Array(0);

  begin(s: Views, body: Body, draft: TopologyDraft): void {
    const { particleStart } = body.rows;
    this.s = s;
    this.draft = draft;
    this.first = particleStart;
    const built = body.builtPositions.length / 3;
    const holders = holdersOf(body.clustering, built);
    const byShare = body.reclustering.threshold < Number.POSITIVE_INFINITY;
    this.count = countRoom.takeZeros(built);
    this.most = mostRoom.takeZeros(built);
    for (let i = 0; i < draft.particles; i++) {
      const a = s.ancestor[particleStart + i];
      this.count[a]++;
      const share = draft.particleMass[i] / s.builtMass[particleStart + i];
      const most = Math.max(FEW, holders[a]);
      this.most[a] = byShare ? this.most[a] + share * most : most;
    }
  }

  /** Whether a particle of the draft may be divided into one that weighs `mass` (kg) and what stays. */
  allows(i: number, mass: number): boolean {
    const row = this.first + this.draft.particleFrom[i];
    const a = this.s.ancestor[row];
    if (Math.min(mass, this.draft.particleMass[i] - mass) < LIGHTEST * this.s.builtMass[row]) return false;
    // Shares of a mass in f32 add up to it but for rounding.
    return this.count[a] + 1 <= this.most[a] + 0.01;
  }

  /** It has been. */
  add(i: number): void {
    this.count[this.s.ancestor[this.first + this.draft.particleFrom[i]]]++;
  }
}

const countRoom = new Scratch();
const mostRoom = new Scratch(Float64Array);

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
