import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { sha256 } from '../hash.js';
import { scratch } from '../testing/scenes.js';
import { runJobs } from './runJobs.js';
import type { Job, Outcome } from './task.js';

const disk = scratch();

/** A task that does what its input says. */
const task = pathToFileURL(
  disk.write(
    'task.mjs',
    `import { appendFileSync } from 'node:fs';
    export async function run(input, { file }) {
      if (input.note) appendFileSync(input.note, 'x');
      switch (input.act) {
        case 'die': process.exit(3);
        case 'kill': process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});
        case 'fill': { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); }
        case 'hang': for (;;);
        case 'throw': throw new TypeError('thrown');
        case 'file': return new TextDecoder().decode(await file(input.hash));
        default: return input.value * 2;
      }
    }`,
  ),
).href;

const jobOf = (id: string, input: object, files?: Job['files']): Job => ({ id, task: 'test', input, files });

async function outcomes(
  jobs: Job[],
  options: Partial<Parameters<typeof runJobs>[1]> = {},
): Promise<Map<string, Outcome>> {
  const found = new Map<string, Outcome>();
  await runJobs(jobs, {
    processes: 2,
    tasks: { test: task },
    retries: 0,
    onOutcome: (job, outcome) => void found.set(job.id, outcome),
    ...options,
  });
  return found;
}

test('jobs of any task run in processes of their own', async () => {
  const found = await outcomes(Array.from({ length: 20 }, (_, k) => jobOf(`j${k}`, { value: k })));
  expect([...found].map(([id, outcome]) => [id, outcome]).sort()).toEqual(
    Array.from({ length: 20 }, (_, k) => [`j${k}`, { status: 'done', value: 2 * k }]).sort(),
  );
});

test('a job that ends its process, hangs or throws is an outcome with its reason, and the others are done', async () => {
  const acts = ['die', 'kill', 'throw', 'hang', 'none'];
  const jobs = [...acts.map((act) => jobOf(act, { act, value: 1 })), { ...jobOf('unknown', {}), task: 'bake' }];
  const found = await outcomes(jobs, { timeLimit: 3 });
  expect(Object.fromEntries(found)).toEqual({
    die: { status: 'killed', reason: 'its process ended with code 3' },
    kill: { status: 'killed', reason: 'its process was ended by SIGKILL (by the system, if memory was short)' },
    throw: { status: 'failed', reason: 'thrown' },
    hang: { status: 'over time', reason: 'it took longer than 3 s' },
    none: { status: 'done', value: 2 },
    unknown: { status: 'failed', reason: 'there is no task "bake" here; expected one of simulate, test' },
  });
});

test('a job that fills the memory says so', async () => {
  vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=40');
  const found = await outcomes([jobOf('fill', { act: 'fill' })]);
  vi.unstubAllEnvs();
  expect(found.get('fill')).toEqual({ status: 'killed', reason: 'its process had no memory left' });
});

test('a job whose process died is tried again as often as asked for', async () => {
  const note = disk.path('tries');
  const found = await outcomes([jobOf('die', { act: 'die', note })], { retries: 2 });
  expect(found.get('die')).toEqual({ status: 'killed', reason: 'its process ended with code 3 (tried 3 times)' });
  expect(readFileSync(note, 'utf8')).toBe('xxx');
});

test('files are given by their hash, and a file that changed meanwhile is noticed', async () => {
  const path = disk.write('data.txt', 'first');
  const hash = sha256('first');
  const job = jobOf('file', { act: 'file', hash }, { [hash]: path });
  expect((await outcomes([job])).get('file')).toEqual({ status: 'done', value: 'first' });
  writeFileSync(path, 'second');
  expect((await outcomes([job])).get('file')).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/data\.txt changed since/),
  });
});

test('an end in the middle keeps outcomes that were delivered, and begins nothing more', async () => {
  const stop = new AbortController();
  const ended: string[] = [];
  const jobs = [
    jobOf('a', { value: 1 }),
    jobOf('b', { act: 'hang' }),
    jobOf('c', { act: 'hang' }),
    jobOf('d', { value: 1 }),
  ];
  await runJobs(jobs, {
    processes: 2,
    tasks: { test: task },
    signal: stop.signal,
    onOutcome(job) {
      ended.push(job.id);
      setTimeout(() => stop.abort(), 300);
    },
  });
  expect(ended).toEqual(['a']);
});

test('outcomes are delivered one at a time, and an error of the receiver ends the work', async () => {
  let [open, most] = [0, 0];
  const jobs = Array.from({ length: 6 }, (_, k) => jobOf(`j${k}`, { value: k }));
  await outcomes(jobs, {
    async onOutcome() {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 20));
      open--;
    },
  });
  expect(most).toBe(1);
  const failing = outcomes(jobs, {
    onOutcome() {
      throw new Error('cannot keep it');
    },
  });
  await expect(failing).rejects.toThrow('cannot keep it');
});
