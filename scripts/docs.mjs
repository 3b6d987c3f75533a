// Builds the documentation with the API reference and the studio into out/site, and serves it as a host without headers of ours would. `npm run docs` installs and builds first.
import { join } from 'node:path';
import { ROOT, runScript, say } from './run.mjs';
import { serve } from './serve.mjs';

runScript('scripts/site/build.mjs');
const { PORT, HOST } = process.env;
// No policy: the pages of VitePress and typedoc have scripts in them, and show no input.
const { address } = await serve({
  port: Number(PORT ?? 4174),
  host: HOST,
  folder: join(ROOT, 'out/site'),
  headers: {},
});
say(`serving the documentation at ${address}`);
console.log('Ctrl C ends it.');
