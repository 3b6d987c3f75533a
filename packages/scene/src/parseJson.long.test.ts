import { expect, test } from 'vitest';
import { MOST_VALUES, parseJson } from './parseJson.js';

test('a file of too many values is refused', () => {
  expect(() => parseJson(new TextEncoder().encode(`[${'0,'.repeat(MOST_VALUES)}]`), 's.json')).toThrow(
    's.json: there are more than 16777216 values; expected fewer.',
  );
});
