// The lanes of tests/golden/lane.ts as one module, from the sources: what is hashed is what is in the working tree, in every host alike.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = (name) => join(root, 'packages', name, 'src/index.ts');

/** Builds it into a folder of its own, which the caller removes; returns the folder. Its entry is lane.mjs. */
export async function bundleLane() {
  const outDir = mkdtempSync(join(tmpdir(), 'pliant-golden-'));
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    resolve: {
      alias: [
        { find: /^pliant$/, replacement: source('pliant') },
        { find: /^@pliant\/scene$/, replacement: source('scene') },
      ],
    },
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: false,
      minify: false,
      reportCompressedSize: false,
      lib: { entry: join(root, 'tests/golden/lane.ts'), formats: ['es'], fileName: () => 'lane.mjs' },
    },
  });
  return outDir;
}
