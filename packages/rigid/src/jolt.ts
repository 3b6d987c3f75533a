import type Jolt from 'jolt-physics';
import { type Body, type Collider, PliantError, type Vec3, type World } from 'pliant';
import { type Attachment, type AttachOptions, Coupling, type CouplingOptions } from './coupling.js';
import type { RigidBody, RigidShape } from './rigid.js';

/** The module of jolt-physics, as `await initJolt()` returns it. */
export type JoltModule = typeof Jolt;

/** Any of Jolt's vectors. */
interface JoltVector {
  GetX(): number;
  GetY(): number;
  GetZ(): number;
}
const vec = (v: JoltVector): Vec3 => [v.GetX(), v.GetY(), v.GetZ()];

/**
 * Couples a world of soft bodies with a world of Jolt. Friction and restitution are those of Jolt's bodies. Jolt's layers are functions of its user: give `groups` to `addBody`.
 *
 * @example
 * const coupling = new JoltCoupling(world, Jolt, joltInterface);
 * coupling.addBody(joltBody);
 * coupling.step();
 */
export class JoltCoupling extends Coupling {
  private readonly bodyOf = new Map<number, RigidBody>();

  constructor(
    world: World,
    private readonly module: JoltModule,
    readonly jolt: Jolt.JoltInterface,
    options?: CouplingOptions,
  ) {
    super(world, { step: (dt) => jolt.Step(dt, 1) }, options);
  }

  /** Lets soft bodies meet a body of Jolt with the shape that it has now. */
  addBody(body: Jolt.Body, options: Partial<RigidShape> = {}): readonly Collider[] {
    const rigid = joltBody(this.module, this.jolt, body, options);
    const colliders = this.add(rigid);
    this.bodyOf.set(numberOf(body), rigid);
    return colliders;
  }

  /** Ends the coupling of a body: call it before the body is removed from Jolt's world. */
  removeBody(body: Jolt.Body): void {
    const rigid = this.bodyOf.get(numberOf(body));
    if (!rigid) return;
    this.remove(rigid);
    this.bodyOf.delete(numberOf(body));
  }

  /** Attaches a soft body to a body of Jolt; see `Coupling.attach`. */
  attachTo(soft: Body, body: Jolt.Body, options: AttachOptions): Attachment {
    const rigid = this.bodyOf.get(numberOf(body)) ?? joltBody(this.module, this.jolt, body);
    return this.attach(soft, rigid, options);
  }
}

const numberOf = (body: Jolt.Body) => body.GetID().GetIndexAndSequenceNumber();

/** A body of Jolt for a Coupling. `options` replace friction, restitution and groups of its shape. */
export function joltBody(
  module: JoltModule,
  jolt: Jolt.JoltInterface,
  body: Jolt.Body,
  { friction, restitution, groups }: Partial<RigidShape> = {},
): RigidBody {
  const bodies = jolt.GetPhysicsSystem().GetBodyInterface();
  // Reused: objects of the WASM heap are freed by hand.
  const linear = new module.Vec3(0, 0, 0);
  const angular = new module.Vec3(0, 0, 0);
  return {
    native: body,
    shapes: [
      {
        ...geometryOf(module, body.GetShape()),
        friction: friction ?? body.GetFriction(),
        restitution: restitution ?? body.GetRestitution(),
        ...(groups && { groups }),
      },
    ],
    get isDynamic() {
      return body.IsDynamic();
    },
    pose: () => {
      const turn = body.GetRotation();
      return {
        position: vec(body.GetPosition() as unknown as JoltVector),
        rotation: [turn.GetX(), turn.GetY(), turn.GetZ(), turn.GetW()],
      };
    },
    motion: () => ({
      centre: vec(body.GetCenterOfMassPosition() as unknown as JoltVector),
      linear: vec(body.GetLinearVelocity()),
      angular: vec(body.GetAngularVelocity()),
    }),
    push: (impulse, angularImpulse) => {
      linear.Set(impulse[0], impulse[1], impulse[2]);
      angular.Set(angularImpulse[0], angularImpulse[1], angularImpulse[2]);
      bodies.ActivateBody(body.GetID());
      body.AddImpulse(linear);
      body.AddAngularImpulse(angular);
    },
  };
}

/** Balls, boxes and capsules as such; every other shape by its triangles, in the body's own axes. */
function geometryOf(module: JoltModule, shape: Jolt.Shape) {
  const type = shape.GetSubType();
  if (type === module.EShapeSubType_Sphere)
    return { type: 'sphere', radius: module.castObject(shape, module.SphereShape).GetRadius() } as const;
  if (type === module.EShapeSubType_Box) {
    const [x, y, z] = vec(module.castObject(shape, module.BoxShape).GetHalfExtent());
    return { type: 'box', size: [2 * x, 2 * y, 2 * z] } as const;
  }
  if (type === module.EShapeSubType_Capsule) {
    const capsule = module.castObject(shape, module.CapsuleShape);
    return { type: 'capsule', radius: capsule.GetRadius(), height: 2 * capsule.GetHalfHeightOfCylinder() } as const;
  }
  const [one, none] = [new module.Vec3(1, 1, 1), new module.Quat(0, 0, 0, 1)];
  const everything = new module.AABox(new module.Vec3(-1e9, -1e9, -1e9), new module.Vec3(1e9, 1e9, 1e9));
  const triangles = new module.ShapeGetTriangles(shape, everything, shape.GetCenterOfMass(), none, one);
  const first = triangles.GetVerticesData() / Float32Array.BYTES_PER_ELEMENT;
  const positions = module.HEAPF32.slice(first, first + triangles.GetVerticesSize() / Float32Array.BYTES_PER_ELEMENT);
  for (const made of [triangles, everything, one, none]) module.destroy(made);
  if (positions.length === 0)
    throw new PliantError(
      'body.shape',
      `body.shape is of Jolt's type ${type}, without triangles; expected a closed shape.`,
    );
  return { type: 'mesh', mesh: { positions } } as const;
}
