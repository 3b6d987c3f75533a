import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import type { Backend } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { Flag } from '../state/flags.js';
import { World } from '../world.js';
import { SurfaceReach } from './surfaceReach.js';

const CUBE: BodyOptions = {
  shape: { type: 'box', size: [1, 1, 1] },
  sampling: { method: 'blue-noise', count: 300 },
};

async function reaching(options: BodyOptions, backend: Backend = 'wasm') {
  const world = await World.create({ gravity: [0, 0, 0], backend });
  const body = world.addBody(options);
  world.step();
  return { world, body, reach: new SurfaceReach().take(world.state.views, world.kernels, body) };
}

describe('the reach of a particle towards an obstacle', () => {
  it.each<[string, number[], (x: number, y: number, z: number) => number]>([
    ['below', [0, 1, 0], (_x, y) => y + 0.5],
    ['above', [0, -1, 0], (_x, y) => 0.5 - y],
    ['at a side', [1, 0, 0], (x) => x + 0.5],
    ['below, of a corner', [0, Math.SQRT1_2, Math.SQRT1_2], (_x, y, z) => Math.SQRT2 * (0.5 + Math.min(y, z))],
  ])('%s is the distance of the surface in that direction', async (_, [nx, ny, nz], distance) => {
    const { world, body, reach } = await reaching(CUBE);
    let [checked, longer] = [0, 0];
    for (let i = 0; i < body.particleCount; i++) {
      if (world.state.views.flags[i] & Flag.INNER) continue;
      const [x, y, z] = body.restPositions.subarray(3 * i, 3 * i + 3);
      const expected = distance(x, y, z);
      const found = reach.along(i, nx, ny, nz);
      if (expected > reach.far) expect(found).toBeGreaterThan(0.97 * reach.far);
      else {
        // Particles are 145 mm apart. Those in an edge of the cube are off by up to 5 mm.
        expect(Math.abs(found - expected)).toBeLessThan(6e-3);
        checked++;
        if (expected > 1.5 * world.state.views.reach[i]) longer++;
      }
    }
    // Many particles, and some beside edges, whose nearest side is another one.
    expect(checked).toBeGreaterThan(25);
    expect(longer).toBeGreaterThan(3);
  });

  it('turns with the body', async () => {
    const { world, body, reach } = await reaching({ ...CUBE, rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] });
    let checked = 0;
    for (let i = 0; i < body.particleCount; i++) {
      const expected = body.positions[4 * i + 1] + 0.5;
      if (world.state.views.flags[i] & Flag.INNER || expected > reach.far) continue;
      expect(Math.abs(reach.along(i, 0, 1, 0) - expected)).toBeLessThan(6e-3);
      checked++;
    }
    expect(checked).toBeGreaterThan(25);
  });

  it('of raw bodies, points and broken bodies is the distance of the nearest surface', async () => {
    for (const options of [
      { ...CUBE, material: { raw: {} } },
      { points: [0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1] },
    ]) {
      const { world, body, reach } = await reaching(options);
      for (let i = 0; i < body.particleCount; i++) expect(reach.along(i, 0.6, 0.8, 0)).toBe(world.state.views.reach[i]);
    }
    const { world, body, reach } = await reaching(CUBE);
    body.core.history.load({ hasFlowed: false, hasBroken: true, hasLost: false, fading: false });
    reach.take(world.state.views, world.kernels, body);
    for (let i = 0; i < body.particleCount; i++) expect(reach.along(i, 0, 1, 0)).toBe(world.state.views.reach[i]);
  });

  it('has the same bits in both backends, in any direction', async () => {
    const [plain, fast] = [await reaching(CUBE, 'ts'), await reaching(CUBE, 'wasm')];
    fast.world.state.views.transform.set(plain.world.state.views.transform);
    const next = random(11);
    let marched = 0;
    for (let i = 0; i < plain.body.particleCount; i++)
      for (let n = 0; n < 8; n++) {
        const d = [next() - 0.5, next() - 0.5, next() - 0.5];
        const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        const [nx, ny, nz] = d.map((a) => a / length);
        const reach = plain.reach.along(i, nx, ny, nz);
        expect(fast.reach.along(i, nx, ny, nz)).toBe(reach);
        if (reach !== plain.world.state.views.reach[i]) marched++;
      }
    expect(marched).toBeGreaterThan(500);
  });
});
