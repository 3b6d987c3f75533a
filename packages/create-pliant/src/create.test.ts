import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
// @ts-expect-error: a plain script.
import { create } from '../bin/create.mjs';

const folder = mkdtempSync(join(tmpdir(), 'pliant-create-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The command with a stream that is no terminal; its exit code and what it says. */
async function run(...args: string[]) {
  let [out, err] = ['', ''];
  const io = {
    out: { write: (text: string) => void (out += text) },
    err: { write: (text: string) => void (err += text) },
    input: { isTTY: false },
  };
  return { code: await create(args, io), out, err };
}

test.each([
  ['three', 'npm run dev', ['@pliant/three', 'three', 'pliant']],
  [
    'react',
    'npm run dev',
    ['@pliant/react', '@pliant/three', '@react-three/fiber', 'pliant', 'react', 'react-dom', 'three'],
  ],
  ['node', 'npm start', ['pliant']],
])('%s makes a project with its name and the version of this package', async (template, start, needs) => {
  const target = join(folder, `My ${template} Project`);
  const { code, out, err } = await run(target, '--template', template);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(start);
  const json = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(json.name).toBe(`my-${template}-project`);
  expect(json.dependencies.pliant).toBe(`^${version}`);
  expect(Object.keys(json.dependencies).sort()).toEqual([...needs].sort());
  expect(readdirSync(target)).toContain('.gitignore');
});

test('the three.js that templates ask for is the one that the studio is tested with', () => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
  const { three } = read('../../studio/package.json').dependencies;
  for (const template of ['three', 'react'])
    expect(read(`../templates/${template}/package.json`).dependencies.three).toBe(three);
});

test.each([
  [['x', '--template', 'vue'], /^create-pliant: --template is "vue"; expected node, react, three\.\n$/],
  [['a', 'b'], /^create-pliant: there are 2 folders; expected one\.\n$/],
  [['--fast'], /^create-pliant: Unknown option '--fast'/],
])('%j is refused with one line, and makes nothing', async (args, message) => {
  const { code, err } = await run(...args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test('a folder that is not empty is left as it is', async () => {
  const target = mkdtempSync(join(folder, 'full-'));
  writeFileSync(join(target, 'mine.txt'), 'x');
  const { code, err } = await run(target, '--template', 'node');
  expect({ code, files: readdirSync(target) }).toEqual({ code: 2, files: ['mine.txt'] });
  expect(err).toContain('is not empty; expected a folder that is, or a new one');
});
