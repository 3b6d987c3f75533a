import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
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

/** zod's own types, in which those of scene files are written, name `URL` and TypeScript 5.4's `NoInfer`. */
test.each(['typescript', 'typescript-5.4'])('%s compiles against the types of scene files and bakes', (typescript) => {
  const settings = { lib: ['es2022', 'dom'], module: 'esnext', moduleResolution: 'bundler' };
  expect(compile(typescript, [fileURLToPath(new URL('consumer/scenes.ts', import.meta.url))], settings)).toEqual({
    status: 0,
    said: '',
  });
});
