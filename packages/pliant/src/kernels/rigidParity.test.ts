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

it('both backends give the same bits for the displacements of a body', async () => {
  const sumsOf = async (backend: 'wasm' | 'ts') => {
    const world = await World.create({ backend });
    const { rows } = world.addBody({
      shape: { type: 'sphere', radius: 0.3 },
      sampling: { count: 301 },
      position: [3, -7, 11],
    });
    const { x, xOld } = world.state.views;
    for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o++) xOld[o] = x[o] + 1e-3 * ((o * 37) % 101);
    const [all, some] = [new Float64Array(11), new Float64Array(11)];
    world.kernels.sumWays(all, rows.particleStart, rows.particleEnd, 1);
    world.kernels.sumWays(some, rows.particleStart, rows.particleEnd, 3);
    return [...all, ...some];
  };
  const [fast, plain] = [await sumsOf('wasm'), await sumsOf('ts')];
  expect(fast).toEqual(plain);
  expect(fast.every((sum) => sum !== 0)).toBe(true);
});

it('both backends give the same bits for ways since a check, and for the first members of clusters', async () => {
  const sumsOf = async (backend: 'wasm' | 'ts') => {
    const world = await World.create({ backend });
    const { rows } = world.addBody({
      shape: { type: 'sphere', radius: 0.3 },
      sampling: { count: 301 },
      clustering: { count: 9 },
      position: [3, -7, 11],
    });
    const { x, vOld } = world.state.views;
    for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o++) vOld[o] = x[o] + 1e-3 * ((o * 37) % 101);
    const [all, some, firsts] = [new Float64Array(16), new Float64Array(16), new Float64Array(16)];
    const { kernels } = world;
    kernels.sumMoves(all, rows.particleStart, rows.particleEnd, 1);
    kernels.sumMoves(some, rows.particleStart, rows.particleEnd, 3);
    const mean = Float64Array.of(0.1, 0.02, -0.03);
    kernels.sumFirsts(firsts, rows.clusterStart, rows.clusterEnd, mean);
    const map = Float64Array.of(1, 0.1, 0, 0, 0.9, 0.2, -0.1, 0, 1.1);
    const near = (farthest: number) =>
      kernels.areFirstsNear(rows.clusterStart, rows.clusterEnd, mean, Float64Array.of(3.1, -7, 10.9), map, farthest);
    // Where the answer changes, to the last bit.
    let [low, high] = [0, 1000];
    while ((low + high) / 2 > low && (low + high) / 2 < high) {
      if (near((low + high) / 2)) high = (low + high) / 2;
      else low = (low + high) / 2;
    }
    return { all: all.slice(0, 13), some: some.slice(0, 13), firsts: firsts.slice(0, 12), high };
  };
  const [fast, plain] = [await sumsOf('wasm'), await sumsOf('ts')];
  expect(fast).toEqual(plain);
  for (const list of [fast.all, fast.some, fast.firsts]) expect(list.every((sum) => sum !== 0)).toBe(true);
  expect(fast.high).toBeGreaterThan(1e-3);
  expect(fast.high).toBeLessThan(1000);
});
