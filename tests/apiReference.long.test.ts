import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../scripts/apiReference/generate.mjs', import.meta.url));
const tsconfig = fileURLToPath(new URL('../tsconfig.base.json', import.meta.url));
const installed = existsSync(fileURLToPath(new URL('../scripts/apiReference/node_modules', import.meta.url)));

const folder = mkdtempSync(join(tmpdir(), 'pliant-reference-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Generates a reference; returns the faults that it names. */
function generate(...args: string[]) {
  expect(installed, 'install it first: node scripts/setup.mjs --reference').toBe(true);
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, faults: stderr.split('\n').filter(Boolean) };
}

test('the API reference of the packages is complete and has no dead link', () => {
  expect(generate(folder)).toEqual({ status: 0, faults: [] });
  const body = readFileSync(join(folder, 'markdown/pliant/classes/Body.md'), 'utf8');
  expect(body).toContain('### centreOfMass');
  expect(body).not.toMatch(/^### (core|rows)\b|@internal/m);
  for (const page of ['index.html', 'modules/pliant.html', 'classes/pliant.World.html'])
    expect(existsSync(join(folder, 'html', page)), page).toBe(true);
});

test('a missing comment, a type that is not exported and a dead link are faults', () => {
  const own = join(folder, 'faulty');
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), '{ "name": "pliant", "type": "module" }');
  writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ extends: tsconfig, files: ['index.ts'] }));
  writeFileSync(
    join(own, 'index.ts'),
    `/** @module pliant */
     /** Hidden. */
     interface Hidden {
       /** A number. */
       a: number;
     }
     /** See {@link Nowhere}. */
     export interface Shown {
       bare: number;
       /** Refers. */
       hidden: Hidden;
       /** @internal */
       secret: Hidden;
     }`,
  );
  const { status, faults } = generate(join(own, 'out'), join(own, 'tsconfig.json'), join(own, 'index.ts'));
  expect(status).toBe(1);
  const text = faults.join('\n');
  expect(text).toMatch(/Shown\.bare .*does not have any documentation/);
  expect(text).toMatch(/Hidden, .*is referenced by .*Shown\.hidden but not included/);
  expect(text).toMatch(/Failed to resolve link to "Nowhere"/);
  expect(text).not.toContain('secret');
});
