import { z } from 'zod';
import { region } from './drive.js';
import { direction, fields, list, number, oneOf, text, vec3 } from './primitives.js';

const common = {
  name: text().optional(),
  as: oneOf('force', 'acceleration')
    .optional()
    .describe('Whether values are m/s², the same for all masses (default), or N on each particle.'),
  region: region.optional().describe('Where it acts, by where a particle is. Default: everywhere.'),
  bodies: list(text('the name of a body'), 'a list of names of bodies')
    .optional()
    .describe('Which bodies it acts on. Default: all.'),
  lifetime: number({ min: 0 }).optional().describe('Seconds after which it is gone. Default: never.'),
};
const centre = vec3().optional().describe('m. Default [0, 0, 0].');
const profile = {
  strength: number().describe('Value at the distance `radius` (m/s² or N).'),
  radius: number({ above: 0 })
    .optional()
    .describe('Farther in than this (m) it goes to 0 with the distance. Default 1.'),
  falloff: number({ min: 0 }).optional().describe('Farther out it falls with this power of the distance. Default 2.'),
};

const uniform = fields({
  type: z.literal('uniform'),
  vector: vec3().describe('The same everywhere (m/s² or N).'),
  ...common,
});
const linear = fields({
  type: z.literal('linear'),
  scale: vec3().describe('Value per metre from the centre, along x, y, z (1/s² or N/m); negative compresses.'),
  centre,
  ...common,
});
const radial = fields({ type: z.literal('radial'), centre, ...profile, ...common });
const vortex = fields({
  type: z.literal('vortex'),
  axis: direction('The line that it goes round, right-handed.'),
  centre,
  ...profile,
  ...common,
});
const drag = fields({
  type: z.literal('drag'),
  rate: number({ min: 0 }).describe('How strongly it drags towards the wind (1/s or N s/m).'),
  velocity: vec3().optional().describe('Of the wind (m/s). Default [0, 0, 0].'),
  ...common,
});

export const forceField = z
  .discriminatedUnion('type', [uniform, linear, radial, vortex, drag], {
    error: 'one of "uniform", "linear", "radial", "vortex", "drag"',
  })
  .meta({
    id: 'ForceField',
    description:
      'Pushes particles: everywhere alike, by the way from a centre, away from a point (or to it), round an axis, or along with a wind.',
  });
