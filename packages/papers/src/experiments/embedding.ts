import { random } from 'pliant';

/**
 * Clusters along a bar that have flowed as [F17] leaves them: member offsets F^p p of each cluster are sheared, and turned by a rotation that differs
 * from cluster to cluster (the papers' update drops left rotations, so neighbours disagree about theirs). They are embedded by minimising
 * Σ w |R F^p p − (e_i − e_c)|² (equation 3.5): with a rotation R for each cluster, which is found anew in every iteration, and without one.
 *
 * Returns the sum of equation 3.5 for both, after `iterations` Jacobi iterations.
 */
export function embeddingResiduals(seed: number, iterations = 20): { linear: number; turned: number } {
  const next = random(seed);
  const [length, clusters] = [20, 5];
  // Particles on a lattice of 20 × 4 × 4; each cluster holds eight layers, four of which it shares with either neighbour.
  const place = (i: number) => [i >> 4, (i >> 2) & 3, i & 3];
  const members = Array.from({ length: clusters }, (_, c) => {
    const list: number[] = [];
    for (let i = 0; i < 16 * length; i++) {
      const [x] = place(i);
      if (x >= 4 * c - 2 && x < 4 * c + 6) list.push(i);
    }
    return list;
  });
  const offsets = members.map((list) => {
    const centre = [0, 1, 2].map((a) => list.reduce((sum, i) => sum + place(i)[a], 0) / list.length);
    // The same stretch everywhere, in a frame that each cluster has turned in its own way.
    const angle = 2.5 * (next() - 0.5);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const noise = 1 + 0.02 * (next() - 0.5);
    return list.map((i) => {
      const [x, y, z] = place(i).map((value, a) => value - centre[a]);
      const [u, v, w] = [1.3 * noise * x, y / Math.sqrt(1.3), z / Math.sqrt(1.3)];
      return [c * u - s * v, s * u + c * v, w];
    });
  });
  const counts = new Float64Array(16 * length);
  for (const list of members) for (const i of list) counts[i]++;
  const solve = (turns: boolean): number => {
    // From where the particles are in the world: the shape without stress, bent elastically.
    const e = Float64Array.from({ length: 48 * length }, (_, k) => {
      const [x, y, z] = place(Math.floor(k / 3));
      return [1.3 * x, y / Math.sqrt(1.3) + 0.004 * (x - length / 2) ** 2, z / Math.sqrt(1.3)][k % 3];
    });
    const centres = members.map((list) => meanOf(e, list));
    const rotations = members.map(() => [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const fit = () =>
      members.forEach((list, c) => {
        centres[c] = meanOf(e, list);
        if (turns) rotations[c] = rotationOf(list, offsets[c], e, centres[c]);
      });
    const goal = (c: number, n: number, a: number) => {
      const p = offsets[c][n];
      return (
        centres[c][a] + rotations[c][3 * a] * p[0] + rotations[c][3 * a + 1] * p[1] + rotations[c][3 * a + 2] * p[2]
      );
    };
    for (let n = 0; n < iterations; n++) {
      fit();
      const sums = new Float64Array(e.length);
      members.forEach((list, c) => {
        list.forEach((i, k) => {
          for (let a = 0; a < 3; a++) sums[3 * i + a] += goal(c, k, a) / counts[i];
        });
      });
      e.set(sums);
    }
    fit();
    let residual = 0;
    members.forEach((list, c) => {
      list.forEach((i, k) => {
        for (let a = 0; a < 3; a++) residual += (e[3 * i + a] - goal(c, k, a)) ** 2 / counts[i];
      });
    });
    return residual;
  };
  return { linear: solve(false), turned: solve(true) };
}

function meanOf(e: Float64Array, list: readonly number[]): number[] {
  const mean = [0, 0, 0];
  for (const i of list) for (let a = 0; a < 3; a++) mean[a] += e[3 * i + a] / list.length;
  return mean;
}

/** The rotation that takes the offsets of a cluster nearest to its particles, by rows: quaternion iterations on Σ e pᵀ. */
function rotationOf(
  list: readonly number[],
  offsets: readonly number[][],
  e: Float64Array,
  centre: readonly number[],
): number[] {
  const A = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  list.forEach((i, k) => {
    for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) A[3 * a + b] += (e[3 * i + a] - centre[a]) * offsets[k][b];
  });
  const N = [
    [A[0] + A[4] + A[8], A[7] - A[5], A[2] - A[6], A[3] - A[1]],
    [A[7] - A[5], A[0] - A[4] - A[8], A[1] + A[3], A[2] + A[6]],
    [A[2] - A[6], A[1] + A[3], -A[0] + A[4] - A[8], A[5] + A[7]],
    [A[3] - A[1], A[2] + A[6], A[5] + A[7], -A[0] - A[4] + A[8]],
  ];
  const shift = 2 * Math.hypot(...A);
  for (let k = 0; k < 4; k++) N[k][k] += shift;
  let q = [1, 0.01, 0.02, 0.03];
  for (let n = 0; n < 400; n++) {
    const product = N.map((row) => row.reduce((sum, value, k) => sum + value * q[k], 0));
    const norm = Math.hypot(...product);
    q = product.map((value) => value / norm);
  }
  const [w, x, y, z] = q;
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}
