import { smallestEigenvalue } from '../math/symmetric.js';

/** Room for the polygon and the neighbours of one point: more than these are left out, the farthest first. */
const MOST = 64;

/** The polygon around the point, in its plane, and the neighbour behind each side; −1 for a side of the first square. */
let px = new Float64Array(MOST);
let py = new Float64Array(MOST);
let behind = new Int32Array(MOST);
let [nextX, nextY, nextBehind] = [new Float64Array(MOST), new Float64Array(MOST), new Int32Array(MOST)];
const u = new Float64Array(MOST);
const v = new Float64Array(MOST);
const moments = new Float64Array(6);
const normal = new Float64Array(3);

/**
 * The triangles around a point of a surface: those of the Delaunay triangulation of the point and its neighbours in their common plane whose circles are not wider than `reach`. The cell of
 * the point (the places nearer to it than to any neighbour) is cut out of a square; two neighbours behind consecutive sides make a triangle with the point. `points` are the neighbours
 * relative to the point, three numbers each, nearest first. Calls `add` with the places of two of them in the list.
 */
export function fanAround(points: ArrayLike<number>, reach: number, add: (a: number, b: number) => void): void {
  const count = Math.min(points.length / 3, MOST / 2);
  if (!layPlane(points, count)) return;
  let sides = 4;
  for (let k = 0; k < 4; k++) {
    px[k] = k === 0 || k === 3 ? -2 * reach : 2 * reach;
    py[k] = k < 2 ? -2 * reach : 2 * reach;
    behind[k] = -1;
  }
  for (let n = 0; n < count; n++) sides = cut(sides, n);
  for (let k = 0; k < sides; k++) {
    const [a, b] = [behind[(k + sides - 1) % sides], behind[k]];
    if (a >= 0 && b >= 0 && px[k] * px[k] + py[k] * py[k] <= reach * reach) add(a, b);
  }
}

/** Writes the neighbours into coordinates of the plane through the point that is nearest to them. Returns false if they lie in a line. */
function layPlane(points: ArrayLike<number>, count: number): boolean {
  moments.fill(0);
  for (let n = 0; n < count; n++) {
    const [x, y, z] = [points[3 * n], points[3 * n + 1], points[3 * n + 2]];
    moments[0] += x * x;
    moments[1] += y * y;
    moments[2] += z * z;
    moments[3] += x * y;
    moments[4] += x * z;
    moments[5] += y * z;
  }
  const least = smallestEigenvalue(moments, 0);
  const [xx, yy, zz] = [moments[0] - least, moments[1] - least, moments[2] - least];
  const [, , , xy, xz, yz] = moments;
  // The normal is at right angles to all rows of the matrix without its least eigenvalue: the longest product of two rows.
  const rows = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  let longest = 0;
  for (const [p, q] of [
    [0, 1],
    [1, 2],
    [2, 0],
  ]) {
    const [a, b] = [rows[p], rows[q]];
    const [x, y, z] = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const square = x * x + y * y + z * z;
    if (square <= longest) continue;
    longest = square;
    normal[0] = x;
    normal[1] = y;
    normal[2] = z;
  }
  const trace = moments[0] + moments[1] + moments[2];
  if (!(longest > 1e-12 * trace * trace * trace * trace)) return false;
  const [nx, ny, nz] = normal.map((c) => c / Math.sqrt(longest));
  // Any direction across the normal serves as the first axis.
  const steep = Math.abs(nx) < 0.6;
  let [ax, ay, az] = steep ? [0, nz, -ny] : [-nz, 0, nx];
  const length = Math.sqrt(ax * ax + ay * ay + az * az);
  ax /= length;
  ay /= length;
  az /= length;
  const [bx, by, bz] = [ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax];
  for (let n = 0; n < count; n++) {
    const [x, y, z] = [points[3 * n], points[3 * n + 1], points[3 * n + 2]];
    u[n] = x * ax + y * ay + z * az;
    v[n] = x * bx + y * by + z * bz;
  }
  return true;
}

/** Keeps the part of the polygon that is nearer to the point than to neighbour n. Returns the number of its sides. */
function cut(sides: number, n: number): number {
  const half = (u[n] * u[n] + v[n] * v[n]) / 2;
  const beyond = (k: number) => px[k] * u[n] + py[k] * v[n] - half;
  let any = false;
  for (let k = 0; k < sides; k++) any ||= beyond(k) > 0;
  if (!any) return sides;
  let kept = 0;
  for (let k = 0; k < sides; k++) {
    const next = (k + 1) % sides;
    const [here, there] = [beyond(k), beyond(next)];
    if (here <= 0) {
      nextX[kept] = px[k];
      nextY[kept] = py[k];
      nextBehind[kept++] = behind[k];
    }
    if (here <= 0 !== there <= 0) {
      const share = here / (here - there);
      nextX[kept] = px[k] + share * (px[next] - px[k]);
      nextY[kept] = py[k] + share * (py[next] - py[k]);
      // The polygon goes on along the cut where it leaves, and along the old side where it comes back.
      nextBehind[kept++] = here <= 0 ? n : behind[k];
    }
  }
  [px, nextX] = [nextX, px];
  [py, nextY] = [nextY, py];
  [behind, nextBehind] = [nextBehind, behind];
  return kept;
}
