import { squared } from '../math/elementary.js';
import type { ContactMesh } from './contactMesh.js';
import type { Contacts } from './contacts.js';

/** What two surfaces have to do with each other in one call, summed over their contacts. */
export interface SurfaceTouch {
  /** Vertices of either within the other. */
  count: number;
  /** Σ |J| (N s), of which each contact has at least FEEBLE. */
  weight: number;
  /** Σ |J| x over the vertices (N s m). */
  readonly position: Float64Array;
  /** Σ |J| n, from the second to the first (N s). */
  readonly normal: Float64Array;
  /** Σ J: what the second gave the first (N s). */
  readonly impulse: Float64Array;
}

/** Weight (N s) of a contact that gave no impulse: it still tells where it is. */
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

/** Adds contacts that were answered to the sums of their pairs. */
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
