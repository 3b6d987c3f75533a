import type { Before } from '../skin/bind.js';
import { BodySkin } from '../skin/renderSkin.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import { checkAlive } from './access.js';
import type { Body } from './body.js';

/** @internal The skin of a body, made at the first call. */
export function skinOf(body: Body): BodySkin {
  checkAlive(body);
  const { core } = body;
  core.shown ??= new BodySkin(core.state, body, core.makeSkin(), core.isPart);
  return core.shown;
}

/**
 * For topology changes: replaces the mesh of a body's skin. After a cut the vertices are at `now`, and `before` has
 * their former binding; otherwise the clusters determine their positions.
 */
export function setSkinMesh(body: Body, mesh: SkinMesh, now?: Float64Array, before?: Before): void {
  const { core } = body;
  core.history.forgetLoss();
  if (core.shown) core.shown.replace(mesh, now, before);
  else core.shown = new BodySkin(core.state, body, mesh, false, now, before);
}
