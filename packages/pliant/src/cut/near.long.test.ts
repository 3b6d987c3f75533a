import { expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { random } from '../math/random.js';
import type { BodySkin } from '../skin/renderSkin.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';

const BRITTLE: BodyOptions = {
  shape: { type: 'box', size: [0.6, 0.3, 0.3] },
  sampling: { count: 120 },
  clustering: { count: 6 },
  material: { toughness: 0.15, yield: 0.05, raw: { stiffness: 0.5 } },
  reclustering: { threshold: 1.5, every: 4 / 60 },
  position: [0, 1, 0],
  velocity: [0, -6, 0],
};

it('vertices follow each particle once, however often a body breaks and is cut', async () => {
  const next = random(testSeed('what vertices follow'));
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  world.addBody(BRITTLE).getSkin().update();
  let largest = 0;
  for (let n = 0; n < 6; n++) {
    for (let k = 0; k < 15; k++) world.step();
    const body = [...world.bodies].sort((a, b) => b.particleCount - a.particleCount)[0];
    const { com } = world.measure(body);
    world.cut(body, { point: com, normal: [next() - 0.5, next() - 0.5, next() - 0.5] });
    for (const piece of world.bodies) {
      const { start, particle } = (piece.getSkin() as BodySkin).near;
      for (let v = 0; v + 1 < start.length; v++) {
        const followed = particle.subarray(start[v], start[v + 1]);
        expect(new Set(followed).size).toBe(followed.length);
        // The twelve nearest and what is as near as that, of the particles that the body was built with.
        expect(followed.length).toBeLessThanOrEqual(64);
        largest = Math.max(largest, followed.length);
      }
    }
  }
  // It is worth little if nothing was shown.
  expect(largest).toBeGreaterThan(10);
  expect(world.bodies.length).toBeGreaterThan(4);
  expect(world.bodies.some((b) => b.core.history.broken)).toBe(true);
});
