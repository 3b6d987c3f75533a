import { describe, expect, it } from 'vitest';
import { refusal } from '../testing/refusal.js';
import { type Region, resolveRegion } from './region.js';

describe('a region', () => {
  it('halfspace: beyond the offset along the unit normal, the border outside', () => {
    const inside = resolveRegion('region', { type: 'halfspace', normal: [0, 3, 4], offset: 2 });
    // n = (0, 0.6, 0.8)
    expect(inside(100, 2, 1.1)).toBe(true);
    expect(inside(0, 2, 0.9)).toBe(false);
    const straight = resolveRegion('region', { type: 'halfspace', normal: [2, 0, 0], offset: 0.5 });
    expect([straight(0.5, 0, 0), straight(0.5000001, 0, 0)]).toEqual([false, true]);
  });

  it('box: from min to max, the border inside', () => {
    const inside = resolveRegion('region', { type: 'box', min: [0, 0, 0], max: [1, 2, 3] });
    expect([inside(0, 0, 0), inside(1, 2, 3), inside(0.5, 1, 1)]).toEqual([true, true, true]);
    expect([inside(1.01, 1, 1), inside(0.5, -0.01, 1), inside(0.5, 1, 3.01)]).toEqual([false, false, false]);
  });

  it('sphere: within the radius, the border inside', () => {
    const inside = resolveRegion('region', { type: 'sphere', centre: [1, 1, 1], radius: 2 });
    expect([inside(3, 1, 1), inside(3.01, 1, 1), inside(2, 2, 2), inside(2.5, 2.5, 2)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it.each([
    [undefined, 'region.type is undefined; expected one of "halfspace", "box", "sphere".'],
    [{ type: 'cone' }, 'region.type is "cone"; expected one of "halfspace", "box", "sphere".'],
    [{ type: 'sphere', centre: [0, 0, 0], radius: -1 }, 'region.radius is -1; expected a finite number of at least 0.'],
    [
      { type: 'sphere', center: [0, 0, 0], radius: 1 },
      'region.center is not an option; expected one of type, centre, radius.',
    ],
    [
      { type: 'halfspace', normal: [0, 0, 0], offset: 0 },
      'region.normal is [0, 0, 0]; expected a direction of non-zero length.',
    ],
    [{ type: 'box', min: [0, 0, 0] }, 'region.max is undefined; expected three finite numbers.'],
  ])('refuses %o', (region, message) => {
    expect(refusal(() => resolveRegion('region', region as Region))).toBe(message);
  });
});
