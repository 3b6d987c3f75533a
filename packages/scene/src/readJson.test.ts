import { expect, test } from 'vitest';
import { parseJson } from './parseJson.js';
import { readJson } from './readJson.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test.each([
  '{"a": [1, 2.5e3, "x"], "a": null, "__proto__": {"b": 1}}',
  '// a comment\n{ "a": [1, 2,], }',
  '\uFEFF[true]',
])('%j is read as by parseJson', async (text) => {
  const [value, expected] = [await readJson(bytesOf(text), 'f.json'), parseJson(bytesOf(text), 'f.json')];
  expect(value).toEqual(expected);
  expect(Object.keys(value as object)).toEqual(Object.keys(expected as object));
});

test.each([
  ['{ "a" 1 }', 'f.json, line 1, column 7: found "1 }"; expected a colon after the name.'],
  [`${'['.repeat(201)}${']'.repeat(201)}`, 'f.json: the brackets are nested too deeply; expected at most 200'],
])('%j is refused as by parseJson', async (text, message) => {
  await expect(readJson(bytesOf(text), 'f.json')).rejects.toThrow(message);
});
