import { loadScene } from '@pliant/scene';
import { expect, test } from 'vitest';
import type { SceneDocument } from '../sceneDocument.js';
import { filesNamed, portable } from './files.js';
import { formatJson } from './format.js';

const OBJ = new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
const document: SceneDocument = {
  name: undefined,
  path: 'https://x.org/scenes/a.json',
  json: {
    title: 'Zwölf 🐇',
    bodies: [
      { geometry: { type: 'mesh', file: 'tetra.obj' }, sampling: { count: 50 } },
      { name: 'other', geometry: { type: 'mesh', file: 'meshes/far.obj' }, sampling: { count: 50 } },
    ],
  },
  files: { 'tetra.obj': OBJ },
};

test('a scene names its files wherever they are', () => {
  expect([...filesNamed(document.json)]).toEqual(['tetra.obj', 'meshes/far.obj']);
});

test('a saved scene is read again without any other file', async () => {
  const asked: string[] = [];
  const json = await portable(document, async (name) => {
    asked.push(name);
    return OBJ;
  });
  expect(asked).toEqual(['meshes/far.obj']);
  const text = new TextEncoder().encode(formatJson(json));
  const { bodies, title } = await loadScene('saved.json', async (path) => {
    if (path !== 'saved.json') throw new Error(path);
    return text;
  });
  expect(title).toBe('Zwölf 🐇');
  for (const body of bodies) expect(body.options.mesh!.indices!.length).toBe(12);
  // The open document is as it was.
  expect(document.json.bodies[0]['geometry']).toEqual({ type: 'mesh', file: 'tetra.obj' });
});

test('without the server only what came with the scene is put into it', async () => {
  const { bodies } = await portable(document, undefined);
  expect(bodies[0]['geometry']).toMatchObject({ file: expect.stringMatching(/^data:/) });
  expect(bodies[1]['geometry']).toMatchObject({ file: 'meshes/far.obj' });
});

test('formatted JSON means the same, on lines of bounded length', () => {
  const value = {
    a: [1, 2.5, -1e-9],
    b: { c: 'x'.repeat(200), d: null, e: undefined },
    list: Array.from({ length: 40 }, (_, k) => [k, k, k]),
    none: {},
    empty: [],
  };
  const text = formatJson(value);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
  expect(text).toContain('"a": [1, 2.5, -1e-9]');
  const longest = Math.max(
    ...text
      .split('\n')
      .filter((line) => !line.includes('xxx'))
      .map((line) => line.length),
  );
  expect(longest).toBeLessThanOrEqual(125);
});
