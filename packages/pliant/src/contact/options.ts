import { checkBoolean, checkKeys, checkNumber, checkOneOf, withDefaults } from '../check.js';

/** How a body meets other bodies, itself and obstacles. Friction and restitution belong to the material. */
export interface ContactOptions {
  /**
   * 'proxies' (default): each cluster collides as a convex shape, a sphere cut by planes. 'surface': the triangle mesh of the body collides
   * with other bodies that chose this too; more exact and slower. 'none': the body collides with no other body.
   */
  mode?: 'proxies' | 'surface' | 'none';
  /** Whether parts of the body collide with each other. Default: true with 'proxies'; false with 'surface', where it is costly. */
  self?: boolean;
  /**
   * Where a particle inside a proxy is moved. 'skin' (default): to the surface that the body's outermost particles describe. 'planes': to
   * the nearest border of the proxy, as in the papers; that border may lie within the body.
   */
  exits?: 'skin' | 'planes';
  /**
   * Controls how many planes cut a proxy, in [0, 1]: a plane is added where the members end within this share of the cluster's radius.
   * Default 1.
   */
  fraction?: number;
  /** Distance (m) by which the surface that collides stands off the body. Default 0. */
  margin?: number;
  /** Share of a penetration that is removed in one step, in [0, 1]. Default 1. */
  gamma?: number;
  /**
   * 'momentum' (default): contact changes velocities and positions of both bodies, with friction and restitution. 'positions': as in the
   * papers, only the particle is moved, between bodies that both chose this. It does not conserve momentum.
   */
  response?: 'momentum' | 'positions';
  /**
   * The part of the body that collides with obstacles. 'points': the particles; the visible surface then sinks in by up to 0.8 spacings.
   * 'surface': the visible surface. Default 'surface', and 'points' for bodies with `material.raw`. A body given as points has
   * no surface beyond its particles.
   */
  obstacles?: 'points' | 'surface';
}

export const CONTACT_DEFAULTS = {
  mode: 'proxies',
  self: true,
  exits: 'skin',
  fraction: 1,
  margin: 0,
  gamma: 1,
  response: 'momentum',
  obstacles: 'surface',
} as const satisfies Required<ContactOptions>;

/** {@link ContactOptions} with defaults filled in. */
export type ContactSettings = Required<ContactOptions>;

export function resolveContact(path: string, options: ContactOptions = {}, raw = false): ContactSettings {
  checkKeys(path, options, Object.keys(CONTACT_DEFAULTS));
  const all = withDefaults(
    {
      ...CONTACT_DEFAULTS,
      self: options.mode !== 'surface',
      obstacles: raw ? 'points' : CONTACT_DEFAULTS.obstacles,
    },
    options,
  );
  return {
    mode: checkOneOf(`${path}.mode`, all.mode, ['proxies', 'surface', 'none']),
    self: checkBoolean(`${path}.self`, all.self),
    exits: checkOneOf(`${path}.exits`, all.exits, ['skin', 'planes']),
    fraction: checkNumber(`${path}.fraction`, all.fraction, { min: 0, max: 1 }),
    margin: checkNumber(`${path}.margin`, all.margin, { min: 0 }),
    gamma: checkNumber(`${path}.gamma`, all.gamma, { min: 0, max: 1 }),
    response: checkOneOf(`${path}.response`, all.response, ['momentum', 'positions']),
    obstacles: checkOneOf(`${path}.obstacles`, all.obstacles, ['points', 'surface']),
  };
}
