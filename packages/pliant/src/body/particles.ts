import { checkNumber, checkPoints, PliantError, refuse, type Vec3 } from '../check.js';
import { checkLength, checkParticleCount, checkPlaces } from '../limits.js';
import { isRaw } from '../material/material.js';
import { type Interpolation, interpolate, prepareInterpolation } from '../mesh/interpolate.js';
import { buildField, type DistanceField } from '../proxy/field.js';
import { type ParticleSurface, surfaceOfPoints, surfaceOfSolid } from '../proxy/outward.js';
import {
  meshSolid,
  type SampleOptions,
  type ShapeOptions,
  type Solid,
  sample,
  shapeSolid,
  shell,
} from '../sample/index.js';
import type { Middle } from '../sample/middle.js';
import { meshSheet } from '../sample/sheetSolid.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import { skinOfPoints as skinAroundPoints, skinOfMesh, skinOfShape, withCavity } from '../skin/source.js';
import { spacingOfPoints } from '../spatial/spacing.js';
import type { Work } from '../work.js';
import { cutCells } from './cutCells.js';
import { checkCrowd, checkExtent, checkScaledBox } from './magnitudes.js';
import type { BodyOptions } from './options.js';
import { inOrder } from './order.js';
import { volumeShares } from './volumeShares.js';

/** The particles of a body as sampled or given, and the known properties of the solid that they fill. */
export interface Particles {
  /** Makes the mesh that shows the solid, before it is placed. */
  makeSkin: () => SkinMesh;
  positions: Float64Array;
  volume?: number;
  /** Volume of each particle as a multiple of the mean. Undefined: all are equal. */
  shares?: Float64Array;
  spacing?: number;
  /** The spacing of particles that were given as points, as `spacingOfPoints` finds it (m). */
  apart?: number;
  /** Set if the particles lie along the middle of a sheet or a cord: it bends as easily as its clusters are small. */
  thin?: 'sheet' | 'cord';
  particleSurface: ParticleSurface;
  /** Distances to the surface, if the particles were sampled from a solid that has them. */
  grid?: DistanceField;
  fromVertices?: (values: ArrayLike<number>, name: string) => Float64Array;
  /** The same as a table, which is made at the first call. */
  painting?: () => Interpolation;
}

/** Samples the mesh or shape, or uses the points. */
export function makeParticles(
  path: string,
  options: BodyOptions,
  scale: Vec3,
  warnings: string[],
  work: Work,
): Particles {
  work.begin('sample');
  const given = (['mesh', 'shape', 'points'] as const).filter((k) => options[k] !== undefined);
  if (given.length !== 1)
    throw new PliantError(
      path,
      `${path} gives ${given.join(' and ') || 'no geometry'}; expected one of mesh, shape, points.`,
    );
  const thickness = sheetThickness(path, options);
  if (options.points !== undefined) {
    if (options.sampling)
      refuse(`${path}.sampling`, options.sampling, 'nothing for a body given as points: they are the particles');
    const points = checkPoints(`${path}.points`, options.points);
    checkParticleCount(`${path}.points`, points.length / 3);
    checkPlaces(`${path}.points`, points);
    const positions = Float64Array.from(points);
    const scaled = positions.map((c, k) => c * scale[k % 3]);
    checkExtent(`${path}.points`, scaled);
    checkCrowd(`${path}.points`, scaled);
    const apart = spacingOfPoints(positions);
    return {
      positions,
      apart,
      particleSurface: surfaceOfPoints(positions, apart),
      makeSkin: () => skinAroundPoints(positions),
    };
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
      isRaw(options.material),
      shape,
    );
  }
  const solid =
    thickness === undefined
      ? meshSolid(mesh!, `${path}.mesh`)
      : meshSheet(mesh!, thickness, `${path}.mesh`, `${path}.thickness`);
  checkScaledBox(`${path}.mesh`, solid, scale);
  warnings.push(...solid.warnings);
  const sampled = withSurface(
    solid,
    sampling,
    `${path}.sampling`,
    (spacing) => skinOfMesh(mesh!, spacing, thickness),
    work,
    isRaw(options.material),
  );
  let known: Interpolation | undefined;
  const painting = () => (known ??= prepareInterpolation(solid.surface, sampled.positions));
  return { ...sampled, painting, fromVertices: (values, name) => interpolate(painting(), values, name) };
}

/** The thickness of a sheet made of an open mesh, checked. */
function sheetThickness(path: string, { thickness, mesh, sampling }: BodyOptions): number | undefined {
  if (thickness === undefined) return undefined;
  const name = `${path}.thickness`;
  checkLength(name, checkNumber(name, thickness, { above: 0 }));
  if (!mesh) refuse(name, thickness, 'nothing for a body that is not made from a mesh');
  if (sampling?.shell !== undefined) refuse(`${path}.sampling.shell`, sampling.shell, 'nothing for a sheet');
  return thickness;
}

/** `wholeCells`: particles of a grid stay in the middle of their cells, as in the papers. */
function withSurface(
  solid: Solid,
  sampling: SampleOptions,
  path: string,
  outside: (spacing: number, volume?: number) => SkinMesh,
  work: Work,
  wholeCells: boolean,
  shape?: ShapeOptions,
): Particles {
  const found = sample(solid, sampling, path, work);
  // Sections of a cord follow each other already, and are known by their numbers (folds/foldMesh.ts).
  const sampled = found.shares && solid.middle?.kind === 'cord' ? found : inOrder(found);
  work.begin('surface');
  const { middle } = solid;
  if (sampled.shares && middle)
    return {
      ...sampled,
      thin: middle.kind,
      particleSurface: surfaceOfThin(solid, middle, sampled.positions, sampled.spacing, work),
      makeSkin: () => outside(sampled.spacing, sampled.volume),
    };
  // A hollow body has an inner surface as well.
  const walls = sampling.shell === undefined ? solid : shell(solid, sampling.shell, `${path}.shell`);
  // Of an implicit function only the sign is known: its surface is derived from its particles.
  const grid = solid.signOnly ? undefined : buildField(walls, sampled.spacing, work);
  const cut =
    wholeCells || !grid || !sampled.lattice
      ? undefined
      : cutCells(sampled.positions, sampled.lattice, grid, walls, sampled.volume);
  const positions = cut?.positions ?? sampled.positions;
  const particleSurface = solid.signOnly
    ? surfaceOfPoints(positions)
    : surfaceOfSolid(walls, positions, sampled.spacing, work);
  const shares =
    sampling.method === 'grid' || !grid
      ? cut?.shares
      : volumeShares(positions, particleSurface, grid, sampled.volume, sampled.spacing);
  const makeSkin = () => {
    const { spacing, volume } = sampled;
    if (sampling.shell === undefined) return outside(spacing, volume);
    return withCavity(outside(spacing), solid, shape, sampling.shell, spacing);
  };
  return { ...sampled, positions, shares, particleSurface, grid, makeSkin };
}

/** Of a particle in the middle of a sheet the surface is half a thickness away, to both sides alike. */
function surfaceOfThin(
  solid: Solid,
  { kind, half }: Middle,
  positions: Float64Array,
  spacing: number,
  work: Work,
): ParticleSurface {
  if (kind === 'cord') return surfaceOfSolid(solid, positions, spacing, work);
  return { normal: new Float64Array(positions.length), height: new Float64Array(positions.length / 3).fill(half) };
}
