import { describe, expect, it } from 'vitest';
import { shapeSolid } from './shape.js';
import { shell } from './shell.js';
import { estimateVolume, volumeOf } from './volumeOf.js';

describe('volumeOf', () => {
  it('is the closed form where there is one', () => {
    expect(volumeOf(shapeSolid({ type: 'box', size: [1, 2, 3] }))).toBe(6);
  });

  it('is the same every time', () => {
    const ball = shell(shapeSolid({ type: 'sphere', radius: 1 }), 0.1);
    expect(estimateVolume(ball)).toBe(estimateVolume(ball));
  });

  it('of nothing is 0', () => {
    const nothing = shapeSolid({ type: 'implicit', distance: () => 1, min: [0, 0, 0], max: [1, 1, 1] });
    expect(estimateVolume(nothing)).toBe(0);
  });
});
