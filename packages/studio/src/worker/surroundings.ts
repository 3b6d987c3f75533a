import type { ForceFieldDescription, SceneDescription } from '@pliant/scene';
import type { Region, Vec3, World } from 'pliant';
import type { ClampData, FieldData, LoadedScene } from '../protocol.js';

/** Clamps, force fields, the ground, and the room that the bodies take, for drawing. */
export type Surroundings = Pick<LoadedScene, 'clamps' | 'fields' | 'ground' | 'weightless' | 'middle' | 'extent'>;

type Triple = [number, number, number];
interface Box {
  min: Triple;
  max: Triple;
}

/** Describes the clamps and force fields of a scene that has just been built. */
export function describeSurroundings(scene: SceneDescription, world: World): Surroundings {
  const all = boxOf(world, () => true) ?? { min: [0, 0, 0] as Triple, max: [0, 0, 0] as Triple };
  const clamps = scene.actors.flatMap((actor): ClampData[] => {
    if (actor.kind !== 'clamp') return [];
    const { region, velocity, angularVelocity, centre, lifetime } = actor.options;
    const inside = insideOf(region);
    const box = boxOf(world, inside, actor.bodies);
    if (!box) return [];
    const zero: Vec3 = [0, 0, 0];
    return [
      {
        ...{ name: actor.name ?? 'clamp', ...box },
        ...{ velocity: velocity ?? zero, angularVelocity: angularVelocity ?? zero, centre: centre ?? zero },
        lifetime: lifetime ?? Number.POSITIVE_INFINITY,
      },
    ];
  });
  const fields = scene.forceFields.flatMap((field): FieldData[] => {
    const arrows = arrowsOf(field, all);
    const { lifetime = Number.POSITIVE_INFINITY } = field.options;
    return arrows.length === 0 ? [] : [{ name: field.name ?? field.options.type, arrows, lifetime }];
  });
  const extent = Math.max(...all.max.map((high, a) => high - all.min[a]), 1e-3);
  const middle = all.min.map((low, a) => (low + all.max[a]) / 2) as Triple;
  const weightless = scene.gravity.every((value) => value === 0);
  return { clamps, fields, ground: groundOf(scene, world, all, extent), weightless, middle, extent };
}

/** Space below the bodies of a scene without ground, relative to their extent: more where they hang. */
const BELOW = 0.35;
const BELOW_HANGING = 0.9;

/** Height of the highest level plane that carries the bodies; without one, of a ground that they do not reach. */
function groundOf({ gravity }: SceneDescription, world: World, { min }: Box, extent: number): number {
  const planes = world.colliders.filter(({ type, direction }) => type === 'plane' && direction[1] > 0.999);
  if (planes.length > 0) return Math.max(...planes.map(({ position }) => position[1]));
  const lowest = Math.min(min[1], lowestObstacle(world));
  return lowest - (gravity[1] < 0 ? BELOW_HANGING : BELOW) * extent;
}

function lowestObstacle({ colliders }: World): number {
  return colliders.reduce(
    (lowest, { type, position, radius }) =>
      type === 'sphere' || type === 'capsule' ? Math.min(lowest, position[1] - radius) : lowest,
    Number.POSITIVE_INFINITY,
  );
}

type Inside = (x: number, y: number, z: number) => boolean;

function insideOf(region: Region): Inside {
  switch (region.type) {
    case 'halfspace': {
      const [a, b, c] = region.normal;
      const length = Math.hypot(a, b, c);
      return (x, y, z) => (a * x + b * y + c * z) / length > region.offset;
    }
    case 'box':
      return (...place) => place.every((value, a) => value >= region.min[a] && value <= region.max[a]);
    case 'sphere':
      return (...place) => Math.hypot(...place.map((value, a) => value - region.centre[a])) <= region.radius;
  }
}

/** Box around the particles of a part of space; undefined if there are none. */
function boxOf({ bodies }: World, inside: Inside, of?: readonly string[]): Box | undefined {
  const box: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  for (const { name, positions, particleCount, spacing, size } of bodies) {
    if (of && !of.includes(name)) continue;
    // Particles keep half a spacing from the surface.
    const half = 0.5 * (spacing ?? 0.04 * size);
    for (let i = 0; i < particleCount; i++) {
      if (!inside(positions[4 * i], positions[4 * i + 1], positions[4 * i + 2])) continue;
      for (let a = 0; a < 3; a++) {
        box.min[a] = Math.min(box.min[a], positions[4 * i + a] - half);
        box.max[a] = Math.max(box.max[a], positions[4 * i + a] + half);
      }
    }
  }
  return box.min[0] <= box.max[0] ? box : undefined;
}

/** Points around the bodies, along each edge of a box a little larger than theirs, at which arrows show a field. */
const PER_EDGE = 3;

function arrowsOf({ options }: ForceFieldDescription, { min, max }: Box): Float32Array {
  const at = fieldAt(options);
  if (!at) return new Float32Array(0);
  const size = Math.max(...max.map((high, a) => high - min[a]));
  const low = min.map((value) => value - 0.12 * size);
  const high = max.map((value) => value + 0.12 * size);
  const arrows: number[] = [];
  let most = 0;
  for (let i = 0; i < PER_EDGE; i++)
    for (let j = 0; j < PER_EDGE; j++)
      for (let k = 0; k < PER_EDGE; k++) {
        const isOutside = [i, j, k].some((n) => n === 0 || n === PER_EDGE - 1);
        if (!isOutside) continue;
        const place = [i, j, k].map((n, a) => low[a] + (n / (PER_EDGE - 1)) * (high[a] - low[a])) as Triple;
        const force = at(place);
        most = Math.max(most, Math.hypot(...force));
        arrows.push(...place, ...force);
      }
  if (!(most > 0)) return new Float32Array(0);
  // The strongest is an eighth of the bodies' size.
  for (let o = 0; o < arrows.length; o += 6) for (let a = 3; a < 6; a++) arrows[o + a] *= (0.125 * size) / most;
  return Float32Array.from(arrows);
}

/** The field at a point, for a particle at rest; undefined for functions of the user. */
function fieldAt(options: ForceFieldDescription['options']): ((place: Triple) => Triple) | undefined {
  switch (options.type) {
    case 'uniform':
      return () => [...options.vector] as Triple;
    case 'drag':
      return () => (options.velocity ?? [0, 0, 0]).map((v) => options.rate * v) as Triple;
    case 'linear': {
      const { scale, centre = [0, 0, 0] } = options;
      return (place) => place.map((value, a) => scale[a] * (value - centre[a])) as Triple;
    }
    case 'radial': {
      const { centre = [0, 0, 0], strength, radius = 1, falloff = 2 } = options;
      return (place) => {
        const away = place.map((value, a) => value - centre[a]) as Triple;
        return scaled(away, strengthAt(Math.hypot(...away), strength, radius, falloff));
      };
    }
    case 'vortex': {
      const { centre = [0, 0, 0], axis, strength, radius = 1, falloff = 2 } = options;
      const [ax, ay, az] = scaled([...axis] as Triple, 1);
      return (place) => {
        const [x, y, z] = place.map((value, a) => value - centre[a]);
        const along: Triple = [ay * z - az * y, az * x - ax * z, ax * y - ay * x];
        return scaled(along, strengthAt(Math.hypot(...along), strength, radius, falloff));
      };
    }
    default:
      return undefined;
  }
}

const strengthAt = (distance: number, strength: number, radius: number, falloff: number) =>
  strength * (distance < radius ? distance / radius : (radius / distance) ** falloff);

function scaled(v: Triple, length: number): Triple {
  const old = Math.hypot(...v);
  return old > 0 ? (v.map((value) => (value * length) / old) as Triple) : [0, 0, 0];
}
