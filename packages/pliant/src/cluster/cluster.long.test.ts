import { describe, expect, it } from 'vitest';
import { shapeSolid } from '../sample/index.js';
import { sample } from '../sample/sample.js';
import { report } from '../testing/report.js';
import { cluster } from './cluster.js';
import { gridBox, unitMasses } from './testing/bodies.js';

describe('cost', () => {
  it('grows about linearly with the particles (distances counted, per iteration)', () => {
    const per = [8, 16, 32].map((n) => {
      const points = gridBox(n, n, n, 1);
      const { report: found } = cluster(points, unitMasses(points), { count: n ** 3 / 64, radius: 4 });
      expect(found.attempts).toBe(1);
      return found.evaluations / found.iterations / n ** 3;
    });
    report('distances per particle and iteration at 512, 4096, 32768 particles', per, '');
    // 64 times the particles; a quadratic method would need 64 times as many distances per particle.
    expect(per[2] / per[0]).toBeLessThan(2.5);
  });
});

describe("the radius 'even'", () => {
  it('of 20 000 particles: where one is left outside by chance, a slightly wider radius is taken', () => {
    const cube = shapeSolid({ type: 'box', size: [1, 1, 1] });
    let widened = 0;
    for (const seed of [1, 2, 3]) {
      const { positions } = sample(cube, { count: 19_683, seed });
      for (const count of [311, 316]) {
        const options = { count, radius: 'even', epsilon: 'even', overlap: 1.3 } as const;
        const { report: found } = cluster(positions, unitMasses(positions), options);
        // A search for the smallest radius tries some ten.
        expect(found.attempts).toBeLessThanOrEqual(3);
        if (found.attempts > 1) widened++;
      }
    }
    report('bodies of 6 whose radius was widened', widened, '');
  });
});
