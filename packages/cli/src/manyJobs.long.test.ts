import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pliant } from './testing/cli.js';

// Commands whose jobs go through the queue of `pliant sweep`, in processes of the built packages.

const folder = mkdtempSync(join(tmpdir(), 'pliant-jobs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const QUICK = ['2016.boost-formula', '2017.rotation', '2017.condition'];

test('reproduce runs claims, writes both reports, and a second call runs nothing again', async () => {
  const out = join(folder, 'reproduced');
  const args = ['reproduce', ...QUICK.flatMap((id) => ['--claim', id]), '--quick', '--quiet', '--out', out];
  const first = await pliant(...args);
  expect(first.err).toBe('');
  expect(first.code).toBe(0);
  expect(first.out).toContain('3 of 3 claims: reproduced 3.');
  expect(readFileSync(join(out, 'report.md'), 'utf8')).toContain('### 2017.rotation: reproduced');
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('0.9806');
  const kept = () =>
    readdirSync(join(out, 'results')).map((file) => [file, statSync(join(out, 'results', file)).mtimeMs]);
  const before = kept();
  expect(before).toHaveLength(3);
  expect((await pliant(...args)).code).toBe(0);
  expect(kept()).toEqual(before);
});

test('reproduce refuses papers and claims that there are not', async () => {
  expect((await pliant('reproduce', '--paper', '2014')).err).toMatch(/--paper is 2014; expected one of 2007, 2015/);
  expect((await pliant('reproduce', '--claim', '2017.x')).err).toMatch(/there is no claim 2017\.x/);
});

test('bake of several scenes writes one file for each; the name needs a *', async () => {
  const scene = (seed: number) => ({
    frames: 3,
    bodies: [{ geometry: { type: 'sphere', radius: 0.5 }, sampling: { count: 40, seed }, position: [0, 1, 0] }],
  });
  const files = ['one', 'two'].map((name, k) => {
    const path = join(folder, `${name}.json`);
    writeFileSync(path, JSON.stringify(scene(k + 1)));
    return path;
  });
  expect((await pliant('bake', ...files, '--out', join(folder, 'x.glb'))).err).toMatch(/expected one \* in it/);
  const { code, err } = await pliant('bake', ...files, '--out', join(folder, 'baked-*.glb'), '--quiet');
  expect(err).toBe('');
  expect(code).toBe(0);
  for (const name of ['one', 'two'])
    expect(
      readFileSync(join(folder, `baked-${name}.glb`))
        .subarray(0, 4)
        .toString(),
    ).toBe('glTF');
});
