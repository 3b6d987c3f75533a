import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { sample, shapeSolid, shell } from '../sample/index.js';
import { withoutKernels } from '../spatial/wasm/workspace.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { surfaceOfPoints, surfaceOfSolid } from './outward.js';

const SPACING = 0.1;
const grid = { method: 'grid', spacing: SPACING } as const;

const at = (list: ArrayLike<number>, i: number) => [list[3 * i], list[3 * i + 1], list[3 * i + 2]];
const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const NONE = [0, 0, 0];

/** A cube of n³ points, SPACING apart, about the origin. */
const cube = (n: number) =>
  Float64Array.from({ length: 3 * n ** 3 }, (_, k) => {
    const i = Math.floor(k / 3);
    return SPACING * ([i % n, Math.floor(i / n) % n, Math.floor(i / (n * n))][k % 3] - (n - 1) / 2);
  });

describe('the surface of particles in a solid', () => {
  it('of a sphere looks away from its centre as far as it lies, and ends 0.8 spacings below', () => {
    const solid = shapeSolid({ type: 'sphere', radius: 0.5 });
    const { positions } = sample(solid, { spacing: SPACING });
    const { normal, height } = surfaceOfSolid(solid, positions, SPACING);
    let [outer, inner] = [0, 0];
    for (let i = 0; i < height.length; i++) {
      const [p, n] = [at(positions, i), at(normal, i)];
      const r = Math.hypot(...p);
      if (0.5 - r > 0.8 * SPACING) {
        expect([n, height[i]]).toEqual([NONE, 0]);
        inner++;
        continue;
      }
      outer++;
      expect(height[i]).toBeCloseTo(0.5 - r, 12);
      // A difference over 2e-4 m: off by its square against r².
      for (let a = 0; a < 3; a++) expect(n[a]).toBeCloseTo(p[a] / r, 6);
    }
    expect(Math.min(inner, outer)).toBeGreaterThan(100);
  });

  it('of a box looks along its faces, between them at edges and corners', () => {
    const solid = shapeSolid({ type: 'box', size: [0.8, 0.7, 0.6] });
    const { positions } = sample(solid, grid);
    const { normal, height } = surfaceOfSolid(solid, positions, SPACING);
    const seen = [0, 0, 0, 0];
    for (let i = 0; i < height.length; i++) {
      const sides = at(positions, i).map((v, a) => (Math.abs(v) > [0.8, 0.7, 0.6][a] / 2 - 0.051 ? Math.sign(v) : 0));
      const count = sides.filter((v) => v !== 0).length;
      seen[count]++;
      expect(height[i]).toBeCloseTo(count > 0 ? 0.05 : 0, 9);
      for (let a = 0; a < 3; a++) expect(normal[3 * i + a]).toBeCloseTo(count > 0 ? sides[a] / Math.sqrt(count) : 0, 6);
    }
    expect(seen).toEqual([6 * 5 * 4, 2 * (30 + 20 + 24), 4 * (6 + 5 + 4), 8]);
  });

  it('is known of a particle that lies right at the surface', () => {
    const solid = shapeSolid({ type: 'sphere', radius: 0.5 });
    const next = random(testSeed('at the surface'));
    for (const below of [0, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3]) {
      const direction = [next() - 0.5, next() - 0.5, next() - 0.5];
      const n = direction.map((v) => v / Math.hypot(...direction));
      const { normal, height } = surfaceOfSolid(
        solid,
        Float64Array.from(n, (v) => (0.5 - below) * v),
        SPACING,
      );
      expect(height[0]).toBeCloseTo(below, 12);
      for (let a = 0; a < 3; a++) expect(normal[a]).toBeCloseTo(n[a], 6);
    }
  });

  it('of a hollow body looks into the hollow as well', () => {
    const walls = shell(shapeSolid({ type: 'sphere', radius: 0.6 }), 0.25);
    const { positions } = sample(walls, { spacing: 0.05 });
    const { normal, height } = surfaceOfSolid(walls, positions, 0.05);
    let inwards = 0;
    for (let i = 0; i < height.length; i++) {
      const [p, n] = [at(positions, i), at(normal, i)];
      const r = Math.hypot(...p);
      if (r > 0.35 + 0.8 * 0.05) continue;
      inwards++;
      expect(height[i]).toBeCloseTo(r - 0.35, 9);
      expect(dot(n, p)).toBeCloseTo(-r, 6);
    }
    expect(inwards).toBeGreaterThan(100);
  });

  it('has a height but no direction midway in a thin wall', () => {
    const solid = shapeSolid({ type: 'box', size: [1, 1, 0.1] });
    const { positions } = sample(solid, grid);
    const { normal, height } = surfaceOfSolid(solid, positions, SPACING);
    for (let i = 0; i < height.length; i++) {
      expect(height[i]).toBeCloseTo(0.05, 9);
      const rim = at(positions, i).some((v) => Math.abs(v) > 0.44);
      expect(Math.hypot(...at(normal, i))).toBeCloseTo(rim ? 1 : 0, 9);
      expect(normal[3 * i + 2]).toBeCloseTo(0, 9);
    }
  });
});

describe('the surface of bare points', () => {
  it('of a cube looks along its faces and out of its corners, and none of the inner ones is on it', () => {
    const n = 13;
    const points = cube(n);
    const { normal, height } = surfaceOfPoints(points);
    expect(height.every((h) => h === 0)).toBe(true);
    const outer = ((n - 1) / 2) * SPACING - 1e-9;
    // Neighbours are those within 2.5 spacings, and are evened out among these: twice that from an edge all is symmetric.
    const flat = outer - 5 * SPACING + 2e-9;
    let faces = 0;
    for (let i = 0; i < points.length / 3; i++) {
      const [p, m] = [at(points, i), at(normal, i)];
      const sides = p.map((v) => (Math.abs(v) > outer ? Math.sign(v) : 0));
      const count = sides.filter((v) => v !== 0).length;
      expect(Math.hypot(...m)).toBeCloseTo(count > 0 ? 1 : 0, 9);
      if (count === 0) continue;
      // Nowhere against a face that it is on.
      for (let a = 0; a < 3; a++) expect(m[a] * sides[a]).toBeGreaterThanOrEqual(0);
      if (count === 3) expect(dot(m, sides)).toBeCloseTo(Math.sqrt(3), 9);
      if (count === 1 && p.every((v, a) => sides[a] !== 0 || Math.abs(v) <= flat)) {
        faces++;
        for (let a = 0; a < 3; a++) expect(m[a]).toBeCloseTo(sides[a], 9);
      }
    }
    expect(faces).toBe(6 * 9);
  });

  it('of a ball looks away from its centre within 20°, and all of the outermost are on it', () => {
    const solid = shapeSolid({ type: 'sphere', radius: 0.6 });
    for (const sampling of [grid, { spacing: SPACING }]) {
      const { positions } = sample(solid, sampling);
      const { normal } = surfaceOfPoints(positions);
      let worst = 0;
      for (let i = 0; i < positions.length / 3; i++) {
        const [p, m] = [at(positions, i), at(normal, i)];
        const r = Math.hypot(...p);
        // A particle half a spacing below the surface has neighbours on nearly all sides.
        if (r > 0.6 - 0.25 * SPACING) expect(Math.hypot(...m)).toBeCloseTo(1, 9);
        if (r < 0.6 - 2 * SPACING) expect(m).toEqual(NONE);
        if (Math.hypot(...m) > 0) worst = Math.max(worst, Math.acos(Math.min(1, dot(p, m) / r)));
      }
      expect((180 / Math.PI) * worst).toBeLessThan(20);
    }
  });

  it('is the same by kernels and in the plain form, also where many points are at one place', () => {
    const crowd = Float64Array.from([...cube(5), ...new Float64Array(3 * 5000).fill(0.5)]);
    for (const points of [cube(8), cube(3), crowd, Float64Array.from([...cube(4), 100, 0, 0])])
      expect(surfaceOfPoints(points)).toEqual(withoutKernels(() => surfaceOfPoints(points)));
  });

  it('does not mix the two sides of a wall of two layers', () => {
    const points = cube(12).filter((_, k, all) => Math.abs(all[k - (k % 3) + 2]) < 0.06);
    const { normal } = surfaceOfPoints(points);
    for (let i = 0; i < points.length / 3; i++) {
      const p = at(points, i);
      expect(normal[3 * i + 2] * p[2]).toBeGreaterThan(0);
      if (Math.abs(p[0]) < 0.06 && Math.abs(p[1]) < 0.06) expect(Math.abs(normal[3 * i + 2])).toBeCloseTo(1, 9);
    }
  });

  it('is nowhere for one point, up for one that is alone, and finite for points in one place', () => {
    expect(Array.from(surfaceOfPoints(Float64Array.of(1, 2, 3)).normal)).toEqual(NONE);
    const { normal } = surfaceOfPoints(Float64Array.from([...cube(4), 100, 0, 0]));
    expect(at(normal, 64)).toEqual([0, 1, 0]);
    const twice = Float64Array.from([...cube(4), ...cube(4)]);
    expect(surfaceOfPoints(twice).normal.every(Number.isFinite)).toBe(true);
    expect(surfaceOfPoints(new Float64Array(12).fill(2)).normal.every((v) => v === 0)).toBe(true);
  });
});

describe('the surface of a placed body', () => {
  it('is where the tangent planes of its rest shape are after scaling, turning and moving', async () => {
    const next = random(testSeed('placed surface'));
    const solid = shapeSolid({ type: 'sphere', radius: 0.5 });
    const { positions } = sample(solid, { spacing: SPACING });
    const surface = surfaceOfSolid(solid, positions, SPACING);
    const scale = [2, 0.7, 1.3] as const;
    const q = [0.3, -0.2, 0.5, 0.7] as const;
    const options = { scale, rotation: q, position: [3, -4, 5] } as const;
    const [world, other] = [await World.create(), await World.create()];
    const sampling = { spacing: SPACING };
    const body = world.addBody({
      shape: { type: 'sphere', radius: 0.5 },
      sampling,
      clustering: { count: 6 },
      ...options,
    });
    // The same placement of any points.
    const placed = (points: number[]) =>
      other.addBody({ points, clusters: [{ members: [0, 1, 2, 3] }], ...options }).restPositions;
    const s = world.state.views;
    for (let trial = 0; trial < 100; trial++) {
      const k = Math.floor(next() * s.memberStart[body.rows.clusterEnd]);
      const i = s.memberParticle[k];
      const n = at(surface.normal, i);
      const outward = s.outward.slice(4 * k, 4 * k + 4);
      if (Math.hypot(...n) === 0) {
        expect(Array.from(outward)).toEqual([0, 0, 0, -1]);
        continue;
      }
      // The particle and three points of the plane that is `height` above it.
      const p = at(positions, i);
      const foot = p.map((v, a) => v + surface.height[i] * n[a]);
      const u = Math.abs(n[0]) < 0.5 ? [0, -n[2], n[1]] : [-n[1], n[0], 0];
      const v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
      const image = placed([...p, ...foot, ...foot.map((c, a) => c + u[a]), ...foot.map((c, a) => c + v[a])]);
      const m = Array.from(outward.slice(0, 3));
      for (const point of [2, 3]) {
        const along = [0, 1, 2].map((a) => image[3 * point + a] - image[3 + a]);
        expect(dot(m, along)).toBeCloseTo(0, 5);
      }
      expect(Math.hypot(...m)).toBeCloseTo(1, 6);
      expect(
        dot(
          m,
          [0, 1, 2].map((a) => image[3 + a] - image[a]),
        ),
      ).toBeCloseTo(outward[3], 5);
      expect(s.reach[i]).toBe(outward[3]);
    }
  });

  it("comes right after a cluster's middle member, up to skinEnd and no further", async () => {
    const world = await World.create();
    world.addBody({ shape: { type: 'box', size: [1, 1, 1] }, sampling: grid, clustering: { count: 8 } });
    const { memberStart, surfaceEnd, outward } = world.state.views;
    for (let c = 0; c < world.clusterCount; c++) {
      for (let k = memberStart[c] + 1; k < memberStart[c + 1]; k++)
        expect(outward[4 * k + 3] >= 0).toBe(k < surfaceEnd[c]);
      expect(surfaceEnd[c]).toBeGreaterThan(memberStart[c] + 1);
      expect(surfaceEnd[c]).toBeLessThan(memberStart[c + 1]);
    }
  });
});
