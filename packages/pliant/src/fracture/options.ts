import { checkBoolean, checkInteger, checkKeys, checkNumber, checkNumberOrInfinity, withDefaults } from '../check.js';

/**
 * How a body breaks once a cluster is stretched beyond its toughness, which belongs to the material. A cluster that breaks is split by a plane across
 * its largest stretch; a particle that belongs to clusters on both sides is copied.
 *
 * A particle is copied at most as often as clusters held it when the body was built, or 4 times where those were fewer. One that would need more
 * copies goes to the half in which it has more weight.
 */
export interface FractureOptions {
  /**
   * A member farther from its cluster's centre than (1 + gamma of the strain limit) times this many times its rest distance leaves its other
   * clusters. Infinite: no member ever does. Default 2.
   */
  outliers?: number;
  /** Whether a cluster that has just split must relax below its toughness before it may split again. Default true. */
  delay?: boolean;
  /** How much tougher the halves of a split cluster are at first: toughness · (1 + boost · e^(−falloff · t)). Default 0. */
  boost?: number;
  /** How fast that boost fades (1/s). Default 10. */
  falloff?: number;
  /** Clusters with fewer members are removed. Default 4. */
  minMembers?: number;
  /** Clusters of less mass are removed (kg). Default 0. */
  minMass?: number;
  /** Whether particles that are left in no cluster stay, as debris that flies and falls by itself. Default true. If false they are removed, with their mass. */
  debris?: boolean;
  /**
   * Memberships that fracture may work through in one step. The most overloaded clusters split first, the others wait for the next step. It counts
   * work and not time, so that all machines compute the same. A body that broke is rewritten once in that step, which is not counted and grows with
   * the body. Default 50 000.
   */
  budget?: number;
}

/** Defaults of {@link FractureOptions}. */
export const FRACTURE_DEFAULTS = {
  outliers: 2,
  delay: true,
  boost: 0,
  falloff: 10,
  minMembers: 4,
  minMass: 0,
  debris: true,
  budget: 50_000,
} as const satisfies Required<FractureOptions>;

/** {@link FractureOptions} with defaults filled in. */
export type FractureSettings = Required<FractureOptions>;

export function resolveFracture(path: string, options: FractureOptions = {}): FractureSettings {
  checkKeys(path, options, Object.keys(FRACTURE_DEFAULTS));
  const all = withDefaults(FRACTURE_DEFAULTS, options);
  return {
    outliers: checkNumberOrInfinity(`${path}.outliers`, all.outliers, { above: 0 }),
    delay: checkBoolean(`${path}.delay`, all.delay),
    boost: checkNumber(`${path}.boost`, all.boost, { min: 0 }),
    falloff: checkNumber(`${path}.falloff`, all.falloff, { min: 0 }),
    minMembers: checkInteger(`${path}.minMembers`, all.minMembers, { min: 1 }),
    minMass: checkNumber(`${path}.minMass`, all.minMass, { min: 0 }),
    debris: checkBoolean(`${path}.debris`, all.debris),
    budget: checkInteger(`${path}.budget`, all.budget, { min: 1 }),
  };
}
