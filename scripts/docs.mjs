// Generates the API reference into out/api and serves it as HTML; out/api/markdown has the same for other programs. `npm run docs` installs and builds first.
import { join } from 'node:path';
import { ROOT, runScript, say } from './run.mjs';
import { serve } from './serve.mjs';

const OUT = join(ROOT, 'out/api');

say('generating the API reference …');
runScript('scripts/apiReference/generate.mjs', OUT);
const { PORT, HOST } = process.env;
// No policy: the pages are typedoc's, which has scripts in them, and show no input.
const { address } = await serve({ port: Number(PORT ?? 4174), host: HOST, folder: join(OUT, 'html'), headers: {} });
say(`serving the API reference at ${address}`);
console.log('Ctrl C ends it.');
