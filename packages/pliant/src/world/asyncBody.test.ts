import { describe, expect, it } from 'vitest';
import { buildBody } from '../body/build.js';
import type { BodyOptions } from '../body/options.js';
import { PliantError } from '../check.js';
import { hashSnapshot } from '../snapshot/hashSnapshot.js';
import { BUILD_STAGES, type BuildProgress } from '../work.js';
import { World } from '../world.js';

// Tests run on the sources, which have no file of the thread: bodies are built in parts. tests/asyncBody.long.test.ts has the thread.

const BALL: BodyOptions = { shape: { type: 'sphere', radius: 1 }, sampling: { count: 400 }, position: [0, 2, 0] };
const WITH_FUNCTION: BodyOptions = { ...BALL, material: { young: (_, y) => (y > 2 ? 2e5 : 1e5) } };

const rejection = (promise: Promise<unknown>): Promise<PliantError> =>
  promise.then(
    () => expect.fail('it was not rejected'),
    (error) => {
      expect(error).toBeInstanceOf(PliantError);
      return error as PliantError;
    },
  );

describe('world.addBodyAsync in parts', () => {
  it.each([
    ['plain options', BALL],
    ['a function among the options', WITH_FUNCTION],
  ])('adds the same bits as addBody: %s', async (_, options) => {
    const [apart, now] = [await World.create(), await World.create()];
    const body = await apart.addBodyAsync(options);
    now.addBody(options);
    expect(apart.bodies).toEqual([body]);
    expect(hashSnapshot(apart.snapshot())).toBe(hashSnapshot(now.snapshot()));
  });

  it('lets other things go on between the stages, and tells its progress', async () => {
    const world = await World.create();
    const seen: BuildProgress[] = [];
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await world.addBodyAsync(WITH_FUNCTION, { onProgress: (progress) => void seen.push(progress) });
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(new Set(seen.map(({ stage }) => stage))).toEqual(new Set(BUILD_STAGES));
    expect(seen.at(-1)!.done).toBe(1);
    for (let k = 1; k < seen.length; k++) expect(seen[k].done).toBeGreaterThan(seen[k - 1].done);
  });

  it('can be cancelled, and steps go on meanwhile', async () => {
    const world = await World.create();
    world.addBody(BALL);
    const before = world.particleCount;
    const controller = new AbortController();
    const adding = world.addBodyAsync(WITH_FUNCTION, { signal: controller.signal });
    world.step();
    controller.abort();
    const error = await rejection(adding);
    expect(error.code).toBe('cancelled');
    expect(world.particleCount).toBe(before);
    expect((await rejection(world.addBodyAsync(BALL, { signal: { aborted: true } }))).code).toBe('cancelled');
  });

  it('refuses what addBody refuses, and passes on what onProgress throws; both change nothing', async () => {
    const world = await World.create();
    expect((await rejection(world.addBodyAsync({ ...BALL, position: [0, 1] as never }))).message).toContain(
      'body.position is [0, 1]',
    );
    expect((await rejection(world.addBodyAsync(BALL, { progress: 1 } as never))).path).toBe('build.progress');
    expect((await rejection(world.addBodyAsync(null as never))).path).toBe('body');
    const own = new Error('mine');
    const throwing = world.addBodyAsync(WITH_FUNCTION, {
      onProgress: () => {
        throw own;
      },
    });
    await expect(throwing).rejects.toBe(own);
    expect(world.bodies).toEqual([]);
    expect(world.particleCount).toBe(0);
  });

  it('takes a built body, and is refused by a world that was disposed meanwhile', async () => {
    const world = await World.create();
    const body = await world.addBodyAsync(buildBody(BALL));
    expect(world.bodies).toEqual([body]);
    const adding = world.addBodyAsync(WITH_FUNCTION);
    world.dispose();
    expect((await rejection(adding)).path).toBe('world');
  });
});
