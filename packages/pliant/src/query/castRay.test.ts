import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../check.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { BLOCK, distance, worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { angle, randomRay, SOLIDS } from './testing/shapes.js';

/** Moves a body's particles by a function of the world. */
function deform(world: World, f: (p: number[]) => number[]): void {
  const x = world.positions;
  for (let o = 0; o < x.length; o += 4) x.set(f([x[o], x[o + 1], x[o + 2]]), o);
}

describe.each(BACKENDS)('a ray (%s)', (backend) => {
  const ball = async (options = {}) =>
    worldWith({ ...SOLIDS.sphere.body, sampling: { method: 'grid', spacing: 0.08 }, ...options }, { backend });

  test('tells where it hit', async () => {
    const { world, body } = await ball();
    const hit = world.castRay([2, 0.1, 0], [-5, 0, 0])!;
    expect(hit.body).toBe(body);
    expect(hit.distance).toBeCloseTo(2 - Math.sqrt(0.25 - 0.01), 1);
    expect(hit.point[1]).toBe(0.1);
    expect(angle(hit.normal, [Math.sqrt(0.96), 0.2, 0])).toBeLessThan(10);
    // The particle is the body's nearest, and the cluster one that reaches there.
    const x = body.positions;
    const nearest = (i: number) => distance(x.subarray(4 * i, 4 * i + 3), hit.point);
    for (let i = 0; i < body.particleCount; i++) expect(nearest(hit.particle)).toBeLessThanOrEqual(nearest(i));
    expect(hit.cluster).toBeGreaterThanOrEqual(0);
    expect(hit.cluster).toBeLessThan(body.clusterCount);
  });

  test('misses what is beside it, behind it or too far', async () => {
    const { world } = await ball();
    expect(world.castRay([2, 0.7, 0], [-1, 0, 0])).toBeUndefined();
    expect(world.castRay([2, 0, 0], [1, 0, 0])).toBeUndefined();
    expect(world.castRay([2, 0, 0], [-1, 0, 0], { maxDistance: 1.4 })).toBeUndefined();
    expect(world.castRay([2, 0, 0], [-1, 0, 0], { maxDistance: 1.6 })).toBeDefined();
    expect(world.castRay([1e30, 0, 0], [-1, 0, 0])?.distance ?? 1e30).toBeCloseTo(1e30, -25);
  });

  test('ends exactly where the surface is found without an end', async () => {
    const { world } = await ball();
    const { distance } = world.castRay([2, 0, 0], [-1, 0, 0])!;
    expect(world.castRay([2, 0, 0], [-1, 0, 0], { maxDistance: distance + 1e-5 })).toBeDefined();
    expect(world.castRay([2, 0, 0], [-1, 0, 0], { maxDistance: distance - 1e-5 })).toBeUndefined();
  });

  test('that grazes hits just within the surface and not beyond it', async () => {
    const { world } = await ball();
    expect(world.castRay([2, 0.48, 0], [-1, 0, 0])).toBeDefined();
    expect(world.castRay([2, 0.55, 0], [-1, 0, 0])).toBeUndefined();
  });

  test('that begins inside is answered at once, with the way back', async () => {
    const { world, body } = await ball();
    for (const origin of [
      [0, 0, 0],
      [0.3, 0.2, 0.1],
    ] as const) {
      const hit = world.castRay(origin, [0, 0, 2])!;
      expect(hit.body).toBe(body);
      expect(hit).toMatchObject({ distance: 0, point: origin, normal: [-0, -0, -1] });
    }
  });

  test('goes through the hole of a torus', async () => {
    const { world } = await worldWith(
      { ...SOLIDS.torus.body, sampling: { method: 'grid', spacing: 0.06 } },
      { backend },
    );
    expect(world.castRay([0, 2, 0], [0, -1, 0])).toBeUndefined();
    expect(world.castRay([0.45, 2, 0], [0, -1, 0])!.distance).toBeCloseTo(1.85, 1);
    // From the hole outwards.
    expect(world.castRay([0, 0, 0], [1, 0, 0])!.distance).toBeCloseTo(0.3, 1);
  });

  test('hits the nearer of two bodies, and the other when asked to', async () => {
    const { world, body } = await ball();
    const other = world.addBody({ ...SOLIDS.sphere.body, sampling: { spacing: 0.08 }, position: [0, 0, 3] });
    expect(world.castRay([0, 0, 9], [0, 0, -1])!.body).toBe(other);
    expect(world.castRay([0, 0, -9], [0, 0, 1])!.body).toBe(body);
    expect(world.castRay([0, 0, 9], [0, 0, -1], { bodies: [body] })!.distance).toBeCloseTo(8.5, 1);
    expect(world.castRay([0, 0, 9], [0, 0, -1], { bodies: (b) => b !== other })!.body).toBe(body);
    other.enabled = false;
    expect(world.castRay([0, 0, 9], [0, 0, -1])!.body).toBe(body);
    expect(world.castRay([0, 0, 9], [0, 0, -1], { includeDisabled: true })!.body).toBe(other);
    other.enabled = true;
    world.removeBody(body);
    expect(world.castRay([0, 0, -9], [0, 0, 1])!.body).toBe(other);
    expect(refusal(() => world.castRay([0, 0, 9], [0, 0, -1], { bodies: [body] }))).toMatch(/castRay.bodies\[0\]/);
  });

  test('meets a body that collides with nothing, and none that is not finite', async () => {
    const { world, body } = await ball({ contact: { mode: 'none' } });
    expect(world.castRay([2, 0, 0], [-1, 0, 0])!.body).toBe(body);
    body.positions[0] = Number.NaN;
    expect(world.castRay([2, 0, 0], [-1, 0, 0])).toBeUndefined();
  });

  test('moves with the body, turned, shifted and stretched, without a step', async () => {
    const { world } = await worldWith(
      { ...SOLIDS['lumpy mesh'].body, sampling: { method: 'grid', spacing: 0.08 } },
      { backend },
    );
    const rays = Array.from(
      { length: 20 },
      (
        (next) => () =>
          randomRay(next)
      )(random(testSeed('moved rays'))),
    );
    const before = rays.map(({ origin, direction }) => world.castRay(origin, direction));
    // A turn about z, a stretch along x, a shift.
    const [cos, sin] = [0.6, 0.8];
    const linear = ([x, y, z]: ArrayLike<number> & Iterable<number>) => [
      1.5 * (cos * x - sin * y),
      sin * x + cos * y,
      z,
    ];
    const map = (p: Iterable<number> & ArrayLike<number>) => linear(p).map((v, a) => v + [3, -2, 1][a]);
    deform(world, map);
    rays.forEach(({ origin, direction }, k) => {
      const hit = world.castRay(map(origin) as unknown as Vec3, linear(direction) as unknown as Vec3);
      expect(hit === undefined).toBe(before[k] === undefined);
      if (!hit) return;
      // f32 positions, and rays that graze.
      expect(distance(hit.point, map(before[k]!.point))).toBeLessThan(1e-4);
      // n → F⁻ᵀ n
      const [nx, ny, nz] = before[k]!.normal;
      const turned = [(cos * nx - sin * ny) / 1.5, sin * nx + cos * ny, nz];
      const length = Math.hypot(...turned);
      expect(
        angle(
          hit.normal,
          turned.map((v) => v / length),
        ),
      ).toBeLessThan(3);
    });
  });

  test('meets the proxies of a body that collides by their planes', async () => {
    const { world } = await worldWith({ ...BLOCK, contact: { exits: 'planes' } }, { backend });
    const hit = world.castRay([3, 0, 0], [-1, 0, 0])!;
    // The outermost particles lie at 0.4 m, and proxies of several clusters stand a little beyond them.
    expect(hit.distance).toBeGreaterThan(2.4);
    expect(hit.distance).toBeLessThan(2.62);
    expect(angle(hit.normal, [1, 0, 0])).toBeLessThan(60);
    expect(world.castRay([3, 0.7, 0], [-1, 0, 0])).toBeUndefined();
    expect(world.castRay([0, 0, 0], [-1, 0, 0])!.distance).toBe(0);
  });

  test('meets a sheet of one layer and a thread half a spacing off', async () => {
    const sheet: number[] = [];
    for (let i = 0; i < 10; i++) for (let j = 0; j < 10; j++) sheet.push(0.1 * i, 0, 0.1 * j);
    const { world, body } = await worldWith({ points: sheet, clustering: { count: 3 } }, { backend });
    for (const [x, z] of [
      [0.43, 0.47],
      [0.05, 0.05],
      [0.85, 0.12],
    ]) {
      const hit = world.castRay([x, 1, z], [0, -1, 0])!;
      expect(hit.body).toBe(body);
      expect(hit.distance).toBeCloseTo(0.95, 4);
      expect(angle(hit.normal, [0, 1, 0])).toBeLessThan(0.1);
    }
    expect(world.castRay([1.1, 1, 0.5], [0, -1, 0])).toBeUndefined();
    const thread = Array.from({ length: 30 }, (_, k) => (k % 3 === 0 ? (k / 3) * 0.1 : k % 3 === 1 ? 3 : 0));
    world.addBody({ points: thread, clustering: { count: 2 } });
    expect(world.castRay([0.5, 4, 0], [0, -1, 0])!.distance).toBeCloseTo(0.95, 2);
    expect(world.castRay([0.5, 4, 0.06], [0, -1, 0])!.body).toBe(body);
  });

  test('is refused where it makes no sense', async () => {
    const { world } = await ball();
    expect(refusal(() => world.castRay([0, 0, 0], [0, 0, 0]))).toBe(
      'direction is [0, 0, 0]; expected a direction of non-zero length.',
    );
    expect(refusal(() => world.castRay([0, Number.NaN, 0], [0, 0, 1]))).toMatch(/^origin is \[0, NaN, 0\]/);
    expect(refusal(() => world.castRay([0, 0, 0], [0, 0, 1], { maxDistance: -1 }))).toMatch(
      /^castRay.maxDistance is -1/,
    );
    expect(refusal(() => world.castRay([0, 0, 0], [0, 0, 1], { max: 1 } as never))).toMatch(/^castRay.max is not an/);
    expect(refusal(() => world.castRay([0, 0, 0], [0, 0, 1], { bodies: 3 } as never))).toMatch(/^castRay.bodies is 3/);
    world.dispose();
    expect(refusal(() => world.castRay([0, 0, 0], [0, 0, 1]))).toMatch(/disposed/);
  });
});

test('an empty world is missed', async () => {
  const world = await World.create();
  expect(world.castRay([0, 0, 0], [0, 0, 1])).toBeUndefined();
});
