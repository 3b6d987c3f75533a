import { expect } from 'vitest';
import type { Clustering } from '../cluster.js';
import { connectedComponents } from '../connect.js';

/** SPEC C4 and the form of a Clustering: conditions that every clustering meets. */
export function expectC4(clustering: Clustering, positions: ArrayLike<number>, masses: ArrayLike<number>): void {
  const { start, particle, weight, centre, count } = clustering;
  const n = positions.length / 3;
  expect(start.length).toBe(count + 1);
  expect(start[0]).toBe(0);
  expect(start[count]).toBe(particle.length);
  expect(weight.length).toBe(particle.length);
  expect(centre.length).toBe(3 * count);
  const sums = new Float64Array(n);
  let mass = 0;
  let descents = 0;
  let notPositive = 0;
  for (let c = 0; c < count; c++) {
    expect(start[c + 1], `cluster ${c} is empty`).toBeGreaterThan(start[c]);
    for (let k = start[c]; k < start[c + 1]; k++) {
      if (k > start[c] && particle[k] <= particle[k - 1]) descents++;
      if (!(weight[k] > 0 && weight[k] <= 1 + 1e-12)) notPositive++;
      sums[particle[k]] += weight[k];
      mass += masses[particle[k]] * weight[k];
    }
  }
  expect(descents, 'members that do not ascend').toBe(0);
  expect(notPositive, 'weights outside (0, 1]').toBe(0);
  const worst = sums.reduce((w, s) => Math.max(w, Math.abs(s - 1)), 0);
  expect(worst, 'largest |Σ w − 1| over the particles').toBeLessThan(1e-12);
  const total = Array.from(masses).reduce((a, b) => a + b, 0);
  expect(Math.abs(mass / total - 1), 'cluster mass against particle mass').toBeLessThan(1e-12);
  expect(connectedComponents(positions, clustering).split, 'connected by sampling, not by clusters').toBeNull();
  expect(clustering.report.converged).toBe(true);
  expect(clustering.report.orphans).toBe(0);
}

/** The largest distance of a member from its cluster's centre, relative to the radius. */
export function farthestMember(clustering: Clustering, positions: ArrayLike<number>): number {
  const { start, particle, centre, radius, count } = clustering;
  let far = 0;
  for (let c = 0; c < count; c++)
    for (let k = start[c]; k < start[c + 1]; k++) {
      const i = 3 * particle[k];
      far = Math.max(
        far,
        Math.hypot(
          positions[i] - centre[3 * c],
          positions[i + 1] - centre[3 * c + 1],
          positions[i + 2] - centre[3 * c + 2],
        ),
      );
    }
  return far / radius;
}

/** The largest distance of a centre from the weighted centre of mass of its members, relative to the radius. */
export function centreError(clustering: Clustering, positions: ArrayLike<number>, masses: ArrayLike<number>): number {
  const { start, particle, weight, centre, radius, count } = clustering;
  let worst = 0;
  for (let c = 0; c < count; c++) {
    const sum = [0, 0, 0, 0];
    for (let k = start[c]; k < start[c + 1]; k++) {
      const w = weight[k] * masses[particle[k]];
      for (let a = 0; a < 3; a++) sum[a] += w * positions[3 * particle[k] + a];
      sum[3] += w;
    }
    worst = Math.max(worst, Math.hypot(...[0, 1, 2].map((a) => sum[a] / sum[3] - centre[3 * c + a])));
  }
  return worst / radius;
}
