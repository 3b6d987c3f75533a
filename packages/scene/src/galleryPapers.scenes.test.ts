import type { Body } from 'pliant';
import { describe, expect, test } from 'vitest';
import { loadOwn, runOwn, runScene } from './testing/gallery.js';

/** Mean of a coordinate over the particles whose rest position fulfils a condition. */
function mean(body: Body, axis: number, chosen: (x: number, y: number, z: number) => boolean): number {
  const { positions: p, restPositions: r, particleCount } = body;
  let [sum, count] = [0, 0];
  for (let i = 0; i < particleCount; i++)
    if (chosen(r[3 * i], r[3 * i + 1], r[3 * i + 2])) {
      sum += p[4 * i + axis] - r[3 * i + axis];
      count++;
    }
  return sum / count;
}

describe("the papers' examples that were missing", () => {
  test('the trout hangs from its two picks, which carry it, and sags between them', async () => {
    const { world, bodies, picks } = await runOwn('trout', 5);
    const [fish] = bodies;
    expect(picks.size).toBe(2);
    let up = 0;
    for (let n = 0; n < 20; n++) {
      fish.wake();
      world.step();
      for (const pick of picks.values()) up += pick.impulse[1] / 20;
    }
    expect(up / (fish.mass * 9.81 * world.dt)).toBeCloseTo(1, 1);
    const at = (x: number) => mean(fish, 1, (rx) => Math.abs(rx - x) < 0.05);
    expect(at(0.42) - at(0)).toBeGreaterThan(0.05);
    expect(at(-0.45) - at(0)).toBeGreaterThan(0.05);
    world.dispose();
  });

  test('the head smiles: its mouth follows the picks, the back of its head stays', async () => {
    const { world, bodies } = await runOwn('head', 2);
    const corner = mean(bodies[0], 1, (x, y, z) => Math.hypot(x - 0.15, y + 0.3, z - 0.33) < 0.06);
    const back = mean(bodies[0], 1, (_, y, z) => z < -0.3 && y > 0);
    expect(corner).toBeGreaterThan(0.03);
    expect(Math.abs(back)).toBeLessThan(0.01);
    world.dispose();
  });

  test('the skin gives way in one place with 5 × 5 clusters, and not with one', async () => {
    const lifts: number[][] = [];
    for (const variant of [undefined, 'one-cluster']) {
      const { world, bodies } = await runScene(await loadOwn('skin-patch', variant), 3);
      const at = (x: number, z: number) => mean(bodies[0], 1, (rx, _, rz) => Math.hypot(rx - x, rz - z) < 0.05);
      lifts.push([at(0.1, 0.1), at(-0.05, -0.05), at(-0.35, -0.35)]);
      world.dispose();
    }
    const [[pick, near, far], [, alone]] = lifts;
    expect(near).toBeGreaterThan(0.2 * pick);
    expect(far).toBeLessThan(0.5 * near);
    expect(alone).toBeLessThan(0.5 * near);
  });

  test('the bar of more clusters hangs lower, and rests no lower with 125 than with 31', async () => {
    const tips: number[] = [];
    for (const variant of ['clusters-1', 'clusters-7', 'clusters-31', undefined]) {
      const { world, bodies } = await runScene(await loadOwn('convergence-bar', variant), 5);
      tips.push(-mean(bodies[0], 1, (x) => x > 0.9));
      world.dispose();
    }
    const [one, seven, some, many] = tips;
    expect(one).toBeLessThan(0.1 * seven);
    expect(seven).toBeLessThan(0.8 * some);
    expect(Math.abs(many / some - 1)).toBeLessThan(0.05);
  });

  test('the cube between turning planes is drawn out at its top, stays whole, and gets new particles', async () => {
    const { world, bodies } = await runOwn('turning-planes', 3);
    const [cube] = bodies;
    const before = 5317;
    const width = (low: number, high: number) => {
      const { positions: p, restPositions: r, particleCount } = cube;
      let [left, right] = [Infinity, -Infinity];
      for (let i = 0; i < particleCount; i++)
        if (r[3 * i + 1] > low && r[3 * i + 1] < high)
          [left, right] = [Math.min(left, p[4 * i]), Math.max(right, p[4 * i])];
      return right - left;
    };
    expect(width(0.25, 0.35)).toBeGreaterThan(1.3 * width(-0.35, -0.25));
    expect(cube.pieces.count).toBe(1);
    expect(cube.particleCount).toBeGreaterThan(before);
    world.dispose();
  });
});
