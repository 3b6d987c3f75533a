import { CALLS, makeCall } from './calls.mjs';
import * as options from './options.mjs';
import { GAMMA, LEAST_STRETCH, MOST_STRETCH, UNPROMISED, UNPROMISED_RAW } from './promises.mjs';

/** Steps in one case at most: bodies are small, and what goes wrong mostly does so soon. */
const MOST_STEPS = 150;
const WEIGHTS = Object.fromEntries(Object.entries(CALLS).map(([name, { weight }]) => [name, weight]));

/** A random world: calls as data. Two in five are all valid, in the others parts are not. */
export function generateWorld(random) {
  if (random.chance(0.12)) return generateFree(random);
  const wild = random.pick([0, 0, 0.01, 0.03, 0.1]);
  return { isFree: false, isWild: wild > 0, calls: makeCalls(random, wild, random.integer(6, 30)) };
}

export function makeCalls(random, wild, count, weights = WEIGHTS, mostSteps = MOST_STEPS) {
  const calls = [['create', options.worldOptions.make(random, wild / 4)]];
  calls.push(['addBody', options.body.make(random, wild)]);
  if (random.chance(0.7))
    calls.push(['addCollider', { type: 'plane', normal: [0, 1, 0], offset: random.number(-2, -0.3) }]);
  let steps = 0;
  while (calls.length < count) {
    const name = random.weighted(weights);
    const call = makeCall(name, random, wild);
    if (name === 'step' && (steps += call[1]) > mostSteps) continue;
    calls.push(call);
  }
  return calls;
}

const perStep = (raw, random) => ({
  ...raw,
  rotation: 'covariance',
  dampingMode: 'rigid',
  stiffness: random.number(0.05, 1),
  limit: { ...raw.limit, mode: 'conserving' },
});

/** One body that nothing acts on, with settings for which momentum is kept and energy does not grow. */
function generateFree(random) {
  const body = options.body.make(random, 0);
  const { material = {}, contact = {} } = body;
  body.material = options.hasLaw(material) ? { ...material } : { ...material, raw: perStep(material.raw, random) };
  for (const key of UNPROMISED) delete body.material[key];
  for (const key of UNPROMISED_RAW) delete body.material.raw?.[key];
  const { gamma = GAMMA } = material.raw?.limit ?? {};
  const least = Math.max(LEAST_STRETCH, 1 - gamma);
  const most = Math.min(MOST_STRETCH, 1 + gamma);
  if (body.stretch) body.stretch = body.stretch.map((s) => Math.min(Math.max(s, least), most));
  body.contact = { ...contact, response: 'momentum' };
  for (const key of ['levels', 'fracture', 'reclustering']) delete body[key];
  const calls = [
    ['create', { gravity: [0, 0, 0], sleepSpeed: 0, maxSpeed: 1e6, backend: random.pick(['wasm', 'ts']) }],
    ['addBody', body],
  ];
  for (let steps = 0; steps < 300; steps += 100) {
    calls.push(['step', 100]);
    if (random.chance(0.3)) calls.push(['getSkin', { $: 'body', n: 0 }]);
  }
  return { isFree: true, isWild: false, calls };
}
