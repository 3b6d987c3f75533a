import { buildWorld, loadScene } from '@pliant/scene';
import { expect, test } from 'vitest';
import { canBreak, rehearseBreak } from './rehearsal.js';

test('the rehearsed plate breaks several times', async () => {
  expect(await rehearseBreak()).toBeGreaterThan(8);
});

test.each([
  [{ toughness: 0.1 }, true],
  [{}, false],
])('a world can break where a toughness is finite: %o', async (material, breaks) => {
  const box = { geometry: { type: 'box', size: [1, 1, 1] }, sampling: { count: 27 }, material };
  const text = new TextEncoder().encode(JSON.stringify({ bodies: [box] }));
  const { world } = await buildWorld(await loadScene('x.json', async () => text), { backend: 'ts' });
  expect(canBreak(world)).toBe(breaks);
  world.dispose();
});
