import { expect, it } from 'vitest';
import { pseudoInverseInto } from '../state/members.js';
import { testSeed } from '../testing/seed.js';
import { isFlat } from './mat3.js';
import { random } from './random.js';

it('tells flat clusters from others however they lie', () => {
  const next = random(testSeed('flat'));
  const [moment, inverse] = [new Float64Array(9), new Float64Array(9)];
  for (let n = 0; n < 200; n++) {
    // Three random directions; the last has no extent, little, or as much as the others.
    const axes = [0, 1, 2].map(() => [0, 1, 2].map(() => 2 * next() - 1));
    for (const thickness of [0, 1e-2, 1]) {
      moment.fill(0);
      for (let k = 0; k < 40; k++) {
        const [a, b, c] = [2 * next() - 1, 2 * next() - 1, thickness * (2 * next() - 1)];
        const p = [0, 1, 2].map((i) => Math.fround(a * axes[0][i] + b * axes[1][i] + c * axes[2][i]));
        for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) moment[3 * j + i] += p[i] * p[j];
      }
      pseudoInverseInto(inverse, 0, moment);
      const across = axes[0].map(
        (_, i) => axes[0][(i + 1) % 3] * axes[1][(i + 2) % 3] - axes[0][(i + 2) % 3] * axes[1][(i + 1) % 3],
      );
      const volume = Math.abs(across.reduce((sum, v, i) => sum + v * axes[2][i], 0));
      // Directions that happen to lie in a plane, or on a line, make flat clusters too.
      if (thickness === 0 || (volume > 0.1 && Math.hypot(...across) > 0.1))
        expect(isFlat(inverse, 0)).toBe(thickness === 0);
    }
  }
});
