import { describe, expect, it } from 'vitest';
import type { LevelOptions } from '../levels/options.js';
import type { MaterialOptions } from '../material/material.js';
import { disturb } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { body, both, twins } from './testing/twins.js';

describe('the kernels agree over 50 steps', () => {
  const DIAGONAL = Math.hypot(0.9, 0.8, 0.7);
  it.each([
    ['deformation', 'linear', 'paper', 'proper'],
    ['deformation', 'rigid', 'conserving', 'proper'],
    ['covariance', 'rigid', 'conserving', 'proper'],
    ['covariance', 'linear', 'paper', 'mirror'],
    ['deformation', 'linear', 'paper', 'mirror'],
    ['covariance', 'rigid', 'conserving', 'proper', { yield: 0.05, raw: { hardening: -0.01 } }],
    ['deformation', 'linear', 'paper', 'proper', { yield: 0.1, raw: { flowRate: 1, flowMode: 'paper' } }],
    ['deformation', 'rigid', 'conserving', 'proper', undefined, {}],
    ['covariance', 'linear', 'conserving', 'mirror', undefined, { weights: { type: 'linear', to: 'coarse' } }],
    ['deformation', 'rigid', 'conserving', 'proper', { raw: { mode: 'linear', beta: 0.6, areaLimit: { max: 1.2 } } }],
    ['covariance', 'linear', 'paper', 'proper', { yield: 0.05, raw: { mode: 'quadratic', beta: 0.7 } }],
    ['deformation', 'rigid', 'conserving', 'proper', { raw: { mode: 'quadratic', beta: 0.3, volume: 'free' } }],
  ] as const)(
    'within 1e-4 of the diagonal: %s, %s damping, %s limit, %s, %j, levels %j',
    async (rotation, dampingMode, mode, inversion, flow?: MaterialOptions, levels?: LevelOptions) => {
      const material = {
        ...flow,
        raw: {
          ...flow?.raw,
          rotation,
          dampingMode,
          inversion,
          damping: 0.05,
          stiffness: 0.8,
          limit: { mode, gamma: 0.1, omega: 0.5 },
        },
      };
      const pair = await twins(
        { ...body(8), levels, material, stretch: [inversion === 'mirror' ? -1.3 : 1.3, 1, 0.9] },
        (world) => {
          disturb(world, 29, 0.01, 0.2);
          world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.5 });
          world.addClamp({
            region: { type: 'halfspace', normal: [1, 0, 0], offset: 0.35 },
            angularVelocity: [1, 0, 0],
          });
          world.bodies[0].pin(0);
        },
      );
      for (let n = 0; n < 50; n++)
        both(pair, (w) => {
          w.bodies[0].applyForce([0, 100, 0], 5);
          w.step();
        });
      let worst = 0;
      const [a, b] = [pair.ts.positions, pair.wasm.positions];
      for (let k = 0; k < a.length; k++) worst = Math.max(worst, Math.abs(a[k] - b[k]));
      report('distance between ts and wasm after 50 steps, as a share of the diagonal', worst / DIAGONAL, '');
      expect(worst / DIAGONAL).toBeLessThan(1e-4);
      expect(pair.ts.bodies[0].core.history.flowed).toBe(flow?.yield !== undefined);
      expect(pair.ts.drainEvents()).toEqual([]);
    },
  );
});
