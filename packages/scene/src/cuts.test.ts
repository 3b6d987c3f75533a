import { expect, test } from 'vitest';
import { buildWorld } from './buildWorld.js';
import { loadScene } from './loadScene.js';

const scene = (cuts: unknown) =>
  loadScene('x.json', async () =>
    new TextEncoder().encode(
      JSON.stringify({
        gravity: [0, 0, 0],
        bodies: ['a', 'b'].map((name, k) => ({
          name,
          geometry: { type: 'box', size: [1, 0.4, 0.4] },
          sampling: { method: 'grid', spacing: 0.1 },
          clustering: { count: 4 },
          position: [0, 0, 2 * k],
        })),
        cuts,
      }),
    ),
  );
const across = (x: number) => ({ point: [x, 0, 0], normal: [1, 0, 0] });

test('cuts are made in the order of their times, of the body named and of all that came off it', async () => {
  const { world, cuts } = await buildWorld(
    await scene([
      { at: 0.1, body: 'a', plane: across(0.25) },
      { at: 0, body: 'a', plane: across(0) },
      { at: 0.1, plane: { point: [0, 0, 0], normal: [0, 1, 0] } },
    ]),
  );
  expect(cuts.due()).toBe(1);
  expect(world.bodies.map((b) => b.name)).toEqual(['b', 'a', 'a 2']);
  // Nothing is made twice.
  expect(cuts.due()).toBe(0);
  for (let n = 0; n < 5; n++) {
    world.step();
    expect(cuts.due()).toBe(0);
  }
  world.step();
  // One of the halves along x; then all three, and b, across.
  expect(cuts.due()).toBe(1 + 4);
  expect(world.bodies).toHaveLength(8);
  expect(world.validate()).toEqual([]);
});

test.each([
  [[{ at: 0, body: 'c', plane: across(0) }], /cuts\[0\]\.body is "c"; expected one of "a", "b"/],
  [[{ at: -1, plane: across(0) }], /cuts\[0\]\.at is -1; expected/],
  [
    [{ at: 0, plane: { point: [0, 0, 0], normal: [0, 0, 0] } }],
    /cuts\[0\]\.plane\.normal is \[0,0,0\]; expected a direction/,
  ],
  [[{ at: 0, blade: [[0, 0, 0], [1, 0, 0], [2, 0, 0]] }], /cuts\[0\]\.blade has no area/], // biome-ignore format: short
  [[{ at: 0, blade: [[0, 0, 0], [1, 0, 0]] }], /cuts\[0\]\.blade is .*; expected at least three corners/], // biome-ignore format: short
])('refused: %#', async (cuts, message) => {
  await expect(scene(cuts)).rejects.toThrow(message);
});
