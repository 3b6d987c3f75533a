import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PREFIX, queueName } from './queue/redis.js';
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

describe.skipIf(unavailable)('workers by Redis', () => {
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
    startWorker();
    expect(await done).toMatchObject({ total: 4, ran: 4, failed: [] });
  });
});
