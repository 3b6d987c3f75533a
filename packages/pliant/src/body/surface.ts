import { checkMesh, type MeshData } from '../mesh/index.js';
import { bindContactMesh, type ContactMesh } from '../meshContact/index.js';
import type { Body } from './body.js';
import type { SurfaceMesh } from './core.js';
import type { StillSurface } from './record.js';

/** Binds the contact mesh of a body that meets others by its surface. */
export function bindSurface(body: Body): void {
  const { core } = body;
  if (core.surfaceMesh) core.builtSurface = bindContactMesh(core.state, body, core.surfaceMesh, { path: 'body.mesh' });
}

export function copyOfMesh(mesh: MeshData): SurfaceMesh {
  const indices = Uint32Array.from(checkMesh('body.mesh', mesh));
  return { positions: Float64Array.from(mesh.positions), indices };
}

/** Copy of the contact mesh of a body that is not stepped. */
export const stillSurface = ({ positions, bounds, frames, isHeld }: ContactMesh): StillSurface => ({
  positions: positions.slice(),
  bounds: bounds.slice(),
  frames: frames.slice(),
  isHeld,
});
