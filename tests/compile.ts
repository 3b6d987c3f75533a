import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Compiles files as a strict project of its own, with the TypeScript of that name in node_modules; returns the compiler's status and what it says. */
export function compile(typescript: string, files: string[], settings: object) {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-compile-'));
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: false, target: 'es2022', types: [], ...settings };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = fileURLToPath(new URL(`../node_modules/${typescript}/bin/tsc`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return { status, said: stdout + stderr };
}
