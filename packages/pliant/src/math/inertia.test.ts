import { expect, it } from 'vitest';
import { invertInertiaBackInto, invertInertiaInto } from './inertia.js';
import { random } from './random.js';

/** Of points x y z of mass 1 about the origin. */
function inertiaOf(points: readonly number[][]): Float64Array {
  const m = new Float64Array(6);
  for (const [x, y, z] of points) {
    const own = [y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z];
    own.forEach((value, k) => {
      m[k] += value;
    });
  }
  return m;
}

const times = (m: Float64Array, [x, y, z]: readonly number[]) => [
  m[0] * x + m[3] * y + m[4] * z,
  m[3] * x + m[1] * y + m[5] * z,
  m[4] * x + m[5] * y + m[2] * z,
];

const inverse = new Float64Array(6);
const back = new Float64Array(6);

it('is inverted where it is that of a solid, and back', () => {
  const next = random(5);
  for (let n = 0; n < 100; n++) {
    const inertia = inertiaOf(Array.from({ length: 6 }, () => [next() - 0.5, next() - 0.5, 0.1 * next()]));
    invertInertiaInto(inverse, 0, inertia);
    const w = [next(), next(), next()];
    const same = times(inertia, times(inverse, w));
    for (let a = 0; a < 3; a++) expect(same[a]).toBeCloseTo(w[a], 6);
    invertInertiaBackInto(back, inverse);
    for (const [k, value] of Array.from(inertia).entries()) expect(back[k]).toBeCloseTo(value, 6);
  }
});

it('of a line knows no spin about the line, whatever rounding left there', () => {
  const next = random(6);
  for (let n = 0; n < 100; n++) {
    const u = [next() - 0.5, next() - 0.5, next() - 0.5];
    const noise = () => 1e-7 * (next() - 0.5);
    const points = [-2, -1, 1, 2].map((t) => u.map((x) => t * x + noise()));
    const inertia = inertiaOf(points);
    invertInertiaInto(inverse, 0, inertia);
    // Across it the spin comes back, along it there is none.
    const length = Math.hypot(...u);
    const along = u.map((x) => x / length);
    const w = [next(), next(), next()];
    const dot = w[0] * along[0] + w[1] * along[1] + w[2] * along[2];
    const turn = times(inertia, w).map((l, a) => l + 1e-7 * along[a]);
    const spin = times(inverse, turn);
    for (let a = 0; a < 3; a++) expect(spin[a]).toBeCloseTo(w[a] - dot * along[a], 4);
    invertInertiaBackInto(back, inverse);
    for (const [k, value] of Array.from(inertia).entries()) expect(back[k]).toBeCloseTo(value, 6);
  }
});
