import type { Groups } from '../groups.js';
import type { LevelStrengths } from '../levels/options.js';
import type { ParticleLevels } from '../levels/particles.js';
import type { Material } from '../material/material.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import type { Rows } from '../state/rows.js';
import type { Body } from './body.js';
import type { BodyParts } from './core.js';
import type { SavedHistory } from './history.js';

/** Numbers and switches of a body that its further steps depend on, under their names in snapshots. */
export interface Scalars extends SavedHistory {
  readonly size: number;
  readonly speed: number;
  readonly stride: number;
  readonly spareEnergy: number;
  readonly spareSince: number;
  readonly selfSpare: number;
  readonly selfSince: number;
  readonly slowTime: number;
  readonly sinceCheck: number;
  readonly tremblingTime: number;
  readonly trend: number;
  readonly bent: number;
  readonly driven: number;
  readonly pressedX: number;
  readonly pressedY: number;
  readonly pressedZ: number;
  readonly pressedDrift: number;
  readonly heldX: number;
  readonly heldY: number;
  readonly heldZ: number;
  readonly stance: number;
  readonly grounded: boolean;
  readonly enabled: boolean;
  readonly hasForces: boolean;
}

/** The names of the scalars that are true or false. */
export const SWITCHES: readonly (keyof Scalars)[] = [
  'grounded',
  'enabled',
  'hasFlowed',
  'hasBroken',
  'hasLost',
  'fading',
  'hasForces',
];

/** The names of the scalars, for the checks of snapshots. */
export const SCALARS: readonly (keyof Scalars)[] = [
  'size',
  'speed',
  'stride',
  'spareEnergy',
  'spareSince',
  'selfSpare',
  'selfSince',
  'slowTime',
  'sinceCheck',
  'tremblingTime',
  'trend',
  'bent',
  'driven',
  'pressedX',
  'pressedY',
  'pressedZ',
  'pressedDrift',
  'heldX',
  'heldY',
  'heldZ',
  'stance',
  ...SWITCHES,
];

/** @internal */
export function saveScalars({ size, enabled, core }: Body): Scalars {
  const { hasForces, history, restState, contactState } = core;
  const { speed, slowTime, sinceCheck, tremblingTime, trend, bent, driven, grounded } = restState;
  const { pressedX, pressedY, pressedZ, pressedDrift, heldX, heldY, heldZ, stance } = restState;
  return {
    ...history.save(),
    ...contactState,
    ...{ size, enabled, hasForces, speed, slowTime, sinceCheck, tremblingTime, trend, bent, driven, grounded },
    ...{ pressedX, pressedY, pressedZ, pressedDrift, heldX, heldY, heldZ, stance },
  };
}

/** @internal */
export function loadScalars(body: Body, scalars: Scalars): void {
  const { size, enabled, hasForces, speed, slowTime, sinceCheck, tremblingTime, grounded } = scalars;
  const { trend, bent, driven } = scalars;
  const { pressedX, pressedY, pressedZ, pressedDrift, heldX, heldY, heldZ, stance } = scalars;
  const { stride, spareEnergy, spareSince, selfSpare, selfSince } = scalars;
  body.core.history.load(scalars);
  Object.assign(body.core.contactState, { stride, spareEnergy, spareSince, selfSpare, selfSince });
  Object.assign(body.core.restState, { speed, slowTime, sinceCheck, tremblingTime, trend, bent, driven, grounded });
  Object.assign(body.core.restState, { pressedX, pressedY, pressedZ, pressedDrift, heldX, heldY, heldZ, stance });
  Object.assign(body, { size, enabled });
  body.core.hasForces = hasForces;
}

/**
 * The plain data that a snapshot keeps of a body beside its rows in the state. Values that a body replaces as a whole
 * are shared with it.
 */
export interface BodyRecord {
  readonly handle: number;
  readonly rows: Rows;
  /** Its constant parts; the same object in all records of a body. */
  readonly parts: ColdParts;
  readonly restPositions: Float64Array;
  readonly material: Material;
  readonly levelStrengths: LevelStrengths | undefined;
  readonly topologyVersion: number;
  readonly scalars: Scalars;
  readonly asleep: boolean;
  readonly ductile: boolean;
  readonly brittle: boolean;
  readonly pinned: Uint32Array;
  readonly checkedPositions: Float32Array;
  /** Of a body that has been rigid: impulses of its contacts, six numbers a particle. */
  readonly carried?: Float32Array;
  /**
   * 'none': it meets others by proxies. 'fitted': its contact mesh is fitted in every step. Otherwise the contact mesh
   * of a body that is not stepped.
   */
  readonly surface: 'none' | 'fitted' | StillSurface;
  /** The mesh of its skin, if it has one: cuts replace it. */
  readonly skin: SkinMesh | undefined;
  /** Undefined if it meets everything. */
  readonly groups?: Groups;
}

export interface StillSurface {
  readonly positions: Float32Array;
  readonly bounds: Float64Array;
  readonly frames: Float64Array;
  readonly isHeld: boolean;
}

/**
 * The parts that do not change after the build. `fromVertices` and `makeSkin` are functions, which cannot be sent, and
 * are left out, and so is the scratch of its levels.
 */
export type ColdParts = {
  readonly ownLevels: Omit<ParticleLevels, 'wanted'> | undefined;
} & Pick<
  BodyParts,
  | 'name'
  | 'clustering'
  | 'warnings'
  | 'spacing'
  | 'thin'
  | 'builtPositions'
  | 'turn'
  | 'contact'
  | 'fracture'
  | 'reclustering'
  | 'surfaceMesh'
>;
