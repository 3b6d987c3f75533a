// The elastic law beside theory: bodies of several shapes, resolutions, samplings and time steps are hung, laid on the ground, stretched, bent, twisted, pulled and dropped. It measures no
// times. `npm run bench -- material --quick` is a short form, `'--only=hang;drop'` measures the groups whose names contain one of the words, `'--only==hang'` that of the name.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import { MAX_SUBSTEPS } from './material/bodies.mjs';
import { selfBuckling } from './material/theory.mjs';
import { mean, table } from './statistics.mjs';

const METHODS = ['grid', 'blue-noise'];
const FULL = {
  methods: METHODS,
  rates: [60, 120, 240],
  // In motion.
  cube: [7, 11, 17],
  bar: [7, 11],
  fine: [27, 40],
  // By the linear law.
  cubes: [7, 8, 9, 11, 14, 17, 20, 27],
  largest: [40],
  bars: [6, 7, 9, 11, 14],
  thickBars: [17, 20],
  presets: ['hardRubber', 'wood'],
  failing: [6, 9, 12, 15, 24],
  plates: [5000, 20_000, 80_000],
  split: [5000, 10_000, 20_000, 40_000, 80_000],
  // A third of them from 40 k particles on, which scatter less.
  seeds: 24,
  shapes: ['cube', 'sphere', 'bar', 'bunny'],
  poissons: [0, 0.3, 0.45],
  moduli: [2e4, 5e4, 2e5, 5e5, 2e6],
};
const QUICK = {
  methods: ['grid'],
  rates: [60, 240],
  cube: [7, 11],
  bar: [7],
  fine: [],
  cubes: [7, 9, 11, 14],
  largest: [],
  bars: [7, 9],
  thickBars: [],
  presets: ['wood'],
  failing: [9, 12],
  plates: [5000],
  split: [5000, 20_000],
  seeds: 6,
  shapes: ['cube', 'sphere'],
  poissons: [0, 0.3],
  moduli: [5e4, 5e5],
};
/** Pa, where a case does not say otherwise. */
const E = 1e5;
/** Of plates that a ball breaks. */
const BRITTLE = { toughness: 0.08, dampingRatio: 0.05 };

/** All combinations of the lists in an object. */
const product = (lists) =>
  Object.entries(lists).reduce(
    (rows, [key, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [key]: value }))),
    [{}],
  );

/** Name of a group of the table, probe, and the cases of the group. */
function plan({
  methods,
  rates,
  cube,
  bar,
  fine,
  cubes,
  largest,
  bars,
  thickBars,
  presets,
  failing,
  plates,
  split,
  seeds,
  shapes,
  poissons,
  moduli,
}) {
  const one = rates.slice(0, 1);
  const ends = [rates[0], rates.at(-1)];
  const at = (lists) => product({ method: methods, hz: lists.shape?.[0] === 'bar' ? ends : rates, ...lists });
  const yielding = product({ yield: [0.1], flowTime: [0, 0.1], hardening: [0, 0.5] });
  const fails = { poisson: [0.3], method: ['grid'], hz: rates };
  const built = (lists) => product({ method: methods, hz: one, ...lists });
  return [
    [
      'hang, linear',
      'linear hang',
      [...built({ poisson: [0], n: cubes }), ...built({ poisson: [0.3], shape: ['bar'], n: bars })],
    ],
    ['sag, linear', 'linear sag', built({ poisson: [0.3], n: cubes })],
    [
      'stretching mode, linear',
      'linear mode',
      [...built({ poisson: [0], n: cubes }), ...built({ poisson: [0.3], shape: ['bar'], n: bars })],
    ],
    ['cantilever, linear', 'linear cantilever', built({ poisson: [0.3], shape: ['bar'], n: bars })],
    ['torsional mode, linear', 'linear torsion', built({ poisson: [0.3], shape: ['bar'], n: bars })],
    // Of a grid only: the pull at the ends of blue noise is not in line, and turns the bar.
    [
      'bulge, linear',
      'linear bulge',
      built({ method: ['grid'], poisson: poissons, shape: ['bar'], n: bars.filter((n) => n < 11) }),
    ],
    // A minute a case and more.
    ...[
      ['hang, thick bars, linear', 'linear hang'],
      ['stretching mode, thick bars, linear', 'linear mode'],
      ['cantilever, thick bars, linear', 'linear cantilever'],
      ['torsional mode, thick bars, linear', 'linear torsion'],
    ].map(([name, probe]) => [name, probe, built({ poisson: [0.3], shape: ['bar'], n: thickBars })]),
    // Clusters that do not reach the modulus in the substeps are softer: so is what they hold.
    ['hang, by E, linear', 'linear hang', built({ poisson: [0], n: [11], young: moduli })],
    ['sag, by E, linear', 'linear sag', built({ poisson: [0.3], n: [11], young: moduli })],
    ['cantilever, by E, linear', 'linear cantilever', built({ poisson: [0.3], shape: ['bar'], n: [7], young: moduli })],
    [
      'torsional mode, by E, linear',
      'linear torsion',
      built({ poisson: [0.3], shape: ['bar'], n: [7], young: moduli }),
    ],
    // Bars so stiff that they have fewer clusters, which reach further.
    ...[
      ['hang, stiff bars, linear', 'linear hang'],
      ['cantilever, stiff bars, linear', 'linear cantilever'],
      ['torsional mode, stiff bars, linear', 'linear torsion'],
    ].map(([name, probe]) => [
      name,
      probe,
      built({ poisson: [0.3], shape: ['bar'], n: bars.filter((n) => n > 6), young: moduli.slice(-1) }),
    ]),
    ['hang, 40 across, linear', 'linear hang', built({ poisson: [0], n: largest })],
    ['sag, 40 across, linear', 'linear sag', built({ poisson: [0.3], n: largest })],
    ['stretching mode, 40 across, linear', 'linear mode', built({ poisson: [0], n: largest })],
    ['bricks', 'stand', product({ hz: [60], preset: presets, columns: [1, 10], shape: ['bricks'] })],
    ['modulus of one step', 'law', product({ method: methods, hz: one, poisson: [0.3], shape: shapes, n: [cube[1]] })],
    ['hang', 'hang', [...at({ poisson: [0], n: cube }), ...at({ poisson: [0.3], shape: ['bar'], n: bar })]],
    ['sag', 'sag', at({ poisson: [0.3], n: cube })],
    ['stretching mode', 'mode', [...at({ poisson: [0], n: cube }), ...at({ poisson: [0.3], shape: ['bar'], n: bar })]],
    ['cantilever', 'cantilever', at({ poisson: [0.3], shape: ['bar'], n: bar })],
    ['torsional mode', 'torsion', at({ poisson: [0.3], shape: ['bar'], n: bar })],
    [
      'bulge, pulled',
      'bulge',
      product({ method: methods, hz: one, poisson: poissons, shape: ['bar'], n: bar.slice(0, 2) }),
    ],
    [
      'bulge, pressed',
      'bulge',
      product({ method: methods, hz: one, poisson: poissons, shape: ['bar'], n: bar.slice(0, 2), strain: [-0.02] }),
    ],
    ['drop', 'drop', at({ poisson: [0.3], shape: shapes.filter((shape) => shape !== 'bar'), n: cube })],
    ['drop, without ears', 'drop', at({ poisson: [0.3], shape: ['earless'], n: cube })],
    // At 100 kPa ears buckle when the bunny lands, at 500 kPa they do not.
    [
      'drop, stiff ears',
      'drop',
      at({ poisson: [0.3], shape: ['bunny'], n: [...cube, ...fine], young: [5e5], seconds: [1] }),
    ],
    // Only the fall and the first impact: to rest it takes minutes a case.
    [
      'drop, fine',
      'drop',
      at({ poisson: [0.3], shape: shapes.filter((shape) => shape !== 'bar'), n: fine, seconds: [1] }),
    ],
    ['stretching mode, by E', 'mode', product({ method: ['grid'], hz: rates, poisson: [0], n: [11], young: moduli })],
    [
      'drop, by E',
      'drop',
      product({ method: ['grid'], hz: rates, poisson: [0.3], n: [11], young: moduli.filter((young) => young >= 5e4) }),
    ],
    ['kept stretch', 'keepStretch', product({ ...fails, shape: ['bar'], n: failing.slice(0, 3), also: yielding })],
    ['kept height', 'keepHeight', product({ ...fails, young: [5e5], n: [11, 15, 21], also: [{ yield: 0.05 }] })],
    ...[false, true].map((notch) => [
      notch ? 'first split, notched' : 'first split',
      'tear',
      product({ ...fails, shape: ['bar'], n: failing, notch: [notch], also: [{ toughness: 0.2, dampingRatio: 0.2 }] }),
    ]),
    [
      'plate and ball',
      'shatter',
      product({ ...fails, method: ['blue-noise'], shape: ['plate'], count: plates, also: [BRITTLE] }).filter(
        // The largest takes minutes, and rates agree.
        ({ count, hz }) => count < 80_000 || hz === 120,
      ),
    ],
    ...[0.067, 0.15].map((thick) => [
      thick === 0.15 ? 'first split of plates, thick' : 'first split of plates',
      'firstSplits',
      product({
        ...fails,
        method: ['blue-noise'],
        shape: ['plate'],
        count: split,
        thick: [thick],
        also: [BRITTLE],
      }).map((each) => ({
        ...each,
        seeds: each.count > 20_000 ? seeds / 3 : seeds,
      })),
    ]),
  ];
}

/** The results of the cases, in their order, measured by as many threads as there are cores. */
async function measure(cases) {
  const rows = [];
  let next = 0;
  const threads = Array.from({ length: Math.min(cpus().length, cases.length) }, async () => {
    const worker = new Worker(new URL('./material/worker.mjs', import.meta.url));
    while (next < cases.length) {
      const at = next++;
      process.stderr.write(`\r${at + 1} of ${cases.length} cases `);
      worker.postMessage(cases[at]);
      const [row] = await once(worker, 'message');
      rows[at] = row;
    }
    await worker.terminate();
  });
  await Promise.all(threads);
  return rows;
}

function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** Largest range of a value where only `key` differs, as a share of its mean. */
function spread(rows, value, key) {
  const groups = groupBy(rows, (row) =>
    JSON.stringify(
      [row.shape, row.method, row.n ?? row.count, row.hz, row.young, row.poisson, row.also].filter(
        (_, k) => k !== { n: 2, hz: 3 }[key],
      ),
    ),
  );
  const ranges = [...groups.values()].map((group) => {
    const values = group.map(value);
    return (Math.max(...values) - Math.min(...values)) / Math.abs(mean(values));
  });
  return `${(100 * Math.max(...ranges)).toFixed(1)} %`;
}

/** Lines of the table for a group: one for each shape, sampling, ν and E. Drops have two heights: at the first impact and the least one. */
function linesOf(name, rows, height = 'pressed') {
  const value = (row) => row.ratio ?? row[height] ?? row.nu ?? row.kept ?? row.first;
  const groups = groupBy(rows, ({ shape, method, poisson, young, also }) =>
    JSON.stringify([shape, method, poisson, young, also]),
  );
  return [...groups.values()].map((all) => {
    const measured = all.filter((row) => Number.isFinite(value(row)));
    const [{ shape, method, young, poisson, ratio, nu, kept, first, also }] = all;
    const values = measured.map(value);
    // Shares of a mean of nothing, as of ν = 0, say nothing.
    const hasScale = values.length > 0 && mean(values) > 0.01;
    const of =
      ratio !== undefined
        ? 'measured/theory'
        : nu !== undefined
          ? 'ν measured'
          : kept !== undefined
            ? 'kept share'
            : first !== undefined
              ? 'strain, or s'
              : height === 'pressed'
                ? 'height, centre lowest'
                : 'least height';
    return {
      probe: also ? `${name} ${JSON.stringify(also).replaceAll('"', '')}` : name,
      shape,
      method,
      'E kPa': young / 1e3,
      ν: poisson,
      of,
      mean: values.length ? mean(values).toFixed(3) : '',
      least: values.length ? Math.min(...values).toFixed(3) : '',
      most: values.length ? Math.max(...values).toFixed(3) : '',
      'over n': hasScale ? spread(measured, value, 'n') : '',
      'over dt': hasScale ? spread(measured, value, 'hz') : '',
      asleep: measured[0]?.asleep ? `${Math.max(...measured.map((row) => row.asleep)).toFixed(1)} s` : '',
      'over seeds': all.some((row) => row.scatter > 0)
        ? `${(100 * Math.max(...measured.map((row) => row.scatter))).toFixed(1)} %`
        : '',
      large: first === undefined ? '' : [...new Set(measured.map((row) => row.large))].sort().join(' '),
      'left out': all.length - measured.length,
    };
  });
}

export async function material({ quick = false, only = '', before } = {}) {
  const names = only.split(';');
  const groups = plan(quick ? QUICK : FULL).filter(([name]) =>
    names.some((part) => (part.startsWith('=') ? name === part.slice(1) : name.includes(part))),
  );
  const rows = await measure(
    groups.flatMap(([, probe, cases]) => cases.map((each) => ({ young: E, shape: 'cube', ...each, probe }))),
  );
  const results = Object.fromEntries(groups.map(([name, , cases]) => [name, rows.splice(0, cases.length)]));
  const lines = Object.entries(results).flatMap(([name, group]) => [
    ...linesOf(name, group),
    ...(group.some((row) => row.least !== undefined) ? linesOf(name, group, 'least') : []),
  ]);
  const height = selfBuckling({ rho: 1000, g: 9.81, E: 2e4, a: 1 }).toFixed(2);
  console.log(`
The elastic law beside theory. "over n" and "over dt" are the largest ranges where only the number of particles across or only the time step differs, as shares of the mean.
Kept: length or height after it was let go or came to rest, of that at first. First split: strain of the bar, or seconds after the touch; "large" are numbers of large pieces.
Drops: height of the drawn surface at the first impact from 30 cm, when the centre of mass is lowest, and its least height in the first 0.6 s, as shares of that at rest, and the latest time of falling asleep. They begin at 50 kPa: a column 1 m wide of 20 kPa buckles
under its own weight from ${height} m on (Greenhill). Left out: cases that need more than ${MAX_SUBSTEPS} substeps, and those that did not come to rest.\n`);
  console.log(table(lines));
  const measured = { ...before?.results, ...results };
  const commits = { ...before?.commits };
  for (const name of Object.keys(results)) commits[name] = commit();
  // Groups that were measured before stay, with their commit, where only some were asked for.
  return only ? { form: 'full', commits, results: measured } : { form: quick ? 'quick' : 'full', commits, results };
}

function commit() {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}
