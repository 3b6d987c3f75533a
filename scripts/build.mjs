// Builds everything that is made from source: the WASM kernels, the TypeScript packages, the studio's page.
import { runScript, say } from './run.mjs';

say('building the engine: WASM kernels, then TypeScript (engine, scene files, sweeps, command line, tests) …');
runScript('packages/pliant/scripts/build-kernels.mjs');
runScript('node_modules/typescript/bin/tsc', '-b');
say("building the studio's page …");
runScript('node_modules/typescript/bin/tsc', '-p', 'packages/studio');
runScript('node_modules/vite/bin/vite.js', 'build', 'packages/studio', '--logLevel', 'warn');
