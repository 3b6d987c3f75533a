import { describe, expect, it } from 'vitest';
import { PliantError } from './check.js';
import { type BuildProgress, Work } from './work.js';
import { World } from './world.js';

const OPTIONS = {
  shape: { type: 'box', size: [1, 1, 1] },
  sampling: { count: 400 },
  levels: {},
  material: { raw: {} },
  clustering: { count: 24 },
} as const;

describe('the progress of a build', () => {
  it('never falls, passes every stage in order and reaches 1 once', async () => {
    const world = await World.create({ backend: 'ts' });
    const seen: BuildProgress[] = [];
    world.addBody(OPTIONS, { onProgress: (progress) => seen.push(progress) });
    for (let k = 1; k < seen.length; k++) expect(seen[k].done).toBeGreaterThan(seen[k - 1].done);
    expect([...new Set(seen.map(({ stage }) => stage))]).toEqual(['sample', 'surface', 'cluster', 'levels', 'append']);
    expect(seen.filter(({ done }) => done === 1)).toHaveLength(1);
    expect(seen.at(-1)?.done).toBe(1);
  });

  it('of a body of points has them all too', async () => {
    const world = await World.create({ backend: 'ts' });
    const seen: number[] = [];
    world.addBody({ points: [0, 0, 0, 1, 0, 0] }, { onProgress: ({ done }) => seen.push(done) });
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBe(1);
  });
});

describe('a build that is cancelled', () => {
  /** The state of a world: bodies, rows, and the numbers in use. */
  const stateOf = (world: World) => ({
    bodies: world.bodies.length,
    count: { ...world.state.count },
    x: Array.from(world.positions),
  });

  it.each([0.01, 0.12, 0.3, 0.8, 0.9, 1])('at %d of the way leaves nothing behind', async (share) => {
    const world = await World.create({ backend: 'ts' });
    world.addBody({ points: [0, 0, 0, 1, 0, 0, 0, 1, 0] });
    const before = stateOf(world);
    const signal = { aborted: false };
    const run = () =>
      world.addBody(OPTIONS, {
        signal,
        onProgress: ({ done }) => {
          if (done < share) return;
          signal.aborted = true;
          if (share === 1) throw new RangeError('from the callback');
        },
      });
    if (share === 1) expect(run).toThrow(RangeError);
    else
      expect(run).toThrow(
        expect.objectContaining({
          name: 'PliantError',
          code: 'cancelled',
          message: 'body was cancelled while it was built.',
        }),
      );
    expect(stateOf(world)).toEqual(before);
    expect(world.validate()).toEqual([]);
    expect(world.addBody(OPTIONS).particleCount).toBeGreaterThan(390);
  });

  it('can be cancelled before it begins, and by a flag that another thread sets', async () => {
    const world = await World.create({ backend: 'ts' });
    expect(() => world.addBody(OPTIONS, { signal: { aborted: true } })).toThrow(PliantError);
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const signal = {
      get aborted() {
        return Atomics.load(flag, 0) !== 0;
      },
    };
    world.addBody(OPTIONS, { signal });
    Atomics.store(flag, 0, 1);
    expect(() => world.addBody(OPTIONS, { signal })).toThrow(expect.objectContaining({ code: 'cancelled' }));
    expect(world.bodies).toHaveLength(1);
  });

  it.each([
    [{ signal: 7 }, /^build\.signal is 7; expected an object with aborted: true or false\.$/],
    [{ signal: {} }, /^build\.signal is an object with no keys; expected/],
    [{ onProgress: 'loud' }, /^build\.onProgress is "loud"; expected a function\.$/],
    [{ abort: true }, /^build\.abort is not an option; expected one of signal, onProgress\.$/],
  ])('%j is refused', (watch, message) => {
    expect(() => new Work(watch as object)).toThrow(message);
  });
});
