import { checkBoolean, checkInteger, checkKeys, checkNumber, checkNumberOrInfinity, withDefaults } from '../check.js';

/**
 * How a body comes apart once a cluster is stretched beyond its toughness, which belongs to the material (SPEC X, [J16] 3.3). Whatever is said here, of each
 * particle that the body was built with fracture leaves no more copies than clusters held it then, or 4 where these were fewer (X7): one that would
 * be copied beyond that goes whole to the side of the crack on which it weighs more.
 */
export interface FractureOptions {
  /**
   * A member farther from its cluster's centre than (1 + γ) times this many times its rest distance leaves its other clusters (X3); infinite:
   * none ever does.
   */
  outliers?: number;
  /** Whether a cluster that has just split waits until it has relaxed below its toughness before it splits again (X4). */
  delay?: boolean;
  /** τ_b: right after a split the halves are this much tougher, τ = τ₀ (1 + τ_b e^(−τ_f t)) (X4). */
  boost?: number;
  /** τ_f: how fast that fades (1/s). */
  falloff?: number;
  /** Clusters with fewer members end (X5). */
  minMembers?: number;
  /** Clusters of less mass (kg) end. */
  minMass?: number;
  /**
   * Whether particles that are left in no cluster stay, as debris that flies and falls by itself (X5). Otherwise they leave the body as they
   * become debris, and take their mass along.
   */
  debris?: boolean;
  /**
   * Memberships that one step may work through (X7): the most overloaded clusters split first, the others wait for the next step. It counts work
   * and not time, so that every machine computes the same. What it does not count is the one rewrite of a body that broke, which grows with the body.
   */
  budget?: number;
}

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
