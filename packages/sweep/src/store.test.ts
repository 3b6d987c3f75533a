import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isFinal, Store, type StoredRun, storedRun, writeWhole } from './store.js';
import { scratch } from './testing/scenes.js';

const disk = scratch();
const done: StoredRun = { id: 'a', status: 'done' };
const full = () => Object.assign(new Error('no space'), { code: 'ENOSPC' });

test('a run is a file that is there as a whole or not at all', async () => {
  const store = new Store(disk.path('whole'));
  await store.open();
  await store.keep(done);
  await store.keep({ id: 'b', status: 'killed', reason: 'x' });
  expect(await store.read('a')).toEqual(done);
  expect([...(await store.final(['a', 'b', 'c'])).keys()]).toEqual(['a']);
  expect(readdirSync(disk.path('whole/runs'))).toEqual(['a.json', 'b.json']);
  // Damaged by something else: the run is made again.
  writeFileSync(disk.path('whole/runs/a.json'), '{"id":"a","sta');
  expect((await store.final(['a'])).size).toBe(0);
  writeFileSync(disk.path('whole/runs/a.json'), '{"id":"other","status":"done"}');
  expect((await store.final(['a'])).size).toBe(0);
  await store.close();
});

test('runs that would end the same way again are final, others are tried again', () => {
  const statuses = ['done', 'not finite', 'refused', 'failed', 'killed', 'over time', 'not run'] as const;
  expect(statuses.filter((status) => isFinal({ id: 'x', status }))).toEqual(['done', 'not finite', 'refused']);
  const value = { values: {}, series: {}, steps: 2, warnings: [], timing: {} };
  expect(storedRun('x', { status: 'done', value: { ...value, notFinite: 'at 1 s' } })).toMatchObject({
    status: 'not finite',
    reason: 'at 1 s',
  });
});

test('while the disk is full the store waits, says so once, and goes on when there is room', async () => {
  const notes: string[] = [];
  let tries = 0;
  const store = new Store(disk.path('full'), {
    onNote: (line) => notes.push(line),
    retryEvery: 0.01,
    write: async (path, content) => {
      if (++tries < 4) throw full();
      await writeWhole(path, content);
    },
  });
  await store.open();
  await store.keep(done);
  expect(tries).toBe(4);
  expect(notes).toEqual([
    `cannot write ${disk.path('full/runs/a.json')}: the disk is full; waiting for room, nothing is lost`,
    `${disk.path('full')}: there is room again`,
  ]);
  expect(await store.read('a')).toEqual(done);
  await store.close();
});

test('an end of the sweep ends the wait for room; other errors are not waited for', async () => {
  const stop = new AbortController();
  const store = new Store(disk.path('stop'), {
    signal: stop.signal,
    onNote: () => stop.abort(),
    write: async () => {
      throw full();
    },
  });
  await store.open();
  await expect(store.keep(done)).rejects.toThrow(/^--out: cannot write .*runs\/a\.json: the disk is full\.$/);
  await store.close();
  const broken = new Store(disk.path('stop'), {
    write: async () => {
      throw new Error('broken');
    },
  });
  await expect(broken.keep(done)).rejects.toThrow(/runs\/a\.json: broken/);
});

test('a file that could not be written leaves nothing aside', async () => {
  mkdirSync(disk.path('taken/x.json'), { recursive: true });
  await expect(writeWhole(disk.path('taken/x.json'), 'text')).rejects.toThrow();
  expect(readdirSync(disk.path('taken'))).toEqual(['x.json']);
});

test('a folder belongs to one sweep at a time; that of a process that is gone is free', async () => {
  const store = new Store(disk.path('one'));
  await store.open();
  await expect(new Store(disk.path('one')).open()).rejects.toThrow(
    new RegExp(`is in use by process ${process.pid} on ${hostname()}`),
  );
  await store.close();
  const lock = disk.path('one/.lock');
  writeFileSync(lock, JSON.stringify({ host: hostname(), pid: 2 ** 30 }));
  writeFileSync(disk.path('one/runs/z.json.1-abc.part'), 'half');
  await store.open();
  expect(JSON.parse(readFileSync(lock, 'utf8')).pid).toBe(process.pid);
  expect(readdirSync(disk.path('one/runs'))).toEqual([]);
  await store.close();
  writeFileSync(lock, JSON.stringify({ host: 'elsewhere', pid: 1 }));
  await expect(store.open()).rejects.toThrow(/in use by process 1 on elsewhere; expected .*\.lock removed/);
});

test('a folder that cannot be made is refused', async () => {
  writeFileSync(disk.path('file'), '');
  await expect(new Store('').open()).rejects.toThrow('--out is empty; expected the name of a folder.');
  for (const folder of [disk.path('file/x'), '/proc/none/x'])
    await expect(new Store(folder).open()).rejects.toThrow(/^--out: cannot write to the folder/);
});
