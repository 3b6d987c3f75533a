import { describe, expect, it } from 'vitest';
import { World } from '../world.js';
import { splitsBent, TOUGHNESS } from './testing/bentPlate.js';

describe('a plate thinner than fracture.length', () => {
  it('does not if it is only stretched by that, or bent without a stretch that comes near its toughness', async () => {
    for (const layers of [3, 6]) {
      expect((await splitsBent(layers, 0.08, 0)).count).toBe(0);
      expect((await splitsBent(layers, 0.105, 0)).count).toBeGreaterThan(0);
      expect((await splitsBent(layers, 0.08, 0.5)).count).toBe(0);
    }
  });

  it('splits across the bend, however it lies', async () => {
    for (const turn of [0, 0.7]) {
      const { count, normal = [0, 0, 0] } = await splitsBent(3, 0.09, 6, {}, turn);
      expect(count).toBeGreaterThan(0);
      // The bend is about the y axis, turned.
      expect(Math.abs(normal[1] * Math.cos(turn) - normal[0] * Math.sin(turn))).toBeLessThan(0.2);
    }
  });

  it('has two clusters across it, a thicker one the usual number', async () => {
    const world = await World.create();
    const box = (size: [number, number, number], spacing: number) =>
      world.addBody({
        shape: { type: 'box', size },
        sampling: { method: 'grid', spacing },
        material: { young: 1e5, toughness: TOUGHNESS },
      });
    const [plate, cube] = [box([0.6, 0.6, 0.06], 0.02), box([0.6, 0.6, 0.6], 0.05)];
    expect(plate.particleCount / plate.clusterCount).toBeLessThan(10);
    expect(plate.fracture.thin).toBe(true);
    expect(cube.particleCount / cube.clusterCount).toBeGreaterThan(15);
    expect(cube.fracture.thin).toBeUndefined();
    world.dispose();
  });
});

it('a body thicker than the length breaks by its stretch alone', async () => {
  const more = { fracture: { length: 0.05 } };
  const found = [];
  for (const layers of [6, 9]) found.push((await splitsBent(layers, 0.05, 0.6, more)).count);
  expect(found).toEqual([0, 0]);
});
