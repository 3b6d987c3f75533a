import { describe, expect, it } from 'vitest';
import type { PliantError } from '../check.js';
import { type SampleOptions, sample } from './sample.js';
import { meetsCount } from './searchSpacing.js';
import { shapeSolid } from './shape.js';

describe('sample', () => {
  it('is reproducible by seed, with blue noise and seed 1 by default', () => {
    const solid = shapeSolid({ type: 'sphere', radius: 1 });
    const a = sample(solid, { count: 500 });
    expect(sample(solid, { count: 500, seed: 1, method: 'blue-noise' })).toEqual(a);
    expect(sample(solid, { count: 500, seed: 2 })).not.toEqual(a);
    // The first sample of that sampling: the bits are part of the promise, on every machine.
    expect([...a.positions.slice(0, 3)]).toEqual([-0.5552824072468996, -0.5571440619623388, -0.6091139490196368]);
  });

  it('keeps the spacing exactly and knows the volume', () => {
    const solid = shapeSolid({ type: 'box', size: [1, 1, 1] });
    const grid = sample(solid, { spacing: 0.1, method: 'grid' });
    expect(grid.positions.length / 3).toBe(1000);
    expect(grid.spacing).toBe(0.1);
    expect(grid.volume).toBe(1);
    expect(sample(solid, { spacing: 0.1 }).spacing).toBe(0.1);
  });

  it('fills only the walls of a shell, and knows their volume', () => {
    const ball = shapeSolid({ type: 'sphere', radius: 1 });
    for (const method of ['grid', 'blue-noise'] as const) {
      const { positions, volume } = sample(ball, { count: 3000, shell: 0.15, method });
      for (let k = 0; k < positions.length; k += 3) {
        const r = Math.hypot(positions[k], positions[k + 1], positions[k + 2]);
        expect(r).toBeLessThanOrEqual(1);
        expect(r).toBeGreaterThanOrEqual(0.85 - 1e-12);
      }
      expect(Math.abs(volume / ((4 / 3) * Math.PI * (1 - 0.85 ** 3)) - 1)).toBeLessThan(0.005);
      expect(meetsCount(positions.length / 3, 3000)).toBe(true);
    }
  });

  const refusals: [SampleOptions, string, string][] = [
    [{}, 'sampling', 'sampling gives neither spacing nor count; expected one of the two.'],
    [{ spacing: 0.1, count: 10 }, 'sampling', 'sampling gives both spacing and count; expected one of the two.'],
    [{ spacing: 0 }, 'sampling.spacing', 'sampling.spacing is 0; expected a finite number above 0.'],
    [{ spacing: Number.NaN }, 'sampling.spacing', 'sampling.spacing is NaN; expected a finite number above 0.'],
    [{ spacing: 2.5 }, 'sampling.spacing', "sampling.spacing is 2.5; expected at most the body's extent of 2, for a particle to fit."],
    [{ spacing: 1e-4 }, 'sampling.spacing', 'sampling.spacing is 0.0001; expected at least 0.0114 in this body of volume 4.19: 2000000 particles at most.'],
    [{ count: 0 }, 'sampling.count', 'sampling.count is 0; expected an integer in [1, 2000000].'],
    [{ count: 10.5 }, 'sampling.count', 'sampling.count is 10.5; expected an integer in [1, 2000000].'],
    [{ count: 6e6 }, 'sampling.count', 'sampling.count is 6000000; expected an integer in [1, 2000000].'],
    [{ count: Number.POSITIVE_INFINITY }, 'sampling.count', 'sampling.count is Infinity; expected an integer in [1, 2000000].'],
    [{ count: 10, seed: Number.NaN }, 'sampling.seed', 'sampling.seed is NaN; expected a finite number.'],
    [{ count: 10, shell: -1 }, 'sampling.shell', 'sampling.shell is -1; expected a finite number above 0.'],
    [{ count: 10, method: 'hex' as never }, 'sampling.method', 'sampling.method is "hex"; expected one of "grid", "blue-noise".'],
    [{ number: 10 } as never, 'sampling.number', 'sampling.number is not an option; expected one of method, spacing, count, seed, shell.'],
  ]; // biome-ignore format: one refusal per line
  it.each(refusals)('refuses %o', (options, path, message) => {
    let error: PliantError | undefined;
    try {
      sample(shapeSolid({ type: 'sphere', radius: 1 }), options);
    } catch (e) {
      error = e as PliantError;
    }
    expect(error?.message).toBe(message);
    expect(error?.path).toBe(path);
  });

  it('refuses a body without an inside, and a grid that misses it', () => {
    const nothing = shapeSolid({ type: 'implicit', distance: () => 1, min: [0, 0, 0], max: [1, 1, 1] });
    expect(() => sample(nothing, { count: 10 })).toThrow(
      'sampling found no volume to fill; expected a body with an inside.',
    );
    const ring = shapeSolid({ type: 'torus', radius: 1, tube: 0.1 });
    expect(() => sample(ring, { spacing: 1.5, method: 'grid' }, 'body.sampling')).toThrow(
      'body.sampling.spacing is 1.5; expected less, as no particle fits into the body of extent 2.2.',
    );
  });
});
