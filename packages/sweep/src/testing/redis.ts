import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-expect-error: a plain script, shared with `npm test`'s set-up.
import { findRedis } from '../../../../scripts/redis.mjs';

/** Why no Redis can be started here; undefined where one can. */
export const unavailable: string | undefined = findRedis() ? undefined : 'no redis-server on this machine';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A redis-server of the test, on a free port, that keeps nothing on the disk. */
export class TestRedis {
  private child: ChildProcess | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'pliant-redis-'));

  private constructor(readonly port: number) {}

  static async start(...args: string[]): Promise<TestRedis> {
    const redis = new TestRedis(await freePort());
    await redis.up(...args);
    return redis;
  }

  get address(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async up(...args: string[]): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--dir', this.folder, ...args];
    this.child = spawn(findRedis(), options, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    for await (const text of this.child.stdout!) {
      said += text;
      if (/Ready to accept connections/i.test(said)) break;
    }
    this.child.stdout!.resume();
  }

  /** Ends the server by SIGKILL: all its data are gone. */
  async down(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child) return;
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  async close(): Promise<void> {
    await this.down();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The built command `pliant`, as a process of its own. Its standard error is collected in `said`. */
export class Pliant {
  said = '';
  readonly child: ChildProcess;

  constructor(...args: string[]) {
    const bin = fileURLToPath(new URL('../../../cli/bin/pliant.mjs', import.meta.url));
    this.child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child.stderr!.setEncoding('utf8').on('data', (text) => {
      this.said += text;
    });
  }

  /** Waits until the process has said something. */
  async hears(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.said)) {
      if (this.child.exitCode !== null) throw new Error(`pliant ended with ${this.child.exitCode}: ${this.said}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }
}
