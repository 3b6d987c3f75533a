import { describe, expect, it } from 'vitest';
import { massesFor } from './masses.js';
import { sample } from './sample.js';
import { shapeSolid } from './shape.js';

const total = (masses: Float64Array) => masses.reduce((a, b) => a + b, 0);

describe('massesFor', () => {
  it('shares density · volume equally', () => {
    const masses = massesFor([0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0], 2, 1000);
    expect([...masses]).toEqual([500, 500, 500, 500]);
  });

  it('follows a density over the body, and its total the integral', () => {
    const { positions, volume } = sample(shapeSolid({ type: 'box', size: [1, 1, 1] }), { count: 4000 });
    const masses = massesFor(positions, volume, (x) => 1000 * (1 + x));
    expect(total(masses)).toBeGreaterThan(990);
    expect(total(masses)).toBeLessThan(1010);
    for (let i = 0; i < masses.length; i++)
      expect(masses[i]).toBeCloseTo((1000 * (1 + positions[3 * i]) * volume) / masses.length, 12);
  });

  it('refuses a density or a volume that gives no mass', () => {
    expect(() => massesFor([0, 0, 0], 1, 0)).toThrow('density is 0; expected a finite number above 0.');
    expect(() => massesFor([0, 0, 0], 0, 1)).toThrow('volume is 0; expected a finite number above 0.');
    expect(() => massesFor([], 1, 1)).toThrow('positions is []; expected at least one point.');
    expect(() => massesFor([1, 2, 3], 1, () => Number.NaN, 'material.density')).toThrow(
      'material.density(1, 2, 3) is NaN; expected a finite number above 0.',
    );
  });
});
