import { PliantError } from 'pliant';
import { expect, test } from 'vitest';
import { sceneSchema } from './schema/scene.js';
import { boxScene } from './testing/memory.js';
import { validate } from './validate.js';

function refusal(scene: unknown): PliantError {
  try {
    validate(sceneSchema, scene, 'x.json');
  } catch (error) {
    expect(error).toBeInstanceOf(PliantError);
    return error as PliantError;
  }
  throw new Error('accepted');
}

test.each([
  // In an object of a list, beside a field that is missing, and in the right order.
  [{ bodies: [{ geometri: { type: 'box', size: [1, 1, 1] } }] }, 'bodies[0].geometri', 'geometry'],
  [{ bodys: [], title: 3 }, 'bodys', 'bodies'],
  // In a union that is told apart by a type, and in one that is told apart by shape.
  [boxScene({}, { geometry: { type: 'box', sise: [1, 1, 1] } }), 'bodies[0].geometry.sise', 'size'],
  [boxScene({}, { rotation: { axis: [0, 1, 0], degree: 90 } }), 'bodies[0].rotation.degree', 'degrees'],
  [boxScene({}, { material: { raw: { stifness: 1 } } }), 'bodies[0].material.raw.stifness', 'stiffness'],
  [boxScene({ materials: { a: { denssity: 1 } } }), 'materials.a.denssity', 'density'],
  [boxScene({ colliders: [{ type: 'plane', normals: [0, 1, 0] }] }), 'colliders[0].normals', 'normal'],
])('case %#: an unknown field is named first, with the nearest that there is', (scene, path, meant) => {
  const error = refusal(scene);
  expect(error.path).toBe(path);
  expect(error.message).toContain(`x.json: ${path} is not a field of this object (did you mean ${meant}?); expected`);
});

test('what else is wrong is listed behind it, up to five things', () => {
  const { message } = refusal({ bodys: 1, dt: 2, frames: -1 });
  expect(message).toMatch(
    /bodys is not a field .* Also: dt is 2; expected .* frames is -1; expected .* bodies is missing; expected a list of bodies\.$/,
  );
  const many = refusal(Object.fromEntries(Array.from({ length: 500 }, (_, k) => [`field${k}`, k])));
  expect(many.message).toMatch(/field0 is .* field4 is .* And 496 more\.$/);
  expect(many.message).not.toContain('field5 ');
});

test('a type is recognised by a misspelt value or name', () => {
  expect(refusal(boxScene({}, { geometry: { type: 'shpere', radius: 1 } })).message).toContain(
    'bodies[0].geometry.type is "shpere" (did you mean sphere?); expected one of "mesh"',
  );
  expect(refusal(boxScene({}, { geometry: { typ: 'sphere', radius: 1 } })).message).toContain(
    'bodies[0].geometry.type is missing (is typ meant to be it?); expected one of "mesh"',
  );
  expect(refusal(boxScene({}, { material: { raw: { mode: 'Quadratc' } } })).message).toContain(
    'did you mean quadratic?',
  );
});

test.each([
  ['numbers', (n: number) => Array(n).fill(0), 'points[0] is 0; expected three numbers.'],
  ['texts', (n: number) => Array(n).fill([0, 0, 'a']), 'points[0][2] is "a"; expected a number.'],
])('a list of half a million wrong %s is refused by the first, not by the stack', (_, points, message) => {
  const scene = { bodies: [{ geometry: { type: 'points', points: points(500_000) } }] };
  expect(refusal(scene).message).toContain(`bodies[0].geometry.${message}`);
});

test('what is wrong far down a list is found there', () => {
  const points: unknown[] = Array.from({ length: 20_000 }, () => [0, 0, 0]);
  points[12_345] = 'x';
  const { message } = refusal({ bodies: [{ geometry: { type: 'points', points } }] });
  expect(message).toBe('x.json: bodies[0].geometry.points[12345] is "x"; expected three numbers.');
});

test('an object with thousands of names is refused, whatever they hold', () => {
  const materials = Object.fromEntries(Array.from({ length: 200_000 }, (_, k) => [`m${k}`, { densty: 1 }]));
  expect(refusal(boxScene({ materials })).message).toBe(
    'x.json: materials has 200000 names; expected at most 1000 in an object.',
  );
});
