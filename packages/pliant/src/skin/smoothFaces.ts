import { Scratch } from '../scratch.js';
import { type Relief, reliefInto } from './relief.js';

/** Faces of a crack, to be made smooth. */
export interface SmoothFaces {
  /** Rest positions: those of the mesh, then, from vertex `first` on, the points of the crack. */
  readonly positions: Float64Array;
  readonly first: number;
  /** Per point of the crack: 1 where it lies on the mesh and stays. */
  readonly isFixed: Uint8Array;
  /** Vertices of triangles; the faces begin at index `start`. Both sides of a face have the same vertices. */
  readonly vertex: Uint32Array;
  readonly start: number;
}

/** Rounds of smoothing. */
const ROUNDS = 4;

/**
 * Makes the faces of a crack smooth: in each round a point moves halfway to the mean of its neighbours. Both sides have
 * the same positions, so volumes still add up. Then the faces get their relief.
 */
export function smoothFaces(
  { positions, first, isFixed, vertex, start }: SmoothFaces,
  spacing: number,
  relief: Relief,
): void {
  const count = isFixed.length;
  const x = places.take(3 * count);
  x.set(positions.subarray(3 * first));
  const sum = sums.take(3 * count);
  const times = timesRoom.takeZeros(count);
  const point = points.take(vertex.length - start);
  // Triangles whose other side comes next are listed first, once for both.
  let twice = 0;
  let once = point.length;
  for (let k = start; k < vertex.length; k += 3) {
    const a = vertex[k] - first;
    const b = vertex[k + 1] - first;
    const c = vertex[k + 2] - first;
    const isPair = k + 3 < vertex.length && areMirrored(vertex, k);
    times[a] += isPair ? 4 : 2;
    times[b] += isPair ? 4 : 2;
    times[c] += isPair ? 4 : 2;
    const at = isPair ? twice : once - 3;
    point[at] = 3 * a;
    point[at + 1] = 3 * b;
    point[at + 2] = 3 * c;
    if (isPair) {
      twice += 3;
      k += 3;
    } else once = at;
  }
  for (let round = 0; round < ROUNDS; round++) {
    sum.fill(0);
    addNeighbours(sum, x, point, 0, twice);
    for (let at = 0; at < sum.length; at++) sum[at] *= 2;
    addNeighbours(sum, x, point, once, point.length);
    for (let p = 0; p < count; p++) {
      if (times[p] === 0 || isFixed[p]) continue;
      for (let at = 3 * p; at < 3 * p + 3; at++) x[at] += (sum[at] / times[p] - x[at]) / 2;
    }
  }
  positions.set(x, 3 * first);
  if (relief.roughness === 0) return;
  for (let p = 0; p < count; p++) {
    if (isFixed[p]) continue;
    const at = 3 * (first + p);
    reliefInto(bump, positions, at, spacing, relief);
    for (let c = 0; c < 3; c++) positions[at + c] += bump[c];
  }
}

/** Whether the triangle at index k of `vertex` has the same vertices as the next, seen from behind, in an order in which CellClipper adds them. */
function areMirrored(vertex: Uint32Array, k: number): boolean {
  if (vertex[k + 1] === vertex[k + 4]) return vertex[k] === vertex[k + 5] && vertex[k + 2] === vertex[k + 3];
  return vertex[k] === vertex[k + 4] && vertex[k + 1] === vertex[k + 3] && vertex[k + 2] === vertex[k + 5];
}

/** Adds the places of the other two points to the sum of each point of a triangle. */
function addNeighbours(sum: Float64Array, x: Float64Array, point: Uint32Array, from: number, to: number): void {
  for (let k = from; k < to; k += 3) {
    const a = point[k];
    const b = point[k + 1];
    const c = point[k + 2];
    // Written out: a loop over the axes takes longer.
    sum[a] += x[b] + x[c];
    sum[a + 1] += x[b + 1] + x[c + 1];
    sum[a + 2] += x[b + 2] + x[c + 2];
    sum[b] += x[a] + x[c];
    sum[b + 1] += x[a + 1] + x[c + 1];
    sum[b + 2] += x[a + 2] + x[c + 2];
    sum[c] += x[a] + x[b];
    sum[c + 1] += x[a + 1] + x[b + 1];
    sum[c + 2] += x[a + 2] + x[b + 2];
  }
}
const bump = new Float64Array(3);
const places = new Scratch(Float64Array);
const sums = new Scratch(Float64Array);
const timesRoom = new Scratch();
const points = new Scratch();
