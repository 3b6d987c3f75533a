import { z } from 'zod';
import { direction, fields, list, number, text, vec3 } from './primitives.js';

const common = {
  at: number({ min: 0 }).describe('When (s from the start of the scene).'),
  body: text('the name of a body')
    .optional()
    .describe('What is cut, with all that was cut off it. Default: everything.'),
};

const planeCut = fields({
  plane: fields({
    point: vec3().describe('A point of the plane (m).'),
    normal: direction('Which way is above.'),
  }).describe('A plane without end: it cuts right through.'),
  ...common,
});
const bladeCut = fields({
  blade: list(vec3(), 'a list of corners')
    .min(3, { error: 'at least three corners' })
    .describe('Corners of a flat convex polygon in order (m). Where it ends inside a body it leaves a flap.'),
  ...common,
});

export const cut = z
  .union([planeCut, bladeCut], { error: 'a cut: a time `at`, and either a `plane` or a `blade`' })
  .meta({ id: 'Cut', description: 'Cuts bodies at some time, by a plane or by a blade.' });
