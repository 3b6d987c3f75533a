import type { Clustering } from '../cluster/index.js';
import type { ParticleLevels } from '../levels/particles.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import type { BodyData } from '../topology/editRows.js';
import type { BuiltBody } from './build.js';
import type { SurfaceMesh } from './core.js';
import { type Place, Placement } from './place.js';

/** The parts of a built body that depend on where it is put. */
export interface PosedParts {
  data: BodyData;
  clustering: Clustering;
  ownLevels: ParticleLevels | undefined;
  surface: SurfaceMesh | undefined;
  makeSkin: () => SkinMesh;
  /** Columns of the rotation by which it was turned, if any. */
  turn?: Float64Array;
}

/** Turns and moves a built body. Arrays that a body writes to are new; the others may be shared with the built one. */
export function posed(built: BuiltBody, place: Place): PosedParts {
  const placement = new Placement(place);
  const { data, clustering, ownLevels, surface } = built;
  const { field, hierarchy, particleSurface } = data;
  const clusters = { ...clustering, centre: placement.points(clustering.centre) };
  return {
    data: {
      ...data,
      positions: placement.points(data.positions),
      clusters,
      particleSurface: { ...particleSurface, normal: placement.directions(particleSurface.normal) },
      hierarchy: hierarchy && { ...hierarchy, rest: turnedTies(hierarchy.rest, placement) },
      field: field && placement.field(field.grid, field.scale),
      // Measured anew where coordinates are rounded anew.
      thickness: placement.moves ? undefined : data.thickness,
    },
    clustering: clusters,
    ownLevels: ownLevels && {
      ...ownLevels,
      rest: placement.directions(ownLevels.rest),
      inverse: placement.moments(ownLevels.inverse),
      wanted: new Float64Array(ownLevels.wanted.length),
    },
    surface: surface && { positions: placement.points(surface.positions), indices: surface.indices },
    makeSkin: () => {
      const mesh = built.makeSkin();
      return { ...mesh, positions: placement.points(mesh.positions) };
    },
    ...(placement.turns && { turn: placement.turn }),
  };
}

/** Offsets of children turn. Their matrices, which are those of bodies that nothing has deformed, stay. */
function turnedTies(rest: Float64Array, placement: Placement): Float64Array {
  if (!placement.turns) return rest;
  const turned = rest.slice();
  for (let o = 9; o < rest.length; o += 12) turned.set(placement.directions(rest.subarray(o, o + 3)), o);
  return turned;
}
