import { expect, test } from 'vitest';
import { runOwn } from './testing/gallery.js';

test('cut: the loaf falls into three, the middle one keeps together under the blade, and the pillow is left alone', async () => {
  let cuts = 0;
  const { world, bodies } = await runOwn('cut', 4, (_, events) => {
    cuts += events.filter((event) => event.type === 'cut').length;
  });
  expect(cuts).toBe(3);
  expect(world.bodies.map((b) => b.name).sort()).toEqual(['loaf', 'loaf 2', 'loaf 3', 'pillow']);
  expect(bodies[1].topologyVersion).toBe(0);
  for (const body of world.bodies) expect(body.pieces.count).toBe(1);
  // All lie on the table, side by side: the loaf was 2 m long.
  const { bboxMin, bboxMax } = world.measure();
  expect(bboxMin[1]).toBeGreaterThan(-0.01);
  console.log(
    world.bodies.map((b) => [
      b.name,
      b.particleCount,
      world
        .measure(b)
        .com.map((c) => c.toFixed(2))
        .join(),
      world.measure(b).kineticEnergy,
    ]),
    bboxMax,
  );
});
