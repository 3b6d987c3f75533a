import { z } from 'zod';
import { boolean, fields, integer, number, oneOf } from './primitives.js';

export const fracture = fields({
  outliers: number({ above: 0 })
    .optional()
    .describe(
      'A particle farther from a cluster than (1 + γ) times this many times its rest distance leaves its other clusters. Default 2.',
    )
    .meta({ default: 2 }),
  length: z
    .union([number({ min: 0 }), z.literal('auto')], { error: 'a number of at least 0, or "auto"' })
    .optional()
    .describe(
      'With an elastic law: length (m) over which the stretch is averaged that breaks a cluster; 0 is none. "auto" (default) is ∛(volume/20).',
    )
    .meta({ default: 'auto' }),
  delay: boolean()
    .optional()
    .describe('A cluster that has just split waits until it has relaxed before it splits again. Default true.')
    .meta({ default: true }),
  boost: number({ min: 0 })
    .optional()
    .describe('τ_b: right after a split the halves are this much tougher, fading with time. Default 0.')
    .meta({ title: 'Tougher after a split by', default: 0 }),
  falloff: number({ min: 0 })
    .optional()
    .describe('τ_f: how fast that fades (1/s). Default 10.')
    .meta({ title: 'Which fades by', default: 10 }),
  minMembers: integer({ min: 1 })
    .optional()
    .describe('Clusters with fewer members end. Default 4.')
    .meta({ default: 4 }),
  minMass: number({ min: 0 }).optional().describe('Clusters of less mass end (kg). Default 0.').meta({ default: 0 }),
  debris: boolean()
    .optional()
    .describe(
      'Particles that are left in no cluster stay, as debris; otherwise they leave with their mass. Default true.',
    )
    .meta({ default: true }),
  budget: integer({ min: 1 })
    .optional()
    .describe('Memberships that fracture may work through in one step; what is left waits. Default 50000.')
    .meta({ default: 50000 }),
  roughness: number({ min: 0, max: 1 })
    .optional()
    .describe('How rough the faces of cracks are drawn, from 0 (glass) to 1. Default 0.')
    .meta({ default: 0 }),
  grain: oneOf('none', 'x', 'y', 'z')
    .optional()
    .describe('Axis at rest along which that roughness is drawn out into fibres, as in wood. Default "none".')
    .meta({ default: 'none' }),
}).meta({
  id: 'Fracture',
  description: "How a body comes apart once it is stretched beyond its material's toughness.",
});
