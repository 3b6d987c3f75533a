import type {
  BodyOptions,
  ClampOptions,
  ColliderOptions,
  CutOptions,
  FieldType,
  ForceFieldOptions,
  Vec3,
} from 'pliant';

/** A scene with all its files read and all its names resolved: what buildWorld needs, whichever format it came from. */
export interface SceneDescription {
  /** The file it was read from, as given. */
  path: string;
  format: 'pliant' | 'research';
  title: string;
  description: string;
  gravity: Vec3;
  /** Seconds per step. */
  dt: number;
  /** How many steps to run when nobody says otherwise. */
  frames: number;
  bodies: BodyDescription[];
  /** Clamps and colliders in the order in which they act. */
  actors: ActorDescription[];
  forceFields: ForceFieldDescription[];
  /** In the order of their times. */
  cuts: CutDescription[];
  cameras: Camera[];
  /** What the file asks for and will not get, and what was found odd; one line each. */
  warnings: string[];
}

export interface BodyDescription {
  /** Where the scene has it, for messages: "bodies[0]". */
  field: string;
  /** The file its geometry came from, if any. */
  source?: string;
  options: BodyOptions & { name: string };
}

export type ActorDescription = ClampDescription | ColliderDescription;

export interface ClampDescription {
  kind: 'clamp';
  /** "clamps[0]", "movingPlanes[1]". */
  field: string;
  name?: string;
  options: Omit<ClampOptions, 'bodies'>;
  /** Names of the bodies it holds; all when left out. */
  bodies?: readonly string[];
  /** A region without particles is a warning instead of an error. */
  mayBeEmpty?: boolean;
}

export interface ColliderDescription {
  kind: 'collider';
  field: string;
  name?: string;
  /** The file its mesh came from, if any. */
  source?: string;
  options: ColliderOptions;
  /** The field of the clamp whose particles pass through. */
  except?: string;
}

export interface ForceFieldDescription {
  /** "forceFields[0]". */
  field: string;
  name?: string;
  options: FieldType & Omit<ForceFieldOptions, 'bodies' | keyof FieldType>;
  /** Names of the bodies it acts on; all when left out. */
  bodies?: readonly string[];
}

export interface CutDescription {
  /** "cuts[0]". */
  field: string;
  /** Seconds from the start. */
  at: number;
  /** Name of the body it cuts, with all that was cut off it; all when left out. */
  body?: string;
  options: CutOptions;
}

export interface Camera {
  name: string;
  position: Vec3;
  target: Vec3;
  /** Vertical angle of view, degrees. */
  fov: number;
}

/** Five seconds at 60 steps a second: long enough to see a thing fall and settle. */
export const DEFAULT_FRAMES = 300;
