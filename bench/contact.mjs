// Contact, one thread: the research scenes beside the reference's own "selfCollisions", then growth with the number of clusters.
import { World } from 'pliant';
import { calibrate, hasReference, REFERENCE, referenceNames, referenceResult, referenceWorld } from './reference.mjs';
import { mean, median, table } from './statistics.mjs';

const STEPS = 200;
/** On a machine that others use the fastest of five still falls by a tenth: 0.981, 0.916, 0.895, and after twelve runs 0.854 ms on the ductile plate. */
const ROUNDS = 10;

/** Milliseconds of the contact stage in each of the steps that the reference took. `response`: see the engine's ContactOptions. */
async function runScene(name, response) {
  const world = await referenceWorld(name);
  for (const { core } of world.bodies) core.contact.settings.response = response;
  const times = [];
  const steps = Math.min(STEPS, referenceResult(name).steps);
  for (let k = 0; k < steps; k++) {
    world.step();
    times.push(world.profile.last.contact);
  }
  const { clusterCount, membershipCount } = world;
  world.dispose();
  return { times, clusterCount, membershipCount };
}

/** Mean of each step's fastest run: a step does the same in each, what differs is the machine. The calibration takes its fastest round too. */
const fastest = (runs) => mean(runs[0].times.map((_, n) => Math.min(...runs.map(({ times }) => times[n]))));
const means = (runs) => runs.map(({ times }) => mean(times));

async function againstReference() {
  if (!hasReference) {
    console.log(`contact: no ratios, the reference scenes are not at ${REFERENCE}`);
    return undefined;
  }
  const names = referenceNames().filter((name) => referenceResult(name).phases?.selfCollisions > 0);
  const before = calibrate();
  const runs = Object.fromEntries(names.map((name) => [name, { positions: [], momentum: [] }]));
  for (let round = 0; round < ROUNDS; round++)
    for (const name of names)
      for (const response of ['positions', 'momentum']) runs[name][response].push(await runScene(name, response));
  const after = calibrate();
  const factor = Math.min(before.here, after.here) / before.there;
  const rows = names.map((name) => {
    const { positions, momentum } = runs[name];
    const reference = referenceResult(name).phases.selfCollisions * factor;
    return {
      scene: name,
      clusters: positions[0].clusterCount,
      memberships: positions[0].membershipCount,
      'reference ms': reference.toFixed(3),
      'positions only, ms': fastest(positions).toFixed(3),
      'whole runs': `${Math.min(...means(positions)).toFixed(3)}–${Math.max(...means(positions)).toFixed(3)}`,
      'times faster': (reference / fastest(positions)).toFixed(1),
      'with momentum, ms': fastest(momentum).toFixed(3),
      'times faster ': (reference / fastest(momentum)).toFixed(1),
    };
  });
  console.log(
    `\nContact beside the reference's self-collisions, first ${STEPS} steps, times scaled by ${factor.toFixed(2)}. "Positions only" does what the`,
  );
  console.log(
    'reference does (one side moves, velocities stay); "with momentum" is our own response, as bodies have it by default.\n',
  );
  console.log(table(rows));
  return { factor, rows };
}

/** Clusters of a grid of particles, cells of three by three by three that share a layer with the next: 1 + (n − 3)/2 a side. */
function gridClusters(nx, ny, nz) {
  const list = [];
  const at = (i, j, k) => (k * ny + j) * nx + i;
  for (let k = 0; k + 2 < nz; k += 2)
    for (let j = 0; j + 2 < ny; j += 2)
      for (let i = 0; i + 2 < nx; i += 2) {
        const members = [];
        for (let c = 0; c < 3; c++)
          for (let b = 0; b < 3; b++) for (let a = 0; a < 3; a++) members.push(at(i + a, j + b, k + c));
        list.push({ members });
      }
  return list;
}

/** A block of cells × cells × thick clusters, 5 cm between particles. */
function block(cells, thick, position, extra = {}) {
  const [n, m] = [2 * cells + 1, 2 * thick + 1];
  const points = new Float64Array(3 * n * m * n);
  for (let k = 0, o = 0; k < n; k++)
    for (let j = 0; j < m; j++) for (let i = 0; i < n; i++, o += 3) points.set([0.05 * i, 0.05 * j, 0.05 * k], o);
  return {
    points,
    clusters: gridClusters(n, m, n),
    position,
    material: { particleMass: 0.05, raw: { rotation: 'covariance', damping: 0.3 } },
    ...extra,
  };
}

/** Two slabs that fall onto each other with their whole faces: everything there is to touch does. */
export async function slabs(clusters) {
  const world = await World.create({ threads: 1, gravity: [0, 0, 0], sleepSpeed: 0, dt: 1 / 120 });
  const cells = Math.max(1, Math.round(Math.sqrt(clusters / 4)));
  world.addBody(block(cells, 2, [0, 0, 0]));
  world.addBody(block(cells, 2, [0.01, 0.23, 0.01], { velocity: [0, -1, 0] }));
  return world;
}

/** Blocks of eight clusters in a loose heap: each meets a few others. */
export async function heap(clusters) {
  const world = await World.create({ threads: 1, gravity: [0, 0, 0], sleepSpeed: 0, dt: 1 / 120 });
  const count = Math.max(2, Math.round(clusters / 8));
  const side = Math.ceil(Math.cbrt(count));
  for (let n = 0; n < count; n++) {
    const [i, j, k] = [n % side, Math.floor(n / side) % side, Math.floor(n / side / side)];
    // Towards the middle, so that neighbours touch.
    const velocity = [i, j, k].map((a) => -0.4 * (a - (side - 1) / 2));
    world.addBody(block(2, 2, [0.22 * i, 0.22 * j, 0.22 * k], { velocity }));
  }
  return world;
}

export async function growth() {
  const sizes = [10, 100, 1000, 10000];
  const rows = [];
  for (const [kind, make] of Object.entries({ 'two slabs': slabs, 'heap of blocks': heap }))
    for (const size of sizes) {
      const world = await make(size);
      const times = [];
      let touching = 0;
      // They meet in the fourth to sixth step and part after the fifteenth.
      for (let k = 0; k < 15; k++) {
        world.step();
        if (k < 6) continue;
        times.push(world.profile.last.contact);
        for (const { count } of world.contactPairs()) touching += count / 9;
      }
      rows.push({
        world: kind,
        clusters: world.clusterCount,
        bodies: world.bodies.length,
        particles: world.particleCount,
        'in contact': Math.round(touching),
        'ms/step': median(times).toFixed(3),
        'µs/cluster': ((1000 * median(times)) / world.clusterCount).toFixed(2),
      });
      world.dispose();
    }
  console.log('\nGrowth of the contact stage with the number of clusters (median of nine steps in contact).\n');
  console.log(table(rows));
  return rows;
}

/** Stages that are the dynamics of a body. */
const DYNAMICS = ['match', 'levels', 'integrate', 'strainLimit', 'velocity'];
/** Every step needs one run in which it had the machine to itself. */
const SQUASHED_ROUNDS = 20;

/** Contact of a cube with itself while it is squashed on a plane, beside its dynamics in the same step: the worst of the steps, each with the fastest of several runs. */
export async function squash() {
  const rows = [];
  for (const [across, speed] of [
    [17, 2.4],
    [17, 8],
    [17, 14],
    [17, 25],
    [27, 8],
    [27, 14],
  ]) {
    const steps = [];
    let counts;
    for (let round = 0; round < SQUASHED_ROUNDS; round++) {
      const world = await World.create({ threads: 1 });
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
      world.addBody({
        shape: { type: 'box', size: [1, 1, 1] },
        sampling: { method: 'grid', spacing: 1 / across },
        position: [0, 0.55, 0],
        velocity: [0, -speed, 0],
      });
      for (let k = 0; k < 12; k++) {
        world.step();
        const { last } = world.profile;
        const dynamics = DYNAMICS.reduce((sum, stage) => sum + (last[stage] ?? 0), 0);
        steps[k] ??= { contact: last.contact, dynamics };
        steps[k].contact = Math.min(steps[k].contact, last.contact);
        steps[k].dynamics = Math.min(steps[k].dynamics, dynamics);
      }
      counts = { particles: world.particleCount, clusters: world.clusterCount };
      world.dispose();
    }
    const ratio = ({ contact, dynamics }) => contact / dynamics;
    const worst = steps.reduce((a, b) => (ratio(b) > ratio(a) ? b : a));
    rows.push({
      cube: `${across} across`,
      ...counts,
      'm/s': speed,
      'contact ms': worst.contact.toFixed(2),
      'dynamics ms': worst.dynamics.toFixed(2),
      times: ratio(worst).toFixed(2),
    });
  }
  console.log(
    `\nA cube of 1 m that is thrown at a plane: contact with itself beside its dynamics, in the step where it is dearest (fastest of ${SQUASHED_ROUNDS} runs of each step).\n`,
  );
  console.log(table(rows));
  return rows;
}

export async function contact() {
  return { reference: await againstReference(), growth: await growth(), squash: await squash() };
}
