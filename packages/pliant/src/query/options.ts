import type { Body } from '../body/body.js';
import { checkBoolean, checkKeys, checkNumberOrInfinity, refuse, withDefaults } from '../check.js';
import type { World } from '../world.js';

/** Which bodies a query looks at. */
export interface QueryOptions {
  /** Only these bodies, or only those for which the function is true. All by default. */
  bodies?: readonly Body[] | ((body: Body) => boolean);
  /** Bodies that are switched off take no part in contact, and in queries only if this is set. */
  includeDisabled?: boolean;
}

/** A query that ends somewhere. */
export interface ReachOptions extends QueryOptions {
  /** What is farther than this (m) is not found. */
  maxDistance?: number;
}

export const QUERY_DEFAULTS = { bodies: () => true, includeDisabled: false } as const satisfies Required<QueryOptions>;

export const REACH_DEFAULTS = {
  ...QUERY_DEFAULTS,
  maxDistance: Number.POSITIVE_INFINITY,
} as const satisfies Required<ReachOptions>;

/** Checks the options that all queries have; returns the bodies they leave, in the world's order. */
export function resolveBodies(field: string, world: World, options: QueryOptions): readonly Body[] {
  const { bodies, includeDisabled } = withDefaults(QUERY_DEFAULTS, options);
  checkBoolean(`${field}.includeDisabled`, includeDisabled);
  const live = world.bodies.filter((body) => body.enabled || includeDisabled);
  if (typeof bodies === 'function') return live.filter(bodies);
  const list: readonly Body[] = bodies;
  if (!Array.isArray(list)) refuse(`${field}.bodies`, bodies, 'a list of bodies or a function of a body');
  list.forEach((body, k) => {
    if (!world.bodies.includes(body)) refuse(`${field}.bodies[${k}]`, body?.name, 'a body of this world');
  });
  return live.filter((body) => list.includes(body));
}

/** The same for a query that ends somewhere; returns where, too. */
export function resolveReach(field: string, world: World, options: ReachOptions) {
  checkKeys(field, options, Object.keys(REACH_DEFAULTS));
  const { maxDistance } = withDefaults(REACH_DEFAULTS, options);
  return {
    bodies: resolveBodies(field, world, options),
    maxDistance: checkNumberOrInfinity(`${field}.maxDistance`, maxDistance, { min: 0 }),
  };
}
