import { copyFileSync, mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planSweep } from './plan.js';
import type { SimulationInput } from './simulate.js';
import { CUBE, scratch } from './testing/scenes.js';
import { parseVariation } from './vary/combinations.js';

const disk = scratch();
const scene = disk.write('cube.json', CUBE);
const vary = (...texts: string[]) => texts.map((text) => [parseVariation(text)]);
const inputOf = ({ job }: { job: { input: unknown } }) => (job.input as { input: SimulationInput }).input;
const ids = async (request: Partial<Parameters<typeof planSweep>[0]>) =>
  (await planSweep({ scene, axes: [], ...request })).runs.map(({ job }) => job.id);

test('a run has the scene with its variation, as many steps as its time needs, and a seed', async () => {
  const plan = await planSweep({
    scene,
    axes: vary('bodies[cube].material.young=1e4,1e5', 'dt=1/60,1/240'),
    seeds: [3, 9],
  });
  expect(plan.runs.map(({ number, combination, values, seed }) => [number, combination, ...values, seed])).toEqual([
    [0, 0, 1e4, 1 / 60, 3],
    [1, 0, 1e4, 1 / 60, 9],
    [2, 1, 1e4, 1 / 240, 3],
    [3, 1, 1e4, 1 / 240, 9],
    [4, 2, 1e5, 1 / 60, 3],
    [5, 2, 1e5, 1 / 60, 9],
    [6, 3, 1e5, 1 / 240, 3],
    [7, 3, 1e5, 1 / 240, 9],
  ]);
  const input = inputOf(plan.runs[7]);
  expect(input).toMatchObject({ steps: 24, seed: 9, scene: { dt: 1 / 240, bodies: [{ material: { young: 1e5 } }] } });
  expect(inputOf(plan.runs[0]).steps).toBe(6);
  // The scene itself stays as it is.
  expect(CUBE.bodies[0].material.young).toBe(1e5);
});

test('the length of runs: in seconds, in steps, or varied', async () => {
  const steps = async (request: object, ...texts: string[]) =>
    (await planSweep({ scene, axes: vary('dt=1/60,1/120', ...texts), ...request })).runs.map(
      (run) => inputOf(run).steps,
    );
  expect(await steps({ seconds: 0.5 })).toEqual([30, 60]);
  expect(await steps({ frames: 7 })).toEqual([7, 7]);
  expect(await steps({}, 'frames=10,20')).toEqual([10, 20, 10, 20]);
});

test('the identity of a run is that of its inputs: not of words, folders, pictures or clocks', async () => {
  const [own] = await ids({});
  expect(own).toMatch(/^[0-9a-f]{32}$/);
  const reworded = disk.write('cube2.json', { ...CUBE, title: 'Other', description: 'Words.' });
  mkdirSync(disk.path('elsewhere'));
  copyFileSync(scene, disk.path('elsewhere/cube.json'));
  expect(await ids({ scene: disk.path('elsewhere/cube.json') })).toEqual([own]);
  expect(await ids({ picture: { width: 10, height: 10 } })).toEqual([own]);
  const measures = ['height', 'centreOfMass.y', 'energy', 'stretch@max', 'pieces', 'restTime'];
  expect(await ids({ measures: [...measures, 'stepTime'] })).toEqual([own]);
  // The name is in messages, and so in results.
  const others = [
    { scene: reworded },
    { seeds: [1] },
    { frames: 9 },
    { backend: 'ts' as const },
    { measures: ['height'] },
    { axes: vary('dt=1/61') },
  ];
  const all = await Promise.all(others.map((request) => ids(request)));
  expect(new Set([own, ...all.flat()]).size).toBe(others.length + 1);
});

test('files of a scene belong to the identity by their content', async () => {
  const obj = (height: number) => `v 0 0 0\nv 1 0 0\nv 0 ${height} 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;
  const [body] = CUBE.bodies;
  disk.write('a.obj', obj(1));
  disk.write('b.obj', obj(2));
  const meshed = disk.write('mesh.json', {
    ...CUBE,
    bodies: [{ ...body, geometry: { type: 'mesh', file: 'a.obj' }, sampling: { count: 9 } }],
  });
  const plan = await planSweep({ scene: meshed, axes: vary('bodies[0].geometry.file=a.obj,b.obj') });
  expect(plan.runs.map((run) => Object.keys(inputOf(run).files))).toEqual([['a.obj'], ['b.obj']]);
  expect(Object.values(plan.runs[1].job.files!)).toEqual([disk.path('b.obj')]);
  disk.write('b.obj', obj(3));
  const changed = await planSweep({ scene: meshed, axes: vary('bodies[0].geometry.file=a.obj,b.obj') });
  expect(changed.runs[0].job.id).toBe(plan.runs[0].job.id);
  expect(changed.runs[1].job.id).not.toBe(plan.runs[1].job.id);
});

test('a scene may not read files outside of its folder unless allowed', async () => {
  mkdirSync(disk.path('inner'));
  disk.write('outer.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
  const inner = disk.write('inner/scene.json', CUBE);
  const axes = [
    [
      parseVariation('bodies[0].geometry={"type":"mesh","file":"../outer.obj"}'),
      parseVariation('bodies[0].sampling={"count":9}'),
    ],
  ];
  await expect(planSweep({ scene: inner, axes })).rejects.toThrow(/outside of/);
  expect((await planSweep({ scene: inner, axes, allowOutside: true })).runs).toHaveLength(1);
});
