import type * as RAPIER from '@dimforge/rapier3d-compat';
import { type Body, type Collider, PliantError, type Quaternion, type Vec3, type World } from 'pliant';
import { type Attachment, type AttachOptions, Coupling, type CouplingOptions } from './coupling.js';
import { prism } from './prism.js';
import type { Pose, RigidBody, RigidShape } from './rigid.js';
import { conjugate, multiply, rotate, sub, unit } from './vectors.js';

/** Numbers of Rapier's shapes. They are repeated here, so that this module works with any of Rapier's packages. */
const Type = {
  ...{ BALL: 0, CUBOID: 1, CAPSULE: 2, TRI_MESH: 6, CONVEX: 9, CYLINDER: 10, CONE: 11, ROUND_CUBOID: 12 },
  ...{ ROUND_CYLINDER: 14, ROUND_CONE: 15, ROUND_CONVEX: 16, HALF_SPACE: 17 },
} as const;

const vec = ({ x, y, z }: RAPIER.Vector3): Vec3 => [x, y, z];
const quat = ({ x, y, z, w }: RAPIER.Quaternion): Quaternion => [x, y, z, w];
const xyz = ([x, y, z]: Vec3) => ({ x, y, z });

/**
 * Couples a world of soft bodies with a world of Rapier. Friction, restitution and collision groups are those of Rapier's colliders; soft bodies have the same 16 groups in the lower bits of their `groups`.
 *
 * @example
 * const coupling = new RapierCoupling(world, rapierWorld);
 * coupling.addBody(rapierBody);
 * renderer.setAnimationLoop(() => mesh.update(coupling.advance(1 / 60).alpha));
 */
export class RapierCoupling extends Coupling {
  private readonly bodyOf = new Map<RAPIER.RigidBody, RigidBody>();

  constructor(
    world: World,
    readonly rapier: RAPIER.World,
    options?: CouplingOptions,
  ) {
    super(
      world,
      {
        step: (dt) => {
          rapier.timestep = dt;
          rapier.step();
        },
      },
      options,
    );
  }

  /** Lets soft bodies meet a body of Rapier with the colliders that it has now; those that are sensors are left out. */
  addBody(body: RAPIER.RigidBody): readonly Collider[] {
    const rigid = rapierBody(body);
    const colliders = this.add(rigid);
    this.bodyOf.set(body, rigid);
    return colliders;
  }

  /** Adds all bodies of the world that are not added yet and have colliders. */
  addAll(): void {
    this.rapier.forEachRigidBody((body) => {
      if (!this.bodyOf.has(body) && body.numColliders() > 0) this.addBody(body);
    });
  }

  /** Ends the coupling of a body: call it before the body is removed from Rapier's world. */
  removeBody(body: RAPIER.RigidBody): void {
    const rigid = this.bodyOf.get(body);
    if (!rigid) return;
    this.remove(rigid);
    this.bodyOf.delete(body);
  }

  /** Attaches a soft body to a body of Rapier; see `Coupling.attach`. The body need not be added, where soft bodies shall not meet it. */
  attachTo(soft: Body, body: RAPIER.RigidBody, options: AttachOptions): Attachment {
    return this.attach(soft, this.bodyOf.get(body) ?? rapierBody(body), options);
  }
}

/** A body of Rapier for a Coupling. */
export function rapierBody(body: RAPIER.RigidBody): RigidBody {
  const shapes: RigidShape[] = [];
  for (let n = 0; n < body.numColliders(); n++) {
    const collider = body.collider(n);
    if (!collider.isSensor()) shapes.push(shapeOf(collider, body));
  }
  return {
    native: body,
    shapes,
    get isDynamic() {
      return body.isDynamic();
    },
    pose: () => ({ position: vec(body.translation()), rotation: quat(body.rotation()) }),
    motion: () => ({ centre: vec(body.worldCom()), linear: vec(body.linvel()), angular: vec(body.angvel()) }),
    push: (impulse, angularImpulse) => {
      body.applyImpulse(xyz(impulse), true);
      body.applyTorqueImpulse(xyz(angularImpulse), true);
    },
  };
}

function shapeOf(collider: RAPIER.Collider, body: RAPIER.RigidBody): RigidShape {
  const groups = collider.collisionGroups();
  const turn = conjugate(unit(quat(body.rotation())));
  const pose: Pose = {
    position: rotate(turn, sub(vec(collider.translation()), vec(body.translation()))),
    rotation: unit(multiply(turn, quat(collider.rotation()))),
  };
  return {
    ...geometryOf(collider.shape),
    pose,
    friction: collider.friction(),
    restitution: collider.restitution(),
    ...(groups >>> 0 !== 0xffffffff && { groups: { membership: groups >>> 16, filter: groups & 0xffff } }),
  };
}

/** Fields of the classes of Rapier's shapes; each class has some of them. */
interface Measures {
  readonly type: number;
  readonly radius: number;
  readonly halfHeight: number;
  readonly halfExtents: RAPIER.Vector3;
  readonly borderRadius?: number;
  readonly vertices: Float32Array;
  readonly indices: Uint32Array | null;
  readonly normal: RAPIER.Vector3;
}

/** Round shapes are taken with their border, and with edges. */
function geometryOf(shape: RAPIER.Shape) {
  const { type, radius, halfHeight, halfExtents, borderRadius: border = 0, ...rest } = shape as unknown as Measures;
  switch (type) {
    case Type.BALL:
      return { type: 'sphere', radius } as const;
    case Type.CUBOID:
    case Type.ROUND_CUBOID: {
      const { x, y, z } = halfExtents;
      return { type: 'box', size: [2 * (x + border), 2 * (y + border), 2 * (z + border)] } as const;
    }
    case Type.CAPSULE:
      return { type: 'capsule', radius, height: 2 * halfHeight } as const;
    case Type.CYLINDER:
    case Type.ROUND_CYLINDER:
      return { type: 'mesh', mesh: prism(radius + border, radius + border, halfHeight + border) } as const;
    case Type.CONE:
    case Type.ROUND_CONE:
      return { type: 'mesh', mesh: prism(radius + border, 0, halfHeight + border) } as const;
    case Type.HALF_SPACE:
      return { type: 'plane', normal: vec(rest.normal) } as const;
    case Type.TRI_MESH:
    case Type.CONVEX:
    case Type.ROUND_CONVEX:
      if (rest.indices) return { type: 'mesh', mesh: { positions: rest.vertices, indices: rest.indices } } as const;
  }
  throw new PliantError(
    'collider.shape',
    `collider.shape is of Rapier's type ${type}; expected a ball, cuboid, capsule, cylinder, cone, half-space, or a convex or triangle mesh that is closed.`,
  );
}
