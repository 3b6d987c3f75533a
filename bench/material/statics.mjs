// The probes of probes.mjs on the linear law of bodies as built (linear.mjs): no steps, no damping, no contact. `ratio` is measured over theory.
import { BAR, build, CUBE, DENSITY, factorOf, pick } from './bodies.mjs';
import { LinearBody } from './linear.mjs';
import * as theory from './theory.mjs';

const GRAVITY = 9.81;

async function linear(options) {
  // The modulus is that of the material, however many substeps it would take.
  const { world, body, spacing } = await build({ hz: 60, ...options, world: { maxSubsteps: 1000 } });
  const law = new LinearBody(body);
  const particles = { restPositions: law.rest, particleCount: law.count };
  const made = { law, spacing, body: particles, particles: law.count, clusters: law.clusters.length };
  world.dispose();
  return made;
}

const told = ({ particles, clusters }) => ({ particles, clusters });
const mean = (values, list, axis) => list.reduce((sum, i) => sum + values[3 * i + axis], 0) / list.length;
const lengthOf = (shape) => (shape === 'bar' ? BAR.length : CUBE);

/** Forces of a weight along an axis (N). */
function weight({ count, mass }, axis, g) {
  const f = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) f[3 * i + axis] = mass[i] * g;
  return f;
}

function hold({ count }, list, axes = [0, 1, 2]) {
  const held = new Uint8Array(3 * count);
  for (const i of list) for (const a of axes) held[3 * i + a] = 1;
  return held;
}

/** Outermost layers along an axis: the lower, the upper. */
const layers = ({ body, spacing }, length, axis = 1) => [
  pick(body, (...at) => at[axis] < spacing - length / 2),
  pick(body, (...at) => at[axis] > length / 2 - spacing),
];

/** Mean of what `ratio` tells of an axis: of all three for cubes of up to 10 000 particles, whose clusters lie by chance one way or another; else of y. */
function overAxes({ particles }, shape, ratio) {
  const axes = shape === 'bar' || particles > 10_000 ? [1] : [0, 1, 2];
  return axes.reduce((sum, axis) => sum + ratio(axis), 0) / axes.length;
}

/** As `hang` of probes.mjs. */
export async function hang({ shape = 'cube', ...options }) {
  const made = await linear({ ...options, shape });
  const { law } = made;
  const length = lengthOf(shape);
  const ratio = overAxes(made, shape, (axis) => {
    const [lowest, held] = layers(made, length, axis);
    const [top, low] = [mean(law.rest, held, axis), mean(law.rest, lowest, axis)];
    const of = { rho: DENSITY, g: GRAVITY, E: options.material.young, L: top + length / 2 };
    const u = law.solve(weight(law, axis, -GRAVITY), hold(law, held));
    return -mean(u, lowest, axis) / theory.hanging(of, top - low);
  });
  return { ratio, ...told(made) };
}

/** As `sag`: the lowest layer stays in its plane and may slide in it. */
export async function sag(options) {
  const made = await linear({ ...options, shape: 'cube' });
  const { law } = made;
  const ratio = overAxes(made, 'cube', (axis) => {
    const [bottom, top] = layers(made, CUBE, axis);
    const [low, high] = [bottom, top].map((layer) => mean(law.rest, layer, axis) + CUBE / 2);
    const of = { rho: DENSITY, g: GRAVITY, E: options.material.young, L: CUBE };
    const u = law.solve(weight(law, axis, -GRAVITY), hold(law, bottom, [axis]));
    const expected = theory.sagging(of, high) - theory.sagging(of, low);
    return (mean(u, bottom, axis) - mean(u, top, axis)) / expected;
  });
  return { ratio, ...told(made) };
}

/** As `mode`. */
export async function mode({ shape = 'cube', ...options }) {
  const made = await linear({ ...options, shape });
  const { law } = made;
  const length = lengthOf(shape);
  const free = new Uint8Array(3 * law.count);
  const expected = 2 * Math.PI * theory.stretchMode({ rho: DENSITY, E: options.material.young, L: length });
  const ratio = overAxes(made, shape, (axis) => {
    const start = new Float64Array(3 * law.count);
    for (let i = 0; i < law.count; i++) start[3 * i + axis] = Math.sin((Math.PI * law.rest[3 * i + axis]) / length);
    return law.vibration(start, free).omega / expected;
  });
  return { ratio, ...told(made) };
}

/** As `cantilever`. */
export async function cantilever(options) {
  const made = await linear({ ...options, shape: 'bar' });
  const { law } = made;
  const { young: E, poisson: nu } = options.material;
  const [held, tip] = layers(made, BAR.length);
  const clamp = mean(law.rest, held, 1);
  const of = { rho: DENSITY, g: GRAVITY, E, nu, L: BAR.length / 2 - clamp, a: BAR.width };
  const u = law.solve(weight(law, 0, GRAVITY), hold(law, held));
  return { ratio: mean(u, tip, 0) / theory.cantilever(of, mean(law.rest, tip, 1) - clamp), ...told(made) };
}

/** As `torsion`. */
export async function torsion(options) {
  const made = await linear({ ...options, shape: 'bar' });
  const { law } = made;
  const { young: E, poisson: nu } = options.material;
  const [held] = layers(made, BAR.length);
  const clamp = mean(law.rest, held, 1);
  const L = BAR.length / 2 - clamp;
  const start = new Float64Array(3 * law.count);
  for (let i = 0; i < law.count; i++) {
    const angle = Math.sin((Math.PI * Math.max(0, law.rest[3 * i + 1] - clamp)) / (2 * L));
    start[3 * i] = -angle * law.rest[3 * i + 2];
    start[3 * i + 2] = angle * law.rest[3 * i];
  }
  const { omega } = law.vibration(start, hold(law, held), 8);
  return { ratio: omega / (2 * Math.PI) / theory.twistMode({ rho: DENSITY, E, nu, L }), ...told(made) };
}

/** As `bulge`: lateral over axial strain of the middle half of the bar, pulled at both ends. */
export async function bulge(options) {
  const made = await linear({ ...options, shape: 'bar' });
  const { law, body } = made;
  const f = new Float64Array(3 * law.count);
  const [low, top] = layers(made, BAR.length);
  const put = (layer, force) => {
    const whole = layer.reduce((sum, i) => sum + law.mass[i], 0);
    for (const i of layer) f[3 * i + 1] += (force * law.mass[i]) / whole;
  };
  put(low, -1);
  put(top, 1);
  const u = law.solve(f, new Uint8Array(3 * law.count));
  const middle = pick(body, (_x, y) => Math.abs(y) < BAR.length / 4);
  const along = (a) => factorOf(middle.map((i) => [law.rest[3 * i + a], u[3 * i + a]]));
  return { nu: -(along(0) + along(2)) / 2 / along(1), ...told(made) };
}

/** A disc of this radius (m) in the middle of the upper layer of a cube, whose lower layer is held, is pressed evenly: its mean way, over that on a half-space. A cube, which ends and stands on something, gives way by some tenths less. */
export async function dent({ radius, ...options }) {
  const made = await linear({ ...options, shape: 'cube' });
  const { law, body, spacing } = made;
  const { young: E, poisson: nu } = options.material;
  const [held] = layers(made, CUBE);
  const disc = pick(body, (x, y, z) => y > CUBE / 2 - spacing && x * x + z * z < radius * radius);
  const f = new Float64Array(3 * law.count);
  for (const i of disc) f[3 * i + 1] -= 1 / disc.length;
  const u = law.solve(f, hold(law, held));
  return { ratio: -mean(u, disc, 1) / theory.dent({ E, nu }, disc.length * spacing * spacing), ...told(made) };
}
