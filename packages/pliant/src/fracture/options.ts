import {
  checkBoolean,
  checkInteger,
  checkKeys,
  checkNumber,
  checkNumberOrInfinity,
  checkOneOf,
  refuse,
  withDefaults,
} from '../check.js';
import { cbrt } from '../math/elementary.js';

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
   * clusters. In a body with an elastic law that has broken, a member does that is off by this many spacings from where its cluster as a whole carries it;
   * by half of that where the toughness is below 0.125, in proportion up to 0.25. Infinite: no member ever does. Default 2.
   */
  outliers?: number;
  /**
   * With an elastic law: length (m) over which the stretch is averaged that decides whether a cluster breaks, so that a body breaks alike at any resolution. Larger ones are tougher at notches and
   * under blows. Clusters wider than this decide by themselves; 0 lets all do. 'auto' (default) is ∛(volume/20), the width of a cluster where the body has some 1200 particles. Without a law: 0.
   */
  length?: number | 'auto';
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
  /**
   * How rough the faces of cracks are drawn, from 0 (smooth, as glass) to 1 (bumps of a third of the particles' distance). It changes the render mesh
   * only. Default 0.
   */
  roughness?: number;
  /** Axis of the rest shape along which that roughness is drawn out into fibres, as in wood. Default 'none'. */
  grain?: Grain;
}

/** Directions of fibres. */
export const GRAINS: readonly Grain[] = ['none', 'x', 'y', 'z'];
/** A direction of fibres: an axis of the rest shape, or none. */
export type Grain = 'none' | 'x' | 'y' | 'z';

/** Defaults of {@link FractureOptions}. */
export const FRACTURE_DEFAULTS = {
  outliers: 2,
  length: 'auto',
  delay: true,
  boost: 0,
  falloff: 10,
  minMembers: 4,
  minMass: 0,
  debris: true,
  budget: 50_000,
  roughness: 0,
  grain: 'none',
} as const satisfies Required<FractureOptions>;

/** {@link FractureOptions} with defaults filled in. */
export interface FractureSettings extends Required<Omit<FractureOptions, 'roughness' | 'grain'>> {
  /** Absent where faces are smooth: a render mesh is no part of a world's state, nor of its hash. */
  roughness?: number;
  /** Direction of the grain, if cracks are rough. */
  grain?: Grain;
  /** Length over which stretch is averaged (m); 0: clusters decide by themselves. */
  length: number;
  /** Present where the body is nowhere thicker than that length: it breaks by the stretch at its surface too, where it is bent. */
  thin?: true;
}

/** Cells of the default `length` in a body: as many as there are clusters, by the space that one takes up, in a body of some 1200 particles. */
const CELLS = 20;

/** `volume` (m³) of the body; undefined without an elastic law. `thickness` (m) where it is thickest, if that matters. */
export function resolveFracture(
  path: string,
  options: FractureOptions = {},
  volume?: number,
  thickness = Number.POSITIVE_INFINITY,
): FractureSettings {
  checkKeys(path, options, Object.keys(FRACTURE_DEFAULTS));
  const all = withDefaults(FRACTURE_DEFAULTS, options);
  const { length } = all;
  if (length !== 'auto') checkNumber(`${path}.length`, length, { min: 0 });
  if (volume === undefined && length !== 'auto' && length !== 0)
    refuse(`${path}.length`, length, 'nothing without young, poisson or dampingRatio: clusters decide by themselves');
  const roughness = checkNumber(`${path}.roughness`, all.roughness, { min: 0, max: 1 });
  const grain = checkOneOf(`${path}.grain`, all.grain, GRAINS);
  const mean = length === 'auto' ? cbrt((volume ?? 0) / CELLS) : length;
  return {
    outliers: checkNumberOrInfinity(`${path}.outliers`, all.outliers, { above: 0 }),
    length: mean,
    ...(thickness < mean && { thin: true }),
    delay: checkBoolean(`${path}.delay`, all.delay),
    boost: checkNumber(`${path}.boost`, all.boost, { min: 0 }),
    falloff: checkNumber(`${path}.falloff`, all.falloff, { min: 0 }),
    minMembers: checkInteger(`${path}.minMembers`, all.minMembers, { min: 1 }),
    minMass: checkNumber(`${path}.minMass`, all.minMass, { min: 0 }),
    debris: checkBoolean(`${path}.debris`, all.debris),
    budget: checkInteger(`${path}.budget`, all.budget, { min: 1 }),
    ...(roughness > 0 && { roughness, grain }),
  };
}
