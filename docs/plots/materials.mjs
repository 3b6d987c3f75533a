// Makes the plots of docs/materials.md: node docs/plots/materials.mjs (after npm run build; half a minute). Resolution is drawn from bench/results, which
// `npm run bench -- material --save` writes (groups `linear`); what is drawn over time and substeps come from runs of its own, kept in materials.json.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { World } from 'pliant';
import { plot, rounded } from './plot.mjs';

const here = (name) => new URL(name, import.meta.url);

/** The part `material` of the first machine that has measured it in full. */
async function measured() {
  const folder = here('../../bench/results/');
  for (const name of (await readdir(folder)).sort()) {
    const { material } = JSON.parse(await readFile(new URL(name, folder), 'utf8'));
    if (material?.form === 'full') return material.results;
  }
  throw new Error('no file in bench/results has the part material; expected one: npm run bench -- material --save');
}

/** Measured over theory by particles across, of the groups of this probe, by the linear law. */
const curve = (results, probe, shape, method) =>
  Object.entries(results)
    .filter(([name]) => name.startsWith(`${probe}, `) && name.endsWith('linear'))
    .flatMap(([, rows]) => rows)
    .filter((row) => row.shape === shape && row.method === method && row.young === 1e5 && row.ratio !== undefined)
    .map(({ n, ratio }) => [n, ratio])
    .sort(([a], [b]) => a - b);

/** Substeps at 60 Hz by Young's modulus (kPa), for a cube of 1 m with n particles a side. */
async function substepsBy(n) {
  const points = [];
  for (const young of [2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6]) {
    const world = await World.create({ maxSubsteps: 64 });
    world.addBody({
      shape: { type: 'box', size: [1, 1, 1] },
      sampling: { method: 'grid', spacing: 1 / n },
      material: { density: 1000, young },
    });
    world.step();
    points.push([young / 1000, Math.round(world.dt / world.h)]);
    world.dispose();
  }
  return points;
}

/** Height of the drawn surface of a cube of 1 m over time that is dropped from 30 cm, as a share of that at rest, and its width. */
async function drop(material, seconds = 2.5) {
  const world = await World.create();
  const body = world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', spacing: 1 / 11 },
    position: [0, 0.8, 0],
    material: { density: 1000, young: 1e5, ...material },
  });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 });
  const skin = body.getSkin();
  const height = (a) => {
    skin.update();
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = a; k < skin.positions.length; k += 3) {
      low = Math.min(low, skin.positions[k]);
      high = Math.max(high, skin.positions[k]);
    }
    return high - low;
  };
  const whole = [height(0), height(1)];
  const points = { height: [[0, 1]], width: [[0, 1]] };
  for (let n = 1; n <= 60 * seconds; n++) {
    world.step();
    points.height.push([n / 60, height(1) / whole[1]]);
    points.width.push([n / 60, height(0) / whole[0]]);
  }
  world.dispose();
  return points;
}

const results = await measured();
const resolution = {
  'cube: hanging': curve(results, 'hang', 'cube', 'grid'),
  'cube: sagging': curve(results, 'sag', 'cube', 'grid'),
  'cube: frequency': curve(results, 'stretching mode', 'cube', 'grid'),
  'bar: bending': curve(results, 'cantilever', 'bar', 'grid'),
  'bar: twisting, frequency': curve(results, 'torsional mode', 'bar', 'grid'),
};
const noise = {
  'cube: hanging': curve(results, 'hang', 'cube', 'blue-noise'),
  'cube: sagging': curve(results, 'sag', 'cube', 'blue-noise'),
  'cube: frequency': curve(results, 'stretching mode', 'cube', 'blue-noise'),
  'bar: bending': curve(results, 'cantilever', 'bar', 'blue-noise'),
  'bar: twisting, frequency': curve(results, 'torsional mode', 'bar', 'blue-noise'),
};
const substeps = {
  'cube, 7 a side': await substepsBy(7),
  '11 a side': await substepsBy(11),
  '17 a side': await substepsBy(17),
};

const [young, poisson, damping] = [{}, {}, {}];
for (const E of [5e4, 1e5, 5e5]) young[`${E / 1000} kPa`] = (await drop({ young: E })).height;
for (const nu of [0, 0.3, 0.45]) poisson[`ν = ${nu}`] = (await drop({ poisson: nu }, 1)).width;
for (const zeta of [0.02, 0.1, 0.5]) damping[`ζ = ${zeta}`] = (await drop({ dampingRatio: zeta })).height;
const curves = { young: rounded(young), poisson: rounded(poisson), damping: rounded(damping) };
await writeFile(here('materials.json'), `${JSON.stringify({ command: 'node docs/plots/materials.mjs', ...curves })}\n`);

const plots = {
  'material-resolution': [
    resolution,
    {
      title: 'Measured over theory by particles across, grid',
      x: 'particles across',
      y: 'measured / theory',
      bottom: 0.8,
      top: 1.2,
      marks: true,
    },
  ],
  'material-resolution-noise': [
    noise,
    {
      title: 'Measured over theory by particles across, blue noise',
      x: 'particles across',
      y: 'measured / theory',
      bottom: 0.8,
      top: 1.2,
      marks: true,
    },
  ],
  'material-substeps': [
    substeps,
    {
      title: 'Substeps at 60 Hz by stiffness',
      x: "Young's modulus (kPa)",
      y: 'substeps',
      logarithmic: true,
      marks: true,
    },
  ],
  'material-young': [
    young,
    { title: 'Height of a dropped cube by stiffness', x: 'time (s)', y: 'height, of that at rest', bottom: 0.6 },
  ],
  'material-poisson': [
    poisson,
    { title: "Width of a dropped cube by Poisson's ratio", x: 'time (s)', y: 'width, of that at rest', bottom: 0.9 },
  ],
  'material-damping': [
    damping,
    { title: 'Height of a dropped cube by damping ratio', x: 'time (s)', y: 'height, of that at rest', bottom: 0.6 },
  ],
};
for (const [name, [data, options]] of Object.entries(plots)) await writeFile(here(`${name}.svg`), plot(data, options));
for (const [name, data] of Object.entries({ resolution, noise, substeps })) console.log(name, JSON.stringify(data));
for (const [name, data] of Object.entries({ young, poisson, damping }))
  for (const [key, points] of Object.entries(data)) {
    const values = points.map(([, value]) => value);
    console.log(
      name,
      key,
      `from ${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)}, last ${values.at(-1).toFixed(3)}`,
    );
  }
