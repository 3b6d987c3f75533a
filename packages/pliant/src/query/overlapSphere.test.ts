import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../check.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { BLOCK, distance, worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { testSeed } from '../testing/seed.js';
import { randomDirection, SOLIDS } from './testing/shapes.js';

describe.each(BACKENDS)('a ball (%s)', (backend) => {
  const ball = async (options = {}) =>
    worldWith({ ...SOLIDS.sphere.body, sampling: { method: 'grid', spacing: 0.08 }, ...options }, { backend });

  test('meets what it touches and nothing else', async () => {
    const { world, body } = await ball();
    expect(world.overlapSphere([2, 0, 0], 1.45)).toEqual([]);
    const [touching] = world.overlapSphere([2, 0, 0], 1.55);
    expect(touching.body).toBe(body);
    expect(touching.distance).toBeCloseTo(1.5, 1);
    expect(distance(touching.point, [0.5, 0, 0])).toBeLessThan(0.04);
    // The same radius on either side of the distance told.
    expect(world.overlapSphere([2, 0, 0], touching.distance)).toHaveLength(1);
    expect(world.overlapSphere([2, 0, 0], touching.distance - 1e-6)).toEqual([]);
  });

  test('inside is as far as the surface, negative, however small', async () => {
    const { world, body } = await ball();
    const [deep] = world.overlapSphere([0, 0, 0.1], 0);
    expect(deep.body).toBe(body);
    expect(deep.distance).toBeCloseTo(-0.4, 1);
    expect(distance(deep.point, [0, 0, 0.5])).toBeLessThan(0.05);
    expect(world.overlapSphere([0, 0, 0.6], 0)).toEqual([]);
    const p = body.positions.subarray(4 * deep.particle, 4 * deep.particle + 3);
    expect(distance(p, [0, 0, 0.1])).toBeLessThan(0.08);
  });

  test('meets several bodies, the nearest first', async () => {
    const { world, body } = await ball();
    const other = world.addBody({ ...SOLIDS.sphere.body, sampling: { spacing: 0.08 }, position: [2, 0, 0] });
    const bodies = (x: number, options = {}) => world.overlapSphere([x, 0, 0], 1, options).map((o) => o.body);
    expect(bodies(0.9)).toEqual([body, other]);
    expect(bodies(1.1)).toEqual([other, body]);
    expect(bodies(1.1, { bodies: [body] })).toEqual([body]);
    other.enabled = false;
    expect(bodies(1.1)).toEqual([body]);
    expect(bodies(1.1, { includeDisabled: true })).toEqual([other, body]);
    world.removeBody(other);
    expect(bodies(1.1)).toEqual([body]);
  });

  test('sees a body where it was moved and as it was stretched, without a step', async () => {
    const { world, body } = await ball();
    const x = body.positions;
    for (let o = 0; o < x.length; o += 4) {
      x[o] = 2 * x[o] + 5;
      x[o + 1] -= 1;
    }
    expect(world.overlapSphere([0, 0, 0], 0.6)).toEqual([]);
    expect(world.overlapSphere([7, -1, 0], 1.2)[0].distance).toBeCloseTo(1, 1);
    expect(world.overlapSphere([5, -0.1, 0], 1)[0].distance).toBeCloseTo(0.4, 1);
    expect(world.overlapSphere([5.9, -1, 0], 1)[0].distance).toBeLessThan(0);
  });

  test('meets a sheet of one layer', async () => {
    const sheet: number[] = [];
    for (let i = 0; i < 10; i++) for (let j = 0; j < 10; j++) sheet.push(0.1 * i, 0, 0.1 * j);
    const { world } = await worldWith({ points: sheet, clustering: { count: 3 } }, { backend });
    // Half a spacing is above and below the points.
    expect(world.overlapSphere([0.45, 0.1, 0.45], 0.2)[0].distance).toBeCloseTo(0.05, 4);
    expect(world.overlapSphere([0.45, 0.01, 0.45], 0.2)[0].distance).toBeCloseTo(-0.04, 4);
    expect(world.overlapSphere([0.45, 0.3, 0.45], 0.2)).toEqual([]);
    // Beside it, to its outermost particles and a spacing beyond them at most.
    expect(world.overlapSphere([1.4, 0, 0.5], 1)[0].distance).toBeGreaterThan(0.4 - 1e-6);
    expect(world.overlapSphere([1.4, 0, 0.5], 1)[0].distance).toBeLessThan(0.5 + 1e-6);
  });

  test('meets the proxies of a body that collides by their planes', async () => {
    const { world } = await worldWith({ ...BLOCK, contact: { exits: 'planes' } }, { backend });
    const next = random(testSeed('proxies'));
    expect(world.overlapSphere([0.1, 0, 0], 0)[0].distance).toBeLessThan(0);
    for (let k = 0; k < 5; k++) {
      const centre = randomDirection(next).map((v) => 1.2 * v) as unknown as Vec3;
      const [found] = world.overlapSphere(centre, 3);
      expect(found.distance).toBeGreaterThan(0);
      // The point is on the body, and no ray from there reaches it sooner.
      expect(Math.abs(world.overlapSphere(found.point, 0.1)[0].distance)).toBeLessThan(1e-4);
      for (let n = 0; n < 100; n++) {
        const hit = world.castRay(centre, randomDirection(next));
        if (hit) expect(hit.distance).toBeGreaterThan(found.distance - 1e-3);
      }
    }
  });

  test('is refused where it makes no sense', async () => {
    const { world } = await ball();
    expect(refusal(() => world.overlapSphere([0, 0, 0], -1))).toMatch(/^radius is -1; expected a finite number of at/);
    expect(refusal(() => world.overlapSphere([0, 0, 0], Number.NaN))).toMatch(/^radius is NaN/);
    expect(refusal(() => world.overlapSphere([0, 0] as never, 1))).toMatch(/^centre is \[0, 0\]/);
    expect(refusal(() => world.overlapSphere([0, 0, 0], 1, { maxDistance: 1 } as never))).toMatch(/is not an option/);
  });
});
