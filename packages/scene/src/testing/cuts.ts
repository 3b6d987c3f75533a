import { type Body, type BodyOptions, random, type Vec3, World } from 'pliant';
import { expect } from 'vitest';
import { loadOwn, sceneNames } from './gallery.js';

/** A body's volume as its skin shows it, and what is wrong with that: edges without two sides, numbers that are none. */
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
  // About the first vertex, lest the distance from the origin counts.
  const at = (k: number, a: number) => p[3 * indices[k] + a] - p[a];
  for (let k = 0; k < indices.length; k += 3)
    for (let a = 0; a < 3; a++) {
      const [b, c] = [(a + 1) % 3, (a + 2) % 3];
      volume += (at(k, a) * (at(k + 1, b) * at(k + 2, c) - at(k + 1, c) * at(k + 2, b))) / 6;
    }
  for (const x of p) if (!Number.isFinite(x)) faults++;
  return { volume, faults, triangles: indices.length / 3 };
}

/** Turns, stretches and shakes every body, then lets a few steps pass. */
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

/** Particles of a body at most: as many cuts as there are to be made are of bodies that are built quickly. */
const PARTICLES = 500;

/**
 * A body of the gallery with fewer particles, that neither breaks nor flows by itself: where a body is crushed to nothing, as soft ones are by the
 * stirring, its clusters cannot say any more where a surface is.
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

/** Of each scene the first body that neither points nor clusters are given for. */
export async function bodiesToCut(): Promise<{ scene: string; options: BodyOptions }[]> {
  const found: { scene: string; options: BodyOptions }[] = [];
  for (const scene of sceneNames()) {
    const { bodies } = await loadOwn(scene);
    const first = bodies.find(({ options }) => !options.points && !options.clusters);
    if (first) found.push({ scene, options: coarse(first.options) });
  }
  return found;
}

/** Planes that have to meet a body, or what is left of it. */
export const CUTS = 28;

/**
 * Cuts a body by random planes, whole or cut before, in a random deformed pose. All that comes out is closed, volumes add up, nothing is
 * NaN and the state is sound.
 */
export async function cutAtRandom(options: BodyOptions, seed: number): Promise<void> {
  const next = random(seed);
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0 });
  world.addBody(options);
  perturb(world, seed, 3 + Math.floor(8 * next()));
  let met = 0;
  // Some planes pass the body by.
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
    // The tolerance; a body turned inside out by the stirring has no volume to compare with.
    const sum = after.reduce((v, e) => v + e.volume, 0);
    expect(Math.abs(sum - before.volume)).toBeLessThan(1e-3 * before.volume);
    // Pieces move on, but are not stirred by themselves: splinters of a few particles would be crushed flat, and their clusters could not say where a surface is.
    if (met % 8 === 0) world.step();
  }
  expect(met).toBe(CUTS);
  expect(world.validate()).toEqual([]);
  world.dispose();
}
