// Makes the plots of docs/materials.md: node docs/plots/materials.mjs (after npm run build; half a minute). Resolution and substeps are drawn from bench/results, which
// `npm run bench -- material --save` writes; what is drawn over time comes from runs of its own, kept in materials.json.
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

/** Rows of a probe as [x, y], at 60 Hz on a grid. */
const curve = (rows, shape, x, y) =>
  rows
    .filter((row) => row.shape === shape && row.method === 'grid' && row.hz === 60 && !row.left)
    .map((row) => [x(row), y(row)]);

/** Height of a cube of 1 m over time that is dropped from 30 cm, as a share of that at rest. */
async function drop(material, seconds = 2.5) {
  const world = await World.create();
  const body = world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', spacing: 1 / 11 },
    position: [0, 0.8, 0],
    material: { density: 1000, young: 1e5, ...material },
  });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 });
  const height = (a) => {
    const { bboxMin, bboxMax } = world.measure(body);
    return bboxMax[a] - bboxMin[a];
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
const ratio = (row) => row.ratio;
const across = (row) => row.n;
const resolution = {
  'cube: hanging': curve(results.hang, 'cube', across, ratio),
  'cube: sagging': curve(results.sag, 'cube', across, ratio),
  'cube: frequency': curve(results['stretching mode'], 'cube', across, ratio),
  'bar: bending': curve(results.cantilever, 'bar', across, ratio),
  'bar: twisting, frequency': curve(results['torsional mode'], 'bar', across, ratio),
};
const substeps = {
  'cube, 11 a side': curve(
    results['stretching mode, by E'],
    'cube',
    (row) => row.young / 1000,
    (row) => row.substeps,
  ),
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
      title: 'Measured over theory by particles across',
      x: 'particles across',
      y: 'measured / theory',
      bottom: 0.7,
      top: 1.3,
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
for (const [name, data] of Object.entries({ resolution, substeps })) console.log(name, JSON.stringify(data));
for (const [name, data] of Object.entries({ young, poisson, damping }))
  for (const [key, points] of Object.entries(data)) {
    const values = points.map(([, value]) => value);
    console.log(
      name,
      key,
      `from ${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)}, last ${values.at(-1).toFixed(3)}`,
    );
  }
