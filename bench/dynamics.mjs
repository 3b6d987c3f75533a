// Dynamics (match + integrate + strainLimit), one thread: whole scenes as they run, then the kernels with every sweep forced.
import { calibrate, hasReference, REFERENCE, referenceNames, referenceResult, referenceWorld } from './reference.mjs';
import { mean, median, quantile, table } from './statistics.mjs';

const STEPS = 200;
const ROUNDS = 5;

/** Mean milliseconds of the dynamics over the first 200 steps, as the reference took it. */
async function runScene(name) {
  const world = await referenceWorld(name);
  const times = [];
  for (let k = 0; k < STEPS; k++) {
    world.step();
    const { match, integrate, strainLimit } = world.profile.last;
    times.push(match + integrate + strainLimit);
  }
  return { world, ms: mean(times) };
}

/** One pass of each kind over all memberships, the state put back before every round: nanoseconds per membership. */
async function forcePasses(name, rounds = 200) {
  const world = await referenceWorld(name);
  for (let k = 0; k < 20; k++) world.step();
  const { kernels, state, clusterCount, particleCount, membershipCount } = world;
  const [x, v] = [state.views.x.slice(), state.views.v.slice()];
  const { damping, limit } = world.bodies[0].material;
  const parameters = {
    h: world.dt,
    gravityX: 0,
    gravityY: 0,
    gravityZ: 0,
    damping,
    rigid: false,
    maxSpeed: 1e6,
    forces: false,
  };
  const times = { match: [], integrate: [], fit: [], look: [], sweep: [], velocity: [] };
  const time = (stage, run) => {
    const start = performance.now();
    run();
    times[stage].push(((performance.now() - start) * 1e6) / membershipCount);
  };
  for (let round = 0; round < rounds; round++) {
    state.views.x.set(x);
    state.views.v.set(v);
    time('match', () => kernels.matchClusters(0, clusterCount, 4));
    time('integrate', () => kernels.integrateParticles(0, particleCount, parameters));
    time('fit', () => kernels.matchClusters(0, clusterCount, 0));
    time('look', () => kernels.limitClusters(0, clusterCount, false));
    time('sweep', () => kernels.limitParticles(0, particleCount, limit.omega, false, true));
    time('velocity', () => kernels.updateVelocities(0, particleCount, world.dt));
  }
  return { world, sweeps: limit.iterations, times };
}

export async function dynamics() {
  if (!hasReference) {
    console.log(`dynamics: skipped, the reference scenes are not at ${REFERENCE}`);
    return undefined;
  }
  const before = calibrate();
  const runs = Object.fromEntries(referenceNames().map((name) => [name, []]));
  const worlds = {};
  // Interleaved, so that a slow minute of the machine falls on all scenes alike.
  for (let round = 0; round < ROUNDS; round++)
    for (const name of Object.keys(runs)) {
      const { world, ms } = await runScene(name);
      runs[name].push(ms);
      worlds[name] = world;
    }
  const after = calibrate();
  const factor = Math.min(before.here, after.here) / before.there;

  const scenes = Object.entries(runs).map(([name, ms]) => {
    const { particleCount, clusterCount, membershipCount, bodies } = worlds[name];
    const passes = 1 + bodies[0].material.limit.iterations;
    const reference = referenceResult(name).phases.dynamics * factor;
    return {
      scene: name,
      particles: particleCount,
      clusters: clusterCount,
      memberships: membershipCount,
      passes,
      'ms/step': median(ms).toFixed(3),
      spread: `${Math.min(...ms).toFixed(3)}–${Math.max(...ms).toFixed(3)}`,
      'ns/membership/pass': ((median(ms) * 1e6) / (membershipCount * passes)).toFixed(2),
      'reference ms': reference.toFixed(3),
      'times faster': (reference / Math.min(...ms)).toFixed(1),
      'by the median': (reference / median(ms)).toFixed(1),
    };
  });
  console.log(
    `Dynamics (match + integrate + strainLimit), first ${STEPS} steps, one thread. This machine is ${factor.toFixed(2)} × as slow as`,
  );
  console.log(
    `the reference's by its calibration program (${before.here.toFixed(1)}, ${after.here.toFixed(1)} ns here, ${before.there} there).\n`,
  );
  console.log(table(scenes));

  const heart = await forcePasses('brokenHeart');
  const forced = ['match', 'integrate', 'fit', 'look', 'sweep', 'velocity'].map((pass) => ({
    pass,
    'ns/membership': median(heart.times[pass]).toFixed(2),
    fastest: quantile(heart.times[pass], 0).toFixed(2),
    '90 % below': quantile(heart.times[pass], 0.9).toFixed(2),
  }));
  // Fastest rounds, as the calibration takes its own: what the step does when a few particles are beyond the limit in every
  // sweep, and when most are.
  const passes = (...names) => names.reduce((sum, name) => sum + quantile(heart.times[name], 0), 0);
  const ms = (perSweep) =>
    (passes('match', 'integrate') + heart.sweeps * passes('fit', ...perSweep)) * heart.world.membershipCount * 1e-6;
  const [few, most] = [ms(['look']), ms(['sweep'])];
  const reference = referenceResult('brokenHeart').phases.dynamics * factor;
  console.log(
    `\nThe heart, each pass over all its memberships, state put back every time (${heart.sweeps} sweeps a step):\n`,
  );
  console.log(table(forced));
  console.log(
    `\nAll sweeps over all clusters: ${few.toFixed(3)} ms a step with few particles beyond the limit, ${most.toFixed(3)} with most;`,
  );
  console.log(
    `${(reference / few).toFixed(1)} and ${(reference / most).toFixed(1)} times faster than the reference's ${reference.toFixed(2)} ms.`,
  );
  return { factor, scenes, forced, fewMsPerStep: few, mostMsPerStep: most };
}
