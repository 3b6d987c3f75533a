import { expect, it } from 'vitest';
import { random } from '../math/random.js';
import { Flag } from '../state/flags.js';
import { World } from '../world.js';
import { type Backend, type PlaneContact, PlaneSums } from './kernels.js';

const CUBE = {
  shape: { type: 'box', size: [1, 1, 1] },
  sampling: { method: 'blue-noise', count: 300 },
} as const;

/** A body of random velocities that a plane meets, some of whose particles are held. */
async function meet(
  backend: Backend,
  plane: PlaneContact,
  like?: { transforms: Float32Array; before: Float32Array },
  count = 300,
) {
  const world = await World.create({ backend, gravity: [0, 0, 0] });
  const body = world.addBody({ ...CUBE, sampling: { ...CUBE.sampling, count } });
  world.step();
  const { views: s } = world.state;
  if (like) {
    s.transform.set(like.transforms);
    s.x.set(like.before);
  }
  const before = s.x.slice();
  const next = random(5);
  for (let i = 0; i < body.particleCount; i++) {
    for (let a = 0; a < 3; a++) s.v[4 * i + a] = 2 * next() - 1;
    if (i % 17 === 0) s.flags[i] |= Flag.HELD;
  }
  const sums = new Float64Array(PlaneSums.LENGTH);
  const { particleStart, particleEnd } = body.rows;
  const met = world.kernels.meetPlane(sums, particleStart, particleEnd, plane);
  return { count: met, sums, x: s.x.slice(), v: s.v.slice(), before, transforms: s.transform.slice() };
}

it.each([
  ['none', 0, 0.3],
  ['given', 0, 0.3],
  ['directed', 0, 0.3],
  ['given', 0.07, 0],
  ['directed', 0.07, 0],
  ['directed', 0.07, 0.3],
] as const)(
  'meetPlane has the same bits in both backends: reach %s, half a spacing %f, restitution %f',
  async (reach, half, restitution) => {
    const plane: PlaneContact = {
      ...{ nx: 0.6, ny: 0.8, nz: 0, offset: -0.3, px: 1, py: 2, pz: 3, far: 0.2, h: 0.01 },
      ...{ friction: 0.4, restitution, restThreshold: 0.2, reach, half, reached: 0.9, tau: 0.02 },
    };
    const plain = await meet('ts', plane);
    expect(await meet('wasm', plane, plain)).toEqual(plain);
    expect(plain.count).toBeGreaterThan(20);
    expect(Math.hypot(...plain.sums)).toBeGreaterThan(0);
  },
);

it('meetPlane adds up several runs of particles to the same bits in both backends', async () => {
  const plane: PlaneContact = {
    ...{ nx: 0.6, ny: 0.8, nz: 0, offset: 0, px: 1, py: 2, pz: 3, far: 0.2, h: 0.01 },
    ...{ friction: 0.4, restitution: 0.3, restThreshold: 0.2, reach: 'given', half: 0.07, reached: 0.9, tau: 0.02 },
  };
  const plain = await meet('ts', plane, undefined, 1700);
  expect(await meet('wasm', plane, plain, 1700)).toEqual(plain);
  expect(plain.count).toBeGreaterThan(500);
});

it('meetPlane gives the plane the momentum that the particles lose', async () => {
  const plane: PlaneContact = {
    ...{ nx: 0, ny: 1, nz: 0, offset: -0.2, px: 0, py: 0, pz: 0, far: 0, h: 0.01 },
    ...{ friction: 0.5, restitution: 0, restThreshold: 0, reach: 'none', half: 0, reached: 1, tau: 0 },
  };
  const before = await meet('wasm', { ...plane, offset: -9 });
  const after = await meet('wasm', plane);
  expect(before.count).toBe(0);
  for (let a = 0; a < 3; a++) {
    let lost = 0;
    for (let o = 0; o < before.v.length; o += 4) lost += before.x[o + 3] * (before.v[o + a] - after.v[o + a]);
    expect(after.sums[PlaneSums.TAKEN + a]).toBeCloseTo(lost, 4);
  }
});
