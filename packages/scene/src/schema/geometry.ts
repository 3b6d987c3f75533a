import { z } from 'zod';
import {
  fields,
  fileName,
  integer,
  list,
  number,
  oneOf,
  type RotationFile,
  rotation as turn,
  vec3,
} from './primitives.js';

const placement = {
  position: vec3().optional().describe('Centre of the shape (m). Default [0, 0, 0].'),
  rotation: turn().optional().describe('How it is turned about that: a quaternion, or { axis, degrees }.'),
};

const length = (what: string) => number({ above: 0 }).describe(`${what} (m).`);

const box = fields({
  type: z.literal('box'),
  size: vec3({ above: 0 }, 'three numbers above 0').describe('Full lengths of the edges (m).'),
  ...placement,
});
const sphere = fields({ type: z.literal('sphere'), radius: length('Radius'), ...placement });
const ellipsoid = fields({
  type: z.literal('ellipsoid'),
  radii: vec3({ above: 0 }, 'three numbers above 0').describe('Half axes along x, y, z (m).'),
  ...placement,
});
const cylinder = fields({
  type: z.literal('cylinder'),
  radius: length('Radius'),
  height: length('Height along y'),
  ...placement,
});
const capsule = fields({
  type: z.literal('capsule'),
  radius: length('Radius'),
  height: length('Height of the cylindrical part, along y'),
  ...placement,
});
const torus = fields({
  type: z.literal('torus'),
  radius: length('Radius of the ring around the y axis'),
  tube: length('Radius of the tube'),
  ...placement,
});
const sheet = fields({
  type: z.literal('sheet'),
  size: z
    .tuple([number({ above: 0 }), number({ above: 0 })], { error: 'two numbers above 0' })
    .describe('Full lengths of the edges along x and z (m).'),
  thickness: length('Thickness'),
  ...placement,
});
const cord = fields({
  type: z.literal('cord'),
  path: list(vec3(), 'a list of points [x, y, z]')
    .min(2, { error: 'at least two points' })
    .describe('The middle line: points (m) with straight parts between them.'),
  radius: length('Radius'),
  ...placement,
});
const combination = fields({
  type: oneOf('union', 'difference', 'intersection').describe('`difference` is the first shape without the others.'),
  get of() {
    return list(shape, 'a list of shapes').describe('The shapes that are combined.');
  },
  smooth: number({ min: 0 })
    .optional()
    .describe(
      'Distance (m) within which parts flow into one another: fillets of a union, round edges of the others. Default 0.',
    ),
  ...placement,
}).meta({ id: 'Combination', description: 'Several shapes as one.' });

const SHAPES = [box, sphere, ellipsoid, cylinder, capsule, torus, sheet, cord, combination] as const;

export const shape: z.ZodType<ShapeFile> = z
  .discriminatedUnion('type', SHAPES, {
    error:
      'one of "box", "sphere", "ellipsoid", "cylinder", "capsule", "torus", "sheet", "cord", "union", "difference", ' +
      '"intersection"',
  })
  .meta({ id: 'Shape', description: 'A solid by formula.' });

type Triple = [number, number, number];
/** A shape in a file: those of the engine, without functions. */
export type ShapeFile = { position?: Triple; rotation?: RotationFile } & (
  | { type: 'box'; size: Triple }
  | { type: 'sphere'; radius: number }
  | { type: 'ellipsoid'; radii: Triple }
  | { type: 'cylinder' | 'capsule'; radius: number; height: number }
  | { type: 'torus'; radius: number; tube: number }
  | { type: 'sheet'; size: [number, number]; thickness: number }
  | { type: 'cord'; path: Triple[]; radius: number }
  | { type: 'union' | 'difference' | 'intersection'; of: ShapeFile[]; smooth?: number }
);

const mesh = fields({
  type: z.literal('mesh'),
  file: fileName().describe(
    'A closed triangle mesh: .obj, .ply, .stl, .gltf or .glb, seen from the scene file, or a data: URI.',
  ),
  thickness: number({ above: 0 })
    .optional()
    .describe('Makes a sheet of an open mesh, this thick (m). Default: the mesh is filled.'),
});
const particles = fields({
  type: z.literal('particles'),
  file: fileName().describe('A text file with x y z per line: the particles themselves.'),
});
const points = fields({
  type: z.literal('points'),
  points: list(vec3(), 'a list of points [x, y, z]')
    .min(1, { error: 'at least one point' })
    .describe('The particles themselves.'),
});

const asset = fields({
  type: z.literal('asset'),
  file: fileName().describe('A body that `pliant build` has built: .pliant, seen from the scene file, or a data: URI.'),
});

export const geometry = z
  .discriminatedUnion('type', [mesh, particles, points, asset, ...SHAPES], {
    error:
      'one of "mesh", "particles", "points", "asset", "box", "sphere", "ellipsoid", "cylinder", "capsule", "torus", ' +
      '"sheet", "cord", "union", "difference", "intersection"',
  })
  .meta({
    id: 'Geometry',
    description:
      'What the body is: a mesh or a shape to be filled with particles, particles, or a body that is built already.',
  });

export const sampling = fields({
  method: oneOf('blue-noise', 'grid')
    .optional()
    .describe('Random, at least a spacing apart (default), or a cubic grid.')
    .meta({ default: 'blue-noise' }),
  spacing: number({ above: 0 }).optional().describe('Distance of neighbouring particles (m). Give this or `count`.'),
  count: integer({ min: 1 }).optional().describe('Wanted number of particles. Give this or `spacing`.'),
  seed: integer({ min: 0 })
    .optional()
    .describe('The same seed gives the same particles. Default 1.')
    .meta({ default: 1 }),
  shell: number({ above: 0 })
    .optional()
    .describe('Thickness of the walls (m), for a hollow body. Default: none, it is solid.'),
})
  .refine((s) => (s.spacing === undefined) !== (s.count === undefined), { error: 'exactly one of spacing and count' })
  .meta({ id: 'Sampling', description: 'How a mesh or a shape is filled with particles.' });
