// The cost of goals of constant volume beside rigid ones: the same cube with ν = 0, 0.3 and 0.45, in flight and standing on the ground, one substep a step, whole steps in turns by processor time.
import { World } from 'pliant';
import { table } from './statistics.mjs';

const POISSONS = [0, 0.3, 0.45];
const ROUNDS = 60;
const STEPS = 10;

async function worldOf(n, poisson, { stands = false, stretch }) {
  const gravity = [0, stands ? -9.81 : 0, 0];
  const world = await World.create({ dt: 1 / 240, substeps: 1, threads: 1, gravity, sleepSpeed: 0 });
  if (stands) world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.5 });
  world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', spacing: 1 / n },
    material: { young: 5e4, poisson, dampingRatio: stands ? 0.1 : 0 },
    stretch,
  });
  world.step();
  return world;
}

/** Least milliseconds of a step of each world, by rounds of STEPS. */
function leastOf(worlds) {
  const least = worlds.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++)
    worlds.forEach((world, k) => {
      const before = process.cpuUsage();
      for (let step = 0; step < STEPS; step++) world.step();
      const { user, system } = process.cpuUsage(before);
      least[k] = Math.min(least[k], (user + system) / 1000 / STEPS);
    });
  return least;
}

export async function goals() {
  const rows = [];
  for (const n of [11, 17, 27])
    for (const [motion, options] of [
      ['in flight, at rest', {}],
      ['in flight, swinging by 10 %', { stretch: [1.1, 0.9, 1] }],
      ['standing', { stands: true }],
    ]) {
      const worlds = [];
      for (const poisson of POISSONS) worlds.push(await worldOf(n, poisson, options));
      const [rigid, ...others] = leastOf(worlds);
      for (const world of worlds) world.dispose();
      rows.push({
        particles: n ** 3,
        motion,
        'ν = 0 (ms)': rigid.toFixed(3),
        'ν = 0.3': (others[0] / rigid).toFixed(2),
        'ν = 0.45': (others[1] / rigid).toFixed(2),
      });
    }
  console.log(
    `Steps of a cube by the kind of its goals, as multiples of rigid ones (ν = 0); least of ${ROUNDS} rounds\n`,
  );
  console.log(table(rows));
  return rows;
}
