import { describe, expect, it } from 'vitest';
import { frequency } from '../../../../bench/material/bodies.mjs';
import { bulge, cantilever, drop, hang, mode, sag, torsion } from '../../../../bench/material/probes.mjs';
import * as built from '../../../../bench/material/statics.mjs';
import { stretchMode } from '../../../../bench/material/theory.mjs';
import { report } from '../testing/report.js';
import { World } from '../world.js';

/** The experiments of `npm run bench -- material`, of which these are a few. Bounds are what was measured, with a little room: docs/design/elasticity.md says where bodies are off, and why. */
const E = 1e5;
const RATES = [60, 240];

type Case = Parameters<typeof hang>[0];
type Options = Omit<Case, 'hz' | 'material'>;

/** Measures over all rates, which must agree to `tolerance`, and returns the mean. */
async function alike(
  what: string,
  probe: (options: Case) => Promise<number>,
  options: Options,
  poisson: number,
  tolerance = 0.01,
): Promise<number> {
  const values = [];
  for (const hz of RATES) values.push(await probe({ ...options, hz, material: { young: E, poisson } }));
  report(`${what} ${JSON.stringify(options)}`, values, '');
  expect(Math.abs(values[0] - values[1]), `${what} by rate: ${values}`).toBeLessThan(tolerance);
  return (values[0] + values[1]) / 2;
}

const ratio = (probe: (options: Case) => Promise<{ ratio: number }>) => async (options: Case) =>
  (await probe(options)).ratio;

/** Each value between its bounds. */
function expectWithin(values: Record<string, number>, bounds: Record<string, readonly [number, number]>): void {
  for (const [name, value] of Object.entries(values)) {
    expect(value, name).toBeGreaterThan(bounds[name][0]);
    expect(value, name).toBeLessThan(bounds[name][1]);
  }
}

describe('a cube beside theory, at 60 and 240 Hz', () => {
  it('hangs as long as theory says, within 10 %, and resolutions agree to 5 %', async () => {
    const found = [];
    for (const n of [7, 11, 17]) found.push(await alike('hang', ratio(hang), { n }, 0));
    for (const value of found) expect(Math.abs(value - 1)).toBeLessThan(0.1);
    // 0.978, 0.972, 1.010.
    expect(Math.max(...found) - Math.min(...found)).toBeLessThan(0.05);
    expect(Math.abs((await alike('hang', ratio(hang), { n: 11, method: 'blue-noise' }, 0)) - 1)).toBeLessThan(0.1);
  });

  it('stands as high as theory says, within 10 % of its sag', async () => {
    for (const n of [7, 11]) expect(Math.abs((await alike('sag', ratio(sag), { n }, 0.3)) - 1)).toBeLessThan(0.1);
  });

  it('swings at the frequency of theory within 10 %, on a grid of 11 and more a side within 5 %', async () => {
    const grid = {
      7: await alike('mode', ratio(mode), { n: 7 }, 0),
      11: await alike('mode', ratio(mode), { n: 11 }, 0),
      17: await alike('mode', ratio(mode), { n: 17 }, 0),
    };
    expectWithin(grid, { 7: [0.9, 1.1], 11: [0.95, 1.05], 17: [0.95, 1.05] });
    const noise = await alike('mode', ratio(mode), { n: 11, method: 'blue-noise' }, 0);
    expectWithin({ noise }, { noise: [0.9, 1.1] });
  });

  it('dropped from 30 cm is pressed to the same height by every rate, and comes to rest', async () => {
    const heights = [];
    for (const n of [7, 11]) {
      heights.push(await alike('drop', async (options) => (await drop(options)).least, { n }, 0.3, 0.005));
      const { rest, asleep } = await drop({ n, hz: 60, material: { young: E, poisson: 0.3 } });
      expect(rest).toBeGreaterThan(0.94);
      expect(rest).toBeLessThan(0.98);
      expect(asleep).toBeLessThan(4);
    }
    // 0.9 %; 2.0 % while the layers beyond the outermost particles were rigid.
    expect(Math.abs(heights[0] - heights[1]) / heights[1]).toBeLessThan(0.02);
  });
});

it.each([
  // With rigid layers the balls differed by 4.1 and 2.2 %, the bunnies by 4.3 and 4.0 %.
  ['sphere', 'grid'],
  ['sphere', 'blue-noise'],
  ['bunny', 'grid'],
  ['bunny', 'blue-noise'],
] as const)('a %s (%s) of 7, 11 and 17 across is pressed alike at its first impact', async (shape, method) => {
  const found = [];
  for (const n of [7, 11, 17])
    found.push((await drop({ shape, n, method, hz: 60, seconds: 1, material: { young: E, poisson: 0.3 } })).pressed);
  report(`first impact of a ${shape}, ${method}`, found, '');
  expect(Math.max(...found) / Math.min(...found)).toBeLessThan(1.04);
});

describe('a body with parts that are small and thin', () => {
  it('is pressed alike at 60, 120 and 240 Hz', async () => {
    const drops = [];
    for (const hz of [60, 120, 240])
      drops.push(await drop({ shape: 'bunny', n: 7, method: 'blue-noise', hz, material: { young: E, poisson: 0.3 } }));
    for (const height of ['least', 'pressed'] as const) {
      const found = drops.map((each) => each[height]);
      report(`bunny of 7 across, ${height}`, found, '');
      // While each ear, 2 % of the body, could be as soft as the substep had it be, the least ones were 0.635, 0.635 and 0.727.
      expect(Math.max(...found) / Math.min(...found)).toBeLessThan(1.05);
    }
  });

  it('is pressed alike over numbers of particles where its ears do not buckle', async () => {
    for (const method of ['grid', 'blue-noise'] as const) {
      const found = [];
      for (const n of [7, 11, 17])
        found.push((await drop({ shape: 'bunny', n, method, hz: 120, material: { young: 5e5, poisson: 0.3 } })).least);
      report(`bunny of 500 kPa, ${method}`, found, '');
      expect(Math.max(...found) / Math.min(...found)).toBeLessThan(1.05);
    }
  });
});

describe('a bar of 1 : 1 : 6 beside theory, at 60 and 240 Hz', () => {
  it('hangs and swings lengthwise within 10 %, and resolutions agree to 5 %', async () => {
    for (const [what, probe] of [
      ['hang', hang],
      ['mode', mode],
    ] as const) {
      const found = [];
      for (const n of [7, 11]) found.push(await alike(what, ratio(probe), { shape: 'bar', n }, 0.3));
      for (const value of found) expect(Math.abs(value - 1)).toBeLessThan(0.1);
      expect(Math.abs(found[0] - found[1])).toBeLessThan(0.05);
    }
  });

  it('bends under its weight within 10 %, and resolutions agree to 4 %', async () => {
    const found = [];
    // Slivers are as soft as the substep has them be: between rates that is up to 0.025.
    for (const n of [7, 11]) found.push(await alike('cantilever', ratio(cantilever), { n }, 0.3, 0.03));
    for (const value of found) expect(Math.abs(value - 1)).toBeLessThan(0.1);
    // 1.006 and 0.993.
    expect(Math.abs(found[0] - found[1])).toBeLessThan(0.04);
  });

  it('twists at a frequency within 10 %', async () => {
    for (const n of [7, 11]) {
      const found = await alike('torsion', ratio(torsion), { n }, 0.3);
      expect(Math.abs(found - 1), `n ${n}`).toBeLessThan(0.1);
    }
  });

  it('bulges by its ratio of Poisson, within 10 % of it', async () => {
    for (const poisson of [0, 0.3, 0.45])
      for (const strain of [0.02, -0.02]) {
        const { nu } = await bulge({ n: 7, hz: 60, strain, material: { young: E, poisson } });
        report(`bulge at a strain of ${strain}`, [poisson, nu], '');
        expect(Math.abs(nu - poisson)).toBeLessThan(0.1 * Math.max(poisson, 0.05));
      }
  });
});

it('parts that were cut off swing as theory says', async () => {
  const [width, length] = [0.25, 1.5];
  for (const [along, normal] of [
    [0.5, [0, 1, 0]],
    [1, [1, 0, 0]],
  ] as const) {
    const world = await World.create({ dt: 1 / 240, gravity: [0, 0, 0], sleepSpeed: 0 });
    const body = world.addBody({
      shape: { type: 'box', size: [width, length, width] },
      sampling: { method: 'grid', spacing: width / 7 },
      material: { young: E, dampingRatio: 0 },
      contact: { mode: 'none' },
    });
    world.cut(body, { point: [0, 0, 0], normal: [...normal] });
    const [part, other] = world.bodies;
    other.enabled = false;
    const heights = part.restPositions.filter((_, k) => k % 3 === 1);
    const middle = (Math.min(...heights) + Math.max(...heights)) / 2;
    heights.forEach((y, i) => {
      part.positions[4 * i + 1] = middle + 1.02 * (y - middle);
    });
    const shape = heights.map((y) => Math.sin((Math.PI * (y - middle)) / (along * length)));
    const swing = () => shape.reduce((sum, share, i) => sum + share * (part.positions[4 * i + 1] - heights[i]), 0);
    const ratio = frequency(world, swing) / stretchMode({ rho: 1000, E, L: along * length });
    report(`stretching mode of a part, cut along ${normal}`, ratio, '');
    // 0.982 and 0.988; built as such 0.964 and 0.990.
    expect(Math.abs(ratio - 1)).toBeLessThan(0.05);
    world.dispose();
  }
});

it('a cube that is pressed far bulges by its ratio of Poisson, at any resolution', async () => {
  const least: Record<string, number[]> = {};
  for (const poisson of [0, 0.3, 0.49])
    for (const n of [7, 11]) {
      const world = await World.create({ dt: 1 / 120 });
      world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0 });
      const body = world.addBody({
        shape: { type: 'box', size: [1, 1, 1] },
        sampling: { method: 'grid', spacing: 1 / n },
        material: { young: E, poisson },
        position: [0, 2, 0],
      });
      const skin = body.getSkin();
      let pressed = [1, 1, 1];
      for (let k = 0; k < 120; k++) {
        world.step();
        skin.update();
        const sides = [0, 1, 2].map((axis) => {
          const places = skin.positions.filter((_, o) => o % 3 === axis);
          return Math.max(...places) - Math.min(...places);
        });
        if (sides[1] < pressed[1]) pressed = sides;
      }
      report(`sides of a cube at its first impact from 1.5 m, ν = ${poisson}, ${n} across`, pressed, '');
      least[poisson] = [...(least[poisson] ?? []), pressed[1]];
      const width = Math.sqrt(pressed[0] * pressed[2]);
      // ν = 0: 1.03 and 1.02 times 0.60 and 0.58. ν = 0.3: 1.21 and 1.24 times 0.66 and 0.64. ν = 0.49: 1.33 and 1.36 times 0.73 and 0.71.
      if (poisson === 0) expect(width).toBeLessThan(1.05);
      if (poisson === 0.3) expect(Math.abs(width - 1.22)).toBeLessThan(0.05);
      if (poisson === 0.49) expect(Math.abs(width - 1.345)).toBeLessThan(0.04);
      world.dispose();
    }
  for (const [coarse, fine] of Object.values(least)) expect(Math.abs(coarse / fine - 1)).toBeLessThan(0.05);
});

describe('bodies as built, by the linear law', () => {
  const statics = {
    hang: built.hang,
    sag: built.sag,
    mode: built.mode,
    cantilever: built.cantilever,
    torsion: built.torsion,
  };
  const found = async (probe: keyof typeof statics, shape: 'cube' | 'bar', poisson: number, ns: number[]) => {
    const ratios: Record<string, number[]> = { grid: [], 'blue-noise': [] };
    for (const method of ['grid', 'blue-noise'] as const)
      for (const n of ns) {
        const { ratio } = await statics[probe]({ shape, n, method, material: { young: E, poisson } });
        ratios[method].push(ratio);
      }
    report(`linear ${probe} of a ${shape}, ${ns} across`, ratios, '');
    return Object.values(ratios);
  };
  const spread = (values: number[]) => Math.max(...values) - Math.min(...values);

  it.each([
    ['hang', 'cube', 0, [7, 8, 11, 14], 0.05],
    ['sag', 'cube', 0.3, [7, 8, 11, 14], 0.05],
    ['mode', 'cube', 0, [7, 8, 11, 14], 0.05],
    ['hang', 'bar', 0.3, [7, 9], 0.05],
    ['mode', 'bar', 0.3, [7, 9], 0.05],
    // Grid 1.019, 1.034, 0.998; blue noise 0.998, 1.008, 1.000.
    ['cantilever', 'bar', 0.3, [7, 9, 14], 0.045],
    ['torsion', 'bar', 0.3, [7, 9, 14], 0.04],
  ] as const)(
    '%s of a %s with ν = %d is within 10 %% of theory over %j across, and alike',
    async (probe, shape, poisson, ns, alike) => {
      for (const ratios of await found(probe, shape, poisson, [...ns])) {
        for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
        expect(spread(ratios)).toBeLessThan(alike);
      }
    },
  );

  it('cantilevers of 7 across sag alike over samplings by blue noise', async () => {
    const n = 7;
    const ratios = [];
    for (const seed of [1, 2, 3]) {
      const sampling = { method: 'blue-noise', count: 6 * n ** 3, seed } as const;
      const options = {
        shape: 'bar',
        n,
        method: 'blue-noise',
        sampling,
        material: { young: E, poisson: 0.3 },
      } as const;
      ratios.push((await built.cantilever(options)).ratio);
    }
    report('linear cantilevers of 7 across by seed', ratios, '');
    // 0.998, 1.013 and 1.045, in the mean 1.019. Bars of 14 have 0.996 to 1.010.
    for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThan(0.07);
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / 3).toBeLessThan(1.04);
  });

  it.each([7, 11, 14])('bars of 2 MPa and %i across bend and twist as softer ones do', async (n) => {
    const body = { shape: 'bar', n, method: 'grid', material: { young: 2e6, poisson: 0.3 } } as const;
    const [sag, twist] = [await built.cantilever(body), await built.torsion(body)];
    report(`linear cantilever and torsion of 2 MPa, ${n} across`, [sag, twist], '');
    // 1.016, 1.021, 1.032 and 1.085, 1.073, 1.066. With 12 clusters, as which they reached their modulus in half as many substeps, 1.40 to 1.53 and 1.34 to 1.39.
    expect(Math.abs(sag.ratio - 1)).toBeLessThan(0.05);
    expect(Math.abs(twist.ratio - 1)).toBeLessThan(0.1);
  });

  it('a bar that is stiffer than its clusters reach says so, and what would help', async () => {
    const world = await World.create();
    const bar = (young: number) =>
      world.addBody({
        shape: { type: 'box', size: [0.25, 1.5, 0.25] },
        sampling: { method: 'grid', spacing: 0.25 / 7 },
        material: { young, poisson: 0.3 },
      });
    const [soft, stiff, stiffer, rigid] = [bar(2e5), bar(2e6), bar(8e6), bar(1e10)];
    world.step();
    expect(soft.warnings).toEqual([]);
    expect(stiff.clusterCount).toBe(soft.clusterCount);
    expect(stiff.warnings).toHaveLength(1);
    expect(stiff.warnings[0]).toContain('are reached');
    // Beyond that a few wide clusters are nearer to what was asked for, but do not bend right.
    expect(stiffer.clusterCount).toBeGreaterThan(1);
    expect(stiffer.clusterCount).toBeLessThan(30);
    expect(stiffer.warnings).toContainEqual(
      expect.stringContaining('With 178 clusters (clustering.count) it bends right'),
    );
    expect(stiffer.young).toBeGreaterThan(stiff.young!);
    // All but rigid.
    expect(rigid.clusterCount).toBe(1);
    world.dispose();
  });

  it('hang of a cube of 27 across with clusters of twice the particles is that of 17', async () => {
    const cubes = [];
    for (const n of [17, 27]) cubes.push(await built.hang({ n, material: { young: E, poisson: 0 } }));
    report('hang of thick cubes', cubes, '');
    // 1.006 and 1.009.
    for (const { ratio } of cubes) expect(Math.abs(ratio - 1)).toBeLessThan(0.04);
    expect(Math.abs(cubes[0].ratio - cubes[1].ratio)).toBeLessThan(0.025);
    expect(cubes[1].particles / cubes[1].clusters).toBeGreaterThan(50);
  });

  it('dent of a thick cube under a finger is that with clusters of 25 particles', async () => {
    const press = { n: 20, radius: 0.1, material: { young: E, poisson: 0.3 } };
    const [wide, small] = [await built.dent(press), await built.dent({ ...press, clustering: { count: 320 } })];
    report('dent with wide and with small clusters', [wide, small], '');
    expect(wide.clusters).toBeLessThan(0.65 * small.clusters);
    expect(Math.abs(wide.ratio / small.ratio - 1)).toBeLessThan(0.1);
    // Twice as wide clusters would be dented 1.6 times as much if they did not hold the more firmly.
    expect(wide.ratio).toBeLessThan(1.35);
  });
});
