import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import type { Views } from '../state/layout.js';

/** The stride of a body that nobody has asked for in this substep. */
export const UNMEASURED = -1;
const SAMPLE = 64;

/** Root mean square displacement (m) of about SAMPLE of a body's particles in this substep, before contact. Measured when it is first asked for: most bodies meet nothing. */
export function strideOf({ x, xOld }: Views, { core: { contactState }, rows }: Body): number {
  if (contactState.stride !== UNMEASURED) return contactState.stride;
  const { particleStart, particleEnd } = rows;
  const step = Math.ceil((particleEnd - particleStart) / SAMPLE);
  let [sum, count] = [0, 0];
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4 * step) {
    sum += squared(x[o] - xOld[o]) + squared(x[o + 1] - xOld[o + 1]) + squared(x[o + 2] - xOld[o + 2]);
    count++;
  }
  contactState.stride = Math.sqrt(sum / count);
  return contactState.stride;
}
