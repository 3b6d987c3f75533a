import { readdirSync, readFileSync } from 'node:fs';
import { parseJson } from '@pliant/scene';
import { describe, expect, test } from 'vitest';

const folder = new URL('../scenes/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

describe('scene files', () => {
  test('there are some, and none is called .jsonc', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(readdirSync(folder).filter((file) => file.endsWith('.jsonc'))).toEqual([]);
  });

  test.each(files)('%s is JSON that any parser reads, and the loader reads the same', (file) => {
    const bytes = readFileSync(new URL(file, folder));
    expect(parseJson(bytes, file)).toEqual(JSON.parse(bytes.toString('utf8')));
  });
});
