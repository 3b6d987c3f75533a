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

describe('fracture.length', () => {
  it('is by default the cube root of a twentieth of the volume, and stays in parts that come off', async () => {
    const { world, body } = await worldWith({ ...BOX, material: { young: 1e5, toughness: 0.1 } });
    const expected = Math.cbrt((1 * 0.6 * 0.4) / 20);
    expect(body.fracture.length / expected).toBeGreaterThan(0.9);
    expect(body.fracture.length / expected).toBeLessThan(1.1);
    world.cut(body, { point: [0, 0, 0], normal: [1, 0, 0] });
    world.separate(body);
    expect(world.bodies.length).toBe(2);
    for (const each of world.bodies) expect(each.fracture.length).toBe(body.fracture.length);
  });

  it('needs an elastic law', async () => {
    const { body } = await worldWith({ ...BOX, material: { toughness: 0.1, raw: {} } });
    expect(body.fracture.length).toBe(0);
    const message = await worldWith({ ...BOX, material: { raw: {} }, fracture: { length: 0.1 } }).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toContain('fracture.length is 0.1; expected nothing without young');
  });
});
