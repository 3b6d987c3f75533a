import { z } from 'zod';
import { fields, text } from './primitives.js';

/** Largest number of variants of a scene. */
export const MOST_VARIANTS = 100;

/** A name that can stand after the # of "scenes/bar.json#paper", in an address and in a shell. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/;
const NAMES = 'an object of variants by name: letters, digits, - and _';

const variant = fields({
  description: text()
    .optional()
    .describe("What there is to see, and how it differs. Default: the scene's own description."),
  set: z
    .record(z.string(), z.unknown(), { error: 'an object of values by path, { "bodies[0].material.young": 1000 }' })
    .refine((set) => Object.keys(set).length > 0, { error: 'at least one path with its value' })
    .describe(
      'Values by path: `bodies[0].material`, `bodies[beam].sampling.count`, `bodies[*].material.young`. A value takes the place of what is there; null removes the field. Paths are set in order.',
    ),
}).meta({ id: 'Variant', description: 'The same scene with some of its fields set otherwise.' });

/** Named variants of a scene. */
export const variants = z
  .record(z.string(), variant, { error: NAMES })
  .refine((all) => Object.keys(all).every((name) => NAME.test(name)), { error: NAMES })
  .refine((all) => Object.keys(all).length <= MOST_VARIANTS, { error: `at most ${MOST_VARIANTS} variants` });
