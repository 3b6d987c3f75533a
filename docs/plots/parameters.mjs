// Makes the data and plots of docs/parameters.md by our own runs: node docs/plots/parameters.mjs [name …] (after npm run build; a minute or two).
import { writeFile } from 'node:fs/promises';
import { World } from 'pliant';
import { plot, rounded } from './plot.mjs';

/**
 * The cube of Jones et al. 2015: 11³ particles, stretched and let go where nothing weighs anything. By half of its length, not by all of it, and
 * without limiting: so it swings by itself, and not through itself.
 */
const CUBE = {
  shape: { type: 'box', size: [1, 1, 1] },
  sampling: { method: 'grid', count: 1331 },
  clustering: { count: 10 },
  material: { raw: { stiffness: 0.5, damping: 0.02, rotation: 'covariance', limit: { iterations: 0 } } },
  stretch: [1.5, 1, 1],
  contact: { mode: 'none' },
};
const BAR = {
  shape: { type: 'box', size: [2, 0.3, 0.3] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 1, radius: 3 },
  contact: { mode: 'none' },
};

const cube = ({ clustering, material, ...others } = {}) => ({
  ...CUBE,
  ...others,
  clustering: clustering ?? CUBE.clustering,
  material: { raw: { ...CUBE.material.raw, ...material?.raw } },
});

/** How much longer than at rest a body is along its own x axis, whichever way that looks: |F e_x| − 1. */
function stretchOf({ particleCount, positions, restPositions: rest }) {
  const [middle, along] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  let square = 0;
  for (let i = 0; i < particleCount; i++) for (let a = 0; a < 3; a++) middle[a] += positions[4 * i + a] / particleCount;
  for (let i = 0; i < particleCount; i++) {
    for (let a = 0; a < 3; a++) along[a] += (positions[4 * i + a] - middle[a]) * rest[3 * i];
    square += rest[3 * i] ** 2;
  }
  return Math.hypot(...along) / square - 1;
}

/** The values of `measure` for a body at the start and after each step. */
async function record(options, seconds, { measure = stretchOf, dt = 1 / 60, ...settings } = {}) {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0, dt, ...settings });
  const body = world.addBody(options);
  const curve = [[0, measure(body)]];
  for (let n = 1; n <= Math.round(seconds / dt); n++) {
    world.step();
    curve.push([n * dt, measure(body)]);
  }
  world.dispose();
  return curve;
}

/** One curve for each of some values. */
async function sweep(values, name, run) {
  const curves = {};
  for (const value of values) curves[name(value)] = await run(value);
  return curves;
}

const STRETCH = { x: 'time (s)', y: 'stretch beyond its length' };

const clusters = () =>
  sweep(
    [1, 5, 10, 25, 50],
    (count) => `${count} cluster${count > 1 ? 's' : ''}`,
    (count) => record(cube({ clustering: { count, overlap: 1 } }), 1.5),
  );

const overlap = () =>
  sweep(
    [1, 1.3, 1.7, 2.5, 4],
    (factor) => `${factor} × the least radius`,
    (factor) => record(cube({ clustering: { count: 25, overlap: factor } }), 1.5),
  );

const kernel = () =>
  sweep(
    ['box', 'poly6', 'blend', 'invsq', 'fcm'],
    (name) => name,
    (name) => record(cube({ clustering: { count: 25, radius: 0.45, kernel: name } }), 1.5),
  );

const algorithm = () =>
  sweep(
    ['fuzzy', 'kmeans', 'random'],
    (name) => name,
    (name) =>
      record(cube({ clustering: { ...(name === 'random' ? {} : { count: 25 }), radius: 0.45, algorithm: name } }), 1.5),
  );

const stiffness = () =>
  sweep(
    [0.05, 0.2, 0.5, 1, 1.5, 1.95],
    (alpha) => `α = ${alpha}`,
    (alpha) => record(cube({ material: { raw: { stiffness: alpha } } }), 1),
  );

const damping = () =>
  sweep(
    [0, 0.02, 0.1, 0.3],
    (drag) => `k_d = ${drag}`,
    (drag) => record(cube({ material: { raw: { damping: drag } } }), 2),
  ).then(async (curves) => ({
    ...curves,
    'bodyDamping = 0.1': await record(cube({ material: { raw: { damping: 0, bodyDamping: 0.1 } } }), 2),
  }));

/** Angular momentum about the middle, of what it was at the start. */
function spinOf() {
  let first;
  return ({ particleCount, positions: x, velocities: v }) => {
    let spin = 0;
    for (let i = 0; i < particleCount; i++) spin += x[4 * i] * v[4 * i + 1] - x[4 * i + 1] * v[4 * i];
    first ??= spin;
    return spin / first;
  };
}

const dampingMode = () =>
  sweep(
    [
      ['rigid', 0.3],
      ['linear', 0.02],
      ['linear', 0.1],
      ['linear', 0.3],
    ],
    ([mode, drag]) => `${mode}, k_d = ${drag}`,
    ([dampingMode, drag]) =>
      record(
        cube({ stretch: [1, 1, 1], angularVelocity: [0, 0, 3], material: { raw: { dampingMode, damping: drag } } }),
        2,
        {
          measure: spinOf(),
        },
      ),
  );

const gamma = () =>
  sweep(
    [0.02, 0.1, 0.3, 'off'],
    (value) => (value === 'off' ? 'no limit' : `γ = ${value}`),
    (value) =>
      record(
        cube({
          material: {
            raw: {
              stiffness: 0.1,
              limit: value === 'off' ? { iterations: 0 } : { gamma: value, omega: 0.5, iterations: 10 },
            },
          },
        }),
        1,
      ),
  );

/** How far the first step brings the stretched cube back, by ω. */
const sweeps = () =>
  sweep(
    [1, 3, 10],
    (n) => `${n} sweep${n > 1 ? 's' : ''}`,
    async (iterations) => {
      const curve = [];
      for (const omega of [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.3, 1.6, 1.9]) {
        const limit = { gamma: 0.02, omega, iterations };
        const steps = await record(cube({ material: { raw: { stiffness: 0.1, limit } } }), 1 / 60);
        curve.push([omega, steps[1][1]]);
      }
      return curve;
    },
  );

const step = () =>
  sweep(
    [30, 60, 120, 240],
    (rate) => `${rate} Hz`,
    (rate) => record(cube({ material: { raw: { stiffness: 0.1, damping: 0 } } }), 1.2, { dt: 1 / rate }),
  ).then(async (curves) => ({
    ...curves,
    '240 Hz, α/16': await record(cube({ material: { raw: { stiffness: 0.1 / 16, damping: 0 } } }), 1.2, {
      dt: 1 / 240,
    }),
  }));

/** The shape of a bar that is held by its middle, two kinds of goals beside rigid ones: mean height by length. */
const modes = () =>
  sweep(
    ['rigid', 'linear', 'quadratic'],
    (mode) => mode,
    async (mode) => {
      const world = await World.create({ sleepSpeed: 0 });
      const body = world.addBody({
        ...BAR,
        material: { raw: { mode, beta: 0.95, damping: 0.2, rotation: 'deformation', limit: { iterations: 0 } } },
      });
      const rest = body.restPositions;
      for (let i = 0; i < body.particleCount; i++) if (Math.abs(rest[3 * i]) < 0.16) body.pin(i);
      for (let n = 0; n < 600; n++) world.step();
      const columns = new Map();
      for (let i = 0; i < body.particleCount; i++) {
        const key = Math.round(rest[3 * i] * 100);
        const { sum = [0, 0], count = 0 } = columns.get(key) ?? {};
        const moved = [sum[0] + body.positions[4 * i], sum[1] + body.positions[4 * i + 1]];
        columns.set(key, { sum: moved, count: count + 1 });
      }
      world.dispose();
      return [...columns].sort(([a], [b]) => a - b).map(([, { sum, count }]) => sum.map((value) => value / count));
    },
  );

/** How far the free end of a bar hangs below the clamped one, by β. */
const beta = () =>
  sweep(
    ['linear', 'quadratic'],
    (mode) => mode,
    async (mode) => {
      const curve = [];
      for (const value of [0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.85, 0.9]) {
        const world = await World.create({ gravity: [0, -3, 0], sleepSpeed: 0 });
        const raw = {
          mode,
          beta: value,
          damping: 0.2,
          dampingMode: 'linear',
          rotation: 'deformation',
          limit: { iterations: 0 },
        };
        const body = world.addBody({ ...BAR, material: { raw } });
        world.addClamp({ region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.5 } });
        for (let n = 0; n < 600; n++) world.step();
        let [sum, count] = [0, 0];
        for (let i = 0; i < body.particleCount; i++)
          if (body.restPositions[3 * i] > 0.9) {
            sum += body.restPositions[3 * i + 1] - body.positions[4 * i + 1];
            count++;
          }
        curve.push([value, (1000 * sum) / count]);
        world.dispose();
      }
      return curve;
    },
  );

/** Width of a cube over its height, while two planes press it to a fifth. */
async function squeeze(raw) {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0 });
  const body = world.addBody({
    ...CUBE,
    stretch: [1, 1, 1],
    sampling: { method: 'grid', spacing: 0.1 },
    clustering: { count: 1, radius: 2 },
    material: {
      raw: { mode: 'linear', beta: 1, damping: 0.1, rotation: 'deformation', limit: { iterations: 0 }, ...raw },
    },
  });
  for (const side of [1, -1])
    world.addCollider({
      type: 'plane',
      normal: [0, side, 0],
      offset: -0.5,
      velocity: [0, 0.2 * side, 0],
      friction: 0,
    });
  const curve = [];
  for (let n = 0; n < 120; n++) {
    world.step();
    let square = 0;
    for (let o = 0; o < body.positions.length; o += 4) square += body.positions[o] ** 2;
    curve.push([(n + 1) * world.dt, Math.sqrt((12 * square) / body.particleCount)]);
  }
  world.dispose();
  return curve;
}

const volume = () =>
  sweep(
    ['free', 'nearest', 'scaled'],
    (name) => name,
    (name) => squeeze({ volume: name }),
  );

const area = () =>
  sweep(
    [
      ['no limit', {}],
      ['hard, 1.5', { max: 1.5, from: 1.5 }],
      ['soft, 1.5', { max: 1.5 }],
      ['soft, 2.45', { max: 2.45 }],
      ['soft, 1.5, by norm', { max: 1.5, clamp: 'norm' }],
      ['soft, 1.5, by row', { max: 1.5, clamp: 'row' }],
    ],
    ([name]) => name,
    ([, areaLimit]) => squeeze({ areaLimit }),
  );

const PLOTS = {
  clusters: [clusters, { title: 'A stretched cube, by number of clusters', ...STRETCH }],
  overlap: [overlap, { title: 'A stretched cube of 25 clusters, by their radius', ...STRETCH }],
  kernel: [kernel, { title: 'A stretched cube of 25 clusters, by kernel', ...STRETCH }],
  algorithm: [algorithm, { title: 'A stretched cube of clusters of one radius, by algorithm', ...STRETCH }],
  stiffness: [stiffness, { title: 'A stretched cube, by stiffness', ...STRETCH }],
  damping: [damping, { title: 'A stretched cube, by damping', ...STRETCH }],
  'damping-mode': [
    dampingMode,
    { title: 'Spin of a turning cube, by damping mode', x: 'time (s)', y: 'angular momentum, of that at the start' },
  ],
  gamma: [gamma, { title: 'A stretched cube, by the width of its strain limit', ...STRETCH }],
  sweeps: [
    sweeps,
    {
      title: 'Stretch after one step, by sweeps and relaxation of the limit',
      x: 'ω',
      y: 'stretch after one step',
      marks: true,
      bottom: 0,
    },
  ],
  step: [step, { title: 'A stretched cube, by time step', ...STRETCH }],
  modes: [
    modes,
    { title: 'A bar held by its middle, by mode', x: 'along the bar (m)', y: 'height (m)', marks: true, top: 0.05 },
  ],
  beta: [beta, { title: 'Sag of a clamped bar, by β', x: 'β', y: 'sag of its end (mm)', marks: true }],
  volume: [volume, { title: 'Width of a squeezed cube, by volume', x: 'time (s)', y: 'width (m)', bottom: 0.8 }],
  area: [area, { title: 'Width of a squeezed cube, by area limit', x: 'time (s)', y: 'width (m)', bottom: 0.8 }],
};

const named = process.argv.slice(2);
const here = (name) => new URL(name, import.meta.url);
const data = {};
for (const [name, [run, options]] of Object.entries(PLOTS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  data[name] = await run();
  await writeFile(here(`${name}.svg`), plot(data[name], options));
  for (const [curve, points] of Object.entries(data[name])) {
    const ys = points.map((p) => p[1]);
    const [least, most] = [Math.min(...ys), Math.max(...ys)];
    console.log(
      `${name}, ${curve}: ${least.toPrecision(3)} to ${most.toPrecision(3)}, at last ${ys.at(-1).toPrecision(3)}`,
    );
  }
}
if (named.length === 0)
  await writeFile(
    here('parameters.json'),
    `${JSON.stringify({
      command: 'node docs/plots/parameters.mjs',
      ...Object.fromEntries(Object.entries(data).map(([name, curves]) => [name, rounded(curves)])),
    })}\n`,
  );
