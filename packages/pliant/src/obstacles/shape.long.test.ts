import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import { random } from '../math/random.js';
import { boxMesh, randomPoint, torusMesh } from '../mesh/testing/meshes.js';
import { testSeed } from '../testing/seed.js';
import { BoxShape } from './box.js';
import { MeshShape } from './meshShape.js';
import { RoundShape } from './round.js';
import { newHit, type Shape } from './shape.js';

type Point = readonly number[];

const meet = (shape: Shape, a: Point, b: Point) => {
  const hit = newHit();
  return shape.meet(hit, a[0], a[1], a[2], b[0], b[1], b[2]) ? hit : undefined;
};

/** Signed distance to a box, and to everything within a radius of a line. */
const toBox = (half: Point) => (p: Point) => {
  const q = p.map((c, a) => Math.abs(c) - half[a]);
  return Math.hypot(...q.map((c) => Math.max(c, 0))) + Math.min(0, Math.max(...q));
};
const toLine = (axis: Point, half: number, radius: number) => (p: Point) => {
  const along = p.reduce((sum, c, a) => sum + c * axis[a], 0);
  const on = Math.max(-half, Math.min(half, along));
  return Math.hypot(...p.map((c, a) => c - on * axis[a])) - radius;
};

const AXIS: Vec3 = [0.6, 0, 0.8];
const SHAPES: [string, Shape, (p: Point) => number][] = [
  ['a box', new BoxShape([1, 0.5, 1.5]), toBox([0.5, 0.25, 0.75])],
  ['a thin box', new BoxShape([1, 0.01, 1.5]), toBox([0.5, 0.005, 0.75])],
  ['a ball', new RoundShape(AXIS, 0, 0.7), toLine(AXIS, 0, 0.7)],
  ['a capsule', new RoundShape(AXIS, 0.6, 0.3), toLine(AXIS, 0.6, 0.3)],
  ['a thin capsule', new RoundShape(AXIS, 0.6, 0.01), toLine(AXIS, 0.6, 0.01)],
  ['a cylinder', new RoundShape(AXIS, Number.POSITIVE_INFINITY, 0.3), toLine(AXIS, Number.POSITIVE_INFINITY, 0.3)],
  ['a mesh', new MeshShape(boxMesh([1, 0.5, 1.5]), 'mesh'), toBox([0.5, 0.25, 0.75])],
  ['a thin mesh', new MeshShape(boxMesh([1, 0.01, 1.5]), 'mesh'), toBox([0.5, 0.005, 0.75])],
];

describe.each(SHAPES)('%s', (what, shape, distance) => {
  /** The least distance along a way, sampled a thousandth of it apart. */
  const deepest = (a: Point, b: Point) => {
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k <= 1000; k++) least = Math.min(least, distance(a.map((c, i) => c + (k / 1000) * (b[i] - c))));
    return least;
  };

  it('meets what ends in it or goes through it, nothing else, and puts it outside', () => {
    const next = random(testSeed(`meet ${what}`));
    let met = 0;
    for (let n = 0; n < 2000; n++) {
      const a = randomPoint(next, 1.5);
      // Long ways, long ones near the middle, and short ones.
      const near = (scale: number, spread: number) => a.map((c) => scale * c + spread * (2 * next() - 1));
      const b = n % 3 === 0 ? randomPoint(next, 1.5) : n % 3 === 1 ? near(-1, 0.1) : near(1, 0.1);
      const hit = meet(shape, a, b);
      const least = deepest(a, b);
      if (distance(b) < -1e-9) expect(hit).toBeDefined();
      // A grazing way may be let pass by a round shape: less than 1 % of its radius deep.
      if (least < -0.01 && distance(a) > 0) expect(hit).toBeDefined();
      if (!hit) continue;
      met++;
      expect(least).toBeLessThan(0.01);
      expect(Math.hypot(hit.nx, hit.ny, hit.nz)).toBeCloseTo(1, 9);
      expect(hit.depth).toBeGreaterThan(-1e-12);
      const out = b.map((c, i) => c + hit.depth * [hit.nx, hit.ny, hit.nz][i]);
      expect(distance(out)).toBeGreaterThan(-1e-9);
      // Began outside: it is still on the side of the surface where it began, and no contact is left.
      if (distance(a) > 0)
        expect(
          meet(
            shape,
            a,
            out.map((c, i) => c + 1e-7 * [hit.nx, hit.ny, hit.nz][i]),
          ),
        ).toBeUndefined();
    }
    expect(met).toBeGreaterThan(20);
  });

  it('bounds hold it', () => {
    const next = random(testSeed(`bounds ${what}`));
    for (let n = 0; n < 1000; n++) {
      const p = randomPoint(next, 2);
      if (distance(p) >= 0) continue;
      for (let a = 0; a < 3; a++) {
        expect(p[a]).toBeGreaterThanOrEqual(shape.bounds[a]);
        expect(p[a]).toBeLessThanOrEqual(shape.bounds[a + 3]);
      }
    }
  });
});

it('a mesh of a box meets what the box meets, by the same side and as deep', () => {
  const next = random(testSeed('mesh and box'));
  for (const size of [
    [1, 1, 1],
    [2, 0.02, 1],
  ] as const) {
    const [box, mesh] = [new BoxShape(size), new MeshShape(boxMesh(size), 'mesh')];
    for (let n = 0; n < 2000; n++) {
      const a = randomPoint(next, 1.3);
      const b = n % 2 ? randomPoint(next, 1.3) : (a.map((c) => c + 0.05 * (2 * next() - 1)) as unknown as Vec3);
      if (toBox(size.map((s) => s / 2))(a) < 0) continue;
      const [one, other] = [meet(box, a, b), meet(mesh, a, b)];
      expect(other === undefined).toBe(one === undefined);
      if (one)
        expect(other).toEqual({
          depth: expect.closeTo(one.depth, 9),
          nx: expect.closeTo(one.nx, 9),
          ny: expect.closeTo(one.ny, 9),
          nz: expect.closeTo(one.nz, 9),
        });
    }
  }
});

it('a torus of triangles is open in the middle and solid in its tube', () => {
  const torus = new MeshShape(torusMesh(1, 0.4, 64, 32), 'mesh');
  expect(meet(torus, [0, 3, 0], [0, -3, 0])).toBeUndefined();
  expect(meet(torus, [0, 0, 0], [0, 0.01, 0])).toBeUndefined();
  const top = meet(torus, [1, 3, 0], [1, -3, 0]);
  expect(top?.ny).toBeGreaterThan(0.99);
  expect(top?.depth).toBeCloseTo(3.4, 1);
  // Deep inside its tube: out by the shortest way.
  const deep = meet(torus, [1.3, 0, 0], [1.3, 0, 0]);
  expect(deep?.depth).toBeCloseTo(0.1, 1);
  expect(deep?.nx).toBeGreaterThan(0.99);
});
