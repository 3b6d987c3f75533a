import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
// @ts-expect-error: a plain script.
import { SCENE_TYPES, sceneTypes } from '../scripts/sceneTypes.mjs';
import { compile } from './compile.js';

const consumer = fileURLToPath(new URL('consumer/consumer.ts', import.meta.url));

describe.each(['typescript', 'typescript-5.4', 'typescript-5.0'])(
  '%s compiles against the emitted types',
  (typescript) => {
    test.each([
      ['esnext', 'bundler'],
      ['node16', 'node16'],
    ])('as module %s, resolved as in %s, without DOM and Node', (module, moduleResolution) => {
      const settings = { lib: ['es2022'], module, moduleResolution };
      expect(compile(typescript, [consumer], settings)).toEqual({ status: 0, said: '' });
    });
  },
);

describe.each(['typescript', 'typescript-5.4', 'typescript-5.0'])(
  '%s compiles against the types of scene files and bakes',
  (typescript) => {
    test.each([
      ['without DOM and Node', ['es2022']],
      ['in a page', ['es2022', 'dom']],
    ])('%s', (_, lib) => {
      const settings = { lib, module: 'esnext', moduleResolution: 'bundler' };
      const consumers = ['scenes.ts', ...(lib.includes('dom') ? ['blob.ts'] : [])];
      const files = consumers.map((file) => fileURLToPath(new URL(`consumer/${file}`, import.meta.url)));
      expect(compile(typescript, files, settings)).toEqual({ status: 0, said: '' });
    });
  },
);

test('the published type of scene files is that of the schema', () => {
  expect(readFileSync(new URL(`../${SCENE_TYPES}`, import.meta.url), 'utf8')).toBe(sceneTypes());
});
