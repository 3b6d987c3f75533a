// Hundreds of small bodies, as games have them: microseconds a body and step, and how many of them are TypeScript and not kernels. A sampling profiler tells the two apart, which costs a little itself; the whole time is
// measured without it, by the processor time of the process.
import { Session } from 'node:inspector/promises';
import { World } from 'pliant';
import { table } from './statistics.mjs';

const STEPS = 300;
const ROUNDS = 5;
/** The goal for TypeScript (µs a body and step). */
const GOAL = 5;

/** Cubes of 1 m at the corners of a grid. `apart` is the width of its cells (m). */
const CASES = [
  { name: 'in flight', particles: 60, bodies: 200, gravity: 0, height: 5, apart: 3, layers: 1 },
  { name: 'in flight', particles: 300, bodies: 100, gravity: 0, height: 5, apart: 3, layers: 1 },
  { name: 'standing', particles: 60, bodies: 200, gravity: -9.81, height: 0.55, apart: 3, layers: 1 },
  { name: 'standing', particles: 300, bodies: 100, gravity: -9.81, height: 0.55, apart: 3, layers: 1 },
  { name: 'stacks of four', particles: 60, bodies: 200, gravity: -9.81, height: 0.55, apart: 3, layers: 4 },
];

async function worldOf({ particles, bodies, gravity, height, apart, layers }) {
  // Nothing sleeps: sleeping bodies cost nothing.
  const world = await World.create({ threads: 1, gravity: [0, gravity, 0], sleepAfter: 1e9 });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
  const side = Math.ceil(Math.sqrt(bodies / layers));
  for (let k = 0; k < bodies; k++) {
    const column = Math.floor(k / layers);
    const y = height + 1.05 * (k % layers);
    world.addBody({
      shape: { type: 'box', size: [1, 1, 1] },
      sampling: { count: particles },
      material: { young: 5e4 },
      position: [apart * (column % side), y, apart * Math.floor(column / side)],
    });
  }
  for (let i = 0; i < 90; i++) world.step();
  return world;
}

const run = (world) => {
  for (let i = 0; i < STEPS; i++) world.step();
};

/** Processor time of a run (µs), the least of ROUNDS. */
function timeOf(world) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    run(world);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** Share of the samples within steps that are not in kernels. */
async function typeScriptShare(world) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  await session.post('Profiler.start');
  run(world);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const inStep = new Set();
  const mark = (node, isIn) => {
    const within = isIn || node.callFrame.functionName === 'stepWorld';
    if (within) inStep.add(node.id);
    for (const child of node.children ?? []) mark(nodes.get(child), within);
  };
  mark(profile.nodes[0], false);
  let [all, script] = [0, 0];
  for (const [k, id] of profile.samples.entries()) {
    if (!inStep.has(id)) continue;
    all += profile.timeDeltas[k];
    if (!nodes.get(id).callFrame.url.startsWith('wasm:')) script += profile.timeDeltas[k];
  }
  return script / all;
}

export async function small() {
  const rows = [];
  for (const what of CASES) {
    const world = await worldOf(what);
    const whole = timeOf(world) / STEPS / what.bodies;
    const script = whole * (await typeScriptShare(world));
    rows.push({
      case: `${what.bodies} bodies of ${what.particles}, ${what.name}`,
      substeps: Math.round(world.dt / world.h),
      'µs a body and step': Number(whole.toFixed(1)),
      'of it TypeScript': Number(script.toFixed(1)),
      [`at most ${GOAL}`]: script <= GOAL ? 'yes' : 'no',
    });
    world.dispose();
  }
  console.log(`## Small bodies\n\n${table(rows)}\n`);
  return rows;
}
