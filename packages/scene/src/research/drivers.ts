import type { Vec3 } from 'pliant';
import type { ActorDescription, ClampDescription } from '../description.js';
import type { Reader } from './reader.js';

/**
 * Obstacles and clamps of a research scene, in the order in which the original applies them (NOTES.md, section 4): static,
 * moving, twisting and tilting planes, constraint planes, projectiles, cylinders.
 */
export function researchActors(scene: Reader, warnings: string[]): ActorDescription[] {
  const actors: ActorDescription[] = [
    ...staticPlanes(scene),
    ...each(scene, 'movingPlanes', movingPlane),
    ...each(scene, 'twistingPlanes', twistingPlane),
    ...each(scene, 'tiltingPlanes', tiltingPlane),
    ...each(scene, 'constraintPlanes', constraintPlane),
    ...each(scene, 'projectiles', projectile),
    ...each(scene, 'cylinders', cylinder),
  ];
  return actors;

  function each(
    from: Reader,
    key: string,
    make: (reader: Reader, path: string) => ActorDescription[],
  ): ActorDescription[] {
    return from.objects(key).flatMap(({ reader, path }) => {
      const made = make(reader, path);
      for (const unread of reader.unread())
        warnings.push(`${path}.${unread} is not a field of a research scene: ignored.`);
      return made;
    });
  }
}

const times = ([x, y, z]: Vec3, factor: number): Vec3 => [x * factor, y * factor, z * factor];

/** [nx, ny, nz, w]: the free side is n·x ≥ w with n scaled to length 1 and w unchanged. */
function staticPlanes(scene: Reader): ActorDescription[] {
  return scene.list('planes').map((entry, k) => {
    const path = `planes[${k}]`;
    if (!Array.isArray(entry) || entry.length !== 4 || entry.some((v) => typeof v !== 'number' || !Number.isFinite(v)))
      scene.refuse(path, 'is not four finite numbers; expected [nx, ny, nz, w]');
    const [x, y, z, w] = entry as number[];
    if (x === 0 && y === 0 && z === 0)
      scene.refuse(path, 'has the normal 0, 0, 0; expected a direction of non-zero length');
    return { kind: 'collider', path, options: { type: 'plane', normal: [x, y, z], offset: w, law: 'research' } };
  });
}

/** Common properties of the original's clamps: they set velocities only, and the strain limit moves their particles. */
function clamp(
  path: string,
  normal: Vec3,
  offset: number,
  motion: Partial<ClampDescription['options']>,
): ClampDescription {
  const region = { type: 'halfspace', normal, offset } as const;
  return { kind: 'clamp', path, mayBeEmpty: true, options: { region, drive: 'velocity', firm: false, ...motion } };
}

const lifetimeOf = (plane: Reader) => plane.number('lifetime', Number.POSITIVE_INFINITY);

/** Holds the particles beyond it at load, and pushes all others back, both during its lifetime. */
function movingPlane(plane: Reader, path: string): ActorDescription[] {
  const normal = plane.direction('normal');
  const offset = plane.number('offset', 0);
  const velocity = times(normal, plane.number('velocity', 0));
  const lifetime = lifetimeOf(plane);
  return [
    clamp(path, normal, offset, { velocity, lifetime, release: false }),
    {
      kind: 'collider',
      path: `${path} (as an obstacle)`,
      except: path,
      options: { type: 'plane', normal: times(normal, -1), offset: -offset, velocity, lifetime, law: 'research' },
    },
  ];
}

/** Turns about the line through the origin along its normal. `width` is for drawing. */
function twistingPlane(plane: Reader, path: string): ActorDescription[] {
  const normal = plane.direction('normal');
  const angularVelocity = times(normal, plane.number('angularVelocity', 0));
  plane.raw('width');
  return [
    clamp(path, normal, plane.number('offset', 0), { angularVelocity, lifetime: lifetimeOf(plane), release: true }),
  ];
}

/** Turns about the line through the point offset · normal along `tilt`. `width` is for drawing. */
function tiltingPlane(plane: Reader, path: string): ActorDescription[] {
  const normal = plane.direction('normal');
  const offset = plane.number('offset', 0);
  const angularVelocity = times(plane.direction('tilt'), plane.number('angularVelocity', 0));
  plane.raw('width');
  const centre = times(normal, offset);
  return [clamp(path, normal, offset, { angularVelocity, centre, lifetime: lifetimeOf(plane), release: true })];
}

/** Pins every particle with x below the value where it was at load. */
function constraintPlane(plane: Reader, path: string): ActorDescription[] {
  return [clamp(path, [-1, 0, 0], -plane.number('x', 0), { drive: 'position' })];
}

function projectile(ball: Reader, path: string): ActorDescription[] {
  const options = {
    type: 'sphere',
    centre: ball.vec3('start'),
    velocity: ball.vec3('velocity', [0, 0, 0]),
    radius: ball.number('radius', 0),
    momentumScale: ball.number('momentumScale', 0),
    law: 'research',
  } as const;
  return [{ kind: 'collider', path, options }];
}

function cylinder(round: Reader, path: string): ActorDescription[] {
  const options = {
    type: 'cylinder',
    axis: round.direction('normal'),
    point: round.vec3('supportPoint', [0, 0, 0]),
    radius: round.number('radius', 0),
    law: 'research',
  } as const;
  return [{ kind: 'collider', path, options }];
}
