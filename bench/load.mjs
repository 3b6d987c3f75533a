// Time until a body is ready: to build it, in fresh processes and again in the same one, and to load it as an asset; research scenes beside the authors' loading times. Every case has processes of its own
// (load/one.mjs), as compiling the code is part of what a user waits for. "main" is the processor time of the calling thread, "all" that of all threads, compilers included. Goals are held against the fastest of the
// fresh processes by the clock, as the calibration takes its fastest round; they mean something on an idle machine only, and the load of the machine is kept with them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calibrate, hasReference, REFERENCE, referenceNames, referenceResult } from './reference.mjs';
import { table } from './statistics.mjs';

const ONE = fileURLToPath(new URL('./load/one.mjs', import.meta.url));
const ASSET = fileURLToPath(new URL('./load/asset.mjs', import.meta.url));
const SCENES = fileURLToPath(new URL('../scenes/', import.meta.url));
/** A process that takes longer hangs (ms). The slowest takes some seconds on an idle machine. */
const LONGEST = 180_000;

const BOX = { type: 'box', size: [1, 1, 1] };
const BODIES = {
  'cube, grid, 19 683': { shape: BOX, sampling: { method: 'grid', spacing: 1 / 27 } },
  'cube, blue noise, 19 683': { shape: BOX, sampling: { count: 19_683 } },
  'sphere, 20 000': { shape: { type: 'sphere', radius: 1 }, sampling: { count: 20_000 } },
  'brick, 200': { shape: { type: 'box', size: [0.2, 0.1, 0.1] }, sampling: { count: 200 } },
};
const GALLERY = ['creature-on-cylinders', 'falling-bunny', 'wall', 'pile'];
/** Goals (ms): bodies of 20 000 particles, the creature of 125 000, and loading 20 000 particles. */
const GOALS = { body: 300, creature: 2000, asset: 20 };

/** The output of a script, or the reason why it has none: one case that fails does not end the others. */
function run(...args) {
  const { stdout, stderr, status, error } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: LONGEST });
  if (status !== 0) {
    const said = String(error?.message ?? stderr)
      .trim()
      .split('\n');
    return { failed: said.find((line) => /^\w*Error\b/.test(line)) ?? said.at(-1) };
  }
  return stdout ? JSON.parse(stdout) : {};
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** A case in several fresh processes. Those after the first repeat it but once. */
function measure(task, fresh) {
  const runs = Array.from({ length: fresh }, (_, k) =>
    run(ONE, JSON.stringify(k === 0 ? task : { ...task, rounds: 1 })),
  );
  const failed = runs.find((result) => result.failed);
  if (failed) return failed;
  const first = runs.map((result) => result.first);
  const of = (name) => first.map((times) => times[name]);
  return {
    ...runs[0],
    first: {
      time: median(of('time')),
      fastest: Math.min(...of('time')),
      cpu: median(of('cpu')),
      main: median(of('main')),
    },
  };
}

const ms = (value) =>
  value === undefined || Number.isNaN(value) ? '' : value < 10 ? value.toFixed(1) : value.toFixed(0);
const row = (name, { failed, particles, clusters, bodies, first, again, bytes, load, add }) =>
  failed
    ? { name, failed }
    : {
        name,
        bodies,
        particles,
        clusters,
        'first (ms)': ms(first.time),
        fastest: ms(first.fastest),
        main: ms(first.main),
        all: ms(first.cpu),
        'again (ms)': ms(again.time),
        'again, main': ms(again.main),
        ...(bytes && { 'asset (kB)': ms(bytes / 1000), 'load again (ms)': ms(load), 'add again (ms)': ms(add) }),
      };

/** Loads of one asset, each in a process that has built nothing (ms). */
function freshLoads(options, fresh) {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-load-'));
  const file = join(folder, 'body.asset');
  try {
    const wrote = run(ASSET, file, JSON.stringify(options));
    const loads = wrote.failed ? [wrote] : Array.from({ length: fresh }, () => run(ASSET, file));
    const failed = loads.find((result) => result.failed);
    if (failed) return failed;
    return {
      'load first (ms)': ms(median(loads.map(({ load }) => load))),
      fastest: Math.min(...loads.map(({ load }) => load)),
      'add first (ms)': ms(median(loads.map(({ add }) => add))),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function researchRow(name, factor, { quick, fresh }) {
  const { file, loadSeconds, particles } = referenceResult(name);
  const theirs = 1000 * loadSeconds * factor;
  // Small scenes are repeated more often: their time is that of compiling at first.
  const ours = measure({ scene: `${REFERENCE}scenes/${file}`, rounds: quick ? 2 : particles < 3000 ? 15 : 3 }, fresh);
  if (ours.failed) return { scene: name, particles, failed: ours.failed };
  return {
    scene: name,
    particles,
    'first (ms)': ms(ours.first.time),
    fastest: ms(ours.first.fastest),
    main: ms(ours.first.main),
    'again (ms)': ms(ours.again.time),
    'again, fastest': ms(ours.again.fastest),
    'reference (ms)': ms(theirs),
    'times faster, first': (theirs / ours.first.fastest).toFixed(2),
    'times faster, again': (theirs / ours.again.fastest).toFixed(2),
  };
}

const show = (title, rows) => {
  console.log(`\n${title}\n`);
  const whole = rows.filter(({ failed }) => !failed);
  if (whole.length > 0) console.log(table(whole));
  for (const { name, scene, failed } of rows) if (failed) console.log(`${name ?? scene ?? 'asset'} failed: ${failed}`);
};

export async function load({ quick = false } = {}) {
  const fresh = quick ? 1 : 3;
  const busy = loadavg()[0];
  console.log(`load of the machine before: ${busy.toFixed(2)}; ${fresh} fresh processes for each case`);

  const measured = Object.entries(BODIES).map(([name, body]) => [
    name,
    measure({ body, rounds: quick ? 2 : 5 }, fresh),
  ]);
  const built = measured.map(([name, result]) => row(name, result));
  show('Building a body; medians, but for the fastest of the fresh processes.', built);

  const { fastest: fastestLoad, ...asset } = freshLoads(BODIES['cube, grid, 19 683'], quick ? 2 : 5);
  show('Loading the cube of 19 683 as an asset, in processes that have built nothing.', [
    { ...asset, ...(fastestLoad && { fastest: ms(fastestLoad) }) },
  ]);

  const scenes = GALLERY.map((name) => [
    name,
    measure({ scene: `${SCENES}${name}.json`, rounds: quick ? 1 : 2 }, fresh),
  ]);
  const gallery = scenes.map(([name, result]) => row(name, result));
  show('Scenes of the gallery.', gallery);

  const goal = (name, value, most) => ({
    goal: name,
    'at most (ms)': most,
    'fastest (ms)': ms(value),
    holds: value <= most,
    slower: '',
  });
  const goals = [
    ...measured.slice(0, 3).map(([name, { first }]) => goal(name, first?.fastest, GOALS.body)),
    goal('creature of 125 000', scenes[0][1].first?.fastest, GOALS.creature),
    goal('loadBody of 19 683', fastestLoad, GOALS.asset),
  ];
  const kept = { fresh, loadOfMachine: busy, built, asset, gallery };
  if (!hasReference) {
    show('Goals.', goals);
    console.log(`load: without the research scenes, which are not at ${REFERENCE}`);
    return { ...kept, goals };
  }
  const { factor } = calibrate(quick ? 1 : 3);
  const research = referenceNames().map((name) => researchRow(name, factor, { quick, fresh }));
  show('Research scenes, loaded and clustered; the reference is a compiled program.', research);
  for (const which of ['first', 'again'])
    goals.push({
      goal: `no research scene slower, ${which}`,
      holds: research.every((scene) => Number(scene[`times faster, ${which}`]) >= 1),
      slower: research
        .filter((scene) => !(Number(scene[`times faster, ${which}`]) >= 1))
        .map(({ scene }) => scene)
        .join(' '),
    });
  show('Goals.', goals);
  return { ...kept, research, goals, calibration: factor };
}
