import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { codeVersion } from './hash.js';
import { PREFIX, presenceKey, queueName } from './queue/redis.js';
import { sweep } from './sweep.js';
import { Pliant, TestRedis, unavailable } from './testing/redis.js';
import { CUBE, scratch } from './testing/scenes.js';
import { parseVariation } from './vary/combinations.js';

const disk = scratch();
const scene = disk.write('cube.json', CUBE);

/** Combinations of a stiffness, a height and a step: as many runs as their product. */
const request = (young: number, heights: number) => ({
  scene,
  axes: [
    [parseVariation(`bodies[0].material.young=1e4..1e6/${young}log`)],
    [
      parseVariation(
        `bodies[cube].position=${Array.from({ length: heights }, (_, k) => `[0,${0.5 + k / 50},0]`).join()}`,
      ),
    ],
    [parseVariation('dt=1/60,1/120')],
  ],
  measures: ['height', 'energy@max', 'hash', 'centreOfMass.y@all/2'],
});

const TABLES = ['runs.csv', 'runs.parquet', 'series.csv', 'series.parquet'];
const tablesIn = (folder: string) => TABLES.map((name) => readFileSync(disk.path(`${folder}/${name}`)));

describe.skipIf(unavailable)(`workers by Redis${unavailable ? ` (${unavailable})` : ''}`, () => {
  let redis: TestRedis;
  const workers: Pliant[] = [];
  const startWorker = (...args: string[]) => {
    const worker = new Pliant('worker', '--redis', redis.address, '--processes', '1', '--dead-after', '2', ...args);
    workers.push(worker);
    return worker;
  };
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  });
  afterAll(() => redis?.close());

  test('500 runs over three workers, one killed, Redis restarted without its data: the table of one process, byte for byte', async () => {
    const asked = request(25, 10);
    const alone = await sweep(asked, { out: disk.path('alone'), processes: 1 });
    expect(alone).toMatchObject({ total: 500, before: 0, ran: 500, left: 0, failed: [] });

    const three = [startWorker(), startWorker(), startWorker()];
    for (const worker of three) await worker.hears(/waiting for jobs/);
    const notes: string[] = [];
    let restarted: Promise<void> | undefined;
    const many = await sweep(asked, {
      out: disk.path('many'),
      redis: redis.address,
      onNote: (line) => notes.push(line),
      onRun(_, ended) {
        if (ended === 100) three[0].child.kill('SIGKILL');
        if (ended === 250) restarted = redis.down().then(() => redis.up());
      },
    });
    await restarted;
    expect(many).toMatchObject({ total: 500, before: 0, ran: 500, left: 0, failed: [] });
    expect(three[0].child.signalCode).toBe('SIGKILL');
    expect(notes.join('\n')).toMatch(/does not answer.*nothing is lost\n(.*\n)*Redis is back after/);
    expect(tablesIn('many')).toEqual(tablesIn('alone'));

    // Another call, here or there, runs nothing.
    for (const place of [{}, { redis: redis.address }])
      expect(await sweep(asked, { out: disk.path('many'), ...place })).toMatchObject({
        before: 500,
        ran: 0,
        failed: [],
      });
    expect(tablesIn('many')).toEqual(tablesIn('alone'));
  });

  test('the run of a worker that was killed is taken over by another', async () => {
    const asked = { ...request(2, 1), frames: 20_000, measures: ['hash'] };
    const first = startWorker();
    await first.hears(/waiting for jobs/);
    const done = sweep(asked, { out: disk.path('taken'), redis: redis.address });
    const client = new Redis(redis.address);
    const active = `${PREFIX}:${queueName(false)}:active`;
    while ((await client.llen(active)) === 0);
    await first.end('SIGKILL');
    // Its run is in nobody's hands now.
    expect(await client.llen(active)).toBe(1);
    client.disconnect();
    startWorker();
    expect(await done).toMatchObject({ total: 4, ran: 4, failed: [] });
  });

  test('a worker of another version takes nothing, and both sides say so', async () => {
    const other = { host: 'elsewhere', pid: 7, version: '9.9.9-abc' };
    const client = new Redis(redis.address);
    await client.set(presenceKey('worker', 'other'), JSON.stringify(other));
    await client.set(presenceKey('sweep', 'other'), JSON.stringify({ ...other, version: '8.8.8-def' }));
    const notes: string[] = [];
    const done = sweep(request(2, 1), {
      out: disk.path('versions'),
      redis: redis.address,
      onNote: (line) => notes.push(line),
    });
    await vi.waitFor(() => expect(notes).toHaveLength(1), 120_000);
    expect(notes[0]).toBe(
      `no worker of version ${codeVersion()}; elsewhere (process 7) has 9.9.9-abc and takes none of these jobs; the jobs wait`,
    );
    const worker = startWorker();
    await worker.hears(/a sweep of elsewhere needs version 8\.8\.8-def; this worker has .* and takes none of its jobs/);
    expect(await done).toMatchObject({ ran: 4, failed: [] });
    await client.del(presenceKey('worker', 'other'), presenceKey('sweep', 'other'));
    client.disconnect();
  });

  test('files and modules of measures travel with the runs, code only to workers that allow it', async () => {
    const mesh = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
    disk.write('corner.obj', mesh);
    const [body] = CUBE.bodies;
    const withMesh = {
      ...CUBE,
      bodies: [{ ...body, geometry: { type: 'mesh', file: 'corner.obj' }, sampling: { count: 12 } }],
    };
    const asked = {
      scene: disk.write('mesh.json', withMesh),
      axes: [[parseVariation('bodies[0].material.young=1e4,1e5')]],
      module: disk.write('own.mjs', 'export const twice = ({ world }) => 2 * world.particleCount;'),
      measures: ['twice', 'particles', 'hash'],
    };
    const notes: string[] = [];
    const client = new Redis(redis.address);
    const unwilling = { host: 'shy', pid: 1, version: codeVersion(), allowsCode: false };
    await client.set(presenceKey('worker', 'shy'), JSON.stringify(unwilling), 'EX', 60);
    client.disconnect();
    const done = sweep(asked, { out: disk.path('files'), redis: redis.address, onNote: (line) => notes.push(line) });
    await vi.waitFor(() => expect(notes.join()).toMatch(/start one with --allow-modules/), 120_000);
    startWorker('--allow-modules');
    expect(await done).toMatchObject({ ran: 2, failed: [] });
    const [, first] = readFileSync(disk.path('files/runs.csv'), 'utf8')
      .split('\n')
      .map((line) => line.split(','));
    expect(Number(first[4])).toBe(2 * Number(first[5]));
    await sweep(asked, { out: disk.path('filesHere'), processes: 1 });
    expect(readFileSync(disk.path('files/runs.csv'))).toEqual(readFileSync(disk.path('filesHere/runs.csv')));
  });

  test('an end of the sweep leaves no job behind; the next call goes on', async () => {
    const stop = new AbortController();
    const asked = request(2, 1);
    // Nobody works: all jobs wait.
    setTimeout(() => stop.abort(), 300);
    const stopped = await sweep(asked, { out: disk.path('ended'), redis: redis.address, signal: stop.signal });
    expect(stopped).toMatchObject({ total: 4, ran: 0, left: 4 });
    expect(readFileSync(disk.path('ended/runs.csv'), 'utf8')).toMatch(/not run,the sweep was stopped before it/);
    const client = new Redis(redis.address);
    expect(await client.llen(`${PREFIX}:${queueName(false)}:wait`)).toBe(0);
    client.disconnect();
    startWorker();
    expect(await sweep(asked, { out: disk.path('ended'), redis: redis.address })).toMatchObject({ ran: 4, left: 0 });
  });

  test('a sweep that is killed loses nothing: workers go on, and the next call takes what they did', async () => {
    const worker = startWorker();
    const out = disk.path('orphaned');
    const args = [
      '--vary',
      'bodies[0].material.young=1e4..1e6/30log',
      '--measure',
      'hash',
      '--no-thumbnails',
      '--out',
      out,
    ];
    const first = new Pliant('sweep', scene, '--redis', redis.address, ...args);
    await first.hears(/run \d+\/30/);
    await first.end('SIGKILL');
    const axes = [[parseVariation('bodies[0].material.young=1e4..1e6/30log')]];
    const rest = await sweep({ scene, axes, measures: ['hash'] }, { out, redis: redis.address });
    expect(rest).toMatchObject({ total: 30, left: 0, failed: [] });
    expect(rest.before).toBeGreaterThan(0);
    await worker.end();
    // No run was made twice.
    expect(worker.said).toMatch(/stopped by SIGTERM; 30 jobs done/);
  });

  test('a Redis that is full is waited for, and one that is not there is refused', async () => {
    const small = await TestRedis.start('--maxmemory', '1', '--maxmemory-policy', 'noeviction');
    const notes: string[] = [];
    const worker = new Pliant('worker', '--redis', small.address, '--processes', '1');
    workers.push(worker);
    const done = sweep(request(2, 1), {
      out: disk.path('small'),
      redis: small.address,
      onNote: (line) => notes.push(line),
    });
    await vi.waitFor(() => expect(notes.join()).toMatch(/Redis refuses work \(.*OOM.*nothing is lost/), 120_000);
    const client = new Redis(small.address);
    await client.config('SET', 'maxmemory', '0');
    expect(await done).toMatchObject({ ran: 4, failed: [] });
    expect(notes.filter((line) => /refuses work/.test(line)).length).toBeLessThan(4);
    expect(notes).toContain('Redis takes work again');
    client.disconnect();
    await worker.end('SIGKILL');
    await small.down();
    const gone = sweep(
      { ...request(2, 1), frames: 1 },
      { out: disk.path('gone'), redis: `redis://:secret@127.0.0.1:${small.port}` },
    );
    await expect(gone).rejects.toThrow(
      /^--redis redis:\/\/…@127\.0\.0\.1:\d+: cannot connect \(.*ECONNREFUSED.*\); expected a Redis that answers there\.$/,
    );
    await small.close();
  });
});
