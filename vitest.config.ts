import { defineConfig } from 'vitest/config';

// Tests run against the sources: the three packages resolve to their src folders, so that a failure points at a line
// people edit. The WASM module is the one built thing they need; scripts/setup.mjs builds it first.
const source = (name: string) => new URL(`./packages/${name}/src/index.ts`, import.meta.url).pathname;

// One seed for all random tests, which print it: fixed, so that a commit passes or fails the same way everywhere;
// PLIANT_SEED=random explores, PLIANT_SEED=n repeats what such a run has found.
const { PLIANT_SEED = '20261115' } = process.env;
const seed = PLIANT_SEED === 'random' ? String(Date.now() % 2 ** 31) : PLIANT_SEED;

export default defineConfig({
  resolve: {
    alias: [
      { find: /^pliant$/, replacement: source('pliant') },
      { find: /^@pliant\/scene$/, replacement: source('scene') },
      { find: /^@pliant\/scene\/node$/, replacement: source('scene').replace('index.ts', 'node/index.ts') },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts', 'fuzz/**/*.test.mjs'],
    env: { PLIANT_SEED: seed },
    // Nothing is timed: all cores may work.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
