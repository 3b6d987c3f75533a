import type { Measures, PliantError, SkinGroup, SkinSource, Stage, Vec3, WorldOptions } from 'pliant';
import type { HistoryOptions } from './history.js';

/** The things of a world that page and worker name in messages. */
export type Kind = 'world' | 'body' | 'collider' | 'clamp' | 'forceField' | 'pick';

/** A thing of the world in a message: its kind and number; bodies with handle and name. */
export interface Reference {
  readonly $pliant: Kind;
  readonly id: number;
  readonly name?: string;
}

/** From the page to the worker. Calls are answered in the order in which they came. */
export type Command =
  | {
      type: 'create';
      id: number;
      /** Number of the world, which is in all reports about it: a worker can have several, one after the other. */
      of: number;
      options: WorldOptions;
      data: unknown;
      shared: boolean;
      running: boolean;
      history: HistoryOptions | undefined;
      watch: WatchOptions;
      events: boolean;
      buffers: number;
    }
  /** The page has no use for the world any more; the worker waits for the next one. */
  | { type: 'release' }
  /** Contents of frames beside skins. */
  | { type: 'watch'; id: number; watch: WatchOptions }
  /** A call of the worker's own module. */
  | { type: 'request'; id: number; name: string; args: unknown[] }
  | { type: 'call'; id: number; target: Reference; method: string; args: unknown[] }
  | { type: 'get'; id: number; target: Reference; name: string }
  | { type: 'set'; id: number; target: Reference; name: string; value: unknown }
  /** Whether frames contain the skin of a body. */
  | { type: 'show'; id: number; body: number; shown: boolean }
  | { type: 'run'; running: boolean; speed: number }
  /** A buffer that the page no longer uses. */
  | { type: 'return'; buffer: ArrayBufferLike };

/** From the worker to the page: a report, and the number of the world that it is about. */
export type Told = Report & { of: number };

export type Report =
  /** A message of the worker's own module. */
  | { type: 'told'; name: string; value: unknown }
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'failed'; id: number; error: { message: string; path?: string; code?: PliantError['code'] } }
  /** Triangles of a body, whenever they change: before the first frame that needs them. */
  | { type: 'skin'; body: number; skin: SkinData }
  | { type: 'frame'; buffer: ArrayBufferLike; frame: Frame }
  | { type: 'events'; events: unknown[] };

/** The parts of a skin that do not move. */
export interface SkinData {
  readonly version: number;
  readonly vertexCount: number;
  readonly indices: Uint32Array;
  readonly groups: readonly SkinGroup[];
  readonly uvs: Float32Array | undefined;
  readonly colours: Float32Array | undefined;
  readonly source: SkinSource | undefined;
  readonly rest: { positions: Float32Array; normals: Float32Array };
}

/** The state at the end of a step. Positions and normals lie in the buffer: of each body first the positions, then the normals. */
export interface Frame {
  readonly time: number;
  readonly step: number;
  readonly bodies: readonly FrameBody[];
  /** Milliseconds that the last step took. */
  readonly stepTime: number;
  /** Simulated seconds per second of the clock, smoothed. */
  readonly pace: number;
  /** Whether the run jumped to this state: it is not to be blended with the one before. */
  readonly jump: boolean;
  /** Steps that can be gone to, with a history. */
  readonly kept: { readonly first: number; readonly last: number } | undefined;
  /** Whether the world keeps time with the clock. */
  readonly running: boolean;
  readonly watched: WatchedFrame | undefined;
  /** Contents of the worker's own module, and where they lie in the buffer (in bytes). */
  readonly own: { readonly data: unknown; readonly at: number } | undefined;
}

/** Values of particles that frames can contain. */
export const PARTICLE_VALUES = ['stress', 'plasticStrain', 'toughness', 'speed'] as const;

/** Contents of frames beside the skins of shown bodies. All are left out by default. */
export interface WatchOptions {
  /** Positions of all particles. */
  particles?: boolean;
  /** A value of each particle: stress (Pa), plastic strain, toughness, or speed (m/s). */
  values?: (typeof PARTICLE_VALUES)[number];
  /** Places and turns of the colliders. */
  colliders?: boolean;
  /** Places of the picks, on the body and at the target. */
  picks?: boolean;
  /** As `world.measure()`. */
  measures?: boolean;
  /** Milliseconds of the last step, by stage. */
  profile?: boolean;
}

/** The contents that were asked for, in a message: places are numbers of floats in the frame's buffer. */
export interface WatchedFrame {
  readonly bodies: readonly {
    readonly handle: number;
    readonly name: string;
    readonly first: number;
    readonly count: number;
  }[];
  readonly count: number;
  readonly particlesAt: number | undefined;
  readonly valuesAt: number | undefined;
  readonly colliders:
    | readonly { readonly id: number; readonly position: Vec3; readonly rotation: readonly number[] }[]
    | undefined;
  readonly picks: readonly { readonly id: number; readonly from: Vec3; readonly to: Vec3 }[] | undefined;
  readonly measures: Measures | undefined;
  readonly profile: Readonly<Record<Stage, number>> | undefined;
}

/** A body in a frame. */
export interface FrameBody {
  readonly handle: number;
  readonly version: number;
  readonly vertices: number;
  readonly asleep: boolean;
  /** Place of its numbers in the buffer (in floats); −1 if they are those of the frame before. */
  readonly at: number;
  readonly min: Vec3;
  readonly max: Vec3;
}
