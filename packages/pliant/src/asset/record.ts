import { asBuilt, type BuiltBody } from '../body/build.js';
import { resolveGroups } from '../groups.js';
import type { Hierarchy } from '../levels/hierarchy.js';
import type { ParticleLevels } from '../levels/particles.js';
import type { Interpolation } from '../mesh/interpolate.js';
import type { DistanceField } from '../proxy/field.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import { skinOfPoints } from '../skin/source.js';

/** A built body as plain data: what bytes and messages between threads hold. */
export interface BodyAsset extends Omit<BuiltBody, 'data' | 'ownLevels' | 'makeSkin' | 'painting' | 'clustering'> {
  readonly clustering: BuiltBody['clustering'];
  readonly ownLevels: Omit<ParticleLevels, 'wanted'> | undefined;
  readonly rows: {
    readonly positions: Float64Array;
    readonly masses: Float64Array;
    readonly stiffness: Float64Array;
    readonly modulus: Float64Array;
    readonly volumes: Float64Array;
    readonly yieldLimit: Float64Array;
    readonly toughness: Float64Array;
    readonly normal: Float64Array;
    readonly height: Float64Array;
  };
  readonly hierarchy: Hierarchy | undefined;
  readonly field: (DistanceField & { readonly scale: readonly [number, number, number] }) | undefined;
  /** Undefined for a body of points, which is shown by a mesh around them. */
  readonly skin: SkinMesh | undefined;
  readonly painting: Interpolation | undefined;
}

export function describeBuilt(built: BuiltBody): BodyAsset {
  const { data, ownLevels, makeSkin, painting, ...rest } = built;
  const { positions, masses, stiffness, modulus, volumes, yieldLimit, toughness, particleSurface, field } = data;
  return {
    ...rest,
    ownLevels: ownLevels && withoutScratch(ownLevels),
    rows: { positions, masses, stiffness, modulus, volumes, yieldLimit, toughness, ...particleSurface },
    hierarchy: data.hierarchy,
    field: field && { ...field.grid, scale: field.scale },
    // Only points have no spacing of their own.
    skin: built.spacing === undefined ? undefined : makeSkin(),
    painting: painting?.(),
  };
}

const withoutScratch = ({ wanted: _, ...levels }: ParticleLevels) => levels;

/** The built body of a description that was checked, or that came from a thread of our own. */
export function builtFrom(asset: BodyAsset): BuiltBody {
  const { rows, hierarchy, field, skin, painting, ownLevels, ...rest } = asset;
  const { normal, height, ...fields } = rows;
  const { scale, ...grid } = field ?? {};
  return asBuilt({
    ...rest,
    groups: resolveGroups('asset.groups', rest.groups),
    ownLevels: ownLevels && { ...ownLevels, wanted: new Float64Array(6 * rows.masses.length) },
    data: {
      ...fields,
      clusters: rest.clustering,
      hierarchy,
      particleSurface: { normal, height },
      ...(field && { field: { grid: grid as DistanceField, scale: scale! } }),
      gamma: rest.material.limit.gamma,
      softness: rest.material,
    },
    makeSkin: () => (skin ? { ...skin, positions: skin.positions.slice() } : skinOfPoints(rows.positions)),
    painting: painting && (() => painting),
  });
}
