// Bodies that change, one thread: what flow and reclustering cost, and whether fracture keeps the time of a step bounded.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildWorld, loadScene } from '@pliant/scene';
import { Match } from '../packages/pliant/dist/kernels/kernels.js';
import { hasReference, REFERENCE, referenceNames, referenceResult, referenceWorld } from './reference.mjs';
import { mean, median, quantile, table } from './statistics.mjs';

const ROUNDS = 5;
/** Of scenes that break: p95 is made of a few steps, each of which has to have had the machine to itself once. */
const BREAKING_ROUNDS = 10;

/** A scene of the gallery, or a variant of it, named after a #. */
async function own(named, change = () => {}) {
  const [name, variant] = named.split('#');
  const scene = await loadScene(
    fileURLToPath(new URL(`../scenes/${name}.json`, import.meta.url)),
    (path) => readFile(path),
    { variant },
  );
  change(scene);
  const { world } = await buildWorld(scene, { threads: 1 });
  return world;
}

/**
 * Milliseconds of every step and stage, the fastest of a few runs: a step does the same in each, what differs is the machine. Where several worlds are
 * given they run in turns. `after` gives other times by name, after each step: the fastest of each in `extra`.
 */
async function fastest(makers, steps, rounds = ROUNDS, after = () => ({})) {
  const times = makers.map(() => []);
  const stages = makers.map(() => ({}));
  const extra = makers.map(() => ({}));
  let worlds;
  for (let round = 0; round < rounds; round++) {
    worlds = [];
    for (const make of makers) worlds.push(await make());
    for (let n = 0; n < steps; n++)
      worlds.forEach((world, k) => {
        world.step();
        world.drainEvents();
        const { last } = world.profile;
        const total = Object.values(last).reduce((sum, ms) => sum + ms, 0);
        if (!(total >= times[k][n])) {
          times[k][n] = total;
          for (const stage in last) (stages[k][stage] ??= [])[n] = last[stage];
        }
        for (const [name, ms] of Object.entries(after(world))) {
          extra[k][name] ??= [];
          extra[k][name][n] = Math.min(ms, extra[k][name][n] ?? ms);
        }
      });
    if (round < rounds - 1) for (const world of worlds) world.dispose();
  }
  return { times, stages, extra, worlds };
}

/**
 * Measures the part of match that plasticity needs: after each step of a world the clusters of its bodies that yield are matched once more as in the step, and once
 * without F^p and F^e. Both leave scratch.
 */
function watchMatch(world) {
  const { kernels } = world;
  const match = kernels.matchClusters.bind(kernels);
  const modes = new Map();
  kernels.matchClusters = (start, end, mode) => {
    if (mode & Match.ELASTIC) modes.set(start, [start, end, mode]);
    match(start, end, mode);
  };
  const time = (without) => {
    const before = performance.now();
    for (const [start, end, mode] of modes.values()) match(start, end, mode & ~without);
    return performance.now() - before;
  };
  return () => ({ match: time(0), without: time(Match.ELASTIC | Match.PLASTIC) });
}

/** The stage, and what match does for it, of bodies that do little else and of scenes as they are. */
async function flow() {
  const rows = [];
  for (const name of ['plastic-bar', 'compressed-beam', 'plate-ductile']) {
    const bare = (scene) => {
      for (const { options } of scene.bodies) {
        options.material = { ...options.material, toughness: Number.POSITIVE_INFINITY };
        options.contact = { ...options.contact, mode: 'none' };
        delete options.reclustering;
      }
    };
    const watches = new Map();
    const watched = async (change) => {
      const world = await own(name, change);
      watches.set(world, watchMatch(world));
      return world;
    };
    const { times, stages, extra, worlds } = await fastest(
      [() => watched(bare), () => watched()],
      150,
      ROUNDS,
      (world) => watches.get(world)(),
    );
    const share = (k, ms) => ((100 * ms) / mean(times[k])).toFixed(1);
    const [flows, matches] = [
      stages.map((stage) => mean(stage.plasticity)),
      extra.map(({ match, without }) => mean(match) - mean(without)),
    ];
    rows.push({
      scene: name,
      'members/cluster': Math.round(worlds[0].membershipCount / worlds[0].clusterCount),
      'bare: ms/step': mean(times[0]).toFixed(3),
      'flow + match %': `${share(0, flows[0])} + ${share(0, matches[0])}`,
      'as it is: ms/step': mean(times[1]).toFixed(3),
      'flow + match % there': `${share(1, flows[1])} + ${share(1, matches[1])}`,
      'both %': share(1, flows[1] + matches[1]),
    });
    for (const world of worlds) world.dispose();
  }
  console.log(
    '\nFlow: the stage, and what match does for it, as shares of the step: of bodies that only match and flow (no contact, fracture or reclustering), and of the scene as it is.\n',
  );
  console.log(table(rows));
  return rows;
}

async function reclustering() {
  const rows = [];
  for (const [label, name, yieldLimit] of [
    ['λ = 0', 'compressed-beam', 0],
    ['λ = 0, the papers’ flow', 'compressed-putty', 0],
    ['λ = 0.1', 'compressed-beam', 0.1],
  ]) {
    const change = (without) => (scene) => {
      const { options } = scene.bodies[0];
      options.material = { ...options.material, yield: yieldLimit };
      if (yieldLimit === 0) scene.forceFields[0].options.scale = [-10, 0, 0];
      if (without) delete options.reclustering;
    };
    const { times, stages, worlds } = await fastest(
      [() => own(name, change(false)), () => own(name, change(true))],
      420,
    );
    rows.push({
      beam: label,
      'ms/step': mean(times[0]).toFixed(2),
      without: mean(times[1]).toFixed(2),
      'more %': (100 * (mean(times[0]) / mean(times[1]) - 1)).toFixed(0),
      'stage, % of the rest': (
        (100 * mean(stages[0].recluster)) /
        (mean(times[0]) - mean(stages[0].recluster))
      ).toFixed(0),
      'longest stage ms': Math.max(...stages[0].recluster).toFixed(1),
      'clusters at the end': worlds[0].clusterCount,
    });
    for (const world of worlds) world.dispose();
  }
  console.log(
    '\nReclustering: the compressed beam of 5317 particles, 7 seconds, with and without; the paper adds 136 % at λ = 0.\n',
  );
  console.log(table(rows));
  return rows;
}

/** A plate of 20 244 particles and 63 clusters that falls into more than 5000: the paper's weak plate, four times as fine, that breaks at next to no stretch and does not wait between splits. */
function shatter(scene) {
  const { options } = scene.bodies[0];
  options.sampling = { ...options.sampling, count: 20335 };
  options.material = { ...options.material, toughness: 0.0005 };
  options.fracture = { ...options.fracture, delay: false };
}

/** The weak plate of the gallery, with the elastic law, four times as fine and breaking at a seventh of its stretch: 63 clusters become 2550. */
function shatterLaw(scene) {
  const { options } = scene.bodies[0];
  options.sampling = { ...options.sampling, count: 20335 };
  options.material = { ...options.material, toughness: 0.002 };
}

async function fracture() {
  const rows = [];
  const measure = async (label, make, steps, reference, rounds = BREAKING_ROUNDS) => {
    const start = (await make()).particleCount;
    const { times, stages, worlds } = await fastest([make], steps, rounds);
    const [world] = worlds;
    rows.push({
      scene: label,
      particles: start,
      grown: (world.particleCount / start).toFixed(2),
      'grown there': reference ?? '',
      clusters: world.clusterCount,
      'ms/step': median(times[0]).toFixed(2),
      mean: mean(times[0]).toFixed(2),
      p95: quantile(times[0], 0.95).toFixed(2),
      'p95 / median': (quantile(times[0], 0.95) / median(times[0])).toFixed(2),
      longest: Math.max(...times[0]).toFixed(1),
      'fracture %': ((100 * mean(stages[0].fracture)) / mean(times[0])).toFixed(0),
      'contact %': ((100 * mean(stages[0].contact)) / mean(times[0])).toFixed(0),
    });
    world.dispose();
  };
  if (hasReference)
    for (const name of referenceNames()) {
      const result = referenceResult(name);
      const last = result.frames[result.frames.length - 1];
      const first = result.frames[0];
      const grown = last.particles && first.particles ? (last.particles / first.particles).toFixed(2) : '';
      const world = await referenceWorld(name);
      const breaks = world.bodies.some((body) => body.breaks);
      world.dispose();
      if (breaks) await measure(name, () => referenceWorld(name), 200, grown);
    }
  else console.log(`fracture of the reference scenes: skipped, they are not at ${REFERENCE}`);
  // As long as they break.
  for (const [name, steps] of [
    ['twisted-bar-fracture', 480],
    ['plate-weak', 150],
    ['plate-strong', 150],
    ['swiss-cheese', 240],
    ['hollow-ball', 150],
    ['torn-creature', 150],
  ])
    await measure(name, () => own(name), steps);
  await measure('plate that shatters', () => own('plate-weak#paper', shatter), 150);
  await measure('law plate that shatters', () => own('plate-weak', shatterLaw), 100, undefined, 3);
  console.log(`\nFracture: time of a step while bodies break (fastest of ${BREAKING_ROUNDS} runs of each step).\n`);
  console.log(table(rows));
  return rows;
}

export async function change() {
  return { flow: await flow(), reclustering: await reclustering(), fracture: await fracture() };
}
