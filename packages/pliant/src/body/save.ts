import { ALL_GROUPS, groupsRecord, resolveGroups } from '../groups.js';
import type { ParticleLevels } from '../levels/particles.js';
import { LawState } from '../material/elasticLaw.js';
import { updateContactMesh } from '../meshContact/index.js';
import { samePlain } from '../plainData.js';
import type { Body } from './body.js';
import { type BodyRecord, type ColdParts, loadScalars, saveScalars } from './record.js';
import { hasLess } from './share.js';
import { showMesh } from './skin.js';
import { bindSurface, stillSurface } from './surface.js';

/** For snapshots: the record of a body. */
export function saveBody(body: Body): BodyRecord {
  const { handle, restPositions, topologyVersion, core } = body;
  const { levelStrengths, ductile, brittle, surface } = core;
  core.cold ??= coldParts(body);
  // The record holds these rest positions from now on: copies of particles must not be written behind them.
  core.restRoom = new Float64Array(0);
  return {
    handle,
    rows: { ...body.rows },
    parts: core.cold,
    restPositions,
    material: core.current,
    levelStrengths: levelStrengths,
    topologyVersion,
    scalars: saveScalars(body),
    asleep: core.sleeping,
    ductile,
    brittle,
    pinned: Uint32Array.from(core.pinned),
    checkedPositions: core.restState.checkedPositions.slice(),
    // After a cut the array is of the particles before it. The next step makes it anew.
    ...(core.carried.length === 6 * body.particleCount && { carried: core.carried.slice() }),
    surface: !surface ? 'none' : body.active ? 'fitted' : stillSurface(surface),
    skin: core.shown?.restMesh,
    ...groupsRecord(core.meets),
  };
}

/** For snapshots: whether a record can be loaded into a body: its constant parts must be equal. */
export function canLoadBody(body: Body, { parts, surface }: BodyRecord): boolean {
  const { core } = body;
  core.cold ??= coldParts(body);
  if (parts !== core.cold && !samePlain(parts, core.cold)) return false;
  if (typeof surface === 'string' || !core.builtSurface) return true;
  const { positions, frames } = core.builtSurface;
  return surface.positions.length === positions.length && surface.frames.length === frames.length;
}

/** For snapshots: loads a record into a body, whose rows are already in the state. */
export function loadBody(body: Body, record: BodyRecord): void {
  const { core } = body;
  core.removed = false;
  Object.assign(body.rows, record.rows);
  // A version is never reused for another topology: renderers would not notice the change.
  if (body.topologyVersion !== record.topologyVersion || body.restPositions !== record.restPositions)
    body.topologyVersion = Math.max(body.topologyVersion, record.topologyVersion) + 1;
  body.restPositions = record.restPositions;
  core.current = record.material;
  core.law = record.material.law && new LawState(record.material.law);
  core.levelStrengths = record.levelStrengths;
  loadScalars(body, record.scalars);
  core.sleeping = record.asleep;
  core.ductile = record.ductile;
  core.brittle = record.brittle;
  core.pinned.clear();
  for (const i of record.pinned) core.pinned.add(i);
  core.restState.checkedPositions = record.checkedPositions.slice();
  core.carried = record.carried?.slice() ?? new Float32Array(0);
  core.carries = core.carried.some((impulse) => impulse !== 0);
  core.meets = record.groups ? resolveGroups('groups', record.groups) : ALL_GROUPS;
  core.isPart = hasLess(body);
  if (record.skin ? record.skin !== core.shown?.restMesh : core.shown) showMesh(body, record.skin ?? core.makeSkin());
  // A body that was assembled from a record is bound here, while its clusters are those that it was built with.
  if (record.surface !== 'none' && !core.builtSurface) bindSurface(body);
  core.surface = record.surface === 'none' ? undefined : core.builtSurface;
  if (!core.surface) return;
  updateContactMesh(core.surface, core.state);
  if (typeof record.surface === 'string') return;
  core.surface.positions.set(record.surface.positions);
  core.surface.bounds.set(record.surface.bounds);
  core.surface.frames.set(record.surface.frames);
  core.surface.isHeld = record.surface.isHeld;
}

function coldParts({ name, clustering, spacing, builtPositions, fracture, reclustering, core }: Body): ColdParts {
  const { contact, surfaceMesh, ownLevels } = core;
  return {
    ...{
      name,
      clustering,
      warnings: core.builtWarnings,
      spacing,
      builtPositions,
      contact,
      fracture,
      reclustering,
      surfaceMesh,
    },
    ...(core.thin && { thin: core.thin }),
    ...(core.turn && { turn: core.turn }),
    ownLevels: ownLevels && withoutScratch(ownLevels),
  };
}

const withoutScratch = ({ wanted: _, ...levels }: ParticleLevels) => levels;
