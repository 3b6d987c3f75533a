import { LIGHTEST } from '../fracture/copies.js';
import type { Body } from './body.js';

/**
 * Whether a body has less than it was built with, because pieces came off. Copies of a particle together have the mass
 * of their ancestor; the lightest that can be missing is `LIGHTEST` of it.
 */
export function hasLess({ rows, builtPositions, core }: Body): boolean {
  const { ancestor, builtMass, x } = core.state.views;
  const share = new Float64Array(builtPositions.length / 3);
  for (let i = rows.particleStart; i < rows.particleEnd; i++) share[ancestor[i]] += x[4 * i + 3] / builtMass[i];
  return share.some((part) => part < 1 - LIGHTEST / 2);
}
