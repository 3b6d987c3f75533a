import { expect, test } from 'vitest';
import { packText, readAddress, unpackText, writeAddress } from './link.js';

const PAGE = 'https://example.org/pliant/?renderer=webgl#old';

test.each([
  ['plain', '{"bodies":[]}'],
  [
    'umlauts, signs beyond the plane, a lone zero',
    JSON.stringify({ title: 'Häschen – 兎 🐇', description: '\u0000 "\\' }),
  ],
  ['numbers', JSON.stringify({ dt: 1 / 240, gravity: [0, -9.81, 1e-300] })],
  ['long', JSON.stringify(Array.from({ length: 5000 }, (_, k) => Math.sin(k)))],
])('a scene comes back from a link letter by letter: %s', async (_, text) => {
  const link = await writeAddress({ name: undefined, text }, PAGE);
  // Nothing that a messenger would take for the end of the address.
  expect(link).toMatch(/^https:\/\/example\.org\/pliant\/#s=[\w-]+$/);
  expect(await readAddress(link)).toEqual({ name: undefined, text });
});

test('the name of a scene is in the query, also with others’ letters', async () => {
  const link = await writeAddress({ name: 'drop & roll?', text: undefined }, PAGE);
  expect(link).toBe('https://example.org/pliant/?scene=drop+%26+roll%3F');
  expect(await readAddress(link)).toEqual({ name: 'drop & roll?', text: undefined });
  const both = await writeAddress({ name: 'drop', text: '{}' }, PAGE);
  expect(await readAddress(both)).toEqual({ name: 'drop', text: '{}' });
});

test('a scene of the gallery’s kind is short', async () => {
  const bodies = Array.from({ length: 50 }, (_, k) => ({
    name: `ball ${k}`,
    position: [0, k / 10, 0],
    sampling: { count: 500 },
  }));
  expect((await packText(JSON.stringify({ bodies }))).length).toBeLessThan(1000);
});

test('links that were cut off or are none are told', async () => {
  const packed = await packText(JSON.stringify(Array.from({ length: 200 }, (_, k) => k ** 0.5)));
  for (const broken of [packed.slice(0, packed.length / 2), '!!!', 'AAAA'])
    await expect(unpackText(broken)).rejects.toThrow('The link holds no scene');
});

test('a small link does not fill the memory', async () => {
  const bomb = await packText(' '.repeat(60e6));
  expect(bomb.length).toBeLessThan(200_000);
  await expect(unpackText(bomb)).rejects.toThrow('The link holds no scene');
});
