import type {
  BodyOptions,
  BuiltBody,
  ClampOptions,
  ColliderOptions,
  CutOptions,
  FieldType,
  ForceFieldOptions,
  PickOptions,
  Vec3,
} from 'pliant';
import type { SourceMaterials } from './files/gltfMaterials.js';
import type { MeshGroup } from './files/meshFile.js';
import type { BodyLook } from './looks.js';
import type { VariantDescription } from './variants.js';

/** A scene with all its files read and all names resolved, whichever format it came from. `loadScene` returns it, `buildWorld` takes it. */
export interface SceneDescription {
  /** The file it was read from, as given, with the variant after a #. */
  path: string;
  /** The name of the variant that it is; undefined for the scene itself. */
  variant?: string;
  /** The variants that its file names. */
  variants?: readonly VariantDescription[];
  /** The format of the file: Pliant's own, or that of the papers' authors. */
  format: 'pliant' | 'research';
  /** Title; the empty string if the file has none. */
  title: string;
  /** Description; the empty string if the file has none. */
  description: string;
  /** Gravity (m/s²). */
  gravity: Vec3;
  /** Length of a step (s). */
  dt: number;
  /** Parts into which a step is divided; 'auto' is as many as its bodies with an elastic law need. */
  substeps: number | 'auto';
  /** Bound of `substeps: 'auto'`. */
  maxSubsteps: number;
  /** Number of steps to run by default. */
  frames: number;
  /** The bodies. */
  bodies: BodyDescription[];
  /** Clamps and colliders in the order in which they act. */
  actors: ActorDescription[];
  /** The force fields. */
  forceFields: ForceFieldDescription[];
  /** The picks that hold places of bodies. */
  picks?: PickDescription[];
  /** The cuts, in the order of their times. */
  cuts: CutDescription[];
  /** Places to look from. */
  cameras: Camera[];
  /** Settings that are ignored, and settings that look wrong; a sentence each. */
  warnings: string[];
}

/** A body of a scene. */
export interface BodyDescription {
  /** Its path in the scene file, for messages: "bodies[0]". */
  path: string;
  /** The file its geometry came from, if any. */
  source?: string;
  /** The materials of the file its mesh came from, if it has any and `loadScene` was asked for them. */
  materials?: SourceMaterials;
  /** Which of these materials each triangle of the mesh has, as runs of its indices; with `materials`. */
  groups?: readonly MeshGroup[];
  /** How it looks; undefined in research scenes. */
  look?: BodyLook;
  /** Options of `world.addBody`; those of a built body if there is one. */
  options: BodyOptions & { name: string };
  /** The body as it was built, if the scene names an asset. */
  built?: BuiltBody;
}

/** A clamp or a collider of a scene. */
export type ActorDescription = ClampDescription | ColliderDescription;

/** A clamp of a scene. */
export interface ClampDescription {
  /** Distinguishes clamps from colliders. */
  kind: 'clamp';
  /** Its path in the scene file, for messages: "clamps[0]", "movingPlanes[1]". */
  path: string;
  /** Its name, if the file gives one. */
  name?: string;
  /** Options of `world.addClamp`, without the bodies. */
  options: Omit<ClampOptions, 'bodies'>;
  /** Names of the bodies it holds. Default: all. */
  bodies?: readonly string[];
  /** Whether a region without particles is a warning instead of an error. */
  mayBeEmpty?: boolean;
}

/** A collider of a scene. */
export interface ColliderDescription {
  /** Distinguishes colliders from clamps. */
  kind: 'collider';
  /** Its path in the scene file, for messages: "colliders[0]". */
  path: string;
  /** Its name, if the file gives one. */
  name?: string;
  /** The file its mesh came from, if any. */
  source?: string;
  /** Options of `world.addCollider`, without `except`. */
  options: ColliderOptions;
  /** Path of the clamp whose particles pass through: "clamps[0]". */
  except?: string;
}

/** A force field of a scene. */
export interface ForceFieldDescription {
  /** Its path in the scene file, for messages: "forceFields[0]". */
  path: string;
  /** Its name, if the file gives one. */
  name?: string;
  /** Options of `world.addForceField`, without the bodies. */
  options: FieldType & Omit<ForceFieldOptions, 'bodies' | keyof FieldType>;
  /** Names of the bodies it acts on. Default: all. */
  bodies?: readonly string[];
}

/** A pick of a scene. */
export interface PickDescription {
  /** Its path in the scene file, for messages: "picks[0]". */
  path: string;
  /** Its name, if the file gives one. */
  name?: string;
  /** Name of the body it holds. */
  body: string;
  /** Options of `world.addPick`, without the body. */
  options: Omit<PickOptions, 'body'>;
}

/** A cut of a scene. */
export interface CutDescription {
  /** Its path in the scene file, for messages: "cuts[0]". */
  path: string;
  /** World time of the cut (s). */
  at: number;
  /** Name of the body it cuts, with everything that came off that body. Default: all. */
  body?: string;
  /** Options of `world.cut`. */
  options: CutOptions;
}

/** A place to look from. */
export interface Camera {
  /** Its name. */
  name: string;
  /** Where the camera is (m). */
  position: Vec3;
  /** The point it looks at (m). */
  target: Vec3;
  /** Vertical angle of view (degrees). */
  fov: number;
}

/** Five seconds at 60 steps a second: long enough to see a body fall and come to rest. */
export const DEFAULT_FRAMES = 300;
