import { defineConfig } from 'vitest/config';

// Tests run against the sources: the three packages resolve to their src folders, so that a failure points at a line
// people edit. The WASM module is the one built thing they need; scripts/setup.mjs builds it first.
const source = (name: string) => new URL(`./packages/${name}/src/index.ts`, import.meta.url).pathname;

export default defineConfig({
  resolve: {
    alias: [
      { find: /^pliant$/, replacement: source('pliant') },
      { find: /^@pliant\/scene$/, replacement: source('scene') },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
