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
  const sum = new Float64Array(3 * count);
  const times = new Uint16Array(count);
  for (let round = 0; round < ROUNDS; round++) {
    sum.fill(0);
    times.fill(0);
    for (let k = start; k < vertex.length; k += 3) {
      const a = vertex[k];
      const b = vertex[k + 1];
      const c = vertex[k + 2];
      for (let n = 0; n < 3; n++) {
        const both = positions[3 * a + n] + positions[3 * b + n] + positions[3 * c + n];
        sum[3 * (a - first) + n] += both - positions[3 * a + n];
        sum[3 * (b - first) + n] += both - positions[3 * b + n];
        sum[3 * (c - first) + n] += both - positions[3 * c + n];
      }
      times[a - first] += 2;
      times[b - first] += 2;
      times[c - first] += 2;
    }
    for (let p = 0; p < count; p++)
      for (let c = 0; c < 3 && times[p] > 0 && !isFixed[p]; c++) {
        const at = 3 * (first + p) + c;
        positions[at] += (sum[3 * p + c] / times[p] - positions[at]) / 2;
      }
  }
  if (relief.roughness === 0) return;
  for (let p = 0; p < count; p++) {
    if (isFixed[p]) continue;
    const at = 3 * (first + p);
    reliefInto(bump, positions, at, spacing, relief);
    for (let c = 0; c < 3; c++) positions[at + c] += bump[c];
  }
}
const bump = new Float64Array(3);
