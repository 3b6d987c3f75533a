import { expect, test } from 'vitest';
import { buildWorld } from './buildWorld.js';
import { loadScene } from './loadScene.js';
import { boxScene } from './testing/memory.js';
import { applyVariant, splitVariant } from './variants.js';

const variants = {
  stiff: { description: 'Stiffer.', set: { 'bodies[0].material': { young: 5e5 }, 'bodies[box].sampling.count': 27 } },
  floating: { set: { gravity: [0, 0, 0], description: null } },
};
const scene = (more: object = {}) =>
  boxScene({ title: 'Box', description: 'A box.', variants, ...more }, { name: 'box' });
const load = (data: object, path = 'folder/box.json', options = {}) =>
  loadScene(path, async () => new TextEncoder().encode(JSON.stringify(data)), options);

test('a scene lists its variants and is itself without one', async () => {
  const found = await load(scene());
  expect(found.variant).toBeUndefined();
  expect(found.variants).toEqual([
    { name: 'stiff', description: 'Stiffer.' },
    { name: 'floating', description: '' },
  ]);
  expect(found.title).toBe('Box');
});

test('a variant is chosen after a # or by option, and sets its values alone', async () => {
  const plain = await load(scene());
  for (const found of [
    await load(scene(), 'folder/box.json#stiff'),
    await load(scene(), 'folder/box.json', { variant: 'stiff' }),
    await load(scene(), 'folder/box.json#stiff', { variant: 'stiff' }),
  ]) {
    expect(found).toMatchObject({
      path: 'folder/box.json#stiff',
      variant: 'stiff',
      title: 'Box (stiff)',
      description: 'Stiffer.',
    });
    expect(found.variants).toHaveLength(2);
    const { world } = await buildWorld(found);
    expect(world.particleCount).toBe(27);
    world.dispose();
    expect(found.bodies[0].options.material).toMatchObject({ young: 5e5 });
    expect({ ...found, bodies: 0, path: 0, variant: undefined, title: 0, description: 0 }).toEqual({
      ...plain,
      bodies: 0,
      path: 0,
      variant: undefined,
      title: 0,
      description: 0,
    });
  }
});

test('null removes a field', async () => {
  const found = await load(scene(), 'folder/box.json#floating');
  expect([found.description, found.gravity]).toEqual(['', [0, 0, 0]]);
});

test.each<[object, string, RegExp]>([
  [
    {},
    'stif',
    /^folder\/box\.json: variant is "stif" \(did you mean stiff\?\); expected one of "stiff", "floating"\.$/,
  ],
  [{ variants: undefined }, 'stiff', /variant is "stiff"; expected a variant of that name in the scene/],
  [
    { variants: { a: { set: { 'bodies[1].scale': 2 } } } },
    'a',
    /variants\.a\.set\["bodies\[1\]\.scale"\]: bodies has 1 entries; expected a number from 0 to 0/,
  ],
  [
    { variants: { a: { set: { 'bodies[0].levels': null } } } },
    'a',
    /bodies\[0\] has no levels; expected a field that can be removed/,
  ],
  [{ variants: { a: { set: { 'bodies[0]': null } } } }, 'a', /bodies is a list; expected a new list in its place/],
  [
    { variants: { a: { set: { 'bodies[0].scale': -2 } } } },
    'a',
    /^folder\/box\.json#a: bodies\[0\]\.scale is -2; expected a number above 0/,
  ],
  [
    { variants: { a: { set: { gravty: [0, 0, 0] } } } },
    'a',
    /gravty is not a field of this object \(did you mean gravity\?\)/,
  ],
  [{ variants: { a: { set: { 'variants.b.set': {} } } } }, 'a', /is a path of the variants; expected one of the scene/],
  [{ variants: { a: { set: { '0bodies': 1 } } } }, 'a', /found "0bodies"; expected a path such as/],
])('variants %o: %s is refused', async (more, name, message) => {
  await expect(load(scene(more), `folder/box.json#${name}`)).rejects.toThrow(message);
});

test.each<[unknown, RegExp]>([
  [[], /variants is \[\]; expected an object of variants by name/],
  [{ 'two words': { set: { dt: 0.1 } } }, /variants is .*; expected an object of variants by name: letters/],
  [{ a: {} }, /variants\.a\.set is missing; expected an object of values by path/],
  [{ a: { set: {} } }, /variants\.a\.set is \{\}; expected at least one path/],
  [{ a: { set: { dt: 0.1 }, sets: 1 } }, /variants\.a\.sets is not a field of this object \(did you mean set\?\)/],
  [
    Object.fromEntries(Array.from({ length: 101 }, (_, k) => [`v${k}`, { set: { dt: 0.1 } }])),
    /expected at most 100 variants/,
  ],
])('a file with the variants %o is refused without choosing one', async (bad, message) => {
  await expect(load(scene({ variants: bad }))).rejects.toThrow(message);
});

test('two variants are refused, and one of a research scene', async () => {
  await expect(load(scene(), 'box.json#stiff', { variant: 'floating' })).rejects.toThrow(/expected one variant/);
  await expect(load({ particleFiles: ['a.txt'] }, 'box.json#paper')).rejects.toThrow(/a research scene has none/);
});

test.each([
  ['a/b.json#paper', { file: 'a/b.json', variant: 'paper' }],
  ['a/b.JSONC#p-1', { file: 'a/b.JSONC', variant: 'p-1' }],
  ['a/b.json', { file: 'a/b.json' }],
  ['a#b.json', { file: 'a#b.json' }],
  ['a.json#x/b.json', { file: 'a.json#x/b.json' }],
  ['a.json#', { file: 'a.json#' }],
])('%s is split', (path, parts) => {
  expect(splitVariant(path)).toEqual(parts);
});

test('the content that a variant is made of stays as it was', () => {
  const data = scene();
  const before = structuredClone(data);
  applyVariant(data, 'stiff');
  expect(data).toEqual(before);
});
