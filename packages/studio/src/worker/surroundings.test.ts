import { buildWorld, loadScene } from '@pliant/scene';
import { expect, test } from 'vitest';
import { describeSurroundings } from './surroundings.js';

async function describe(scene: object) {
  const text = new TextEncoder().encode(JSON.stringify(scene));
  const description = await loadScene('x.json', async () => text);
  const { world } = await buildWorld(description, { backend: 'ts' });
  const surroundings = describeSurroundings(description, world);
  world.dispose();
  return surroundings;
}

const bar = { geometry: { type: 'box', size: [2, 0.4, 0.4] }, sampling: { count: 200 }, name: 'bar' };
const END = { type: 'halfspace', normal: [2, 0, 0], offset: 0.7 };

test('a clamp is a box around the particles that it holds', async () => {
  const { clamps } = await describe({
    bodies: [bar],
    clamps: [{ name: 'right', region: END, velocity: [0.1, 0, 0], lifetime: 2 }],
  });
  expect(clamps).toHaveLength(1);
  const [{ name, min, max, velocity, lifetime }] = clamps;
  expect({ name, velocity, lifetime }).toEqual({ name: 'right', velocity: [0.1, 0, 0], lifetime: 2 });
  expect(min[0]).toBeGreaterThan(0.55);
  expect(max[0]).toBeGreaterThan(0.85);
  expect(max[0]).toBeLessThan(1.15);
  expect(max[1] - min[1]).toBeCloseTo(0.4, 0);
});

test('a field is arrows around the bodies that point as it does', async () => {
  const { fields } = await describe({ bodies: [bar], forceFields: [{ type: 'linear', scale: [-20, 0, 0] }] });
  const { arrows } = fields[0];
  expect(arrows.length).toBeGreaterThan(60);
  for (let o = 0; o < arrows.length; o += 6) {
    // To the middle, along the bar.
    expect(arrows[o] * arrows[o + 3]).toBeLessThanOrEqual(0);
    expect(Math.abs(arrows[o + 4]) + Math.abs(arrows[o + 5])).toBe(0);
  }
  const still = await describe({ bodies: [bar], forceFields: [{ type: 'drag', rate: 2 }] });
  expect(still.fields).toEqual([]);
});

test('the ground is the level plane of the scene, else below the bodies, and lower where they hang', async () => {
  const plane = { type: 'plane', normal: [0, 1, 0], offset: -0.5 };
  expect((await describe({ bodies: [bar], colliders: [plane] })).ground).toBeCloseTo(-0.5, 6);
  const floating = await describe({ bodies: [bar], gravity: [0, 0, 0] });
  expect(floating.ground).toBeLessThan(-0.5);
  expect(floating.weightless).toBe(true);
  const hanging = await describe({ bodies: [bar] });
  expect(hanging.ground).toBeLessThan(floating.ground - 0.5);
  expect(hanging.weightless).toBe(false);
});
