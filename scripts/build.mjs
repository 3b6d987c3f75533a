// Builds everything that is made from source: the WASM kernels, the TypeScript packages, the studio's page.
import { spawnSync } from 'node:child_process';

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', cwd: new URL('..', import.meta.url) });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

run(process.execPath, ['packages/pliant/scripts/build-kernels.mjs']);
run(process.execPath, ['node_modules/typescript/bin/tsc', '-b']);
run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'packages/studio']);
run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'packages/studio', '--logLevel', 'warn']);
