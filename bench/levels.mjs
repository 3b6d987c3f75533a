// Levels, one thread: what they add to the step of the finest level alone, and how the 125 000-particle creature loads and runs.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildWorld, loadScene } from '@pliant/scene';
import { nesting } from './nesting.mjs';
import { mean, median, table } from './statistics.mjs';

const SCENES = { 'falling-ball': 400, 'falling-bunny': 200, 'creature-on-cylinders': 40 };

/**
 * A scene of ours with levels or, with the same clusters, without. Weightless, where a step costs least and levels therefore the largest share: on the
 * ground the finest level alone is a puddle that touches itself everywhere, and contact takes thirty times as long as all the rest.
 */
async function world(name, levels) {
  const scene = await loadScene(fileURLToPath(new URL(`../scenes/${name}.json`, import.meta.url)), (path) =>
    readFile(path),
  );
  if (!levels) for (const { options } of scene.bodies) delete options.levels;
  const start = performance.now();
  const { world, bodies } = await buildWorld(scene, { threads: 1 });
  const seconds = (performance.now() - start) / 1000;
  world.gravity = [0, 0, 0];
  return { world, body: bodies[0], seconds };
}

/** Both worlds step in turns, so that a slow second of the machine falls on both. */
async function overhead(name, steps) {
  const pair = [await world(name, true), await world(name, false)];
  const times = [[], []];
  const [stages, passes] = [[], []];
  for (let n = 0; n < steps; n++)
    for (const k of n % 2 ? [1, 0] : [0, 1]) {
      pair[k].body.wake();
      const start = performance.now();
      pair[k].world.step();
      times[k].push(performance.now() - start);
      if (k !== 0) continue;
      const { last } = pair[0].world.profile;
      stages.push(last.levels);
      passes.push(last.match + last.integrate + last.strainLimit);
    }
  const { world: many, body, seconds } = pair[0];
  const row = {
    scene: name,
    particles: body.particleCount,
    clusters: body.levels.map((level) => level.clusters).join('/'),
    'load s': seconds.toFixed(1),
    'ms/step': median(times[0]).toFixed(2),
    'without levels': median(times[1]).toFixed(2),
    'overhead %': (100 * (median(times[0]) / median(times[1]) - 1)).toFixed(1),
    'by the mean': (100 * (mean(times[0]) / mean(times[1]) - 1)).toFixed(1),
    'stage alone %': ((100 * median(stages)) / median(times[1])).toFixed(1),
    'ns/membership': ((median(passes) * 1e6) / many.membershipCount).toFixed(1),
  };
  for (const { world: each } of pair) each.dispose();
  return row;
}

export async function levels() {
  const rows = [];
  for (const [name, steps] of Object.entries(SCENES)) rows.push(await overhead(name, steps));
  console.log(
    '\nLevels: time to load, the whole step with and without them, the same clusters and the same motion, in turns.\n',
  );
  console.log(table(rows));
  return { overhead: rows, nesting: await nesting() };
}
