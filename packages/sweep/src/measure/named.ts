import type { BuiltScene, SceneDescription } from '@pliant/scene';
import {
  ancestorsInto,
  type Body,
  type BodyOptions,
  elementary,
  hashSnapshot,
  type Measures,
  meshSolid,
  shapeSolid,
  strainEnergy,
  volumeOf,
  volumeShare,
  type World,
} from 'pliant';

const { squared, hypot } = elementary;

/** A value of a measure. null: there is none, or it is not finite. */
export type Value = number | string | boolean | null;

/** A run while it is measured. */
export interface Run {
  /** The scene, with its files read. */
  scene: SceneDescription;
  /** The world and its parts. */
  built: BuiltScene;
  /** The world of `built`. */
  world: World;
  /** Data that measures keep during a run, by a key of their own. */
  memory: Map<unknown, unknown>;
}

/** A measure by name. */
export interface NamedMeasure {
  /** Unit; '1' of a number without one, '' of a text. */
  unit: string;
  /** Meaning in a few words. */
  meaning: string;
  /** The parts of a vector; undefined for a single value. */
  parts?: readonly string[];
  /** The value now, of these bodies. */
  of(run: Run, bodies: readonly Body[]): Value | readonly number[];
  /** The measure exists for the whole world only. */
  whole?: true;
}

const XYZ = ['x', 'y', 'z'] as const;

/** Measures of several bodies as of one. */
function measured(
  { world }: Run,
  bodies: readonly Body[],
): Pick<Measures, 'mass' | 'com' | 'bboxMin' | 'bboxMax' | 'kineticEnergy' | 'momentum' | 'angularMomentum'> {
  if (bodies.length === world.bodies.length) return world.measure();
  const all = bodies.map((body) => world.measure(body));
  const sum = (of: (m: Measures) => number) => all.reduce((total, m) => total + of(m), 0);
  const axes = (of: (a: number) => number) => [0, 1, 2].map(of) as [number, number, number];
  const mass = sum((m) => m.mass);
  return {
    mass,
    com: axes((a) => sum((m) => m.mass * m.com[a]) / mass),
    bboxMin: axes((a) => Math.min(...all.map((m) => m.bboxMin[a]))),
    bboxMax: axes((a) => Math.max(...all.map((m) => m.bboxMax[a]))),
    kineticEnergy: sum((m) => m.kineticEnergy),
    momentum: axes((a) => sum((m) => m.momentum[a])),
    angularMomentum: axes((a) => sum((m) => m.angularMomentum[a])),
  };
}

const extent = (a: number) => (run: Run, bodies: readonly Body[]) => {
  const { bboxMin, bboxMax } = measured(run, bodies);
  return bboxMax[a] - bboxMin[a];
};

/** −m g·x, zero at the origin (J). */
function potentialEnergy(run: Run, bodies: readonly Body[]): number {
  const { mass, com } = measured(run, bodies);
  const [x, y, z] = run.world.gravity;
  return -mass * (x * com[0] + y * com[1] + z * com[2]);
}

const elasticEnergy = ({ world }: Run, bodies: readonly Body[]) =>
  bodies.reduce((sum, body) => sum + strainEnergy(world, body), 0);

/** Numbers of the particles of a body in the body that it was built as. */
function ancestorsOf(world: World, body: Body): Uint32Array {
  const ancestors = new Uint32Array(body.particleCount);
  ancestorsInto(ancestors, world, body);
  return ancestors;
}

/** Called with every particle that was there at the start: its row in `positions`, and where it was. */
function fromStart(
  run: Run,
  bodies: readonly Body[],
  visit: (x: Float32Array, o: number, start: Float32Array, s: number) => void,
): void {
  const starts = run.memory.get(keepStart) as Map<Float64Array, Float32Array>;
  for (const body of bodies) {
    const start = starts.get(body.builtPositions);
    if (!start) continue;
    const ancestors = ancestorsOf(run.world, body);
    const x = body.positions;
    for (let i = 0; i < body.particleCount; i++) visit(x, 4 * i, start, 4 * ancestors[i]);
  }
}

/** Keeps the positions at the start, by the array that pieces of a body have in common. */
export function keepStart({ memory, world }: Run): void {
  memory.set(keepStart, new Map(world.bodies.map((body) => [body.builtPositions, body.positions.slice()])));
}

function displacement(run: Run, bodies: readonly Body[]): number {
  let most = 0;
  fromStart(run, bodies, (x, o, start, s) => {
    const square = squared(x[o] - start[s]) + squared(x[o + 1] - start[s + 1]) + squared(x[o + 2] - start[s + 2]);
    most = Math.max(most, square);
  });
  return Math.sqrt(most);
}

/** How far the particle that sank most has sunk along gravity; of a weightless world along −y (m). */
function sag(run: Run, bodies: readonly Body[]): number {
  const g = run.world.gravity;
  const length = hypot(g[0], g[1], g[2]);
  const down = length > 0 ? g.map((c) => c / length) : [0, -1, 0];
  let most = Number.NEGATIVE_INFINITY;
  fromStart(run, bodies, (x, o, start, s) => {
    let sunk = 0;
    for (let a = 0; a < 3; a++) sunk += down[a] * (x[o + a] - start[s + a]);
    most = Math.max(most, sunk);
  });
  return most;
}

/** Volume at rest of a body of the scene over its mass (m³/kg); by its particles' spacing where it was given as points. */
function specificVolume(run: Run, body: Body): number {
  const known = (run.memory.get(specificVolume) ?? new Map()) as Map<Float64Array, number>;
  run.memory.set(specificVolume, known);
  const found = known.get(body.builtPositions);
  if (found !== undefined) return found;
  const own = run.built.bodies.findIndex(({ builtPositions }) => builtPositions === body.builtPositions);
  const options = run.scene.bodies[own]?.options;
  const volume = options ? (solidVolume(options) ?? Number.NaN) : Number.NaN;
  const masses = (run.memory.get(keepMasses) as Map<Float64Array, number>).get(body.builtPositions) ?? Number.NaN;
  known.set(body.builtPositions, volume / masses);
  return volume / masses;
}

/** Keeps the masses at the start, as keepStart keeps the positions. */
export function keepMasses({ memory, world }: Run): void {
  memory.set(keepMasses, new Map(world.bodies.map((body) => [body.builtPositions, body.mass])));
}

function solidVolume({ shape, mesh }: BodyOptions): number | undefined {
  if (shape) return volumeOf(shapeSolid(shape, 'body.shape'));
  return mesh ? volumeOf(meshSolid(mesh, 'body.mesh')) : undefined;
}

/** The measures by their names. Units are SI. */
export const MEASURES: Readonly<Record<string, NamedMeasure>> = {
  height: { unit: 'm', meaning: 'extent along y', of: extent(1) },
  width: { unit: 'm', meaning: 'extent along x', of: extent(0) },
  depth: { unit: 'm', meaning: 'extent along z', of: extent(2) },
  lowest: { unit: 'm', meaning: 'smallest y', of: (run, bodies) => measured(run, bodies).bboxMin[1] },
  highest: { unit: 'm', meaning: 'largest y', of: (run, bodies) => measured(run, bodies).bboxMax[1] },
  sag: { unit: 'm', meaning: 'how far the particle that sank most has sunk since the start', of: sag },
  displacement: { unit: 'm', meaning: 'largest distance of a particle from where it began', of: displacement },
  centreOfMass: { unit: 'm', meaning: 'centre of mass', parts: XYZ, of: (run, bodies) => measured(run, bodies).com },
  volume: {
    unit: 'm³',
    meaning: 'volume, by the deformation of the clusters; of bodies with a shape or mesh',
    of: (run, bodies) =>
      bodies.reduce((sum, body) => sum + volumeShare(run.world, body) * body.mass * specificVolume(run, body), 0),
  },
  volumeShare: {
    unit: '1',
    meaning: 'volume over that at rest, a mean by mass',
    of: ({ world }, bodies) =>
      bodies.reduce((sum, body) => sum + body.mass * volumeShare(world, body), 0) /
      bodies.reduce((sum, body) => sum + body.mass, 0),
  },
  energy: {
    unit: 'J',
    meaning: 'kinetic, potential and elastic energy',
    of: (run, bodies) =>
      measured(run, bodies).kineticEnergy + potentialEnergy(run, bodies) + elasticEnergy(run, bodies),
  },
  kineticEnergy: { unit: 'J', meaning: 'kinetic energy', of: (run, bodies) => measured(run, bodies).kineticEnergy },
  potentialEnergy: { unit: 'J', meaning: 'energy in the field of gravity, 0 at the origin', of: potentialEnergy },
  elasticEnergy: { unit: 'J', meaning: 'elastic energy', of: elasticEnergy },
  stretch: { unit: '1', meaning: 'largest stretch of a cluster', whole: true, of: ({ world }) => world.maxStretch() },
  plasticStrain: {
    unit: '1',
    meaning: 'largest plastic strain of a cluster',
    of: (_, bodies) =>
      bodies.reduce((most, { plasticStrain }) => plasticStrain.reduce((a, b) => Math.max(a, b), most), 0),
  },
  pieces: {
    unit: '1',
    meaning: 'number of pieces',
    of: (_, bodies) => bodies.reduce((sum, body) => sum + body.pieces.count, 0),
  },
  particles: {
    unit: '1',
    meaning: 'number of particles',
    of: (_, bodies) => bodies.reduce((sum, body) => sum + body.particleCount, 0),
  },
  clusters: {
    unit: '1',
    meaning: 'number of clusters',
    of: (_, bodies) => bodies.reduce((sum, body) => sum + body.clusterCount, 0),
  },
  mass: { unit: 'kg', meaning: 'mass', of: (run, bodies) => measured(run, bodies).mass },
  speed: {
    unit: 'm/s',
    meaning: 'root of the mean squared speed, by mass',
    of: (run, bodies) => {
      const { kineticEnergy, mass } = measured(run, bodies);
      return Math.sqrt((2 * kineticEnergy) / mass);
    },
  },
  momentum: { unit: 'kg m/s', meaning: 'momentum', parts: XYZ, of: (run, bodies) => measured(run, bodies).momentum },
  angularMomentum: {
    unit: 'kg m²/s',
    meaning: 'angular momentum about the origin',
    parts: XYZ,
    of: (run, bodies) => measured(run, bodies).angularMomentum,
  },
  contacts: {
    unit: '1',
    meaning: 'pairs of bodies that touch',
    whole: true,
    of: ({ world }) => world.contactPairs.length,
  },
  asleep: {
    unit: '1',
    meaning: 'number of bodies that sleep',
    of: (_, bodies) => bodies.filter((body) => body.asleep).length,
  },
  hash: {
    unit: '',
    meaning: 'hash of the whole state: equal for equal results',
    whole: true,
    of: ({ world }) => {
      const hash = hashSnapshot(world.snapshot());
      // Nobody restores it: removed objects need not be kept.
      world.forgetSnapshots();
      return hash;
    },
  },
};

/**
 * Measures of a whole run, which have no value at one time. `restTime` is the time from which on `speed` stays below REST_SPEED until the end (s); none if the
 * bodies still move at the end.
 */
export const RUN_MEASURES: Readonly<Record<string, { unit: string; meaning: string }>> = {
  restTime: { unit: 's', meaning: 'time from which on `speed` stays below 0.03 m/s until the end' },
};

/** Speed (m/s) below which bodies are at rest: the one below which the engine lets bodies sleep. */
export const REST_SPEED = 0.03;

/** Measures of the machine: they differ from run to run, have a table of their own, and are no part of the identity of a run. */
export const TIMINGS: Readonly<Record<string, { unit: string; meaning: string }>> = {
  stepTime: { unit: 'ms', meaning: 'mean time of a step, with its cuts, without measuring' },
  buildTime: { unit: 'ms', meaning: 'time to load the scene and build its bodies' },
  runTime: { unit: 'ms', meaning: 'time of the whole run with its measures' },
};
