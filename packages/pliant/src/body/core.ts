import { ContactState } from '../contact/contactState.js';
import type { FractureSettings } from '../fracture/options.js';
import { ALL_GROUPS, type Groups } from '../groups.js';
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

/** What a body has beside its rows in the state. */
export interface BodyParts
  extends Pick<
    BuiltBody,
    'name' | 'clustering' | 'levelStrengths' | 'ownLevels' | 'spacing' | 'material' | 'fromVertices' | 'makeSkin'
  > {
  warnings: readonly string[];
  restPositions: Float64Array;
  builtPositions: Float64Array;
  contact: ContactShape;
  fracture: FractureSettings;
  reclustering: ReclusterSettings;
  /** Its mesh in the coordinates of `builtPositions`, where it meets others by its surface. */
  surfaceMesh?: SurfaceMesh;
  /** `makeSkin` makes that of a larger body. */
  isPart?: boolean;
  groups?: Groups;
}

export interface SurfaceMesh {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

/** What the engine keeps of a body behind its public face: stages, topology changes, snapshots and the calls of `Body` use it. */
export class BodyCore {
  /** Its proxies' tree and which of its clusters overlap (SPEC K1, K2). */
  readonly contact: ContactShape;
  /** The surface that follows it, for contact by surfaces (SPEC K5); none once it has come apart, then it meets others by proxies. */
  surface: ContactMesh | undefined;
  /** The one it was built with: a snapshot may bring it back. */
  builtSurface: ContactMesh | undefined;
  /** For snapshots: what that was made from. */
  readonly surfaceMesh: SurfaceMesh | undefined;
  /** Facts of its past that later steps depend on. */
  readonly history = new History();
  /** What the sleep stage keeps of it. */
  readonly restState = new RestState();
  /** What the contact stage keeps of it. */
  readonly contactState = new ContactState();
  sleeping = false;
  switchedOn = true;
  ductile: boolean;
  brittle: boolean;
  /** Some particle has a force waiting for the next step. */
  hasForces = false;
  /** Forces of the present step, for a body whose levels sum over particles: these add to the forces anew in every substep. */
  stepForces: Float32Array | undefined;
  /** The topology that its levels were last fitted with. */
  fittedVersion = 0;
  /** What each of its levels says, if it has any. */
  levelStrengths: LevelStrengths | undefined;
  /** Its coarser levels, where they have lists of particles and not rows in the state. */
  readonly ownLevels: ParticleLevels | undefined;
  /** Numbers of the particles that are pinned. */
  readonly pinned = new Set<number>();
  readonly fromVertices: BuiltBody['fromVertices'];
  readonly makeSkin: BuiltBody['makeSkin'];
  /** @internal Its skin, once somebody has asked for it. */
  shown: BodySkin | undefined;
  /** What `makeSkin` makes shows a body of which this was a piece. */
  isPart: boolean;
  /** What its elastic law comes to, if its material has one. */
  law: LawState | undefined;
  /** What there was to say when it was built. */
  readonly builtWarnings: readonly string[];
  /** Its material as it is now. */
  current: Material;
  /** Its groups as they are now. */
  meets: Groups;
  removed = false;
  /** Room behind the rest positions, for copies of particles. */
  restRoom: Float64Array = new Float64Array(0);
  /** Its pieces, as of a topology. */
  known: { version: number; pieces: Pieces } | undefined;
  /** What its records in snapshots share. */
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
    return this.ductile && this.current.flowRate > 0;
  }

  /** Whether any of its clusters may split. */
  get breaks(): boolean {
    return this.brittle;
  }

  /** k_d: of the elastic law, the material's, or what its levels make of their own. */
  get damping(): number {
    return this.law?.damping ?? this.levelStrengths?.damping ?? this.current.damping;
  }

  /** Levels, the finest among them: 1 where there are none above its clusters. */
  get levelCount(): number {
    return this.levelStrengths?.weights.length ?? 1;
  }
}
