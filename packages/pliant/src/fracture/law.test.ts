import { describe, expect, it } from 'vitest';
import { worldWith } from '../testing/bodies.js';

const BOX = {
  shape: { type: 'box', size: [1, 0.6, 0.4] },
  sampling: { method: 'grid', spacing: 0.08 },
  contact: { mode: 'none' },
} as const;

describe('fracture.length', () => {
  it('is by default the cube root of a twentieth of the volume, and stays in parts that come off', async () => {
    const { world, body } = await worldWith({ ...BOX, material: { young: 1e5, toughness: 0.1 } });
    const expected = Math.cbrt((1 * 0.6 * 0.4) / 20);
    expect(body.fracture.length / expected).toBeGreaterThan(0.9);
    expect(body.fracture.length / expected).toBeLessThan(1.1);
    world.cut(body, { point: [0, 0, 0], normal: [1, 0, 0] });
    world.separate(body);
    expect(world.bodies.length).toBe(2);
    for (const each of world.bodies) expect(each.fracture.length).toBe(body.fracture.length);
  });

  it('needs an elastic law', async () => {
    const { body } = await worldWith({ ...BOX, material: { toughness: 0.1, raw: {} } });
    expect(body.fracture.length).toBe(0);
    const message = await worldWith({ ...BOX, material: { raw: {} }, fracture: { length: 0.1 } }).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toContain('fracture.length is 0.1; expected nothing without young');
  });
});
