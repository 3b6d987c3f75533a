// Experiments on bodies with an elastic law that keep a dent or break: what they keep, when they break, and into how many large pieces.
import { strainEnergy, World } from 'pliant';
import { mean } from '../statistics.mjs';
import { BAR, build, DENSITY, factorOf, pick, SHAPES, TooStiff } from './bodies.mjs';

const GRAVITY = 9.81;
/** Length at both ends of the bar that is held (m): the same at any resolution. */
const GRIP = 0.125;
/** Strain of the free part of the bar in a second, and seconds in which it is let come to rest. */
const PULL_RATE = 0.4;
const REST_SECONDS = 1.5;

/** Takes both ends of the bar and leads them apart along y; returns the clamps. */
function pullEnds(world, speed, lifetime = Number.POSITIVE_INFINITY) {
  const offset = BAR.length / 2 - GRIP;
  return [1, -1].map((sign) =>
    world.addClamp({
      region: { type: 'halfspace', normal: [0, sign, 0], offset },
      velocity: [0, (sign * speed) / 2, 0],
      lifetime,
    }),
  );
}
const FREE_LENGTH = BAR.length - 2 * GRIP;

/** Stretch of the free part of the bar between the grips, and of its middle third, by a fit. */
function stretchesOf(body) {
  const r = body.restPositions;
  const of = (part) => factorOf(part.map((i) => [r[3 * i + 1], body.positions[4 * i + 1]]));
  return {
    whole: of(pick(body, (_x, y) => Math.abs(y) < FREE_LENGTH / 2)),
    middle: of(pick(body, (_x, y) => Math.abs(y) < FREE_LENGTH / 6)),
  };
}

/** The bar is pulled to `stretch` of its free length and let go: the stretch that it keeps. */
export async function keepStretch({ stretch = 1.4, ...options }) {
  const { world, body } = await build({
    ...options,
    shape: 'bar',
    material: { dampingRatio: 0.5, ...options.material },
  });
  const seconds = (stretch - 1) / PULL_RATE;
  pullEnds(world, PULL_RATE * FREE_LENGTH, seconds);
  for (let k = 0; k < (seconds + REST_SECONDS) / world.dt - 1e-6; k++) world.step();
  const { whole, middle } = stretchesOf(body);
  const result = { kept: whole, middle, ...told(world, body) };
  world.dispose();
  return result;
}

/** The cube falls by 0.5 m onto the ground: its height when it has come to rest, as a share of that at first. */
export async function keepHeight({ seconds = 3, ...options }) {
  const { world, body } = await build({
    ...options,
    world: { gravity: [0, -GRAVITY, 0], sleepSpeed: undefined },
    contact: {},
  });
  const height = () => {
    const { bboxMin, bboxMax } = world.measure();
    return bboxMax[1] - bboxMin[1];
  };
  const whole = height();
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: SHAPES.cube.bottom - 0.5, friction: 0.5 });
  for (let k = 0; k < seconds / world.dt && !body.asleep; k++) world.step();
  const result = { kept: height() / whole, ...told(world, body) };
  world.dispose();
  return result;
}

/** Shares of the mass in pieces, the largest first. */
export function pieceShares(body) {
  const { count, ofParticle } = body.pieces;
  const shares = new Array(count).fill(0);
  let mass = 0;
  ofParticle.forEach((piece, i) => {
    mass += body.positions[4 * i + 3];
    if (piece < count) shares[piece] += body.positions[4 * i + 3];
  });
  return shares.map((share) => share / mass).sort((a, b) => b - a);
}

/** A notch across the middle of the bar, as deep and as high as this share of its width: whole cells of the grids of 6, 9 and 12 across. */
const NOTCH = 1 / 3;
const notched = {
  type: 'difference',
  of: [
    SHAPES.bar.shape,
    {
      type: 'box',
      size: [2 * NOTCH * BAR.width, NOTCH * BAR.width, 2 * BAR.width],
      position: [BAR.width / 2, 0, 0],
    },
  ],
};

/** The bar is pulled apart: nominal strain of its free part at the first split and where its ends part, pieces of more than 5 % of the mass, and energies. */
export async function tear({ notch = false, rate = PULL_RATE, most = 2.5, after = 0.25, ...options }) {
  const { world, body } = await build({
    ...options,
    shape: 'bar',
    ...(notch && { solid: notched }),
    contact: { mode: 'none' },
  });
  pullEnds(world, rate * FREE_LENGTH);
  const r = body.restPositions;
  const ends = [1, -1].map((sign) => pick(body, (_x, y) => sign * y > BAR.length / 2 - GRIP)[0]);
  let [first, parted, splits] = [Number.NaN, Number.NaN, 0];
  let left = after;
  for (let k = 0; k * world.dt * rate < most && left > 0; k++) {
    world.step();
    for (const event of world.drainEvents())
      if (event.type === 'fracture') {
        splits += event.splits.length;
        if (Number.isNaN(first) && event.splits.length > 0) first = rate * event.time;
        const { ofParticle } = event.pieces;
        if (Number.isNaN(parted) && ofParticle[ends[0]] !== ofParticle[ends[1]]) parted = rate * event.time;
      }
    if (!Number.isNaN(parted)) left -= world.dt;
  }
  const shares = pieceShares(body);
  const result = {
    first,
    parted,
    splits,
    large: shares.filter((share) => share > 0.05).length,
    largest: shares[0],
    pieces: shares.length,
    built: r.length / 3,
    ...told(world, body),
  };
  world.dispose();
  return result;
}

/** The plate and the ball that is led through its middle (m, m/s). */
export const PLATE = { size: [1, 0.667, 0.067], ball: 0.15, speed: 2, depth: 0.5 };

/**
 * A plate, `thick` m thick and held at both short sides, through which a ball is led: pieces of more than 2 % of the mass, seconds from the touch to the first split, mass of the largest piece.
 * A split is seen in the first substep that begins with a stretch beyond the toughness, on average half a substep after that was passed: so much is taken off. `seed` is that of blue noise and clusters, `wait` delays the
 * ball (s), `untilSplit` ends with the first split.
 */
export async function shatter({
  count,
  hz,
  material,
  seconds = 0.4,
  maxSubsteps = 64,
  fracture = {},
  clustering,
  thick = PLATE.size[2],
  seed,
  wait = 0,
  untilSplit = false,
}) {
  const world = await World.create({ threads: 1, dt: 1 / hz, gravity: [0, 0, 0], sleepSpeed: 0, maxSubsteps });
  const [width, breadth] = PLATE.size;
  const body = world.addBody({
    shape: { type: 'box', size: [width, breadth, thick] },
    sampling: { count, ...(seed !== undefined && { seed }) },
    material: { density: DENSITY, ...material },
    fracture,
    contact: { self: false },
    ...((clustering || seed !== undefined) && { clustering: { ...clustering, ...(seed !== undefined && { seed }) } }),
  });
  if (body.maxYoung < material.young) throw new TooStiff(body.maxYoung);
  for (const sign of [1, -1])
    world.addClamp({ region: { type: 'halfspace', normal: [sign, 0, 0], offset: width / 2 - 0.05 } });
  const from = -thick / 2 - PLATE.ball - 0.001 - PLATE.speed * wait;
  const ball = world.addCollider({ type: 'sphere', radius: PLATE.ball, centre: [0, 0, from], friction: 0.3 });
  let [first, splits, work] = [Number.NaN, 0, 0];
  const energyAt = () => world.measure().kineticEnergy + strainEnergy(world, body);
  for (let k = 1; k <= seconds * hz && !(untilSplit && first > 0); k++) {
    ball.moveTo([0, 0, from + Math.min(PLATE.depth, (PLATE.speed * k) / hz)]);
    world.step();
    for (const event of world.drainEvents())
      if (event.type === 'fracture') {
        splits += event.splits.length;
        if (Number.isNaN(first) && event.splits.length > 0) first = event.time - world.h / 2 - wait;
      }
    if (!untilSplit) work = Math.max(work, energyAt());
  }
  const shares = pieceShares(body);
  const result = {
    first,
    splits,
    large: shares.filter((share) => share > 0.02).length,
    largest: shares[0],
    second: shares[1] ?? 0,
    pieces: shares.length,
    work,
    ...told(world, body),
  };
  world.dispose();
  return result;
}

/** An irrational share of a step: its multiples fall evenly into a step. */
const PHASE = (Math.sqrt(5) - 1) / 2;

/**
 * First split of the plate as a mean over `seeds` of blue noise and clusters, and its standard deviation as a share of that mean. Each ball sets out at another moment of a step: otherwise those of a fine plate, which differ
 * by less than a substep, would all be off by the same share of it.
 */
export async function firstSplits({ seeds, ...options }) {
  const found = [];
  for (let seed = 1; seed <= seeds; seed++)
    found.push(await shatter({ ...options, seed, wait: ((seed * PHASE) % 1) / options.hz, untilSplit: true }));
  const times = found.map((each) => each.first);
  const first = mean(times);
  const scatter = Math.sqrt(times.reduce((sum, time) => sum + (time - first) ** 2, 0) / (seeds - 1)) / first;
  const { substeps } = found[0];
  return { first, scatter, earliest: Math.min(...times), latest: Math.max(...times), substeps };
}

const told = (world, body) => ({ particles: body.particleCount, substeps: Math.round(world.dt / world.h) });
