import { PliantError, World } from 'pliant';
import { Finding, thrown } from '../core/finding.mjs';
import { printCase } from '../core/printCase.mjs';
import { Random } from '../core/random.mjs';
import { massOf } from '../worlds/oracles.mjs';
import { grows, median } from './trend.mjs';

/**
 * One world for a long time: bodies come, break, flow, are cut, pulled and pushed, and go. At the end of every minute (or, for cases counted in steps, of every `PERIOD` steps) the world is emptied: what it then still takes of
 * memory must not grow, nor the time of a step for each particle.
 */
export const soak = {
  generate: (random, { seconds }) => ({
    seed: random.integer(0, 1e9),
    ...(Number.isFinite(seconds) ? { seconds: Math.max(10, Math.floor(seconds)) } : { steps: 600 }),
  }),
  execute,
  script: (data) => printCase('soak', data),
  mayChange: () => false,
};

const PERIOD = 300;
const MOST_BODIES = 12;
/** Particles that one world of so many small bodies may come to. */
const MOST_PARTICLES = 20_000;

async function execute({ seed, seconds, steps }, { at, beat, say }) {
  const random = new Random('soak', seed);
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  world.addCollider({ type: 'box', size: [0.6, 0.6, 0.6], position: [0, 0.5, 0], angularVelocity: [0, 3, 0] });
  const actions = actionsOf(world, random);
  const began = Date.now();
  const samples = [];
  let [period, frame, quarantines] = [newPeriod(), 0, 0];
  const isOver = () => (seconds ? Date.now() - began > 1000 * seconds : frame >= steps);
  const isPeriodOver = () =>
    seconds ? Date.now() - period.began > Math.min(60, seconds / 10) * 1000 : period.steps >= PERIOD;
  while (!isOver()) {
    for (const [name, { every, act }] of Object.entries(actions)) {
      if (frame % every !== 0) continue;
      at(frame, name);
      attempt(act, name);
    }
    while (world.bodies.length > MOST_BODIES) world.removeBody(world.bodies[0]);
    at(frame, 'step');
    const start = cpu();
    world.step();
    period.cpu += cpu() - start;
    period.steps++;
    period.work += world.particleCount;
    frame++;
    for (const { type } of world.drainEvents()) if (type === 'quarantine') quarantines++;
    if (frame % 100 === 0) check(world);
    if (world.particleCount > MOST_PARTICLES)
      throw new Finding(
        'runaway',
        `${world.particleCount} particles in ${world.bodies.length} bodies of at most 120 each`,
        { call: frame },
      );
    if (!isPeriodOver()) continue;
    beat();
    // A snapshot that the soak itself holds is not the world's memory.
    actions.forget.act();
    samples.push(sampleOf(world, period, frame, say));
    period = newPeriod();
  }
  if (quarantines > 0) throw new Finding('quarantine', `${quarantines} bodies became non-finite`);
  judge(samples);
  world.dispose();
  return { steps: frame, samples: samples.length };
}

const newPeriod = () => ({ began: Date.now(), cpu: 0, steps: 0, work: 0 });
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function attempt(act, name) {
  try {
    act();
  } catch (error) {
    if (!(error instanceof PliantError)) throw thrown(error, name);
  }
}

function actionsOf(world, random) {
  const anyBody = () => random.pick(world.bodies);
  const vector = (size) => [0, 1, 2].map(() => random.number(-size, size));
  let kept;
  const ifAny = (act) => () => world.bodies.length > 0 && act();
  return {
    spawn: { every: 25, act: () => spawn(world, random) },
    cut: {
      every: 20,
      act: ifAny(() => {
        const body = anyBody();
        world.cut(body, { point: world.measure(body).com, normal: vector(1) });
      }),
    },
    separate: { every: 33, act: ifAny(() => world.separate(anyBody())) },
    pick: {
      every: 15,
      act: ifAny(() => {
        for (const pick of world.picks) world.removePick(pick);
        world.addPick({ body: anyBody(), particle: 0, target: vector(1.5) });
      }),
    },
    push: { every: 11, act: ifAny(() => anyBody().applyImpulse(vector(30))) },
    remove: { every: 47, act: ifAny(() => world.removeBody(anyBody())) },
    show: {
      every: 3,
      act: () => {
        for (const body of world.bodies) if (body.handle % 2) body.getSkin().update();
      },
    },
    material: {
      every: 61,
      act: ifAny(() => {
        const body = anyBody();
        if (body.material.law)
          body.setMaterial({ young: random.number(1e3, 1e5), dampingRatio: random.number(0, 0.5) });
        else body.setMaterial({ raw: { stiffness: random.number(0.1, 1), damping: random.number(0, 0.2) } });
      }),
    },
    snapshot: {
      every: 90,
      act: () => {
        kept = world.snapshot();
      },
    },
    restore: { every: 170, act: () => kept && world.restore(random.chance(0.5) ? kept : structuredClone(kept)) },
    forget: {
      every: 400,
      act: () => {
        kept = undefined;
        world.forgetSnapshots();
      },
    },
  };
}

function spawn(world, random) {
  const either = (value) => (random.chance(0.5) ? value : undefined);
  const raw = either({ stiffness: random.number(0.2, 0.9) });
  world.addBody({
    name: 'body',
    shape: random.chance(0.5) ? { type: 'box', size: [0.6, 0.3, 0.3] } : { type: 'sphere', radius: 0.25 },
    sampling: { count: random.integer(30, 120), seed: random.integer(1, 7) },
    clustering: { count: random.integer(1, 6), seed: 3 },
    material: { toughness: either(0.15), yield: either(0.05), raw },
    levels: raw && random.chance(0.4) ? {} : undefined,
    reclustering: either({ threshold: 1.5, every: 1 / 15 }),
    fracture: either({ debris: random.chance(0.5) }),
    position: [random.number(-0.5, 0.5), random.number(1.2, 2.5), random.number(-0.5, 0.5)],
    velocity: [0, random.number(-6, 0), 0],
  });
}

function check(world) {
  const faults = world.validate();
  if (faults.length > 0) throw new Finding('validate', faults[0]);
  if (!world.positions.every(Number.isFinite)) throw new Finding('not finite', 'a position is not finite');
  for (const body of world.bodies)
    if (!(massOf(body) > 0)) throw new Finding('mass', `body ${body.handle} weighs ${massOf(body)} kg`);
}

/** Empties the world, collects garbage and takes note of what is left. */
function sampleOf(world, period, frame, say) {
  const particles = world.particleCount;
  for (const body of [...world.bodies]) world.removeBody(body);
  world.forgetSnapshots();
  for (let k = 0; k < 4; k++) globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  const sample = {
    frame,
    memory: heapUsed + arrayBuffers,
    stepMs: period.cpu / period.steps,
    perParticle: (1e6 * period.cpu) / period.work,
  };
  const mega = (bytes) => (bytes / 2 ** 20).toFixed(1);
  say(
    `soak: step ${frame}, ${sample.stepMs.toFixed(2)} ms CPU a step, ${sample.perParticle.toFixed(0)} ns a particle, ${particles} particles; emptied: heap ${mega(heapUsed)} MB, array buffers ${mega(arrayBuffers)} MB, rss ${mega(rss)} MB`,
  );
  return sample;
}

/** The first quarter warms up. */
function judge(samples) {
  const warm = samples.slice(Math.ceil(samples.length / 4));
  if (warm.length < 6) return;
  const half = Math.floor(warm.length / 2);
  const memory = warm.map((s) => s.memory);
  const [early, late] = [median(memory.slice(0, half)), median(memory.slice(-half))];
  if (late > 1.05 * early && grows(memory))
    throw new Finding(
      'memory grows',
      `an emptied world takes ${(late / 2 ** 20).toFixed(1)} MB, and took ${(early / 2 ** 20).toFixed(1)} MB`,
    );
  const times = warm.map((s) => s.perParticle);
  const [before, after] = [median(times.slice(0, half)), median(times.slice(-half))];
  if (after > 1.3 * before && grows(times))
    throw new Finding('slows down', `a step takes ${after.toFixed(0)} ns a particle, and took ${before.toFixed(0)}`);
}
