import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { World } from '../world.js';

const CUBE: BodyOptions = { shape: { type: 'box', size: [0.3, 0.3, 0.3] }, sampling: { method: 'grid', count: 64 } };
const STIFF = { young: 1e6 };

describe('previous positions, in steps of several substeps', () => {
  it('are those at the start of the step', async () => {
    const world = await World.create({ backend: 'ts' });
    const body = world.addBody({ ...CUBE, material: STIFF, velocity: [3, 0, 0] });
    expect(body.previousPositions).toEqual(body.positions);
    for (let k = 0; k < 3; k++) {
      const before = body.positions.slice();
      world.step();
      expect(body.previousPositions).toEqual(before);
    }
    world.dispose();
  });

  it('of a sleeping body are where it lies, also if it fell asleep in a world without substeps', async () => {
    const world = await World.create({ backend: 'ts' });
    const lying = world.addBody(CUBE);
    lying.sleep();
    world.addBody({ ...CUBE, material: STIFF, position: [2, 0, 0] });
    world.step();
    expect(lying.asleep).toBe(true);
    expect(lying.previousPositions).toEqual(lying.positions);
    world.dispose();
  });

  it('go along with a body that is put elsewhere, and come back with a snapshot', async () => {
    const world = await World.create({ backend: 'ts', gravity: [0, 0, 0] });
    const body = world.addBody({ ...CUBE, material: STIFF, velocity: [3, 0, 0] });
    world.step();
    body.setPose({ position: [5, 5, 5] });
    const way = Array.from(body.positions, (x, k) => x - body.previousPositions[k]);
    expect(Math.max(...way.map(Math.abs))).toBeLessThan(0.051);
    world.step();
    const before = body.previousPositions.slice();
    world.restore(world.snapshot());
    expect(body.previousPositions).toEqual(before);
    world.dispose();
  });

  it('of copies are those of what they were copied from', async () => {
    const world = await World.create({ backend: 'ts', gravity: [0, 0, 0] });
    const body = world.addBody({
      ...CUBE,
      clustering: { count: 6 },
      stretch: [1.4, 1, 1],
      position: [1, 0, 0],
      material: { ...STIFF, toughness: 0.1 },
    });
    const behind = world.addBody({ ...CUBE, material: STIFF, position: [4, 0, 0] });
    const [whole, other] = [body.positions.slice(), behind.positions.slice()];
    world.step();
    expect(body.particleCount).toBeGreaterThan(64);
    const { ancestor } = world.state.views;
    for (let i = 0; i < body.particleCount; i++)
      for (let a = 0; a < 3; a++)
        expect(body.previousPositions[4 * i + a]).toBe(whole[4 * ancestor[body.rows.particleStart + i] + a]);
    expect(behind.previousPositions).toEqual(other);
    world.dispose();
  });
});
