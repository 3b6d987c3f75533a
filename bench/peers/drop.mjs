// One drop of the cube: what is timed, and what of the motion is kept.
import { mean } from '../statistics.mjs';

export const RATE = 60;
/** Free fall (m) before the cube meets the plane. */
export const FALL = 0.3;
const GRAVITY = 9.81;
/** Steps before the plane is reached, of the first impact (half a second), and up to two seconds. The same steps for every engine. */
const TOUCH = Math.floor(Math.sqrt((2 * FALL) / GRAVITY) * RATE);
export const PHASES = { flight: [0, TOUCH], impact: [TOUCH, TOUCH + RATE / 2], rest: [TOUCH + RATE / 2, 2 * RATE] };
export const STEPS = PHASES.rest[1];

/** Vertices of the lowest and of the highest layer of a body of n layers. */
function layers(sim, n) {
  const all = Array.from({ length: sim.count }, (_, i) => i);
  const ys = all.map((i) => sim.y(i));
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const near = (high - low) / (2 * n);
  return { bottom: all.filter((i) => ys[i] < low + near), top: all.filter((i) => ys[i] > high - near) };
}

/**
 * Drops the cube for some steps. `times` (ms) has each step, `least` is the smallest height from the touch on until the end of the first impact, `last` the height at the end, both as a share of
 * the height at rest; `speed` (m/s) is the root mean square of the vertical velocity over the last step; a body that did not stay finite has `isFinite` false.
 */
export function drop(engine, options, steps = STEPS) {
  const began = performance.now();
  const sim = engine.create(options);
  const build = performance.now() - began;
  const { bottom, top } = layers(sim, options.n);
  const meanY = (list) => mean(list.map((i) => sim.y(i)));
  const height = () => meanY(top) - meanY(bottom);
  const atRest = height();
  const times = [];
  let least = Number.POSITIVE_INFINITY;
  let before;
  const allY = () => Float64Array.from({ length: sim.count }, (_, i) => sim.y(i));
  for (let k = 0; k < steps; k++) {
    if (k === steps - 1) before = allY();
    const start = performance.now();
    sim.step();
    times.push(performance.now() - start);
    if (k >= PHASES.impact[0] && k < PHASES.impact[1]) least = Math.min(least, height() / atRest);
  }
  const after = allY();
  const squares = after.reduce((sum, y, i) => sum + (y - before[i]) ** 2, 0);
  const result = { build, times, least, last: height() / atRest, speed: Math.sqrt(squares / sim.count) * RATE };
  const { count, mass, parts } = sim;
  sim.dispose();
  return { ...result, isFinite: after.every(Number.isFinite), count, mass, parts };
}

/** Whether a cube that falls onto another one stays above it: the distance of their middles after two seconds, as a share of the edge. */
export function stack(engine, options) {
  const sim = engine.create({ ...options, lifts: [0, 1.3] });
  const middle = (body) => mean(Array.from({ length: sim.count }, (_, i) => sim.y(i, body)));
  for (let k = 0; k < STEPS; k++) sim.step();
  const distance = middle(1) - middle(0);
  sim.dispose();
  return distance;
}

/**
 * The fewest iterations of the engine's solver, up to `most`, with which the cube keeps at least 90 % of the height that Pliant's keeps in its first impact; undefined if `most` are too few.
 * More iterations make a stiffer body, so that halving finds them.
 */
export function iterationsFor(least, fewest, most, leastWith) {
  const enough = (iterations) => leastWith(iterations) >= 0.9 * least;
  if (enough(fewest)) return fewest;
  if (!enough(most)) return undefined;
  let [low, high] = [fewest, most];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
