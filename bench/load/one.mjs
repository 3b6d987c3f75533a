// One case of the bench `load`, in a process of its own: prints what was measured as JSON. The engine is imported before the clock runs.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buildWorld, loadScene } from '@pliant/scene';
import { buildBody, loadBody, saveBody, World } from 'pliant';

const { body, scene, rounds } = JSON.parse(process.argv[2]);
const read = async (path) => new Uint8Array(await readFile(path));
const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];

/** Processor time of all threads, also of those that compile (ms). */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Processor time of this thread (ms): what a user waits for where a second core compiles. On a machine that others use it says more than the clock. Undefined where the system does not tell.
 */
function threadTime() {
  if (process.threadCpuUsage) {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  }
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

async function timed(act) {
  const [start, all, own] = [performance.now(), processorTime(), threadTime()];
  const value = await act();
  return {
    value,
    time: performance.now() - start,
    cpu: processorTime() - all,
    main: own === undefined ? undefined : threadTime() - own,
  };
}

async function worldOf() {
  if (scene) return (await buildWorld(await loadScene(scene, read))).world;
  const world = await World.create();
  world.addBody(body);
  return world;
}

const spent = [];
const counts = {};
for (let k = 0; k <= rounds; k++) {
  const { value: world, ...times } = await timed(worldOf);
  spent.push(times);
  Object.assign(counts, {
    bodies: world.bodies.length,
    particles: world.particleCount,
    clusters: world.clusterCount,
  });
  world.dispose();
}
const [first, ...again] = spent;
const of = (name) => again.map((times) => times[name]);
const result = {
  ...counts,
  first,
  again: {
    time: median(of('time')),
    fastest: Math.min(...of('time')),
    cpu: median(of('cpu')),
    main: median(of('main')),
  },
};

if (body) {
  const bytes = saveBody(buildBody(body));
  const [loads, adds] = [[], []];
  for (let k = 0; k <= 2 * rounds; k++) {
    const world = await World.create();
    const { value: built, time } = await timed(() => loadBody(bytes));
    loads.push(time);
    adds.push((await timed(() => world.addBody(built))).time);
    world.dispose();
  }
  Object.assign(result, { bytes: bytes.length, load: median(loads.slice(1)), add: median(adds) });
}
console.log(JSON.stringify(result));
