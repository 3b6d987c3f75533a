/** Boxes of a body, as contact found them in this substep. */
export class Boxes {
  /** The body cannot touch itself in this substep. */
  isCalm = false;
  /** Those that were found: that of the whole body alone, or those of all clusters; 'wanted' if those of all clusters are to be found. */
  found: 'body' | 'wanted' | 'clusters' = 'clusters';
  readonly rest: RestClusters = new RestClusters();
}

/** A body's clusters at rest, as `isCalm` needs them. */
export class RestClusters {
  /** Topology version that they are of. */
  version = -1;
  /** Some particle is in no cluster. Boxes of clusters do not hold it. */
  hasDebris = false;
  /** Least distance (m) of the first members of two clusters that share no particle. Infinite if all share particles; 0 if there are too many clusters to find it. */
  least = 0;
  /** Mean of the first members. */
  readonly mean: Float64Array = new Float64Array(3);
  /** Inverse of Σ (X − X̄)(X − X̄)ᵀ. */
  readonly inverse: Float64Array = new Float64Array(9);
}
