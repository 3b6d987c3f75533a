import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import { random } from '../math/random.js';
import { type Binding, bindKnots } from '../skin/bind.js';
import type { Knots } from '../skin/knots.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import { disturb, worldWith } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import type { World } from '../world.js';
import type { CutOptions } from './knife.js';

const SIZE = 2;

/** The private records of a skin. */
const inside = (body: Body) => body.getSkin() as unknown as { binding: Binding; knots: Knots; shown: SkinMesh };

/** How a body's skin would be bound if nothing were known of how it was before it was cut. */
function boundAnew({ state }: World, body: Body): Binding {
  const { knots, shown } = inside(body);
  return bindKnots(state.views, body.rows, body.builtPositions, shown.positions, knots);
}

describe('the skin of what was cut', () => {
  it.each(['plane', 'blade'])('is bound as it would be anew, cut by cut (%s)', async (kind) => {
    const next = random(testSeed(`bindings by ${kind}`));
    const { world, body } = await worldWith({
      shape: { type: 'box', size: [SIZE, 0.6, 0.6] },
      sampling: { method: 'grid', spacing: 0.1 },
      clustering: { count: 16 },
    });
    body.getSkin().update();
    disturb(world, 3, 0.01, 1);
    let met = 0;
    for (let cut = 0; cut < 5; cut++) {
      for (let n = 0; n < 3; n++) world.step();
      const whole = world.bodies[cut % world.bodies.length];
      const result = world.cut(whole, knifeThrough(whole, kind, next));
      if (result.met) met++;
      for (const piece of result.bodies) expectSame(inside(piece).binding, boundAnew(world, piece));
    }
    expect(met).toBeGreaterThan(3);
  });
});

/** A plane through a body's middle, or a blade that ends there. */
function knifeThrough({ positions }: Body, kind: string, next: () => number): CutOptions {
  const point: [number, number, number] = [0, 0, 0];
  for (let o = 0; o < positions.length; o += 4)
    for (let a = 0; a < 3; a++) point[a] += positions[o + a] / (positions.length / 4);
  const [y, z] = [0.6 * next() - 0.3, 0.6 * next() - 0.3];
  if (kind === 'plane') return { point, normal: [1, y, z] };
  const at = (u: number, v: number): [number, number, number] => [point[0] + y * u + z * v, point[1] + u, point[2] + v];
  return { blade: [at(0, -1), at(1, -1), at(1, 1), at(0, 1)] };
}

function expectSame(known: Binding, anew: Binding): void {
  expect(known.start).toEqual(anew.start);
  expect(known.cluster).toEqual(anew.cluster);
  let off = 0;
  for (let k = 0; k < anew.entries.length; k++) off = Math.max(off, Math.abs(known.entries[k] - anew.entries[k]));
  // Weights and offsets of at most the body's size, rounded to f32; those that were fitted again are rounded twice.
  expect(off).toBeLessThan(5e-7 * SIZE);
}
