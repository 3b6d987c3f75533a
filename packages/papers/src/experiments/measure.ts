import type { Body, Vec3, World } from 'pliant';

/** x, y, z of the particles of a body, without their masses. */
export const pointsOf = (body: Body): Float32Array => body.copyPositions();

/** Root mean square distance of the particles from their centre of mass, along each axis (m). */
export function spreadOf({ positions: x, particleCount: n }: Body): Vec3 {
  const [mean, square] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (let o = 0; o < 4 * n; o += 4)
    for (let a = 0; a < 3; a++) {
      mean[a] += x[o + a] / n;
      square[a] += (x[o + a] * x[o + a]) / n;
    }
  return [0, 1, 2].map((a) => Math.sqrt(Math.max(0, square[a] - mean[a] * mean[a]))) as unknown as Vec3;
}

/** Size of the body along each axis (m). */
export function sizeOf(body: Body): Vec3 {
  const { min, max } = body.bounds;
  return [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
}

/** The largest speed of a particle (m/s). */
export function fastest({ velocities: v, particleCount: n }: Body): number {
  let most = 0;
  for (let o = 0; o < 4 * n; o += 4) most = Math.max(most, Math.hypot(v[o], v[o + 1], v[o + 2]));
  return most;
}

/** Root mean square speed of all particles of a world (m/s). */
export function rmsSpeed(world: World): number {
  const { kineticEnergy, mass } = world.measure();
  return Math.sqrt((2 * kineticEnergy) / mass);
}

/**
 * How far the shape of a body is from its rest shape: root mean square distance of the particles from the best turned and moved copy of
 * the rest shape, as a share of the body's size (largest extent at rest). The rotation is found by the method of Horn: power iterations
 * on the 4 × 4 matrix of quaternions.
 */
export function shapeError({ positions: x, restPositions: r, particleCount: n }: Body): number {
  const cx = [0, 0, 0];
  const cr = [0, 0, 0];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < n; i++)
    for (let a = 0; a < 3; a++) {
      cx[a] += x[4 * i + a] / n;
      cr[a] += r[3 * i + a] / n;
      low[a] = Math.min(low[a], r[3 * i + a]);
      high[a] = Math.max(high[a], r[3 * i + a]);
    }
  const S = new Float64Array(9);
  let [xx, rr] = [0, 0];
  for (let i = 0; i < n; i++)
    for (let a = 0; a < 3; a++) {
      const p = r[3 * i + a] - cr[a];
      rr += p * p;
      xx += (x[4 * i + a] - cx[a]) ** 2;
      for (let b = 0; b < 3; b++) S[3 * a + b] += p * (x[4 * i + b] - cx[b]);
    }
  const largest = hornEigenvalue(S, Math.sqrt(rr * xx));
  const size = Math.max(...high.map((top, a) => top - low[a]));
  return Math.sqrt(Math.max(0, xx + rr - 2 * largest) / n) / size;
}

/** The largest eigenvalue of Horn's matrix: Σ (R p)·x of the best rotation R. `scale` bounds it. */
function hornEigenvalue(S: Float64Array, scale: number): number {
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = S;
  const N = [
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, -xx + yy - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, -xx - yy + zz],
  ];
  // Shifted, so that the largest eigenvalue is the one of largest magnitude.
  for (let k = 0; k < 4; k++) N[k][k] += 3 * scale;
  let q = [1, 0.1, 0.2, 0.3];
  let value = 0;
  for (let n = 0; n < 2000; n++) {
    const next = N.map((row) => row.reduce((sum, entry, k) => sum + entry * q[k], 0));
    const length = Math.hypot(...next);
    if (length === 0) return 0;
    q = next.map((entry) => entry / length);
    if (Math.abs(length - value) < 1e-13 * length) break;
    value = length;
  }
  return value - 3 * scale;
}

/** Volume (m³) enclosed by a closed triangle mesh. */
export function meshVolume(positions: ArrayLike<number>, indices: ArrayLike<number>): number {
  let six = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    six +=
      positions[a] * (positions[b + 1] * positions[c + 2] - positions[b + 2] * positions[c + 1]) +
      positions[a + 1] * (positions[b + 2] * positions[c] - positions[b] * positions[c + 2]) +
      positions[a + 2] * (positions[b] * positions[c + 1] - positions[b + 1] * positions[c]);
  }
  return six / 6;
}

/** Seconds that one step takes: the median of `steps` steps after `warm` others. */
export function stepTime(world: World, steps = 100, warm = 20): number {
  for (let n = 0; n < warm; n++) world.step();
  const times = Array.from({ length: steps }, () => {
    const start = performance.now();
    world.step();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return times[steps >> 1] / 1000;
}

/**
 * Seconds that one step of each world takes: steps are taken in turn, so that whatever else the machine does meets all of them. `how` is over the steps after `warm` others:
 * the median, or the mean where the cost varies from step to step.
 */
export function stepTimes(
  worlds: readonly World[],
  { steps = 100, warm = 20, how = 'median' }: { steps?: number; warm?: number; how?: 'median' | 'mean' } = {},
): number[] {
  const times = worlds.map(() => [] as number[]);
  for (let n = 0; n < warm + steps; n++)
    worlds.forEach((world, k) => {
      const start = performance.now();
      world.step();
      if (n >= warm) times[k].push(performance.now() - start);
    });
  return times.map((list) => {
    if (how === 'mean') return list.reduce((sum, time) => sum + time, 0) / list.length / 1000;
    return list.sort((a, b) => a - b)[list.length >> 1] / 1000;
  });
}

/** Points of several bodies as one list. */
export function joined(lists: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}
