import type { BodyRecord } from '../../body/record.js';
import { PliantError, refuse } from '../../check.js';
import { resolveLevelStrengths } from '../../levels/options.js';
import type { SkinMesh } from '../../skin/skinMesh.js';
import { checkBelow, checkOffsets } from '../format/schema.js';
import type { Snapshot } from '../snapshot.js';

/** Handles are slot + generation · this (body/table.ts). */
const SLOTS = 1 << 20;

/**
 * Checks that the records of bodies agree with their rows and are consistent. Types, rows and arrays were checked
 * before.
 */
export function checkBodies({ bodies, order }: Snapshot): void {
  const slots = new Set<number>();
  bodies.forEach((record, k) => {
    const path = `snapshot.bodies[${k}]`;
    if (slots.has(record.handle % SLOTS)) refuse(`${path}.handle`, record.handle, 'a place that no other body has');
    slots.add(record.handle % SLOTS);
    checkBody(path, record);
  });
  // The order is empty if bodies were added or removed since it was computed.
  if (order.length > 0) {
    if (order.length !== bodies.length) refuse('snapshot.order', order, `no numbers, or ${bodies.length}`);
    checkDistinct('snapshot.order', order, bodies.length);
  }
}

function checkBody(path: string, record: BodyRecord): void {
  const { rows, parts, restPositions, pinned, checkedPositions, carried, levelStrengths, skin } = record;
  const particles = rows.particleEnd - rows.particleStart;
  const built = parts.builtPositions.length / 3;
  if (!(built >= 1 && Number.isInteger(built)))
    refuse(`${path}.parts.builtPositions`, parts.builtPositions, 'x y z for at least one particle');
  checkLength(`${path}.restPositions`, restPositions, 3 * particles);
  checkSizes(`${path}.parts.builtPositions`, parts.builtPositions);
  checkSizes(`${path}.restPositions`, restPositions);
  checkDistinct(`${path}.pinned`, pinned, particles);
  // Positions that were checked before the body broke have another length; they are then discarded.
  if (checkedPositions.length % 4 !== 0)
    refuse(`${path}.checkedPositions`, checkedPositions, 'four numbers for each particle, or none');
  if (carried && carried.length !== 6 * particles)
    refuse(`${path}.carried`, carried, 'six numbers for each particle, or none');
  checkClustering(`${path}.parts.clustering`, parts.clustering, built);
  if (parts.ownLevels)
    checkOwnLevels(
      `${path}.parts.ownLevels`,
      parts.ownLevels,
      record.rows.particleEnd - record.rows.particleStart,
      record.levelStrengths?.weights.length ?? 0,
    );
  if (!levelStrengths && (parts.ownLevels || rows.coarseEnd > rows.coarseStart))
    refuse(`${path}.levelStrengths`, levelStrengths, 'what each of its levels says');
  if (levelStrengths) checkLevelStrengths(`${path}.levelStrengths`, levelStrengths);
  if (skin) checkSkin(`${path}.skin`, skin, built);
  if (parts.surfaceMesh) {
    const { positions, indices } = parts.surfaceMesh;
    checkTriangles(`${path}.parts.surfaceMesh`, positions, indices);
  }
  // A contact mesh ends with the first change of topology, as it is bound to the clusters that the body was built with.
  const isAsBuilt = particles === built && rows.clusterEnd - rows.clusterStart === parts.clustering.count;
  if (record.surface !== 'none' && !(parts.surfaceMesh && isAsBuilt))
    refuse(`${path}.surface`, record.surface, '"none" for a body without a mesh, or that is no longer as it was built');
}

/** Coordinates beyond this (m) are refused: their squares are still far from overflowing. */
const FARTHEST = 1e30;

function checkSizes(path: string, values: ArrayLike<number>): void {
  for (let k = 0; k < values.length; k++)
    if (!(Math.abs(values[k]) <= FARTHEST)) refuse(`${path}[${k}]`, values[k], `a coordinate within ${FARTHEST} m`);
}

export function checkLength(path: string, values: ArrayLike<number>, length: number): void {
  if (values.length !== length)
    throw new PliantError(path, `${path} has ${values.length} numbers; expected ${length}.`);
}

/** Numbers below a limit, none twice. */
function checkDistinct(path: string, values: Uint32Array, below: number): void {
  checkBelow(path, values, below);
  if (new Set(values).size !== values.length) refuse(path, values, 'no number twice');
}

export function checkClustering(
  path: string,
  { start, particle, weight, centre, count }: BodyRecord['parts']['clustering'],
  built: number,
): void {
  checkLength(`${path}.start`, start, count + 1);
  checkOffsets(`${path}.start`, start, particle.length);
  checkBelow(`${path}.particle`, particle, built);
  checkLength(`${path}.weight`, weight, particle.length);
  checkLength(`${path}.centre`, centre, 3 * count);
}

export function checkOwnLevels(
  path: string,
  { level, start, particle, weight, rest, mass, inverse }: NonNullable<BodyRecord['parts']['ownLevels']>,
  particles: number,
  levels: number,
): void {
  const clusters = level.length;
  checkBelow(`${path}.level`, level, levels);
  checkLength(`${path}.start`, start, clusters + 1);
  checkOffsets(`${path}.start`, start, particle.length);
  for (let c = 0; c < clusters; c++)
    if (start[c] === start[c + 1])
      refuse(`${path}.start[${c + 1}]`, start[c + 1], `more than ${start[c]}: a cluster of particles`);
  checkBelow(`${path}.particle`, particle, particles);
  checkLength(`${path}.weight`, weight, particle.length);
  checkLength(`${path}.rest`, rest, 3 * particle.length);
  checkLength(`${path}.mass`, mass, clusters);
  checkLength(`${path}.inverse`, inverse, 9 * clusters);
}

/** Checks that the strengths of the levels are those that their settings give. */
export function checkLevelStrengths(path: string, levelStrengths: NonNullable<BodyRecord['levelStrengths']>): void {
  const levels = levelStrengths.weights.length;
  if (levels === 0) refuse(`${path}.weights`, levelStrengths.weights, 'one number for each level');
  const again = resolveLevelStrengths(`${path}.settings`, levelStrengths.settings, levels);
  for (const key of ['weights', 'pull', 'drag'] as const) {
    checkLength(`${path}.${key}`, levelStrengths[key], levels);
    for (let k = 0; k < levels; k++)
      if (levelStrengths[key][k] !== again[key][k])
        refuse(`${path}.${key}[${k}]`, levelStrengths[key][k], `${again[key][k]}, as its settings say`);
  }
  for (const key of ['stiffness', 'damping'] as const)
    if (levelStrengths[key] !== again[key])
      refuse(`${path}.${key}`, levelStrengths[key], `${again[key]}, as its settings say`);
}

export function checkSkin(
  path: string,
  { positions, indices, uvs, colours, source, inner, near }: SkinMesh,
  built: number,
): void {
  checkTriangles(path, positions, indices);
  if (uvs) checkLength(`${path}.uvs`, uvs, 2 * indices.length);
  if (colours) checkLength(`${path}.colours`, colours, 3 * indices.length);
  if (source) checkLength(`${path}.source`, source, 3 * indices.length);
  if (inner) checkLength(`${path}.inner`, inner, indices.length / 3);
  if (!near) return;
  const vertices = positions.length / 3;
  checkLength(`${path}.near.start`, near.start, vertices + 1);
  checkOffsets(`${path}.near.start`, near.start, near.particle.length);
  checkBelow(`${path}.near.particle`, near.particle, built);
  checkLength(`${path}.near.kernel`, near.kernel, near.particle.length);
  for (let v = 0; v < vertices; v++)
    if (near.start[v] === near.start[v + 1])
      refuse(
        `${path}.near.start[${v + 1}]`,
        near.start[v + 1],
        `more than ${near.start[v]}: a vertex follows something`,
      );
  for (let k = 0; k < near.kernel.length; k++)
    if (!(near.kernel[k] >= 0)) refuse(`${path}.near.kernel[${k}]`, near.kernel[k], 'at least 0');
}

export function checkTriangles(path: string, positions: ArrayLike<number>, indices: ArrayLike<number>): void {
  if (positions.length % 3 !== 0) refuse(`${path}.positions`, positions, 'x y z for each vertex');
  if (indices.length % 3 !== 0) refuse(`${path}.indices`, indices, 'three vertices for each triangle');
  checkSizes(`${path}.positions`, positions);
  checkBelow(`${path}.indices`, indices, positions.length / 3);
}
