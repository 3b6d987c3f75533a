import { expect, it } from 'vitest';
import { worldWith } from '../testing/bodies.js';

const BAR = {
  shape: { type: 'box', size: [2, 0.3, 0.3] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 1, radius: 2 },
} as const;

/** A bar of one cluster whose particles are bent, x ↦ x − 0.2 x² e_y, and the farthest that its skin is from that map of its rest shape (m). */
async function farFromBent(mode: 'linear' | 'quadratic'): Promise<number> {
  const { body } = await worldWith({ ...BAR, material: { raw: { mode } } });
  const skin = body.getSkin();
  skin.update();
  const rest = Float64Array.from(skin.positions);
  for (let i = 0; i < body.particleCount; i++) body.positions[4 * i + 1] -= 0.2 * body.positions[4 * i] ** 2;
  skin.update();
  let far = 0;
  for (let o = 0; o < rest.length; o += 3) {
    const bent = [rest[o], rest[o + 1] - 0.2 * rest[o] ** 2, rest[o + 2]];
    for (let a = 0; a < 3; a++) far = Math.max(far, Math.abs(skin.positions[o + a] - bent[a]));
  }
  return far;
}

it('a skin bends with the particles of quadratic goals, and stays straight with linear ones', async () => {
  expect(await farFromBent('quadratic')).toBeLessThan(1e-4);
  expect(await farFromBent('linear')).toBeGreaterThan(0.1);
});
