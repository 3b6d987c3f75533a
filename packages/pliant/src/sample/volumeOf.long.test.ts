import { expect, it } from 'vitest';
import { shapeSolid } from './shape.js';
import { shell } from './shell.js';
import { estimateVolume } from './volumeOf.js';

it('volumeOf is within 0.5 % for bodies that fill little of their box, by distance and by sign', () => {
  const torus = shapeSolid({ type: 'torus', radius: 1, tube: 0.06 });
  expect(Math.abs(estimateVolume(torus) / torus.volume! - 1)).toBeLessThan(0.005);
  expect(Math.abs(estimateVolume({ ...torus, signOnly: true }) / torus.volume! - 1)).toBeLessThan(0.005);
  const ball = shapeSolid({ type: 'sphere', radius: 1 });
  const skin = (4 / 3) * Math.PI * (1 - 0.98 ** 3);
  expect(Math.abs(estimateVolume(shell(ball, 0.02)) / skin - 1)).toBeLessThan(0.005);
});
