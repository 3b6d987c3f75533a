import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { compile } from './compile.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Samples become files inside of their package, where imports lead to what that package has installed. */
const folderOf = (name: string) => join(ROOT, 'packages', name, 'node_modules/.cache/readme');

describe.each(['three', 'react', 'rigid'])('samples in the README of @pliant/%s', (name) => {
  const folder = folderOf(name);
  const text = readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8');
  const samples = [...text.matchAll(/```(tsx?)\n([\s\S]*?)```/g)].map(([, kind, code], n) => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `sample${n}.${kind}`);
    writeFileSync(file, code);
    return { file, code };
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('compile against the built packages, whose types are complete', () => {
    expect(samples.length).toBeGreaterThan(0);
    const files = samples.map(({ file }) => file);
    const settings = {
      lib: ['es2022', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
    };
    // Types of three.js and fiber are not ours to check.
    expect(compile('typescript', files, { ...settings, skipLibCheck: true })).toEqual({ status: 0, said: '' });
    const { said } = compile('typescript-5.4', files, settings);
    expect(said.split('\n').filter((line) => /packages\/(pliant|three|react|rigid)\/dist/.test(line))).toEqual([]);
  });

  if (name === 'three')
    it('the first is the example that tests/packages runs in Chromium', () => {
      expect(samples[0].code).toBe(readFileSync(join(ROOT, 'packages/three/examples/jellyCube.ts'), 'utf8'));
    });

  if (name === 'rigid')
    it('the first runs: the ball has come to the bed', () => {
      const file = join(folder, 'run.mjs');
      writeFileSync(file, samples[0].code);
      const said = execFileSync(process.execPath, [file], { encoding: 'utf8' });
      expect(said).toContain("type: 'touch'");
      expect(Number(said.split(' ')[0])).toBeLessThan(0.7);
    });
});
