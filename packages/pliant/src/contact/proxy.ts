import { svdInto } from '../math/svd.js';
import type { Rows } from '../state/edit.js';
import { PROXY_OPEN, PROXY_PLANES, type Views } from '../state/layout.js';
import type { ContactSettings } from './options.js';

/**
 * The collision proxy of a cluster: a sphere cut by half-spaces n·p < h, in rest space about the cluster's centre of mass
 * ([J15] 3.4, SPEC K1). The half-spaces look along the axes of A_rr; fracture adds more.
 *
 * In the papers a particle inside leaves by the nearest half-space or through the sphere ('planes'). Most of these borders lie
 * within the body, where the next cluster goes on: a particle near such a seam is pushed out of each proxy into the other,
 * and a flat side, made of tilted planes, is a landscape on which nothing comes to rest. So by default the proxy only says where the
 * cluster answers for its body, and the way out is to the body's skin: the surface that the outermost members and the
 * directions they look in describe ('skin', kernels/ts/contact.ts).
 */

/** Offsets of the four runs of PROXY_PLANES numbers in a row of `proxy` and `placed`. */
export const NX = 0;
export const NY = PROXY_PLANES;
export const NZ = 2 * PROXY_PLANES;
export const REACH = 3 * PROXY_PLANES;
export const PROXY_ROW = 4 * PROXY_PLANES;

/** A cluster thinner than this many spacings is a single layer: its members have no inside to look away from. */
const SINGLE_LAYER = 1.2;

/** Gives every cluster of a body its proxy. `radius` is that of its clustering, `spacing` that of its particles. */
export function buildProxies(
  s: Views,
  rows: Rows,
  radius: number,
  { exits, fraction, margin }: ContactSettings,
  spacing: number,
): void {
  // Where the skin decides, the proxy only has to hold all that could touch it.
  const room = exits === 'skin' ? margin + 2 * spacing : margin;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    clearProxy(s, c);
    // Members reach as far as `width`; those of explicit clusters may reach farther than any radius.
    const sphere = Math.max(radius, s.width[c]);
    s.proxyRadius[c] = sphere + room;
    s.proxyRound[c] = exits === 'planes' ? 1 : 0;
    s.proxySpacing[c] = spacing > 0 ? spacing : sphere > 0 ? sphere : 1;
    s.skin[2 * c] = exits === 'planes' || !(spacing > 0) ? 0 : 1 / (spacing * spacing);
    s.skin[2 * c + 1] = margin;
    for (const n of axesOf(s, c)) {
      const [extent, back] = [reachAlong(s, c, n), reachAlong(s, c, [-n[0], -n[1], -n[2]])];
      const layer = extent + back < SINGLE_LAYER * spacing;
      if (layer) s.skin[2 * c] = 0;
      if (layer || extent < fraction * sphere)
        addPlane(s, c, n, extent + (layer ? margin : room), layer || exits === 'planes');
    }
  }
}

export function clearProxy(s: Views, c: number): void {
  s.proxy.fill(0, PROXY_ROW * c, PROXY_ROW * (c + 1));
  s.proxy.fill(PROXY_OPEN, PROXY_ROW * c + REACH, PROXY_ROW * (c + 1));
  s.proxyPlanes[c] = s.proxyExits[c] = 0;
}

/**
 * Cuts a proxy by the half-space n·p < reach of rest space (n of length 1); fracture adds its planes here, as exits (SPEC X6).
 * Exits come first in the row. When there is no room left, the plane that stands farthest off, and so cuts least, gives way.
 */
export function addPlane(s: Views, c: number, n: ArrayLike<number>, reach: number, exit: boolean): void {
  if (s.proxyPlanes[c] === PROXY_PLANES) {
    const row = PROXY_ROW * c + REACH;
    let far = 0;
    for (let k = 1; k < PROXY_PLANES; k++) if (s.proxy[row + k] > s.proxy[row + far]) far = k;
    if (s.proxy[row + far] <= reach) return;
    removePlane(s, c, far);
  }
  let k = s.proxyPlanes[c]++;
  if (exit) {
    copyPlane(s, c, k, s.proxyExits[c]);
    k = s.proxyExits[c]++;
  }
  const row = PROXY_ROW * c + k;
  for (let a = 0; a < 3; a++) s.proxy[row + a * PROXY_PLANES] = n[a];
  s.proxy[row + REACH] = reach;
}

/** The planes of a cluster as seen from another point of its rest frame. */
export function movePlanes({ proxy }: Views, c: number, by: ArrayLike<number>): void {
  for (let k = PROXY_ROW * c; k < PROXY_ROW * c + PROXY_PLANES; k++)
    proxy[k + REACH] -= proxy[k] * by[0] + proxy[k + NY] * by[1] + proxy[k + NZ] * by[2];
}

function removePlane(s: Views, c: number, k: number): void {
  // The last exit takes its place if it was one, and the last plane the place that is then empty.
  if (k < s.proxyExits[c]) {
    copyPlane(s, c, k, --s.proxyExits[c]);
    k = s.proxyExits[c];
  }
  copyPlane(s, c, k, --s.proxyPlanes[c]);
  const row = PROXY_ROW * c + s.proxyPlanes[c];
  for (let a = 0; a < 3; a++) s.proxy[row + a * PROXY_PLANES] = 0;
  s.proxy[row + REACH] = PROXY_OPEN;
}

function copyPlane(s: Views, c: number, to: number, from: number): void {
  const row = PROXY_ROW * c;
  for (let a = 0; a < PROXY_ROW; a += PROXY_PLANES) s.proxy[row + a + to] = s.proxy[row + a + from];
}

/** The axes of A_rr, both ways; restInverse has the same. */
function axesOf(s: Views, c: number): number[][] {
  svdInto(axes, values, scratch, s.restInverse.subarray(9 * c, 9 * c + 9));
  return [1, -1].flatMap((sign) => [0, 3, 6].map((k) => [0, 1, 2].map((a) => sign * axes[k + a])));
}
const axes = new Float64Array(9);
const values = new Float64Array(3);
const scratch = new Float64Array(9);

function reachAlong(s: Views, c: number, n: ArrayLike<number>): number {
  let reach = Number.NEGATIVE_INFINITY;
  for (let o = 4 * s.memberStart[c]; o < 4 * s.memberStart[c + 1]; o += 4)
    reach = Math.max(reach, n[0] * s.member[o] + n[1] * s.member[o + 1] + n[2] * s.member[o + 2]);
  return reach;
}
