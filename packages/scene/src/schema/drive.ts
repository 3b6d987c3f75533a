import { z } from 'zod';
import { groups } from './groups.js';
import {
  boolean,
  direction,
  fields,
  fileName,
  list,
  number,
  oneOf,
  rotation,
  scale,
  text,
  vec3,
} from './primitives.js';

const radius = number({ min: 0 }).describe('Radius (m).');

const keyframe = fields({
  time: number({ min: 0 }).describe('Seconds since the start; each later than the one before.'),
  position: vec3().optional().describe('Where it is then (m). Default: where it was placed.'),
  rotation: rotation().optional().describe('How it is turned then. Default: as it was placed.'),
}).meta({ id: 'Keyframe', description: 'The pose of a collider at a time.' });

const common = {
  name: text().optional(),
  friction: number({ min: 0 }).optional().describe("Coulomb's μ. Default 0.5."),
  restitution: number({ min: 0, max: 1 })
    .optional()
    .describe('Share of the approaching speed that is given back. Default 0.'),
  velocity: vec3().optional().describe('m/s; the collider moves, nothing moves it.'),
  angularVelocity: vec3().optional().describe('rad/s about its own position.'),
  keyframes: list(keyframe, 'a list of keyframes')
    .min(1, { error: 'at least one keyframe' })
    .optional()
    .describe('Poses to go through evenly, instead of velocities; held before the first and after the last.'),
  loop: boolean().optional().describe('Begin again after the last keyframe. Default false.'),
  lifetime: number({ min: 0 }).optional().describe('Seconds after which it is gone. Default: never.'),
  law: oneOf('coulomb', 'research')
    .optional()
    .describe("Friction and restitution (default), or what the papers' program does."),
  except: text().optional().describe('Name of a clamp whose particles pass through.'),
  groups: groups.optional(),
};

const placement = {
  position: vec3().optional().describe('Where its own origin lies (m). Default [0, 0, 0].'),
  rotation: rotation().optional().describe('How it is turned about that: a quaternion, or { axis, degrees }.'),
};

const plane = fields({
  type: z.literal('plane'),
  normal: direction('Points to the free side, n·x ≥ offset.'),
  offset: number().optional().describe('Distance from the origin along the normal (m). Default 0.'),
  position: vec3().optional().describe('A point of the plane, about which it turns (m). Instead of `offset`.'),
  ...common,
});
const sphere = fields({
  type: z.literal('sphere'),
  centre: vec3().describe('Centre at the start (m).'),
  radius,
  momentumScale: number()
    .optional()
    .describe("Share of the ball's velocity added to a particle in every step of contact."),
  ...common,
});
const cylinder = fields({
  type: z.literal('cylinder'),
  axis: direction('Direction of the infinite axis.'),
  point: vec3().describe('A point of the axis, about which it turns (m).'),
  radius,
  ...common,
});
const box = fields({
  type: z.literal('box'),
  size: vec3({ min: 0 }, 'three numbers of at least 0').describe(
    'Full lengths of the edges (m); a flat box is a wall.',
  ),
  ...placement,
  ...common,
});
const capsule = fields({
  type: z.literal('capsule'),
  from: vec3().describe('One end of its line (m). It turns about the middle.'),
  to: vec3().describe('The other end (m).'),
  radius,
  ...common,
});
const mesh = fields({
  type: z.literal('mesh'),
  file: fileName().describe(
    'A closed triangle mesh: .obj, .ply, .stl, .gltf or .glb, seen from the scene file, or a data: URI.',
  ),
  scale: scale().optional().describe('Factor, or one for each axis. Default 1.'),
  ...placement,
  ...common,
});

export const collider = z
  .discriminatedUnion('type', [plane, sphere, cylinder, box, capsule, mesh], {
    error: 'one of "plane", "sphere", "cylinder", "box", "capsule", "mesh"',
  })
  .meta({
    id: 'Collider',
    description:
      'An obstacle: a half space, a ball (with a velocity, a projectile), an infinite cylinder, a box, a capsule or a closed mesh.',
  });

export const region = z
  .discriminatedUnion(
    'type',
    [
      fields({
        type: z.literal('halfspace'),
        normal: direction('Where n·x > offset.'),
        offset: number().describe('m.'),
      }),
      fields({
        type: z.literal('box'),
        min: vec3().describe('Lowest corner (m).'),
        max: vec3().describe('Highest corner (m).'),
      }),
      fields({ type: z.literal('sphere'), centre: vec3().describe('m.'), radius }),
    ],
    { error: 'one of "halfspace", "box", "sphere"' },
  )
  .meta({
    id: 'Region',
    description:
      'Picks particles: for clamps by their rest position, placed in the world, or as `by` says; for force fields by where they are.',
  });

export const clamp = fields({
  name: text().optional(),
  region,
  bodies: list(text('the name of a body'), 'a list of names of bodies')
    .optional()
    .describe('Which bodies it holds. Default: all.'),
  velocity: vec3().optional().describe('m/s.'),
  angularVelocity: vec3().optional().describe('rad/s about `centre`: along the pull it twists, across it tilts.'),
  centre: vec3().optional().describe('Centre of the turning (m). Default [0, 0, 0].'),
  lifetime: number({ min: 0 }).optional().describe('Seconds after which the particles are let go. Default: never.'),
  drive: oneOf('position', 'velocity')
    .optional()
    .describe('Particles follow the motion exactly (default), or only their velocity is set, as in the research code.'),
  firm: boolean().optional().describe('Strain limiting leaves held particles alone. Default true.'),
  release: boolean().optional().describe('Particles are let go at the end of the lifetime. Default true.'),
  by: oneOf('rest', 'now')
    .optional()
    .describe(
      'Whether the region takes particles by where they are at rest (default), or, in a body that begins stretched, by where they then are.',
    ),
}).meta({
  id: 'Clamp',
  description: 'Holds part of the bodies: a pin when it stands still, else it pulls, twists or tilts.',
});

export const pick = fields({
  name: text().optional(),
  body: text('the name of a body').optional().describe('The body it holds. Default: the first.'),
  point: vec3().describe('The place that is held, as a point of the world at the start (m).'),
  target: vec3().optional().describe('Where the place is pulled to (m). Default: where it is.'),
  stiffness: number({ above: 0 })
    .optional()
    .describe('Angular frequency of the spring (1/s): how fast the body follows. Default 40.'),
  damping: number({ min: 0 })
    .optional()
    .describe('Damping ratio of the spring: at 1 the body stops at the target without overshooting. Default 1.'),
  maxAcceleration: number({ above: 0 })
    .optional()
    .describe('Largest force of the pick, divided by the mass of the body (m/s²). Default 500.'),
  radius: number({ min: 0 })
    .optional()
    .describe('How far around the place particles are held (m). Default: 2.5 spacings of the particles.'),
}).meta({
  id: 'Pick',
  description: 'A spring from a place of a body to a point: a hand that holds it, and gives way.',
});
