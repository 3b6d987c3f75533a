import type { Body } from '../body/body.js';
import { checkNumberOrInfinity, checkOneOf, withDefaults } from '../check.js';
import { copyPlain } from '../plainData.js';
import type { Views } from '../state/layout.js';
import { type Evaluate, type FieldType, resolveField } from './fieldTypes.js';
import { type Inside, type Region, resolveRegion } from './region.js';

/** Options that all force fields have. */
export interface Common {
  /**
   * Unit of the field: 'acceleration' (default, m/s²) moves all masses alike; 'force' (N) acts on each particle, and heavier particles
   * respond less.
   */
  as?: 'force' | 'acceleration';
  /** Where the field acts, by the current position of a particle. Default: everywhere. */
  region?: Region;
  /** Bodies it acts on. Default: all, also those that are added later. */
  bodies?: readonly Body[];
  /** Time after which the field is gone (s). Default: never. */
  lifetime?: number;
}

/** Options of `world.addForceField`: a type of field with its own options, and the options that all have. */
export type ForceFieldOptions = FieldType & Common;

/** Defaults of the options that all force fields have. */
export const FORCE_FIELD_DEFAULTS = {
  as: 'acceleration',
  lifetime: Number.POSITIVE_INFINITY,
} as const satisfies Omit<Required<Common>, 'region' | 'bodies'>;

/** Largest acceleration (m/s²) that is written into the f32 state. The step limits velocities, but cannot limit infinite ones. */
const LARGEST = 1e25;

const out = new Float64Array(3);

/** A force field in a world: adds a force or an acceleration to particles in every step. `world.addForceField` makes it. */
export class ForceField {
  /** The type of field. */
  readonly type: FieldType['type'];
  /** Whether its numbers are forces (N) or accelerations (m/s²). */
  readonly as: 'force' | 'acceleration';
  /** Time from `since` after which it is gone (s). */
  readonly lifetime: number;
  /** The bodies it acts on; undefined means all. */
  bodies: ReadonlySet<Body> | undefined;
  /** @internal A copy of the options it was made from, without `bodies`; stored in files. Undefined for a field with a function. */
  readonly options: ForceFieldOptions | undefined;
  private readonly inside: Inside | undefined;
  private readonly evaluate: Evaluate;

  /** @internal */
  constructor(
    options: ForceFieldOptions,
    /** World time when it was added (s). */
    readonly since: number,
    path = 'forceField',
  ) {
    this.evaluate = resolveField(path, options, ['bodies', 'region', ...Object.keys(FORCE_FIELD_DEFAULTS)]);
    const all = withDefaults(FORCE_FIELD_DEFAULTS, options);
    this.type = options.type;
    this.as = checkOneOf(`${path}.as`, all.as, ['force', 'acceleration']);
    this.lifetime = checkNumberOrInfinity(`${path}.lifetime`, all.lifetime, { min: 0 });
    this.inside = options.region && resolveRegion(`${path}.region`, options.region);
    this.bodies = options.bodies && new Set(options.bodies);
    const { bodies: _, ...others } = options;
    this.options = options.type === 'custom' ? undefined : copyPlain(others);
  }

  /** @internal Whether it acts in the step that begins at `time`: it acts for its lifetime, rounded to whole steps. */
  acts(time: number, h: number): boolean {
    return time - this.since < this.lifetime - h / 2;
  }

  /** @internal A body was divided: the field acts on all pieces. */
  divide(body: Body, pieces: readonly Body[]): void {
    if (this.bodies?.has(body)) this.bodies = new Set([...this.bodies, ...pieces]);
  }

  /**
   * @internal Adds its forces on a body to those of the next step. Returns the number of particles with a NaN force; undefined if it acts
   * on no particle.
   */
  push(s: Views, body: Body, time: number, h: number): number | undefined {
    const { x, v, force } = s;
    const asForce = this.as === 'force';
    let pushed = false;
    let faults = 0;
    for (let o = 4 * body.rows.particleStart; o < 4 * body.rows.particleEnd; o += 4) {
      if (this.inside && !this.inside(x[o], x[o + 1], x[o + 2])) continue;
      const m = x[o + 3];
      out[0] = 0;
      out[1] = 0;
      out[2] = 0;
      this.evaluate(x[o], x[o + 1], x[o + 2], v[o], v[o + 1], v[o + 2], time, out, h, asForce ? m : 1);
      const scale = asForce ? 1 : m;
      for (let a = 0; a < 3; a++)
        force[o + a] = Math.max(-LARGEST * m, Math.min(LARGEST * m, force[o + a] + scale * out[a]));
      if (Number.isNaN(out[0]) || Number.isNaN(out[1]) || Number.isNaN(out[2])) faults++;
      pushed = true;
    }
    return pushed ? faults : undefined;
  }
}
