import { Boxes } from '../contact/boxes.js';
import { ContactState } from '../contact/contactState.js';
import type { Folds } from '../folds/folds.js';
import type { FractureSettings } from '../fracture/options.js';
import { ALL_GROUPS, type Groups } from '../groups.js';
import type { BodyDrag } from '../kernels/kernels.js';
import type { LevelStrengths } from '../levels/options.js';
import type { ParticleLevels } from '../levels/particles.js';
import { LawState } from '../material/elasticLaw.js';
import type { Material } from '../material/material.js';
import { canBreak } from '../material/toughness.js';
import { canYield } from '../material/yield.js';
import type { ContactMesh } from '../meshContact/index.js';
import type { ContactShape } from '../proxy/contactShape.js';
import type { ReclusterSettings } from '../recluster/options.js';
import type { BodySkin } from '../skin/renderSkin.js';
import { RestState } from '../sleep/restState.js';
import type { Rows } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { Pieces } from '../topology/pieces.js';
import type { BuiltBody } from './build.js';
import { History } from './history.js';
import type { ColdParts } from './record.js';

/** The parts of a body beside its rows in the state. */
export interface BodyParts
  extends Pick<
    BuiltBody,
    'name' | 'clustering' | 'levelStrengths' | 'ownLevels' | 'spacing' | 'thin' | 'material' | 'makeSkin'
  > {
  /** Interpolates values given per vertex of the body's mesh to the particles that it was built with. Undefined for a body without a mesh. */
  fromVertices: FromVertices | undefined;
  warnings: readonly string[];
  restPositions: Float64Array;
  builtPositions: Float64Array;
  /** Columns of the rotation by which it was turned when it was placed, if any: its extents are measured in the axes of its shape. */
  turn?: Float64Array;
  contact: ContactShape;
  fracture: FractureSettings;
  reclustering: ReclusterSettings;
  /** Its mesh in the coordinates of `builtPositions`, if it meets others by its surface. */
  surfaceMesh?: SurfaceMesh;
  /** `makeSkin` makes the skin of the larger body that this one came off. */
  isPart?: boolean;
  groups?: Groups;
}

export type FromVertices = (values: ArrayLike<number>, name: string) => Float64Array;

export interface SurfaceMesh {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

/** The parts of a body that are not public: stages, topology changes, snapshots and the calls of `Body` use them. */
export class BodyCore {
  /** The tree of its proxies and the lists of overlapping clusters (SPEC K1, K2). */
  readonly contact: ContactShape;
  /**
   * The contact mesh, for contact by surfaces (SPEC K5). Undefined once the body has come apart: then it meets others
   * by proxies.
   */
  surface: ContactMesh | undefined;
  /** The contact mesh that it was built with: a snapshot may bring it back. */
  builtSurface: ContactMesh | undefined;
  /** For snapshots: the mesh that it was made from. */
  readonly surfaceMesh: SurfaceMesh | undefined;
  /** Facts of its past that later steps depend on. */
  readonly history = new History();
  /** State of the sleep stage. */
  readonly restState = new RestState();
  /** How it is damped as a whole in this substep. */
  readonly drag: BodyDrag = { share: 0, motion: new Float64Array(6), stand: new Float64Array(3) };
  /** State of the contact stage. */
  readonly contactState = new ContactState();
  readonly boxes = new Boxes();
  /**
   * Impulses that contacts of a rigid body gave in the last substep, with which the next solve begins: six numbers a
   * particle, x y z (N s) by another body, then by an obstacle. Empty if the body has never been rigid.
   */
  carried: Float32Array = new Float32Array(0);
  /** Whether `carried` has numbers other than 0. */
  carries = false;
  /** How much farther the surface of a rigid body reaches while contacts are sought (m): contact/foresee.ts. */
  margin = 0;
  sleeping = false;
  switchedOn = true;
  ductile: boolean;
  brittle: boolean;
  /** Some particle has a force for the next step. */
  hasForces = false;
  /**
   * Forces of the present step, for a body whose levels sum over particles: these add to the forces again in every
   * substep.
   */
  stepForces: Float32Array | undefined;
  /** Topology version for which its levels were last fitted. */
  fittedVersion = 0;
  /** The strengths of its levels, if it has any. */
  levelStrengths: LevelStrengths | undefined;
  /** Its coarser levels, if they have lists of particles and not rows in the state. */
  readonly ownLevels: ParticleLevels | undefined;
  /** Numbers of the particles that are pinned. */
  readonly pinned = new Set<number>();
  /** Set if it is a sheet or a cord of particles along its middle: it meets itself by that middle. */
  readonly thin: 'sheet' | 'cord' | undefined;
  /** Columns of the rotation by which it was turned when it was placed, if any. */
  readonly turn: Float64Array | undefined;
  /** Its middle, once it was needed: folds/folds.ts. */
  folds: Folds | undefined;
  readonly fromVertices: FromVertices | undefined;
  readonly makeSkin: BuiltBody['makeSkin'];
  /** @internal Its skin, once it was requested. */
  shown: BodySkin | undefined;
  /** It has less than it was built with: `makeSkin` makes the skin of a body of which this is a part. */
  isPart: boolean;
  /** State of its elastic law, if its material has one. */
  law: LawState | undefined;
  /** Warnings from its build. */
  readonly builtWarnings: readonly string[];
  /** Its present material. */
  current: Material;
  /** Its present groups. */
  meets: Groups;
  removed = false;
  /** Buffer with spare capacity after the rest positions, for copies of particles. */
  restRoom: Float64Array = new Float64Array(0);
  /** Its pieces, and the topology version that they belong to. */
  known: { version: number; pieces: Pieces } | undefined;
  /** The parts that its records in snapshots share. */
  cold: ColdParts | undefined;

  constructor(
    readonly state: State,
    rows: Rows,
    parts: BodyParts,
  ) {
    this.levelStrengths = parts.levelStrengths;
    this.ownLevels = parts.ownLevels;
    this.builtWarnings = parts.warnings;
    this.current = parts.material;
    this.law = parts.material.law && new LawState(parts.material.law);
    this.thin = parts.thin;
    this.turn = parts.turn;
    this.fromVertices = parts.fromVertices;
    this.makeSkin = parts.makeSkin;
    this.isPart = parts.isPart ?? false;
    this.contact = parts.contact;
    this.surfaceMesh = parts.surfaceMesh;
    this.meets = parts.groups ?? ALL_GROUPS;
    this.ductile = canYield(state.views, rows);
    this.brittle = canBreak(state.views, rows);
  }

  /** Whether any of its clusters may flow. */
  get yields(): boolean {
    return this.ductile && (this.law !== undefined || this.current.flowRate > 0);
  }

  /** Whether any of its clusters may split. */
  get breaks(): boolean {
    return this.brittle;
  }

  /** k_d: that of the elastic law, of the levels, or of the material. */
  get damping(): number {
    return this.law?.damping ?? this.levelStrengths?.damping ?? this.current.damping;
  }

  /** Number of levels including the finest: 1 if there are none above its clusters. */
  get levelCount(): number {
    return this.levelStrengths?.weights.length ?? 1;
  }
}
