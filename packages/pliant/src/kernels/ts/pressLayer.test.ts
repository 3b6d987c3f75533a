import { expect, it } from 'vitest';
import { random } from '../../math/random.js';
import { LAYER } from '../constants.js';
import { pressLayer } from './pressLayer.js';

const pressing = { way: 0, away: 0 };

it('under a steady load a layer is shorter by load over stiffness', () => {
  const [d, half, h, modulus, load] = [0.07, 0.07, 1 / 240, 100, 20];
  // The particle's depth and velocity away from the obstacle. The load is an acceleration towards it.
  let [depth, v] = [0, 0];
  for (let k = 0; k < 2000; k++) {
    v -= load * h;
    depth -= v * h;
    if (depth <= 0) continue;
    pressLayer(pressing, depth, d, half, modulus * h * h, -v, h, 0.01);
    depth -= pressing.way;
    v = pressing.away;
  }
  expect(v).toBeCloseTo(0, 6);
  expect(depth).toBeCloseTo((load * d * (half + d)) / modulus, 6);
});

it('a particle leaves with no more energy than it came with, at any speed, depth and stiffness', () => {
  const next = random(7);
  let most = 0;
  for (let n = 0; n < 2000; n++) {
    const [d, half, h] = [0.1 * next(), 0.05, 10 ** (-1 - 2 * next())];
    const ratio = 10 ** (4 * next() - 2);
    const tau = n % 3 ? h * 10 ** (3 * next() - 1) : 0;
    // Half of them begin in the obstacle, some far beyond what the layer can be pressed by.
    let depth = n % 2 ? -0.1 * next() : 3 * d * next();
    let v = -10 * next() ** 3;
    const energy = () => (v * v + (ratio / (h * h)) * Math.min(Math.max(depth, 0), LAYER.PRESSED * d) ** 2) / 2;
    const before = energy();
    for (let k = 0; k < 4000 && (v < 0 || depth > 0); k++) {
      depth -= v * h;
      if (depth <= 0) continue;
      pressLayer(pressing, depth, d, half, ratio * d * (half + d), -v, h, tau);
      depth -= pressing.way;
      v = pressing.away;
      expect(depth).toBeLessThanOrEqual(LAYER.PRESSED * d * (1 + 1e-12));
    }
    expect(depth).toBeLessThan(1e-9);
    most = Math.max(most, energy() / before);
  }
  expect(most).toBeLessThanOrEqual(1 + 1e-9);
});

it('a particle swings on its layer by the damping ratio of the material', () => {
  // κ = E/ρ/(d (s/2 + d)) is ω²; the damping ratio of a solid that relaxes by τ is ω τ/2.
  const [d, half, h, omega, zeta, load] = [0.07, 0.07, 1 / 20000, 40, 0.1, 60];
  let [depth, v] = [0.05, 0];
  const least = { first: 0, second: 0 };
  const middle = load / omega ** 2;
  for (let k = 0; k < (2.2 * 2 * Math.PI) / omega / h; k++) {
    v -= load * h;
    depth -= v * h;
    pressLayer(pressing, depth, d, half, d * (half + d) * (omega * h) ** 2, -v, h, (2 * zeta) / omega);
    depth -= pressing.way;
    v = pressing.away;
    const turn = (k * h * omega) / (2 * Math.PI);
    const name = turn < 1 ? 'first' : 'second';
    least[name] = Math.max(least[name], middle - depth);
  }
  const decrement = Math.log(least.first / least.second);
  expect(Math.abs(decrement / ((2 * Math.PI * zeta) / Math.sqrt(1 - zeta ** 2)) - 1)).toBeLessThan(0.05);
});

it('a layer that is damped never pulls', () => {
  pressLayer(pressing, 0.01, 0.07, 0.07, 0.001, -5, 1 / 240, 1);
  expect(pressing.away).toBe(5);
  expect(pressing.way).toBe(0);
});

it('the layer of a particle in the surface is rigid', () => {
  pressLayer(pressing, 0.01, 1e-9, 0.05, 100 / 240 ** 2, 2.4, 1 / 240, 0);
  expect(pressing.way).toBeCloseTo(0.01, 7);
  expect(pressing.away).toBeCloseTo(0, 2);
});
