// Time until a body is ready: to build it, in a fresh process and again in the same one, and to load it as an asset; research scenes beside the authors' loading times. Every case has a process of its own
// (load/one.mjs), as compiling the code is part of what a user waits for. Processor times are those of all threads, compilers included.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { calibrate, hasReference, REFERENCE, referenceNames, referenceResult } from './reference.mjs';
import { table } from './statistics.mjs';

const ONE = fileURLToPath(new URL('./load/one.mjs', import.meta.url));
const SCENES = fileURLToPath(new URL('../scenes/', import.meta.url));

const BOX = { type: 'box', size: [1, 1, 1] };
const BODIES = {
  'cube, grid, 19 683': { shape: BOX, sampling: { method: 'grid', spacing: 1 / 27 } },
  'cube, blue noise, 19 683': { shape: BOX, sampling: { count: 19_683 } },
  'sphere, 20 000': { shape: { type: 'sphere', radius: 1 }, sampling: { count: 20_000 } },
  'brick, 200': { shape: { type: 'box', size: [0.2, 0.1, 0.1] }, sampling: { count: 200 } },
};
const GALLERY = ['creature-on-cylinders', 'falling-bunny', 'wall', 'pile'];

function measure(task) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [ONE, JSON.stringify(task)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${ONE} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

const ms = (value) => (value === undefined ? '' : value < 10 ? value.toFixed(1) : value.toFixed(0));
const row = (name, { particles, clusters, bodies, first, again, firstCpu, againCpu, bytes, load, add }) => ({
  name,
  bodies,
  particles,
  clusters,
  'first (ms)': ms(first),
  'CPU (ms)': ms(firstCpu),
  'again (ms)': ms(again),
  'again, CPU (ms)': ms(againCpu),
  ...(bytes && {
    'asset (kB)': ms(bytes / 1000),
    'load first (ms)': ms(load[0]),
    'load (ms)': ms(load[1]),
    'add (ms)': ms(add),
  }),
});

export async function load({ quick = false } = {}) {
  const rounds = quick ? 2 : 5;
  const built = Object.entries(BODIES).map(([name, body]) => row(name, measure({ body, rounds })));
  console.log('\nBuilding a body, and loading it as an asset; medians but for the first.\n');
  console.log(table(built));

  const gallery = GALLERY.map((name) => row(name, measure({ scene: `${SCENES}${name}.json`, rounds: 2 })));
  console.log('\nScenes of the gallery.\n');
  console.log(table(gallery));

  if (!hasReference) {
    console.log(`load: without the research scenes, which are not at ${REFERENCE}`);
    return { built, gallery };
  }
  const { factor } = calibrate(1);
  const research = referenceNames().map((name) => {
    const { file, loadSeconds, particles } = referenceResult(name);
    const theirs = 1000 * loadSeconds * factor;
    // Small scenes are repeated more often: their time is that of compiling at first.
    const ours = measure({ scene: `${REFERENCE}scenes/${file}`, rounds: quick ? 2 : particles < 3000 ? 15 : 3 });
    return {
      scene: name,
      particles,
      'first (ms)': ms(ours.first),
      'again (ms)': ms(ours.again),
      'again, CPU (ms)': ms(ours.againCpu),
      'reference (ms)': ms(theirs),
      'times faster, first': (theirs / ours.first).toFixed(1),
      'times faster, again': (theirs / ours.again).toFixed(1),
    };
  });
  console.log('\nResearch scenes, loaded and clustered; the reference is a compiled program.\n');
  console.log(table(research));
  return { built, gallery, research, calibration: factor };
}
