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
  for (let k = 0; k < point.length; k++) {
    const p = vertex[start + k] - first;
    times[p] += 2;
    point[k] = 3 * p;
  }
  for (let round = 0; round < ROUNDS; round++) {
    sum.fill(0);
    for (let k = 0; k < point.length; k += 3) {
      const a = point[k];
      const b = point[k + 1];
      const c = point[k + 2];
      const [px, py, pz] = [x[a] + x[b] + x[c], x[a + 1] + x[b + 1] + x[c + 1], x[a + 2] + x[b + 2] + x[c + 2]];
      sum[a] += px - x[a];
      sum[a + 1] += py - x[a + 1];
      sum[a + 2] += pz - x[a + 2];
      sum[b] += px - x[b];
      sum[b + 1] += py - x[b + 1];
      sum[b + 2] += pz - x[b + 2];
      sum[c] += px - x[c];
      sum[c + 1] += py - x[c + 1];
      sum[c + 2] += pz - x[c + 2];
    }
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
const bump = new Float64Array(3);
const places = new Scratch(Float64Array);
const sums = new Scratch(Float64Array);
const timesRoom = new Scratch();
const points = new Scratch();
