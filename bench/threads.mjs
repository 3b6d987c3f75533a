// Threads: the same scene on one, two, four and eight threads as far as the machine has cores, in turns, step by step.
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildWorld, loadScene } from '@pliant/scene';
import { hashSnapshot, World } from 'pliant';
import { median, table } from './statistics.mjs';

/** The stages of the dynamics. */
const DYNAMICS = ['match', 'levels', 'integrate', 'strainLimit', 'velocity'];

/** A cube of n³ particles, dropped onto a plane from so many metres. */
async function cube(n, threads, height) {
  const world = await World.create({ threads });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 });
  world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', spacing: 1 / n },
    material: { young: 1e5 },
    position: [0, 0.5 + height, 0],
  });
  return { world, due() {} };
}

async function gallery(name, threads) {
  const file = fileURLToPath(new URL(`../scenes/${name}.json`, import.meta.url));
  const scene = await loadScene(file, (path) => readFile(path));
  const { world, cuts } = await buildWorld(scene, { threads });
  return { world, due: () => cuts.due() };
}

/** Name, steps to leave out, steps to measure, and how the world is made. */
const CASES = [
  // The workers' code is compiled in the first steps.
  ['cube in flight', 20, 40, (threads) => cube(27, threads, 8)],
  ['cube after impact', 22, 30, (threads) => cube(27, threads, 0.3)],
  ['four-bunnies', 0, 60, (threads) => gallery('four-bunnies', threads)],
  ['plate-weak', 0, 60, (threads) => gallery('plate-weak', threads)],
  ['pile', 60, 60, (threads) => gallery('pile', threads)],
  ['creature-on-cylinders', 2, 20, (threads) => gallery('creature-on-cylinders', threads)],
];

async function measure([name, skip, steps, make], counts) {
  const worlds = [];
  for (const threads of counts) {
    const { world, due } = await make(threads);
    await world.kernels.threads.ready();
    worlds.push({ world, due, threads, whole: [], dynamics: [] });
  }
  for (let n = 0; n < skip + steps; n++)
    // In turns, so that a slow second of the machine falls on all.
    for (let k = 0; k < worlds.length; k++) {
      const { world, due, whole, dynamics } = worlds[(k + n) % worlds.length];
      due();
      const start = performance.now();
      world.step();
      const ms = performance.now() - start;
      world.drainEvents();
      if (n < skip) continue;
      whole.push(ms);
      dynamics.push(DYNAMICS.reduce((sum, stage) => sum + world.profile.last[stage], 0));
    }
  const hashes = new Set(worlds.map(({ world }) => hashSnapshot(world.snapshot())));
  if (hashes.size > 1) throw new Error(`${name}: the bits depend on the number of threads`);
  const [one] = worlds;
  const rows = worlds.map(({ world, threads, whole, dynamics }) => ({
    scene: name,
    particles: world.particleCount,
    threads,
    'ms/step': median(whole).toFixed(2),
    'times one': median(whole.map((ms, n) => one.whole[n] / ms)).toFixed(2),
    'dynamics ms': median(dynamics).toFixed(2),
    'dynamics times one': median(dynamics.map((ms, n) => one.dynamics[n] / ms)).toFixed(2),
  }));
  for (const { world } of worlds) world.dispose();
  return rows;
}

export async function threads({ quick }) {
  const cores = availableParallelism();
  const counts = [1, 2, 4, 8].filter((count) => count <= Math.max(2, cores));
  console.log(`threads: medians of steps made in turns; ${cores} cores; the same bits for all`);
  const rows = [];
  for (const each of quick ? CASES.slice(0, 2) : CASES) rows.push(...(await measure(each, counts)));
  console.log(table(rows));
  return rows;
}
