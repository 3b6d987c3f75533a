import { expect, it } from 'vitest';
import { MATERIALS } from '../material/presets.js';
import { World } from '../world.js';

/** A brick that flies and spins, far from the origin, with the sums of its motion and its places after one call each. */
async function motionOf(backend: 'wasm' | 'ts') {
  const world = await World.create({ backend });
  const { rows } = world.addBody({
    shape: { type: 'box', size: [0.2, 0.1, 0.1] },
    sampling: { count: 61 },
    material: MATERIALS.wood.material,
    position: [3, -7, 11],
    rotation: [0.3, 0.1, -0.4, 1],
    velocity: [1, 2, 3],
    angularVelocity: [5, -4, 2],
  });
  const sums = new Float64Array(18);
  world.kernels.sumRigid(sums, rows.clusterStart, Float64Array.of(3.001, -7.002, 11.003, 1.1, 1.9, 3.2));
  const [c, s] = [Math.sqrt(0.75), 0.5];
  const motion = Float64Array.of(0.1, 0.2, 0.3, 1.5, -2.5, 0.7, 3, 1, -8, c, s, 0, -s, c, 0, 0, 0, 1);
  world.kernels.placeRigid(rows.clusterStart, motion);
  const { x, v } = world.state.views;
  const from = 4 * rows.particleStart;
  const to = 4 * rows.particleEnd;
  return { sums, x: x.slice(from, to), v: v.slice(from, to) };
}

it('both backends give the same bits for the motion of a rigid body', async () => {
  const [fast, plain] = [await motionOf('wasm'), await motionOf('ts')];
  expect(fast).toEqual(plain);
  expect(fast.sums.every((sum) => sum !== 0)).toBe(true);
});
