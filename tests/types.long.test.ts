import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compile } from './compile.js';

const consumer = fileURLToPath(new URL('consumer/consumer.ts', import.meta.url));

describe.each(['typescript', 'typescript-5.4'])('%s compiles against the emitted types', (typescript) => {
  test.each([
    ['esnext', 'bundler'],
    ['node16', 'node16'],
  ])('as module %s, resolved as in %s, without DOM and Node', (module, moduleResolution) => {
    const settings = { lib: ['es2022'], module, moduleResolution };
    expect(compile(typescript, [consumer], settings)).toEqual({ status: 0, said: '' });
  });
});
