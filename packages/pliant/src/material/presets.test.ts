import { describe, expect, it } from 'vitest';
import { World } from '../world.js';
import type { MaterialOptions } from './material.js';
import { MATERIALS } from './presets.js';

const NAMES = Object.keys(MATERIALS) as (keyof typeof MATERIALS)[];

it('presets are plain data that nobody can change', () => {
  expect(JSON.parse(JSON.stringify(MATERIALS))).toEqual(MATERIALS);
  expect(Object.isFrozen(MATERIALS)).toBe(true);
  for (const { material, colour, ...others } of Object.values(MATERIALS)) {
    expect(others).toEqual({});
    expect([material, colour].every(Object.isFrozen)).toBe(true);
    expect(Number.isInteger(colour) && colour >= 0 && colour <= 0xffffff).toBe(true);
  }
});

describe.each(NAMES)('%s', (name) => {
  const material: MaterialOptions = MATERIALS[name].material;
  const side = 0.3;

  async function dropped(options: MaterialOptions, height: number) {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    const body = world.addBody({
      shape: { type: 'box', size: [side, side, side] },
      sampling: { method: 'grid', count: 125 },
      material: options,
      position: [0, height + side / 2, 0],
    });
    return { world, body };
  }

  it('makes a body of its density and modulus, and says where it reaches less', async () => {
    const { world, body } = await dropped(material, 0);
    const { density, young } = MATERIALS[name].material;
    expect(body.mass).toBeCloseTo(density * side ** 3, 3);
    expect(body.young).toBeLessThanOrEqual(young * (1 + 1e-9));
    const told = body.warnings.some((line) => line.startsWith('body.material.young is'));
    // A body that is all but rigid says that it is rigid.
    expect(told).toBe(body.young! < 0.95 * young || body.maxYoung === Number.POSITIVE_INFINITY);
    world.dispose();
  });

  it('stays finite and whole where it falls from its own height', async () => {
    const { world, body } = await dropped({ ...material, toughness: Number.POSITIVE_INFINITY }, side);
    for (let k = 0; k < 90; k++) world.step();
    expect(world.positions.every(Number.isFinite)).toBe(true);
    const { bboxMin, bboxMax } = world.measure(body);
    expect(bboxMin[1]).toBeGreaterThan(-0.1 * side);
    expect(bboxMax[1]).toBeLessThan(2.2 * side);
    world.dispose();
  });

  it('carries its own weight without breaking', async () => {
    const { world, body } = await dropped(material, 0);
    for (let k = 0; k < 60; k++) world.step();
    expect(body.pieces.count).toBe(1);
    expect(world.measure(body).bboxMax[1]).toBeGreaterThan(0.6 * side);
    world.dispose();
  });
});
