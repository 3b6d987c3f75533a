import { squared } from '../math/elementary.js';
import type { ContactMesh } from './contactMesh.js';
import type { Contacts } from './contacts.js';

/** Sums over the contacts of two surfaces in one call. */
export interface SurfaceTouch {
  /** Number of vertices of either surface inside the other. */
  count: number;
  /** Σ |J| (N s); each contact adds at least FEEBLE. */
  weight: number;
  /** Σ |J| x over the vertices (N s m). */
  readonly position: Float64Array;
  /** Σ |J| n, with n from the second surface to the first (N s). */
  readonly normal: Float64Array;
  /** Σ J: impulse of the second surface on the first (N s). */
  readonly impulse: Float64Array;
}

/** Weight (N s) of a contact without impulse, so that its position and normal still enter the means. */
export const FEEBLE = 1e-30;

export const newSurfaceTouch = (): SurfaceTouch => ({
  count: 0,
  weight: 0,
  position: new Float64Array(3),
  normal: new Float64Array(3),
  impulse: new Float64Array(3),
});

export function clearTouch(touch: SurfaceTouch): void {
  touch.count = touch.weight = 0;
  touch.position.fill(0);
  touch.normal.fill(0);
  touch.impulse.fill(0);
}

/** Adds the resolved contacts to the sums of their pairs. */
export function sumTouches(
  { count, pairs: pairOf, meshes: skinOf, vertices, normals, given }: Contacts,
  meshes: readonly ContactMesh[],
  pairs: readonly { a: ContactMesh; touch: SurfaceTouch }[],
): void {
  for (let n = 0; n < count; n++) {
    const { a: first, touch } = pairs[pairOf[n]];
    const mesh = meshes[skinOf[2 * n]];
    const sign = mesh === first ? 1 : -1;
    const weight = Math.sqrt(squared(given[3 * n]) + squared(given[3 * n + 1]) + squared(given[3 * n + 2])) + FEEBLE;
    touch.count++;
    touch.weight += weight;
    for (let a = 0; a < 3; a++) {
      touch.position[a] += weight * mesh.positions[3 * vertices[4 * n] + a];
      touch.normal[a] += sign * weight * normals[4 * n + a];
      touch.impulse[a] += sign * given[3 * n + a];
    }
  }
}
