import { z } from 'zod';
import { fields, integer, list, number, oneOf } from './primitives.js';

const to = oneOf('coarse', 'fine').describe('Which levels have more weight.');

const weights = z
  .union(
    [
      z.literal('uniform'),
      fields({ type: z.literal('uniform') }),
      fields({
        type: z.literal('linear'),
        to,
        epsilon: number({ above: 0 })
          .optional()
          .describe('ε: weight of the level with the least, where the next has 1 more. Default 1.')
          .meta({ default: 1 }),
      }),
      fields({ type: z.literal('gaussian'), to }),
      fields({
        type: z.literal('polynomial'),
        to,
        b: number({ min: 0 }).optional().describe('b of (1 + b ℓ/L)^c. Default 10.').meta({ default: 10 }),
        c: number({ min: 0 }).optional().describe('c of (1 + b ℓ/L)^c: 0 is uniform. Default 1.').meta({ default: 1 }),
      }),
      list(number({ min: 0 }), 'a list of numbers of at least 0'),
    ],
    {
      error:
        '"uniform", { type: "linear" | "gaussian" | "polynomial", to: "coarse" | "fine", … }, or one number for each level',
    },
  )
  .optional()
  .describe(
    'How much each level says: more on coarse ones is stiffer, more on fine ones richer. Scaled to a sum of 1; a list begins with the finest. Default "uniform".',
  )
  .meta({ default: 'uniform' });

export const levels = fields({
  weights,
  stiffness: list(number({ min: 0, below: 2 }), 'a list of numbers in [0, 2)')
    .optional()
    .describe("α of each level, the finest first, instead of the material's stiffness."),
  damping: list(number({ min: 0, max: 1 }), 'a list of numbers in [0, 1]')
    .optional()
    .describe("k_d of each level, the finest first, instead of the material's damping."),
  radiusFactor: number({ above: 1 })
    .optional()
    .describe('Clusters of each level reach so many times as far as those below. Default 2.')
    .meta({ default: 2 }),
  count: integer({ min: 1 })
    .optional()
    .describe('Levels at most. Default: until one cluster holds the whole body, each with an eighth of those below.'),
  sums: oneOf('nested', 'particles')
    .optional()
    .describe(
      'How coarse clusters sum: over the clusters they hold (default), or each over its own particles with its own weights, as the 2020 paper has it: slow, to compare with, and not for bodies that yield or break.',
    )
    .meta({ title: 'Sums', default: 'nested' }),
  of: oneOf('clusters', 'particles')
    .optional()
    .describe(
      'What the clusters of a level are found among: the clusters below (default), or all particles (always so with sums "particles").',
    )
    .meta({ title: 'Found among', default: 'clusters' }),
}).meta({ id: 'Levels', description: 'Coarser levels above the clusters of a body: stiff and rich at once.' });
