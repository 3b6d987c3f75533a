import type { Body } from '../body/body.js';
import { checkBoolean, checkKeys, checkNumberOrInfinity, refuse, withDefaults } from '../check.js';
import { ALL_GROUPS, type Groups, groupsMeet, resolveGroups } from '../groups.js';
import { hasExpired } from '../obstacles/collide.js';
import type { Collider } from '../obstacles/collider.js';
import type { World } from '../world.js';

/** Which bodies a query considers. */
export interface QueryOptions {
  /** Only these bodies, or only those for which the function returns true. Default: all. */
  bodies?: readonly Body[] | ((body: Body) => boolean);
  /** Whether disabled bodies and colliders are found. Default false. */
  includeDisabled?: boolean;
  /** Only bodies and colliders that a thing with these groups would meet, see {@link Groups}. Default: all. */
  filter?: Partial<Groups>;
}

/** Options of a query with a largest distance. */
export interface ReachOptions extends QueryOptions {
  /** Largest distance of a result (m). Default: infinite. */
  maxDistance?: number;
}

/** Option of queries that can find colliders. */
interface ObstacleOptions {
  /** Whether colliders are found too. Default false. */
  obstacles?: boolean;
}

/** Options of `world.castRay`. */
export interface RayOptions extends ReachOptions, ObstacleOptions {}
/** Options of `world.overlapSphere`. */
export interface OverlapOptions extends QueryOptions, ObstacleOptions {}

export const QUERY_DEFAULTS = {
  bodies: () => true,
  includeDisabled: false,
  filter: ALL_GROUPS,
} as const satisfies Required<QueryOptions>;

export const REACH_DEFAULTS = {
  ...QUERY_DEFAULTS,
  maxDistance: Number.POSITIVE_INFINITY,
} as const satisfies Required<ReachOptions>;

/** Validates the options that all queries have; returns the selected bodies, in the world's order. */
export function resolveBodies(path: string, world: World, options: QueryOptions): readonly Body[] {
  const { bodies, includeDisabled, filter } = withDefaults(QUERY_DEFAULTS, options);
  checkBoolean(`${path}.includeDisabled`, includeDisabled);
  const groups = resolveGroups(`${path}.filter`, filter);
  const live = world.bodies.filter((body) => (body.enabled || includeDisabled) && groupsMeet(groups, body.groups));
  if (typeof bodies === 'function') return live.filter(bodies);
  const list: readonly Body[] = bodies;
  if (!Array.isArray(list)) refuse(`${path}.bodies`, bodies, 'a list of bodies or a function of a body');
  list.forEach((body, k) => {
    if (!world.bodies.includes(body)) refuse(`${path}.bodies[${k}]`, body?.name, 'a body of this world');
  });
  return live.filter((body) => list.includes(body));
}

/** The colliders that a query considers, in the world's order: none unless it asks for obstacles. */
export function resolveColliders(
  path: string,
  world: World,
  { obstacles = false, includeDisabled = false, filter }: OverlapOptions,
): readonly Collider[] {
  if (!checkBoolean(`${path}.obstacles`, obstacles)) return [];
  const groups = resolveGroups(`${path}.filter`, filter);
  return world.core.allColliders.filter(
    (collider) =>
      (collider.enabled || includeDisabled) && !hasExpired(world, collider) && groupsMeet(groups, collider.groups),
  );
}

/**
 * Validates the options of a query with a largest distance; returns bodies and distance. `more` are the names of further options of the
 * query.
 */
export function resolveReach(path: string, world: World, options: ReachOptions, more: readonly string[] = []) {
  checkKeys(path, options, [...Object.keys(REACH_DEFAULTS), ...more]);
  const { maxDistance } = withDefaults(REACH_DEFAULTS, options);
  return {
    bodies: resolveBodies(path, world, options),
    maxDistance: checkNumberOrInfinity(`${path}.maxDistance`, maxDistance, { min: 0 }),
  };
}
