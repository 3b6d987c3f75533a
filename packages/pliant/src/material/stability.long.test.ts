import { describe, expect, it } from 'vitest';
import type { ShapeOptions } from '../sample/shape.js';
import { World } from '../world.js';

const GRAVITY = 9.81;
const HEIGHT = 1.2;

const SHAPES = {
  box: { type: 'box', size: [1, 1, 1] },
  bar: { type: 'box', size: [0.3, 0.3, 1.5] },
  plate: { type: 'box', size: [1, 0.15, 1] },
  ball: { type: 'sphere', radius: 0.5 },
  ring: { type: 'torus', radius: 0.4, tube: 0.15 },
} as const;

interface Impact {
  young: number;
  poisson: number;
  dampingRatio: number;
  /** m/s. */
  speed: number;
  substeps: number | 'auto';
}

/** Largest energy of motion and height of a body that hits a floor, over the one that it came with. */
async function energyKept(shape: ShapeOptions, { young, poisson, dampingRatio, speed, substeps }: Impact) {
  const world = await World.create({ threads: 1, substeps });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
  const body = world.addBody({
    shape,
    sampling: { count: 343 },
    clustering: { count: 14 },
    material: { young, poisson, dampingRatio },
    position: [0, HEIGHT, 0],
    velocity: [0, -speed, 0],
  });
  let [largest, first] = [0, 0];
  for (let n = 0; n <= 120; n++) {
    let energy = 0;
    const { positions: x, velocities: v } = body;
    for (let o = 0; o < 4 * body.particleCount; o += 4)
      energy += x[o + 3] * ((v[o] ** 2 + v[o + 1] ** 2 + v[o + 2] ** 2) / 2 + GRAVITY * x[o + 1]);
    if (n === 0) first = energy;
    largest = Math.max(largest, energy);
    world.step();
  }
  world.dispose();
  return largest / first;
}

describe('a body that hits a floor gains no energy', () => {
  it.each([0, 0.3, 0.45])('with ν = %d and all clusters at their bound', async (poisson) => {
    for (const shape of [SHAPES.box, SHAPES.bar, SHAPES.ring])
      for (const dampingRatio of [0, 0.1, 1]) {
        const impact = { young: 3e6, poisson, dampingRatio, speed: 6, substeps: 2 };
        expect(await energyKept(shape, impact), JSON.stringify([shape, impact])).toBeLessThan(1.02);
      }
  });

  it('pressed flat with ν = 0.49', async () => {
    for (const shape of Object.values(SHAPES))
      for (const dampingRatio of [0, 0.1]) {
        const impact = { young: 2e4, poisson: 0.49, dampingRatio, speed: 20, substeps: 'auto' } as const;
        expect(await energyKept(shape, impact), JSON.stringify([shape, impact])).toBeLessThan(1.02);
      }
  });
});
