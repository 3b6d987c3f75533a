import { expect, test } from 'vitest';
// @ts-expect-error: plain scripts, shared with `npm run golden`.
import { CI_HOSTS, ciJobsFor, differences, readHashes, SCENES, stepsOf } from '../../scripts/golden/hashes.mjs';

test('hashes.json has every scene, each backend, early and after 300 steps; the largest after 30', () => {
  const golden = readHashes();
  expect(Object.keys(golden)).toEqual(SCENES);
  for (const scene of SCENES) {
    const isLargest = scene === 'creature-on-cylinders';
    expect(Object.keys(golden[scene].wasm), scene).toEqual(isLargest ? ['10', '30'] : ['60', '300']);
    expect(Object.keys(golden[scene].ts), scene).toEqual(isLargest ? ['3', '30'] : ['10', '300']);
    for (const hash of [...Object.values(golden[scene].wasm), ...Object.values(golden[scene].ts)])
      expect(hash).toMatch(/^[0-9a-f]{16}$/);
  }
});

test('CI runs wasm in both hosts, in one of them to the end, and ts in the other', () => {
  for (const scene of SCENES) {
    const done = CI_HOSTS.flatMap((host: string) =>
      ciJobsFor(host)
        .filter((job: { scene: string }) => job.scene === scene)
        .map(({ backend, steps }: { backend: string; steps: number[] }) => `${backend} ${steps.join(' ')}`),
    );
    const [early, end] = stepsOf(scene, 'wasm');
    expect(done.sort(), scene).toEqual([`ts ${stepsOf(scene, 'ts')[0]}`, `wasm ${early}`, `wasm ${early} ${end}`]);
  }
});

test('a difference names scene, backend, host, step and both hashes; a scene without a hash is one', () => {
  const result = { job: { scene: 'clay', backend: 'ts' }, hashes: { 20: 'aa', 300: 'bb' } };
  expect(differences('chromium', result, { clay: { ts: { 20: 'aa', 300: 'cc' } } })).toEqual([
    'clay, ts, in chromium, after 300 steps: expected cc, got bb.',
  ]);
  expect(differences('node', result, {})).toHaveLength(2);
});
