import { expect, test } from 'vitest';
import { columnsOf, parseRequest } from './request.js';

test.each([
  ['height', ['height']],
  ['height@end', ['height']],
  ['height@0.5,1', ['height@0.5', 'height@1']],
  ['height@0..1/3', ['height@0', 'height@0.5', 'height@1']],
  ['height[beam]@max', ['height[beam]@max']],
  ['centreOfMass', ['centreOfMass.x', 'centreOfMass.y', 'centreOfMass.z']],
  ['centreOfMass.y@1,2', ['centreOfMass.y@1', 'centreOfMass.y@2']],
  ['momentum@1,2', ['momentum.x@1', 'momentum.y@1', 'momentum.z@1', 'momentum.x@2', 'momentum.y@2', 'momentum.z@2']],
  ['height@all/10', ['height']],
  ['tip@all', ['tip']],
  ['restTime', ['restTime']],
])('%s has its columns', (text, columns) => {
  expect(columnsOf(parseRequest(text, ['tip']))).toEqual(columns);
});

test('kinds', () => {
  const kind = (text: string) => parseRequest(text, ['height', 'tip']).kind;
  // A function of the user takes the place of a measure of the same name.
  expect(['tip', 'height', 'width', 'restTime', 'stepTime'].map(kind)).toEqual([
    'user',
    'user',
    'named',
    'run',
    'timing',
  ]);
  expect(parseRequest('height@all/10', []).when).toEqual({ type: 'series', every: 10 });
});

test.each([
  ['heigth', /--measure heigth: there is no measure heigth; expected one of height, width/],
  ['height.x', /height has no part x; expected height alone/],
  ['momentum.w', /momentum has no part w; expected one of x, y, z/],
  ['stretch[beam]', /stretch is of the whole scene/],
  ['restTime@1', /restTime is of the whole run/],
  ['height@-1', /its time is -1; expected seconds/],
  ['height@soon', /its time is "soon"; expected seconds, all/],
  ['height@all/0', /its time is "all\/0"/],
  ['hash@max', /a hash has no order/],
  ['a b', /cannot be read/],
  ['constructor', /there is no measure constructor/],
])('%s is refused', (text, message) => {
  expect(() => parseRequest(text, [])).toThrow(message);
});
