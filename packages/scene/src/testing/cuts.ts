import { type Body, type BodyOptions, random, type Vec3, World } from 'pliant';
import { expect } from 'vitest';
import { loadOwn, sceneNames } from './gallery.js';

/** Volume of a body's skin, and its number of faults: edges without two sides, and numbers that are not finite. */
export function examine(body: Body): { volume: number; faults: number; triangles: number } {
  const skin = body.getSkin();
  skin.update();
  const { positions: p, indices, welded } = skin;
  const edges = new Map<number, number>();
  const most = 1 + welded.reduce((m, w) => Math.max(m, w), 0);
  let [volume, faults] = [0, 0];
  for (let h = 0; h < indices.length; h++) {
    const [a, b] = [welded[indices[h]], welded[indices[h % 3 === 2 ? h - 2 : h + 1]]];
    if (a === b) faults++;
    edges.set(a * most + b, (edges.get(a * most + b) ?? 0) + 1);
  }
  for (const [key, count] of edges)
    if (count !== 1 || edges.get((key % most) * most + Math.floor(key / most)) !== 1) faults++;
  // Relative to the first vertex, so that the distance from the origin does not matter.
  const at = (k: number, a: number) => p[3 * indices[k] + a] - p[a];
  for (let k = 0; k < indices.length; k += 3)
    for (let a = 0; a < 3; a++) {
      const [b, c] = [(a + 1) % 3, (a + 2) % 3];
      volume += (at(k, a) * (at(k + 1, b) * at(k + 2, c) - at(k + 1, c) * at(k + 2, b))) / 6;
    }
  for (const x of p) if (!Number.isFinite(x)) faults++;
  return { volume, faults, triangles: indices.length / 3 };
}

/** Rotates, stretches and perturbs every body at random, then makes a few steps. */
export function perturb(world: World, seed: number, steps: number): void {
  const next = random(seed);
  const spread = () => 2 * next() - 1;
  for (const body of world.bodies) {
    const { com, rms } = world.measure(body);
    const m = Array.from({ length: 9 }, () => spread() / world.dt / 60);
    const twist = (2 * spread()) / rms;
    const { positions: x, velocities: v } = body;
    for (let o = 0; o < x.length; o += 4) {
      const d = [0, 1, 2].map((a) => x[o + a] - com[a]);
      for (let a = 0; a < 3; a++) v[o + a] += m[a] * d[0] + m[3 + a] * d[1] + m[6 + a] * d[2] + 0.1 * rms * spread();
      v[o] += twist * d[1] * d[2];
      v[o + 2] -= twist * d[1] * d[0];
    }
    body.wake();
  }
  for (let n = 0; n < steps; n++) world.step();
}

export function randomPlane(world: World, body: Body, next: () => number): { point: Vec3; normal: Vec3 } {
  const { com, rms } = world.measure(body);
  const point = com.map((c) => c + 0.8 * rms * (2 * next() - 1)) as unknown as Vec3;
  let normal: Vec3;
  do normal = [2 * next() - 1, 2 * next() - 1, 2 * next() - 1];
  while (!(Math.hypot(...normal) > 0.1));
  return { point, normal };
}

/** Largest number of particles of a body: many cuts need bodies that are built quickly. */
const PARTICLES = 500;

/**
 * A body of the gallery with fewer particles, which neither breaks nor flows. Where a body is crushed to nothing, as
 * soft ones are by the perturbation, its clusters no longer determine a surface.
 */
function coarse({ sampling, clusters, material: _, ...options }: BodyOptions): BodyOptions {
  const kept = clusters || options.points;
  return {
    ...options,
    ...(kept ? { sampling, clusters } : { sampling: { method: 'grid', count: PARTICLES } }),
    contact: { mode: 'none' },
    clustering: clusters ? undefined : { count: 12 },
    levels: undefined,
    position: [0, 0, 0],
  };
}

/** The first body of each scene without given points or clusters. */
export async function bodiesToCut(): Promise<{ scene: string; options: BodyOptions }[]> {
  const found: { scene: string; options: BodyOptions }[] = [];
  for (const scene of sceneNames()) {
    const { bodies } = await loadOwn(scene);
    const first = bodies.find(({ options }) => !options.points && !options.clusters);
    if (first) found.push({ scene, options: coarse(first.options) });
  }
  return found;
}

/** Number of planes that must meet a body or its pieces. */
export const CUTS = 28;

/**
 * Cuts a body by random planes, whole or cut before, in a random deformed pose. All results must be closed, volumes
 * must add up, nothing may be NaN and the state must be sound.
 */
export async function cutAtRandom(options: BodyOptions, seed: number): Promise<void> {
  const next = random(seed);
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0 });
  world.addBody(options);
  perturb(world, seed, 3 + Math.floor(8 * next()));
  let met = 0;
  // Some planes miss the body.
  for (let tries = 0; met < CUTS && tries < 10 * CUTS; tries++) {
    // Large ones more often than small ones.
    const particle = next() * world.particleCount;
    const body = world.bodies.find(({ rows }) => particle < rows.particleEnd)!;
    const before = examine(body);
    const result = world.cut(body, randomPlane(world, body, next));
    if (!result.met) continue;
    met++;
    const after = result.bodies.map(examine);
    expect(before.faults).toBe(0);
    expect(after.map((e) => e.faults)).toEqual(after.map(() => 0));
    // The tolerance. A body inverted by the perturbation has no volume to compare with.
    const sum = after.reduce((v, e) => v + e.volume, 0);
    expect(Math.abs(sum - before.volume)).toBeLessThan(1e-3 * before.volume);
    // Pieces move on, but are not perturbed: splinters of a few particles would be crushed flat, and their clusters
    // would not determine a surface.
    if (met % 8 === 0) world.step();
  }
  expect(met).toBe(CUTS);
  expect(world.validate()).toEqual([]);
  world.dispose();
}
