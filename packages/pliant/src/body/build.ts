import { checkKeys, checkText, withDefaults } from '../check.js';
import { CLUSTER_DEFAULTS, type Clustering } from '../cluster/index.js';
import { type ContactSettings, resolveContact } from '../contact/options.js';
import { type FractureSettings, resolveFracture } from '../fracture/options.js';
import { type Groups, resolveGroups } from '../groups.js';
import { widest } from '../levels/build.js';
import type { LevelStrengths } from '../levels/options.js';
import type { ParticleLevels } from '../levels/particles.js';
import { betaOf } from '../material/elasticLaw.js';
import { type Material, resolveMaterial } from '../material/material.js';
import type { MeshData } from '../mesh/index.js';
import { type ReclusterSettings, resolveRecluster } from '../recluster/options.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import type { BodyData } from '../topology/editRows.js';
import { Work } from '../work.js';
import { makeClusters } from './clusters.js';
import { makeLevels } from './levels.js';
import { checkMagnitudes } from './magnitudes.js';
import { makeFields, makeMasses } from './masses.js';
import { BODY_KEYS, type BodyOptions } from './options.js';
import { makeParticles, type Particles } from './particles.js';
import { placedMesh, placement, placeParticles } from './place.js';
import { resolveStart, type Start } from './start.js';

/** A body that was sampled and clustered, but is in no world. `buildBody` returns it: for programs that need the counts or the warnings only. */
export interface BuiltBody extends Start {
  /** Name of the body. */
  name: string;
  /** @hidden Its rows, to be appended to a state. */
  data: BodyData;
  /** The material settings, with defaults filled in. */
  material: Material;
  /** The clusters. */
  clustering: Clustering;
  /** @hidden The strengths of the levels, for a body with levels. */
  levelStrengths: LevelStrengths | undefined;
  /** @hidden Its coarser levels if they sum over particles. */
  ownLevels: ParticleLevels | undefined;
  /** The contact options, with defaults filled in. */
  contact: ContactSettings;
  /** Which other bodies and obstacles it meets. */
  groups: Groups;
  /** The fracture options, with defaults filled in. */
  fracture: FractureSettings;
  /** The reclustering options, with defaults filled in. */
  reclustering: ReclusterSettings;
  /** The placed mesh, for a body with `contact.mode: 'surface'`. */
  surface: MeshData | undefined;
  /** Makes the mesh that shows the body, in the coordinates of its rest shape (m). Each call makes a new one. */
  makeSkin: () => SkinMesh;
  /** Distance between neighbouring particles (m), as the sampling chose it. Undefined for points. */
  spacing: number | undefined;
  /** Interpolates values given per vertex of the body's mesh to its particles. Undefined for a body without a mesh. */
  fromVertices: Particles['fromVertices'];
  /** Remarks on options that are allowed but doubtful, a sentence each. */
  warnings: string[];
}

/**
 * Checks the options, fills the shape with particles and divides them into clusters, without a world. Throws a PliantError if an option is wrong.
 * `path` is the name that messages begin with. It takes as long as `world.addBody`.
 */
export function buildBody(options: BodyOptions, path = 'body', work = new Work()): BuiltBody {
  checkKeys(path, options, BODY_KEYS);
  const warnings: string[] = [];
  const asked = resolveMaterial(`${path}.material`, options.material);
  const start = resolveStart(path, options);
  const place = placement(path, options);
  const contact = resolveContact(`${path}.contact`, options.contact, asked.law === undefined);
  const groups = resolveGroups(`${path}.groups`, options.groups);

  const made = makeParticles(path, options, place.scale, warnings, work);
  const particles = placeParticles(made, place);
  const { positions } = particles;

  const masses = makeMasses(path, options.material ?? {}, particles);
  const { young, ...fields } = makeFields(path, options.material ?? {}, particles, masses);
  checkMagnitudes(path, positions, masses, start.stretch, start.stretchCentre);

  const material = asked.law ? { ...asked, law: { ...asked.law, young } } : asked;
  // A body that yields or breaks needs small clusters all the same: it does so cluster by cluster.
  const keepsShape = ![fields.yieldLimit, fields.toughness].some((limits) => limits.some(Number.isFinite));
  const stiffness =
    asked.law && keepsShape && !options.levels && !options.reclustering
      ? { modulus: fields.modulus, beta: betaOf(asked.law.poisson) }
      : undefined;
  const { clustering, wanted } = makeClusters(path, options, positions, masses, warnings, work, stiffness);
  const levels = makeLevels(path, options, positions, masses, clustering, wanted, fields, warnings, work);
  return {
    name: checkText(`${path}.name`, options.name ?? ''),
    data: {
      positions,
      masses,
      ...fields,
      clusters: clustering,
      hierarchy: levels?.hierarchy,
      particleSurface: particles.particleSurface,
      field: particles.grid && place.applyToField(particles.grid),
      gamma: material.limit.gamma,
      softness: material,
    },
    material,
    clustering,
    levelStrengths: levels?.levelStrengths,
    ownLevels: levels?.own,
    contact,
    groups,
    fracture: resolveFracture(
      `${path}.fracture`,
      options.fracture,
      material.law && fields.volumes.reduce((sum, volume) => sum + volume, 0),
    ),
    reclustering: resolveRecluster(
      `${path}.reclustering`,
      options.reclustering,
      { ...withDefaults(CLUSTER_DEFAULTS, options.clustering ?? {}), epsilon: clustering.epsilon },
      // Clusters that were given have no common radius.
      clustering.radius > 0 || !options.reclustering ? clustering.radius : widest({ positions, masses }, clustering),
    ),
    surface: contact.mode === 'surface' ? placedMesh(path, options, place) : undefined,
    makeSkin: () => {
      const mesh = made.makeSkin();
      return { ...mesh, positions: place.apply(mesh.positions) };
    },
    spacing: particles.spacing,
    fromVertices: particles.fromVertices,
    warnings,
    ...start,
  };
}
