import {
  checkKeys,
  checkNumber,
  checkPoints,
  checkText,
  checkVec3,
  PliantError,
  refuse,
  type Vec3,
  withDefaults,
} from '../check.js';
import {
  CLUSTER_DEFAULTS,
  type Clustering,
  type ClusterOptions,
  cluster,
  type ExplicitCluster,
  explicitClusters,
} from '../cluster/index.js';
import { type ContactOptions, type ContactSettings, resolveContact } from '../contact/options.js';
import { type FractureOptions, type FractureSettings, resolveFracture } from '../fracture/options.js';
import { type Groups, resolveGroups } from '../groups.js';
import { buildHierarchy, widest } from '../levels/build.js';
import { type Hierarchy, levelsOf } from '../levels/hierarchy.js';
import { type LevelOptions, type LevelStrengths, resolveLevelStrengths, resolveLevels } from '../levels/options.js';
import { buildParticleLevels, type ParticleLevels } from '../levels/particles.js';
import { checkParticleCount, checkPlace, checkPlaces } from '../limits.js';
import {
  evaluateField,
  MATERIAL_DEFAULTS,
  type Material,
  type MaterialOptions,
  resolveMaterial,
  STIFFNESS_RANGE,
} from '../material/material.js';
import { cbrt, hypot } from '../math/elementary.js';
import type { MeshData } from '../mesh/index.js';
import { buildField, type DistanceField } from '../proxy/field.js';
import { type ParticleSurface, surfaceOfPoints, surfaceOfSolid } from '../proxy/outward.js';
import { type ReclusterOptions, type ReclusterSettings, resolveRecluster } from '../recluster/options.js';
import {
  interpolateVertices,
  meshSolid,
  type SampleOptions,
  type ShapeOptions,
  type Solid,
  sample,
  shapeSolid,
  shell,
} from '../sample/index.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import { skinOfPoints as skinAroundPoints, skinOfMesh, skinOfShape, withCavity } from '../skin/source.js';
import { zOrder } from '../spatial/zOrder.js';
import type { BodyData } from '../topology/editRows.js';
import { Work } from '../work.js';
import { checkExtent, checkMagnitudes, checkScale, checkScaledBox } from './magnitudes.js';

export interface BodyOptions {
  /** A name for messages and files. */
  name?: string;
  /** A closed triangle mesh, sampled inside. Exactly one of mesh, shape and points is given. */
  mesh?: MeshData;
  /** A box, sphere, …, or a signed distance function, sampled inside. */
  shape?: ShapeOptions;
  /** The particles themselves: x, y, z, x, y, z, … */
  points?: ArrayLike<number>;
  /** How a mesh or shape is filled with particles. */
  sampling?: SampleOptions;
  material?: MaterialOptions;
  clustering?: ClusterOptions;
  /** Clusters given member by member instead of computed (SPEC C7). */
  clusters?: readonly ExplicitCluster[];
  /** Coarser levels above its clusters; `{}` for the defaults. Left out: none. */
  levels?: LevelOptions;
  /** How it meets other bodies and itself. */
  contact?: ContactOptions;
  /** Which other bodies and obstacles it meets. Default: all. */
  groups?: Partial<Groups>;
  /** How it comes apart, if its material's toughness is finite. */
  fracture?: FractureOptions;
  /** How its clusters are replaced once they have flowed too far, if its material yields. */
  reclustering?: ReclusterOptions;
  /** Placement of the rest shape: scale, then rotation (quaternion x y z w), then position. */
  scale?: number | Vec3;
  rotation?: readonly [number, number, number, number];
  position?: Vec3;
  /** Initial velocity (m/s) and angular velocity (rad/s, about the centre of mass). */
  velocity?: Vec3;
  angularVelocity?: Vec3;
  /** Initial stretch about the world's origin or `stretchCentre`; the rest shape stays. */
  stretch?: Vec3;
  stretchCentre?: Vec3;
}

const KEYS = [
  'name',
  'mesh',
  'shape',
  'points',
  'sampling',
  'material',
  'clustering',
  'clusters',
  'levels',
  'contact',
  'groups',
  'fracture',
  'reclustering',
  'scale',
  'rotation',
  'position',
  'velocity',
  'angularVelocity',
  'stretch',
  'stretchCentre',
];

/** Everything about a body that can be known before it enters a world. Building it touches no world. */
export interface BuiltBody {
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
  velocity: Vec3;
  angularVelocity: Vec3;
  stretch: Vec3;
  stretchCentre: Vec3;
}

/** Checks the options, samples, clusters. Throws PliantError and leaves nothing behind if anything is wrong. */
export function buildBody(options: BodyOptions, path = 'body', work = new Work()): BuiltBody {
  checkKeys(path, options, KEYS);
  const warnings: string[] = [];
  const material = resolveMaterial(`${path}.material`, options.material);
  const velocity = checkVec3(`${path}.velocity`, options.velocity ?? [0, 0, 0]);
  const angularVelocity = checkVec3(`${path}.angularVelocity`, options.angularVelocity ?? [0, 0, 0]);
  const stretch = checkVec3(`${path}.stretch`, options.stretch ?? [1, 1, 1]);
  const stretchCentre = checkPlace(
    `${path}.stretchCentre`,
    checkVec3(`${path}.stretchCentre`, options.stretchCentre ?? [0, 0, 0]),
  );
  const place = placement(path, options);
  const contact = resolveContact(`${path}.contact`, options.contact);
  const groups = resolveGroups(`${path}.groups`, options.groups);
  work.begin('sample');
  const made = makeParticles(path, options, place.scale, warnings, work);
  const particles = placeParticles(made, place);
  const { positions } = particles;

  const values = options.material ?? {};
  const evaluate = (name: 'stiffness' | 'yield' | 'toughness', range: { min: number; below?: number }) =>
    evaluateField(
      `${path}.material.${name}`,
      values[name] ?? MATERIAL_DEFAULTS[name],
      positions,
      range,
      particles.fromVertices,
    );
  const stiffness = evaluate('stiffness', STIFFNESS_RANGE as { min: number; below: number });
  const yieldLimit = evaluate('yield', { min: 0 });
  const toughness = evaluate('toughness', { min: 0 });
  const masses = makeMasses(path, values, particles);
  checkMagnitudes(path, positions, masses, stretch, stretchCentre);

  if (options.clusters && options.clustering)
    throw new PliantError(`${path}.clusters`, `${path} gives clusters and clustering; expected one of the two.`);
  if (options.clustering === null) refuse(`${path}.clustering`, null, 'an object');
  const wanted = withCount(withOverlap(options.clustering), masses.length, options.levels !== undefined);
  work.begin('cluster');
  const clustering = options.clusters
    ? explicitClusters(masses.length, options.clusters, `${path}.clusters`, (line) => warnings.push(line))
    : clustersInOrder(cluster(positions, masses, wanted, `${path}.clustering`, work), masses.length);
  warnings.push(...clustering.report.notes.map((note) => `${path}.clustering: ${note}`));
  work.begin('levels');
  const levels =
    options.levels === undefined
      ? undefined
      : buildLevels(path, options, positions, masses, clustering, wanted, warnings, work);
  if (levels?.own) {
    checkLasting(`${path}.material.yield`, values.yield, yieldLimit);
    checkLasting(`${path}.material.toughness`, values.toughness, toughness);
  }
  if (levels?.levelStrengths.stiffness !== undefined) stiffness.fill(levels.levelStrengths.stiffness);
  return {
    name: checkText(`${path}.name`, options.name ?? ''),
    data: {
      positions,
      masses,
      stiffness,
      yieldLimit,
      toughness,
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
    velocity,
    angularVelocity,
    stretch,
    stretchCentre,
  };
}

function placedMesh(path: string, { mesh, contact }: BodyOptions, place: Placement): MeshData {
  if (!mesh)
    refuse(`${path}.contact.mode`, contact?.mode, "'proxies' or 'none' for a body that is not made from a mesh");
  return { positions: place.apply(Float64Array.from(mesh.positions)), indices: mesh.indices };
}

/**
 * The smallest radius that connects a body leaves little more than one cluster per particle: it holds, but hangs in pieces and
 * rings for seconds (a block of 20 clusters had not come to rest after 16 000 steps). 1.3 times that is firm.
 */
const OVERLAP = 1.3;

function withOverlap(options: ClusterOptions = {}): ClusterOptions {
  return options.radius === undefined && options.overlap === undefined ? { ...options, overlap: OVERLAP } : options;
}

/** With coarser levels above them, the finest clusters may be as small as SPEC C5 has them: 125 000 particles make six levels. */
const PARTICLES_PER_CLUSTER = 15;

function withCount(options: ClusterOptions, particles: number, levels: boolean): ClusterOptions {
  if (!levels || options.count !== undefined || options.algorithm === 'random') return options;
  return { ...options, count: Math.max(1, Math.floor(particles / PARTICLES_PER_CLUSTER)) };
}

function buildLevels(
  path: string,
  { levels = {}, material = {} }: BodyOptions,
  positions: Float64Array,
  masses: Float64Array,
  clustering: Clustering,
  wanted: ClusterOptions,
  warnings: string[],
  work: Work,
): { hierarchy?: Hierarchy; own?: ParticleLevels; levelStrengths: LevelStrengths } {
  const settings = resolveLevels(`${path}.levels`, levels);
  for (const key of ['stiffness', 'damping'] as const)
    if (levels[key] !== undefined && material[key] !== undefined)
      refuse(`${path}.material.${key}`, material[key], `nothing beside levels.${key}, which gives it for each level`);
  const notes: string[] = [];
  const byParticle = settings.sums === 'particles';
  const given = [positions, masses, clustering, wanted, settings, `${path}.levels`, notes, work] as const;
  const hierarchy = byParticle ? undefined : buildHierarchy(...given);
  const own = byParticle ? buildParticleLevels(...given) : undefined;
  warnings.push(...notes.map((note) => `${path}.levels: ${note}`));
  const { weights, stiffness, damping } = levels;
  const levelStrengths = resolveLevelStrengths(
    `${path}.levels`,
    { weights, stiffness, damping },
    levelsOf((hierarchy ?? own)!),
  );
  return { hierarchy, own, levelStrengths };
}

/** Lists of particles follow neither a rest shape that flows, nor halves of clusters and copies of particles: nested levels do. */
export function checkLasting(path: string, value: unknown, values: Float64Array): void {
  if (values.some((limit) => limit < Number.POSITIVE_INFINITY))
    refuse(
      path,
      value,
      "nothing beside levels.sums: 'particles', which keep the rest shape and the clusters they were built with; 'nested' ones follow",
    );
}

interface Particles {
  /** The mesh that shows what they fill, before it is placed. */
  makeSkin: () => SkinMesh;
  positions: Float64Array;
  volume?: number;
  spacing?: number;
  particleSurface: ParticleSurface;
  /** Distances to its surface, where it was sampled from a solid that knows them. */
  grid?: DistanceField;
  fromVertices?: (values: ArrayLike<number>, name: string) => Float64Array;
}

function makeParticles(path: string, options: BodyOptions, scale: Vec3, warnings: string[], work: Work): Particles {
  const given = (['mesh', 'shape', 'points'] as const).filter((k) => options[k] !== undefined);
  if (given.length !== 1)
    throw new PliantError(
      path,
      `${path} gives ${given.join(' and ') || 'no geometry'}; expected one of mesh, shape, points.`,
    );
  if (options.points !== undefined) {
    if (options.sampling)
      refuse(`${path}.sampling`, options.sampling, 'nothing for a body given as points: they are the particles');
    const points = checkPoints(`${path}.points`, options.points);
    checkParticleCount(`${path}.points`, points.length / 3);
    checkPlaces(`${path}.points`, points);
    const positions = Float64Array.from(points);
    checkExtent(
      `${path}.points`,
      positions.map((c, k) => c * scale[k % 3]),
    );
    return { positions, particleSurface: surfaceOfPoints(positions), makeSkin: () => skinAroundPoints(positions) };
  }
  if (!options.sampling) refuse(`${path}.sampling`, undefined, '{ spacing } or { count } for a mesh or shape');
  const { shape, mesh, sampling } = options;
  if (shape !== undefined) {
    const solid = shapeSolid(shape, `${path}.shape`);
    checkScaledBox(`${path}.shape`, solid, scale);
    return withSurface(
      solid,
      sampling,
      `${path}.sampling`,
      (spacing, volume) => skinOfShape(shape, spacing, volume),
      work,
      shape,
    );
  }
  const solid = meshSolid(mesh!, `${path}.mesh`);
  checkScaledBox(`${path}.mesh`, solid, scale);
  warnings.push(...solid.warnings);
  const sampled = withSurface(solid, sampling, `${path}.sampling`, (spacing) => skinOfMesh(mesh!, spacing), work);
  return { ...sampled, fromVertices: (values, name) => interpolateVertices(solid, values, sampled.positions, name) };
}

/**
 * Particles from which on their order counts: their positions and velocities no longer fit into a core's own cache (48 bytes each). A creature of
 * 125 000 took 30 ns a membership to match as it was sampled, and 14 along a curve.
 */
const MANY = 32768;

/** Near each other in the body, near each other in memory. The order of a body's particles is its own as long as they are not given. */
function inOrder(sampled: ReturnType<typeof sample>): ReturnType<typeof sample> {
  if (sampled.positions.length < 3 * MANY) return sampled;
  const positions = new Float64Array(sampled.positions.length);
  zOrder(sampled.positions).forEach((i, n) => {
    for (let a = 0; a < 3; a++) positions[3 * n + a] = sampled.positions[3 * i + a];
  });
  return { ...sampled, positions };
}

/** The same for clusters, which are worked off one after the other. */
function clustersInOrder(clustering: Clustering, particles: number): Clustering {
  if (particles < MANY) return clustering;
  const order = zOrder(clustering.centre);
  const start = new Uint32Array(clustering.start.length);
  const [particle, weight] = [clustering.particle.slice(), clustering.weight.slice()];
  const centre = new Float64Array(clustering.centre.length);
  order.forEach((c, n) => {
    const [first, last] = [clustering.start[c], clustering.start[c + 1]];
    start[n + 1] = start[n] + last - first;
    particle.set(clustering.particle.subarray(first, last), start[n]);
    weight.set(clustering.weight.subarray(first, last), start[n]);
    centre.set(clustering.centre.subarray(3 * c, 3 * c + 3), 3 * n);
  });
  return { ...clustering, start, particle, weight, centre };
}

function withSurface(
  solid: Solid,
  sampling: SampleOptions,
  path: string,
  outside: (spacing: number, volume?: number) => SkinMesh,
  work: Work,
  shape?: ShapeOptions,
): Particles {
  const sampled = inOrder(sample(solid, sampling, path, work));
  work.begin('surface');
  // A hollow body has an inner surface as well.
  const walls = sampling.shell === undefined ? solid : shell(solid, sampling.shell, `${path}.shell`);
  // Of an implicit function only the sign is known: its surface is where its particles end.
  const particleSurface = solid.signOnly
    ? surfaceOfPoints(sampled.positions)
    : surfaceOfSolid(walls, sampled.positions, sampled.spacing, work);
  const grid = solid.signOnly ? undefined : buildField(walls, sampled.spacing, work);
  const makeSkin = () => {
    const { spacing, volume } = sampled;
    if (sampling.shell === undefined) return outside(spacing, volume);
    return withCavity(outside(spacing), solid, shape, sampling.shell, spacing);
  };
  return { ...sampled, particleSurface, grid, makeSkin };
}

function makeMasses(path: string, material: MaterialOptions, particles: Particles): Float64Array {
  const n = particles.positions.length / 3;
  const { mass, particleMass, density } = material;
  if (mass !== undefined) return new Float64Array(n).fill(checkNumber(`${path}.material.mass`, mass, { above: 0 }) / n);
  if (particleMass !== undefined || (particles.volume === undefined && density === undefined))
    return new Float64Array(n).fill(
      checkNumber(`${path}.material.particleMass`, particleMass ?? MATERIAL_DEFAULTS.particleMass, { above: 0 }),
    );
  if (particles.volume === undefined)
    refuse(
      `${path}.material.density`,
      density,
      'mass or particleMass for a body given as points, whose volume is unknown',
    );
  const values = evaluateField(
    `${path}.material.density`,
    density ?? MATERIAL_DEFAULTS.density,
    particles.positions,
    { above: 0 },
    particles.fromVertices,
  );
  return values.map((rho) => (rho * particles.volume!) / n);
}

interface Placement {
  scale: Vec3;
  /** What placing does to volumes and, in the mean, to distances cubed. */
  volumeFactor: number;
  apply(positions: Float64Array): Float64Array;
  /** Normals turn as those of planes do; heights are those above the planes where they then are. */
  applyToSurface(particleSurface: ParticleSurface): ParticleSurface;
  /** Distances as long as they then are, and the way from placed coordinates to nodes: three columns, then the shift. */
  applyToField(grid: DistanceField): NonNullable<BodyData['field']>;
}

function placeParticles(particles: Particles, { volumeFactor, apply, applyToSurface }: Placement): Particles {
  return {
    ...particles,
    positions: apply(particles.positions),
    particleSurface: applyToSurface(particles.particleSurface),
    volume: particles.volume && particles.volume * volumeFactor,
    spacing: particles.spacing && particles.spacing * cbrt(volumeFactor),
  };
}

/** Scale, rotation and position of the rest shape, as one affine map. */
function placement(path: string, options: BodyOptions): Placement {
  const scale =
    typeof options.scale === 'object'
      ? checkVec3(`${path}.scale`, options.scale)
      : (new Array(3).fill(checkNumber(`${path}.scale`, options.scale ?? 1, { above: 0 })) as [number, number, number]);
  if (scale.some((s) => !(s > 0))) refuse(`${path}.scale`, scale, 'positive factors');
  checkScale(`${path}.scale`, scale);
  const position = checkPlace(`${path}.position`, checkVec3(`${path}.position`, options.position ?? [0, 0, 0]));
  const q = options.rotation ?? [0, 0, 0, 1];
  if (q.length !== 4 || !Array.from(q).every(Number.isFinite) || hypot(...q) < 1e-12)
    refuse(`${path}.rotation`, options.rotation, 'a quaternion x, y, z, w of non-zero length');
  const m = rotationMatrix(q);
  return {
    scale,
    volumeFactor: scale[0] * scale[1] * scale[2],
    apply(positions) {
      const out = new Float64Array(positions.length);
      for (let i = 0; i < positions.length; i += 3) {
        const [x, y, z] = [positions[i] * scale[0], positions[i + 1] * scale[1], positions[i + 2] * scale[2]];
        for (let a = 0; a < 3; a++) out[i + a] = m[a] * x + m[3 + a] * y + m[6 + a] * z + position[a];
      }
      return out;
    },
    applyToField(grid) {
      // node = (S⁻¹ Rᵀ (x − position) − origin)/cell
      const toGrid = new Float64Array(12);
      for (let a = 0; a < 3; a++) {
        for (let j = 0; j < 3; j++) toGrid[3 * j + a] = m[3 * a + j] / (scale[a] * grid.cell);
        toGrid[9 + a] = -grid.origin[a] / grid.cell;
        for (let j = 0; j < 3; j++) toGrid[9 + a] -= toGrid[3 * j + a] * position[j];
      }
      // Where the scales differ these are no distances. Their slope then is 1 or more: contact takes lesser ones for none at all.
      const longer = Math.max(...scale);
      return { grid: longer === 1 ? grid : { ...grid, values: grid.values.map((d) => d * longer) }, toGrid };
    },
    applyToSurface({ normal, height }) {
      const placed: ParticleSurface = { normal: new Float64Array(normal.length), height: Float64Array.from(height) };
      for (let i = 0; i < height.length; i++) {
        const n = [0, 1, 2].map((a) => normal[3 * i + a] / scale[a]);
        const length = hypot(n[0], n[1], n[2]);
        if (length === 0) {
          // Midway in a wall whose direction is not known: at least that far.
          placed.height[i] *= Math.min(...scale);
          continue;
        }
        for (let a = 0; a < 3; a++)
          placed.normal[3 * i + a] = (m[a] * n[0] + m[3 + a] * n[1] + m[6 + a] * n[2]) / length;
        placed.height[i] = height[i] / length;
      }
      return placed;
    },
  };
}

/** Columns of the rotation of a quaternion of any length. */
function rotationMatrix(q: readonly [number, number, number, number]): number[] {
  const n = hypot(...q);
  const [x, y, z, w] = q.map((c) => c / n);
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y + z * w),
    2 * (x * z - y * w),
    2 * (x * y - z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z + x * w),
    2 * (x * z + y * w),
    2 * (y * z - x * w),
    1 - 2 * (x * x + y * y),
  ];
}
