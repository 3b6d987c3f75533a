import { describe, expect, it } from 'vitest';
import { firstSplits, keepHeight, keepStretch, shatter, tear } from '../../../../bench/material/failure.mjs';
import { report } from '../testing/report.js';

/** The experiments of `npm run bench -- material` on bodies that flow and break, of which these are a few. docs/design/plasticity.md and docs/design/fracture-and-topology.md have all numbers. */
const LAW = { young: 1e5, poisson: 0.3 };
const spread = (values: number[]) => (Math.max(...values) - Math.min(...values)) / Math.min(...values);

describe('a bar pulled to 1.4 and let go', () => {
  const kept = async (n: number, hz: number, material: Record<string, number>, world = {}) =>
    (await keepStretch({ n, hz, world, material: { ...LAW, yield: 0.1, ...material } })).kept;

  it.each([
    [{ flowTime: 0, hardening: 0 }, 1.22, 1.3],
    [{ flowTime: 0.1, hardening: 0 }, 1.2, 1.25],
    [{ flowTime: 0, hardening: 0.5 }, 1.14, 1.18],
  ])('keeps the same stretch at every rate and number of substeps, %j', async (material, least, most) => {
    const rates = [
      await kept(6, 60, material),
      await kept(6, 240, material),
      await kept(6, 60, material, { substeps: 24 }),
    ];
    const finer = await kept(9, 120, material);
    report(`kept stretch ${JSON.stringify(material)}`, [...rates, finer], '');
    expect(spread(rates)).toBeLessThan(0.003);
    for (const value of [...rates, finer]) {
      expect(value).toBeGreaterThan(least);
      expect(value).toBeLessThan(most);
    }
    expect(spread([rates[1], finer])).toBeLessThan(0.02);
  });
});

it('a dropped cube keeps the same height at every rate, and from 11 particles a side on', async () => {
  const material = { young: 5e5, poisson: 0.3, yield: 0.05 };
  const heights = [];
  for (const [n, hz] of [
    [11, 60],
    [11, 240],
    [15, 120],
  ])
    heights.push((await keepHeight({ n, hz, material })).kept);
  report('kept height', heights, '');
  expect(spread(heights.slice(0, 2))).toBeLessThan(0.01);
  expect(spread(heights)).toBeLessThan(0.03);
  expect(heights[0]).toBeLessThan(0.95);
});

describe('a bar that is pulled apart', () => {
  const material = { ...LAW, toughness: 0.2, dampingRatio: 0.2 };

  it('breaks at its toughness, in two or three', async () => {
    const found = [];
    for (const [n, hz] of [
      [9, 60],
      [9, 240],
      [12, 120],
    ])
      found.push(await tear({ n, hz, material }));
    for (const { first, large } of found) {
      expect(Math.abs(first / 0.2 - 1)).toBeLessThan(0.1);
      // Nothing says where: an even bar may break in two places at once.
      expect(large).toBeGreaterThan(1);
      expect(large).toBeLessThan(4);
    }
    // 0.2143, 0.2150, 0.2120.
    expect(spread(found.map(({ first }) => first))).toBeLessThan(0.03);
  });

  it('breaks at the same strain with a notch at 9 and 12 particles across; without a length, finer bars break sooner', async () => {
    const notched = (n: number, hz: number, fracture = {}) => tear({ n, hz, notch: true, material, fracture });
    const found = [await notched(9, 60), await notched(9, 240), await notched(12, 120)];
    const bare = [await notched(9, 120, { length: 0 }), await notched(12, 120, { length: 0 })];
    report(
      'first split, notched, with a length and without',
      [...found, ...bare].map(({ first }) => first),
      '',
    );
    report(
      'parted',
      found.map(({ parted }) => parted),
      '',
    );
    for (const { large, first } of found) {
      expect(large).toBe(2);
      // The notch is felt.
      expect(first).toBeLessThan(0.17);
    }
    // 0.1438, 0.1442, 0.1500.
    expect(spread(found.map(({ first }) => first))).toBeLessThan(0.05);
    // 0.167, 0.167, 0.180: members that are pulled out are looked for 60 times a second, in which the strain grows by 0.007.
    expect(spread(found.map(({ parted }) => parted))).toBeLessThan(0.15);
    expect(spread(bare.map(({ first }) => first))).toBeGreaterThan(0.12);
  });
});

describe('a plate hit by a ball', () => {
  const material = { ...LAW, toughness: 0.08, dampingRatio: 0.05 };

  /** Means over seeds: one plate splits 2 to 4 % earlier or later with another seed of blue noise or of clusters. */
  const first = async (count: number, hz: number, thick?: number) =>
    (await firstSplits({ seeds: count > 20_000 ? 8 : 24, count, hz, thick, material })).first;

  it('first splits at the same time with 5 k and 20 k particles where it is 6 and 9 of them thick', async () => {
    const found = [await first(5000, 60, 0.15), await first(5000, 240, 0.15), await first(20_000, 120, 0.15)];
    report('first split of a thick plate', found, 's');
    // 0.0337, 0.0339, 0.0328; 0.0323 with 80 k.
    expect(spread(found.slice(0, 2))).toBeLessThan(0.02);
    expect(spread(found)).toBeLessThan(0.05);
  });

  it('first splits at the same time at every rate and with any number of particles where it is thin', async () => {
    const coarse = [await first(5000, 60), await first(5000, 240)];
    const fine = [await first(20_000, 60), await first(20_000, 240), await first(40_000, 120)];
    report('first split of a thin plate, 3.2 particles thick, and 5.1 and 6.5', [coarse, fine], 's');
    // 0.0195, 0.0196, and 0.0191, 0.0192, 0.0188. By the stretch of its middle alone, and with clusters that go through the whole thickness, single coarse plates broke 1.21 times later.
    expect(spread(coarse)).toBeLessThan(0.02);
    expect(spread(fine.slice(0, 2))).toBeLessThan(0.02);
    expect(spread([...coarse, ...fine])).toBeLessThan(0.05);
  });
});

it('a plate hit by a ball falls into the same halves at every rate, and no splinter gains energy', async () => {
  for (const hz of [60, 240]) {
    const { large, largest, work } = await shatter({
      count: 5000,
      hz,
      material: { ...LAW, toughness: 0.08, dampingRatio: 0.05 },
    });
    expect(large).toBeGreaterThan(1);
    expect(large).toBeLessThan(5);
    expect(largest).toBeLessThan(0.6);
    // J; half the plate at the speed of the ball has 45. With goals of constant volume in splinters it was millions.
    expect(work).toBeLessThan(90);
  }
});
