import type { Body } from '../../body/body.js';
import { boxPad } from '../../proxy/contactShape.js';
import type { World } from '../../world.js';

/** Points and the clusters over them, as body options. */
export interface Cloud {
  points: number[];
  clusters: { members: number[] }[];
}

/**
 * Random points in a box, and 1 to `most` clusters around random centres. Every point is in the cluster whose centre is nearest, and in all
 * clusters whose centres are within a random radius. So from none to all of the clusters share points.
 */
export function randomCloud(next: () => number, particles: number, most: number, size = [1, 1, 1]): Cloud {
  const place = () => size.map((s) => s * next());
  const count = 1 + Math.floor(most * next());
  const radius = 0.5 * next() ** 2;
  const centres = Array.from({ length: count }, place);
  const clusters: Cloud['clusters'] = centres.map(() => ({ members: [] }));
  const points: number[] = [];
  for (let i = 0; i < particles; i++) {
    const p = place();
    points.push(...p);
    const distance = centres.map((c) => Math.hypot(c[0] - p[0], c[1] - p[1], c[2] - p[2]));
    const nearest = distance.indexOf(Math.min(...distance));
    clusters.forEach(({ members }, c) => {
      if (c === nearest || distance[c] < radius) members.push(i);
    });
  }
  return { points, clusters: clusters.filter(({ members }) => members.length > 0) };
}

/** A grid of points 0.1 m apart, divided into clusters of 2 × 2 × 2 that extend to `deep` points further along x. */
export function gridCloud(nx: number, ny: number, nz: number, deep: number): Cloud {
  const points: number[] = [];
  const at = (i: number, j: number, k: number) => (k * ny + j) * nx + i;
  const clusters: Cloud['clusters'] = [];
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++) {
        points.push(0.1 * i, 0.1 * j, 0.1 * k);
        if (i % 2 || j % 2 || k % 2) continue;
        const members: number[] = [];
        for (let c = k; c <= Math.min(k + 1, nz - 1); c++)
          for (let b = j; b <= Math.min(j + 1, ny - 1); b++)
            for (let a = i; a <= Math.min(i + deep, nx - 1); a++) members.push(at(a, b, c));
        clusters.push({ members });
      }
  return { points, clusters };
}

/** Moves the world as a step would: every body by up to half of `shift` (m) along each axis, every particle by a quarter of that more. */
export function perturb({ bodies, state: { views } }: World, next: () => number, shift: number): void {
  const { x, xOld } = views;
  xOld.set(x);
  for (const { rows } of bodies) {
    const drift = [next() - 0.5, next() - 0.5, next() - 0.5];
    for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o += 4)
      for (let a = 0; a < 3; a++) x[o + a] += shift * (drift[a] + 0.25 * (next() - 0.5));
  }
}

/** Fits the boxes of all bodies, or of one. */
export function boundBodies({ kernels, bodies }: World, list: readonly Body[] = bodies): void {
  for (const {
    rows,
    core: { contact },
  } of list) {
    kernels.boundParticles(rows.particleStart, rows.particleEnd);
    kernels.boundClusters(rows.clusterStart, rows.clusterEnd, boxPad(contact));
  }
}
