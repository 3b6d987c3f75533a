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

/** What the type alone decides. */
type Geometry = Pick<ColliderSettings, 'origin' | 'shape'> &
  Partial<Pick<ColliderSettings, 'direction' | 'offset' | 'radius' | 'momentumScale' | 'exitSpeed' | 'warnings'>> & {
    rotation?: Quaternion;
  };

/** Checks the options and makes the collider. */
export function resolveCollider(options: ColliderOptions, since: number, field = 'collider'): Collider {
  const type = checkOneOf(`${field}.type`, (options as ColliderOptions | undefined)?.type, COLLIDER_TYPES);
  const known = ['type', 'except', ...Object.keys(COLLIDER_DEFAULTS), 'keyframes', 'loop', ...OWN_KEYS[type]];
  checkKeys(field, options, known);
  const all = withDefaults(COLLIDER_DEFAULTS, options);
  if (all.except !== undefined && !(all.except instanceof Clamp))
    refuse(`${field}.except`, all.except, 'a clamp of this world');
  const { rotation = [0, 0, 0, 1], ...geometry } = resolveGeometry(options, field);
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
    friction: checkNumber(`${field}.friction`, all.friction, { min: 0 }),
    restitution: checkNumber(`${field}.restitution`, all.restitution, { min: 0, max: 1 }),
    velocity: checkVec3(`${field}.velocity`, all.velocity),
    lifetime: checkNumberOrInfinity(`${field}.lifetime`, all.lifetime, { min: 0 }),
    law: checkOneOf(`${field}.law`, all.law, ['coulomb', 'research']),
    except: all.except,
    groups: resolveGroups(`${field}.groups`, all.groups),
    start,
    motion: resolveMotion(field, all, start),
    options: copyOptions(options),
  };
  if (settings.law === 'research') checkResearch(settings, field);
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
function checkResearch({ type, motion, law }: ColliderSettings, field: string): void {
  if (type !== 'plane' && type !== 'sphere' && type !== 'cylinder')
    refuse(`${field}.law`, law, `"coulomb" for a ${type}`);
  if (motion.type === 'keyed' || (motion.type === 'steady' && motion.spin.some((c) => c !== 0)))
    refuse(`${field}.law`, law, '"coulomb" for a collider that turns or has keyframes');
}

function resolveGeometry(options: ColliderOptions, field: string): Geometry {
  const radius = () => checkNumber(`${field}.radius`, (options as { radius: number }).radius, { min: 0 });
  switch (options.type) {
    case 'plane':
      return resolvePlane(options, field);
    case 'sphere': {
      const origin = checkVec3(`${field}.centre`, options.centre);
      const momentumScale = checkNumber(`${field}.momentumScale`, options.momentumScale ?? 0);
      const speed = options.exitSpeed ?? Number.POSITIVE_INFINITY;
      const exitSpeed = checkNumberOrInfinity(`${field}.exitSpeed`, speed, { above: 0 });
      return { origin, radius: radius(), momentumScale, exitSpeed, shape: new RoundShape([0, 1, 0], 0, radius()) };
    }
    case 'cylinder': {
      const direction = checkDirection(`${field}.axis`, options.axis);
      const origin = checkVec3(`${field}.point`, options.point);
      const shape = new RoundShape(direction, Number.POSITIVE_INFINITY, radius());
      return { origin, direction, radius: radius(), shape };
    }
    case 'capsule': {
      const from = checkVec3(`${field}.from`, options.from);
      const to = checkVec3(`${field}.to`, options.to);
      const way: Vec3 = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
      const length = hypot(...way);
      // Both ends in one point: a ball.
      const direction: Vec3 = length > 0 ? [way[0] / length, way[1] / length, way[2] / length] : [0, 1, 0];
      const origin: Vec3 = [from[0] + way[0] / 2, from[1] + way[1] / 2, from[2] + way[2] / 2];
      return { origin, direction, radius: radius(), shape: new RoundShape(direction, length / 2, radius()) };
    }
    case 'box': {
      const size = checkVec3(`${field}.size`, options.size);
      if (size.some((s) => s < 0)) refuse(`${field}.size`, size, 'three lengths of at least 0');
      return { ...placement(options, field), shape: new BoxShape(size) };
    }
    case 'mesh': {
      const placed = placement(options, field);
      const shape = new MeshShape(scaled(options, field), `${field}.mesh`);
      return { ...placed, shape, warnings: shape.warnings };
    }
  }
}

function resolvePlane({ normal, offset, position }: PlaneOptions, field: string): Geometry {
  const direction = checkDirection(`${field}.normal`, normal);
  const [x, y, z] = direction;
  if (position === undefined) {
    const level = checkNumber(`${field}.offset`, offset ?? 0);
    return { direction, offset: level, origin: [level * x, level * y, level * z], shape: undefined };
  }
  if (offset !== undefined)
    throw new PliantError(`${field}.offset`, `${field} gives offset and position; expected one of the two.`);
  const origin = checkVec3(`${field}.position`, position);
  return { direction, offset: x * origin[0] + y * origin[1] + z * origin[2], origin, shape: undefined };
}

function placement(options: { position?: Vec3; rotation?: Quaternion }, field: string) {
  return {
    origin: checkVec3(`${field}.position`, options.position ?? [0, 0, 0]),
    rotation: checkRotation(`${field}.rotation`, options.rotation ?? [0, 0, 0, 1]),
  };
}

function scaled({ mesh, scale = 1 }: MeshOptions, field: string): MeshData {
  const factors =
    typeof scale === 'object'
      ? checkVec3(`${field}.scale`, scale)
      : new Array(3).fill(checkNumber(`${field}.scale`, scale, { above: 0 }));
  if (factors.some((s) => !(s > 0))) refuse(`${field}.scale`, scale, 'positive factors');
  const indices = checkMesh(`${field}.mesh`, mesh);
  return { positions: Float64Array.from(mesh.positions, (c, k) => c * factors[k % 3]), indices };
}
