import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sceneJsonSchema } from './scene.js';

const published = new URL('../../../../scenes/scene.schema.json', import.meta.url);

test('the published schema is the one of the validator (npx pliant schema > scenes/scene.schema.json)', () => {
  expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(sceneJsonSchema());
});

test('every field has words for an editor to show', () => {
  const bare: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node as {
      properties?: Record<string, { description?: string; $ref?: string; const?: unknown }>;
    };
    for (const [key, field] of Object.entries(properties ?? {}))
      if (!field.description && !field.$ref && field.const === undefined && !['name', 'title'].includes(key))
        bare.push(`${path}.${key}`);
    for (const [key, child] of Object.entries(node)) visit(child, `${path}.${key}`);
  };
  visit(sceneJsonSchema(), '');
  expect(bare).toEqual([]);
});

test('unknown keys are errors in the schema too', () => {
  const { additionalProperties, required } = sceneJsonSchema();
  expect(additionalProperties).toBe(false);
  expect(required).toEqual(['bodies']);
});
