import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { buildBody, loadBody, saveBody } from 'pliant';
import { expect, test } from 'vitest';
import { BOX, pliant, scratch } from './testing/cli.js';

const { path, scene } = scratch();
const TETRAHEDRON = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
writeFileSync(path('tetra.obj'), TETRAHEDRON);

test('a mesh becomes an asset, and a scene that names it runs', async () => {
  const out = path('tetra.pliant');
  const args = ['--count', '200', '--young', '2e5', '--density', '500', '--scale', '2'];
  const { code, out: told, err } = await pliant('build', path('tetra.obj'), '--out', out, ...args);
  expect([code, err]).toEqual([0, '']);
  const built = loadBody(readFileSync(out));
  expect(told).toBe(`${out}: ${built.data.masses.length} particles in ${built.clustering.count} clusters\n`);
  expect(built.name).toBe('tetra');
  expect(built.material.law!.young).toBeCloseTo(2e5, 3);
  // A sixth of a cube of 2 m.
  expect(built.data.masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo((500 * 8) / 6, 0);
  const file = scene('uses.json', {
    frames: 3,
    bodies: [
      { geometry: { type: 'asset', file: 'tetra.pliant' }, position: [0, 3, 0], copies: [{ position: [5, 3, 0] }] },
    ],
  });
  expect((await pliant('run', file, '--quiet')).code).toBe(0);
  expect((await pliant('info', file)).out).toContain('tetra.pliant');
  expect((await pliant('validate', file)).out).toBe('ok\n');
});

test('a body of a scene becomes the asset that the engine would save', async () => {
  const file = scene('box.json', BOX);
  expect((await pliant('build', file, '--out', path('box.pliant'), '--quiet')).out).toBe('');
  const { geometry, ...options } = BOX.bodies[0];
  const built = buildBody({ shape: geometry, material: {}, ...options } as never);
  expect(new Uint8Array(readFileSync(path('box.pliant')))).toEqual(saveBody(built));
});

test('what is wrong is refused on one line, and no file is left', async () => {
  const two = scene('two.json', { bodies: [BOX.bodies[0], { ...BOX.bodies[0], name: 'other' }] });
  writeFileSync(
    path('points.ply'),
    'ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n',
  );
  const cases: [string[], RegExp][] = [
    [[path('tetra.obj')], /required option '--out <file>' not specified/],
    [[path('tetra.obj'), '--out', path('no.pliant')], /expected one of --count and --spacing/],
    [[path('tetra.obj'), '--out', path('no.pliant'), '--count', '9', '--body', 'x'], /^pliant: --body is x/],
    [
      [path('tetra.obj'), '--out', path('no.pliant'), '--count', '9', '--poisson', '3'],
      /tetra\.obj: body\.material\.poisson is 3/,
    ],
    [[path('tetra.obj'), '--out', path('no.pliant'), '--count', '9', '--young', 'hard'], /Expected a number/],
    [[path('points.ply'), '--out', path('no.pliant'), '--count', '9'], /has points and no triangles/],
    [[two, '--out', path('no.pliant')], /--body is missing; expected one of "box", "other"/],
    [[two, '--out', path('no.pliant'), '--body', 'third'], /--body is "third"/],
    [
      [two, '--out', path('no.pliant'), '--body', 'box', '--count', '9'],
      /--count is 9; expected nothing beside a scene/,
    ],
    [[path('none.obj'), '--out', path('no.pliant'), '--count', '9'], /not found/],
  ];
  for (const [args, message] of cases) {
    const { code, err } = await pliant('build', ...args);
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  }
  expect(existsSync(path('no.pliant'))).toBe(false);
});
