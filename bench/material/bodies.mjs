// Bodies of the part `material`, and how the particles of one are picked and followed.
import { World } from 'pliant';

export const DENSITY = 1000;
/** Bodies that need more substeps of a step are left out. The default of a world is 8. */
export const MAX_SUBSTEPS = 16;
/** Side of the cube and width of the other compact shapes (m). */
export const CUBE = 1;
/** Width and length of the bar, 1 : 1 : 6 (m). Its long axis is y. */
export const BAR = { width: 0.25, length: 1.5 };

/** Built from balls, as in scenes/falling-bunny.json; some 0.95 m wide and 1.4 m high. */
const BUNNY = {
  type: 'union',
  of: [
    { type: 'ellipsoid', radii: [0.42, 0.33, 0.31] },
    { type: 'sphere', radius: 0.23, position: [0.38, 0.34, 0] },
    { type: 'ellipsoid', radii: [0.08, 0.26, 0.09], position: [0.32, 0.72, 0.12] },
    { type: 'ellipsoid', radii: [0.08, 0.26, 0.09], position: [0.32, 0.72, -0.12] },
    { type: 'ellipsoid', radii: [0.13, 0.14, 0.09], position: [0.28, -0.3, 0.14] },
    { type: 'ellipsoid', radii: [0.13, 0.14, 0.09], position: [0.28, -0.3, -0.14] },
    { type: 'ellipsoid', radii: [0.22, 0.12, 0.1], position: [-0.14, -0.32, 0.21] },
    { type: 'ellipsoid', radii: [0.22, 0.12, 0.1], position: [-0.14, -0.32, -0.21] },
    { type: 'sphere', radius: 0.11, position: [-0.45, 0.06, 0] },
  ],
};

/** The same without its ears, the parts that are thinner than two spacings with 11 particles across. */
const EARLESS = { ...BUNNY, of: BUNNY.of.filter(({ position }) => position?.[1] !== 0.72) };

/** Shapes, what n particles stand across (m), and volumes (m³; the bunny's by count of a fine grid), and the lowest places of those that are dropped (m). */
export const SHAPES = {
  cube: { shape: { type: 'box', size: [CUBE, CUBE, CUBE] }, width: CUBE, volume: CUBE ** 3, bottom: -CUBE / 2 },
  sphere: {
    shape: { type: 'sphere', radius: CUBE / 2 },
    width: CUBE,
    volume: (Math.PI / 6) * CUBE ** 3,
    bottom: -CUBE / 2,
  },
  bar: {
    shape: { type: 'box', size: [BAR.width, BAR.length, BAR.width] },
    width: BAR.width,
    volume: BAR.width ** 2 * BAR.length,
  },
  bunny: { shape: BUNNY, width: 0.95, volume: 0.28, bottom: -0.44 },
  earless: { shape: EARLESS, width: 0.95, volume: 0.265, bottom: -0.44 },
};

/** A world with one body: `shape` by name, n particles across, `method` of sampling, hz steps a second; `solid` is another shape of the same size. Blue noise has as many particles as the grid. */
export async function build({
  shape = 'cube',
  n,
  hz,
  method = 'grid',
  material,
  solid,
  world: settings = {},
  ...others
}) {
  const { shape: plain, width, volume } = SHAPES[shape];
  const world = await World.create({
    threads: 1,
    dt: 1 / hz,
    gravity: [0, 0, 0],
    sleepSpeed: 0,
    maxSubsteps: MAX_SUBSTEPS,
    ...settings,
  });
  const spacing = width / n;
  const body = world.addBody({
    shape: solid ?? plain,
    sampling: method === 'grid' ? { method, spacing } : { method, count: Math.round(volume / spacing ** 3) },
    material: { density: DENSITY, ...material },
    contact: { mode: 'none' },
    ...others,
  });
  if (body.maxYoung < material.young) throw new TooStiff(body.maxYoung);
  return { world, body, spacing };
}

/** The world's substeps do not reach the modulus that a probe asks for. */
export class TooStiff extends Error {
  constructor(maxYoung) {
    super(`maxYoung is ${maxYoung.toPrecision(2)} Pa`);
  }
}

/** Numbers of the particles whose rest position passes. */
export function pick(body, passes) {
  const found = [];
  const r = body.restPositions;
  for (let i = 0; i < body.particleCount; i++) if (passes(r[3 * i], r[3 * i + 1], r[3 * i + 2])) found.push(i);
  return found;
}

/** Mean of an axis over some particles (m). */
export const meanOf = (body, particles, axis) =>
  particles.reduce((sum, i) => sum + body.positions[4 * i + axis], 0) / particles.length;

/** Mean of an axis over some particles at rest (m). */
export const meanRest = (body, particles, axis) =>
  particles.reduce((sum, i) => sum + body.restPositions[3 * i + axis], 0) / particles.length;

/** Factor k of Σ (k·theory + c − measured)², with a constant c that is free: what a displacement is beside theory, wherever its zero lies. */
export function factorOf(pairs) {
  const mean = [0, 1].map((k) => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length);
  let [up, down] = [0, 0];
  for (const [theory, measured] of pairs) {
    up += (theory - mean[0]) * (measured - mean[1]);
    down += (theory - mean[0]) ** 2;
  }
  return up / down;
}

/**
 * Steps until `value()` stands still: velocities are set to 0 whenever the kinetic energy has passed a maximum, where the body is near its balance. Returns the value, or NaN
 * where it does not come to rest.
 */
export function relax(world, body, value, { tolerance = 1e-3, still = 6, seconds = 120 } = {}) {
  let [energy, last, unchanged] = [0, value(), 0];
  for (let k = 0; k < seconds / world.dt; k++) {
    world.step();
    const now = world.measure().kineticEnergy;
    if (now >= energy) {
      energy = now;
      continue;
    }
    body.velocities.fill(0);
    energy = 0;
    const next = value();
    unchanged = Math.abs(next - last) <= tolerance * Math.abs(next) ? unchanged + 1 : 0;
    if (unchanged === still) return next;
    last = next;
  }
  return Number.NaN;
}

/** Steps until the kinetic energy is 1e-7 of its largest or 6 s are over, and returns `value()`: for bodies that damping brings to rest. */
export function settle(world, value, seconds = 6) {
  let largest = 0;
  for (let k = 0; k < seconds / world.dt; k++) {
    world.step();
    const { kineticEnergy } = world.measure();
    largest = Math.max(largest, kineticEnergy);
    if (kineticEnergy < 1e-7 * largest) break;
  }
  return value();
}

/** Frequency (Hz) of what `value()` tells after each step: whole periods between upward passages through 0, the first one left out. */
export function frequency(world, value, { periods = 4, seconds = 60 } = {}) {
  const passages = [];
  let before = value();
  for (let k = 1; k <= seconds / world.dt && passages.length <= periods; k++) {
    world.step();
    const now = value();
    if (before < 0 && now >= 0) passages.push((k - now / (now - before)) * world.dt);
    before = now;
  }
  return passages.length > periods ? periods / (passages[periods] - passages[0]) : Number.NaN;
}
