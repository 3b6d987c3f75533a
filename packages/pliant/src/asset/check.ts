import { checkMagnitudes } from '../body/magnitudes.js';
import { firstOutside, PliantError, refuse } from '../check.js';
import { levelsOf } from '../levels/hierarchy.js';
import { MAX_LENGTH, MAX_PARTICLES } from '../limits.js';
import {
  checkClustering,
  checkLength,
  checkLevelStrengths,
  checkOwnLevels,
  checkSkin,
  checkTriangles,
} from '../snapshot/check/bodies.js';
import {
  clustering,
  contactSettings,
  fracture,
  groups,
  levelStrengths,
  material,
  ownLevels,
  reclustering,
  skin,
  surfaceMesh,
  thin,
} from '../snapshot/check/records.js';
import {
  type Check,
  checkBelow,
  finite,
  finites,
  integer,
  list,
  number,
  optional,
  record,
  text,
  typed,
} from '../snapshot/format/schema.js';
import type { BodyAsset } from './record.js';

const triple = list(finite, 3);
const count = integer({ min: 1, max: 0xffffffff });
const lengths = list(number({ above: 0, max: MAX_LENGTH }), 3);

const assetRecord = record({
  name: text,
  position: list(number({ min: -MAX_LENGTH, max: MAX_LENGTH }), 3),
  rotation: list(finite, 4),
  velocity: triple,
  angularVelocity: triple,
  stretch: triple,
  stretchCentre: list(number({ min: -MAX_LENGTH, max: MAX_LENGTH }), 3),
  material,
  clustering,
  levelStrengths: optional(levelStrengths),
  ownLevels: optional(ownLevels),
  contact: contactSettings,
  groups,
  fracture,
  reclustering,
  surface: optional(surfaceMesh),
  spacing: optional(number({ above: 0 })),
  thin: optional(thin),
  warnings: list(text),
  rows: record({
    positions: finites('Float64Array'),
    masses: finites('Float64Array'),
    stiffness: finites('Float64Array'),
    modulus: finites('Float64Array'),
    volumes: finites('Float64Array'),
    yieldLimit: typed('Float64Array'),
    toughness: typed('Float64Array'),
    normal: finites('Float64Array'),
    height: finites('Float64Array'),
  }),
  hierarchy: optional(
    record({
      level: typed('Uint32Array'),
      child: typed('Uint32Array'),
      parent: typed('Uint32Array'),
      weight: finites('Float64Array'),
      rest: finites('Float64Array'),
    }),
  ),
  field: optional(
    record({ origin: triple, cell: lengths, size: list(count, 3), values: finites('Float32Array'), scale: lengths }),
  ),
  skin: optional(skin),
  painting: optional(
    record({
      fileVertices: count,
      weldedVertices: count,
      corners: typed('Uint32Array'),
      welded: typed('Uint32Array'),
      weight: finites('Float64Array'),
    }),
  ),
} satisfies Record<keyof BodyAsset, Check>);

/** Checks the description of a built body: types, ranges, and every number that names a row. */
export function checkAsset(value: unknown): asserts value is BodyAsset {
  assetRecord('asset', value);
  const asset = value as BodyAsset;
  const { rows, field, painting, surface } = asset;
  const particles = rows.masses.length;
  if (!(particles >= 1 && particles <= MAX_PARTICLES))
    refuse('asset.rows.masses', rows.masses, `1 to ${MAX_PARTICLES} masses`);
  for (const [name, values] of Object.entries(rows))
    checkLength(`asset.rows.${name}`, values, name === 'positions' || name === 'normal' ? 3 * particles : particles);
  checkMagnitudes('asset', rows.positions, rows.masses, asset.stretch, asset.stretchCentre);
  for (const name of ['stiffness', 'modulus', 'volumes', 'yieldLimit', 'toughness', 'height'] as const)
    checkNotNegative(`asset.rows.${name}`, rows[name]);
  if (!asset.rotation.some((c) => Math.abs(c) > 1e-12)) refuse('asset.rotation', asset.rotation, 'a quaternion');
  checkMemberships(asset, particles);
  checkTies(asset);
  if (asset.levelStrengths) checkLevelStrengths('asset.levelStrengths', asset.levelStrengths);
  if (asset.ownLevels)
    checkOwnLevels('asset.ownLevels', asset.ownLevels, particles, asset.levelStrengths?.weights.length ?? 0);
  if (field) checkLength('asset.field.values', field.values, field.size[0] * field.size[1] * field.size[2]);
  if (asset.skin) checkSkin('asset.skin', asset.skin, particles);
  if (surface) checkTriangles('asset.surface', surface.positions, surface.indices);
  if ((asset.contact.mode === 'surface') !== (surface !== undefined))
    refuse('asset.surface', surface, 'a mesh if contact.mode is "surface", and none otherwise');
  if (painting) {
    for (const name of ['corners', 'welded', 'weight'] as const)
      checkLength(`asset.painting.${name}`, painting[name], 3 * particles);
    checkBelow('asset.painting.corners', painting.corners, painting.fileVertices);
    checkBelow('asset.painting.welded', painting.welded, painting.weldedVertices);
  }
}

function checkNotNegative(path: string, values: Float64Array): void {
  const i = firstOutside(values, 0, Number.POSITIVE_INFINITY);
  if (i >= 0) refuse(`${path}[${i}]`, values[i], 'at least 0');
}

/** How far the weights of a particle may be from a sum of 1. */
const SUM_TOLERANCE = 1e-6;

/** Clusters hold particles, none twice, and the weights of every particle sum to 1. */
function checkMemberships({ clustering }: BodyAsset, particles: number): void {
  checkClustering('asset.clustering', clustering, particles);
  const { start, particle, weight, count } = clustering;
  if (count === 0) refuse('asset.clustering.count', count, 'at least 1');
  const light = firstOutside(weight, Number.MIN_VALUE, Number.POSITIVE_INFINITY);
  if (light >= 0) refuse(`asset.clustering.weight[${light}]`, weight[light], 'above 0');
  const sums = new Float64Array(particles);
  for (let c = 0; c < count; c++) {
    if (start[c] === start[c + 1])
      refuse(`asset.clustering.start[${c + 1}]`, start[c + 1], `more than ${start[c]}: a cluster of particles`);
    const end = start[c + 1];
    for (let k = start[c], before = -1; k < end; k++) {
      const i = particle[k];
      if (i <= before) refuse(`asset.clustering.particle[${k}]`, i, `above ${before}, the one before`);
      sums[i] += weight[k];
      before = i;
    }
  }
  for (let i = 0; i < particles; i++)
    if (!(Math.abs(sums[i] - 1) <= SUM_TOLERANCE))
      throw new PliantError(
        'asset.clustering.weight',
        `asset.clustering.weight gives particle ${i} weights that sum to ${sums[i]}; expected 1.`,
      );
}

/** Coarse clusters hold clusters of the level below, and each of those is held by weights that sum to 1. */
function checkTies({ hierarchy, clustering, levelStrengths, ownLevels }: BodyAsset): void {
  const levels = levelStrengths?.weights.length;
  if ((levels !== undefined) !== (hierarchy !== undefined || ownLevels !== undefined) || (hierarchy && ownLevels))
    refuse('asset.levelStrengths', levelStrengths, 'the strengths of one kind of levels, and none without');
  const { level } = hierarchy ?? ownLevels ?? {};
  if (!level) return;
  for (let c = 0; c < level.length; c++) {
    const before = c > 0 ? level[c - 1] : 1;
    if (!(level[c] >= before && level[c] <= (c > 0 ? before + 1 : 1)))
      refuse(`asset.hierarchy.level[${c}]`, level[c], `${before} or ${before + 1}`);
  }
  if (levelsOf({ level }) !== levels) refuse('asset.levelStrengths.weights', levels, `${levelsOf({ level })} levels`);
  if (!hierarchy) return;
  const { child, parent, weight, rest } = hierarchy;
  checkLength('asset.hierarchy.parent', parent, child.length);
  checkLength('asset.hierarchy.weight', weight, child.length);
  checkLength('asset.hierarchy.rest', rest, 12 * child.length);
  checkBelow('asset.hierarchy.parent', parent, level.length);
  const highest = levelsOf({ level }) - 1;
  const sums = new Float64Array(clustering.count + level.length);
  const held = new Uint32Array(level.length);
  for (let t = 0; t < child.length; t++) {
    const of = level[parent[t]];
    const isBelow = of === 1 ? child[t] < clustering.count : child[t] < level.length && level[child[t]] === of - 1;
    if (!isBelow) refuse(`asset.hierarchy.child[${t}]`, child[t], `what is one level below level ${of}`);
    if (!(weight[t] >= 0)) refuse(`asset.hierarchy.weight[${t}]`, weight[t], 'at least 0');
    sums[of === 1 ? child[t] : clustering.count + child[t]] += weight[t];
    held[parent[t]]++;
  }
  for (let k = 0; k < sums.length; k++)
    if ((k < clustering.count || level[k - clustering.count] < highest) && !(Math.abs(sums[k] - 1) <= SUM_TOLERANCE))
      throw new PliantError(
        'asset.hierarchy.weight',
        `asset.hierarchy.weight gives number ${k} weights that sum to ${sums[k]}; expected 1.`,
      );
  for (let c = 0; c < held.length; c++)
    if (held[c] === 0) refuse(`asset.hierarchy.parent`, parent, `ties of every coarse cluster, also of ${c}`);
}
