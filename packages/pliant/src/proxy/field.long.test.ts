import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import { random } from '../math/random.js';
import { boxMesh, icosphere, without } from '../mesh/testing/meshes.js';
import { meshSolid, type ShapeOptions, type Solid, shapeSolid, shell } from '../sample/index.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { buildField, type DistanceField } from './field.js';

const SPACING = 0.1;
/** Values are f32: one rounding of a distance of 0.4 m. */
const ROUNDING = 3e-8;

/** Value and gradient, trilinear between the nodes; `g` in nodes. */
function sample({ size: [nx, ny], values, cell }: DistanceField, g: ArrayLike<number>) {
  const base = [0, 1, 2].map((a) => Math.floor(g[a]));
  let value = 0;
  const gradient = [0, 0, 0];
  for (let corner = 0; corner < 8; corner++) {
    const bits = [corner & 1, (corner >> 1) & 1, corner >> 2];
    const d = values[((base[2] + bits[2]) * ny + base[1] + bits[1]) * nx + base[0] + bits[0]];
    const u = bits.map((bit, a) => (bit ? g[a] - base[a] : 1 - g[a] + base[a]));
    value += u[0] * u[1] * u[2] * d;
    for (let a = 0; a < 3; a++) gradient[a] += ((bits[a] ? 1 : -1) * u[(a + 1) % 3] * u[(a + 2) % 3] * d) / cell[a];
  }
  return { value, gradient };
}

/** A random point of the field, in metres and in nodes. */
function somewhere({ origin, cell, size }: DistanceField, next: () => number) {
  const g = size.map((n) => (n - 1) * next() * (1 - 1e-9));
  return { g, p: g.map((v, a) => origin[a] + v * cell[a]) as [number, number, number] };
}

/** Signed distance, negative inside. */
const signed = (solid: Solid, ...p: [number, number, number]) => (solid.inside(...p) ? -1 : 1) * solid.distance(...p);

describe('the distance field', () => {
  it.each<[string, ShapeOptions]>([
    ['sphere', { type: 'sphere', radius: 0.5, position: [1, 2, 3] }],
    ['box', { type: 'box', size: [1, 0.7, 0.5] }],
  ])('of a %s is off by no more than interpolation may be', (_, shape) => {
    const solid = shapeSolid(shape);
    const field = buildField(solid, SPACING);
    const cell = Math.max(...field.cell);
    const next = random(testSeed('field'));
    const farthest = 4 * SPACING - Math.sqrt(3) * cell;
    let checked = 0;
    for (let n = 0; n < 20_000; n++) {
      const { g, p } = somewhere(field, next);
      const exact = signed(solid, ...p);
      // Values end at 4 spacings; a cell farther than its diagonal from there has none of these.
      if (Math.abs(exact) > farthest) continue;
      checked++;
      const off = sample(field, g).value - exact;
      // The distance to a convex body is convex, outside and in: between the nodes its interpolation is never below it. And as
      // it changes by at most 1 per metre, it is above by at most Σ w |corner − p| ≤ (Σ w |corner − p|²)^½ ≤ ½ √3 cell.
      expect(off).toBeGreaterThan(-10 * ROUNDING);
      expect(off).toBeLessThan((Math.sqrt(3) / 2) * cell);
      if (shape.type !== 'sphere') continue;
      // ⅛ cell² Σ ∂²d/∂x², the Laplacian of |p|, which is 2/|p|, where the cell is nearest to the centre.
      const r = Math.hypot(p[0] - 1, p[1] - 2, p[2] - 3) - Math.sqrt(3) * cell;
      if (r > 0) expect(off).toBeLessThan((cell * cell) / (4 * r) + 10 * ROUNDING);
    }
    expect(checked).toBeGreaterThan(5000);
  });

  it('of a box is exact over its faces, looks away from them, and has its sign', () => {
    const half = [0.5, 0.35, 0.25];
    const solid = shapeSolid({ type: 'box', size: half.map((h) => 2 * h) as unknown as Vec3 });
    const field = buildField(solid, SPACING);
    const next = random(testSeed('faces'));
    for (let n = 0; n < 2000; n++) {
      const [axis, side] = [Math.floor(3 * next()), next() < 0.5 ? -1 : 1];
      // Farther from the other faces by two cells, one in depth and one across, so that this one is the nearest for all corners. Outside, up to the edges.
      const d = -0.1 + 0.25 * next();
      const clear = d > 0 ? 0 : 2 * Math.max(...field.cell);
      const p = half.map((h, a) =>
        a === axis ? side * (h + d) : (2 * next() - 1) * (h - Math.max(0, -d) - clear),
      ) as unknown as Vec3;
      if (half.some((h, a) => a !== axis && h - Math.max(0, -d) - clear < 0)) continue;
      const { value, gradient } = sample(
        field,
        p.map((v, a) => (v - field.origin[a]) / field.cell[a]),
      );
      expect(Math.abs(value - d)).toBeLessThan(20 * ROUNDING);
      // Differences of values over a cell.
      for (let a = 0; a < 3; a++)
        expect(Math.abs(gradient[a] - (a === axis ? side : 0))).toBeLessThan((20 * ROUNDING) / field.cell[a]);
    }
  });

  it('of a sphere looks away from its centre', () => {
    const field = buildField(shapeSolid({ type: 'sphere', radius: 0.5 }), SPACING);
    const next = random(testSeed('gradient'));
    for (let n = 0; n < 5000; n++) {
      const { g, p } = somewhere(field, next);
      const r = Math.hypot(...p);
      if (r < 0.3 || r > 0.7) continue;
      const { gradient } = sample(field, g);
      // The slope along an edge is the mean of ∂d/∂x over it. Its distance to p counts only along the edge, where it is ½ cell
      // at most; across, the mean of the edges is p. So each component is off by ½ cell ∂²d/∂x² (Σ of squares ≤ 2/r²) and,
      // to second order in cell/r < ¼, by not more than that again.
      const off = Math.hypot(...gradient.map((v, a) => v - p[a] / r));
      expect(off).toBeLessThan((Math.SQRT2 * Math.max(...field.cell)) / r);
    }
  });

  const icosahedron = icosphere(3);
  const openBoxes = [0, 2, 4, 6, 8, 10].map(
    (t) =>
      [`box without its side ${t / 2}`, meshSolid(without(boxMesh([1, 1, 1]), (k) => k === t || k === t + 1))] as const,
  );
  it.each<readonly [string, Solid]>([
    ['torus', shapeSolid({ type: 'torus', radius: 0.5, tube: 0.2 })],
    ['capsule', shapeSolid({ type: 'capsule', radius: 0.2, height: 0.8 })],
    [
      'ball with a hole through it',
      shapeSolid({
        type: 'difference',
        of: [
          { type: 'sphere', radius: 0.6 },
          { type: 'cylinder', radius: 0.15, height: 2 },
        ],
      }),
    ],
    ['hollow box', shell(shapeSolid({ type: 'box', size: [1, 1, 1] }), 0.15)],
    ['mesh of a ball', meshSolid(icosahedron)],
    ['half a mesh of a ball', meshSolid(without(icosahedron, (t) => t < 640))],
    ...openBoxes,
  ])('of a %s has the sign of the inside at every node', (_, solid) => {
    const field = buildField(solid, SPACING);
    const { origin, cell, size, values } = field;
    let [inside, wrong] = [0, 0];
    for (let k = 0, at = 0; k < size[2]; k++)
      for (let j = 0; j < size[1]; j++)
        for (let i = 0; i < size[0]; i++, at++) {
          const p = [origin[0] + i * cell[0], origin[1] + j * cell[1], origin[2] + k * cell[2]] as const;
          inside += values[at] < 0 ? 1 : 0;
          // On the surface both are right.
          wrong += Math.abs(values[at]) > ROUNDING && values[at] < 0 !== solid.inside(...p) ? 1 : 0;
        }
    expect(wrong).toBe(0);
    expect(inside).toBeGreaterThan(50);
  });

  it('goes beyond the body by what can touch it, and ends', () => {
    const solid = shapeSolid({ type: 'ellipsoid', radii: [0.7, 0.3, 0.5], position: [5, -1, 0] });
    const { origin, cell, size, values } = buildField(solid, SPACING);
    expect(values.length).toBe(size[0] * size[1] * size[2]);
    for (let a = 0; a < 3; a++) {
      const end = origin[a] + (size[a] - 1) * cell[a];
      for (const beyond of [solid.min[a] - origin[a], end - solid.max[a]]) {
        expect(beyond).toBeGreaterThanOrEqual(0.25 - 1e-9);
        expect(beyond).toBeLessThan(0.25 + cell[a]);
      }
    }
    expect(Math.max(...values)).toBe(Math.fround(4 * SPACING));
  });

  it.each<[string, Vec3]>([
    ['sheet', [400, 400, 0.1]],
    ['rod', [2e6, 0.1, 0.1]],
    ['block', [30, 30, 30]],
  ])('of a %s that is large in spacings has 2²² nodes at most, farther apart', (_, size) => {
    const half = size.map((s) => s / 2);
    let asked = 0;
    const solid: Solid = {
      min: half.map((h) => -h) as unknown as Vec3,
      max: half as unknown as Vec3,
      inside: () => false,
      distance: () => ++asked,
    };
    const field = buildField(solid, SPACING);
    expect(field.values.length).toBeLessThanOrEqual(2 ** 22);
    // Not fewer than needed: a quarter less in every direction would be too many.
    const widest = Math.max(...field.cell) / 1.25;
    const nodes = size.map((s) => (s + 5 * SPACING) / Math.min(s, widest) + 4);
    expect(nodes[0] * nodes[1] * nodes[2]).toBeGreaterThan(2 ** 22);
    expect(field.size.map((n, a) => (n - 1) * field.cell[a] >= 0.1)).toEqual([true, true, true]);
    // Cells that are far as a whole are set without asking for every node.
    expect(asked).toBeLessThan(field.values.length / 10);
    expect(field.values.every((value) => value > 0)).toBe(true);
  });

  it('is the same as if every node had been asked for', () => {
    const ears = [-0.2, 0.2].map((x) => ({ type: 'ellipsoid', radii: [0.1, 0.4, 0.06], position: [x, 1, 0] }) as const);
    const solid = shapeSolid({ type: 'union', of: [{ type: 'ellipsoid', radii: [0.5, 0.7, 0.4] }, ...ears] });
    const [spacing, counts] = [0.03, [0, 0]];
    const { origin, cell, size, values } = buildField(solid, spacing);
    for (let k = 0, at = 0; k < size[2]; k++)
      for (let j = 0; j < size[1]; j++)
        for (let i = 0; i < size[0]; i++, at++) {
          const p = [origin[0] + i * cell[0], origin[1] + j * cell[1], origin[2] + k * cell[2]] as const;
          const d = Math.fround(Math.min(4 * spacing, solid.distance(...p)));
          if (Math.abs(values[at]) !== d) counts[0]++;
          counts[1] += d === Math.fround(4 * spacing) ? 1 : 0;
        }
    expect(counts[0]).toBe(0);
    // Both kinds are there.
    expect(counts[1] / values.length).toBeGreaterThan(0.3);
    expect(counts[1] / values.length).toBeLessThan(0.9);
  });
});

it('is found by the clusters of a placed body', async () => {
  const world = await World.create();
  const shape = { type: 'sphere', radius: 0.5 } as const;
  const sampling = { spacing: 0.12 };
  // A body in front, so that nodes and clusters do not begin at 0.
  world.addBody({ shape, sampling, clustering: { count: 2 } });
  const position = [3, -2, 7] as const;
  const body = world.addBody({
    shape,
    sampling,
    clustering: { count: 5 },
    scale: 2,
    rotation: [0.3, -0.2, 0.5, 0.7],
    position,
  });
  const { restFrame, distanceGrid, distance, member, memberStart } = world.state.views;
  const cell = 0.75 * 0.12;
  for (let c = body.rows.clusterStart; c < body.rows.clusterEnd; c++) {
    const [start, nx, ny, nz] = distanceGrid.slice(4 * c, 4 * c + 4);
    const values = distance.subarray(start, start + nx * ny * nz);
    const m = restFrame.subarray(12 * c, 12 * c + 12);
    for (let k = memberStart[c]; k < memberStart[c + 1]; k++) {
      const p = member.subarray(4 * k, 4 * k + 3);
      const g = [0, 1, 2].map((a) => m[a] * p[0] + m[3 + a] * p[1] + m[6 + a] * p[2] + m[9 + a]);
      const rest = body.restPositions.subarray(3 * (world.state.views.memberParticle[k] - body.rows.particleStart));
      const r = Math.hypot(...position.map((v, a) => rest[a] - v)) / 2;
      const { value } = sample({ size: [nx, ny, nz], values, cell: [cell, cell, cell], origin: [0, 0, 0] }, g);
      // Within the error of interpolation above, twice as large, and what f32 leaves of the place in the grid; distances end at
      // 4 spacings.
      if (r < 0.5 - 4 * 0.12 + 2 * cell) continue;
      expect(value - 2 * (r - 0.5)).toBeGreaterThan(-1e-5);
      expect(value - 2 * (r - 0.5)).toBeLessThan((cell * cell) / (2 * Math.max(r - Math.sqrt(3) * cell, cell / 4)));
    }
  }
});
