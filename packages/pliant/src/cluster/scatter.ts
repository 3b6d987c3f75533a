import type { Random } from '../math/random.js';
import { ball, newNeighbourList, type PointGrid } from '../spatial/grid.js';
import type { Body } from './body.js';

/**
 * The `random` algorithm ([J15] 3.3, after Bargteil & Jones 2014): a random particle that is in no cluster yet is the
 * centre of a new one, which takes everything within the radius; until all are taken. Returns the centres.
 *
 * A shuffled walk over the particles that skips the taken ones draws each centre uniformly from those left.
 */
export function scatter(body: Body, grid: PointGrid, radius: number, random: Random): Float64Array {
  const { count, positions } = body;
  const walk = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const swap = walk[i];
    walk[i] = walk[j];
    walk[j] = swap;
  }
  const taken = new Uint8Array(count);
  const members = newNeighbourList(64);
  const centre: number[] = [];
  for (const i of walk) {
    if (taken[i]) continue;
    const [x, y, z] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
    const end = ball(grid, x, y, z, radius, members, 0);
    for (let k = 0; k < end; k++) taken[grid.order[members.index[k]]] = 1;
    centre.push(x, y, z);
  }
  return Float64Array.from(centre);
}
