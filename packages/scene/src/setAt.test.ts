import { expect, test } from 'vitest';
import { setAt as set } from './setAt.js';

const setAt = (at: unknown, path: string, value: unknown) => set(at, path, value, `--vary${path && ` ${path}`}`);

const scene = () => ({
  dt: 0.01,
  materials: { 'soft rubber': { young: 1 } } as Record<string, unknown>,
  bodies: [
    { name: 'beam', material: { young: 1 } },
    { name: 'ball', material: 'soft rubber' as unknown },
  ] as Record<string, unknown>[],
});

test.each([
  ['dt', (s: ReturnType<typeof scene>) => s.dt, 1],
  ['gravity', (s: ReturnType<typeof scene>) => (s as Record<string, unknown>).gravity, 1],
  ['bodies[0].material.young', (s: ReturnType<typeof scene>) => (s.bodies[0].material as { young: number }).young, 1],
  [
    'bodies[beam].material.poisson',
    (s: ReturnType<typeof scene>) => (s.bodies[0].material as { poisson: number }).poisson,
    1,
  ],
  [
    'bodies[ball].sampling.count',
    (s: ReturnType<typeof scene>) => (s.bodies[1].sampling as { count: number }).count,
    1,
  ],
  [
    'bodies[*].position',
    (s: ReturnType<typeof scene>) => (s.bodies[0].position === s.bodies[1].position ? s.bodies[1].position : 0),
    2,
  ],
  [
    'materials["soft rubber"].young',
    (s: ReturnType<typeof scene>) => (s.materials['soft rubber'] as { young: number }).young,
    1,
  ],
])('%s is set', (path, read, places) => {
  const changed = scene();
  expect(setAt(changed, path, 42)).toBe(places);
  expect(read(changed)).toBe(42);
});

test('a value that is set at several places is a copy at each', () => {
  const changed = scene();
  setAt(changed, 'bodies[*].position', [1, 2, 3]);
  expect(changed.bodies[0].position).toEqual([1, 2, 3]);
  expect(changed.bodies[0].position).not.toBe(changed.bodies[1].position);
});

test('a name __proto__ is a name', () => {
  const changed = scene();
  setAt(changed, 'materials["__proto__"].young', 3);
  expect(Object.getPrototypeOf(changed.materials)).toBe(Object.prototype);
  expect(Object.keys(changed.materials)).toContain('__proto__');
});

test.each([
  ['', /--vary has no path/],
  ['bodies[0]material', /found "material"; expected a path such as/],
  ['[0].x', /found "\[0\]\.x"/],
  ['bodies[2].name', /--vary bodies\[2\]\.name: bodies has 2 entries; expected a number from 0 to 1/],
  ['bodies[bal].name', /bodies has no entry of the name "bal"; expected one of "beam", "ball", a number or \*/],
  ['bodies.material', /bodies is \[.*; expected the number of an entry, \[0\]/],
  ['bodies[1].material.young', /bodies\[1\]\.material is "soft rubber"; expected an object that has young/],
  ['colliders[0].friction', /the scene has no colliders; expected a scene with a list colliders/],
  ['dt[0]', /dt is 0\.01; expected a list/],
])('%s is refused', (path, message) => {
  expect(() => setAt(scene(), path, 1)).toThrow(message);
});
