// Bundles the packed tarball with webpack and with esbuild, without any configuration, and runs both bundles in Chromium with three threads: `node scripts/bundlers.mjs`. By hand: installing the bundlers takes longer
// than CI has for it. docs/design/threads.md has the result.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { BROWSER_FLAGS, findBrowser } from './browser.mjs';
import { ROOT } from './run.mjs';
import { serve } from './serve.mjs';

const PAGE = `import { World, buildBodyAsync } from 'pliant';
async function start() {
  const world = await World.create({ threads: 3 });
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  const ball = await buildBodyAsync({ shape: { type: 'sphere', radius: 0.5 }, sampling: { count: 3000 } });
  const body = world.addBody(ball, { position: [0, 1, 0] });
  // Workers start while the page is idle.
  for (let k = 0; k < 300 && (k < 60 || world.threads < 3); k++) {
    world.step();
    await new Promise((resume) => setTimeout(resume, 10));
  }
  globalThis.result = { isolated: globalThis.crossOriginIsolated, threads: world.threads, height: body.centreOfMass[1] };
}
start().catch((error) => { globalThis.result = { error: String(error) }; });
`;
const HEADERS = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const BUNDLERS = {
  webpack: [
    'webpack',
    '--entry',
    './page.js',
    '--mode',
    'production',
    '-o',
    './webpack',
    '--output-filename',
    'page.js',
  ],
  esbuild: ['esbuild', './page.js', '--bundle', '--minify', '--format=esm', '--outfile=./esbuild/page.js'],
};

const folder = mkdtempSync(join(tmpdir(), 'pliant-bundlers-'));
let failed = false;
try {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, '-w', 'pliant'], { cwd: ROOT });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, 'page.js'), PAGE);
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, `./${tarball}`, 'webpack', 'webpack-cli', 'esbuild'], { cwd: folder });
  const browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS });
  for (const [name, command] of Object.entries(BUNDLERS)) {
    mkdirSync(join(folder, name), { recursive: true });
    execFileSync('npx', ['--no-install', ...command], { cwd: folder, stdio: 'pipe' });
    writeFileSync(
      join(folder, name, 'index.html'),
      '<link rel="icon" href="data:,"><script type="module" src="page.js"></script>',
    );
    for (const [how, headers] of [
      ['isolated', HEADERS],
      ['any host', {}],
    ]) {
      const { address, close } = await serve({ folder: join(folder, name), headers });
      const page = await browser.newPage();
      const said = [];
      page.on('pageerror', (error) => said.push(error.message));
      page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
      await page.goto(address);
      await page.waitForFunction(() => 'result' in globalThis, undefined, { timeout: 120_000 });
      const result = await page.evaluate(() => globalThis.result);
      const isRight = said.length === 0 && result.height < 0.9 && (how !== 'isolated' || result.threads === 3);
      console.log(`${name}, ${how}: ${isRight ? 'runs' : 'FAILS'} ${JSON.stringify(result)} ${said.join(' ')}`);
      failed ||= !isRight;
      await page.close();
      close();
    }
  }
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
