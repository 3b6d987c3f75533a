import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashSnapshot } from '../snapshot/hashSnapshot.js';
import { BLOCK } from '../snapshot/testing/scenes.js';
import { World } from '../world.js';
import { CONTROL, Control } from './memoryMap.js';
import { Pool } from './pool.js';
import { CASES, withThreads } from './testing/worlds.js';
import { wantedThreads } from './wantedThreads.js';

describe('any number of threads gives the same bits', () => {
  it.each(CASES)('%s', async (_, steps, make) => {
    const first = await make();
    const bytes = first.save();
    first.dispose();
    const hashes = new Set<string>();
    for (const threads of [1, 3]) {
      const world = await withThreads(bytes, threads);
      for (let n = 0; n < steps; n++) world.step();
      expect(world.threads).toBe(threads);
      hashes.add(hashSnapshot(world.snapshot()));
      world.dispose();
    }
    expect(hashes.size).toBe(1);
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Puts something else in place of a module of Node, for one test. */
function replaceModule(name: string, module: unknown): void {
  const actual = process.getBuiltinModule.bind(process) as (name: string) => unknown;
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(((asked: string) =>
    asked === name ? module : actual(asked)) as typeof process.getBuiltinModule);
}

/** A small world that has made a step; it is disposed of by the caller. */
async function stepped(threads: number | 'auto'): Promise<World> {
  const world = await World.create({ threads });
  world.addBody(BLOCK);
  world.step();
  await world.kernels.threads.ready();
  world.step();
  return world;
}

describe('world.threads', () => {
  it('is the number that was asked for, once workers run', async () => {
    const world = await stepped(2);
    expect(world.threads).toBe(2);
    expect(world.positions.buffer).toBeInstanceOf(SharedArrayBuffer);
    world.dispose();
  });

  it('is 1 with threads: 1, whose memory is not shared', async () => {
    const world = await stepped(1);
    expect(world.threads).toBe(1);
    expect(world.positions.buffer).toBeInstanceOf(ArrayBuffer);
  });

  it("is 1 with threads: 'auto' in a small world", async () => {
    const world = await World.create();
    world.addBody(BLOCK);
    world.step();
    expect(world.threads).toBe(1);
    world.dispose();
  });

  it('counts processors up to 8', () => {
    const processors = (count: number) => replaceModule('node:os', { availableParallelism: () => count });
    processors(3);
    expect(wantedThreads('auto')).toEqual({ most: 3, always: false });
    processors(64);
    expect(wantedThreads('auto')).toEqual({ most: 8, always: false });
    processors(1);
    expect(wantedThreads('auto')).toBeUndefined();
    expect(wantedThreads(2)).toEqual({ most: 2, always: true });
  });
});

describe('without threads', () => {
  it.each([
    ['a platform that has no shared memory', () => vi.stubGlobal('SharedArrayBuffer', undefined)],
    ['a page that is not cross-origin isolated', () => vi.stubGlobal('crossOriginIsolated', false)],
    ['a platform that has no workers', () => replaceModule('node:worker_threads', undefined)],
  ])('%s runs worlds on one thread', async (_, stub) => {
    const expected = await stepped(1);
    stub();
    const world = await stepped(4);
    expect(world.threads).toBe(1);
    expect(world.positions.buffer).toBeInstanceOf(ArrayBuffer);
    expect([...world.positions]).toEqual([...expected.positions]);
  });

  it('a platform that refuses to start workers runs worlds on one thread', async () => {
    const expected = await stepped(1);
    class Worker {
      constructor() {
        throw new Error('refused by the content security policy');
      }
    }
    replaceModule('node:worker_threads', { Worker });
    const world = await stepped(4);
    expect(world.threads).toBe(1);
    expect([...world.positions]).toEqual([...expected.positions]);
    world.dispose();
  });
});

describe('dispose', () => {
  it('ends the workers, and may be called again', async () => {
    const world = await stepped(3);
    world.dispose();
    await vi.waitFor(() => expect(world.kernels.threads.count).toBe(1));
    world.dispose();
  });
});

it('a worker that is lost while it holds a job ends the step with an error, not with a hang', () => {
  const memory = { buffer: new SharedArrayBuffer(CONTROL + 4 * Control.LENGTH) };
  const control = new Int32Array(memory.buffer, CONTROL, Control.LENGTH);
  // The first job takes the second from the list, as a worker would, and never does it.
  let calls = 0;
  const work = () => (++calls === 1 ? Atomics.sub(control, Control.SHARES, 1) : 0);
  const pool = new Pool({ module: {} as WebAssembly.Module, memory, functions: [] }, [work], 0, 1, 50);
  const runTwo = () => {
    pool.add(0, 0, 1);
    pool.add(0, 1, 2);
    pool.run();
  };
  expect(runTwo).toThrow(
    expect.objectContaining({
      name: 'PliantError',
      code: 'failed',
      message: expect.stringMatching(/1 jobs .* 0.05 s/),
    }),
  );
  // The pool goes on with the calling thread.
  runTwo();
  expect(calls).toBe(3);
});
