import { expect, test } from 'vitest';
// @ts-expect-error: plain scripts, shared with `npm run golden`.
import { differences, jobsFor, readHashes, SCENES, stepsOf } from '../../scripts/golden/hashes.mjs';

test('hashes.json has every scene, each backend, after 300 steps; the largest after 30', () => {
  const golden = readHashes();
  expect(Object.keys(golden)).toEqual(SCENES);
  for (const scene of SCENES) {
    const last = scene === 'creature-on-cylinders' ? 30 : 300;
    expect(Object.keys(golden[scene].wasm), scene).toEqual([`${last}`]);
    expect(Object.keys(golden[scene].ts), scene).toEqual([last === 30 ? '5' : '20', `${last}`]);
    for (const hash of [golden[scene].wasm[last], golden[scene].ts[last]]) expect(hash).toMatch(/^[0-9a-f]{16}$/);
  }
});

test('CI runs every scene with both backends, never less of wasm than the file has', () => {
  const jobs: { scene: string; backend: string; steps: number[] }[] = jobsFor();
  expect(jobs.map(({ scene, backend }) => `${scene} ${backend}`).sort()).toEqual(
    SCENES.flatMap((scene: string) => [`${scene} ts`, `${scene} wasm`]).sort(),
  );
  for (const { scene, backend, steps } of jobs)
    if (backend === 'wasm') expect(steps).toEqual(stepsOf(scene, backend, true));
});

test('a difference names scene, backend, host, step and both hashes; a scene without a hash is one', () => {
  const result = { job: { scene: 'clay', backend: 'ts' }, hashes: { 20: 'aa', 300: 'bb' } };
  expect(differences('chromium', result, { clay: { ts: { 20: 'aa', 300: 'cc' } } })).toEqual([
    'clay, ts, in chromium, after 300 steps: expected cc, got bb.',
  ]);
  expect(differences('node', result, {})).toHaveLength(2);
});
