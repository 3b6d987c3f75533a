import { checkNumber, checkPoints } from '../check.js';

/** Mass per volume: one number, or a function of the place. */
export type Density = number | ((x: number, y: number, z: number) => number);

/**
 * Gives every particle an equal share of the volume, times the density where it is. The total is density · volume for a
 * constant density, and the particle mean of the density times the volume for a varying one.
 */
export function massesFor(
  positions: ArrayLike<number>,
  volume: number,
  density: Density,
  field = 'density',
): Float64Array {
  checkPoints('positions', positions);
  checkNumber('volume', volume, { above: 0 });
  const count = positions.length / 3;
  const share = volume / count;
  if (typeof density !== 'function')
    return new Float64Array(count).fill(checkNumber(field, density, { above: 0 }) * share);
  const masses = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
    const value = density(x, y, z);
    if (!(value > 0 && value < Number.POSITIVE_INFINITY))
      checkNumber(`${field}(${x}, ${y}, ${z})`, value, { above: 0 });
    masses[i] = value * share;
  }
  return masses;
}
