import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS, type Backend } from '../kernels/kernels.js';
import type { MaterialOptions } from '../material/material.js';
import { worldWith } from '../testing/bodies.js';
import { run } from './testing/pulled.js';

/** A bar of 21 × 5 × 5 points along x, from −1 to 1, of two clusters that share the middle. */
const POINTS = Array.from({ length: 21 * 25 }, (_, k) => [
  (Math.floor(k / 25) - 10) / 10,
  0.1 * ((k % 5) - 2),
  0.1 * (Math.floor((k % 25) / 5) - 2),
]);
const where = (holds: (x: number) => boolean) => ({ members: POINTS.flatMap(([x], i) => (holds(x) ? [i] : [])) });
const [LEFT, RIGHT] = [0, 1];

/** `shared`: how far from the middle particles are in both clusters. `more`: clusters beside the two. */
async function bar(
  backend: Backend,
  material: MaterialOptions,
  fracture: BodyOptions['fracture'] = {},
  shared = 0.25,
  more: { members: number[] }[] = [],
) {
  return worldWith(
    {
      points: POINTS.flat(),
      clusters: [where((x) => x < shared), where((x) => x > -shared), ...more],
      material: { ...material, raw: { rotation: 'covariance', damping: 0, limit: { iterations: 0 }, ...material.raw } },
      fracture,
      contact: { mode: 'none' },
    },
    { backend },
  );
}

type Bar = Awaited<ReturnType<typeof bar>>;

/** Draws it out along x, by one factor on the left and another one on the right. */
function stretch({ body: { positions: x } }: Bar, left: number, right: number): void {
  for (let o = 0; o < x.length; o += 4) x[o] *= x[o] < 0 ? left : right;
}

const splitsIn = ({ world }: Bar, steps: number) =>
  Array.from({ length: steps }, () => run(world, 1).flatMap(({ splits }) => splits.map(({ cluster }) => cluster)));

describe.each(BACKENDS)('of two clusters that are stretched too far (%s)', (backend) => {
  // The order is by stretch beyond toughness: the cluster that is stretched less may come first.
  it.each([
    ['the left one', 1.6, 1.4, 0.1, 0.1, LEFT],
    ['the right one', 1.4, 1.6, 0.1, 0.1, RIGHT],
    ['the left one, tender, though the right one is stretched more', 1.4, 1.6, 0.05, 0.45, LEFT],
    ['the right one, tender, though the left one is stretched more', 1.6, 1.4, 0.45, 0.05, RIGHT],
  ])('%s splits first where there is time for one', async (_, left, right, toughLeft, toughRight, first) => {
    const toughness = (x: number) => (x < 0 ? toughLeft : toughRight);
    const made = await bar(backend, { toughness, raw: { stiffness: 0 } }, { budget: 1 });
    stretch(made, left, right);
    const [one, two] = splitsIn(made, 2);
    expect(one).toEqual([first]);
    // The other one is still there, and its turn comes.
    expect(two).toEqual([1 - first]);
    // With time for both they go in one step, the worse one first.
    const quick = await bar(backend, { toughness, raw: { stiffness: 0 } });
    stretch(quick, left, right);
    expect(splitsIn(quick, 1)).toEqual([[first, 1 - first]]);
  });

  it('those that are too small to split between them take nothing of the budget', async () => {
    // Clusters of 6 on the right, in two layers across the pull, more overloaded than the right half as a whole: it takes 8 members to split.
    const small = Array.from({ length: 30 }, (_, n) => {
      const first = 25 * (14 + 2 * Math.floor(n / 10)) + 2 * (n % 10);
      return { members: [0, 1, 2, 25, 26, 27].map((k) => first + k) };
    });
    const toughness = (x: number) => (x < 0.35 ? 0.05 : x < 0.95 ? 0.2 : 5);
    const split = async (budget: number, more: { members: number[] }[]) => {
      const made = await bar(backend, { toughness, raw: { stiffness: 0 } }, { budget }, 0.25, more);
      stretch(made, 1.9, 1.9);
      return splitsIn(made, 1)[0];
    };
    // The least budget of which some is left when the left one has split.
    let budget = 300;
    while ((await split(budget, [])).length < 2) budget += 10;
    expect(await split(budget, small)).toEqual([LEFT, RIGHT]);
  });

  it('both alike but for rounding split in the order of their numbers', async () => {
    for (const more of [0, 3e-6, -3e-6]) {
      const made = await bar(backend, { toughness: 0.1, raw: { stiffness: 0 } });
      stretch(made, 1.5, 1.5 + more);
      expect(splitsIn(made, 1)).toEqual([[LEFT, RIGHT]]);
    }
    const uneven = await bar(backend, { toughness: 0.1, raw: { stiffness: 0 } });
    stretch(uneven, 1.5, 1.501);
    expect(splitsIn(uneven, 1)).toEqual([[RIGHT, LEFT]]);
  });

  it('one that the step itself lets relax is looked at again, and stays whole', async () => {
    // The right one springs back within the step, the left one does not.
    const stiffness = (x: number) => (x > 0.05 ? 1 : 0);
    const springy = await bar(backend, { toughness: 0.3, raw: { stiffness } }, {}, 0.05);
    // It was too far before: without its spring it splits.
    const limp = await bar(backend, { toughness: 0.3, raw: { stiffness: 0 } }, {}, 0.05);
    for (const made of [springy, limp]) stretch(made, 1.8, 1.5);
    expect(splitsIn(springy, 1)).toEqual([[LEFT]]);
    expect(splitsIn(limp, 1)).toEqual([[LEFT, RIGHT]]);
    // Nor does anything happen where all spring back.
    const stiff = await bar(backend, { toughness: 0.3, raw: { stiffness: 1 } }, {}, 0.05);
    stretch(stiff, 1.8, 1.5);
    expect(splitsIn(stiff, 1)).toEqual([[]]);
    expect(stiff.body.topologyVersion).toBe(0);
  });

  it('the second stays whole if it relaxes because the first one split', async () => {
    const splits: Record<string, number[][]> = {};
    for (const budget of [1, 50_000]) {
      const toughness = (x: number) => (x < 0 ? 0.149 : 0.15);
      const made = await bar(backend, { toughness, raw: { stiffness: 1, damping: 0.3 } }, { budget });
      for (const side of [1, -1])
        made.world.addClamp({
          region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.75 },
          velocity: [0.5 * side, 0, 0],
        });
      const all = splitsIn(made, 60);
      const first = all.findIndex((step) => step.length > 0);
      splits[budget] = all.slice(first, first + 20);
    }
    // In the step in which the left one splits the right one is beyond its toughness too.
    expect(splits[50_000][0]).toEqual([LEFT, RIGHT]);
    expect(splits[1].flat()).toEqual([LEFT]);
  });
});

it.each(BACKENDS)('a body of toughness 0 that falls without a strain stays whole (%s)', async (backend) => {
  const { world, body } = await worldWith(
    {
      shape: { type: 'capsule', radius: 1, height: 1 },
      sampling: { count: 31 },
      position: [0, 0, -1],
      material: { toughness: 0, raw: { damping: 1 } },
    },
    { backend },
  );
  for (let k = 0; k < 5; k++) world.step();
  expect(body.topologyVersion).toBe(0);
  // A strain that f32 positions do show is enough.
  for (let o = 0; o < body.positions.length; o += 4) body.positions[o] *= 1.01;
  world.step();
  expect(body.topologyVersion).toBeGreaterThan(0);
});
