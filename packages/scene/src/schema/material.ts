import { MATERIALS } from 'pliant';
import { z } from 'zod';
import { fields, fileName, integer, list, number, oneOf, type Range } from './primitives.js';

const AXES = oneOf('x', 'y', 'z');

/** A value that may vary over a body (SPEC C6). */
function field(range: Range, what: string) {
  const value = number(range);
  const gradient = fields({
    along: AXES.describe('The axis of the rest shape, before it is placed.'),
    values: list(value, 'at least two numbers')
      .min(2, { error: 'at least two numbers' })
      .describe('Values at equal distances from one end to the other, linear between them.'),
    range: z
      .tuple([number(), number()], { error: 'two numbers, the lower first' })
      .refine(([low, high]) => low < high, { error: 'two numbers, the lower first' })
      .optional()
      .describe('Where the first and the last value are (m). Default: the ends of the body.'),
  });
  const colour = fields({
    vertexColour: oneOf('r', 'g', 'b').describe("Channel of the mesh's vertex colours."),
    values: z
      .tuple([value, value], { error: 'two numbers' })
      .describe('Value where the channel is 0, and where it is full.'),
  });
  const file = fields({
    file: fileName().describe(
      'A text file of numbers: one for each vertex of a mesh, one for each particle otherwise.',
    ),
  });
  const each = list(value, 'a list of numbers').describe('One value for each particle.');
  return z
    .union([value, gradient, colour, file, each], {
      error: `${expectation(range)}, { along, values }, { vertexColour, values }, { file }, or one number for each particle`,
    })
    .optional()
    .describe(what);
}

function expectation(range: Range): string {
  const { min, max, above, below } = range;
  if (max !== undefined) return `a number in [${min}, ${max}]`;
  if (below !== undefined) return `a number in [${min}, ${below})`;
  return above !== undefined ? `a number above ${above}` : `a number of at least ${min}`;
}

const limit = fields({
  mode: oneOf('conserving', 'paper')
    .optional()
    .describe(
      "'conserving' (default) keeps linear and angular momentum; 'paper' is the form of the papers, which does not.",
    )
    .meta({ default: 'conserving' }),
  gamma: number({ min: 0 })
    .optional()
    .describe("γ: allowed distance between a particle and its goal, as a share of the cluster's width. Default 0.3.")
    .meta({ title: 'Strain allowed', default: 0.3 }),
  omega: number({ min: 0, max: 2 })
    .optional()
    .describe('ω: over- or under-relaxation of a sweep. Default 0.5.')
    .meta({ title: 'Relaxation', default: 0.5 }),
  iterations: integer({ min: 0, max: 1000 })
    .optional()
    .describe('Sweeps per step; 0 switches limiting off. Default 4.')
    .meta({ title: 'Sweeps a step', default: 4 }),
}).meta({ id: 'Limit', description: 'Strain limiting.' });

const areaLimit = fields({
  clamp: oneOf('row', 'exact', 'norm')
    .optional()
    .describe(
      "How goals that stretch too far are brought back: 'exact' (default) blends them with the rigid ones until they meet the limit, 'norm' does so by a cheaper rule that may pass a limit below 4, 'row' shortens them along each axis of the world by itself.",
    )
    .meta({ default: 'exact' }),
  max: number({ above: 1 })
    .optional()
    .describe('Growth of the surface, as mean square stretch (1 at rest), that goals never reach. Default: none.'),
  from: z
    .union([number({ min: 1 }), z.literal('auto')], { error: "a number from max/2 (and 1) to max, or 'auto'" })
    .optional()
    .describe(
      "Growth from which on goals are held back, from max/2 to max. 'auto' (default) is max/2, the smoothest; max itself is a hard stop.",
    )
    .meta({ default: 'auto' }),
}).meta({ id: 'AreaLimit', description: "How far the goals of the modes 'linear' and 'quadratic' may stretch." });

const presets = Object.keys(MATERIALS) as [keyof typeof MATERIALS, ...(keyof typeof MATERIALS)[]];

const RAW = {
  stiffness: field(
    { min: 0, below: 2 },
    'α: share of the way to its goal that a particle takes in one step. Default 0.8.',
  ).meta({ default: 0.8 }),
  damping: number({ min: 0, max: 1 })
    .optional()
    .describe('k_d: share of the difference to the goal velocity that is lost in one step. Default 0.02.')
    .meta({ default: 0.02 }),
  bodyDamping: number({ min: 0, max: 1 })
    .optional()
    .describe(
      'Share of the velocity against the rigid motion of the whole body that is lost in one step; calms swings wider than a cluster. Default 0.',
    )
    .meta({ default: 0 }),
  dampingMode: oneOf('rigid', 'linear')
    .optional()
    .describe(
      "What damping pulls to: the cluster's rigid motion (default), or its mean velocity, which brakes rotation.",
    )
    .meta({ default: 'rigid' }),
  rotation: oneOf('deformation', 'covariance')
    .optional()
    .describe(
      "Whose rotation the goals take: the torque-free one ('covariance', default), or that of the deformation, as in the papers.",
    )
    .meta({ default: 'covariance' }),
  inversion: oneOf('proper', 'mirror')
    .optional()
    .describe(
      'What an inverted cluster pulls to: its proper shape (default), or its mirror image, as in the research code.',
    )
    .meta({ default: 'proper' }),
  mode: oneOf('rigid', 'linear', 'quadratic')
    .optional()
    .describe(
      "What clusters pull to: their rest shape turned ('rigid', default), also stretched and sheared ('linear'), or also bent and twisted ('quadratic') as their particles are.",
    )
    .meta({ default: 'rigid' }),
  beta: number({ min: 0, max: 1 })
    .optional()
    .describe(
      "β of the modes 'linear' and 'quadratic': how far goals follow the deformation, from 0 (rigid) to 1 (no shape of its own). Default 0.5.",
    )
    .meta({ title: 'Follows the deformation', default: 0.5 }),
  volume: oneOf('nearest', 'scaled', 'free')
    .optional()
    .describe(
      "How goals of the modes 'linear' and 'quadratic' keep their volume: by the nearest deformation that does (default), by scaling as in the papers, which may feed energy into a body, or not at all.",
    )
    .meta({ default: 'nearest' }),
  areaLimit: areaLimit.optional(),
  limit: limit.optional(),
  flowRate: number({ min: 0 })
    .optional()
    .describe(
      'ν: share of the strain beyond the yield that becomes lasting in one step; 0 switches flow off. Default 1.',
    )
    .meta({ default: 1 }),
  flowMode: oneOf('dissipative', 'paper')
    .optional()
    .describe(
      "'dissipative' (default) lets no cluster flow so far that its elastic energy rises; 'paper' is the form of the papers, in which a crushed body may throw itself about.",
    )
    .meta({ default: 'dissipative' }),
  hardening: number()
    .optional()
    .describe(
      'K: what each unit of strain, summed over the steps, adds to the yield; negative softens the body. Default 0.',
    )
    .meta({ default: 0 }),
};

const raw = fields(RAW).meta({
  id: 'Raw',
  description:
    "The papers' per-step parameters, which count in shares of a step. A body with them has no elastic law: beside `young`, `poisson`, `dampingRatio` or `preset` they are refused.",
});

export const material = fields(
  {
    preset: oneOf(...presets)
      .optional()
      .describe('A material of the engine by name; what else stands here replaces what it says. Refused beside `raw`.'),
    density: field({ above: 0 }, 'kg/m³, for bodies filled from a mesh or a shape. Default 1000.').meta({
      default: 1000,
    }),
    mass: number({ above: 0 }).optional().describe('Mass of the whole body (kg), instead of a density.'),
    particleMass: number({ above: 0 })
      .optional()
      .describe('Mass of each particle (kg), instead of a density. Default 0.1 for bodies given as particles.'),
    young: field(
      { min: 1e-3, max: 1e15 },
      "E: Young's modulus (Pa), stress per strain of a bar that is pulled. Default: as stiff as a body that its own weight shortens by 5 %.",
    ).meta({ title: "Young's modulus" }),
    poisson: number({ min: 0, max: 0.49 })
      .optional()
      .describe("ν: Poisson's ratio: how much a pressed body bulges. Default 0.3.")
      .meta({ title: "Poisson's ratio", default: 0.3 }),
    dampingRatio: number({ min: 0, max: 10 })
      .optional()
      .describe(
        'ζ: damping ratio of the first stretching mode: 0 rings for ever, 1 does not swing at all. Default 0.1.',
      )
      .meta({ default: 0.1 }),
    friction: number({ min: 0 })
      .optional()
      .describe(
        "Coulomb's μ against other bodies; of two bodies the geometric mean counts. Obstacles have their own. Default 0.5.",
      )
      .meta({ default: 0.5 }),
    restitution: number({ min: 0, max: 1 })
      .optional()
      .describe(
        'Share of the approaching speed that contact with another body gives back; of two bodies the larger counts. Default 0.',
      )
      .meta({ default: 0 }),
    yield: field(
      { min: 0 },
      'Plastic yield λ: the strain, change of volume apart, beyond which a cluster flows and keeps its new shape; a cluster has the mean of its particles. Default: none, the body is elastic.',
    ).meta({ title: 'Dents from a strain of' }),
    flowTime: number({ min: 0 })
      .optional()
      .describe('Time constant (s) by which strain beyond the yield becomes lasting. Default 0: at once.')
      .meta({ default: 0 }),
    hardening: number({ min: 0 })
      .optional()
      .describe('Rise of the yield per unit of lasting strain. Default 0.')
      .meta({ default: 0 }),
    toughness: field(
      { min: 0 },
      'τ: a cluster breaks where its largest elastic stretch exceeds 1 + τ. A function of the place, or one value per particle or vertex; default: never.',
    ).meta({ title: 'Breaks at a stretch of' }),
    raw: raw.optional(),
  },
  { keys: Object.keys(RAW).filter((key) => key !== 'hardening'), of: 'raw' },
).meta({ id: 'Material', description: 'What a body is made of. It has an elastic law, unless it has `raw`.' });

export type FieldFile = z.infer<ReturnType<typeof field>>;
