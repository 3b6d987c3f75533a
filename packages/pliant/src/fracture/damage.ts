import { lawEnergy } from '../match/lawEnergy.js';
import { shareOf } from '../material/elasticLaw.js';
import { Scratch } from '../scratch.js';
import { describeElasticity } from '../state/elasticity.js';
import { Elasticity } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { TopologyDraft } from '../topology/topologyDraft.js';

/**
 * Keeps fracture from adding energy to a body with an elastic law. Halves resist bends that their cluster hardly felt, so that a split raises the
 * strain energy of what it leaves: a bursting box gained an eighth of its energy. Clusters that changed become softer by as much as they would gain
 * (`soundness`). An undamaged half stays as stiff as it was.
 */
export class Damage {
  private readonly beforeRoom = new Scratch(Float64Array);
  private readonly afterRoom = new Scratch(Float64Array);
  private before!: Float64Array;
  private h = 0;

  /** Measures the clusters that a draft will change, by the rows that they came from. */
  begin(s: Views, { clusterStart, clusterEnd }: Rows, draft: TopologyDraft, h: number): void {
    this.h = h;
    this.before = this.beforeRoom.take(clusterEnd - clusterStart).fill(Number.NaN);
    for (let c = 0; c < draft.clusters; c++) {
      const from = draft.clusterFrom[c];
      if (draft.changed[c] === 0 || !Number.isNaN(this.before[from])) continue;
      this.before[from] = lawEnergy(s, clusterStart + from, shareOf(s.elasticity, clusterStart + from, h));
    }
  }

  /** The draft is written: `names` are the numbers of its clusters in the body. */
  apply(s: Views, { clusterStart }: Rows, draft: TopologyDraft, names: Int32Array): void {
    const { before, h } = this;
    const after = this.afterRoom.takeZeros(before.length);
    for (let c = 0; c < draft.clusters; c++) {
      const [from, row] = [draft.clusterFrom[c], clusterStart + names[c]];
      if (names[c] >= 0 && draft.changed[c] !== 0) after[from] += lawEnergy(s, row, shareOf(s.elasticity, row, h));
    }
    for (let c = 0; c < draft.clusters; c++) {
      const from = draft.clusterFrom[c];
      if (names[c] < 0 || draft.changed[c] === 0 || !(after[from] > before[from])) continue;
      const row = clusterStart + names[c];
      const rate = s.elasticity[12 * row + Elasticity.RATE] * h * h;
      if (!(rate > 0)) continue;
      // Where the step bounds the share, it is the bounded one that must fall.
      const left = (before[from] / after[from]) * (shareOf(s.elasticity, row, h) / rate);
      s.soundness[row] = Math.max(SOFTEST, s.soundness[row] * Math.max(LEAST, left));
      describeElasticity(s, row);
    }
  }
}

/** Least share that one change leaves: rounding of an energy of next to nothing decides about none. */
const LEAST = 0.05;
/** Least soundness of a cluster, however often it is changed. */
const SOFTEST = 1e-3;
