// Compares nested sums, in cost and in result, with sums over the particles of every cluster, as the 2020 paper has them (levels.sums).
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadScene } from '@pliant/scene';
import { World } from 'pliant';
import { sag } from './cantilever.mjs';
import { median, table } from './statistics.mjs';

const KINDS = ['nested', 'particles'];
const WEIGHTS = {
  'gaussian to fine': { type: 'gaussian', to: 'fine' },
  uniform: 'uniform',
  'gaussian to coarse': { type: 'gaussian', to: 'coarse' },
};

/** A scene's one body with both kinds of sums, and a way back to the start with other weights. */
async function both(name, change = {}) {
  const path = fileURLToPath(new URL(`../scenes/${name}.json`, import.meta.url));
  const pair = [];
  for (const sums of KINDS) {
    const scene = await loadScene(path, (file) => readFile(file));
    const world = await World.create({ threads: 1, gravity: scene.gravity, dt: scene.dt, sleepSpeed: 0 });
    for (const { options } of scene.actors) world.addCollider(options);
    const { options } = scene.bodies[0];
    const body = world.addBody({ ...options, ...change, levels: { ...options.levels, sums } });
    const [x, v] = [body.positions.slice(), body.velocities.slice()];
    const begin = (weights) => {
      body.positions.set(x);
      body.previousPositions.set(x);
      body.velocities.set(v);
      body.setLevels({ weights });
    };
    pair.push({ world, body, begin });
  }
  return pair;
}

/** Rms change of the distances between pairs of particles, over the body's size: how far it is from its shape, wherever it lies. */
function offShape({ particleCount: n, positions: x, restPositions: rest, size }) {
  let sum = 0;
  const pairs = 2000;
  for (let k = 0; k < pairs; k++) {
    const [i, j] = [(k * 7919) % n, (k * 104729 + 1) % n];
    const now = Math.hypot(...[0, 1, 2].map((a) => x[4 * i + a] - x[4 * j + a]));
    sum += (now - Math.hypot(...[0, 1, 2].map((a) => rest[3 * i + a] - rest[3 * j + a]))) ** 2;
  }
  return Math.sqrt(sum / pairs) / size;
}

const percent = (value) => `${(100 * value).toFixed(1)} %`;
const row = (scene, weights, what, nested, particles, unit, digits = 3) => ({
  scene,
  weights,
  what,
  nested: `${nested.toFixed(digits)} ${unit}`,
  particles: `${particles.toFixed(digits)} ${unit}`,
  difference: percent(nested / particles - 1),
});

async function ball(rows, times) {
  const pair = await both('falling-ball');
  for (const [name, weights] of Object.entries(WEIGHTS)) {
    const runs = pair.map(({ world, body, begin }, k) => {
      begin(weights);
      const heights = [];
      for (let n = 0; n < 300; n++) {
        const start = performance.now();
        world.step();
        times[k].push(performance.now() - start);
        const { bboxMin, bboxMax } = world.measure();
        heights.push(bboxMax[1] - bboxMin[1]);
      }
      return { heights, least: Math.min(...heights), off: offShape(body) };
    });
    const [a, b] = runs;
    rows.push(row('falling ball', name, 'least height', a.least, b.least, 'm'));
    rows.push(row('falling ball', name, 'height at rest', a.heights[299], b.heights[299], 'm'));
    rows.push(row('falling ball', name, 'off its shape at rest', 100 * a.off, 100 * b.off, '%', 2));
    const apart = Math.sqrt(a.heights.reduce((sum, h, n) => sum + (h - b.heights[n]) ** 2, 0) / 300);
    rows.push({ scene: 'falling ball', weights: name, what: 'height over time, rms', difference: percent(apart) });
  }
  dispose(pair);
}

const dispose = (pair) => {
  for (const { world } of pair) world.dispose();
};

/** Periods a step of a small stretch, undamped. */
async function cube(rows) {
  const material = { raw: { stiffness: 0.1, damping: 0, rotation: 'covariance', limit: { iterations: 0 } } };
  const pair = await both('hovering-cube', { stretch: [1.05, 1, 1], material });
  for (const [name, weights] of Object.entries(WEIGHTS)) {
    const found = pair.map(({ world, body, begin }) => {
      begin(weights);
      const falls = [];
      for (let n = 0, last = stretch(body); n < 400; n++) {
        world.step();
        const now = stretch(body);
        if (last > 0 && now <= 0) falls.push(n + last / (last - now));
        last = now;
      }
      return (falls.length - 1) / (falls[falls.length - 1] - falls[0]);
    });
    rows.push(row('hovering cube', name, 'periods a step', ...found, '', 4));
  }
  dispose(pair);
}

function stretch({ particleCount, positions, restPositions: rest }) {
  let [along, square] = [0, 0];
  for (let i = 0; i < particleCount; i++) {
    along += positions[4 * i] * rest[3 * i];
    square += rest[3 * i] ** 2;
  }
  return along / square - 1;
}

/** The beam of docs/plots/levels.mjs, 4000 particles. */
async function cantilever(rows) {
  for (const [name, weights] of Object.entries(WEIGHTS)) {
    const found = [];
    for (const sums of KINDS) found.push(1000 * (await sag(World, 4000, { sums, weights })));
    rows.push(row('cantilever', name, 'sag', ...found, 'mm', 2));
  }
}

export async function nesting() {
  const [rows, times] = [[], [[], []]];
  await ball(rows, times);
  await cube(rows);
  await cantilever(rows);
  rows.push(row('falling ball', 'all', 'ms a step', median(times[0]), median(times[1]), '', 2));
  console.log('\nLevels by nested sums, and by the particles of every cluster (levels.sums).\n');
  console.log(table(rows));
  return rows;
}
