import type {
  Body,
  Bounds,
  ClampOptions,
  ColliderHit,
  ColliderOptions,
  ContactPair,
  CutResult,
  ForceFieldOptions,
  Groups,
  Material,
  NearestParticle,
  PickOptions,
  Quaternion,
  RayHit,
  SkinGroup,
  SkinSource,
  SphereOverlap,
  Vec3,
  WorldEvent,
} from 'pliant';
import { PliantError } from 'pliant';
import type { DrawableBody, Skin } from '../skin.js';
import type { Kind, Reference, SkinData } from './protocol.js';

/** The connection to the worker, as the things of its world use it. */
export interface Wire {
  call(target: Reference, method: string, args: unknown[]): Promise<unknown>;
  get(target: Reference, name: string): Promise<unknown>;
  set(target: Reference, name: string, value: unknown): Promise<void>;
  show(body: RemoteBody, shown: boolean): Promise<void>;
  /** The two last frames of a body, if they have it. */
  blendInto(body: RemoteBody, positions: Float32Array, normals: Float32Array, bounds: Bounds, alpha: number): void;
}

/** Types of the engine as they come from a worker: bodies, colliders, clamps, force fields and picks are remote ones. */
export type Remote<T> = T extends Body
  ? RemoteBody
  : T extends { body: Body }
    ? Omit<T, 'body'> & { body: RemoteBody }
    : T;

/** A thing of a world in a worker. */
export abstract class RemoteThing {
  /** @internal */
  readonly reference: Reference;
  /** @internal */
  constructor(
    protected readonly wire: Wire,
    kind: Kind,
    id: number,
  ) {
    this.reference = { $pliant: kind, id };
  }

  protected call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.wire.call(this.reference, method, args) as Promise<T>;
  }
  protected get<T>(name: string): Promise<T> {
    return this.wire.get(this.reference, name) as Promise<T>;
  }
  protected set(name: string, value: unknown): Promise<void> {
    return this.wire.set(this.reference, name, value);
  }
}

/** A body of a world in a worker: the calls of a `Body` as promises, and its skin, once it is shown. */
export class RemoteBody extends RemoteThing implements DrawableBody {
  /** Whether it sleeps, as of the last frame. Known of shown bodies. */
  asleep = false;
  /** Whether it is still in its world, as far as the page knows. */
  alive = true;
  private skin: RemoteSkin | undefined;

  /** @internal */
  constructor(
    wire: Wire,
    /** Number that names the body for ever. */
    readonly handle: number,
    /** Name of the body. */
    readonly name: string,
  ) {
    super(wire, 'body', handle);
  }

  /** Has frames contain the body's skin. Resolves when `getSkin` can be called. */
  async show(): Promise<void> {
    await this.wire.show(this, true);
  }

  /** Leaves the body's skin out of frames. */
  async hide(): Promise<void> {
    await this.wire.show(this, false);
  }

  /** The mesh that shows the body. Call `await body.show()` first. Its `update(alpha)` blends the last two frames. */
  getSkin(): Skin {
    if (!this.skin)
      throw new PliantError(
        'body',
        `body "${this.name}" is not shown; expected \`await body.show()\` before its skin is asked for.`,
      );
    return this.skin;
  }

  /** @internal New triangles have come. */
  take(data: SkinData): void {
    this.skin ??= new RemoteSkin(this.wire, this);
    this.skin.take(data);
  }

  /** As `body.applyImpulse`. */
  applyImpulse(impulse: Vec3, particle?: number): Promise<void> {
    return this.call('applyImpulse', impulse, particle);
  }
  /** As `body.applyForce`: acts during the next step only. */
  applyForce(force: Vec3, particle?: number): Promise<void> {
    return this.call('applyForce', force, particle);
  }
  /** As `body.applyImpulseAt`. */
  applyImpulseAt(impulse: Vec3, point: Vec3): Promise<void> {
    return this.call('applyImpulseAt', impulse, point);
  }
  /** As `body.applyForceAt`: acts during the next step only. */
  applyForceAt(force: Vec3, point: Vec3): Promise<void> {
    return this.call('applyForceAt', force, point);
  }
  /** As `body.pin`. */
  pin(particle: number): Promise<void> {
    return this.call('pin', particle);
  }
  /** As `body.unpin`. */
  unpin(particle: number): Promise<void> {
    return this.call('unpin', particle);
  }
  /** As `body.isPinned`. */
  isPinned(particle: number): Promise<boolean> {
    return this.call('isPinned', particle);
  }
  /** As `body.setPose`. */
  setPose(pose: Parameters<Body['setPose']>[0]): Promise<void> {
    return this.call('setPose', pose);
  }
  /** As `body.setVelocity`. */
  setVelocity(velocity: Parameters<Body['setVelocity']>[0]): Promise<void> {
    return this.call('setVelocity', velocity);
  }
  /** As `body.setMaterial`. */
  setMaterial(material: Parameters<Body['setMaterial']>[0]): Promise<void> {
    return this.call('setMaterial', material);
  }
  /** As `body.setLevels`. */
  setLevels(levels: Parameters<Body['setLevels']>[0]): Promise<void> {
    return this.call('setLevels', levels);
  }
  /** As `body.resetPlasticity`. */
  resetPlasticity(): Promise<void> {
    return this.call('resetPlasticity');
  }
  /** As `body.scaleToughness`. */
  scaleToughness(factors: ArrayLike<number>): Promise<void> {
    return this.call('scaleToughness', Float64Array.from(factors));
  }
  /** As `body.wake`. */
  wake(): Promise<void> {
    return this.call('wake');
  }
  /** As `body.sleep`. */
  sleep(): Promise<void> {
    return this.call('sleep');
  }
  /** Positions of the particles as x, y, z, … (m): a copy. */
  copyPositions(): Promise<Float32Array> {
    return this.call('copyPositions');
  }
  /** Total mass (kg). */
  mass(): Promise<number> {
    return this.get('mass');
  }
  /** Centre of mass (m). */
  centreOfMass(): Promise<Vec3> {
    return this.get('centreOfMass');
  }
  /** Velocity of the centre of mass (m/s). */
  linearVelocity(): Promise<Vec3> {
    return this.get('linearVelocity');
  }
  /** Angular velocity (rad/s). */
  angularVelocity(): Promise<Vec3> {
    return this.get('angularVelocity');
  }
  /** The box around the particles (m). */
  bounds(): Promise<Bounds> {
    return this.get('bounds');
  }
  /** Number of particles. */
  particleCount(): Promise<number> {
    return this.get('particleCount');
  }
  /** Remarks on the body. */
  warnings(): Promise<readonly string[]> {
    return this.get('warnings');
  }
  /** The material settings in force. */
  material(): Promise<Material> {
    return this.get('material');
  }
  /** As setting `body.groups`. */
  setGroups(groups: Partial<Groups>): Promise<void> {
    return this.set('groups', groups);
  }
  /** As setting `body.enabled`. */
  setEnabled(enabled: boolean): Promise<void> {
    return this.set('enabled', enabled);
  }
}

/** A collider of a world in a worker. */
export class RemoteCollider extends RemoteThing {
  /** As `collider.moveTo`. */
  moveTo(position: Vec3, rotation?: Quaternion): Promise<void> {
    return rotation ? this.call('moveTo', position, rotation) : this.call('moveTo', position);
  }
  /** Impulse that bodies gave it in the last step (N s). */
  impulse(): Promise<Vec3> {
    return this.get('impulse');
  }
  /** Angular impulse that bodies gave it in the last step (N m s). */
  angularImpulse(): Promise<Vec3> {
    return this.get('angularImpulse');
  }
  /** Position after the last step (m). */
  position(): Promise<Vec3> {
    return this.get('position');
  }
  /** Rotation after the last step. */
  rotation(): Promise<Quaternion> {
    return this.get('rotation');
  }
  /** As setting `collider.enabled`. */
  setEnabled(enabled: boolean): Promise<void> {
    return this.set('enabled', enabled);
  }
  /** As setting `collider.groups`. */
  setGroups(groups: Partial<Groups>): Promise<void> {
    return this.set('groups', groups);
  }
}

/** A clamp of a world in a worker. */
export class RemoteClamp extends RemoteThing {
  /** As `clamp.moveTo`. */
  moveTo(position: Vec3, rotation?: Quaternion): Promise<void> {
    return rotation ? this.call('moveTo', position, rotation) : this.call('moveTo', position);
  }
  /** Number of particles that it holds. */
  particleCount(): Promise<number> {
    return this.get('particleCount');
  }
}

/** A force field of a world in a worker. */
export class RemoteForceField extends RemoteThing {}

/** A pick of a world in a worker. */
export class RemotePick extends RemoteThing {
  /** As `pick.moveTo`. */
  moveTo(point: Vec3): Promise<void> {
    return this.call('moveTo', point);
  }
  /** Where the held place is now (m). */
  position(): Promise<Vec3> {
    return this.get('position');
  }
  /** Impulse that it gave its body in the last step (N s). */
  impulse(): Promise<Vec3> {
    return this.get('impulse');
  }
}

/** Options that name bodies, with those of a world in a worker. */
export type RemotePickOptions = Omit<PickOptions, 'body'> & { body: RemoteBody };
export type RemoteClampOptions = Omit<ClampOptions, 'bodies'> & { bodies?: readonly RemoteBody[] };
type WithoutBodies<T> = T extends { type: 'custom' } ? never : Omit<T, 'bodies'>;
export type RemoteForceFieldOptions = WithoutBodies<ForceFieldOptions> & { bodies?: readonly RemoteBody[] };
type WithoutExcept<T> = T extends unknown ? Omit<T, 'except'> : never;
export type RemoteColliderOptions = WithoutExcept<ColliderOptions> & { except?: RemoteClamp };

/** Results that name bodies. */
export type RemoteRayHit = Remote<RayHit> | (Omit<ColliderHit, 'collider'> & { collider: RemoteCollider });
export type RemoteOverlap = Remote<SphereOverlap>;
export type RemoteNearest = Remote<NearestParticle>;
export type RemoteContactPair = Omit<ContactPair, 'a' | 'b'> & { a: RemoteBody; b: RemoteBody };
export type RemoteCutResult = Omit<CutResult, 'bodies'> & { bodies: readonly RemoteBody[] };

type RemoteEventOf<T> = {
  [K in keyof T as K extends 'pieces' ? never : K]: T[K] extends Body
    ? RemoteBody
    : T[K] extends readonly [Body, Body]
      ? readonly [RemoteBody, RemoteBody]
      : T[K] extends readonly Body[]
        ? readonly RemoteBody[]
        : K extends 'clamp'
          ? RemoteClamp
          : T[K];
};
/** An event of a world in a worker: as `WorldEvent`, without the pieces of a fracture. */
export type RemoteEvent = WorldEvent extends infer E ? (E extends WorldEvent ? RemoteEventOf<E> : never) : never;

/** The skin of a remote body: the last two frames, blended. */
class RemoteSkin implements Skin {
  version = 0;
  vertexCount = 0;
  positions: Float32Array = new Float32Array(0);
  normals: Float32Array = new Float32Array(0);
  indices: Uint32Array = new Uint32Array(0);
  groups: readonly SkinGroup[] = [];
  uvs: Float32Array | undefined;
  colours: Float32Array | undefined;
  source: SkinSource | undefined;
  readonly bounds = { min: [0, 0, 0] as [number, number, number], max: [0, 0, 0] as [number, number, number] };
  private rest: SkinData['rest'] = { positions: new Float32Array(0), normals: new Float32Array(0) };

  constructor(
    private readonly wire: Wire,
    private readonly body: RemoteBody,
  ) {}

  take({ rest, ...data }: SkinData): void {
    Object.assign(this, data);
    this.rest = rest;
    // Until a frame with these vertices comes, the skin is at rest.
    this.positions = rest.positions.slice();
    this.normals = rest.normals.slice();
  }

  update(alpha = 1): void {
    this.wire.blendInto(this.body, this.positions, this.normals, this.bounds, alpha);
  }

  atRest() {
    return { positions: this.rest.positions.slice(), normals: this.rest.normals.slice() };
  }
}
