import { describe, expect, it } from 'vitest';
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
