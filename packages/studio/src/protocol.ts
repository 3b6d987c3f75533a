import type { LookName, SourceMaterials } from '@pliant/scene';
import type { Stage, Vec3 } from 'pliant';

/** Actions of the user on a simulation, which carries them out by calls of its world in a worker. */
export type Command =
  /** Sends surfaces and obstacles once more: drawing began after the scene. */
  | { type: 'resend' }
  | { type: 'run'; running: boolean }
  /** While paused. */
  | { type: 'step'; steps: number }
  | { type: 'reset' }
  | { type: 'speed'; factor: number }
  /** Back (or forward, as far as kept) to a step. */
  | { type: 'seek'; frame: number }
  /** `edit`: number of the edit, sent back if the world refuses it. */
  | { type: 'material'; body: string; material: Record<string, unknown>; edit?: number }
  | { type: 'levels'; body: string; levels: Record<string, unknown>; edit?: number }
  | { type: 'gravity'; gravity: Vec3; edit?: number }
  | { type: 'pick'; id: number; origin: Vec3; direction: Vec3 }
  | { type: 'movePick'; id: number; target: Vec3 }
  | { type: 'lockPick'; id: number }
  | { type: 'dropPick'; id: number }
  | { type: 'dropAllPicks' }
  /** A ball that pushes bodies; undefined removes it. */
  | { type: 'push'; ball: { centre: Vec3; radius: number } | undefined }
  /** A stroke on the screen: rays through its two ends. */
  | { type: 'cut'; id: number; origin: Vec3; from: Vec3; to: Vec3 }
  /** Undoes the last cut. */
  | { type: 'undo' }
  /** Does the cut again that was undone last. */
  | { type: 'redo' }
  | { type: 'export'; id: number };

/** Settings that can be changed in a running world. */
export type SettingCommand = Extract<Command, { type: 'material' | 'levels' | 'gravity' }>;

export interface SceneSource {
  /** Name of the file; relative paths in it are resolved against it. */
  path: string;
  /** The scene itself; read from `path` when left out. */
  text?: string;
  /** Files of the scene that are not on the server: dropped meshes. */
  files?: Record<string, Uint8Array>;
}

/** The scene that the worker shall build, and the first content of its frames. */
export interface SceneRequest {
  source: SceneSource;
  show: Show;
}

export const COLOURINGS = ['material', 'cluster', 'stress', 'plastic strain', 'toughness', 'speed'] as const;
export type Colouring = (typeof COLOURINGS)[number];

/** The content of frames. */
export interface Show {
  colouring: Colouring;
  surface: boolean;
  particles: boolean;
  clusters: boolean;
  proxies: boolean;
  goals: boolean;
  /** Whether frames include potential energies, which take a fit of all clusters. */
  energies: boolean;
  /** Upper end of the colour ramp; by default the largest present value. */
  scale?: number | undefined;
}

/** `share`: of the build that is done, 0 to 1, if known. */
export interface Progress {
  what: string;
  share?: number;
}

/** Messages of the worker beside the answers to calls, by name. */
export interface Messages {
  progress: Progress;
  /** Surfaces of bodies, whenever they change: sent before the first frame that needs them. */
  surfaces: SurfaceData[];
  obstacles: ObstacleData[];
}

export type Tell = <K extends keyof Messages>(name: K, value: Messages[K]) => void;

/** Results of the actions that have one. */
export interface Answers {
  picked: { id: number; hit: { body: string; point: Vec3; distance: number } | undefined };
  cut: { id: number; bodies: number; pieces: number; message: string };
  exported: { id: number; bodies: ExportedBody[] };
}

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
  /** Materials of the bodies' own files, by their place in the list. */
  materials: (FileMaterials | undefined)[];
  clamps: ClampData[];
  fields: FieldData[];
  /** Height of the ground (m): that of an obstacle, or below everything. */
  ground: number;
  /** Whether there is no gravity. */
  weightless: boolean;
  /** Middle and largest extent of the bodies at the start (m). */
  middle: Vec3;
  extent: number;
  warnings: string[];
  /** Of each body: what its material asks for and does not reach. */
  materialWarnings: string[][];
}

/** Contents of frames that the library does not have. The arrays lie in the buffer one after the other: see frames.ts. */
export interface FrameData extends Pick<Frame, 'jump' | 'topology' | 'counts' | 'poses' | 'range'> {
  /** Number of vertices of each body. */
  vertices: number[];
  stats: Omit<FrameStats, 'kineticEnergy' | 'momentum' | 'angularMomentum' | 'stages' | 'pace'>;
}

/** The state of the world at one time. */
export interface Frame {
  time: number;
  step: number;
  /** Not to be interpolated with the frame before, because of a jump (seek, reset, cut). */
  jump: boolean;
  /** Increases when bodies, particles or surfaces change. */
  topology: number;
  counts: FrameCounts;
  bodies: { handle: number; name: string; particles: number; vertices: number }[];
  /** Position and rotation (x y z w) of each obstacle, seven numbers; NaN if it was removed. */
  poses: Float32Array;
  /** The held point and the target of each pick. */
  picks: { id: number; from: Vec3; to: Vec3; locked: boolean }[];
  /** Values at the ends of the colour ramp, the largest present value, and whether some are infinite: what never breaks. */
  range: { low: number; high: number; most: number; endless: boolean } | undefined;
  stats: FrameStats;
  /** Range of steps that can be restored. */
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
  /** NaN unless requested. */
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
  /** Simulated seconds per real second. */
  pace: number;
}

export interface SurfaceData {
  handle: number;
  indices: Uint32Array;
  groups: SurfaceGroup[];
  uvs: Float32Array | undefined;
  /** x y z of every vertex at rest relative to the body's size, for patterns; and that size (m). */
  rest: Float32Array;
  /** Place in the scene's list of the body that it is or comes from. */
  origin: number;
  look: LookName;
}

/** A run of triangles of one material. */
export interface SurfaceGroup {
  start: number;
  count: number;
  kind: 'outer' | 'inner';
  /** Number in the materials of the body's file, if it has some. */
  surface: number;
}

/** The materials of a body's file: for each number of `SurfaceGroup.surface` the place of its material, or −1. */
export interface FileMaterials {
  from: SourceMaterials;
  surfaces: number[];
}

/** A clamp of the scene, for drawing. */
export interface ClampData {
  name: string;
  /** Box around the particles that it holds, as they were at the start. */
  min: Vec3;
  max: Vec3;
  velocity: Vec3;
  angularVelocity: Vec3;
  centre: Vec3;
  /** When it lets go (s). */
  lifetime: number;
}

/** A force field, sampled at points around the bodies: point and direction, six numbers each. */
export interface FieldData {
  name: string;
  arrows: Float32Array;
  lifetime: number;
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
  /** 'clamp' for the plane of a clamp. */
  name: string;
}

export interface ExportedBody {
  name: string;
  positions: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
  groups: SurfaceGroup[];
  uvs: Float32Array | undefined;
  /** Place in the scene's list of the body that it is or comes from. */
  origin: number;
  /** r g b of every vertex, 0 to 1, if the mesh has colours. */
  colours: Float32Array | undefined;
  /** Colours outside and of inner faces: r g b, 0 to 255, in sRGB. */
  colour: [number, number, number];
  innerColour: [number, number, number];
  roughness: { outer: number; inner: number };
  /** Present positions of the particles. */
  particles: Float32Array;
}
