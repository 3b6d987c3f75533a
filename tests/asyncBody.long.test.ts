import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as Engine from 'pliant';
import { describe, expect, test } from 'vitest';

// The built package, as a user has it: only there is the file of the thread.
const BUILT = new URL('../packages/pliant/dist/index.js', import.meta.url);
const { World, hashSnapshot, PliantError } = (await import(/* @vite-ignore */ BUILT.href)) as typeof Engine;

const BODIES: Record<string, Engine.BodyOptions> = {
  shape: { shape: { type: 'torus', radius: 1, tube: 0.4 }, sampling: { count: 4000 }, position: [1, 2, 3] },
  mesh: {
    mesh: { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2] },
    sampling: { count: 500 },
    material: { toughness: { vertices: [1, 1, 2, 2] } },
    contact: { mode: 'surface' },
  },
  points: { points: Float64Array.from({ length: 300 }, (_, k) => ((k * 7919) % 101) / 101) },
  levels: {
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', spacing: 0.1 },
    material: { raw: { stiffness: 0.5 } },
    clustering: { count: 60 },
    levels: { sums: 'particles' },
  },
};

/** How often timers fire while something is awaited: never, if it blocks. */
async function turnsDuring(promise: Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await promise;
  clearInterval(timer);
  return turns;
}

describe('world.addBodyAsync in a thread', () => {
  test('the package has the file of the thread', () => {
    expect(existsSync(fileURLToPath(new URL('buildWorker.js', BUILT)))).toBe(true);
  });

  test.each(Object.keys(BODIES))('gives the bits of addBody: %s', async (name) => {
    const [apart, now] = [await World.create(), await World.create()];
    const body = await apart.addBodyAsync(BODIES[name]);
    const same = now.addBody(BODIES[name]);
    for (const world of [apart, now]) for (let k = 0; k < 3; k++) world.step();
    expect(hashSnapshot(apart.snapshot())).toBe(hashSnapshot(now.snapshot()));
    expect(body.getSkin().positions).toEqual(same.getSkin().positions);
    expect(apart.validate()).toEqual([]);
  });

  test('leaves the calling thread free, tells its progress, and several build at a time', async () => {
    const world = await World.create();
    const seen: number[] = [];
    const onProgress = ({ done }: Engine.BuildProgress) => void seen.push(done);
    const both = Promise.all([
      world.addBodyAsync({ ...BODIES.shape, sampling: { count: 6_000 } }, { onProgress }),
      world.addBodyAsync(BODIES.points),
    ]);
    expect(await turnsDuring(both)).toBeGreaterThan(20);
    expect(world.bodies.length).toBe(2);
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.at(-1)).toBe(1);
    for (let k = 1; k < seen.length; k++) expect(seen[k]).toBeGreaterThan(seen[k - 1]);
  });

  test('is cancelled by a signal at once, also by one without events', async () => {
    const world = await World.create();
    const big = { ...BODIES.shape, sampling: { count: 60_000 } };
    const controller = new AbortController();
    const plain = { aborted: false };
    const builds = [controller.signal, plain].map((signal) =>
      world.addBodyAsync(big, { signal }).catch((error: unknown) => error),
    );
    setTimeout(() => {
      controller.abort();
      plain.aborted = true;
    }, 100);
    for (const error of await Promise.all(builds)) {
      expect(error).toBeInstanceOf(PliantError);
      expect((error as Engine.PliantError).code).toBe('cancelled');
    }
    expect(world.particleCount).toBe(0);
  });

  test('passes a refusal on as the PliantError that addBody throws', async () => {
    const world = await World.create();
    const wrong: Engine.BodyOptions = { ...BODIES.shape, material: { poisson: 2 } };
    const error = await world.addBodyAsync(wrong).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(PliantError);
    expect(() => world.addBody(wrong)).toThrow((error as Engine.PliantError).message);
    expect((error as Engine.PliantError).path).toBe('body.material.poisson');
  });
});
