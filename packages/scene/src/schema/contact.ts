import { boolean, fields, number, oneOf } from './primitives.js';

export const contact = fields({
  mode: oneOf('proxies', 'surface', 'none')
    .optional()
    .describe(
      "'proxies' (default): a convex shape per cluster; 'surface': the body's triangle mesh, against others that chose it too; 'none': the body passes through others and itself.",
    )
    .meta({ default: 'proxies' }),
  self: boolean()
    .optional()
    .describe('Parts of the body collide with each other. Default true; false for surfaces, which are costly.')
    .meta({ title: 'Self-contact' }),
  exits: oneOf('skin', 'planes')
    .optional()
    .describe(
      "Where a particle inside a proxy goes: to the skin that the body's outermost particles describe (default), or to the nearest border of the proxy, as in the papers.",
    )
    .meta({ default: 'skin' }),
  fraction: number({ min: 0, max: 1 })
    .optional()
    .describe("A proxy gets a plane where its members end within this share of the cluster's radius. Default 1.")
    .meta({ default: 1 }),
  margin: number({ min: 0 })
    .optional()
    .describe("Distance by which the body's surface stands off what its particles say (m). Default 0.")
    .meta({ default: 0 }),
  gamma: number({ min: 0, max: 1 })
    .optional()
    .describe('γ: share of a penetration that one step takes away; of two bodies the smaller counts. Default 1.')
    .meta({ title: 'Taken away in a step', default: 1 }),
  response: oneOf('momentum', 'positions')
    .optional()
    .describe(
      "What contact changes: velocities and positions of both sides (default), or, against others that chose it too, the particle's position alone, as in the papers; that keeps no momentum.",
    )
    .meta({ default: 'momentum' }),
  obstacles: oneOf('points', 'surface')
    .optional()
    .describe(
      "What obstacles meet: the body's surface (default), or its particles as points, as in the papers (default beside `material.raw`), so that its surface sinks in by up to 0.8 spacings. A body given as points has no surface.",
    )
    .meta({ default: 'surface' }),
}).meta({
  id: 'Contact',
  description: 'How a body meets other bodies and itself. Friction and restitution belong to its material.',
});
