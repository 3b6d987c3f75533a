import type { ContactSettings } from '../contact/options.js';
import { svdInto } from '../math/svd.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import { Flag } from '../state/flags.js';
import { PROXY_OPEN, PROXY_PLANES, type Views } from '../state/layout.js';
import { NX, NY, NZ, PROXY_ROW, REACH } from '../state/proxyRow.js';
import type { Rows } from '../state/rows.js';

/**
 * The collision proxy of a cluster: a sphere cut by half-spaces n·p < h, in rest space about the cluster's centre of mass ([J15] 3.4, SPEC
 * K1). The normals of the half-spaces are the axes of A_rr; fracture adds more half-spaces.
 *
 * In the papers a particle inside leaves through the nearest half-space or the sphere ('planes'). Most of these borders lie within the
 * body, at the seams between clusters. A particle near a seam is pushed out of each proxy into the other, and a flat side made of tilted
 * planes is so uneven that nothing comes to rest on it. So by default the proxy only bounds the region where the cluster answers for its
 * body. The particle leaves to the body's implicit surface, which the outermost members and their outward directions describe ('skin',
 * kernels/ts/proxy.ts).
 */

/** A cluster thinner than this many spacings is a single layer: its members have no inside, and so no outward direction. */
const SINGLE_LAYER = 1.2;
/** Distance (spacings) of the faces of a layer of points of unknown thickness from its particles. Also the distance of the rim of any layer. */
const BEAD = 0.5;
/**
 * Distance (spacings) of the faces of the thinnest sheet from its middle. A sheet of thickness 0 stops nothing. 0.05 let a block of half a
 * spacing through a sheet held at its rim; 0.25 stopped everything at 2 m/s and 60 Hz.
 */
const THINNEST = 0.25;

/**
 * Builds the proxy of every cluster of a body. `radius` is that of its clustering, `spacing` that of its particles. Returns the largest
 * distance of the faces of layers from their particles (m), without the margin.
 */
export function buildProxies(s: Views, rows: Rows, radius: number, settings: ContactSettings, spacing: number): number {
  const { exits, margin } = settings;
  let off = 0;
  const extents = findExtents(s, rows);
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    clearProxy(s, c);
    // `width` is the distance of the farthest member. Members of explicit clusters may be farther off than `radius`.
    const sphere = Math.max(radius, s.width[c]);
    s.proxyRound[c] = exits === 'planes' ? 1 : 0;
    s.proxySpacing[c] = spacing > 0 ? spacing : sphere > 0 ? sphere : 1;
    s.surfaceParameters[2 * c] = exits === 'planes' || !(spacing > 0) ? 0 : 1 / (spacing * spacing);
    s.surfaceParameters[2 * c + 1] = margin;
    off = Math.max(off, cutAlongAxes(s, c, extents[c - rows.clusterStart], sphere, settings, spacing));
  }
  return off;
}

/** Sets the sphere and its planes. Returns the distance of the faces of a layer from its particles; 0 if the cluster is no layer. */
function cutAlongAxes(
  s: Views,
  c: number,
  { axes, extents }: Extents,
  sphere: number,
  { exits, fraction, margin }: ContactSettings,
  spacing: number,
): number {
  // Entry k + 3 is the opposite direction of entry k.
  const thin = axes.map((_, k) => extents[k] + extents[(k + 3) % 6] < SINGLE_LAYER * spacing);
  const layer = thin.includes(true) && (exits === 'skin' || fraction > 0);
  if (layer || !(spacing > 0)) haveNoInside(s, c);
  // With an implicit surface the proxy only has to contain all that could touch it. A layer has none, and its proxy is its surface.
  const room = exits === 'planes' ? margin : margin + (layer ? BEAD : 2) * spacing;
  s.proxyRadius[c] = sphere + room;
  let off = 0;
  axes.forEach((n, k) => {
    if (layer && thin[k]) {
      const face = faceOfLayer(s, c, n, extents[k], spacing);
      off = Math.max(off, face - extents[k]);
      addPlane(s, c, n, face + margin, true);
    } else if (extents[k] < fraction * sphere) addPlane(s, c, n, extents[k] + room, exits === 'planes');
  });
  return off;
}

/**
 * Marks a layer or a single particle as having no implicit surface, and none of its members as inner: it has no surface that others would
 * touch before the members.
 */
function haveNoInside(s: Views, c: number): void {
  s.surfaceParameters[2 * c] = 0;
  for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) s.flags[s.memberParticle[k]] &= ~Flag.INNER;
}

/** Height of a layer's face along n: the surface of the solid it was sampled from, if its members know that, but at least THINNEST. */
function faceOfLayer(s: Views, c: number, n: number[], extent: number, spacing: number): number {
  let face = extent;
  let known = false;
  for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
    const height = s.reach[s.memberParticle[k]];
    known ||= height > 0;
    face = Math.max(face, height + along(s, k, n));
  }
  return known ? Math.max(face, THINNEST * spacing) : extent + BEAD * spacing;
}

export function clearProxy(s: Views, c: number): void {
  s.proxy.fill(0, PROXY_ROW * c, PROXY_ROW * (c + 1));
  s.proxy.fill(PROXY_OPEN, PROXY_ROW * c + REACH, PROXY_ROW * (c + 1));
  s.proxyPlanes[c] = s.proxyExits[c] = 0;
}

/** Cosine above which two half-spaces count as parallel. They differ by 0.08°, which at the sphere is 0.0014 of its radius. */
const SAME_WAY = 1 - 1e-6;

/**
 * Cuts a proxy by the half-space n·p < reach of rest space (n of length 1). Fracture adds its planes here, as exits (SPEC X6). Exits come
 * first in the row.
 *
 * A row has room for a fixed number of planes, so superfluous ones are dropped. Of two parallel planes only the nearer is kept. An exit
 * also replaces a bound behind it. A bound does not replace an exit behind it, because a particle may leave through that exit.
 *
 * If there is still no room, the farthest bound is dropped, as it cuts least. Bounds go first because a bound only limits where the cluster
 * answers, while an exit is where the body ends. Among exits alone the farthest is dropped, which may be the new one.
 */
export function addPlane(s: Views, c: number, n: ArrayLike<number>, reach: number, exit: boolean): void {
  for (let k = s.proxyPlanes[c] - 1; k >= 0; k--) {
    if (!(alike(s, c, k, n) > SAME_WAY)) continue;
    const isExit = k < s.proxyExits[c];
    const old = s.proxy[PROXY_ROW * c + REACH + k];
    if (old <= reach && (isExit || !exit)) return;
    if (reach <= old && (exit || !isExit)) removePlane(s, c, k);
  }
  if (s.proxyPlanes[c] === PROXY_PLANES && !makeRoom(s, c, reach, exit)) return;
  let k = s.proxyPlanes[c]++;
  if (exit) {
    copyPlane(s, c, k, s.proxyExits[c]);
    k = s.proxyExits[c]++;
  }
  const row = PROXY_ROW * c + k;
  for (let a = 0; a < 3; a++) s.proxy[row + a * PROXY_PLANES] = n[a];
  s.proxy[row + REACH] = reach;
}

/** Changes the origin of a cluster's planes by `by` in its rest frame. */
export function movePlanes({ proxy, proxyPlanes }: Views, c: number, by: ArrayLike<number>): void {
  for (let k = PROXY_ROW * c; k < PROXY_ROW * c + proxyPlanes[c]; k++)
    proxy[k + REACH] -= proxy[k] * by[0] + proxy[k + NY] * by[1] + proxy[k + NZ] * by[2];
}

/** Removes a plane to make room for a new one. Returns false if all present planes have priority. */
function makeRoom(s: Views, c: number, reach: number, exit: boolean): boolean {
  const bounds = s.proxyExits[c] < PROXY_PLANES;
  if (!bounds && !exit) return false;
  const row = PROXY_ROW * c + REACH;
  let far = bounds ? s.proxyExits[c] : 0;
  for (let k = far + 1; k < PROXY_PLANES; k++) if (s.proxy[row + k] > s.proxy[row + far]) far = k;
  if (bounds === exit || s.proxy[row + far] > reach) removePlane(s, c, far);
  return s.proxyPlanes[c] < PROXY_PLANES;
}

/** Cosine between a direction of length 1 and plane k. */
function alike(s: Views, c: number, k: number, n: ArrayLike<number>): number {
  const row = PROXY_ROW * c + k;
  return n[0] * s.proxy[row + NX] + n[1] * s.proxy[row + NY] + n[2] * s.proxy[row + NZ];
}

function removePlane(s: Views, c: number, k: number): void {
  // The last exit replaces a removed exit. The last plane then fills the free place.
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

/** The axes of A_rr, then their opposites. restInverse has the same axes. */
function axesOf(s: Views, c: number): number[][] {
  svdInto(columns, values, scratch, s.restInverse.subarray(9 * c, 9 * c + 9));
  return [1, -1].flatMap((sign) => [0, 3, 6].map((k) => [0, 1, 2].map((a) => sign * columns[k + a])));
}
const columns = new Float64Array(9);
const values = new Float64Array(3);
const scratch = new Float64Array(9);

/** The axes of a cluster, then their opposites, and the largest components of its members' rest offsets along them. */
interface Extents {
  axes: number[][];
  extents: ArrayLike<number>;
}

/** Memberships from which on the kernels are worth the way into their memory. */
const MANY = 512;

function findExtents(s: Views, { clusterStart, clusterEnd }: Rows): Extents[] {
  const axes = Array.from({ length: clusterEnd - clusterStart }, (_, c) => axesOf(s, clusterStart + c));
  const many = s.memberStart[clusterEnd] - s.memberStart[clusterStart] >= MANY;
  const fast = many ? withKernels((space) => extentsFast(space, s, clusterStart, axes)) : undefined;
  return axes.map((of, c) => ({
    axes: of,
    extents: fast ? fast.subarray(6 * c, 6 * c + 6) : extentsAlong(s, clusterStart + c, of),
  }));
}

/** The form of `extentsAlong` in WASM, for all clusters of a body. */
function extentsFast(space: Workspace, { member, memberStart }: Views, from: number, axes: number[][][]): Float64Array {
  const clusters = axes.length;
  const base = memberStart[from];
  const starts = space.putWords(memberStart.subarray(from, from + clusters + 1).map((k) => k - base));
  const members = space.putFloats(member.subarray(4 * base, 4 * memberStart[from + clusters]));
  const [directions, out] = [space.takeReals(9 * clusters), space.takeReals(6 * clusters)];
  const numbers = space.reals(directions, 9 * clusters);
  for (let c = 0; c < clusters; c++) for (let a = 0; a < 3; a++) numbers.set(axes[c][a], 9 * c + 3 * a);
  space.kernels.extentsAlong(starts, clusters, members, directions, out);
  return space.reals(out, 6 * clusters).slice();
}

/** Largest components of the members' rest offsets along three axes, then along their opposites. */
function extentsAlong({ member, memberStart }: Views, c: number, axes: number[][]): number[] {
  const last = 4 * memberStart[c + 1];
  const extents = [0, 0, 0, 0, 0, 0];
  for (let a = 0; a < 3; a++) {
    const [nx, ny, nz] = axes[a];
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let o = 4 * memberStart[c]; o < last; o += 4) {
      const value = nx * member[o] + ny * member[o + 1] + nz * member[o + 2];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    extents[a] = high;
    extents[a + 3] = -low;
  }
  return extents;
}

const along = ({ member }: Views, k: number, n: ArrayLike<number>) =>
  n[0] * member[4 * k] + n[1] * member[4 * k + 1] + n[2] * member[4 * k + 2];
