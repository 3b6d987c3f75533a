import { Scratch } from '../scratch.js';
import type { Shading } from './shade.js';

/** Share of the sum of face normals' lengths below which they cancel: there both faces of a slit meet. */
const CANCELLED = 0.3;

/**
 * Writes the places of knots into `out`, those of inner faces moved into the matter by half a kerf: both faces of a cut
 * then stand a kerf apart, and a slit ends where its faces meet.
 */
export function openFaces(
  out: Float32Array,
  places: Float32Array,
  { cornerKnot, outer }: Pick<Shading, 'cornerKnot' | 'outer'>,
  kerf: number,
): void {
  out.set(places);
  const normals = normalRoom.takeZeros(4 * (places.length / 3));
  for (let k = outer; k < cornerKnot.length; k += 3) {
    const a = 3 * cornerKnot[k];
    const b = 3 * cornerKnot[k + 1];
    const c = 3 * cornerKnot[k + 2];
    const ux = places[b] - places[a];
    const uy = places[b + 1] - places[a + 1];
    const uz = places[b + 2] - places[a + 2];
    const vx = places[c] - places[a];
    const vy = places[c + 1] - places[a + 1];
    const vz = places[c + 2] - places[a + 2];
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const area = Math.sqrt(x * x + y * y + z * z);
    for (let n = k; n < k + 3; n++) {
      const o = 4 * cornerKnot[n];
      normals[o] += x;
      normals[o + 1] += y;
      normals[o + 2] += z;
      normals[o + 3] += area;
    }
  }
  for (let n = 0; 3 * n < places.length; n++) {
    const o = 4 * n;
    const length = Math.sqrt(
      normals[o] * normals[o] + normals[o + 1] * normals[o + 1] + normals[o + 2] * normals[o + 2],
    );
    if (!(length > CANCELLED * normals[o + 3])) continue;
    for (let a = 0; a < 3; a++) out[3 * n + a] -= ((kerf / 2) * normals[o + a]) / length;
  }
}
const normalRoom = new Scratch(Float64Array);
