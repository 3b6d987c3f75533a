import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import Sequencer from './tests/sequencer.js';

// Tests run against the sources: the packages resolve to their src folders, so that a failure points at a line
// people edit. The WASM module is the one built thing they need; scripts/setup.mjs builds it first.
const source = (name: string) => fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url));

// One seed for all random tests: fixed, so that a commit passes or fails the same way everywhere. PLIANT_SEED=random
// explores, PLIANT_SEED=n repeats. tests/reporter.ts prints the seed when a test fails.
const { PLIANT_SEED = '20261115' } = process.env;
const seed = PLIANT_SEED === 'random' ? String(Date.now() % 2 ** 31) : PLIANT_SEED;

// The word before `.test` names the project: x.scenes.test.ts belongs to `scenes`, x.test.ts to `unit`. tests/sequencer.ts says
// in which order files begin.
const SLOW = ['long', 'reference', 'scenes', 'studio'];
const filesOf = (word: string) =>
  ['packages/*/src/**', 'tests/**', 'fuzz/**'].map((folder) => `${folder}/*${word}.test.{ts,mjs}`);

const resolve = {
  alias: [
    { find: /^pliant$/, replacement: source('pliant') },
    { find: /^@pliant\/scene$/, replacement: source('scene') },
    { find: /^@pliant\/papers$/, replacement: source('papers') },
    { find: /^@pliant\/sweep$/, replacement: source('sweep') },
    { find: /^@pliant\/bake$/, replacement: source('bake') },
    { find: /^@pliant\/scene\/node$/, replacement: source('scene').replace('index.ts', 'node/index.ts') },
    { find: /^@pliant\/three$/, replacement: source('three') },
    { find: /^@pliant\/three\/stroke$/, replacement: source('three').replace('index.ts', 'controls/cutStroke.ts') },
    { find: /^@pliant\/three\/host$/, replacement: source('three').replace('index.ts', 'worker/host.ts') },
    { find: /^@pliant\/three\/remote$/, replacement: source('three').replace('index.ts', 'worker/remoteWorld.ts') },
    { find: /^@pliant\/rigid$/, replacement: source('rigid') },
  ],
};
const env = { PLIANT_SEED: seed };
// Timeouts are against hangs only, and long enough for a machine that does other work too.
const hookTimeout = 120_000;

// Projects do not extend this file: they would take maxWorkers from it, and `--maxWorkers` would be ignored.
export default defineConfig({
  test: {
    reporters: ['./tests/reporter.ts'],
    // Nothing is timed. The tests in a browser, those of Redis and those of the command line often wait: half as many again fill the cores.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    sequence: { sequencer: Sequencer },
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          include: filesOf(''),
          exclude: SLOW.flatMap((name) => filesOf(`.${name}`)),
          env,
          hookTimeout,
          testTimeout: 120_000,
          // One worker runs many files, with one copy of the modules: importing and compiling the engine takes longer than most of these files.
          isolate: false,
        },
      },
      ...SLOW.map((name) => ({
        resolve,
        // Tests in a browser listen to their own servers, and have a process each.
        test: {
          name,
          include: filesOf(`.${name}`),
          env,
          hookTimeout,
          testTimeout: 1_800_000,
          isolate: name === 'studio',
        },
      })),
    ],
  },
});
