import RAPIER from '@dimforge/rapier3d-compat';
import initJolt from 'jolt-physics';
import type { Collider, Vec3, World } from 'pliant';
import type { Coupling, CouplingOptions } from '../coupling.js';
import { JoltCoupling } from '../jolt.js';
import { RapierCoupling } from '../rapier.js';

/** A ball or box of a rigid engine, for tests that are the same for both. */
export interface TestBody {
  readonly mass: number;
  readonly collider: Collider;
  readonly position: Vec3;
  readonly velocity: Vec3;
}

export interface TestWorld {
  readonly coupling: Coupling;
  add(options: {
    radius?: number;
    size?: Vec3;
    mass: number;
    position: Vec3;
    velocity?: Vec3;
    friction?: number;
  }): TestBody;
}

type Start = (world: World, options?: CouplingOptions) => Promise<TestWorld>;

const [STANDING, MOVING] = [0, 1];

/** Both engines, with the gravity of the soft world. */
export const ENGINES: Record<'Rapier' | 'Jolt', Start> = {
  Rapier: async (world, options) => {
    await RAPIER.init();
    const [x, y, z] = world.gravity;
    const rapier = new RAPIER.World({ x, y, z });
    const coupling = new RapierCoupling(world, rapier, options);
    return {
      coupling,
      add: ({ radius, size, mass, position, velocity = [0, 0, 0], friction = 0.5 }) => {
        const desc = RAPIER.RigidBodyDesc.dynamic()
          .setTranslation(...triple(position))
          .setLinvel(...triple(velocity));
        const body = rapier.createRigidBody(desc);
        const [a, b, c] = (size ?? [0, 0, 0]).map((s) => s / 2);
        const shape = radius ? RAPIER.ColliderDesc.ball(radius) : RAPIER.ColliderDesc.cuboid(a, b, c);
        rapier.createCollider(shape.setMass(mass).setFriction(friction), body);
        const [collider] = coupling.addBody(body);
        return {
          mass,
          collider,
          get position(): Vec3 {
            const { x, y, z } = body.translation();
            return [x, y, z];
          },
          get velocity(): Vec3 {
            const { x, y, z } = body.linvel();
            return [x, y, z];
          },
        };
      },
    };
  },
  Jolt: async (world, options) => {
    const Jolt = await initJolt();
    const settings = new Jolt.JoltSettings();
    settings.mMaxWorkerThreads = 0;
    const pairs = new Jolt.ObjectLayerPairFilterTable(2);
    pairs.EnableCollision(STANDING, MOVING);
    const broad = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
    for (const layer of [STANDING, MOVING]) broad.MapObjectToBroadPhaseLayer(layer, new Jolt.BroadPhaseLayer(layer));
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = broad;
    settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2);
    const jolt = new Jolt.JoltInterface(settings);
    jolt.GetPhysicsSystem().SetGravity(new Jolt.Vec3(...triple(world.gravity)));
    const coupling = new JoltCoupling(world, Jolt, jolt, options);
    const bodies = jolt.GetPhysicsSystem().GetBodyInterface();
    return {
      coupling,
      add: ({ radius, size, mass, position, velocity = [0, 0, 0], friction = 0.5 }) => {
        const [a, b, c] = (size ?? [0, 0, 0]).map((s) => s / 2);
        const shape = radius ? new Jolt.SphereShape(radius) : new Jolt.BoxShape(new Jolt.Vec3(a, b, c), 0.01);
        const desc = new Jolt.BodyCreationSettings(
          shape,
          new Jolt.RVec3(...triple(position)),
          new Jolt.Quat(0, 0, 0, 1),
          Jolt.EMotionType_Dynamic,
          MOVING,
        );
        desc.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
        desc.mMassPropertiesOverride.mMass = mass;
        desc.mLinearDamping = 0;
        desc.mAngularDamping = 0;
        desc.mFriction = friction;
        const body = bodies.CreateBody(desc);
        bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
        bodies.SetLinearVelocity(body.GetID(), new Jolt.Vec3(...triple(velocity)));
        const [collider] = coupling.addBody(body);
        return {
          mass,
          collider,
          get position(): Vec3 {
            const p = body.GetPosition();
            return [p.GetX(), p.GetY(), p.GetZ()];
          },
          get velocity(): Vec3 {
            const v = body.GetLinearVelocity();
            return [v.GetX(), v.GetY(), v.GetZ()];
          },
        };
      },
    };
  },
};

const triple = ([x, y, z]: Vec3): [number, number, number] => [x, y, z];
