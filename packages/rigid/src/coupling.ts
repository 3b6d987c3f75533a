import {
  type Body,
  type Clamp,
  type ClampOptions,
  type Collider,
  type ColliderOptions,
  type Pick,
  PliantError,
  type Quaternion,
  refuse,
  type Vec3,
  type World,
} from 'pliant';
import type { Pose, RigidBody, RigidShape, RigidWorld } from './rigid.js';
import { add, conjugate, cross, multiply, rotate, scale, sub, unit } from './vectors.js';

/** Settings of a Coupling. */
export interface CouplingOptions {
  /**
   * Parts into which the world's time step is divided for both engines. An engine that sees the other only once a step is pushed back a step late: with more parts lighter rigid bodies rest on stiffer soft ones.
   * The soft engine divides steps of stiff bodies anyway, so that more parts cost it little. Default 4.
   */
  substeps?: number;
}

/** A rigid and a soft body have come together, or apart. */
export interface CouplingEvent {
  readonly type: 'touch' | 'part';
  /** The rigid body. */
  readonly rigid: RigidBody;
  /** The obstacle that stands for the shape that was touched. */
  readonly collider: Collider;
  /** The soft body. */
  readonly body: Body;
  /** Impulse of all soft bodies on that shape in this step (N s); 0 for 'part'. */
  readonly impulse: Vec3;
  /** World time (s). */
  readonly time: number;
}

/** How a soft body is attached to a rigid one. */
export interface AttachOptions {
  /** Places of the soft body that are held, as points of the world (m), where they are now: the particles around each. */
  points: readonly Vec3[];
  /** How far around a place particles are held (m). Default: 1.2 spacings of the particles. */
  radius?: number;
  /** Largest force of each spring, divided by the mass of the soft body (m/s²). Default 1e5. */
  maxAcceleration?: number;
  /** Angular frequency of all springs together (1/s). Default 100. */
  stiffness?: number;
}

/** A soft body that is attached to a rigid one. */
export interface Attachment {
  readonly body: Body;
  readonly rigid: RigidBody;
  readonly picks: readonly Pick[];
}

/** Particles that follow something that is moved from outside, such as a bone. */
export interface Pinned {
  readonly clamp: Clamp;
  /** Where that is now. */
  readonly frame: () => Pose;
}

interface Linked {
  readonly collider: Collider;
  readonly shape: RigidShape;
  /** Of capsules and planes, whose axis is given in the world: the inverse of their rotation at first. */
  readonly start: Quaternion | undefined;
  /** The soft bodies that lie on it. */
  readonly touching: Set<Body>;
  /** Impulse and angular impulse of the last step in which it was touched by a body that was awake. */
  last: [Vec3, Vec3];
}

interface Held extends Attachment {
  /** Impulse and angular impulse on the rigid body in the last step in which the soft one was awake. */
  last: [Vec3, Vec3];
  /** The held places in the axes of the rigid body. */
  readonly anchors: readonly Vec3[];
  readonly omega: number;
}

interface Led extends Pinned {
  readonly start: Pose;
}

/**
 * Couples a world of soft bodies with a world of rigid ones, both ways. The shapes of the rigid bodies are obstacles of the soft world, led to where the rigid engine has moved them; the impulses that
 * soft bodies give these obstacles go back to the rigid bodies, so that momentum is kept.
 *
 * Call `advance` or `step` in place of those of both engines.
 *
 * @example
 * const coupling = new Coupling(world, { step: (dt) => rigidEngine.step(dt) });
 * coupling.add(rigidBody);
 * coupling.step();
 */
export class Coupling {
  private readonly links = new Map<RigidBody, Linked[]>();
  private readonly attached: Held[] = [];
  private readonly pinned: Led[] = [];
  private events: CouplingEvent[] = [];
  private owed = 0;

  constructor(
    /** The soft world. Its `dt` becomes that of a part of a step. */
    readonly world: World,
    /** The rigid world. */
    readonly rigid: RigidWorld,
    { substeps = 4 }: CouplingOptions = {},
  ) {
    if (!Number.isInteger(substeps) || substeps < 1) refuse('substeps', substeps, 'an integer of at least 1');
    world.dt /= substeps;
  }

  /** Lets soft bodies meet a rigid body. Returns the obstacles that stand for its shapes, in their order. */
  add(body: RigidBody): readonly Collider[] {
    if (this.links.has(body)) refuse('body', body.native, 'a body that was not added before');
    if (body.shapes.length === 0) refuse('body.shapes', body.shapes, 'at least one shape');
    const links: Linked[] = [];
    try {
      for (const shape of body.shapes) {
        const pose = placed(body.pose(), shape);
        const isAxial = shape.type === 'capsule' || shape.type === 'plane';
        const start = isAxial ? conjugate(pose.rotation) : undefined;
        links.push({
          collider: this.world.addCollider(obstacleOf(shape, pose)),
          shape,
          start,
          touching: new Set(),
          last: [NONE, NONE],
        });
      }
    } catch (error) {
      for (const { collider } of links) this.world.removeCollider(collider);
      throw error;
    }
    this.links.set(body, links);
    return links.map(({ collider }) => collider);
  }

  /** Takes a rigid body's obstacles and attachments out of the soft world. */
  remove(body: RigidBody): void {
    for (const { collider } of this.links.get(body) ?? [])
      if (this.world.colliders.includes(collider)) this.world.removeCollider(collider);
    this.links.delete(body);
    for (const attachment of this.attached.filter(({ rigid }) => rigid === body)) this.detach(attachment);
  }

  /**
   * Attaches a soft body to a rigid one at some places, such as a soft arm to a torso: springs hold the places where they are relative to the rigid body, and pull at both.
   */
  attach(
    body: Body,
    rigid: RigidBody,
    { points, radius, stiffness = 100, maxAcceleration = 1e5 }: AttachOptions,
  ): Attachment {
    if (!Array.isArray(points) || points.length === 0) refuse('points', points, 'at least one point');
    const pose = rigid.pose();
    const back = conjugate(unit(pose.rotation));
    const particles = particlesAt(body, points, radius ?? REACH * (body.spacing ?? 0.05 * body.size));
    // k = M ω² each: those of n springs add up to that of one with the whole ω.
    const omega = stiffness / Math.sqrt(particles.length);
    const picks: Pick[] = [];
    try {
      for (const particle of particles)
        picks.push(
          this.world.addPick({ body, particle, radius: ALONE, stiffness: omega, damping: 1, maxAcceleration }),
        );
    } catch (error) {
      for (const pick of picks) this.world.removePick(pick);
      throw error;
    }
    const anchors = picks.map(({ position }) => rotate(back, sub(position, pose.position)));
    const held: Held = { body, rigid, picks, anchors, omega, last: [NONE, NONE] };
    this.attached.push(held);
    return held;
  }

  /** Ends an attachment. */
  detach(attachment: Attachment): void {
    const at = this.attached.indexOf(attachment as Held);
    if (at < 0) return;
    this.attached.splice(at, 1);
    for (const pick of attachment.picks) if (this.world.picks.includes(pick)) this.world.removePick(pick);
  }

  /**
   * Pins particles to something that is moved from outside and does not feel them, such as a bone of an animated skeleton: they follow it rigidly. `frame` tells where it is; it is asked before each step.
   *
   * @example
   * coupling.pin({ region: { type: 'sphere', centre: [0, 1, 0], radius: 0.1 }, by: 'now', bodies: [sleeve] }, () => ({
   *   position: bone.getWorldPosition(new Vector3()).toArray(),
   *   rotation: bone.getWorldQuaternion(new Quaternion()).toArray(),
   * }));
   */
  pin(options: ClampOptions, frame: () => Pose): Pinned {
    const start = frame();
    const clamp = this.world.addClamp({ ...options, centre: start.position });
    const led: Led = { clamp, frame, start };
    this.pinned.push(led);
    return led;
  }

  /** Lets pinned particles go. */
  unpin(pinned: Pinned): void {
    const at = this.pinned.indexOf(pinned as Led);
    if (at < 0) return;
    this.pinned.splice(at, 1);
    if (this.world.clamps.includes(pinned.clamp)) this.world.removeClamp(pinned.clamp);
  }

  /** Advances both engines by seconds of the clock, in steps of `world.dt`; see `world.advance`. */
  advance(seconds: number, maxSteps = 16): { steps: number; alpha: number } {
    if (!(seconds > -1 && Number.isFinite(seconds))) refuse('seconds', seconds, 'a finite number above -1');
    const { dt } = this.world;
    this.owed += Math.max(0, seconds);
    let steps = 0;
    for (; this.owed >= dt && steps < maxSteps; steps++) {
      this.step();
      this.owed -= dt;
    }
    if (this.owed >= dt) this.owed %= dt;
    return { steps, alpha: this.owed / dt };
  }

  /** Advances both engines by one step of `world.dt`. */
  step(): void {
    const { world } = this;
    this.rigid.step(world.dt);
    for (const [body, links] of this.links) {
      const pose = body.pose();
      for (const { collider, shape, start } of links) {
        const { position, rotation } = placed(pose, shape);
        collider.moveTo(position, start ? unit(multiply(rotation, start)) : rotation);
      }
    }
    for (const held of this.attached) this.aim(held);
    for (const { clamp, frame, start } of this.pinned) {
      const { position, rotation } = frame();
      clamp.moveTo(position, unit(multiply(unit(rotation), conjugate(unit(start.rotation)))));
    }
    world.step();
    for (const [body, links] of this.links) this.giveBack(body, links);
    for (const held of this.attached) this.pullBack(held);
  }

  /** Returns the events since the last call, oldest first. */
  drainEvents(): CouplingEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  /** Sets the targets of the springs. A spring's damping acts on the place's own velocity: the target is ahead by 2/ω of the anchor's, so that it acts on the difference. */
  private aim({ rigid, picks, anchors, omega }: Held): void {
    const { position, rotation } = rigid.pose();
    const { centre, linear, angular } = rigid.motion();
    const turn = unit(rotation);
    picks.forEach((pick, n) => {
      const anchor = add(position, rotate(turn, anchors[n]));
      const velocity = add(linear, cross(angular, sub(anchor, centre)));
      pick.moveTo(add(anchor, scale(velocity, 2 / omega)));
    });
  }

  private pullBack(held: Held): void {
    const { rigid, picks, body } = held;
    if (!rigid.isDynamic || !body.alive) return;
    // A body that sleeps is not stepped: it still hangs from the rigid one, as it did before.
    if (!body.asleep) {
      const { centre } = rigid.motion();
      held.last = [NONE, NONE];
      for (const pick of picks) {
        const back = scale(pick.impulse, -1);
        const turning = cross(sub(pick.position, centre), back);
        held.last = [add(held.last[0], back), add(held.last[1], turning)];
      }
    }
    const [impulse, turning] = held.last;
    if (!isNone(impulse) || !isNone(turning)) rigid.push(impulse, turning);
  }

  private giveBack(body: RigidBody, links: readonly Linked[]): void {
    let [impulse, turning]: [Vec3, Vec3] = [NONE, NONE];
    const { centre } = body.motion();
    for (const link of links) {
      const { collider } = link;
      this.report(body, link);
      if (link.touching.size === 0) continue;
      // Bodies that have all fallen asleep push as they did before.
      if (collider.touching.length > 0) link.last = [[...collider.impulse], [...collider.angularImpulse]];
      const [push, turn] = link.last;
      impulse = add(impulse, push);
      // Told about the obstacle's position; the rigid body turns about its centre of mass.
      turning = add(turning, add(turn, cross(sub(collider.position, centre), push)));
    }
    if (body.isDynamic && (!isNone(impulse) || !isNone(turning))) body.push(impulse, turning);
  }

  private report(rigid: RigidBody, { collider, touching }: Linked): void {
    const emit = (type: 'touch' | 'part', body: Body) => {
      const impulse: Vec3 = type === 'touch' ? [...collider.impulse] : NONE;
      this.events.push({ type, rigid, collider, body, impulse, time: this.world.time });
    };
    for (const body of touching) {
      // A soft body that has fallen asleep is in no step, and still lies where it lay.
      if (collider.touching.includes(body) || (body.alive && body.asleep)) continue;
      touching.delete(body);
      emit('part', body);
    }
    for (const body of collider.touching) {
      if (touching.has(body)) continue;
      touching.add(body);
      emit('touch', body);
    }
  }
}

/** Default radius around the places that are attached (spacings). */
const REACH = 1.2;
/**
 * Radius of the springs of an attachment (m), so small that each holds one particle: it then acts where that particle is, and the angular momentum that it gives the two bodies is
 * opposite. A pick that holds several acts at their mean, which is not told.
 */
const ALONE = 1e-6;

/** The particles within a radius of any of some points; at least the nearest one of each. */
function particlesAt({ positions: x }: Body, points: readonly Vec3[], radius: number): number[] {
  const found = new Set<number>();
  for (const [px, py, pz] of points) {
    let [nearest, least] = [0, Number.POSITIVE_INFINITY];
    for (let i = 0; i < x.length / 4; i++) {
      const d = (x[4 * i] - px) ** 2 + (x[4 * i + 1] - py) ** 2 + (x[4 * i + 2] - pz) ** 2;
      if (d <= radius * radius) found.add(i);
      if (d < least) [nearest, least] = [i, d];
    }
    found.add(nearest);
  }
  return [...found].sort((a, b) => a - b);
}

const NONE: Vec3 = [0, 0, 0];
const isNone = ([x, y, z]: Vec3) => x === 0 && y === 0 && z === 0;

/** The pose of a shape in the world. */
function placed({ position, rotation }: Pose, { pose }: RigidShape): Pose {
  const turn = unit(rotation);
  if (!pose) return { position, rotation: turn };
  return { position: add(position, rotate(turn, pose.position)), rotation: unit(multiply(turn, pose.rotation)) };
}

/** The obstacle for a shape, where it is at first. */
function obstacleOf(shape: RigidShape, { position, rotation }: Pose): ColliderOptions {
  const { friction, restitution, groups } = shape;
  const common = {
    ...(friction !== undefined && { friction }),
    ...(restitution !== undefined && { restitution: Math.min(1, Math.max(0, restitution)) }),
    ...(groups && { groups }),
  };
  switch (shape.type) {
    case 'sphere':
      return { ...common, type: 'sphere', centre: position, radius: shape.radius };
    case 'box':
      return { ...common, type: 'box', size: shape.size, position, rotation };
    case 'capsule': {
      const half = rotate(rotation, [0, shape.height / 2, 0]);
      return { ...common, type: 'capsule', from: sub(position, half), to: add(position, half), radius: shape.radius };
    }
    case 'plane':
      return { ...common, type: 'plane', normal: rotate(rotation, shape.normal), position };
    case 'mesh':
      return { ...common, type: 'mesh', mesh: shape.mesh, position, rotation };
    default:
      throw new PliantError(
        'shape.type',
        `shape.type is ${JSON.stringify((shape as { type: unknown }).type)}; expected sphere, box, capsule, plane or mesh.`,
      );
  }
}
