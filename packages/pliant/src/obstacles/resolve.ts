import {
  checkDirection,
  checkKeys,
  checkNumber,
  checkNumberOrInfinity,
  checkOneOf,
  checkVec3,
  PliantError,
  refuse,
  type Vec3,
  withDefaults,
} from '../check.js';
import { Clamp } from '../external/clamp.js';
import { resolveGroups } from '../groups.js';
import { hypot } from '../math/elementary.js';
import { checkMesh, type MeshData } from '../mesh/index.js';
import { copyPlain } from '../plainData.js';
import { checkRotation, Pose, type Quaternion } from '../spatial/pose.js';
import { BoxShape } from './box.js';
import { Collider, type ColliderSettings } from './collider.js';
import { MeshShape } from './meshShape.js';
import { resolveMotion } from './motion.js';
import {
  COLLIDER_DEFAULTS,
  COLLIDER_TYPES,
  type ColliderOptions,
  type MeshOptions,
  OWN_KEYS,
  type PlaneOptions,
} from './options.js';
import { RoundShape } from './round.js';

/** The settings that depend on the type. */
type Geometry = Pick<ColliderSettings, 'origin' | 'shape'> &
  Partial<Pick<ColliderSettings, 'direction' | 'offset' | 'radius' | 'momentumScale' | 'exitSpeed' | 'warnings'>> & {
    rotation?: Quaternion;
  };

/** Validates the options and creates the collider. */
export function resolveCollider(options: ColliderOptions, since: number, path = 'collider'): Collider {
  const type = checkOneOf(`${path}.type`, (options as ColliderOptions | undefined)?.type, COLLIDER_TYPES);
  const known = ['type', 'except', ...Object.keys(COLLIDER_DEFAULTS), 'keyframes', 'loop', ...OWN_KEYS[type]];
  checkKeys(path, options, known);
  const all = withDefaults(COLLIDER_DEFAULTS, options);
  if (all.except !== undefined && !(all.except instanceof Clamp))
    refuse(`${path}.except`, all.except, 'a clamp of this world');
  const { rotation = [0, 0, 0, 1], ...geometry } = resolveGeometry(options, path);
  const start = new Pose().set(geometry.origin, rotation);
  const settings: ColliderSettings = {
    type,
    direction: [0, 1, 0],
    offset: 0,
    radius: 0,
    momentumScale: 0,
    exitSpeed: Number.POSITIVE_INFINITY,
    warnings: [],
    ...geometry,
    friction: checkNumber(`${path}.friction`, all.friction, { min: 0 }),
    restitution: checkNumber(`${path}.restitution`, all.restitution, { min: 0, max: 1 }),
    velocity: checkVec3(`${path}.velocity`, all.velocity),
    lifetime: checkNumberOrInfinity(`${path}.lifetime`, all.lifetime, { min: 0 }),
    law: checkOneOf(`${path}.law`, all.law, ['coulomb', 'research']),
    except: all.except,
    groups: resolveGroups(`${path}.groups`, all.groups),
    start,
    motion: resolveMotion(path, all, start),
    options: copyOptions(options),
  };
  if (settings.law === 'research') checkResearch(settings, path);
  return new Collider(settings, since);
}

function copyOptions({ except: _, ...options }: ColliderOptions): ColliderOptions {
  if (options.type !== 'mesh') return copyPlain(options);
  const { mesh, ...others } = options;
  const { positions, indices } = mesh;
  return {
    ...copyPlain(others),
    mesh: { positions: Float64Array.from(positions), indices: indices && Uint32Array.from(indices) },
  };
}

/** The papers' program has planes, balls and cylinders that move at a constant velocity. */
function checkResearch({ type, motion, law }: ColliderSettings, path: string): void {
  if (type !== 'plane' && type !== 'sphere' && type !== 'cylinder')
    refuse(`${path}.law`, law, `"coulomb" for a ${type}`);
  if (motion.type === 'keyed' || (motion.type === 'steady' && motion.spin.some((c) => c !== 0)))
    refuse(`${path}.law`, law, '"coulomb" for a collider that turns or has keyframes');
}

function resolveGeometry(options: ColliderOptions, path: string): Geometry {
  const radius = () => checkNumber(`${path}.radius`, (options as { radius: number }).radius, { min: 0 });
  switch (options.type) {
    case 'plane':
      return resolvePlane(options, path);
    case 'sphere': {
      const origin = checkVec3(`${path}.centre`, options.centre);
      const momentumScale = checkNumber(`${path}.momentumScale`, options.momentumScale ?? 0);
      const speed = options.exitSpeed ?? Number.POSITIVE_INFINITY;
      const exitSpeed = checkNumberOrInfinity(`${path}.exitSpeed`, speed, { above: 0 });
      return { origin, radius: radius(), momentumScale, exitSpeed, shape: new RoundShape([0, 1, 0], 0, radius()) };
    }
    case 'cylinder': {
      const direction = checkDirection(`${path}.axis`, options.axis);
      const origin = checkVec3(`${path}.point`, options.point);
      const shape = new RoundShape(direction, Number.POSITIVE_INFINITY, radius());
      return { origin, direction, radius: radius(), shape };
    }
    case 'capsule': {
      const from = checkVec3(`${path}.from`, options.from);
      const to = checkVec3(`${path}.to`, options.to);
      const way: Vec3 = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
      const length = hypot(...way);
      // Both ends at one point: a ball, for which any direction will do.
      const direction: Vec3 = length > 0 ? [way[0] / length, way[1] / length, way[2] / length] : [0, 1, 0];
      const origin: Vec3 = [from[0] + way[0] / 2, from[1] + way[1] / 2, from[2] + way[2] / 2];
      return { origin, direction, radius: radius(), shape: new RoundShape(direction, length / 2, radius()) };
    }
    case 'box': {
      const size = checkVec3(`${path}.size`, options.size);
      if (size.some((s) => s < 0)) refuse(`${path}.size`, size, 'three lengths of at least 0');
      return { ...placement(options, path), shape: new BoxShape(size) };
    }
    case 'mesh': {
      const placed = placement(options, path);
      const shape = new MeshShape(scaled(options, path), `${path}.mesh`);
      return { ...placed, shape, warnings: shape.warnings };
    }
  }
}

function resolvePlane({ normal, offset, position }: PlaneOptions, path: string): Geometry {
  const direction = checkDirection(`${path}.normal`, normal);
  const [x, y, z] = direction;
  if (position === undefined) {
    const level = checkNumber(`${path}.offset`, offset ?? 0);
    return { direction, offset: level, origin: [level * x, level * y, level * z], shape: undefined };
  }
  if (offset !== undefined)
    throw new PliantError(`${path}.offset`, `${path} gives offset and position; expected one of the two.`);
  const origin = checkVec3(`${path}.position`, position);
  return { direction, offset: x * origin[0] + y * origin[1] + z * origin[2], origin, shape: undefined };
}

function placement(options: { position?: Vec3; rotation?: Quaternion }, path: string) {
  return {
    origin: checkVec3(`${path}.position`, options.position ?? [0, 0, 0]),
    rotation: checkRotation(`${path}.rotation`, options.rotation ?? [0, 0, 0, 1]),
  };
}

function scaled({ mesh, scale = 1 }: MeshOptions, path: string): MeshData {
  const factors =
    typeof scale === 'object'
      ? checkVec3(`${path}.scale`, scale)
      : new Array(3).fill(checkNumber(`${path}.scale`, scale, { above: 0 }));
  if (factors.some((s) => !(s > 0))) refuse(`${path}.scale`, scale, 'positive factors');
  const indices = checkMesh(`${path}.mesh`, mesh);
  return { positions: Float64Array.from(mesh.positions, (c, k) => c * factors[k % 3]), indices };
}
