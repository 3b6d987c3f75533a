import { readdirSync, readFileSync } from 'node:fs';
import { parseParticles, readMesh } from '@pliant/scene';
import { STAGES } from 'pliant';
import { expect, test } from 'vitest';
import type { RunStats } from './stats.js';
import { BOX, pliant, scratch } from './testing/cli.js';

const disk = scratch();
const box = disk.scene('box.json', BOX);
const stats = async (...args: string[]): Promise<RunStats> => {
  const file = disk.path('stats.json');
  const { code, err } = await pliant('run', ...args, '--stats', file, '--quiet');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(readFileSync(file, 'utf8'));
};

test('the statistics have exactly the fields that are promised', async () => {
  const s = await stats(box, '--frames', '20', '--probe', '0,7');
  expect(Object.keys(s)).toEqual([
    ...[
      'scene',
      'backend',
      'threads',
      'dt',
      'load',
      'particles',
      'clusters',
      'memberships',
      'step',
      'finite',
      'events',
      'frames',
    ],
  ]);
  expect(s).toMatchObject({ scene: box, backend: 'wasm', threads: 1, dt: 1 / 60, finite: true });
  expect(Object.keys(s.load)).toEqual(['seconds']);
  expect(Object.keys(s.particles)).toEqual(['initial', 'final']);
  expect(s.clusters).toEqual({ initial: 3, final: 3, perLevel: [3] });
  expect(s.memberships).toBeGreaterThanOrEqual(s.particles.initial);
  expect(Object.keys(s.step)).toEqual(['count', 'meanMs', 'medianMs', 'p95Ms', 'stages']);
  expect(s.step.count).toBe(20);
  expect(Object.keys(s.step.stages)).toEqual([...STAGES]);
  expect(s.events).toEqual({ fractures: 0, splits: 0, removed: 0, added: 0 });
  expect(s.frames.map((f) => f.frame)).toEqual([0, 10, 20]);
  expect(Object.keys(s.frames[0])).toEqual([
    ...[
      'frame',
      'time',
      'particles',
      'clusters',
      'mass',
      'com',
      'bboxMin',
      'bboxMax',
      'rms',
      'kineticEnergy',
      'momentum',
    ],
    ...['angularMomentum', 'maxStretch', 'probe'],
  ]);
  expect(s.frames[1].probe).toEqual([
    [0, [expect.any(Number), expect.any(Number), expect.any(Number)]],
    [7, [expect.any(Number), expect.any(Number), expect.any(Number)]],
  ]);
  expect(s.frames[0]).toMatchObject({ time: 0, kineticEnergy: 0 });
  expect(s.frames[1].mass).toBe(s.frames[0].mass);
  // In free fall the momentum is m g t.
  expect(s.frames[1].momentum[1]).toBeCloseTo((-9.81 * s.frames[0].mass * 10) / 60, 1);
});

test('frames are 0, 10, 20, 50, 100, 150, 200, then every 100', async () => {
  const s = await stats(box, '--frames', '410', '--backend', 'ts');
  expect(s.frames.map((f) => f.frame)).toEqual([0, 10, 20, 50, 100, 150, 200, 300, 400]);
  expect(s.backend).toBe('ts');
});

test("the scene's own number of frames is the default; none is allowed", async () => {
  expect((await stats(box)).step.count).toBe(5);
  expect((await stats(box, '--frames', '0')).step).toMatchObject({ count: 0, meanMs: 0, medianMs: 0, p95Ms: 0 });
});

test('the same seed gives the same run, another seed another', async () => {
  const end = async (seed: string) => (await stats(box, '--frames', '10', '--seed', seed)).frames[1];
  expect(await end('4')).toEqual(await end('4'));
  expect(await end('4')).not.toEqual(await end('5'));
});

test('clusters can be given', async () => {
  const points = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2]);
  const scene = disk.scene('points.json', { bodies: [{ geometry: { type: 'points', points } }], gravity: [0, 0, 0] });
  const clusters = disk.scene('clusters.json', {
    clusters: [{ members: [0, 1, 2, 3, 4, 5] }, { members: [2, 3, 4, 5, 6, 7] }],
  });
  const s = await stats(scene, '--clusters', clusters, '--frames', '1');
  expect([s.clusters.final, s.memberships]).toEqual([2, 12]);
  const wrong = disk.scene('wrong.json', { clusters: [{ members: [0, 8] }] });
  const { code, err } = await pliant('run', scene, '--clusters', wrong);
  expect(code).toBe(2);
  expect(err).toContain('wrong.json: clusters[0].members[1] is 8; expected a particle number from 0 to 7.');
});

test('a run tells its progress on standard error and its table on standard output', async () => {
  const { code, out, err } = await pliant('run', box, '--frames', '20');
  expect(code).toBe(0);
  expect(err.split('\n').filter((line) => line.startsWith('frame'))).toHaveLength(10);
  for (const word of [
    'particles',
    'clusters',
    'memberships',
    'match',
    'strainLimit',
    'real time',
    'mass change',
    'largest stretch',
  ])
    expect(out).toContain(word);
  expect(out).toContain('not a free scene');
});

test('a free scene shows what was conserved', async () => {
  const scene = disk.scene('free.json', {
    ...BOX,
    colliders: [],
    bodies: [{ ...BOX.bodies[0], angularVelocity: [0, 2, 0] }],
  });
  const { out } = await pliant('run', scene, '--frames', '30');
  expect(out).toMatch(/momentum change +\d\.\de-\d+ m\/s of the whole mass, beyond gravity/);
  expect(out).toMatch(/mass change +0 \(exact\)/);
});

test('--out FILE.ply holds the last state, coloured by cluster', async () => {
  const file = disk.path('deep/er/last.ply');
  const s = await stats(box, '--frames', '10', '--probe', '3', '--out', file);
  const ply = await readMesh(readFileSync(file), file);
  expect(ply.kind).toBe('points');
  expect(ply.positions.length / 3).toBe(s.particles.final);
  expect(Array.from(ply.positions.subarray(9, 12))).toEqual(s.frames[1].probe[0][1]);
  const colours = new Set(
    Array.from({ length: s.particles.final }, (_, i) => ply.colours!.subarray(3 * i, 3 * i + 3).join()),
  );
  expect(colours.size).toBe(3);
});

test('--out FOLDER holds every n-th frame', async () => {
  await stats(box, '--frames', '10', '--out', disk.path('frames'), '--every', '4');
  expect(readdirSync(disk.path('frames'))).toEqual(['frame_0000.ply', 'frame_0004.ply', 'frame_0008.ply']);
});

test('--out FILE.html is one page that needs nothing from elsewhere', async () => {
  const file = disk.path('run.html');
  const { out } = await pliant('run', box, '--frames', '10', '--out', file);
  expect(out).toContain(`open file://${file} in a browser`);
  const html = readFileSync(file, 'utf8');
  expect(html).toMatch(/^<!doctype html>/);
  expect(html).not.toMatch(/https?:\/\/|src=|@import/);
  const data = JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)![1]);
  expect(data).toMatchObject({
    title: 'Box',
    frames: 11,
    obstacles: [{ type: 'plane', direction: [0, 1, 0], until: null }],
  });
});

test('a research scene runs, and its warnings are told once each', async () => {
  const lines = Array.from({ length: 64 }, (_, i) => `${i % 4} ${(i >> 2) % 4} ${i >> 4}`);
  const particles = disk.scene('p.txt', lines.join('\n'));
  expect(parseParticles(readFileSync(particles), particles).positions).toHaveLength(192);
  const scene = disk.scene('r.json', {
    particleFiles: [particles, particles],
    neighborRadius: 4,
    alpha: 0.5,
    clusterOverlap: 1.5,
  });
  const { code, err } = await pliant('run', scene, '--frames', '3', '--quiet');
  expect(code).toBe(0);
  expect(err.split('\n').filter((line) => line.includes('clusterOverlap is 1.5'))).toHaveLength(1);
});
