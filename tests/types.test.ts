import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
/** Inside node_modules, so that `pliant` is found as it is in a user's project: by its package.json, which names dist. */
const folder = `${root}node_modules/.cache/types-test`;

/** Compiles files as a project of its own; returns the compiler's status and what it says. */
function compile(typescript: string, name: string, files: string[], settings: object) {
  mkdirSync(folder, { recursive: true });
  const config = `${folder}/${name}.json`;
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: false, target: 'es2022', types: [], ...settings };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const tsc = `${root}node_modules/${typescript}/bin/tsc`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' });
  rmSync(config);
  return { status, said: stdout + stderr };
}

describe.each(['typescript', 'typescript-5.4'])('%s compiles against the emitted types', (typescript) => {
  // package.json beside the files decides what node16 makes of them: the repository's says "module".
  test.each([
    ['esnext', 'bundler'],
    ['node16', 'node16'],
  ])('as module %s, resolved as in %s, without DOM and Node', (module, moduleResolution) => {
    const result = compile(typescript, `${typescript}-${module}`, [`${root}tests/consumer/consumer.ts`], {
      lib: ['es2022'],
      module,
      moduleResolution,
    });
    expect(result).toEqual({ status: 0, said: '' });
  });
});
