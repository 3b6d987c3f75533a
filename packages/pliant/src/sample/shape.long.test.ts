import { describe, expect, it } from 'vitest';
import type { PliantError } from '../check.js';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { ellipsoid } from './primitives.js';
import { type ShapeOptions, shapeSolid } from './shape.js';
import type { Solid } from './solid.js';
import { estimateVolume } from './volumeOf.js';

const primitives: ShapeOptions[] = [
  { type: 'box', size: [1, 2, 0.5] },
  { type: 'sphere', radius: 0.7 },
  { type: 'ellipsoid', radii: [1, 0.4, 0.7] },
  { type: 'cylinder', radius: 0.5, height: 2 },
  { type: 'capsule', radius: 0.4, height: 1 },
  { type: 'torus', radius: 1, tube: 0.3 },
];
const sphereAt = (x: number): ShapeOptions => ({ type: 'sphere', radius: 1, position: [x, 0, 0] });
/** Two unit spheres with centres 1 apart: their common lens has the volume 5π/12. */
const LENS = (5 * Math.PI) / 12;
const combinations: [ShapeOptions, number][] = [
  [{ type: 'union', of: [sphereAt(0), sphereAt(1)] }, (8 / 3) * Math.PI - LENS],
  [{ type: 'intersection', of: [sphereAt(0), sphereAt(1)] }, LENS],
  [{ type: 'difference', of: [sphereAt(0), sphereAt(1)] }, (4 / 3) * Math.PI - LENS],
  [{ type: 'union', of: [sphereAt(-5), sphereAt(5)] }, (8 / 3) * Math.PI],
];
/** A third of a turn about the diagonal takes x to y, y to z and z to x. */
const THIRD = [1, 1, 1, 1] as const;
const others: ShapeOptions[] = [
  { type: 'capsule', radius: 0.2, height: 1, rotation: [0.3, -0.2, 0.5, 2], position: [1, 0, 0] },
  {
    type: 'union',
    of: [sphereAt(0), sphereAt(1.9), { type: 'box', size: [1, 1, 1], position: [0, 1, 0] }],
    smooth: 0.4,
  },
  { type: 'intersection', of: [sphereAt(0), sphereAt(1)], smooth: 0.3 },
  { type: 'difference', of: [{ type: 'box', size: [2, 2, 2] }, sphereAt(1)], smooth: 0.3, rotation: [1, 2, 3, 4] },
];

const anyPoint = ({ min, max }: Solid, next: () => number, margin = 0.5) =>
  [0, 1, 2].map((k) => min[k] - margin + next() * (max[k] - min[k] + 2 * margin)) as [number, number, number];

describe.each([...primitives, ...combinations.map(([shape]) => shape), ...others])('shapeSolid %o', (shape) => {
  const solid = shapeSolid(shape);
  const next = random(testSeed('shapeSolid'));

  it('is inside its box, and reaches every side of it where the box is tight', () => {
    const low = [9, 9, 9];
    const high = [-9, -9, -9];
    for (let n = 0; n < 200_000; n++) {
      const p = anyPoint(solid, next, 0.2);
      if (!solid.inside(...p)) continue;
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], p[k]);
        high[k] = Math.max(high[k], p[k]);
      }
    }
    for (let k = 0; k < 3; k++) {
      expect(low[k]).toBeGreaterThanOrEqual(solid.min[k]);
      expect(high[k]).toBeLessThanOrEqual(solid.max[k]);
      if (shape.type === 'intersection' || shape.type === 'difference' || others.includes(shape)) continue;
      const size = solid.max[k] - solid.min[k];
      expect(low[k] - solid.min[k]).toBeLessThan(0.1 * size);
      expect(solid.max[k] - high[k]).toBeLessThan(0.1 * size);
    }
  });

  it('has a distance that never leads past the surface', () => {
    for (let n = 0; n < 5000; n++) {
      const p = anyPoint(solid, next);
      const d = solid.distance(...p) * (1 - 1e-9);
      const u = [next() - 0.5, next() - 0.5, next() - 0.5];
      const length = Math.hypot(...u);
      const q = p.map((x, k) => x + (d * u[k]) / length) as [number, number, number];
      expect(solid.inside(...q)).toBe(solid.inside(...p));
    }
  });
});

describe('shapeSolid', () => {
  it.each(primitives)('has a distance that does reach the surface: %o', (shape) => {
    const solid = shapeSolid(shape);
    const next = random(testSeed('shapeSolid distance'));
    for (let n = 0; n < 40; n++) {
      const p = anyPoint(solid, next);
      const d = solid.distance(...p);
      let crossed = false;
      for (let k = 0; k < 20_000 && !crossed; k++) {
        const u = [next() - 0.5, next() - 0.5, next() - 0.5];
        const reach = (d * 1.05 + 0.02) / Math.hypot(...u);
        crossed = solid.inside(p[0] + reach * u[0], p[1] + reach * u[1], p[2] + reach * u[2]) !== solid.inside(...p);
      }
      expect(crossed).toBe(true);
    }
  });

  it.each(primitives)('has the exact volume: %o', (shape) => {
    const { volume, ...rest } = shapeSolid(shape);
    expect(Math.abs(estimateVolume(rest) / volume! - 1)).toBeLessThan(0.005);
  });

  it('is moved by its position, alone and in combinations', () => {
    const ball: ShapeOptions = { type: 'sphere', radius: 1, position: [1, 0, 0] };
    const pair = shapeSolid({ type: 'union', of: [ball, ball], position: [0, 5, 0] });
    expect(pair.min).toEqual([0, 4, -1]);
    expect(pair.max).toEqual([2, 6, 1]);
    expect(pair.inside(1, 5.9, 0)).toBe(true);
    expect(pair.inside(1, 0, 0)).toBe(false);
    expect(pair.distance(1, 5.5, 0)).toBeCloseTo(0.5, 12);
  });

  it('is turned about its own position, alone and in combinations', () => {
    const rod = shapeSolid({ type: 'cylinder', radius: 0.1, height: 2, rotation: THIRD, position: [5, 0, 0] });
    expect(rod.min.map((c) => Math.round(1e9 * c) / 1e9)).toEqual([4.9, -0.1, -1]);
    expect(rod.max.map((c) => Math.round(1e9 * c) / 1e9)).toEqual([5.1, 0.1, 1]);
    expect(rod.inside(5, 0, 0.9)).toBe(true);
    expect(rod.inside(5, 0.9, 0)).toBe(false);
    expect(rod.distance(5, 0.3, 0)).toBeCloseTo(0.2, 12);
    // A turn of any length counts, and turns of parts and whole follow each other: x goes to y, then to z.
    const part: ShapeOptions = { type: 'sphere', radius: 0.5, position: [3, 0, 0] };
    const inner: ShapeOptions = { type: 'union', of: [part], rotation: THIRD };
    const ball = shapeSolid({ type: 'union', of: [inner], rotation: [2, 2, 2, 2] });
    expect(ball.inside(0, 0, 3.4)).toBe(true);
    expect(ball.inside(0, 3, 0)).toBe(false);
  });

  it('with a smooth length has fillets where parts meet, and is as it was elsewhere', () => {
    const of = [sphereAt(-0.8), sphereAt(0.8)];
    const [plain, smooth] = [shapeSolid({ type: 'union', of }), shapeSolid({ type: 'union', of, smooth: 0.4 })];
    // Halfway both are √(0.8² + y²) − 1 away: the plain seam is at 0.6, the smooth surface k/4 = 0.1 farther out than both.
    expect([plain.inside(0, 0.61, 0), smooth.inside(0, 0.61, 0)]).toEqual([false, true]);
    const edge = Math.sqrt(1.1 ** 2 - 0.8 ** 2);
    expect([smooth.inside(0, edge - 1e-6, 0), smooth.inside(0, edge + 1e-6, 0)]).toEqual([true, false]);
    // Their distances differ by more than k at the far ends.
    expect(smooth.distance(-1.9, 0, 0)).toBe(plain.distance(-1.9, 0, 0));
    const cut = (smooth?: number) => shapeSolid({ type: 'difference', of: [sphereAt(0), sphereAt(1)], smooth });
    expect(estimateVolume(cut(0.3))).toBeLessThan(0.99 * estimateVolume(cut()));
    const lens = (smooth?: number) => shapeSolid({ type: 'intersection', of: [sphereAt(0), sphereAt(1)], smooth });
    expect(estimateVolume(lens(0.3))).toBeLessThan(0.99 * estimateVolume(lens()));
  });

  it('takes an implicit function by its sign, within its bounds', () => {
    const solid = shapeSolid({ type: 'implicit', distance: (x) => x ** 3, min: [-1, -1, -1], max: [1, 1, 1] });
    expect(solid.inside(-0.01, 0, 0)).toBe(true);
    expect(solid.inside(0.01, 0, 0)).toBe(false);
    expect(solid.inside(-2, 0, 0)).toBe(false);
    expect(estimateVolume(solid)).toBeCloseTo(4, 1);
  });

  const refusals: [unknown, string, string][] = [
    [null, 'shape', 'shape is null; expected an object with a type.'],
    [{ type: 'cone' }, 'shape.type', 'shape.type is "cone"; expected one of "box", "sphere", "ellipsoid", "cylinder", "capsule", "torus", "sheet", "cord", "implicit", "union", "difference", "intersection".'],
    [{ type: 'sphere', radius: -1 }, 'shape.radius', 'shape.radius is -1; expected a finite number above 0.'],
    [{ type: 'sphere', raduis: 1 }, 'shape.raduis', 'shape.raduis is not an option; expected one of type, position, rotation, radius.'],
    [{ type: 'box', size: [1, 0, 1] }, 'shape.size', 'shape.size is [1, 0, 1]; expected three numbers above 0.'],
    [{ type: 'box', size: 1 }, 'shape.size', 'shape.size is 1; expected three finite numbers.'],
    [{ type: 'capsule', radius: 1, height: Number.NaN }, 'shape.height', 'shape.height is NaN; expected a finite number above 0.'],
    [{ type: 'torus', radius: 1, tube: 2 }, 'shape.tube', 'shape.tube is 2; expected a finite number in (0, 1].'],
    [{ type: 'sphere', radius: 1, position: [0, 0] }, 'shape.position', 'shape.position is [0, 0]; expected three finite numbers.'],
    [{ type: 'union', of: [] }, 'shape.of', 'shape.of is []; expected a list of shapes.'],
    [{ type: 'union', of: [sphereAt(0)], smooth: -1 }, 'shape.smooth', 'shape.smooth is -1; expected a finite number of at least 0.'],
    [{ type: 'sphere', radius: 1, smooth: 1 }, 'shape.smooth', 'shape.smooth is not an option; expected one of type, position, rotation, radius.'],
    [{ type: 'sphere', radius: 1, rotation: [0, 0, 0, 0] }, 'shape.rotation', 'shape.rotation is [0, 0, 0, 0]; expected a quaternion x, y, z, w of non-zero length.'],
    [{ type: 'union', of: [{ type: 'sphere', radius: 0 }] }, 'shape.of[0].radius', 'shape.of[0].radius is 0; expected a finite number above 0.'],
    [{ type: 'intersection', of: [sphereAt(0), sphereAt(9)] }, 'shape.of', 'shape.of has shapes that do not meet; expected an intersection with a volume.'],
    [{ type: 'implicit', min: [0, 0, 0], max: [1, 1, 1] }, 'shape.distance', 'shape.distance is undefined; expected a function of x, y, z.'],
    [{ type: 'implicit', distance: () => -1, min: [0, 0, 0], max: [1, 0, 1] }, 'shape.max', 'shape.max is [1, 0, 1]; expected more than min (0, 0, 0) on every axis.'],
  ]; // biome-ignore format: one refusal per line
  it.each(refusals)('refuses %o', (shape, path, message) => {
    let error: PliantError | undefined;
    try {
      shapeSolid(shape as ShapeOptions);
    } catch (e) {
      error = e as PliantError;
    }
    expect(error?.message).toBe(message);
    expect(error?.path).toBe(path);
  });

  it('names the place where an implicit function fails', () => {
    const solid = shapeSolid({ type: 'implicit', distance: () => Number.NaN, min: [0, 0, 0], max: [1, 1, 1] });
    expect(() => solid.inside(0.5, 0.25, 0)).toThrow('shape.distance(0.5, 0.25, 0) is NaN; expected a number.');
  });

  it.each(combinations)('combines: %o', (shape, volume) => {
    expect(Math.abs(estimateVolume(shapeSolid(shape)) / volume - 1)).toBeLessThan(0.005);
  });
});

describe('a distance that is asked for up to a limit', () => {
  it.each([...primitives, ...combinations.map(([shape]) => shape), ...others].map((shape) => [shape]))(
    'is the distance where it is below, and not below where it is not (%j)',
    (shape) => {
      const next = random(testSeed('limits'));
      const { distance } = shapeSolid(shape);
      for (let k = 0; k < 500; k++) {
        const [x, y, z] = [0, 1, 2].map(() => 6 * next() - 3);
        const limit = 1.5 * next() ** 2;
        const full = distance(x, y, z);
        const asked = distance(x, y, z, limit);
        if (full < limit) expect(asked).toBe(full);
        else expect(asked).toBeGreaterThanOrEqual(limit);
      }
    },
  );
});

describe('a union with fillets', () => {
  const next = random(testSeed('fillets'));
  const some = (low: number, high: number) => low + next() * (high - low);
  const ellipsoids: ShapeOptions[] = Array.from({ length: 7 }, () => ({
    type: 'ellipsoid',
    radii: [some(0.1, 0.5), some(0.1, 0.5), some(0.1, 0.5)],
    position: [some(-0.5, 0.5), some(-0.5, 0.5), some(-0.5, 0.5)],
    rotation: [some(-1, 1), some(-1, 1), some(-1, 1), some(0.1, 1)],
  }));

  it.each([0.05, 0.2, 2])('holds the points whose signed distance is at most 0, with seams of %f', (smooth) => {
    const solid = shapeSolid({ type: 'union', of: [...ellipsoids, { type: 'box', size: [0.5, 0.3, 0.2] }], smooth });
    let beyond = 0;
    const sharp = shapeSolid({ type: 'union', of: [...ellipsoids, { type: 'box', size: [0.5, 0.3, 0.2] }] });
    for (let n = 0; n < 30_000; n++) {
      const p = anyPoint(sharp, next, 0.1);
      expect(solid.inside(...p)).toBe(solid.signed!(...p) <= 0);
      if (solid.inside(...p) && !sharp.inside(...p)) beyond++;
    }
    // Some of the points lie in fillets.
    expect(beyond).toBeGreaterThan(10);
  });

  it('is bounded by ellipsoids from below and from above', () => {
    for (let n = 0; n < 20_000; n++) {
      const solid = ellipsoid([some(0.05, 1), some(0.05, 1), some(0.05, 1)]);
      const p = [some(-2, 2), some(-2, 2), some(-2, 2)] as const;
      if (solid.inside(...p)) continue;
      const distance = solid.signed(...p);
      expect(solid.outer!(...p)).toBeLessThanOrEqual(distance + 1e-13);
      expect(solid.outer!(...p, true)).toBeGreaterThanOrEqual(distance - 1e-13);
    }
  });
});
