import { MATERIALS } from 'pliant';
import { expect, test } from 'vitest';
import { loadScene } from './loadScene.js';
import { bodyColours, LOOK_NAMES, LOOKS, PRESET_LOOKS } from './looks.js';

const ball = { geometry: { type: 'sphere', radius: 1 }, sampling: { count: 20 } };
const load = (bodies: object[]) =>
  loadScene('x.json', async () => new TextEncoder().encode(JSON.stringify({ bodies })));

test('a body looks as it says, else as the preset of its material, else like rubber', async () => {
  const { bodies } = await load([
    { ...ball, material: { preset: 'jelly' } },
    { ...ball, material: { preset: 'jelly' }, look: 'wood', colour: '#102030' },
    { ...ball, copies: [{ position: [3, 0, 0], look: 'clay' }] },
  ]);
  expect(bodies.map(({ look }) => look)).toEqual([
    { look: 'jelly' },
    { look: 'wood', colour: '#102030' },
    { look: 'rubber' },
    { look: 'clay' },
  ]);
  // The engine is told nothing of it.
  for (const { options } of bodies) expect(Object.keys(options)).not.toContain('look');
});

test('a look or a colour that does not exist is refused', async () => {
  await expect(load([{ ...ball, look: 'velvet' }])).rejects.toThrow(
    /bodies\[0\]\.look is "velvet"; expected one of "rubber"/,
  );
  await expect(load([{ ...ball, colour: 'red' }])).rejects.toThrow(
    /bodies\[0\]\.colour is "red"; expected a colour, "#rrggbb"/,
  );
});

test('every preset has a look, and all numbers are shares', () => {
  expect(Object.keys(PRESET_LOOKS).sort()).toEqual(Object.keys(MATERIALS).sort());
  for (const name of LOOK_NAMES) {
    const { roughness, coat, translucency, opacity, strength, inner } = LOOKS[name];
    for (const share of [roughness, coat, translucency, opacity, strength, inner.roughness, inner.strength]) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }
  }
});

test('bodies of one look differ in colour, those that name one have it', () => {
  const colours = bodyColours([
    { look: 'rubber' },
    { look: 'rubber' },
    { look: 'wood' },
    { look: 'wood' },
    { look: 'rubber', colour: '#0a0b0c' },
    undefined,
  ]);
  expect(new Set(colours.map(({ outer }) => outer.join())).size).toBe(6);
  expect(colours[4].outer).toEqual([10, 11, 12]);
  // Wood stays wood: tones of one hue.
  for (let k = 0; k < 3; k++) expect(Math.abs(colours[2].outer[k] - colours[3].outer[k])).toBeLessThan(60);
});
