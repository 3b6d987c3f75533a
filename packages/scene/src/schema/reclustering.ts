import { fields, integer, number, oneOf } from './primitives.js';

export const reclustering = fields({
  threshold: number({ above: 1 })
    .optional()
    .describe(
      'A cluster is replaced once its rest shape is this many times longer one way than another. Default: never.',
    ),
  fadeOut: number({ above: 0 }).optional().describe('Time in which it goes (s). Default 0.5.').meta({ default: 0.5 }),
  fadeIn: number({ above: 0 })
    .optional()
    .describe('Time in which a new one comes (s). Default 0.4.')
    .meta({ default: 0.4 }),
  minClusters: integer({ min: 1 })
    .optional()
    .describe('A particle that would be left in fewer clusters gets a new one. Default 1.')
    .meta({ default: 1 }),
  space: oneOf('embedded', 'linear', 'world')
    .optional()
    .describe(
      'Where new clusters get their shape: without stress (embedded, the default), the same without rotations (linear), or as particles lie now (world), which forgets all stress.',
    )
    .meta({ default: 'embedded' }),
  iterations: integer({ min: 1, max: 1000 })
    .optional()
    .describe('Iterations of the embedding, at most. Default 20.')
    .meta({ default: 20 }),
  every: number({ above: 0 })
    .optional()
    .describe('Time from one look for clusters to replace to the next (s). Default 4/15.')
    .meta({ title: 'Look every', default: 4 / 15 }),
  budget: integer({ min: 1 })
    .optional()
    .describe('Memberships that one look may embed; what is left waits. Default 20000.')
    .meta({ default: 20000 }),
  resample: number({ min: 1 })
    .optional()
    .describe(
      'A particle drawn farther than this many spacings from its neighbours divides in two. Default: none does.',
    ),
}).meta({
  id: 'Reclustering',
  description: 'How the clusters of a body that yields are replaced once they have flowed too far.',
});
