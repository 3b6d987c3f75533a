import type { Body, ShapeOptions, Vec3 } from 'pliant';
import { expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { expectSmoothCracks } from './testing/cracks.js';
import { loadOwn, runOwn, runScene } from './testing/gallery.js';
import { sharesOf, showShares } from './testing/shares.js';
import { splitsIn } from './testing/splits.js';

test('broken-heart: tears in halves, from the notch down', async () => {
  const tears: Vec3[] = [];
  const { bodies } = await runOwn('broken-heart', 1.5, (_, events) => {
    tears.push(...splitsIn(events));
  });
  const shares = sharesOf(bodies[0]);
  report('place of the first tear (m), shares of the pieces', { place: tears[0], shares: showShares(shares) }, '');
  // The notch is at x = 0, y = 0.19 m; clusters have a radius of 9 cm.
  expect(Math.abs(tears[0][0])).toBeLessThan(0.09);
  expect(tears[0][1]).toBeGreaterThan(0.1);
  const height = (of: Vec3[]) => of.reduce((sum, [, y]) => sum + y / of.length, 0);
  const third = Math.floor(tears.length / 3);
  expect(height(tears.slice(-third))).toBeLessThan(height(tears.slice(0, third)) - 0.1);
  expect(shares.pieces[1]).toBeGreaterThan(0.35);
  expect(shares.splinters + shares.debris).toBeLessThan(0.05);
  expectSmoothCracks(bodies[0]);
});

type Cut = Extract<ShapeOptions, { of: unknown }>;
type Ball = Extract<ShapeOptions, { radius: number }>;

/** The cheese, and how far places in its plane are from its holes (m): these are spheres that reach through the slice. */
async function cheese() {
  const scene = await loadOwn('swiss-cheese');
  const { options } = scene.bodies[0];
  const [slice, ...holes] = (options.shape as Cut).of as [ShapeOptions, ...Ball[]];
  const toHole = (x: number, y: number) =>
    Math.min(...holes.map(({ position, radius }) => Math.hypot(x - position![0], y - position![1]) - radius));
  return { scene, options, slice, toHole };
}

/** Where the particle that is nearest to a place was built. */
function builtAt({ positions: x, restPositions: rest }: Body, place: Vec3): Vec3 {
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; 4 * i < x.length; i++) {
    const distance = Math.hypot(...place.map((c, a) => c - x[4 * i + a]));
    if (distance < least) [nearest, least] = [i, distance];
  }
  return [rest[3 * nearest], rest[3 * nearest + 1], rest[3 * nearest + 2]];
}

test('swiss-cheese: tears start at holes, long before a slice without holes tears', async () => {
  const { scene, toHole } = await cheese();
  const tears: Vec3[] = [];
  let torn = 0;
  const { bodies } = await runScene(scene, 4, ({ bodies: [slice], time }, events) => {
    for (const place of splitsIn(events)) tears.push(builtAt(slice, place));
    if (tears.length > 0) torn ||= time;
  });
  expectSmoothCracks(bodies[0]);
  const { restPositions: rest, clustering } = bodies[0];
  // Between the clamps.
  const all: number[] = [];
  for (let k = 0; k < rest.length; k += 3) if (Math.abs(rest[k + 1]) < 0.29) all.push(toHole(rest[k], rest[k + 1]));
  const nearer = (d: number) => all.filter((other) => other <= d).length / all.length;
  const off = tears.map(([x, y]) => toHole(x, y));
  // Those that are not beside one before them: there a tear starts.
  const starts = off.filter((_, n) =>
    tears.slice(0, n).every(([x, y]) => Math.hypot(x - tears[n][0], y - tears[n][1]) > 2 * clustering.radius),
  );
  const chance = nearer(Math.max(...starts)) ** starts.length;
  // By chance evenly spread over 0 to 1, with a mean of ½ within this.
  const first = off.slice(0, 24).map(nearer);
  const mean = first.reduce((sum, share) => sum + share, 0) / first.length;
  const spread = Math.sqrt(1 / 12 / first.length);
  const shares = sharesOf(bodies[0]);
  report(
    'time of the first tear (s), distances of tears from holes (m), by chance once in, first 24 splits nearer by (spreads)',
    { torn, starts, chance: 1 / chance, nearer: (0.5 - mean) / spread, shares: showShares(shares) },
    '',
  );
  expect(starts.length).toBeGreaterThan(5);
  for (const d of starts) expect(d).toBeLessThan(0.6 * clustering.radius);
  expect(chance).toBeLessThan(0.01);
  expect(mean).toBeLessThan(0.5 - 2 * spread);
  expect(shares.pieces[1]).toBeGreaterThan(0.3);
  expect(shares.splinters + shares.debris).toBeLessThan(0.05);

  const whole = await cheese();
  whole.options.shape = whole.slice;
  whole.options.sampling = { spacing: bodies[0].spacing };
  const { bodies: control } = await runScene(whole.scene, 1.5 * torn);
  expect(control[0].particleCount).toBeGreaterThan(25_032);
  expect(control[0].topologyVersion).toBe(0);
});
