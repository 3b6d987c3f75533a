import { expect, it } from 'vitest';
import { World } from '../world.js';
import type { ColliderOptions } from './options.js';

const FLOOR: ColliderOptions = { type: 'plane', normal: [0, 1, 0], friction: 0.5 };
const WALL: ColliderOptions = { type: 'plane', normal: [1, 0, 0], offset: -0.5, friction: 0 };
const GROUND: ColliderOptions = { type: 'box', position: [0, -1, 0], size: [8, 2, 8], friction: 0.5 };

/** A cube of 50 kPa that comes to rest: the mean height of its lowest particles, and that of its centre. */
async function rest(colliders: ColliderOptions[], options: { toughness?: number; backend?: 'ts' | 'wasm' } = {}) {
  const { toughness, backend } = options;
  const world = await World.create({ dt: 1 / 120, ...(backend ? { backend } : {}) });
  for (const collider of colliders) world.addCollider(collider);
  const body = world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', spacing: 1 / 7 },
    material: { young: 5e4, dampingRatio: 0.3, ...(toughness ? { toughness } : {}) },
    position: [0, 0.5, 0],
  });
  for (let k = 0; k < 480; k++) world.step();
  const heights = Array.from(body.positions).filter((_, k) => k % 4 === 1);
  const lowest = heights.sort((a, b) => a - b).slice(0, 49);
  const result = { asleep: body.asleep, height: lowest.reduce((a, b) => a + b) / 49, centre: body.centreOfMass[1] };
  world.dispose();
  return result;
}

it('a body stands lower by what its weight strains the half spacing below its particles', async () => {
  const { asleep, height } = await rest([FLOOR]);
  expect(asleep).toBe(true);
  // ρ g L/E of half a spacing: 0.196.
  const strain = 1 - height / (1 / 14);
  expect(strain).toBeGreaterThan(0.17);
  expect(strain).toBeLessThan(0.22);
});

it.each([
  ['in both backends', [FLOOR], 'ts'],
  ['on a box', [GROUND], undefined],
  ['between planes', [FLOOR, WALL], undefined],
  ['on a floor that moves', [{ ...FLOOR, velocity: [1e-9, 0, 0] }], undefined],
] as const)('it does so alike %s', async (_, colliders, backend) => {
  const plain = await rest([FLOOR]);
  const other = await rest([...colliders], { backend });
  expect(Math.abs(other.height - plain.height)).toBeLessThan(5e-4);
  expect(Math.abs(other.centre - plain.centre)).toBeLessThan(1e-3);
});

it('the layers of a body that can break are rigid', async () => {
  const { height } = await rest([FLOOR], { toughness: 5 });
  expect(height).toBeCloseTo(1 / 14, 3);
});
