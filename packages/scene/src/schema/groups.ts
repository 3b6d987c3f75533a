import { fields, integer } from './primitives.js';

const bits = () => integer({ min: 0, max: 0xffffffff });

export const groups = fields({
  membership: bits()
    .optional()
    .describe('The groups it is a member of, 32 bits as one integer: bit k is group k. Default 4294967295, all.')
    .meta({ default: 0xffffffff }),
  filter: bits().optional().describe('The groups it meets. Default 4294967295, all.').meta({ default: 0xffffffff }),
}).meta({
  id: 'Groups',
  description:
    'Which bodies and colliders meet: two do where each is a member of a group in the filter of the other. Contact of a body with itself does not ask for it.',
});
