import type { Groups } from '../groups.js';
import type { LevelShares } from '../levels/options.js';
import type { ParticleLevels } from '../levels/particles.js';
import type { Material } from '../material/material.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import type { Rows } from '../state/rows.js';
import type { BodyParts } from './body.js';

/** Numbers and switches of a body that the further run depends on. */
export const SCALARS = [
  'size',
  'speed',
  'stride',
  'spareEnergy',
  'spareSince',
  'selfSpare',
  'selfSince',
  'calmFor',
  'sinceMark',
  'tremblesFor',
  'grounded',
  'enabled',
  'hasFlowed',
  'hasBroken',
  'hasLost',
  'hasMet',
  'fading',
  'hasForces',
] as const;

/** What a snapshot keeps of a body beside its rows in the state: plain data. What a body replaces as a whole is shared with it. */
export interface BodyRecord {
  readonly handle: number;
  readonly rows: Rows;
  /** What it is made of; the same object in all records of a body. */
  readonly parts: ColdParts;
  readonly restPositions: Float64Array;
  readonly material: Material;
  readonly shares: LevelShares | undefined;
  readonly topologyVersion: number;
  readonly scalars: { readonly [K in (typeof SCALARS)[number]]: number | boolean };
  readonly asleep: boolean;
  readonly ductile: boolean;
  readonly brittle: boolean;
  readonly pinned: Uint32Array;
  readonly mark: Float32Array;
  /** 'none': it meets others by proxies. 'follows': its surface is fitted in every step. Else where it lies while the body is not stepped. */
  readonly surface: 'none' | 'follows' | StillSurface;
  /** The mesh that shows it, if any does: cuts replace it. */
  readonly skin: SkinMesh | undefined;
  /** None where it meets everything. */
  readonly groups?: Groups;
}

export interface StillSurface {
  readonly positions: Float32Array;
  readonly bounds: Float64Array;
  readonly frames: Float64Array;
  readonly isHeld: boolean;
}

/** All that stays as it was built but for `fromVertices` and `makeSkin`, functions, which cannot be sent, and the scratch of its levels. */
export type ColdParts = {
  readonly ownLevels: Omit<ParticleLevels, 'wanted'> | undefined;
} & Pick<
  BodyParts,
  | 'name'
  | 'clustering'
  | 'warnings'
  | 'spacing'
  | 'builtPositions'
  | 'contact'
  | 'fracture'
  | 'reclustering'
  | 'surfaceMesh'
>;
