import { checkBoolean, checkKeys, checkNumber, checkOneOf, withDefaults } from '../check.js';

/** How a body meets other bodies and itself (SPEC K1, K2, K5). Friction and restitution belong to its material. */
export interface ContactOptions {
  /** 'proxies': a convex shape per cluster; 'surface': its triangle mesh, against others that chose it too; 'none': never. */
  mode?: 'proxies' | 'surface' | 'none';
  /** Whether parts of the body collide with each other. Default: yes by proxies, no by surfaces, which are costly. */
  self?: boolean;
  /**
   * Where a particle inside a proxy goes: to the skin that the body's outermost particles describe, or to the nearest
   * border of the proxy as in the papers ([J15] 3.4), which may lie within the body.
   */
  exits?: 'skin' | 'planes';
  /** A plane is added where the members end within this share of the cluster's radius. */
  fraction?: number;
  /** Distance (m) by which the body's surface stands off what its particles say. */
  margin?: number;
  /** γ: share of a penetration that one step takes away ([J15] 17). */
  gamma?: number;
  /**
   * What contact changes: velocities and positions of both sides, with friction and restitution; or, against others that chose it
   * too, the position of the particle alone as in the papers, which keeps no momentum.
   */
  response?: 'momentum' | 'positions';
  /**
   * What obstacles meet: its particles as points, as in the papers, so that its surface sinks in by up to 0.8 spacings; or that surface,
   * as far beyond each of the outermost particles as it was at rest. A body given as points has no other surface.
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
  obstacles: 'points',
} as const satisfies Required<ContactOptions>;

export type ContactSettings = Required<ContactOptions>;

export function resolveContact(path: string, options: ContactOptions = {}): ContactSettings {
  checkKeys(path, options, Object.keys(CONTACT_DEFAULTS));
  const all = withDefaults({ ...CONTACT_DEFAULTS, self: options.mode !== 'surface' }, options);
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
