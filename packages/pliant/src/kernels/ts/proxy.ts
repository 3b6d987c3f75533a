import { cubed, squared } from '../../math/elementary.js';
import { cofactorsInto, determinant, multiplyInto, normSquared } from '../../math/mat3.js';
import { svdInto } from '../../math/svd.js';
import { FIELDS, FRAME_ROW, Frame, Matrix, Row } from '../../state/fields.js';
import { PROXY_OPEN, PROXY_PLANES, UNTOUCHED, type Views } from '../../state/layout.js';
import { NX, NY, NZ, PROXY_ROW, REACH } from '../../state/proxyRow.js';
import { INVERT, SURFACE_EXIT } from '../constants.js';
import { MatchSums, sumMatch } from './match.js';

const sums = new MatchSums();
const F = new Float64Array(9);
const G = new Float64Array(9);
const U = new Float64Array(9);
const V = new Float64Array(9);
const S = new Float64Array(3);

/**
 * Moves a cluster's proxy to the current positions of its members ([J15] 16): F⁻¹ and centre into `proxyFrame`, the
 * half-spaces into `placedProxy`. n·F⁻¹(x − x̄) < h is the half-space of normal F⁻ᵀn, whose length scales distances.
 */
export function placeProxy(s: Views, c: number, h: number): void {
  const { proxyFrame, placedProxy, proxy } = s;
  sumMatch(sums, s, c);
  multiplyInto(F, sums.A, s.restInverse.subarray(Row.restInverse * c, Row.restInverse * (c + 1)));
  invertSafely(s, c);
  for (let a = 0; a < 3; a++) {
    for (let j = 0; j < 3; j++) proxyFrame[FRAME_ROW * c + Frame.COLUMN * j + a] = G[3 * j + a];
    proxyFrame[FRAME_ROW * c + Frame.CENTRE + a] = sums.centre[a];
    let moved = 0;
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++)
      moved += s.member[Row.member * k + FIELDS.member.MASS] * s.v[Row.v * s.memberParticle[k] + a];
    proxyFrame[FRAME_ROW * c + Frame.MOTION + a] = (h * moved) / s.clusterMass[c];
  }
  proxyFrame[FRAME_ROW * c + Frame.RADIUS] = s.proxyRadius[c];
  const row = PROXY_ROW * c;
  for (let k = row; k < row + PROXY_PLANES; k++) {
    const [p, q, r] = [proxy[k + NX], proxy[k + NY], proxy[k + NZ]];
    const nx = G[0] * p + G[1] * q + G[2] * r;
    const ny = G[3] * p + G[4] * q + G[5] * r;
    const nz = G[6] * p + G[7] * q + G[8] * r;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const used = length > 0;
    placedProxy[k + NX] = used ? nx / length : 0;
    placedProxy[k + NY] = used ? ny / length : 0;
    placedProxy[k + NZ] = used ? nz / length : 0;
    placedProxy[k + REACH] = used ? proxy[k + REACH] / length : PROXY_OPEN;
  }
}

/**
 * G = F⁻¹. If a cluster is crushed, inverted or stretched to a line, singular values below INVERT.THINNEST are raised
 * to it and a reflection is removed. Directions in which the cluster has no extent at rest (a sheet of one layer) keep
 * their size.
 */
function invertSafely(s: Views, c: number): void {
  const det = determinant(F);
  // σ₃ = det F/(σ₁σ₂), and σ₁σ₂ ≤ ½(σ₁² + σ₂²) ≤ ½|F|²: if this holds, no singular value is below INVERT.THINNEST.
  if (det > INVERT.THINNEST * 0.5 * normSquared(F)) {
    cofactorsInto(U, F);
    for (let a = 0; a < 3; a++) for (let j = 0; j < 3; j++) G[3 * j + a] = U[3 * a + j] / det;
    return;
  }
  svdInto(U, S, V, F);
  const inverse = s.restInverse.subarray(Row.restInverse * c, Row.restInverse * (c + 1));
  const flat = 1e-9 * (inverse[Matrix.XX] + inverse[Matrix.YY] + inverse[Matrix.ZZ]);
  G.fill(0);
  for (let k = 0; k < 3; k++) {
    let seen = 0;
    for (let a = 0; a < 3; a++)
      seen += squared(
        inverse[a] * V[3 * k] + inverse[Matrix.XY + a] * V[3 * k + 1] + inverse[Matrix.XZ + a] * V[3 * k + 2],
      );
    const sigma = seen <= flat * flat ? 1 : Math.max(INVERT.THINNEST, Math.abs(S[k]));
    for (let a = 0; a < 3; a++) for (let j = 0; j < 3; j++) G[3 * j + a] += (V[3 * k + a] * U[3 * k + j]) / sigma;
  }
}

/**
 * Signed distance to every half-space, negative inside, at the start and at the end of the particle's path in this
 * step.
 */
const before = new Float64Array(PROXY_PLANES);
const after = new Float64Array(PROXY_PLANES);
/** Both ends of the path relative to the cluster's centre, in the world and in rest space. */
const start = new Float64Array(3);
const end = new Float64Array(3);
const q0 = new Float64Array(3);
const q1 = new Float64Array(3);
/** The contact found. */
const normal = new Float64Array(3);
let depth = 0;

/**
 * Normal and depth of the first `count` particles of `touching` in the clusters that were found for them. Particles
 * outside the surface are removed from the list, and those in their own body that did not come in through the surface. Returns how many stay.
 */
export function measureTouches(s: Views, count: number, deepest: number): number {
  let kept = 0;
  for (let n = 0; n < count; n++) {
    const i = s.touching[n];
    const c = s.touchCluster[i];
    const self = s.bodyOf[i] === s.bodyOfCluster[c];
    depth = 0;
    if (enterProxy(entry, s, i, c)) findExit(s, c, i);
    if (depth > 0) {
      s.touch.set(normal, Row.touch * i);
      s.touch[Row.touch * i + FIELDS.touch.DEPTH] = depth;
      if (!self || (hasComeIn(s, i, c, deepest) && !isInPlace(s, c, i))) {
        s.touching[kept++] = i;
        continue;
      }
    }
    s.touchCluster[i] = UNTOUCHED;
  }
  return kept;
}

/**
 * Whether particle i may have come into cluster c through the surface: it is no deeper than `deepest` spacings and the distance that it came in during this step. A deeper one of the same body
 * is inside because the body is compressed, and elasticity resolves that.
 */
function hasComeIn(
  { x, xOld, touch, proxyFrame, proxySpacing }: Views,
  i: number,
  c: number,
  deepest: number,
): boolean {
  let came = 0;
  for (let a = 0; a < 3; a++)
    came -=
      touch[Row.touch * i + a] *
      (x[Row.x * i + a] - xOld[Row.xOld * i + a] - proxyFrame[FRAME_ROW * c + Frame.MOTION + a]);
  return touch[Row.touch * i + FIELDS.touch.DEPTH] <= deepest * proxySpacing[c] + Math.max(0, came);
}

/**
 * Whether the path of the particle, relative to the moving cluster, enters the proxy. Writes the place of entry in rest
 * space to `out` and the position on the path to `enter`.
 */
export function enterProxy(out: Float64Array, s: Views, i: number, c: number): boolean {
  const { proxyFrame } = s;
  for (let a = 0; a < 3; a++) {
    const from = proxyFrame[FRAME_ROW * c + Frame.CENTRE + a];
    end[a] = s.x[Row.x * i + a] - from;
    start[a] = s.xOld[Row.xOld * i + a] + proxyFrame[FRAME_ROW * c + Frame.MOTION + a] - from;
  }
  enter = cross(s, c);
  if (enter > 1) return false;
  for (let a = 0; a < 3; a++) out[a] = q0[a] + enter * (q1[a] - q0[a]);
  return true;
}
let enter = 0;
/** Place in rest space where the particle being measured enters the proxy. */
const entry = new Float64Array(3);

/** Position in [0, 1] at which the path enters the proxy: 0 if it starts inside, 2 if it does not enter. */
function cross(s: Views, c: number): number {
  const { placedProxy } = s;
  const row = PROXY_ROW * c;
  let enter = 0;
  let leave = 1;
  for (let k = 0; k < s.proxyPlanes[c]; k++) {
    const o = row + k;
    const h = placedProxy[o + REACH];
    const b = placedProxy[o] * start[0] + placedProxy[o + NY] * start[1] + placedProxy[o + NZ] * start[2] - h;
    const e = placedProxy[o] * end[0] + placedProxy[o + NY] * end[1] + placedProxy[o + NZ] * end[2] - h;
    before[k] = b;
    after[k] = e;
    if (b >= 0) {
      if (e >= 0) return 2;
      enter = Math.max(enter, b / (b - e));
    } else if (e > 0) leave = Math.min(leave, b / (b - e));
  }
  return enter <= leave ? crossSphere(s, c, enter, leave) : 2;
}

/** The same for the sphere, which is a sphere in rest space, within the part [enter, leave] of the path. */
function crossSphere({ proxyFrame }: Views, c: number, enter: number, leave: number): number {
  const f = FRAME_ROW * c;
  let aa = 0;
  let ab = 0;
  let bb = -proxyFrame[f + Frame.RADIUS] * proxyFrame[f + Frame.RADIUS];
  for (let a = 0; a < 3; a++) {
    q0[a] =
      proxyFrame[f + a] * start[0] + proxyFrame[f + Frame.Y + a] * start[1] + proxyFrame[f + Frame.Z + a] * start[2];
    q1[a] = proxyFrame[f + a] * end[0] + proxyFrame[f + Frame.Y + a] * end[1] + proxyFrame[f + Frame.Z + a] * end[2];
    const d = q1[a] - q0[a];
    aa += d * d;
    ab += d * q0[a];
    bb += q0[a] * q0[a];
  }
  const root = ab * ab - aa * bb;
  if (bb >= 0 && (root <= 0 || ab >= 0)) return 2;
  // bb < 0: the path starts inside. A path without length stays there.
  const first = bb < 0 ? 0 : (-ab - Math.sqrt(root)) / aa;
  const last = aa > 0 ? (-ab + Math.sqrt(root)) / aa : 1;
  const into = Math.max(enter, first);
  return into <= leave && into <= last ? into : 2;
}

/**
 * Finds the exit from the place of entry: a particle that came through the surface leaves through the same surface,
 * however deep it is. `depth` is measured from the end of the path; 0 if that is outside.
 */
function findExit(s: Views, c: number, i: number): void {
  const { placedProxy } = s;
  findHome(s, c, i);
  let least = Number.POSITIVE_INFINITY;
  if (s.surfaceParameters[Row.surfaceParameters * c] > 0)
    least =
      s.distanceGrid[Row.distanceGrid * c + FIELDS.distanceGrid.NX] > 0
        ? exitThroughField(s, c, s.reach[i])
        : exitThroughMembers(s, c, s.reach[i]);
  let face = -1;
  for (let k = 0; k < s.proxyExits[c]; k++) {
    const way = -before[k] - enter * (after[k] - before[k]);
    if (way < least) {
      least = way;
      face = k;
    }
  }
  if (s.proxyRound[c] === 1 && exitThroughSphere(s, c, least)) return;
  if (face < 0) return;
  depth = Math.max(0, -after[face]);
  const o = PROXY_ROW * c + face;
  normal[0] = placedProxy[o];
  normal[1] = placedProxy[o + NY];
  normal[2] = placedProxy[o + NZ];
}

/**
 * Whether a particle, relative to cluster c of its own body, is near its rest place. Squeezing brings particles near
 * clusters that they were not near at rest, without any contact. The answer is no without an implicit surface, if the particle is far from its place
 * in the rest shape, or if the segment from that place to its present one crosses a gap.
 */
function isInPlace(s: Views, c: number, i: number): boolean {
  if (!(s.surfaceParameters[Row.surfaceParameters * c] > 0)) return false;
  const l = s.linkStart[s.gatherRank[i]];
  if (l === s.linkStart[s.gatherRank[i] + 1]) return false;
  placeInto(place, s, s.linkCluster[l], s.link[Row.link * l], s.link[Row.link * l + 1], s.link[Row.link * l + 2]);
  placeInto(now, s, c, entry[0], entry[1], entry[2]);
  let [moved, off] = [0, 0];
  for (let a = 0; a < 3; a++) {
    moved += squared(now[a] - place[a]);
    off += squared(s.restFrame[Row.restFrame * c + FIELDS.restFrame.PLACE + a] - place[a]);
  }
  if (moved > SURFACE_EXIT.STRAY * SURFACE_EXIT.STRAY * off) return false;
  const gap = SURFACE_EXIT.GAP / Math.sqrt(s.surfaceParameters[Row.surfaceParameters * c]);
  if (s.distanceGrid[Row.distanceGrid * c + FIELDS.distanceGrid.NX] > 0)
    for (let t = 0.25; t < 1; t += 0.25)
      if (fieldAtNode(s, c, mix(0, t), mix(1, t), mix(2, t)) && value > gap) return false;
  return true;
}
const place = new Float64Array(3);
const now = new Float64Array(3);
const mix = (a: number, t: number) => place[a] + t * (now[a] - place[a]);

/**
 * Position of a rest offset of cluster c in the rest shape: in nodes of the distance field, or in metres where there is
 * none.
 */
function placeInto(out: Float64Array, { restFrame }: Views, c: number, x: number, y: number, z: number): void {
  const { Y, Z, PLACE } = FIELDS.restFrame;
  const o = Row.restFrame * c;
  for (let a = 0; a < 3; a++)
    out[a] = restFrame[o + a] * x + restFrame[o + Y + a] * y + restFrame[o + Z + a] * z + restFrame[o + PLACE + a];
}

/**
 * Unit vector in rest space from the particle to the first member of its own cluster, the direction home; 0 if the
 * particle is that member.
 */
const home = new Float64Array(3);

function findHome(s: Views, c: number, i: number): void {
  const l = s.linkStart[s.gatherRank[i]];
  // Debris belongs to no cluster and has no direction home.
  const middle = l < s.linkStart[s.gatherRank[i] + 1] ? s.memberParticle[s.memberStart[s.linkCluster[l]]] : i;
  const dx = s.x[Row.x * middle] - s.x[Row.x * i];
  const dy = s.x[Row.x * middle + 1] - s.x[Row.x * i + 1];
  const dz = s.x[Row.x * middle + 2] - s.x[Row.x * i + 2];
  const f = FRAME_ROW * c;
  for (let a = 0; a < 3; a++)
    home[a] = s.proxyFrame[f + a] * dx + s.proxyFrame[f + Frame.Y + a] * dy + s.proxyFrame[f + Frame.Z + a] * dz;
  const length = Math.sqrt(squared(home[0]) + squared(home[1]) + squared(home[2]));
  for (let a = 0; a < 3; a++) home[a] = length > 0 ? home[a] / length : 0;
}

/**
 * Height above the implicit surface near `entry`: the mean of the heights above the surface members' planes (an
 * implicit moving-least-squares surface). Normal and depth at the end of the path follow from the plane found; the
 * particle's own body ends `reach` beyond the particle. Returns the distance of `entry` below the surface, or infinity
 * if there is no surface.
 *
 * Weights of a plane:
 * - The eighth power of the member's inverse distance.
 * - The sixth power of the height above it. At an edge between two sides the plain mean would lie below the surface.
 *   This fills hollows, where farther planes are the higher ones; bodies sampled from a solid use a distance field
 *   instead.
 * - Almost 0 if it faces away from the particle's own body: a particle that was pressed half through a thin wall goes
 *   back.
 */
function exitThroughMembers(s: Views, c: number, reach: number): number {
  const { member, outward } = s;
  const scale = s.surfaceParameters[Row.surfaceParameters * c];
  const perSpacing = Math.sqrt(scale);
  let [sum, height, nx, ny, nz] = [0, 0, 0, 0, 0];
  for (let o = Row.member * s.memberStart[c]; o < Row.member * s.surfaceEnd[c]; o += Row.member) {
    const dx = entry[0] - member[o];
    const dy = entry[1] - member[o + 1];
    const dz = entry[2] - member[o + 2];
    const d2 = (dx * dx + dy * dy + dz * dz) * scale + SURFACE_EXIT.SOFT;
    const high = outward[o + FIELDS.outward.HEIGHT];
    if (high < 0) continue;
    const h = dx * outward[o] + dy * outward[o + 1] + dz * outward[o + 2] - high;
    const out = cubed(Math.min(9, Math.max(0.02, 1 + 4 * h * perSpacing))) / (d2 * d2);
    // Prefers planes that face the particle's own body.
    const facing = outward[o] * home[0] + outward[o + 1] * home[1] + outward[o + 2] * home[2];
    const w = squared(out * Math.min(1, Math.max(SURFACE_EXIT.WRONG_WAY, (facing + 0.3) / 0.3)));
    sum += w;
    height += w * h;
    nx += w * outward[o];
    ny += w * outward[o + 1];
    nz += w * outward[o + 2];
  }
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
  // No implicit surface here, or two opposite sides that cancel each other.
  if (!(size > 1e-3 * sum)) return Number.POSITIVE_INFINITY;
  return leaveAlong(s, c, nx / size, ny / size, nz / size, height / sum, reach);
}

/**
 * Given the plane of rest space with this normal, `height` below `entry`: sets depth and normal in the world, and
 * returns the distance from `entry` to the plane.
 */
function leaveAlong(s: Views, c: number, nx: number, ny: number, nz: number, height: number, reach: number): number {
  const { proxyFrame } = s;
  const above = height - s.surfaceParameters[Row.surfaceParameters * c + FIELDS.surfaceParameters.MARGIN];
  const beyond = nx * (q1[0] - entry[0]) + ny * (q1[1] - entry[1]) + nz * (q1[2] - entry[2]);
  const f = FRAME_ROW * c;
  const wx = proxyFrame[f] * nx + proxyFrame[f + 1] * ny + proxyFrame[f + 2] * nz;
  const wy = proxyFrame[f + Frame.Y] * nx + proxyFrame[f + Frame.Y + 1] * ny + proxyFrame[f + Frame.Y + 2] * nz;
  const wz = proxyFrame[f + Frame.Z] * nx + proxyFrame[f + Frame.Z + 1] * ny + proxyFrame[f + Frame.Z + 2] * nz;
  const length = Math.sqrt(wx * wx + wy * wy + wz * wz);
  depth = Math.max(0, reach - (above + beyond) / length);
  normal[0] = wx / length;
  normal[1] = wy / length;
  normal[2] = wz / length;
  return -above / length;
}

/**
 * Exit through the body's surface by its distance field: distance and gradient at `entry`. Where the gradient points
 * away from the particle's own body, or vanishes (midway between two sides), the exit is in the direction home, at the
 * distance where the body ends.
 */
function exitThroughField(s: Views, c: number, reach: number): number {
  if (!fieldAt(s, c, entry[0], entry[1], entry[2])) return Number.POSITIVE_INFINITY;
  const size = Math.sqrt(squared(gradient[0]) + squared(gradient[1]) + squared(gradient[2]));
  const facing = gradient[0] * home[0] + gradient[1] * home[1] + gradient[2] * home[2];
  // In rest space a gradient has about length 1, as that of a distance; it is shorter at a ridge of the field.
  if (value >= 0 || (size > SURFACE_EXIT.FLAT_FIELD && facing > -SURFACE_EXIT.AWAY * size))
    return size > SURFACE_EXIT.FLAT_FIELD
      ? leaveAlong(s, c, gradient[0] / size, gradient[1] / size, gradient[2] / size, value / size, reach)
      : Number.POSITIVE_INFINITY;
  // There is no direction home for the first member of a cluster.
  if (home[0] === 0 && home[1] === 0 && home[2] === 0) return Number.POSITIVE_INFINITY;
  let way = 0;
  for (let n = 0; n < SURFACE_EXIT.HOME_STEPS && value < 0; n++) {
    way += Math.max(-value, 0.25 / Math.sqrt(s.surfaceParameters[Row.surfaceParameters * c]));
    if (!fieldAt(s, c, entry[0] + way * home[0], entry[1] + way * home[1], entry[2] + way * home[2])) break;
  }
  return leaveAlong(s, c, home[0], home[1], home[2], -way, reach);
}

let value = 0;
const gradient = new Float64Array(3);

/**
 * `value` := the distance to the rest shape's surface at a rest offset of cluster c, with its `gradient`; false outside
 * the field.
 */
function fieldAt(s: Views, c: number, x: number, y: number, z: number): boolean {
  placeInto(node, s, c, x, y, z);
  return fieldAtNode(s, c, node[0], node[1], node[2]);
}
const node = new Float64Array(3);

function fieldAtNode(
  { restFrame, distanceGrid, distance }: Views,
  c: number,
  gx: number,
  gy: number,
  gz: number,
): boolean {
  const [first, nx, ny, nz] = distanceGrid.subarray(Row.distanceGrid * c, Row.distanceGrid * (c + 1));
  if (!(gx >= 0 && gy >= 0 && gz >= 0 && gx < nx - 1 && gy < ny - 1 && gz < nz - 1)) return false;
  const [i, j, k] = [Math.floor(gx), Math.floor(gy), Math.floor(gz)];
  const [u, v, w] = [gx - i, gy - j, gz - k];
  const o = first + (k * ny + j) * nx + i;
  const d000 = distance[o];
  const d100 = distance[o + 1];
  const d010 = distance[o + nx];
  const d110 = distance[o + nx + 1];
  const up = nx * ny;
  const d001 = distance[o + up];
  const d101 = distance[o + up + 1];
  const d011 = distance[o + up + nx];
  const d111 = distance[o + up + nx + 1];
  // Trilinear interpolation: along x on four edges, then along y, then z. Then its derivatives.
  const x00 = d000 + u * (d100 - d000);
  const x10 = d010 + u * (d110 - d010);
  const x01 = d001 + u * (d101 - d001);
  const x11 = d011 + u * (d111 - d011);
  const y0 = x00 + v * (x10 - x00);
  const y1 = x01 + v * (x11 - x01);
  value = y0 + w * (y1 - y0);
  const dx0 = (1 - v) * (d100 - d000) + v * (d110 - d010);
  const dx1 = (1 - v) * (d101 - d001) + v * (d111 - d011);
  const dx = dx0 + w * (dx1 - dx0);
  const dy = (1 - w) * (x10 - x00) + w * (x11 - x01);
  const dz = y1 - y0;
  for (let a = 0; a < 3; a++) {
    const m = Row.restFrame * c + FIELDS.restFrame.COLUMN * a;
    gradient[a] = restFrame[m] * dx + restFrame[m + 1] * dy + restFrame[m + 2] * dz;
  }
  return true;
}

/**
 * Exit through the sphere: the tangent plane next to the place of entry. Sets depth and normal and returns true if that
 * plane is nearer than `least`.
 */
function exitThroughSphere({ proxyFrame }: Views, c: number, least: number): boolean {
  const f = FRAME_ROW * c;
  const radius = proxyFrame[f + Frame.RADIUS];
  let [nx, ny, nz] = entry;
  const distance = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (distance > 1e-6 * radius) {
    nx /= distance;
    ny /= distance;
    nz /= distance;
  } else [nx, ny, nz] = [0, 1, 0]; // From the centre all directions are equally long.
  const wx = proxyFrame[f] * nx + proxyFrame[f + 1] * ny + proxyFrame[f + 2] * nz;
  const wy = proxyFrame[f + Frame.Y] * nx + proxyFrame[f + Frame.Y + 1] * ny + proxyFrame[f + Frame.Y + 2] * nz;
  const wz = proxyFrame[f + Frame.Z] * nx + proxyFrame[f + Frame.Z + 1] * ny + proxyFrame[f + Frame.Z + 2] * nz;
  const length = Math.sqrt(wx * wx + wy * wy + wz * wz);
  if ((radius - distance) / length >= least) return false;
  depth = Math.max(0, (radius - (wx * end[0] + wy * end[1] + wz * end[2])) / length);
  normal[0] = wx / length;
  normal[1] = wy / length;
  normal[2] = wz / length;
  return true;
}
