import { expect, it } from 'vitest';
import type { ShapeOptions } from '../sample/shape.js';
import { World } from '../world.js';
import { leans } from './leans.js';

async function leansAs(shape: ShapeOptions, degrees: number, count = 400): Promise<boolean> {
  const world = await World.create({ threads: 1 });
  const body = world.addBody({ shape, sampling: { count }, position: [3, 2, 1] });
  const { positions: x } = body;
  const angle = (degrees * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let o = 0; o < x.length; o += 4) {
    const [dx, dy] = [x[o] - 3, x[o + 1] - 2];
    x[o] = 3 + c * dx - s * dy;
    x[o + 1] = 2 + s * dx + c * dy;
  }
  const result = leans(world.state.views, body.restPositions, body.rows.particleStart, body.size, 0, 2, 0);
  world.dispose();
  return result;
}

const CUBE: ShapeOptions = { type: 'box', size: [1, 1, 1] };

it.each([
  ['a cube on a face', CUBE, 0, false],
  ['a cube that its soft floor has tilted', CUBE, 2, false],
  ['a cube on the way to a face', CUBE, 20, true],
  ['a cube on its edge', CUBE, 45, true],
  ['a ball', { type: 'sphere', radius: 0.5 }, 33, false],
  ['a ball of few particles', { type: 'sphere', radius: 0.5 }, 12, false, 150],
  ['a ring on its side', { type: 'torus', radius: 0.4, tube: 0.15 }, 0, false],
  ['a ring on its rim that leans', { type: 'torus', radius: 0.4, tube: 0.15 }, 80, true],
  ['a bar that stands on end', { type: 'box', size: [0.3, 1.2, 0.3] }, 0, false],
  ['a bar that tips over', { type: 'box', size: [0.3, 1.2, 0.3] }, 30, true],
] as const)('tells whether %s leans', async (_, shape, degrees, expected, count?: number) => {
  expect(await leansAs(shape, degrees, count)).toBe(expected);
});
