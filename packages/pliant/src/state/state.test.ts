import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../testing/seed.js';
import {
  ARENA_START,
  ARRAY_NAMES,
  type ArrayLayout,
  type ArrayName,
  DOMAINS,
  LAYOUT,
  POINTER_TABLE,
} from './layout.js';
import { State } from './state.js';

const layoutOf = (name: ArrayName): ArrayLayout => LAYOUT[name];
/** A number that f32, f64 and u32 all hold exactly, different for every array and place. */
const token = (name: ArrayName, k: number) => 1 + ((ARRAY_NAMES.indexOf(name) * 7919 + k * 31) % 2 ** 20);

function fillWithTokens(state: State) {
  for (const name of ARRAY_NAMES)
    for (let k = 0; k < state.views[name].length; k++) state.views[name][k] = token(name, k);
}

describe('the memory', () => {
  it('gives every array the rows of its domain, on a cache line of its own, none overlapping', () => {
    const state = new State();
    state.reserve({ particle: 101, cluster: 13, membership: 307, node: 0, neighbour: 0 });
    let end = ARENA_START;
    // As they lie in memory; an array without rows is where the next one is.
    const placed = [...ARRAY_NAMES].sort(
      (a, b) =>
        state.views[a].byteOffset - state.views[b].byteOffset || state.views[a].byteLength - state.views[b].byteLength,
    );
    for (const name of placed) {
      const { of, extra = 0, width, type } = layoutOf(name);
      const view = state.views[name];
      expect(view.length, name).toBe((state.capacity[of] + extra) * width);
      expect(view.byteOffset % 64, name).toBe(0);
      expect(view.byteOffset, name).toBeGreaterThanOrEqual(end);
      expect(view.constructor.name, name).toBe({ f32: 'Float32Array', f64: 'Float64Array', u32: 'Uint32Array' }[type]);
      end = view.byteOffset + view.byteLength;
    }
    expect(end).toBeLessThanOrEqual(state.memory.buffer.byteLength);
  });

  it('tells the kernels where every array starts', () => {
    const state = new State();
    for (const particle of [64, 100, 5000]) {
      state.reserve({ particle, cluster: 1, membership: 1, node: 0, neighbour: 0 });
      const table = new Uint32Array(state.memory.buffer, POINTER_TABLE, ARRAY_NAMES.length);
      expect(Array.from(table)).toEqual(ARRAY_NAMES.map((name) => state.views[name].byteOffset));
    }
  });

  it('grows geometrically: a thousand bodies one by one move the arrays a few times only', () => {
    const state = new State();
    for (let n = 1; n <= 1000; n++)
      state.reserve({ particle: 100 * n, cluster: 2 * n, membership: 150 * n, node: 0, neighbour: 0 });
    // 1.5ⁿ from 64 to 100 000 takes 18 steps in each of three domains at most.
    expect(state.version).toBeLessThan(60);
    expect(state.capacity.particle).toBeGreaterThanOrEqual(100_000);
  });

  it('keeps views and version when there is room', () => {
    const state = new State();
    const { views, version } = state;
    state.reserve({ particle: 64, cluster: 8, membership: 128, node: 0, neighbour: 0 });
    state.reserve({ particle: 0, cluster: 0, membership: 0, node: 0, neighbour: 0 });
    expect(state.views).toBe(views);
    expect(state.version).toBe(version);
  });

  it('keeps the contents over growth of any domains in any order, zeroes what is new and replaces the views', () => {
    const size = fc.record({
      particle: fc.nat(400),
      cluster: fc.nat(60),
      membership: fc.nat(900),
      coarse: fc.nat(20),
      tie: fc.nat(200),
      node: fc.nat(800),
      neighbour: fc.nat(800),
    });
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 5 }), (sizes) => {
        const state = new State();
        for (const wanted of sizes) {
          fillWithTokens(state);
          const { version } = state;
          const before = Object.fromEntries(ARRAY_NAMES.map((name) => [name, state.views[name].length]));
          const roomy = DOMAINS.every((d) => wanted[d] <= state.capacity[d]);
          state.reserve(wanted);
          expect(state.version).toBe(roomy ? version : version + 1);
          for (const name of ARRAY_NAMES) {
            const view = state.views[name];
            expect(view.buffer).toBe(state.memory.buffer);
            for (let k = 0; k < view.length; k++)
              if (view[k] !== (k < before[name] ? token(name, k) : 0))
                expect.fail(`${name}[${k}] is ${view[k]} after growing to ${JSON.stringify(wanted)}`);
          }
        }
      }),
      // Each run fills a megabyte: a failure is shown as it is, not shrunk for minutes.
      { seed: testSeed('state growth'), numRuns: 25, endOnFailure: true },
    );
  });
});
