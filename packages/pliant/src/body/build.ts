import { checkKeys, checkText, withDefaults } from '../check.js';
import { CLUSTER_DEFAULTS, type Clustering } from '../cluster/index.js';
import { type ContactSettings, resolveContact } from '../contact/options.js';
import { type FractureSettings, resolveFracture } from '../fracture/options.js';
import { type Groups, resolveGroups } from '../groups.js';
import { widest } from '../levels/build.js';
import type { LevelStrengths } from '../levels/options.js';
import type { ParticleLevels } from '../levels/particles.js';
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

/** Everything about a body that can be known before it enters a world. Building it touches no world. */
export interface BuiltBody extends Start {
  name: string;
  data: BodyData;
  material: Material;
  clustering: Clustering;
  /** What each level says, for a body with levels. */
  levelStrengths: LevelStrengths | undefined;
  /** Its coarser levels where they sum over particles. */
  ownLevels: ParticleLevels | undefined;
  contact: ContactSettings;
  groups: Groups;
  fracture: FractureSettings;
  reclustering: ReclusterSettings;
  /** The placed mesh, for a body that meets others by its surface. */
  surface: MeshData | undefined;
  /** Makes the mesh that shows it, in coordinates of its rest shape. */
  makeSkin: () => SkinMesh;
  /** Distance between neighbouring particles, where the sampling knows it. */
  spacing: number | undefined;
  /** Carries values painted on the vertices of the body's mesh to its particles. */
  fromVertices: Particles['fromVertices'];
  warnings: string[];
}

/** Checks the options, samples, clusters. Throws PliantError and leaves nothing behind if anything is wrong. */
export function buildBody(options: BodyOptions, path = 'body', work = new Work()): BuiltBody {
  checkKeys(path, options, BODY_KEYS);
  const warnings: string[] = [];
  const material = resolveMaterial(`${path}.material`, options.material);
  const start = resolveStart(path, options);
  const place = placement(path, options);
  const contact = resolveContact(`${path}.contact`, options.contact);
  const groups = resolveGroups(`${path}.groups`, options.groups);

  const made = makeParticles(path, options, place.scale, warnings, work);
  const particles = placeParticles(made, place);
  const { positions } = particles;

  const fields = makeFields(path, options.material ?? {}, particles);
  const masses = makeMasses(path, options.material ?? {}, particles);
  checkMagnitudes(path, positions, masses, start.stretch, start.stretchCentre);

  const { clustering, wanted } = makeClusters(path, options, positions, masses, warnings, work);
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
    fracture: resolveFracture(`${path}.fracture`, options.fracture),
    reclustering: resolveRecluster(
      `${path}.reclustering`,
      options.reclustering,
      withDefaults(CLUSTER_DEFAULTS, options.clustering ?? {}),
      // Clusters that were given have no radius in common.
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
