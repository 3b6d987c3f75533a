import { describe, expect, it } from 'vitest';
import { strainEnergy } from '../inspect.js';
import { BACKENDS } from '../kernels/kernels.js';
import { spinOf, turmoil, worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';

const BOX = {
  shape: { type: 'box', size: [1, 0.6, 0.4] },
  sampling: { method: 'grid', spacing: 0.08 },
  contact: { mode: 'none' },
} as const;

describe.each(BACKENDS)('a free body with an elastic law that flows and bursts (%s)', (backend) => {
  it.each([
    ['flows', { yield: 0.02, hardening: 0.2, flowTime: 0.02 }],
    ['breaks', { toughness: 0.1 }],
    ['flows and breaks', { yield: 0.05, toughness: 0.06 }],
  ])('%s: it gains no energy and keeps both momenta', async (_, material) => {
    const { world, body } = await worldWith(
      { ...BOX, material: { young: 1e5, poisson: 0.3, dampingRatio: 0, ...material }, angularVelocity: [1, 2, 3] },
      // Short steps: the energy of symplectic Euler swings by a share that goes with h.
      { backend, dt: 1 / 60, substeps: 12 },
    );
    const [x, v] = [body.positions, body.velocities];
    for (let o = 0; o < v.length; o += 4) {
      v[o] += 4 * x[o] + 6 * x[o + 1] * x[o + 2];
      v[o + 1] += x[o + 2] > 0 ? 1 : -1;
    }
    const energy = () => world.measure().kineticEnergy + strainEnergy(world, body);
    const [first, start] = [energy(), world.measure()];
    const [spin, scale] = [spinOf(world), turmoil(world)];
    const speed = Math.sqrt(2 * start.mass * start.kineticEnergy);
    let most = 0;
    for (let k = 0; k < 60; k++) {
      world.step();
      most = Math.max(most, energy() / first);
    }
    report(`energy of a law body, largest and last: ${JSON.stringify(material)}`, [most, energy() / first], '');
    if ('toughness' in material) expect(body.topologyVersion).toBeGreaterThan(0);
    expect(most).toBeLessThan(1.03);
    expect(energy() / first).toBeLessThan(1);
    const end = world.measure();
    for (let a = 0; a < 3; a++) {
      expect(Math.abs(end.momentum[a] - start.momentum[a]) / speed).toBeLessThan(1e-5);
      expect(Math.abs(spinOf(world)[a] - spin[a]) / scale).toBeLessThan(2e-3);
    }
    expect(world.validate()).toEqual([]);
  });
});
