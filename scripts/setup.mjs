// Everything a fresh clone needs before `npm start`, `npm test` and `npm run bench`: the packages and the build; for tests a browser too.
// Does nothing twice: the install is skipped while package-lock.json is the one that was installed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ensureBrowser } from './browser.mjs';
import { ROOT, run, runScript, say } from './run.mjs';

process.chdir(ROOT);

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Pliant needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

const stamp = 'node_modules/.pliant-installed';
const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
if (installed !== wanted) {
  // Not `npm ci`: that refuses a lock file without the optional packages of every platform, which registries do not always have.
  say('installing the packages of package-lock.json into node_modules …');
  run('npm', 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync(stamp, wanted);
}
runScript('scripts/build.mjs');

// Tests drive the studio in a real browser.
if (process.argv.includes('--browser')) {
  say('looking for a Chromium, in which the studio is tested …');
  await ensureBrowser();
}
