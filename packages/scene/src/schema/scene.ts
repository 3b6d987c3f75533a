import { z } from 'zod';
import { LOOK_NAMES } from '../looks.js';
import { clustering, clusters } from './clustering.js';
import { contact } from './contact.js';
import { cut } from './cut.js';
import { clamp, collider, pick } from './drive.js';
import { forceField } from './forceField.js';
import { fracture } from './fracture.js';
import { geometry, sampling } from './geometry.js';
import { groups } from './groups.js';
import { levels } from './levels.js';
import { material } from './material.js';
import { colour, fields, integer, list, number, oneOf, rotation, scale, text, vec3 } from './primitives.js';
import { reclustering } from './reclustering.js';
import { variants } from './variants.js';

/** Initial position and motion of a body. */
const start = {
  rotation: rotation().optional().describe('Turn of the rest shape: a quaternion, or { axis, degrees }.'),
  position: vec3().optional().describe('Where the rest shape lies (m). Default [0, 0, 0].'),
  velocity: vec3().optional().describe('Initial velocity (m/s).'),
  angularVelocity: vec3().optional().describe('Initial angular velocity (rad/s) about the centre of mass.'),
};

/** For pictures alone: nothing that is computed depends on these. */
const appearance = {
  look: oneOf(...LOOK_NAMES)
    .optional()
    .describe("What it looks made of. Default: that of the material's preset; rubber without one."),
  colour: colour()
    .optional()
    .describe('Colour of its surface, "#rrggbb". Default: that of its look, another for each further body.'),
};

const copy = fields({
  name: text().optional().describe('Default: the name of the body and a number, "ball 2", "ball 3", …'),
  ...start,
  ...appearance,
}).meta({ id: 'Copy', description: 'The same body once more, somewhere else.' });

const body = fields({
  name: text().optional().describe('For messages, files and the bodies of a clamp. Default: "body 1", "body 2", …'),
  geometry,
  sampling: sampling.optional(),
  material: z
    .union([text(), material], { error: 'the name of one of the materials, or a material' })
    .optional()
    .describe('A material, or the name of one in `materials`.'),
  clustering: clustering.optional(),
  clusters: clusters.optional(),
  levels: levels.optional(),
  contact: contact.optional(),
  groups: groups.optional(),
  fracture: fracture.optional(),
  reclustering: reclustering.optional(),
  scale: scale()
    .optional()
    .describe('Factor, or one for each axis. Placement is scale, then rotation, then position. Default 1.'),
  ...start,
  stretch: vec3().optional().describe('Initial stretch along x, y, z; the rest shape stays.'),
  stretchCentre: vec3().optional().describe('The point that the stretch leaves in place (m). Default [0, 0, 0].'),
  ...appearance,
  copies: list(copy, 'a list of copies')
    .optional()
    .describe('More bodies like this one; what a copy does not say is as in the body.'),
}).meta({ id: 'Body', description: 'A deformable body.' });

const camera = fields({
  name: text().optional().describe('Default "camera 1", …'),
  position: vec3().describe('Where it stands (m).'),
  target: vec3().describe('What it looks at (m).'),
  fov: number({ above: 0, below: 180 }).optional().describe('Vertical angle of view (degrees). Default 40.'),
}).meta({ id: 'Camera', description: 'A place to look from.' });

/** Groups of the gallery, in their order. */
export const SCENE_GROUPS = ['touch', 'dent', 'break', 'cut', 'flow', 'papers'] as const;

const SUBSTEPS = 'an integer in [1, 1000], or "auto"';

/** Pliant's scene file. */
export const sceneSchema = fields({
  $schema: text().optional().describe('Lets an editor complete and check this file.'),
  title: text().optional(),
  description: text()
    .optional()
    .describe(
      'The first line: what there is to see. Further lines: where the scene comes from, and why its settings are what they are.',
    ),
  group: oneOf(...SCENE_GROUPS)
    .optional()
    .describe('What the scene is about: its place in the gallery.'),
  try: text().optional().describe('What to do with it in the studio, in a few words: "Pull an ear."'),
  gravity: vec3()
    .optional()
    .describe('m/s². Default [0, -9.81, 0].')
    .meta({ default: [0, -9.81, 0] }),
  dt: number({ above: 0, max: 1 })
    .optional()
    .describe('Seconds per step. Default 1/60.')
    .meta({ title: 'Time step', default: 1 / 60 }),
  substeps: z
    .union([integer({ min: 1, max: 1000 }), z.literal('auto', { error: SUBSTEPS })], { error: SUBSTEPS })
    .optional()
    .describe(
      "Parts into which each step is divided. 'auto' (default): as many as the stiffest awake body with an elastic law needs, up to `maxSubsteps`.",
    )
    .meta({ default: 'auto' }),
  maxSubsteps: integer({ min: 1, max: 1000 })
    .optional()
    .describe("Substeps at most, where `substeps` is 'auto'. Default 8.")
    .meta({ default: 8 }),
  frames: integer({ min: 0 })
    .optional()
    .describe('Steps to run when nobody says otherwise. Default 300.')
    .meta({ default: 300 }),
  materials: z
    .record(z.string(), material, { error: 'an object of materials by name' })
    .optional()
    .describe('Materials by name, for several bodies to share.'),
  bodies: list(body, 'a list of bodies').min(1, { error: 'at least one body' }).describe('The deformable bodies.'),
  clamps: list(clamp, 'a list of clamps')
    .optional()
    .describe('What holds and moves parts of bodies. They act before the colliders.'),
  colliders: list(collider, 'a list of colliders').optional().describe('Obstacles, in the order in which they act.'),
  forceFields: list(forceField, 'a list of force fields')
    .optional()
    .describe('What pushes particles without touching them.'),
  picks: list(pick, 'a list of picks').optional().describe('Springs that hold places of bodies.'),
  cuts: list(cut, 'a list of cuts').optional().describe('Cuts that are made while the scene runs.'),
  cameras: list(camera, 'a list of cameras').optional().describe('Places to look from; the first is the default.'),
  variants: variants
    .optional()
    .describe('The same scene with other settings, by name: "scenes/bar.json#paper" is the variant "paper".'),
}).meta({
  title: 'Pliant scene',
  description: 'Deformable bodies by clustered shape matching: bodies, what holds them and what they meet.',
});

/** The content of a scene file, after defaults were filled in. scenes/scene.schema.json describes its fields. */
export type SceneFile = z.infer<typeof sceneSchema>;
export type BodyFile = SceneFile['bodies'][number];
export type CopyFile = NonNullable<BodyFile['copies']>[number];
export type MaterialFile = z.infer<typeof material>;

/** The schema of the scene file as JSON Schema, for editors. */
export function sceneJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(sceneSchema, { io: 'input', target: 'draft-2020-12' }) as Record<string, unknown>;
}
