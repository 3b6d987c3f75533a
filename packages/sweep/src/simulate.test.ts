import { PliantError } from 'pliant';
import { expect, test } from 'vitest';
import { type SimulationInput, run as simulate } from './simulate.js';
import { CUBE } from './testing/scenes.js';

const modules = new Map<string, string>();

/** Runs a scene with measures in this process. `code` is a module of measures. */
function run(measures: string[], more: Partial<SimulationInput> = {}, code?: string) {
  if (code) modules.set('code', code);
  const input: SimulationInput = {
    name: 'cube.json',
    scene: CUBE,
    files: {},
    steps: 6,
    backend: 'ts',
    measures,
    ...more,
  };
  const module = code ? { module: { name: 'my.mjs', hash: 'code' } } : {};
  return simulate(
    { input: { ...input, ...module } },
    { file: async (hash) => new TextEncoder().encode(modules.get(hash)) },
  );
}

/** A ball that falls freely from 100 m. */
const FALL = {
  bodies: [
    {
      name: 'ball',
      geometry: { type: 'sphere', radius: 0.5 },
      sampling: { count: 40 },
      clustering: { count: 1 },
      position: [0, 100, 0],
      velocity: [2, 0, 0],
    },
  ],
};

test('a free fall: momentum, energies, volume and extents are those of mechanics', async () => {
  const measures = [
    'mass',
    'momentum',
    'speed',
    'energy@0',
    'energy',
    'kineticEnergy',
    'potentialEnergy',
    'volume',
    'volumeShare',
    'sag',
    'displacement',
    'centreOfMass@0',
    'centreOfMass',
    'pieces',
    'particles',
    'clusters',
    'stretch@max',
    'asleep',
    'contacts',
  ];
  const { values: v, warnings } = await run(measures, { scene: FALL, steps: 60 });
  const n = (name: string) => v[name] as number;
  expect(warnings).toEqual([]);
  expect(n('mass')).toBeCloseTo((1000 * Math.PI) / 6, -1);
  expect(n('momentum.x') / n('mass')).toBeCloseTo(2, 3);
  expect(n('momentum.y') / n('mass')).toBeCloseTo(-9.81, 2);
  expect(n('speed')).toBeCloseTo(Math.hypot(2, 9.81), 2);
  expect(n('kineticEnergy')).toBeCloseTo(0.5 * n('mass') * n('speed') ** 2, 3);
  expect(n('potentialEnergy')).toBeCloseTo(n('mass') * 9.81 * n('centreOfMass.y'), 0);
  // A body keeps its energy in the fall, but for the order of the steps.
  expect(n('energy') / n('energy@0')).toBeCloseTo(1, 2);
  expect(n('sag')).toBeCloseTo(n('centreOfMass.y@0') - n('centreOfMass.y'), 3);
  expect(n('displacement')).toBeCloseTo(Math.hypot(2, n('sag')), 2);
  expect(n('volume')).toBeCloseTo(Math.PI / 6, 2);
  expect(n('volumeShare')).toBeCloseTo(1, 4);
  expect(n('stretch@max')).toBeCloseTo(1, 3);
  expect([v.pieces, v.clusters, v.asleep, v.contacts]).toEqual([1, 1, 0, 0]);
  expect(Math.abs(n('particles') - 40)).toBeLessThan(4);
});

test('times, series and extremes agree with one another', async () => {
  const { values, series } = await run([
    'centreOfMass.y@all',
    'centreOfMass.y@0,0.05',
    'centreOfMass.y@min',
    'centreOfMass.y@mean',
    'centreOfMass.y',
    'height[cube]@all/3',
  ]);
  const { times, values: ys } = series['centreOfMass.y'] as { times: number[]; values: number[] };
  expect(times).toHaveLength(7);
  expect(times[3]).toBeCloseTo(0.05, 12);
  expect(values['centreOfMass.y@0']).toBe(ys[0]);
  expect(values['centreOfMass.y@0.05']).toBe(ys[3]);
  expect(values['centreOfMass.y']).toBe(ys[6]);
  expect(values['centreOfMass.y@min']).toBe(Math.min(...ys));
  expect(values['centreOfMass.y@mean']).toBeCloseTo(ys.reduce((a, b) => a + b) / 7, 12);
  expect(series['height[cube]'].times).toHaveLength(3);
});

test('a body at rest has a time to rest, a falling one has none', async () => {
  const still = { ...CUBE, gravity: [0, 0, 0] };
  expect((await run(['restTime'], { scene: still })).values.restTime).toBe(0);
  expect((await run(['restTime'], { scene: FALL })).values.restTime).toBeNull();
});

test('the same input gives the same state, another seed another', async () => {
  const hash = async (more: Partial<SimulationInput>) => (await run(['hash'], { scene: FALL, ...more })).values.hash;
  expect(await hash({})).toBe(await hash({}));
  expect(await hash({ seed: 5 })).not.toBe(await hash({ seed: 6 }));
});

test('functions of a module are measures, with a memory and a hook for every step', async () => {
  const code = `
    export function step({ world, memory }) { memory.steps = (memory.steps ?? 0) + 1; }
    export const calls = ({ memory }) => memory.steps;
    export const top = ({ bodies }) => Math.max(...bodies.map((b) => b.bounds.max[1]));
    export const word = () => 'soft';
    export const nothing = () => undefined;
    export const endless = () => 1 / 0;`;
  const { values } = await run(['calls', 'top@0', 'highest@0', 'word', 'nothing', 'endless'], {}, code);
  expect(values).toMatchObject({ calls: 7, word: 'soft', nothing: null, endless: null });
  expect(values['top@0']).toBeCloseTo(values['highest@0'] as number, 6);
});

test.each([
  ['export const bad = () => { throw new Error("no tip"); }', /^measure bad threw at 0\.1000 s: no tip/],
  ['export const bad = () => [1, 2]', /^measure bad returned a list; expected a number, a text/],
])('a measure that fails says which and why: %s', async (code, message) => {
  const error = await run(['bad'], {}, code).catch((e) => e);
  expect(error).not.toBeInstanceOf(PliantError);
  expect(error.message).toMatch(message);
});

test.each([
  ['import x from "./other.js"; export const bad = () => 1', /my\.mjs: cannot be imported .*expected one file/],
  ['export const bad = (', /my\.mjs: cannot be imported/],
  ['export const x = 3', /it exports no function/],
])('a module that cannot be used is refused: %s', async (code, message) => {
  await expect(run(['bad'], {}, code)).rejects.toThrow(message);
});

test('a run that does not stay finite keeps what it had, and says when', async () => {
  const code =
    'export const spoil = ({ world }) => { if (world.frame === 3) world.bodies[0].velocities[0] = NaN; return world.frame; }';
  const result = await run(['spoil@all', 'height@0', 'height'], {}, code);
  expect(result.notFinite).toBe('body "cube" was not finite at 0.05 s');
  expect(result.steps).toBe(4);
  expect(result.series.spoil.values).toEqual([0, 1, 2, 3]);
  expect(result.values['height@0']).toBeGreaterThan(0.4);
  expect(result.values.height).toBeNull();
});

test('a body that is not there is refused with the names of those that are', async () => {
  await expect(run(['height[ball]'])).rejects.toThrow('there is no body "ball"; expected one of "cube"');
});
