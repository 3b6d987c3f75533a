import type { Body } from '../../body/body.js';
import type { World } from '../../world.js';

/** Puts every particle at M X (columns of M, X at rest), standing still. */
export function deform(body: Body, m: ArrayLike<number>): void {
  const { positions: x, velocities: v, restPositions: rest } = body;
  for (let i = 0; i < body.particleCount; i++)
    for (let a = 0; a < 3; a++) {
      x[4 * i + a] = m[a] * rest[3 * i] + m[3 + a] * rest[3 * i + 1] + m[6 + a] * rest[3 * i + 2];
      v[4 * i + a] = 0;
    }
}

/** F^p of a cluster, by columns. */
export const plasticOf = (world: World, cluster = 0) =>
  Array.from(world.state.views.plastic.slice(9 * cluster, 9 * cluster + 9));

/** How far a body is from standing at M X, turned and moved as may be: root mean square (m). */
export function deviationFrom(body: Body, m: ArrayLike<number>, fit: (body: Body) => { rms: number }): number {
  const rest = new Float64Array(body.restPositions.length);
  for (let k = 0; k < rest.length; k += 3)
    for (let a = 0; a < 3; a++)
      rest[k + a] =
        m[a] * body.restPositions[k] + m[3 + a] * body.restPositions[k + 1] + m[6 + a] * body.restPositions[k + 2];
  return fit({ restPositions: rest, positions: body.positions, particleCount: body.particleCount } as Body).rms;
}
