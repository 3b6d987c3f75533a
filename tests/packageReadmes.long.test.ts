import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';
import { afterAll, describe, expect, it } from 'vitest';
import { compile } from './compile.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Samples become files inside of their package, where imports lead to what that package has installed. */
const folderOf = (name: string) => join(ROOT, 'packages', name, 'node_modules/.cache/readme');

const PACKAGES = ['three', 'react', 'rigid'];

const samples = PACKAGES.flatMap((name) => {
  const text = readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8');
  mkdirSync(folderOf(name), { recursive: true });
  return [...text.matchAll(/```(tsx?)\n([\s\S]*?)```/g)].map(([, kind, code], n) => {
    const file = join(folderOf(name), `sample${n}.${kind}`);
    writeFileSync(file, code);
    return { name, file, code };
  });
});
afterAll(() => {
  for (const name of PACKAGES) rmSync(folderOf(name), { recursive: true, force: true });
});

describe('samples in the READMEs of the packages', () => {
  const files = samples.map(({ file }) => file);
  const settings = {
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
  };

  it('are in each of them, and compile against the built packages, whose types are complete', () => {
    expect(new Set(samples.map(({ name }) => name)).size).toBe(PACKAGES.length);
    const { said } = compile('typescript', files, settings);
    // Types of three.js and fiber are not ours to check.
    const ours = /packages\/(pliant|three|react|rigid)\/(dist|node_modules\/\.cache)/;
    expect(said.split('\n').filter((line) => ours.test(line))).toEqual([]);
  });

  it('the first of @pliant/three is the example that tests/packages runs in Chromium', () => {
    const { code } = samples.find(({ name }) => name === 'three')!;
    expect(code).toBe(readFileSync(join(ROOT, 'packages/three/examples/jellyCube.ts'), 'utf8'));
  });

  it('those of @pliant/three about a worker of your own run', async () => {
    const folder = folderOf('three');
    for (const [file, word] of [
      ['worker.mjs', 'hostWorld('],
      ['page.mjs', 'RemoteWorld.connect('],
    ]) {
      const { code } = samples.find((sample) => sample.name === 'three' && sample.code.includes(word))!;
      writeFileSync(join(folder, file), (await transformWithOxc(code, 'sample.ts')).code);
    }
    const main = `import { serve } from './worker.mjs';
      import { begin } from './page.mjs';
      const { port1, port2 } = new MessageChannel();
      serve(port2);
      await begin(port1);
      setTimeout(() => process.exit(), 500);`;
    writeFileSync(join(folder, 'main.mjs'), main);
    const said = execFileSync(process.execPath, [join(folder, 'main.mjs')], { encoding: 'utf8' });
    expect(said).toMatch(/^8 %\n[\s\S]*100 %\n\{ title: 'A tower of 12' \} 1\.\d+/);
    expect(said).toMatch(/Float32Array\(12\) \[/);
  });

  it('the first of @pliant/rigid runs: the ball has come to the bed', () => {
    const file = join(folderOf('rigid'), 'run.mjs');
    writeFileSync(file, samples.find(({ name }) => name === 'rigid')!.code);
    const said = execFileSync(process.execPath, [file], { encoding: 'utf8' });
    expect(said).toContain("type: 'touch'");
    expect(Number(said.split(' ')[0])).toBeLessThan(0.7);
  });
});
