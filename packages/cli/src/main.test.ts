import { mkdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BOX, pliant, scratch } from './testing/cli.js';

const disk = scratch();
const box = disk.scene('box.json', BOX);
const broken = disk.scene('broken.json', '{ "bodies": [ }');
const soft = disk.scene('soft.json', { ...BOX, bodies: [{ ...BOX.bodies[0], material: { raw: { stiffness: 2.5 } } }] });
disk.scene('sheet.obj', 'v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0.2 1\nf 1 2 3\nf 1 3 4\n');
const sheet = disk.scene('sheet.json', {
  ...BOX,
  bodies: [{ ...BOX.bodies[0], geometry: { type: 'mesh', file: 'sheet.obj' } }],
});
const far = disk.scene('far.json', {
  bodies: [
    {
      geometry: {
        type: 'points',
        points: [
          [0, 0, 1e308],
          [1, 0, 0],
        ],
      },
    },
  ],
});
const late = disk.scene('late.json', { ...BOX, cuts: [{ at: 60, plane: { point: [0, 1, 0], normal: [1, 0, 0] } }] });
const loose = disk.scene('loose.json', { particleFiles: ['inputFiles/none.txt'] });

test.each([
  [[], /^pliant: there is no command; expected one of those that pliant --help lists/],
  [['fly'], /^pliant: unknown command 'fly'/],
  [['run'], /^pliant: missing required argument 'scene'/],
  [['run', box, '--frame', '3'], /^pliant: unknown option '--frame' \(Did you mean --frames\?\)/],
  [['run', box, '--frames', '-1'], /^pliant: option '--frames <n>' argument '-1' is invalid\. Expected a whole number/],
  [['run', box, '--frames', '1e3'], /^pliant: option '--frames <n>' argument '1e3' is invalid/],
  [
    ['run', box, '--backend', 'gpu'],
    /^pliant: option '--backend <name>' argument 'gpu' is invalid\. Allowed choices are wasm, ts/,
  ],
  [
    ['run', box, '--probe', '1,x'],
    /^pliant: option '--probe <list>' argument '1,x' is invalid\. Expected particle numbers/,
  ],
  [['run', box, '--probe', '0,100000'], /^pliant: --probe names particle 100000; expected numbers from 0 to \d+\./],
  [['run', box, '--every', '0'], /^pliant: option '--every <n>' argument '0' is invalid/],
  [
    ['run', box, '--out', 'x.obj'],
    /^pliant: --out is "x\.obj"; expected FILE\.ply, FILE\.html, FILE\.mp4, FILE\.webm or a folder\./,
  ],
  [['run', box, '--out', `${box}/x/y.ply`], /^pliant: --out: cannot make the folder /],
  [
    ['run', box, '--threads', '0'],
    /^pliant: option '--threads <n>' argument '0' is invalid\. Expected a whole number of at least 1/,
  ],
  [['run', box, '--threads', '99'], /threads is 99; expected "auto" or an integer in \[1, 8\]/],
  [['run', box, '--stats', '/dev/null/x/s.json'], /^pliant: --stats: cannot make the folder /],
  [['run', box, '--clusters', 'none.json'], /^pliant: --clusters: cannot read none\.json \(not found\)\./],
  [['run', 'none.json'], /^pliant: scene: cannot read none\.json \(not found\)\./],
  [['run', '/'], /^pliant: scene: cannot read \/ \(it is a folder\)\./],
  [['validate', broken], /broken\.json, line 1, column 15: found "}"; expected a value\./],
  [['validate', soft], /soft\.json: bodies\[0\]\.material\.raw\.stiffness is 2\.5; expected a number in \[0, 2\)\./],
  [['validate', far], /far\.json: bodies\[0\]\.points\[2\] is 1e\+308; expected a coordinate within ±1e9 m\./],
  [
    ['validate', sheet],
    /sheet\.json: bodies\[0\]\.\w+ is an open sheet \(4 boundary edges\) that encloses nothing; expected/,
  ],
  [
    ['run', sheet],
    /sheet\.json: bodies\[0\]\.\w+ is an open sheet \(4 boundary edges\) that encloses nothing; expected a closed surface/,
  ],
  [['info', loose], /loose\.json: particleFiles\[0\]: cannot read .*none\.txt \(not found\)/],
])('%j ends with 2 and one line', async (args, message) => {
  const { code, out, err } = await pliant(...args);
  expect(err).toMatch(message);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test('the version is that of the package, and the help tells the exit codes', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(await pliant('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  const { out } = await pliant('--help');
  expect(out).toMatch(/Exit codes:\n +0 +done\n +1 .*\n +2 .*\n +3 .*\n +4 .*\n +130 /);
});

test('nothing of a scene reaches a terminal that would obey it, and no name makes lines of its own', async () => {
  const evil = '\u001b[2J\u001b]0;x\u0007\u202e\nok\r\u009b1m';
  const scene = disk.scene('evil.json', {
    ...BOX,
    title: `T${evil}`,
    description: `D${evil}`,
    bodies: [{ ...BOX.bodies[0], name: `B${evil}` }],
    colliders: [{ type: 'plane', normal: [0, 1, 0], name: `C${evil}` }],
    cameras: [{ name: `K${evil}`, position: [0, 0, 1], target: [0, 0, 0] }],
  });
  const wrong = disk.scene('wrong.json', { ...BOX, [`F${evil}`]: evil, title: evil.repeat(100) });
  for (const args of [['info', scene], ['run', scene], ['validate', wrong], ['run', `x${evil}.json`], [`go${evil}`]]) {
    const { out, err } = await pliant(...args);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(`${out}${err}`.split('\n')).not.toContain('ok');
  }
});

test('a message is short, however long what is wrong is', async () => {
  const long = 'x'.repeat(1_000_000);
  const scene = (change: object) => disk.scene('long.json', { ...BOX, ...change });
  for (const change of [
    { title: [long] },
    { [long]: 1 },
    { bodies: [{ ...BOX.bodies[0], material: long }] },
    { bodies: long },
  ]) {
    const { code, err } = await pliant('validate', scene(change));
    expect(code).toBe(2);
    expect(err.length).toBeLessThan(2100);
  }
  expect((await pliant('validate', `${long}.json`)).err.length).toBeLessThan(500);
});

test('a scene reads files inside its folder; outside only with --allow-outside', async () => {
  const inner = disk.path('inner');
  mkdirSync(inner);
  disk.scene('points.txt', '0 0 0\n1 0 0\n0 1 0\n0 0 1\n');
  const scene = disk.scene('inner/outer.json', {
    bodies: [{ geometry: { type: 'particles', file: '../points.txt' } }],
  });
  for (const command of ['validate', 'info', 'run']) {
    const { code, err } = await pliant(command, scene);
    expect(code).toBe(2);
    expect(err).toMatch(/cannot read .*points\.txt \(it is outside of .*inner; expected .*--allow-outside\)\.\n$/);
    expect((await pliant(command, scene, '--allow-outside')).code).toBe(0);
  }
});

test('help and versions of it are no error', async () => {
  for (const args of [['--help'], ['run', '--help'], ['help', 'info']]) {
    const { code, out, err } = await pliant(...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Usage: pliant');
  }
});

test('validate says ok, and warns about what is odd in a research scene', async () => {
  expect(await pliant('validate', box)).toEqual({ code: 0, out: 'ok\n', err: '' });
  const file = disk.scene('grid.txt', '0 0 0\n1 0 0\n0 1 0\n0 0 1\n');
  const research = disk.scene('research.json', { particleFiles: [file], clusterOverlap: 1.5 });
  const { code, out, err } = await pliant('validate', research);
  expect({ code, out }).toEqual({ code: 0, out: 'ok\n' });
  expect(err).toContain('warning: clusterOverlap is 1.5: read by nothing');
});

test('schema prints the JSON Schema of the scene file', async () => {
  const { code, out } = await pliant('schema');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ title: 'Pliant scene', type: 'object', required: ['bodies'] });
});

test('info tells the modulus that bodies reach; it and run warn once where that is less than asked for', async () => {
  const of = (preset: string) =>
    disk.scene(`${preset}.json`, { ...BOX, bodies: [{ ...BOX.bodies[0], material: { preset } }] });
  const jelly = await pliant('info', of('jelly'));
  expect(jelly.out).toMatch(/^\s*young +30 kPa, up to [\d.]+ [kM]Pa in all clusters$/m);
  expect(jelly.err).toBe('');
  const glass = await pliant('info', of('glass'));
  expect(glass.out).toMatch(/^\s*young +[\d.]+ MPa, up to [\d.]+ [kM]Pa in all clusters$/m);
  const run = await pliant('run', of('glass'), '--frames', '3');
  for (const { err } of [glass, run])
    expect(err.match(/warning: bodies\[0\]\.material\.young is 7\.00e\+10 Pa, of which/g)).toHaveLength(1);
});

test('info tells what would be built', async () => {
  const { code, out } = await pliant('info', box, '--seed', '3');
  expect(code).toBe(0);
  for (const part of ['Box', 'particles', 'clusters     3', 'colliders[0]  plane, coulomb law', 'per particle'])
    expect(out).toContain(part);
});

const changing = disk.scene('changing.json', {
  ...BOX,
  variants: {
    heavy: { description: 'Much heavier.', set: { 'bodies[0].material': { density: 5000 } } },
    fine: { set: { 'bodies[0].sampling': { method: 'grid', count: 125 } } },
  },
});
const wrongVariant = disk.scene('wrong-variant.json', { ...BOX, variants: { far: { set: { 'bodies[2].scale': 2 } } } });

test('variants are listed, run after a # or by option, and all validated', async () => {
  const listed = await pliant('info', changing);
  expect(listed.out).toMatch(/^variants\n +heavy +Much heavier\.\n +fine +no description$/m);
  const one = await pliant('info', `${changing}#fine`);
  expect(one.out).toMatch(/^ *particles +125$/m);
  expect(one.out).toMatch(/^ *\* fine /m);
  expect((await pliant('info', changing, '--variant', 'fine')).out).toBe(one.out);
  const stats = disk.path('heavy-stats.json');
  const run = await pliant('run', `${changing}#heavy`, '--frames', '2', '--stats', stats);
  expect(run.err).toMatch(/^Box \(heavy\): /m);
  expect(JSON.parse(readFileSync(stats, 'utf8')).scene).toMatch(/changing\.json#heavy$/);
  expect(await pliant('validate', changing)).toEqual({ code: 0, out: 'ok, with the variants heavy, fine\n', err: '' });
  expect((await pliant('validate', `${changing}#fine`)).out).toBe('ok\n');
  expect(await pliant('validate', wrongVariant)).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /variants\.far\.set\["bodies\[2\]\.scale"\]: bodies has 1 entries; expected a number from 0 to 0\./,
    ),
  });
  expect((await pliant('run', `${changing}#heavy`, '--variant', 'fine')).err).toMatch(/expected one variant\./);
  expect((await pliant('run', `${changing}#haevy`)).err).toMatch(/variant is "haevy" \(did you mean heavy\?\)/);
});

test('validate builds the scene, unless it is to be quick, and tells of cuts that are never made', async () => {
  expect(await pliant('validate', box)).toEqual({ code: 0, out: 'ok\n', err: '' });
  expect(await pliant('validate', far, '--quick')).toEqual({ code: 0, out: 'ok\n', err: '' });
  const { code, err } = await pliant('validate', late);
  expect({ code, err }).toEqual({
    code: 0,
    err: 'warning: cuts[0].at is 60: never made, as the scene ends after 0.0833333 s.\n',
  });
});
