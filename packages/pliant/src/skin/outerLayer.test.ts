import { expect, it } from 'vitest';
import { World } from '../world.js';

async function ball(young: number) {
  const world = await World.create();
  const body = world.addBody({
    shape: { type: 'sphere', radius: 0.5 },
    sampling: { method: 'grid', spacing: 1 / 7 },
    material: { young, dampingRatio: 0.8 },
    position: [0, 0.5, 0],
  });
  return { world, body, skin: body.getSkin() };
}

const heights = (positions: Float32Array) => positions.filter((_, k) => k % 3 === 1);

it('the skin of a body at rest is its mesh', async () => {
  const { body, skin } = await ball(1e5);
  const { positions } = skin.restMesh;
  let off = 0;
  for (let v = 0; v < skin.vertexCount; v++)
    for (let a = 0; a < 3; a++)
      off = Math.max(off, Math.abs(skin.positions[3 * v + a] - positions[3 * skin.welded[v] + a]));
  expect(off).toBeLessThan(1e-6);
  expect(body.core.law).toBeDefined();
});

it('the skin follows the particles where a floor dents a body, not the clusters alone', async () => {
  const { world, body, skin } = await ball(1e5);
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  for (let k = 0; k < 120; k++) world.step();
  skin.update();
  const low = Math.min(...heights(skin.positions));
  // Carried by its seven clusters alone, it was 65 mm below the floor.
  expect(low).toBeGreaterThan(-0.035);
  // Every vertex is moved by no more than the outermost particles are off from their clusters.
  expect(Math.max(...heights(skin.positions)) - low).toBeLessThan(1);
  expect(body.asleep).toBe(true);
});
