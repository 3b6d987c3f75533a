import { Finding, thrown } from '../core/finding.mjs';
import { printCase } from '../core/printCase.mjs';
import { Random } from '../core/random.mjs';
import { weightsOf } from '../worlds/calls.mjs';
import { makeCalls } from '../worlds/generate.mjs';
import { print } from '../worlds/print.mjs';
import { Session } from '../worlds/session.mjs';

/**
 * Runs a case with the plain kernels and with the fast ones. Results have to agree unless the case is chaotic. Two more runs show whether it is: their particles start a hair's breadth aside, each the other way. Where one of them leads
 * elsewhere, nothing can be said. Two runs miss some chaotic cases: before a difference counts, eight more are made.
 */
export const backends = {
  generate(random) {
    const weights = weightsOf([
      'step',
      'addBody',
      'addCollider',
      'addClamp',
      'addForceField',
      'addPick',
      'cutThrough',
      'setMaterial',
      'setLevels',
      'applyImpulse',
      'pin',
      'resetPlasticity',
    ]);
    return { calls: makeCalls(random, 0, random.integer(4, 10), weights, 40) };
  },
  execute,
  script: (data) => printCase('backends', data),
  mayChange: ([first, ...rest]) => first === 'calls' && rest.length !== 1 && !(rest.length === 2 && rest[1] === '0'),
  truncate: (data, call) => ({ ...data, calls: data.calls.slice(0, call + 1) }),
};

/** How far a particle is moved aside in the runs aside, as a share of where it is (and of a metre): some roundings of f32. */
const ASIDE = 1e-6;
/** The backends may be this many times as far apart as the runs aside are, and in each step this share of the size of things. */
const MAGNIFIED = 30;
const PER_STEP = 2e-6;
/** From here on, as a share of the size, a case is chaotic and tells nothing. */
const CHAOTIC = 1e-3;

/** Runs aside that are made where the backends differ, half of them with each. */
const MORE = 8;

async function execute({ calls }, { at, beat }) {
  const runs = [new Session(), new Session(), new Session(), new Session()];
  const [plain, fast, ...aside] = runs;
  const counts = { compared: 0, chaotic: 0 };
  let steps = 0;
  try {
    for (const [n, call] of calls.entries()) {
      at(n, call[0]);
      for (const run of runs) await take(run, call, run === fast ? 'wasm' : 'ts', beat);
      if (!plain.world) return counts;
      if (call[0] === 'addBody')
        for (const [k, { world }] of aside.entries()) shift(world, toAndFro(k === 0 ? ASIDE : -ASIDE));
      if (call[0] === 'step') steps += call[1];
      if (aside.some(({ world }) => isOther(plain.world, world))) {
        counts.chaotic++;
        return counts;
      }
      const isChaotic = () => leadsElsewhere(calls.slice(0, n + 1), plain.world, fast.world, beat);
      if (isOther(plain.world, fast.world)) {
        if (await isChaotic()) {
          counts.chaotic++;
          return counts;
        }
        throw new Finding(
          'differs',
          `${describe(plain.world)} with plain kernels, ${describe(fast.world)} with fast ones, after ${steps} steps`,
        );
      }
      const size = sizeOf(plain.world);
      const sensitivity = Math.max(...aside.map(({ world }) => apart(plain.world, world)));
      if (sensitivity > CHAOTIC * size) {
        counts.chaotic++;
        return counts;
      }
      const difference = apart(plain.world, fast.world);
      const allowed = MAGNIFIED * sensitivity + PER_STEP * (steps + 10) * size;
      if (difference > allowed) {
        if (await isChaotic()) {
          counts.chaotic++;
          return counts;
        }
        throw new Finding(
          'differs',
          `the backends are ${difference.toExponential(1)} m apart after ${steps} steps; a nudge leads ${sensitivity.toExponential(1)} m aside`,
        );
      }
      counts.compared++;
    }
    return counts;
  } catch (error) {
    throw error instanceof Finding ? error : thrown(error, 'step');
  } finally {
    beat();
    for (const run of runs) run.close();
  }
}

async function take(run, call, backend, beat) {
  if (call[0] === 'create') await run.create(print({ ...call[1], backend }));
  else if (call[0] === 'step') for (let k = 0; run.world && k < call[1]; k++, beat()) run.world.step();
  else await run.call(call);
  beat();
}

/** Whether one of more runs aside comes to something else than the run with the same backend that was not moved. */
async function leadsElsewhere(calls, plain, fast, beat) {
  for (let n = 0; n < MORE; n++) {
    const run = new Session();
    const random = new Random('aside', n);
    const by = () => random.number(-ASIDE, ASIDE);
    try {
      for (const call of calls) {
        await take(run, call, n % 2 === 0 ? 'ts' : 'wasm', beat);
        if (call[0] === 'addBody') shift(run.world, by);
      }
      const still = n % 2 === 0 ? plain : fast;
      if (isOther(still, run.world) || apart(still, run.world) > CHAOTIC * sizeOf(still)) return true;
    } finally {
      run.close();
    }
  }
  return false;
}

/** Moves the particles of the last body by `by(k)` along each axis, as a share of where they are. */
function shift(world, by) {
  const body = world.bodies[world.bodies.length - 1];
  const x = body?.positions ?? [];
  for (let k = 0; k < x.length; k++) if (k % 4 < 3) x[k] += by(k) * Math.max(1, Math.abs(x[k]));
}

/** To and fro along all axes. */
const toAndFro = (by) => (k) => (k % 5 > 1 ? by : -by);

const describe = (world) =>
  `${world.bodies.length} bodies of ${world.particleCount} particles and ${world.clusterCount} clusters`;
const isOther = (a, b) => describe(a) !== describe(b);

function sizeOf(world) {
  const { bboxMin, bboxMax } = world.measure();
  return Math.max(1, ...bboxMin.map(Math.abs), ...bboxMax.map(Math.abs));
}

function apart(a, b) {
  const [x, y] = [a.positions, b.positions];
  let most = 0;
  for (let k = 0; k < x.length; k++) if (k % 4 < 3) most = Math.max(most, Math.abs(x[k] - y[k]));
  return most;
}
