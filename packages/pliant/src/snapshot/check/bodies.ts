import type { BodyRecord } from '../../body/record.js';
import { PliantError, refuse } from '../../check.js';
import { resolveShares } from '../../levels/options.js';
import type { SkinMesh } from '../../skin/skinMesh.js';
import { checkBelow, checkOffsets } from '../format/schema.js';
import type { Snapshot } from '../snapshot.js';

/** Handles are slot + generation · this (body/table.ts). */
const SLOTS = 1 << 20;

/** Whether the records of the bodies agree with their rows and within themselves. Types, rows and arrays are known to be right. */
export function checkBodies({ bodies, order }: Snapshot): void {
  const slots = new Set<number>();
  bodies.forEach((record, k) => {
    const field = `snapshot.bodies[${k}]`;
    if (slots.has(record.handle % SLOTS)) refuse(`${field}.handle`, record.handle, 'a place that no other body has');
    slots.add(record.handle % SLOTS);
    checkBody(field, record);
  });
  // None where bodies came or went since it was found.
  if (order.length > 0) {
    if (order.length !== bodies.length) refuse('snapshot.order', order, `no numbers, or ${bodies.length}`);
    checkDistinct('snapshot.order', order, bodies.length);
  }
}

function checkBody(field: string, record: BodyRecord): void {
  const { rows, parts, restPositions, pinned, mark, shares, skin } = record;
  const particles = rows.particleEnd - rows.particleStart;
  const built = parts.builtPositions.length / 3;
  if (!(built >= 1 && Number.isInteger(built)))
    refuse(`${field}.parts.builtPositions`, parts.builtPositions, 'x y z for at least one particle');
  checkLength(`${field}.restPositions`, restPositions, 3 * particles);
  checkSizes(`${field}.parts.builtPositions`, parts.builtPositions);
  checkSizes(`${field}.restPositions`, restPositions);
  checkDistinct(`${field}.pinned`, pinned, particles);
  // One that was looked at before the body broke is thrown away by its length.
  if (mark.length % 4 !== 0) refuse(`${field}.mark`, mark, 'four numbers for each particle, or none');
  checkClustering(`${field}.parts.clustering`, parts.clustering, built);
  if (parts.ownLevels) checkOwnLevels(`${field}.parts.ownLevels`, record);
  if (!shares && (parts.ownLevels || rows.coarseEnd > rows.coarseStart))
    refuse(`${field}.shares`, shares, 'what each of its levels says');
  if (shares) checkShares(`${field}.shares`, shares);
  if (skin) checkSkin(`${field}.skin`, skin, built);
  if (parts.surfaceMesh) {
    const { positions, indices } = parts.surfaceMesh;
    checkTriangles(`${field}.parts.surfaceMesh`, positions, indices);
  }
  // It ends with the first change of topology: what it is bound to is what the body was built with.
  const isAsBuilt = particles === built && rows.clusterEnd - rows.clusterStart === parts.clustering.count;
  if (record.surface !== 'none' && !(parts.surfaceMesh && isAsBuilt))
    refuse(
      `${field}.surface`,
      record.surface,
      '"none" for a body without a mesh, or that is no longer as it was built',
    );
}

/** Coordinates beyond this (m) are no place: squares of them are still far from overflowing. */
const FARTHEST = 1e30;

function checkSizes(field: string, values: ArrayLike<number>): void {
  for (let k = 0; k < values.length; k++)
    if (!(Math.abs(values[k]) <= FARTHEST)) refuse(`${field}[${k}]`, values[k], `a coordinate within ${FARTHEST} m`);
}

function checkLength(field: string, values: ArrayLike<number>, length: number): void {
  if (values.length !== length)
    throw new PliantError(field, `${field} has ${values.length} numbers; expected ${length}.`);
}

/** Numbers below a limit, none twice. */
function checkDistinct(field: string, values: Uint32Array, below: number): void {
  checkBelow(field, values, below);
  if (new Set(values).size !== values.length) refuse(field, values, 'no number twice');
}

function checkClustering(
  field: string,
  { start, particle, weight, centre, count }: BodyRecord['parts']['clustering'],
  built: number,
): void {
  checkLength(`${field}.start`, start, count + 1);
  checkOffsets(`${field}.start`, start, particle.length);
  checkBelow(`${field}.particle`, particle, built);
  checkLength(`${field}.weight`, weight, particle.length);
  checkLength(`${field}.centre`, centre, 3 * count);
}

function checkOwnLevels(field: string, { rows, parts, shares }: BodyRecord): void {
  const { level, start, particle, weight, rest, mass, inverse } = parts.ownLevels!;
  const clusters = level.length;
  checkBelow(`${field}.level`, level, shares?.weights.length ?? 0);
  checkLength(`${field}.start`, start, clusters + 1);
  checkOffsets(`${field}.start`, start, particle.length);
  for (let c = 0; c < clusters; c++)
    if (start[c] === start[c + 1])
      refuse(`${field}.start[${c + 1}]`, start[c + 1], `more than ${start[c]}: a cluster of particles`);
  checkBelow(`${field}.particle`, particle, rows.particleEnd - rows.particleStart);
  checkLength(`${field}.weight`, weight, particle.length);
  checkLength(`${field}.rest`, rest, 3 * particle.length);
  checkLength(`${field}.mass`, mass, clusters);
  checkLength(`${field}.inverse`, inverse, 9 * clusters);
}

/** What its levels say is what their settings make of it. */
function checkShares(field: string, shares: NonNullable<BodyRecord['shares']>): void {
  const levels = shares.weights.length;
  if (levels === 0) refuse(`${field}.weights`, shares.weights, 'one number for each level');
  const again = resolveShares(`${field}.settings`, shares.settings, levels);
  for (const key of ['weights', 'pull', 'drag'] as const) {
    checkLength(`${field}.${key}`, shares[key], levels);
    for (let k = 0; k < levels; k++)
      if (shares[key][k] !== again[key][k])
        refuse(`${field}.${key}[${k}]`, shares[key][k], `${again[key][k]}, as its settings say`);
  }
  for (const key of ['stiffness', 'damping'] as const)
    if (shares[key] !== again[key]) refuse(`${field}.${key}`, shares[key], `${again[key]}, as its settings say`);
}

function checkSkin(field: string, { positions, indices, uvs, colours, inner, near }: SkinMesh, built: number): void {
  checkTriangles(field, positions, indices);
  if (uvs) checkLength(`${field}.uvs`, uvs, 2 * indices.length);
  if (colours) checkLength(`${field}.colours`, colours, 3 * indices.length);
  if (inner) checkLength(`${field}.inner`, inner, indices.length / 3);
  if (!near) return;
  const vertices = positions.length / 3;
  checkLength(`${field}.near.start`, near.start, vertices + 1);
  checkOffsets(`${field}.near.start`, near.start, near.particle.length);
  checkBelow(`${field}.near.particle`, near.particle, built);
  checkLength(`${field}.near.kernel`, near.kernel, near.particle.length);
  for (let v = 0; v < vertices; v++)
    if (near.start[v] === near.start[v + 1])
      refuse(
        `${field}.near.start[${v + 1}]`,
        near.start[v + 1],
        `more than ${near.start[v]}: a vertex follows something`,
      );
  for (let k = 0; k < near.kernel.length; k++)
    if (!(near.kernel[k] >= 0)) refuse(`${field}.near.kernel[${k}]`, near.kernel[k], 'at least 0');
}

function checkTriangles(field: string, positions: ArrayLike<number>, indices: ArrayLike<number>): void {
  if (positions.length % 3 !== 0) refuse(`${field}.positions`, positions, 'x y z for each vertex');
  if (indices.length % 3 !== 0) refuse(`${field}.indices`, indices, 'three vertices for each triangle');
  checkSizes(`${field}.positions`, positions);
  checkBelow(`${field}.indices`, indices, positions.length / 3);
}
