import { describe, expect, it } from 'vitest';
import { gridPoints, gridPointsByCount } from './grid.js';
import { meetsCount } from './searchSpacing.js';
import { shapeSolid } from './shape.js';
import { leastDistance } from './testing/pairs.js';

const cube = shapeSolid({ type: 'box', size: [1, 1, 1] });
const ball = shapeSolid({ type: 'sphere', radius: 1, position: [3, 0, 0] });

describe('gridPoints', () => {
  it('puts points at cell centres, half a spacing below the faces', () => {
    const positions = gridPoints(cube, 0.1);
    expect(positions.length / 3).toBe(1000);
    expect(Math.min(...positions)).toBeCloseTo(-0.45, 12);
    expect(Math.max(...positions)).toBeCloseTo(0.45, 12);
  });

  it('lists all points, also more than there is room for at first', () => {
    const positions = gridPoints(cube, 1 / 43);
    expect(positions.length / 3).toBe(43 ** 3);
    for (const end of [positions.slice(0, 3).map((value) => -value), positions.slice(-3)])
      for (const value of end) expect(value).toBeCloseTo(21 / 43, 12);
  });

  it('has exactly the spacing, and stands for the volume', () => {
    const positions = gridPoints(ball, 0.08);
    expect(leastDistance(positions, 0.1)).toBeCloseTo(0.08, 12);
    expect(((positions.length / 3) * 0.08 ** 3) / ball.volume!).toBeCloseTo(1, 1);
  });

  it('is centred on the body', () => {
    for (const spacing of [0.07, 0.11, 0.3, 0.62]) {
      const sum = [0, 0, 0];
      const positions = gridPoints(ball, spacing);
      positions.forEach((x, k) => {
        sum[k % 3] += x / (positions.length / 3);
      });
      expect(sum[0]).toBeCloseTo(3, 10);
      expect(sum[1]).toBeCloseTo(0, 10);
      expect(sum[2]).toBeCloseTo(0, 10);
    }
  });

  it('has one layer in a plate thinner than the spacing', () => {
    const plate = shapeSolid({ type: 'box', size: [1, 0.02, 1] });
    const positions = gridPoints(plate, 0.1);
    expect(positions.length / 3).toBe(100);
    for (let k = 1; k < positions.length; k += 3) expect(positions[k]).toBe(0);
  });
});

describe('gridPointsByCount', () => {
  it('keeps the plain grid where that has the count', () => {
    const { positions, spacing } = gridPointsByCount(cube, 1, 1331, 1);
    expect(positions.length / 3).toBe(1331);
    expect(spacing).toBeCloseTo(1 / 11, 12);
    expect(leastDistance(positions, 0.1)).toBeCloseTo(1 / 11, 12);
  });

  it('reaches every count of a cube from 1 to 200, inside the cube and with a nearly cubic cell', () => {
    for (let count = 1; count <= 200; count++) {
      const { positions, spacing } = gridPointsByCount(cube, 1, count, 1);
      expect(meetsCount(positions.length / 3, count)).toBe(true);
      expect(positions.every((x) => Math.abs(x) <= 0.5)).toBe(true);
      if (count > 8) expect(leastDistance(positions, 1.2 * spacing)).toBeGreaterThan(0.85 * spacing);
    }
  });
});
