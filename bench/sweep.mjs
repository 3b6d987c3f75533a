// Sweeps: jobs a second of tiny runs, the speed-up by processes, and the costs of the queue by Redis, from which follows how many machines one sweep can keep busy.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { planSweep, runJobs } from '@pliant/sweep';
import { findRedis } from '../scripts/redis.mjs';
import { table } from './statistics.mjs';

/** Eight particles and a few steps, or many: the cost of a job itself, and work that can be shared. */
const scene = {
  title: 'Cube',
  bodies: [
    {
      geometry: { type: 'box', size: [1, 1, 1] },
      sampling: { method: 'grid', spacing: 0.5 },
      clustering: { count: 1 },
      position: [0, 0.52, 0],
      material: { young: 1e5 },
    },
  ],
  colliders: [{ type: 'plane', normal: [0, 1, 0] }],
};

async function jobsOf(file, count, frames) {
  const list = Array.from({ length: count }, (_, k) => 1e4 + k);
  const axes = [[{ path: 'bodies[0].material.young', list, scale: 'linear' }]];
  const { runs } = await planSweep({ scene: file, axes, frames, measures: ['height', 'energy@max'] });
  return runs.map(({ job }) => job);
}

/** Runs jobs; seconds from the first to the last outcome, so that starting processes does not count, and mean milliseconds of a run in its process. */
async function timed(jobs, options) {
  let [first, last, own, ended] = [0, 0, 0, 0];
  const cpu = process.cpuUsage();
  await runJobs(jobs, {
    ...options,
    onOutcome(_, outcome) {
      last = performance.now();
      first ||= last;
      ended++;
      if (outcome.status !== 'done') throw new Error(outcome.reason);
      own += outcome.value.timing.runTime;
    },
  });
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (last - first) / 1000, runMs: own / ended, cpuMs: (user + system) / 1000 / ended };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Seconds of CPU that a process has used, of Linux: fields 14 and 15 of its stat, in hundredths. */
async function cpuOf(pid) {
  const { readFileSync } = await import('node:fs');
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function overRedis(file, count) {
  const server = findRedis();
  if (!server || process.platform !== 'linux') {
    console.log('no redis-server here (or no Linux): the queue over machines is not measured\n');
    return undefined;
  }
  const port = await freePort();
  const redis = spawn(server, ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
  const address = `redis://127.0.0.1:${port}`;
  const bin = fileURLToPath(new URL('../packages/cli/bin/pliant.mjs', import.meta.url));
  const worker = spawn(process.execPath, [bin, 'worker', '--redis', address, '--processes', '1'], { stdio: 'ignore' });
  try {
    await sleep(3000);
    // Once to warm up: another scene, so that no job is the same.
    await timed(await jobsOf(file, 20, 2), { redis: address });
    const before = await Promise.all([redis.pid, worker.pid].map(cpuOf));
    const { seconds, runMs, cpuMs } = await timed(await jobsOf(file, count, 6), { redis: address });
    const after = await Promise.all([redis.pid, worker.pid].map(cpuOf));
    const [redisMs, workerMs] = after.map((value, k) => (1000 * (value - before[k])) / count);
    return {
      'jobs/s, 1 process': Number((count / seconds).toFixed(0)),
      'run (ms)': Number(runMs.toFixed(2)),
      'CPU of the sweep (ms/job)': Number(cpuMs.toFixed(2)),
      'CPU of Redis (ms/job)': Number(redisMs.toFixed(2)),
      'CPU of the worker (ms/job)': Number(workerMs.toFixed(2)),
    };
  } finally {
    worker.kill('SIGKILL');
    redis.kill('SIGKILL');
  }
}

/** Seconds that a run must last for so many machines of 8 cores to be kept busy by one sweep: its CPU, or that of Redis, is the limit. */
function machines(queue) {
  const perJob = Math.max(queue['CPU of the sweep (ms/job)'], queue['CPU of Redis (ms/job)']) / 1000;
  return [1, 10, 100].map((count) => ({
    machines: count,
    cores: 8 * count,
    'most jobs/s': Math.round(1 / perJob),
    'shortest run that keeps all busy (s)': Number((8 * count * perJob).toPrecision(2)),
  }));
}

export async function sweep({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-bench-'));
  const file = join(folder, 'cube.json');
  writeFileSync(file, JSON.stringify(scene));
  try {
    const count = quick ? 200 : 1000;
    const rows = [];
    for (const [name, frames, jobs] of [
      ['tiny', 6, count],
      ['longer', 4000, count / 10],
    ]) {
      let alone;
      for (const processes of [...new Set([1, 2, availableParallelism()])]) {
        const { seconds, runMs } = await timed(await jobsOf(file, jobs, frames), { processes });
        alone ??= seconds;
        rows.push({
          runs: `${jobs} ${name}`,
          processes,
          'jobs/s': Number((jobs / seconds).toFixed(1)),
          'run (ms)': Number(runMs.toFixed(2)),
          'speed-up': Number((alone / seconds).toFixed(2)),
        });
      }
    }
    console.log(`Sweeps, on this machine\n${table(rows)}\n`);
    const queue = await overRedis(file, count);
    if (!queue) return { rows };
    console.log(`One worker process by Redis, tiny runs\n${table([queue])}\n`);
    const expected = machines(queue);
    console.log(`One sweep over machines, by these costs\n${table(expected)}\n`);
    return { rows, queue, expected };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
