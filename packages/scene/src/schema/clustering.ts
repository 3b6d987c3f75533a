import { z } from 'zod';
import { fields, fileName, integer, list, number, oneOf } from './primitives.js';

const above = (what: string) => number({ above: 0 }).optional().describe(what);

export const clustering = fields({
  algorithm: oneOf('fuzzy', 'kmeans', 'random')
    .optional()
    .describe('Default "fuzzy": the overlap is part of the optimisation, and centres are centres of mass.')
    .meta({ default: 'fuzzy' }),
  kernel: oneOf('invsq', 'box', 'poly6', 'blend', 'fcm')
    .optional()
    .describe('How weight falls with distance. Default "invsq".')
    .meta({ default: 'invsq' }),
  beta: number({ min: 0 })
    .optional()
    .describe('β of `blend`. Default 2.')
    .meta({ title: 'Constant of blend', default: 2 }),
  epsilon: above('ε of `invsq` (m²). Default 1e-4.').meta({ title: 'Softening of invsq', default: 1e-4 }),
  m: number({ above: 1 })
    .optional()
    .describe('Fuzzifier of `fcm`. Default 2.')
    .meta({ title: 'Fuzzifier', default: 2 }),
  count: integer({ min: 1 })
    .optional()
    .describe('Clusters wanted. Default: one per 50 particles, with levels above them one per 15.'),
  radius: z
    .union([number({ above: 0 }), z.literal('auto')], { error: 'a number above 0, or "auto"' })
    .optional()
    .describe(
      'Largest distance from a centre to a member (m). "auto" is the smallest that works; left out, 1.3 times that.',
    ),
  overlap: number({ min: 1 }).optional().describe('Factor on the automatic radius. Default 1 with "auto".'),
  maxCount: integer({ min: 1 }).optional().describe('Clusters at most, where the count has to grow.'),
  maxRadius: above('Radius at most (m), where it has to grow.'),
  maxIterations: integer({ min: 1 })
    .optional()
    .describe('Iterations of one optimisation. Default 10000.')
    .meta({ default: 10000 }),
  orphanWeight: number({ min: 0 })
    .optional()
    .describe('Weight of a particle outside every radius in its nearest cluster, while optimising. Default 1.')
    .meta({ default: 1 }),
  seed: integer({ min: 0 })
    .optional()
    .describe('The same seed gives the same clusters. Default 2.')
    .meta({ default: 2 }),
}).meta({ id: 'Clustering', description: 'How a body is divided into clusters.' });

const explicitCluster = fields({
  members: list(integer({ min: 0 }), 'a list of particle numbers')
    .min(1, { error: 'at least one particle number' })
    .describe('Particle numbers, from 0 within the body.'),
  weights: list(number({ above: 0 }), 'a list of numbers above 0')
    .optional()
    .describe(
      'One for each member. The weights of a particle sum to 1; left out in all clusters, it is shared equally.',
    ),
});

export const clusters = z
  .union([list(explicitCluster, 'a list of clusters'), fields({ file: fileName().describe('A cluster file.') })], {
    error: 'a list of { members, weights }, or { file }',
  })
  .meta({ id: 'Clusters', description: 'Clusters given member by member instead of computed.' });
