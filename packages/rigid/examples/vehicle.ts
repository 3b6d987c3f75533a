import type RAPIER from '@dimforge/rapier3d-compat';
import type { Body, Vec3, World } from 'pliant';
import type { RapierCoupling } from '../src/rapier.js';

type Rapier = typeof RAPIER;

/** A vehicle: a rigid chassis and hubs of Rapier, and a soft tyre on each hub. */
export interface Vehicle {
  readonly chassis: RAPIER.RigidBody;
  readonly hubs: readonly RAPIER.RigidBody[];
  readonly tyres: readonly Body[];
  /** Has the motors turn the wheels (rad/s). */
  drive(speed: number): void;
}

/** Radius of the ring in the middle of a tyre, and of the tube around it (m). */
const [RING, TUBE] = [0.22, 0.09];
/** Where the hubs are on the chassis (m). */
const HUBS: readonly Vec3[] = [-0.55, 0.55].flatMap((x) => [-0.5, 0.5].map((z): Vec3 => [x, -0.1, z]));
/** Mass of a hub (kg): no less than that of its tyre, which pulls it back a step late. */
const HUB_MASS = 15;
/** Number of places around a hub at which its tyre is held. */
const SPOKES = 12;

/** Builds a vehicle at a height (m) above the origin. It drives along x. */
export function makeVehicle(rapierModule: Rapier, world: World, coupling: RapierCoupling, height: number): Vehicle {
  const { RigidBodyDesc, ColliderDesc, JointData } = rapierModule;
  const { rapier } = coupling;
  const chassis = rapier.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, height, 0).setCanSleep(false));
  rapier.createCollider(ColliderDesc.cuboid(0.7, 0.1, 0.3).setMass(60), chassis);
  coupling.addBody(chassis);
  const hubs: RAPIER.RigidBody[] = [];
  const tyres: Body[] = [];
  const motors: RAPIER.RevoluteImpulseJoint[] = [];
  for (const [x, y, z] of HUBS) {
    const hub = rapier.createRigidBody(
      RigidBodyDesc.dynamic()
        .setTranslation(x, height + y, z)
        .setCanSleep(false),
    );
    // Rapier's cylinders stand upright: a quarter turn about x lays them along z. Hubs touch nothing themselves.
    const turn = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };
    rapier.createCollider(
      ColliderDesc.cylinder(0.06, RING - TUBE)
        .setRotation(turn)
        .setMass(HUB_MASS)
        .setCollisionGroups(0),
      hub,
    );
    const joint = JointData.revolute({ x, y, z }, { x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 1 });
    motors.push(rapier.createImpulseJoint(joint, chassis, hub, true) as RAPIER.RevoluteImpulseJoint);
    const tyre = world.addBody({
      name: 'tyre',
      shape: { type: 'torus', radius: RING, tube: TUBE },
      rotation: TORUS_TO_Z,
      position: [x, height + y, z],
      sampling: { count: 160 },
      material: { density: 300, young: 4e5, dampingRatio: 0.5, friction: 1 },
    });
    const points = Array.from({ length: SPOKES }, (_, k): Vec3 => {
      const angle = (2 * Math.PI * k) / SPOKES;
      return [x + (RING - 0.6 * TUBE) * Math.cos(angle), height + y + (RING - 0.6 * TUBE) * Math.sin(angle), z];
    });
    coupling.attachTo(tyre, hub, { points, radius: 0.05, stiffness: 150 });
    hubs.push(hub);
    tyres.push(tyre);
  }
  // Backwards about z is forwards along x.
  const drive = (speed: number) => {
    for (const motor of motors) motor.configureMotorVelocity(-speed, 100);
  };
  return { chassis, hubs, tyres, drive };
}

/** The engine's torus lies around y: a quarter turn about x stands it up, around z. */
const TORUS_TO_Z = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const;
