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
  for (let o = 0; o < normals.length; o += 4) {
    const length = Math.sqrt(
      normals[o] * normals[o] + normals[o + 1] * normals[o + 1] + normals[o + 2] * normals[o + 2],
    );
    // From here on the fourth number is the shift.
    const isOpen = length > CANCELLED * normals[o + 3];
    normals[o + 3] = isOpen ? kerf / 2 : normals[o + 3] > 0 ? KEPT : 0;
    for (let a = o; a < o + 3; a++) normals[a] = isOpen ? normals[a] / length : 0;
  }
  for (let k = 0; k < outer; k++) {
    const next = k % 3 === 2 ? k - 2 : k + 1;
    shiftNear(normals, places, cornerKnot[k], cornerKnot[next], kerf);
    shiftNear(normals, places, cornerKnot[next], cornerKnot[k], kerf);
  }
  for (let n = 0; 3 * n < places.length; n++)
    for (let a = 0; a < 3; a++) out[3 * n + a] -= Math.abs(normals[4 * n + 3]) * normals[4 * n + a];
}
const normalRoom = new Scratch(Float64Array);
/** Shift of knots at which a slit ends: none, and none by their neighbours. */
const KEPT = 1e-300;

/**
 * Lets an outer knot next to the rim give way, so that the rim does not pass it: depths below the face from 0 to a kerf
 * become those from half a kerf to a kerf. Shifts of such knots are negative, to tell them from the rim.
 */
function shiftNear(normals: Float64Array, places: Float32Array, rim: number, knot: number, kerf: number): void {
  const [r, n] = [4 * rim, 4 * knot];
  if (!(normals[r + 3] === kerf / 2) || normals[n + 3] > 0) return;
  let depth = 0;
  for (let a = 0; a < 3; a++) depth += (places[3 * rim + a] - places[3 * knot + a]) * normals[r + a];
  const shift = (kerf / 2) * (1 - Math.max(0, depth) / kerf);
  if (!(shift > -normals[n + 3])) return;
  for (let a = 0; a < 3; a++) normals[n + a] = normals[r + a];
  normals[n + 3] = -shift;
}
