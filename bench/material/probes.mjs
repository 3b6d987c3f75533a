// One experiment each: builds a body with an elastic law, measures it through the public API, and returns numbers beside theory.
import {
  BAR,
  build,
  CUBE,
  DENSITY,
  factorOf,
  frequency,
  meanOf,
  meanRest,
  pick,
  relax,
  SHAPES,
  settle,
} from './bodies.mjs';
import * as theory from './theory.mjs';

const GRAVITY = 9.81;

/** Moduli of one step: a free body is stretched by 0.2 % along an axis, and the forces of the first step give its nominal stress, −Σ f X/V with rest positions X. */
export async function law(options) {
  const { young: E } = options.material;
  const strain = 0.002;
  const stresses = [0, 1, 2].map(() => [0, 0, 0]);
  for (const along of [0, 1, 2]) {
    const stretch = [1, 1, 1];
    stretch[along] += strain;
    const { world, body } = await build({ ...options, material: { ...options.material, dampingRatio: 0 }, stretch });
    world.substeps = 1;
    world.dt = 1e-3 * Math.sqrt(2e4 / E);
    world.step();
    const { mass } = world.measure();
    for (let i = 0; i < body.particleCount; i++)
      for (let a = 0; a < 3; a++)
        stresses[along][a] -=
          (body.positions[4 * i + 3] * body.velocities[4 * i + a] * body.restPositions[3 * i + a] * DENSITY) /
          (mass * world.dt);
    world.dispose();
  }
  const mean = (of) => [0, 1, 2].reduce((sum, a) => sum + of(a), 0) / 3;
  const axial = mean((a) => stresses[a][a]) / strain;
  const lateral = mean((a) => (stresses[a][(a + 1) % 3] + stresses[a][(a + 2) % 3]) / 2) / strain;
  // σ = (λ + 2μ) ε along and λ ε across.
  const nu = lateral / (axial + lateral);
  return { ratio: (axial - (2 * lateral * lateral) / (axial + lateral)) / E, nu };
}

/** The top layer is held: how far the lowest layer hangs below its place at rest, beside theory. Gravity is such that theory says about 3 %. */
export async function hang({ shape = 'cube', ...options }) {
  const L = shape === 'cube' ? CUBE : BAR.length;
  const { young: E } = options.material;
  const g = (0.06 * E) / (DENSITY * L);
  const { world, body, spacing } = await build({
    ...options,
    shape,
    material: { ...options.material, dampingRatio: 0.05 },
    world: { gravity: [0, -g, 0] },
  });
  const held = pick(body, (_x, y) => y > L / 2 - spacing);
  for (const i of held) body.pin(i);
  const lowest = pick(body, (_x, y) => y < spacing - L / 2);
  // The rod begins in the middle of what is held.
  const [top, low] = [meanRest(body, held, 1), meanRest(body, lowest, 1)];
  const expected = theory.hanging({ rho: DENSITY, g, E, L: top + L / 2 }, top - low);
  const ratio = () => (low - meanOf(body, lowest, 1)) / expected;
  const result = { ratio: relax(world, body, ratio), ...told(world, body) };
  world.dispose();
  return result;
}

/** Turns by which a cube stands on a side across each of its axes. */
const SIDES = [
  [0, 0, 0, 1],
  [0, 0, Math.SQRT1_2, Math.SQRT1_2],
  [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
];

/**
 * Stands on ground without friction: how much lower its upper layer is at rest than its lower one, beside theory, with the gravity of the earth. Mean of all three axes for cubes of up to 10 000 particles: by chance its clusters
 * lie one way or another.
 */
export async function sag(options) {
  const { ratio, ...others } = await sagOn(SIDES[0], options);
  if (others.particles > 10_000) return { ratio, ...others };
  const more = [await sagOn(SIDES[1], options), await sagOn(SIDES[2], options)];
  return { ratio: (ratio + more[0].ratio + more[1].ratio) / 3, ...others };
}

async function sagOn(rotation, options) {
  const { young: E } = options.material;
  const { world, body, spacing } = await build({
    ...options,
    world: { gravity: [0, -GRAVITY, 0] },
    material: { ...options.material, dampingRatio: 0.5, friction: 0 },
    position: [0, CUBE / 2, 0],
    rotation,
  });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0, friction: 0 });
  const mid = meanRest(
    body,
    pick(body, () => true),
    1,
  );
  const layers = [
    pick(body, (_x, y) => y - mid < spacing - CUBE / 2),
    pick(body, (_x, y) => y - mid > CUBE / 2 - spacing),
  ];
  const [low, high] = layers.map((layer) => meanRest(body, layer, 1) - mid + CUBE / 2);
  const of = { rho: DENSITY, g: GRAVITY, E, L: CUBE };
  const expected = theory.sagging(of, high) - theory.sagging(of, low);
  const [bottom, top] = layers;
  const ratio = () => (high - low - meanOf(body, top, 1) + meanOf(body, bottom, 1)) / expected;
  const result = { ratio: settle(world, ratio), ...told(world, body) };
  world.dispose();
  return result;
}

/** Stretched by 2 % and let go where nothing weighs anything: frequency of the first stretching mode, beside theory. */
export async function mode({ shape = 'cube', ...options }) {
  const L = shape === 'cube' ? CUBE : BAR.length;
  const { young: E } = options.material;
  const { world, body } = await build({
    ...options,
    shape,
    material: { ...options.material, dampingRatio: 0 },
    stretch: [1, 1.02, 1],
  });
  const r = body.restPositions;
  const amplitude = () => {
    let sum = 0;
    for (let i = 0; i < body.particleCount; i++)
      sum += (body.positions[4 * i + 1] - r[3 * i + 1]) * Math.sin((Math.PI * r[3 * i + 1]) / L);
    return sum;
  };
  const ratio = frequency(world, amplitude) / theory.stretchMode({ rho: DENSITY, E, L });
  const result = { ratio, ...told(world, body) };
  world.dispose();
  return result;
}

/** The bar, held by the layer at one end, sideways to a gravity for which theory says that the tip sags by 3 % of its length. */
export async function cantilever(options) {
  const { young: E, poisson: nu } = options.material;
  const one = { rho: DENSITY, g: 1, E, nu, L: BAR.length, a: BAR.width };
  const g = (0.03 * BAR.length) / theory.cantilever(one, BAR.length);
  const { world, body, spacing } = await build({
    ...options,
    shape: 'bar',
    material: { ...options.material, dampingRatio: 0.002 },
    world: { gravity: [g, 0, 0] },
  });
  const held = pick(body, (_x, y) => y < -BAR.length / 2 + spacing);
  for (const i of held) body.pin(i);
  const tip = pick(body, (_x, y) => y > BAR.length / 2 - spacing);
  // The bar begins in the middle of what is held.
  const clamp = meanRest(body, held, 1);
  const L = BAR.length / 2 - clamp;
  const expected = theory.cantilever({ ...one, g, L }, meanRest(body, tip, 1) - clamp);
  const ratio = () => (meanOf(body, tip, 0) - meanRest(body, tip, 0)) / expected;
  const result = { ratio: relax(world, body, ratio), ...told(world, body) };
  world.dispose();
  return result;
}

/** The bar, held by the layer at one end, twisted by up to 0.1 rad and let go: frequency of the first torsional mode, beside theory. */
export async function torsion(options) {
  const { young: E, poisson: nu } = options.material;
  const { world, body, spacing } = await build({
    ...options,
    shape: 'bar',
    material: { ...options.material, dampingRatio: 0 },
  });
  const held = pick(body, (_x, y) => y < -BAR.length / 2 + spacing);
  const clamp = meanRest(body, held, 1);
  const L = BAR.length / 2 - clamp;
  const form = (y) => Math.sin((Math.PI * Math.max(0, y - clamp)) / (2 * L));
  const r = body.restPositions;
  for (let i = 0; i < body.particleCount; i++) {
    const angle = 0.1 * form(r[3 * i + 1]);
    const [x, z, c, s] = [r[3 * i], r[3 * i + 2], Math.cos(angle), Math.sin(angle)];
    body.positions[4 * i] = c * x - s * z;
    body.positions[4 * i + 2] = s * x + c * z;
  }
  for (const i of held) body.pin(i);
  const twist = () => {
    let sum = 0;
    for (let i = 0; i < body.particleCount; i++)
      sum += form(r[3 * i + 1]) * (r[3 * i] * body.positions[4 * i + 2] - r[3 * i + 2] * body.positions[4 * i]);
    return sum;
  };
  const ratio = frequency(world, twist, { periods: 3 }) / theory.twistMode({ rho: DENSITY, E, nu, L });
  const result = { ratio, ...told(world, body) };
  world.dispose();
  return result;
}

/** The bar, its ends held 2 % farther apart (or nearer) than at rest: lateral over axial strain of its middle half, which should be ν. */
export async function bulge({ strain = 0.02, ...options }) {
  const { world, body, spacing } = await build({
    ...options,
    shape: 'bar',
    material: { ...options.material, dampingRatio: 0.5 },
    stretch: [1, 1 + strain, 1],
  });
  for (const i of pick(body, (_x, y) => Math.abs(y) > BAR.length / 2 - spacing)) body.pin(i);
  const middle = pick(body, (_x, y) => Math.abs(y) < BAR.length / 4);
  const r = body.restPositions;
  const along = (a) => factorOf(middle.map((i) => [r[3 * i + a], body.positions[4 * i + a]])) - 1;
  const ratio = () => -(along(0) + along(2)) / 2 / along(1);
  const result = { nu: settle(world, ratio), ...told(world, body) };
  world.dispose();
  return result;
}

/** The first impact of what falls from 30 cm is over after this time (s). Bodies that tip over are lower later. */
const FIRST_IMPACT = 0.6;

/**
 * Falls by 30 cm onto the ground. `pressed` is the height of its drawn surface when its centre of mass first turns round, as a share of that at rest: the first impact. `least` is the least height in the time of the
 * first impact, in which ears nod; `rest` that when asleep, `asleep` the seconds until then. `byParticles` is the least height of the box around the particles, which lie up to half a spacing below the surface.
 */
export async function drop({ seconds = 8, ...options }) {
  const { world, body } = await build({
    ...options,
    world: { gravity: [0, -GRAVITY, 0], sleepSpeed: undefined },
    contact: {},
  });
  const drawn = heightOfSkin(body);
  const inner = () => {
    const { bboxMin, bboxMax } = world.measure();
    return bboxMax[1] - bboxMin[1];
  };
  const whole = { drawn: drawn(), inner: inner() };
  const { bottom } = SHAPES[options.shape ?? 'cube'];
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: bottom - 0.3, friction: 0.5 });
  let [least, byParticles, asleep] = [1, 1, Number.NaN];
  const [centres, heights] = [[], []];
  for (let k = 1; k <= seconds / world.dt; k++) {
    world.step();
    if (body.asleep) {
      asleep = k * world.dt;
      break;
    }
    if (k * world.dt > FIRST_IMPACT) continue;
    const height = drawn() / whole.drawn;
    centres.push(world.measure().com[1]);
    heights.push(height);
    least = Math.min(least, height);
    byParticles = Math.min(byParticles, inner() / whole.inner);
  }
  const pressed = whereLowest(centres, heights);
  const result = { least, pressed, byParticles, rest: drawn() / whole.drawn, asleep, ...told(world, body) };
  world.dispose();
  return result;
}

/** `values` where `centres` first turn from falling to rising, both taken as parabolas through the steps around: at 60 Hz a height changes by 2 % a step there. */
function whereLowest(centres, values) {
  let k = 1;
  while (k < centres.length - 2 && centres[k + 1] <= centres[k]) k++;
  const t = (centres[k - 1] - centres[k + 1]) / (2 * (centres[k - 1] - 2 * centres[k] + centres[k + 1]));
  return (
    values[k] +
    (t * (values[k + 1] - values[k - 1])) / 2 +
    (t * t * (values[k - 1] - 2 * values[k] + values[k + 1])) / 2
  );
}

/** Measures the height of the surface that is drawn (m). */
function heightOfSkin(body) {
  const skin = body.getSkin();
  return () => {
    skin.update();
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = 1; k < skin.positions.length; k += 3) {
      low = Math.min(low, skin.positions[k]);
      high = Math.max(high, skin.positions[k]);
    }
    return high - low;
  };
}

const told = (world, body) => ({
  particles: body.particleCount,
  substeps: Math.round(world.dt / world.h),
});
