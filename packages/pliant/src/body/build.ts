import { checkKeys, checkText, type Vec3, withDefaults } from '../check.js';
import { CLUSTER_DEFAULTS, type Clustering } from '../cluster/index.js';
import { type ContactSettings, resolveContact } from '../contact/options.js';
import { type FractureSettings, resolveFracture } from '../fracture/options.js';
import { type Groups, resolveGroups } from '../groups.js';
import { widest } from '../levels/build.js';
import type { LevelStrengths } from '../levels/options.js';
import type { ParticleLevels } from '../levels/particles.js';
import { betaOf } from '../material/elasticLaw.js';
import { type Material, resolveMaterial } from '../material/material.js';
import type { Interpolation } from '../mesh/interpolate.js';
import type { DistanceField } from '../proxy/field.js';
import { layersOf, meanSpacing, thicknessOf } from '../proxy/thickness.js';
import { type ReclusterSettings, resolveRecluster } from '../recluster/options.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import type { BodyData } from '../topology/editRows.js';
import { type BuildWatch, Work } from '../work.js';
import { makeClusters } from './clusters.js';
import type { SurfaceMesh } from './core.js';
import { makeLevels } from './levels.js';
import { checkMagnitudes } from './magnitudes.js';
import { makeFields, makeMasses } from './masses.js';
import { BODY_KEYS, type BodyOptions } from './options.js';
import { makeParticles, type Particles } from './particles.js';
import { type Place, Placement, resolvePlace, resolveScale, scaledMesh, scaleParticles, scalePoints } from './place.js';
import { resolveStart, type Start } from './start.js';
import { copyOfMesh } from './surface.js';

/**
 * A body that was sampled and clustered, but is in no world. `buildBody` returns it. `world.addBody` adds it, any number of times and to any world; `saveBody` makes a file of it.
 * Its coordinates are those of the rest shape, scaled, but neither turned nor moved: clusters do not depend on where a body is put.
 */
export interface BuiltBody extends Start, Place {
  /** Name of the body. */
  readonly name: string;
  /** @hidden Its rows before they are placed, to be appended to a state. */
  readonly data: LocalData;
  /** The material settings, with defaults filled in. */
  readonly material: Material;
  /** The clusters. */
  readonly clustering: Clustering;
  /** @hidden The strengths of the levels, for a body with levels. */
  readonly levelStrengths: LevelStrengths | undefined;
  /** @hidden Its coarser levels if they sum over particles. */
  readonly ownLevels: ParticleLevels | undefined;
  /** The contact options, with defaults filled in. */
  readonly contact: ContactSettings;
  /** Which other bodies and obstacles it meets. */
  readonly groups: Groups;
  /** The fracture options, with defaults filled in. */
  readonly fracture: FractureSettings;
  /** The reclustering options, with defaults filled in. */
  readonly reclustering: ReclusterSettings;
  /** @hidden The mesh, for a body with `contact.mode: 'surface'`. */
  readonly surface: SurfaceMesh | undefined;
  /** Makes the mesh that shows the body, in the coordinates of its rest shape (m). Each call makes a new one. */
  makeSkin(): SkinMesh;
  /** Distance between neighbouring particles (m), as the sampling chose it. Undefined for points. */
  readonly spacing: number | undefined;
  /** @hidden Set if the particles lie along the middle of a sheet or a cord. */
  readonly thin?: 'sheet' | 'cord';
  /** @hidden How values given per vertex of the body's mesh are interpolated to its particles. Undefined for a body without a mesh. */
  readonly painting: (() => Interpolation) | undefined;
  /** Remarks on options that are allowed but doubtful, a sentence each. */
  readonly warnings: readonly string[];
}

/** The rows of a body in the coordinates of its rest shape. The nodes of the field lie where they are before `scale`. `apart`: the spacing of points, where that is known already (m). */
export type LocalData = Omit<BodyData, 'field'> & { field?: { grid: DistanceField; scale: Vec3 }; apart?: number };

/** Bodies that were built here: nothing else may be appended to a state without a check. */
const genuine = new WeakSet<object>();

/** Whether a value is what `buildBody` or `loadBody` returned. */
export const isBuilt = (value: unknown): value is BuiltBody =>
  typeof value === 'object' && value !== null && genuine.has(value);

/** Vouches for a built body whose parts were made or checked. */
export function asBuilt(parts: BuiltBody): BuiltBody {
  const built = Object.freeze({ ...parts });
  genuine.add(built);
  return built;
}

/**
 * Checks the options, fills the shape with particles and divides them into clusters, without a world. Throws a PliantError if an option is wrong.
 * `path` is the name that messages begin with. `watch` reports the progress, up to the share of the whole that adding the body takes, and can cancel it. Material values that are functions are evaluated with the `rotation` and `position` of the options.
 *
 * @example
 * const brick = pliant.buildBody({ shape: { type: 'box', size: [0.2, 0.1, 0.1] }, sampling: { count: 100 } });
 * for (let k = 0; k < 50; k++) world.addBody(brick, { position: [0, 0.05 + 0.1 * k, 0] });
 */
export function buildBody(options: BodyOptions, path = 'body', watch: BuildWatch | Work = {}): BuiltBody {
  const steps = buildSteps(options, path, watch instanceof Work ? watch : new Work(watch));
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** A length that no two particles are nearer than, if one is known: blue noise, up to rounding. */
const apartOf = ({ sampling }: BodyOptions, { spacing, thin }: Particles, scale: Vec3): number | undefined =>
  spacing && !thin && sampling?.method !== 'grid' ? 0.999 * spacing * Math.min(...scale) : undefined;

/** The same in parts, between which the caller may do something else. */
export function* buildSteps(
  options: BodyOptions,
  path: string,
  work: Work,
): Generator<undefined, BuiltBody, undefined> {
  checkKeys(path, options, BODY_KEYS);
  const warnings: string[] = [];
  const asked = resolveMaterial(`${path}.material`, options.material);
  const start = resolveStart(path, options);
  const scale = resolveScale(path, options);
  const place = resolvePlace(path, options);
  const contact = resolveContact(`${path}.contact`, options.contact, asked.law === undefined);
  const groups = resolveGroups(`${path}.groups`, options.groups);

  const made = makeParticles(path, options, scale, warnings, work);
  yield;
  const particles = scaleParticles(made, scale);
  const { positions } = particles;
  const placed = new Placement(place).points(positions);

  const masses = makeMasses(path, options.material ?? {}, particles, placed);
  const { young, ...fields } = makeFields(path, options.material ?? {}, particles, masses, placed);
  checkMagnitudes(path, placed, masses, start.stretch, start.stretchCentre);

  const material = asked.law ? { ...asked, law: { ...asked.law, young } } : asked;
  // A body that yields or breaks needs small clusters all the same: it does so cluster by cluster.
  const keepsShape = ![fields.yieldLimit, fields.toughness].some((limits) => limits.some(Number.isFinite));
  const stiffness =
    asked.law && keepsShape && !options.levels && !options.reclustering && !particles.thin
      ? {
          modulus: fields.modulus,
          beta: betaOf(asked.law.poisson),
          thickness: thicknessOf(positions, particles.particleSurface, meanSpacing(fields.volumes)),
        }
      : undefined;
  const spacing = meanSpacing(fields.volumes);
  const layers =
    asked.law && !options.levels && !options.reclustering && !particles.thin && fields.toughness.some(Number.isFinite)
      ? layersOf(positions, particles.particleSurface, spacing)
      : undefined;
  const fracture = resolveFracture(
    `${path}.fracture`,
    options.fracture,
    material.law && fields.volumes.reduce((sum, volume) => sum + volume, 0),
    layers && layers * spacing,
  );
  yield;
  const { clustering, wanted } = makeClusters(
    path,
    options,
    positions,
    // Particles at edges stand for little volume. Divided by mass, some of them would be left outside of every cluster.
    asked.law && particles.shares && !particles.thin
      ? masses.map((mass, i) => mass * Math.max(1, 0.6 / particles.shares![i]))
      : masses,
    warnings,
    work,
    stiffness,
    particles.thin,
    apartOf(options, made, scale),
    particles.shares !== undefined && options.sampling?.method === 'grid',
    fracture.thin && layers,
  );
  yield;
  const levels = makeLevels(path, options, positions, masses, clustering, wanted, fields, warnings, work);
  return asBuilt({
    name: checkText(`${path}.name`, options.name ?? ''),
    data: {
      positions,
      masses,
      ...fields,
      clusters: clustering,
      hierarchy: levels?.hierarchy,
      particleSurface: particles.particleSurface,
      field: particles.grid && { grid: particles.grid, scale },
      gamma: material.limit.gamma,
      softness: material,
      thickness: stiffness?.thickness,
      ...(particles.apart !== undefined && { apart: particles.apart }),
    },
    material,
    clustering,
    levelStrengths: levels?.levelStrengths,
    ownLevels: levels?.own,
    contact,
    groups,
    fracture,
    reclustering: resolveRecluster(
      `${path}.reclustering`,
      options.reclustering,
      { ...withDefaults(CLUSTER_DEFAULTS, options.clustering ?? {}), epsilon: clustering.epsilon },
      // Clusters that were given have no common radius.
      clustering.radius > 0 || !options.reclustering ? clustering.radius : widest({ positions, masses }, clustering),
    ),
    surface: contact.mode === 'surface' ? copyOfMesh(scaledMesh(path, options, scale)) : undefined,
    makeSkin: () => {
      const mesh = made.makeSkin();
      return { ...mesh, positions: scalePoints(mesh.positions, scale) };
    },
    spacing: particles.spacing,
    ...(particles.thin && { thin: particles.thin }),
    painting: particles.painting,
    warnings,
    ...start,
    ...place,
  });
}
