// One case of the bench `load`, in a process of its own: prints what was measured as JSON. The engine is imported before the clock runs.
import { readFile } from 'node:fs/promises';
import { buildWorld, loadScene } from '@pliant/scene';
import { buildBody, loadBody, saveBody, World } from 'pliant';

const { body, scene, rounds } = JSON.parse(process.argv[2]);
const read = async (path) => new Uint8Array(await readFile(path));
const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];

/** Processor time of all threads, also of those that compile (ms). On a machine that others use it says more than the clock. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function timed(act) {
  const [start, spent] = [performance.now(), processorTime()];
  const value = await act();
  return { value, time: performance.now() - start, cpu: processorTime() - spent };
}

async function worldOf() {
  if (scene) return (await buildWorld(await loadScene(scene, read))).world;
  const world = await World.create();
  world.addBody(body);
  return world;
}

const [times, cpu] = [[], []];
const counts = {};
for (let k = 0; k <= rounds; k++) {
  const { value: world, ...spent } = await timed(worldOf);
  times.push(spent.time);
  cpu.push(spent.cpu);
  Object.assign(counts, {
    bodies: world.bodies.length,
    particles: world.particleCount,
    clusters: world.clusterCount,
  });
  world.dispose();
}
const result = {
  ...counts,
  first: times[0],
  again: median(times.slice(1)),
  firstCpu: cpu[0],
  againCpu: median(cpu.slice(1)),
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
  Object.assign(result, { bytes: bytes.length, load: [loads[0], median(loads.slice(1))], add: median(adds) });
}
console.log(JSON.stringify(result));
