import { describe, expect, it } from 'vitest';
import { buildBody } from './build.js';

describe('the masses of particles of blue noise', () => {
  it.each([7, 9, 12])('have the moments of inertia of the cube that they fill, %d across', (n) => {
    const { data } = buildBody({
      shape: { type: 'box', size: [1, 1, 1] },
      sampling: { count: n ** 3 },
      material: { density: 1000 },
    });
    const mass = data.masses.reduce((sum, m) => sum + m, 0);
    expect(mass).toBeCloseTo(1000, 6);
    for (let a = 0; a < 3; a++) {
      let moment = 0;
      data.masses.forEach((m, i) => {
        moment += m * data.positions[3 * i + a] ** 2;
      });
      // With volumes by the depth below the nearest face alone, 6 % too much with 7 across.
      expect(Math.abs((12 * moment) / mass - 1)).toBeLessThan(0.025);
    }
    // A corner has an eighth of a cell, and no particle has next to nothing.
    expect(Math.min(...data.masses) / (mass / data.masses.length)).toBeGreaterThan(0.1);
  });
});
