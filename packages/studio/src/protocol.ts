import type { Stage, Vec3 } from 'pliant';

/**
 * What page and worker say to each other. The worker has the world and runs it; the page draws the frames it is sent, gives their
 * buffers back, and tells what hands do. A worker without a free buffer waits: whoever does not draw does not simulate.
 */
export type Command =
  | { type: 'load'; scene: SceneSource; options: LoadOptions }
  /** A buffer that the page is done with. */
  | { type: 'return'; buffer: ArrayBufferLike }
  | { type: 'run'; running: boolean }
  /** While paused. */
  | { type: 'step'; steps: number }
  | { type: 'reset' }
  | { type: 'speed'; factor: number }
  /** Back (or on, as far as kept) to a step. */
  | { type: 'seek'; frame: number }
  | { type: 'show'; show: Show }
  /** `edit`: told back if the world refuses it. */
  | { type: 'material'; body: string; material: Record<string, unknown>; edit?: number }
  | { type: 'levels'; body: string; levels: Record<string, unknown>; edit?: number }
  | { type: 'gravity'; gravity: Vec3; edit?: number }
  | { type: 'pick'; id: number; origin: Vec3; direction: Vec3 }
  | { type: 'movePick'; id: number; target: Vec3 }
  | { type: 'lockPick'; id: number }
  | { type: 'dropPick'; id: number }
  | { type: 'dropAllPicks' }
  /** A ball that pushes what is near; none takes it away. */
  | { type: 'push'; ball: { centre: Vec3; radius: number } | undefined }
  /** A stroke on the screen: rays through its two ends. */
  | { type: 'cut'; id: number; origin: Vec3; from: Vec3; to: Vec3 }
  /** Takes the last cut back. */
  | { type: 'undo' }
  | { type: 'export'; id: number };

/** What a running world can be told of its settings. */
export type SettingCommand = Extract<Command, { type: 'material' | 'levels' | 'gravity' }>;

export interface SceneSource {
  /** Name of the file, which relative paths in it are seen from. */
  path: string;
  /** The scene itself; read from `path` when left out. */
  text?: string;
  /** Files that the scene names and that are not on the server: dropped meshes. */
  files?: Record<string, Uint8Array>;
}

export interface LoadOptions {
  /** Which load this is: its answer says so too. */
  load: number;
  /** Begin at once, or wait at step 0. */
  running: boolean;
  /** Buffers are shared with the page rather than handed over. */
  shared: boolean;
  show: Show;
}

export const COLOURINGS = ['material', 'cluster', 'stress', 'plastic strain', 'toughness', 'speed'] as const;
export type Colouring = (typeof COLOURINGS)[number];

/** What frames must contain. */
export interface Show {
  colouring: Colouring;
  surface: boolean;
  particles: boolean;
  clusters: boolean;
  proxies: boolean;
  goals: boolean;
  /** Potential energies too: they take a fit of all clusters. */
  energies: boolean;
  /** Upper end of the ramp of colours; the largest value that there is, where left out. */
  scale?: number | undefined;
}

export type Report =
  | { type: 'ready' }
  | { type: 'progress'; what: string }
  | { type: 'loaded'; load: number; scene: LoadedScene }
  /** Of each body, after a change of material. */
  | { type: 'warnings'; materialWarnings: string[][] }
  /** A sentence for the person; whether there is a world to go on with. */
  | { type: 'problem'; message: string; fatal: boolean }
  /** A setting that the world did not take: it goes on with what it had. */
  | { type: 'refused'; message: string; edit: number }
  | { type: 'frame'; buffer: ArrayBufferLike; frame: Frame }
  /** Bodies' surfaces, whenever they change: sent before the first frame that needs them. */
  | { type: 'surfaces'; surfaces: SurfaceData[] }
  | { type: 'obstacles'; obstacles: ObstacleData[] }
  | { type: 'picked'; id: number; hit: { body: string; point: Vec3; distance: number } | undefined }
  | { type: 'cut'; id: number; bodies: number; pieces: number; message: string }
  | { type: 'exported'; id: number; bodies: ExportedBody[] };

export interface LoadedScene {
  path: string;
  title: string;
  description: string;
  dt: number;
  frames: number;
  cameras: { name: string; position: Vec3; target: Vec3; fov: number }[];
  particles: number;
  clusters: number;
  bodies: string[];
  warnings: string[];
  /** Of each body: what its material asks for and does not reach. */
  materialWarnings: string[][];
}

/** One moment of the world. Its arrays lie in the buffer one after the other: see frames.ts. */
export interface Frame {
  time: number;
  step: number;
  /** Not to be blended with the frame before: something jumped (seek, reset, cut). */
  jump: boolean;
  /** Rises when bodies, particles or surfaces are no longer those of the frame before. */
  topology: number;
  counts: FrameCounts;
  bodies: { handle: number; name: string; particles: number; vertices: number }[];
  /** Position and rotation (x y z w) of each obstacle, seven numbers; NaN where it is gone. */
  poses: Float32Array;
  /** Where picks hold and pull to: six numbers each. */
  picks: { id: number; from: Vec3; to: Vec3; locked: boolean }[];
  /** What the ends of the ramp of colours stand for, and the largest value that there is. */
  range: { low: number; high: number; most: number } | undefined;
  stats: FrameStats;
  /** Steps that can be gone back to. */
  kept: { first: number; last: number };
  running: boolean;
}

export interface FrameCounts {
  particles: number;
  vertices: number;
  clusters: number;
  planes: number;
  goals: number;
}

export interface FrameStats {
  kineticEnergy: number;
  /** NaN unless asked for. */
  gravityEnergy: number;
  strainEnergy: number;
  momentum: number;
  angularMomentum: number;
  volume: number;
  pieces: number;
  particles: number;
  clusters: number;
  awake: number;
  /** Milliseconds of the last step, by stage. */
  stages: Record<Stage, number>;
  /** Seconds simulated for each second that passed. */
  pace: number;
}

export interface SurfaceData {
  handle: number;
  indices: Uint32Array;
  groups: { start: number; count: number; kind: 'outer' | 'inner' }[];
  uvs: Float32Array | undefined;
  colours: Float32Array | undefined;
}

export interface ObstacleData {
  type: 'plane' | 'sphere' | 'box' | 'capsule' | 'cylinder' | 'mesh';
  /** Normal or axis in its own space. */
  direction: Vec3;
  radius: number;
  half: number;
  size: Vec3;
  positions: Float32Array | undefined;
  indices: Uint32Array | undefined;
  /** A clamp rather than an obstacle. */
  name: string;
}

export interface ExportedBody {
  name: string;
  positions: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
  groups: { start: number; count: number; kind: 'outer' | 'inner' }[];
  uvs: Float32Array | undefined;
  /** r g b of every vertex, 0 to 1, where the mesh came with them. */
  colours: Float32Array | undefined;
  /** What it is painted with: r g b, 0 to 255, as screens mean them. */
  colour: [number, number, number];
  /** Particles as they are now. */
  particles: Float32Array;
}
