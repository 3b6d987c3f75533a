import { describe, expect, it } from 'vitest';
import { worldWith } from '../testing/bodies.js';

const BAR = {
  shape: { type: 'box', size: [1, 0.3, 0.3] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 6, radius: 0.3 },
  material: { toughness: 0.5 },
} as const;

const toughnessOf = ({ world, body }: Awaited<ReturnType<typeof worldWith>>) =>
  Array.from(world.state.views.clusterToughness.slice(body.rows.clusterStart, body.rows.clusterEnd));

describe('factors of the toughness of clusters', () => {
  it('multiply what the particles say, also after the material has changed', async () => {
    const made = await worldWith(BAR);
    const factors = Array.from({ length: made.body.clusterCount }, (_, c) => 1 + c);
    made.body.scaleToughness(factors);
    expect(toughnessOf(made)).toEqual(factors.map((factor) => 0.5 * factor));
    made.body.setMaterial({ toughness: 0.25 });
    expect(toughnessOf(made)).toEqual(factors.map((factor) => 0.25 * factor));
  });

  it('are in snapshots', async () => {
    const made = await worldWith(BAR);
    made.body.scaleToughness(new Array(made.body.clusterCount).fill(3));
    const bytes = made.world.save();
    made.body.scaleToughness(new Array(made.body.clusterCount).fill(1));
    made.world.restore(bytes);
    made.body.setMaterial({ toughness: 1 });
    expect(new Set(toughnessOf(made))).toEqual(new Set([3]));
  });

  it('keep a pulled bar in one piece that breaks without them', async () => {
    const pieces = [];
    for (const factor of [1, 1e6]) {
      const { world, body } = await worldWith(BAR);
      body.scaleToughness(new Array(body.clusterCount).fill(factor));
      world.addClamp({ region: { type: 'halfspace', normal: [1, 0, 0], offset: 0.35 }, velocity: [1, 0, 0] });
      world.addClamp({ region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.35 }, velocity: [-1, 0, 0] });
      for (let k = 0; k < 30; k++) world.step();
      pieces.push(body.pieces.count);
    }
    expect(pieces[0]).toBeGreaterThan(1);
    expect(pieces[1]).toBe(1);
  });

  it.each([[[]], [[1, 2]], [[1, 1, 1, 1, 1, 0]], [[1, 1, 1, 1, 1, Number.NaN]]])('refuse %j', async (factors) => {
    const { body } = await worldWith(BAR);
    expect(() => body.scaleToughness(factors)).toThrow(/factors/);
  });
});
