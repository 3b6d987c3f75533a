// Builds the site into out/site: the documentation, the API reference in api/ and the studio in studio/. Static files that any host serves, without headers of its own.
//
//     node scripts/site/build.mjs [--pages]      --pages: the documentation alone
//
// PLIANT_SITE_BASE is the path at which the site lies on its host; "/" by default.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runScript, say } from '../run.mjs';
import { build } from './node_modules/vitepress/dist/node/index.js';

const OUT = join(ROOT, 'out/site');

say('building the pages of the documentation …');
await build(join(ROOT, 'docs'));
if (!process.argv.includes('--pages')) {
  say('generating the API reference …');
  runScript('scripts/apiReference/generate.mjs', join(ROOT, 'out/api'));
  cpSync(join(ROOT, 'out/api/html'), join(OUT, 'api'), { recursive: true });
  const studio = join(ROOT, 'packages/studio/dist');
  if (!existsSync(studio)) throw new Error('The studio is not built: npm run build.');
  cpSync(studio, join(OUT, 'studio'), { recursive: true });
}
say(`the site is in ${OUT}`);
