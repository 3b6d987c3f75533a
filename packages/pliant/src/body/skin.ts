import { pressOut } from '../obstacles/pressSkin.js';
import type { Before } from '../skin/bind.js';
import { BodySkin } from '../skin/renderSkin.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import { checkAlive } from './access.js';
import type { Body } from './body.js';

/** @internal The skin of a body, made at the first call. */
export function skinOf(body: Body): BodySkin {
  checkAlive(body);
  const { core } = body;
  core.shown ??= makeSkin(body, core.makeSkin());
  return core.shown;
}

/**
 * For topology changes: replaces the mesh of a body's skin by one of the present body. After a cut the vertices are at
 * `now`, and `before` has their former binding; otherwise the clusters determine their positions.
 */
export function setSkinMesh(body: Body, mesh: SkinMesh, now?: Float64Array, before?: Before): void {
  body.core.history.forgetLoss();
  showMesh(body, mesh, now, before);
}

/** For snapshots: shows a body by a mesh of the time of the snapshot. A loss of particles still applies to it. */
export function showMesh(body: Body, mesh: SkinMesh, now?: Float64Array, before?: Before): void {
  const { core } = body;
  if (core.shown) core.shown.replace(mesh, showsMore(body, mesh), now, before);
  else core.shown = makeSkin(body, mesh, now, before);
}

function makeSkin(body: Body, mesh: SkinMesh, now?: Float64Array, before?: Before): BodySkin {
  const press = (places: Float32Array) => pressOut(body, places);
  return new BodySkin(body.core.state, body, mesh, showsMore(body, mesh), press, now, before);
}

/**
 * Whether a mesh shows a larger body, of which this one is a part. Meshes of cuts and pieces come with `near`; one
 * without it is as it was built, whether it was made now or is a copy from a snapshot.
 */
function showsMore({ core }: Body, mesh: SkinMesh): boolean {
  return mesh.near === undefined && core.isPart;
}
