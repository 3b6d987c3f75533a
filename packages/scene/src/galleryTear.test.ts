import type { ShapeOptions, Vec3 } from 'pliant';
import { expect, test } from 'vitest';
import { loadOwn, runOwn, runScene } from './testing/gallery.js';
import { sharesOf, showShares } from './testing/shares.js';
import { splitsIn } from './testing/splits.js';

test('broken-heart: tears in halves, from the notch down', async () => {
  const tears: Vec3[] = [];
  const { bodies } = await runOwn('broken-heart', 1.5, (_, events) => {
    tears.push(...splitsIn(events));
  });
  const shares = sharesOf(bodies[0]);
  console.log(`broken heart, first torn at ${tears[0].map((c) => c.toFixed(2))}: ${showShares(shares)}`);
  // The notch is at x = 0, y = 0.19 m; clusters have a radius of 9 cm.
  expect(Math.abs(tears[0][0])).toBeLessThan(0.09);
  expect(tears[0][1]).toBeGreaterThan(0.1);
  const height = (of: Vec3[]) => of.reduce((sum, [, y]) => sum + y / of.length, 0);
  const third = Math.floor(tears.length / 3);
  expect(height(tears.slice(-third))).toBeLessThan(height(tears.slice(0, third)) - 0.1);
  expect(shares.pieces[1]).toBeGreaterThan(0.35);
  expect(shares.splinters + shares.debris).toBeLessThan(0.05);
});

type Cut = Extract<ShapeOptions, { of: unknown }>;
type Ball = Extract<ShapeOptions, { radius: number }>;

test('swiss-cheese: tears begin at holes and go from hole to hole', async () => {
  const scene = await loadOwn('swiss-cheese');
  const { of } = scene.bodies[0].options.shape as Cut;
  const holes = of.slice(1) as Ball[];
  const tears: Vec3[] = [];
  const { bodies } = await runScene(scene, 0.7, (_, events) => {
    tears.push(...splitsIn(events));
  });
  const shares = sharesOf(bodies[0]);
  // Spheres that reach through the slice: distances in its plane.
  const toHole = (x: number, y: number) =>
    Math.min(...holes.map(({ position, radius }) => Math.hypot(x - position![0], y - position![1]) - radius));
  const off = tears.map(([x, y]) => toHole(x, y));
  const { restPositions: rest } = bodies[0];
  let near = 0;
  for (let k = 0; k < rest.length; k += 3) if (toHole(rest[k], rest[k + 1]) < 0.05) near += 3 / rest.length;
  console.log(
    `swiss cheese, torn ${off.map((d) => (100 * d).toFixed(0)).join(', ')} cm from holes (${(100 * near).toFixed(0)} % of it are within 5): ${showShares(shares)}`,
  );
  // Clusters reach 15 cm, and those split whose middle is the bridge beside a hole. That it is the holes that make them, the next test shows.
  expect(off[0]).toBeLessThan(0.03);
  for (const d of off) expect(d).toBeLessThan(0.05);
  expect(shares.pieces[1]).toBeGreaterThan(0.3);
  expect(shares.splinters + shares.debris).toBeLessThan(0.05);
});

test('swiss-cheese without holes is whole when the one with holes has long been torn', async () => {
  const scene = await loadOwn('swiss-cheese');
  const { options } = scene.bodies[0];
  options.shape = (options.shape as Cut).of[0];
  options.sampling = { count: 5000 };
  const { bodies } = await runScene(scene, 0.45);
  expect(bodies[0].topologyVersion).toBe(0);
});
