import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { type SampleOptions, type ShapeOptions, sample, shapeSolid, shell } from '../sample/index.js';
import { Elasticity, Row } from '../state/fields.js';
import { World } from '../world.js';
import { surfaceOfPoints, surfaceOfSolid } from './outward.js';
import { holdOf, particlesPerCluster, SLENDER, slenderCount, thicknessOf, WIDE } from './thickness.js';

const SPACING = 0.05;
const GRID = { method: 'grid', spacing: SPACING } as const;

function thickness(shape: ShapeOptions, sampling: SampleOptions = GRID): number {
  const solid = shapeSolid(shape);
  const { positions, spacing } = sample(solid, sampling);
  const walls = sampling.shell === undefined ? solid : shell(solid, sampling.shell, 'shell');
  return thicknessOf(positions, surfaceOfSolid(walls, positions, spacing), SPACING);
}

const box = (...layers: [number, number, number]): ShapeOptions => ({
  type: 'box',
  size: layers.map((n) => n * SPACING) as [number, number, number],
});

describe('the thickness of a body', () => {
  it('is the number of particles across, of cubes, bars and slabs', () => {
    for (const n of [10, 13]) {
      expect(Math.abs(thickness(box(n, n, n)) - n)).toBeLessThan(1.01);
      expect(Math.abs(thickness(box(n, n, 4 * n)) - n)).toBeLessThan(1.01);
    }
    expect(Math.abs(thickness(box(30, 30, 11)) - 11)).toBeLessThan(1);
  });

  it('is about that of the grid with blue noise, and of points whose solid is not known', () => {
    const n = 15;
    const noise = thickness(box(n, n, n), { count: n ** 3 });
    expect(Math.abs(noise / n - 1)).toBeLessThan(0.15);
    const { positions } = sample(shapeSolid(box(n, n, n)), GRID);
    expect(Math.abs(thicknessOf(positions, surfaceOfPoints(positions), SPACING) / n - 1)).toBeLessThan(0.15);
  });

  it('of a hollow ball is that of its wall', () => {
    const wall = thickness({ type: 'sphere', radius: 16 * SPACING }, { ...GRID, shell: 6 * SPACING });
    expect(wall).toBeLessThan(9);
    expect(thickness({ type: 'sphere', radius: 9 * SPACING })).toBeGreaterThan(14);
  });

  it('counts thin parts most', () => {
    const dumbbell: ShapeOptions = {
      type: 'union',
      of: [
        { type: 'sphere', radius: 0.4, position: [-1.5, 0, 0] },
        { type: 'box', size: [6, 0.2, 0.2] },
      ],
    };
    expect(thickness(dumbbell)).toBeLessThan(0.85 * thickness({ type: 'sphere', radius: 0.4 }));
  });
});

describe('the width of clusters', () => {
  it('grows with thickness beyond a bar of 9 across, and so does their hold, up to a bound', () => {
    expect(particlesPerCluster(0)).toBe(25);
    expect(particlesPerCluster(9)).toBeCloseTo(25, 10);
    expect(particlesPerCluster(17)).toBeGreaterThan(35);
    expect(particlesPerCluster(27)).toBeGreaterThan(55);
    expect(particlesPerCluster(1000)).toBeCloseTo(25 * WIDE.MOST ** 1.5, 10);
    for (const thick of [9, 12, 17, 27]) {
      const per = particlesPerCluster(thick);
      expect(holdOf(thick, 50 * per, 50) / (per / 25) ** (2 / 3)).toBeCloseTo(1, 10);
    }
  });

  it('holds small bodies no more firmly, however wide their clusters are', () => {
    for (const per of [25, 50, 200, 1e6])
      for (const count of [1, 90, 200]) expect(holdOf(7, per * count, count)).toBe(1);
    // Clusters that are wider than the thickness allows lose their hold again.
    expect(holdOf(27, 2000 * 50, 50)).toBe(1);
  });

  it('is less in slender bodies, whose clusters hold more firmly', () => {
    const perOf = (n: number) => (6 * n ** 3) / slenderCount(6 * n ** 3, n);
    expect(perOf(7)).toBeLessThan(12);
    expect(perOf(9)).toBeLessThan(20);
    expect(perOf(9)).toBeGreaterThan(18);
    for (const n of [7, 9]) {
      const hold = holdOf(n, 6 * n ** 3, slenderCount(6 * n ** 3, n));
      expect(hold).toBeGreaterThan(1.03);
      expect(hold).toBeLessThan(1.1);
    }
    // Cubes of 6 to 11 across have too few clusters, larger bodies and thicker ones larger clusters.
    for (const n of [6, 7, 9, 11]) expect(slenderCount(n ** 3, n)).toBe(0);
    expect(slenderCount(1e5, 7)).toBe(SLENDER.ENOUGH);
    expect(slenderCount(8000, 10.2)).toBe(0);
  });
});

describe('a slender body', () => {
  it('has more clusters that hold more firmly, unless it breaks or their number is given', async () => {
    const bar: BodyOptions = { shape: box(7, 7, 42), sampling: GRID };
    const built = async (options: BodyOptions) => {
      const world = await World.create({ threads: 1 });
      const { rows } = world.addBody(options);
      const hold = world.state.views.elasticity[Row.elasticity * rows.clusterStart + Elasticity.HOLD];
      world.dispose();
      return { count: rows.clusterEnd - rows.clusterStart, hold };
    };
    const plain = await built(bar);
    expect(plain.count).toBeGreaterThan(160);
    expect(plain.hold).toBeGreaterThan(1.07);
    expect(await built({ ...bar, material: { toughness: 0.2 } })).toEqual({ count: 90, hold: 1 });
    expect(await built({ ...bar, clustering: { count: 80 } })).toEqual({ count: 80, hold: 1 });
    // A stiff one keeps them, a very stiff one gets few wide ones.
    expect((await built({ ...bar, material: { young: 2e6 } })).count).toBe(plain.count);
    expect((await built({ ...bar, material: { young: 3e7 } })).count).toBeLessThan(30);
  });
});

describe('a thick body', () => {
  const cube: BodyOptions = { shape: box(14, 14, 14), sampling: GRID };
  const built = async (options: BodyOptions) => {
    const world = await World.create({ threads: 1 });
    const body = world.addBody(options);
    const hold = (c: number) => world.state.views.elasticity[Row.elasticity * c + Elasticity.HOLD];
    return { world, body, hold, count: body.rows.clusterEnd - body.rows.clusterStart };
  };

  it('has wider clusters, unless it yields, breaks or is clustered anew', async () => {
    const plain = await built(cube);
    expect(plain.count).toBeLessThan(14 ** 3 / 30);
    expect(plain.hold(plain.body.rows.clusterStart)).toBeGreaterThan(1.1);
    for (const others of [{ material: { yield: 0.1 } }, { material: { toughness: 0.2 } }, { reclustering: {} }]) {
      const { world, count } = await built({ ...cube, ...others });
      expect(count).toBe(Math.floor(14 ** 3 / 25));
      world.dispose();
    }
    plain.world.dispose();
  });

  it('keeps the hold of its clusters in pieces that are cut off, and after a restore', async () => {
    const { world, body, hold } = await built(cube);
    const before = hold(body.rows.clusterStart);
    const snapshot = world.snapshot();
    world.cut(body, { point: [0.02, 0, 0], normal: [1, 0.2, 0] });
    expect(world.bodies).toHaveLength(2);
    for (const { rows } of world.bodies)
      for (let c = rows.clusterStart; c < rows.clusterEnd; c++) expect(hold(c)).toBe(before);
    world.restore(snapshot);
    const [{ rows }] = world.bodies;
    for (let c = rows.clusterStart; c < rows.clusterEnd; c++) expect(hold(c)).toBe(before);
    world.dispose();
  });
});
