import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build } from 'vite';
import { afterAll, describe, expect, test } from 'vitest';
import { report } from '../packages/pliant/src/testing/report.js';
// @ts-expect-error: a plain script, shared with the release.
import { publicPackages } from '../scripts/packages.mjs';

interface Package {
  folder: string;
  json: { name: string; version: string; keywords?: string[]; repository?: { url: string; directory: string } };
}

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = publicPackages() as Package[];
const folder = mkdtempSync(join(tmpdir(), 'pliant-packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Largest size of a tarball (kB). A package without a line here has 100. */
const TARBALLS: Record<string, number> = { pliant: 1045, '@pliant/scene': 100 };

/** Largest size of the engine in a page (kB): its code and its kernels, of which those that build bodies are 13, minified and gzipped. */
const BUNDLE = 358;

describe.each(packages.map(({ folder, json }) => [json.name, folder, json] as const))('%s', (name, at, json) => {
  let packed: { tarball: Buffer; files: string[] } | undefined;
  const pack = () => {
    if (packed) return packed;
    const said = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: at, encoding: 'utf8' });
    const answer = JSON.parse(said.slice(said.search(/[[{]/)));
    const [{ filename, files }] = Array.isArray(answer) ? answer : [answer[name] ?? answer];
    packed = {
      tarball: readFileSync(join(folder, filename)),
      files: (files as { path: string }[]).map(({ path }) => path),
    };
    return packed;
  };

  test('has what a registry shows, and no source map without its sources', () => {
    const { files, tarball } = pack();
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
    expect(readFileSync(join(at, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    expect(json.keywords?.length).toBeGreaterThan(3);
    expect(json.repository).toMatchObject({ directory: at.slice(root.length) });
    expect(files.filter((file) => /\.map$|\.tsbuildinfo$|\.test\.|\/testing\//.test(file))).toEqual([]);
    const dangling = files.filter(
      (file) => /\.(js|d\.ts)$/.test(file) && readFileSync(join(at, file), 'utf8').includes('//# sourceMappingURL='),
    );
    expect(dangling).toEqual([]);
    report(`${name}: tarball`, tarball.length / 1000, 'kB');
    expect(tarball.length).toBeLessThan(1000 * (TARBALLS[name] ?? 100));
  });

  test('has nothing that publint objects to', async () => {
    const { messages, pkg } = await publint({ pkgDir: at, pack: false, level: 'warning', strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  // A package without exports is a command.
  if (!('exports' in json)) return;

  test('has types that resolve wherever its modules do', async () => {
    const { tarball } = pack();
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    // The packages are ES modules, which CommonJS imports dynamically; Node 10 has no `exports`.
    if (!result.types) throw new Error('It has no types.');
    const other = result.problems.filter(
      (problem) =>
        problem.kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    );
    expect(other).toEqual([]);
  });
});

test('the engine in a bundle stays within its budget', async () => {
  const entry = join(folder, 'entry.js');
  writeFileSync(entry, `export { World } from '${join(root, 'packages/pliant/dist/index.js')}';`);
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { output: { minify: true } },
    },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as { output: { code?: string }[] };
  const size = gzipSync(output.map(({ code = '' }) => code).join('')).length / 1000;
  report('engine, minified and gzipped', size, 'kB');
  expect(size).toBeLessThan(BUNDLE);
});

test('a release would publish every package, those that others need first', () => {
  const said = execFileSync(process.execPath, [join(root, 'scripts/release.mjs'), 'publish', '--dry-run'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const names = [...said.matchAll(/^would publish (.*)@[\d.]+\S*: \d+ files/gm)].map(([, name]) => name);
  expect(names).toEqual(packages.map(({ json }) => json.name));
  expect(names.indexOf('pliant')).toBeLessThan(names.indexOf('@pliant/scene'));
});
