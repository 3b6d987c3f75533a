import type { PliantError, SkinGroup, SkinSource, Vec3, WorldOptions } from 'pliant';

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
  | { type: 'create'; id: number; options: WorldOptions; shared: boolean; running: boolean }
  | { type: 'call'; id: number; target: Reference; method: string; args: unknown[] }
  | { type: 'get'; id: number; target: Reference; name: string }
  | { type: 'set'; id: number; target: Reference; name: string; value: unknown }
  /** Whether frames contain the skin of a body. */
  | { type: 'show'; id: number; body: number; shown: boolean }
  | { type: 'run'; running: boolean; speed: number }
  /** A buffer that the page no longer uses. */
  | { type: 'return'; buffer: ArrayBufferLike };

/** From the worker to the page. */
export type Report =
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
