import type { Views } from '../state/layout.js';
import { NX, NY, NZ, PROXY_ROW, REACH } from '../state/proxyRow.js';

/**
 * Clusters without implicit surface because they are one particle thick: sheets and threads. Their proxies have the right thickness, but
 * extend beyond their rims (they are boxes, cut by a sphere). So a query must test where the particles are.
 */
export const SOLID = 0;
export const SHEET = 1;
export const THREAD = 2;

/**
 * A layer is less than this many spacings thick: at most 1.2 between its particles (SINGLE_LAYER in proxy/proxy.ts), plus less than 0.8 to
 * each face (OUTERMOST in proxy/outward.ts).
 */
const LAYER = 2.81;
/**
 * A point belongs to a sheet if a particle is within this distance (spacings). At a face, half a spacing off, that is one spacing along the
 * sheet. The middle of a square of four particles is 0.71 from them; other samplings leave larger gaps.
 */
const CLOSE = 1.12;

/** Whether a cluster without implicit surface is thin in no direction (SOLID: its proxy is its shape), one (SHEET) or more (THREAD). */
export function thinness(s: Views, c: number): typeof SOLID | typeof SHEET | typeof THREAD {
  // If particles may leave through the sphere, the proxy itself is the surface (exits: 'planes').
  if (s.proxyRound[c] === 1) return SOLID;
  const row = PROXY_ROW * c;
  const thick = LAYER * s.proxySpacing[c] + 2 * s.surfaceParameters[2 * c + 1];
  let thin = 0;
  for (let k = row; k < row + s.proxyExits[c]; k++)
    for (let l = row; l < k; l++) {
      const dot =
        s.proxy[k + NX] * s.proxy[l + NX] + s.proxy[k + NY] * s.proxy[l + NY] + s.proxy[k + NZ] * s.proxy[l + NZ];
      if (dot < -0.999 && s.proxy[k + REACH] + s.proxy[l + REACH] < thick) thin++;
    }
  return thin === 0 ? SOLID : thin === 1 ? SHEET : THREAD;
}

/** Whether a member of the cluster is within CLOSE of a point of rest space. */
export function isClose(s: Views, c: number, q: ArrayLike<number>): boolean {
  const reach = CLOSE * s.proxySpacing[c];
  for (let o = 4 * s.memberStart[c]; o < 4 * s.memberStart[c + 1]; o += 4) {
    const [dx, dy, dz] = [q[0] - s.member[o], q[1] - s.member[o + 1], q[2] - s.member[o + 2]];
    if (dx * dx + dy * dy + dz * dz <= reach * reach) return true;
  }
  return false;
}

/**
 * The first hit of the ray q + t d (rest space) on the balls around the members; infinite if there is none. The balls have a radius of half
 * a spacing, the thickness of a thread. Writes the direction of the normal into `normal`.
 */
export function meetBeads(normal: Float64Array, s: Views, c: number, q: Float64Array, d: Float64Array): number {
  const radius = s.proxySpacing[c] / 2 + s.surfaceParameters[2 * c + 1];
  const dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  let first = Number.POSITIVE_INFINITY;
  for (let o = 4 * s.memberStart[c]; o < 4 * s.memberStart[c + 1]; o += 4) {
    const [x, y, z] = [q[0] - s.member[o], q[1] - s.member[o + 1], q[2] - s.member[o + 2]];
    const along = x * d[0] + y * d[1] + z * d[2];
    const above = x * x + y * y + z * z - radius * radius;
    const root = along * along - dd * above;
    if (root < 0 || (above > 0 && along > 0)) continue;
    const t = Math.max(0, (-along - Math.sqrt(root)) / dd);
    if (t >= first) continue;
    first = t;
    normal[0] = x + t * d[0];
    normal[1] = y + t * d[1];
    normal[2] = z + t * d[2];
  }
  return first;
}
