// The studio in Chromium without a graphics card (WebGL2 on SwiftShader): how soon the page can be used, what it loads, how soon input is handled.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { BROWSER_FLAGS, findBrowser } from '../scripts/browser.mjs';
import { median, table } from './statistics.mjs';

const RUNS = 5;
/** Particles: 4 200, 25 000 and 25 000 shown as balls. */
const SCENES = ['clay', 'swiss-cheese', 'swiss-cheese as particles'];

const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

export async function studio() {
  const executablePath = findBrowser();
  if (!executablePath) {
    console.log('\nStudio: skipped, no Chromium on this machine.');
    return undefined;
  }
  const server = await preview({
    root: fileURLToPath(new URL('../packages/studio', import.meta.url)),
    preview: { port: 0 },
    logLevel: 'error',
  });
  const [address] = server.resolvedUrls.local;
  const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS });
  const start = await measureStart(browser, address);
  console.log(
    '\nStudio: from opening the address on a warm server, medians of fresh pages (s), and what is loaded until then.\n',
  );
  console.log(table([start]));
  const input = [];
  for (const scene of SCENES) input.push(await measureInput(browser, address, scene));
  console.log('\nStudio: milliseconds from an input to its handler while a scene runs, and frames drawn a second.\n');
  console.log(table(input));
  await browser.close();
  server.httpServer.close();
  return { start, input };
}

/** When buttons answer, when the first moment is drawn, when the body has come to the ground; bytes gzipped. */
async function measureStart(browser, address) {
  const times = { interactive: [], drawn: [], falling: [] };
  let sizes = [];
  for (let run = 0; run < RUNS; run++) {
    const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
    const bodies = [];
    page.on('response', (response) => bodies.push(response));
    const began = performance.now();
    const since = () => (performance.now() - began) / 1000;
    await page.goto(`${address}?renderer=webgl`, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.querySelector('#play') && globalThis.pliant);
    times.interactive.push(since());
    await page.waitForFunction(() => globalThis.pliant.graphics && globalThis.pliant.simulation.latest);
    times.drawn.push(since());
    await page.waitForFunction(() => globalThis.pliant.simulation.latest.time > 0.3);
    times.falling.push(since());
    sizes = await Promise.all(
      bodies.map(async (one) => gzipSync(await one.body().catch(() => Buffer.alloc(0))).length),
    );
    await page.close();
  }
  return {
    'controls answer s': median(times.interactive).toFixed(2),
    'first moment drawn s': median(times.drawn).toFixed(2),
    'falling for 0.3 s after s': median(times.falling).toFixed(2),
    files: sizes.length,
    'kB gzipped': (sizes.reduce((sum, size) => sum + size, 0) / 1000).toFixed(0),
  };
}

async function measureInput(browser, address, name) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
  const [scene] = name.split(' ');
  await page.goto(`${address}?renderer=webgl&scene=${scene}`);
  await page.waitForFunction(
    () => globalThis.pliant?.graphics && globalThis.pliant.simulation.latest?.step > 5,
    undefined,
    {
      timeout: 120_000,
    },
  );
  if (name.endsWith('particles'))
    await page.evaluate(() => globalThis.pliant.setShow({ particles: true, surface: false }));
  await page.waitForTimeout(3000);
  await page.evaluate(() => {
    globalThis.delays = [];
    globalThis.drawn = 0;
    const note = (event) => globalThis.delays.push(performance.now() - event.timeStamp);
    // Moves as the hands hear of them (packages/studio/src/input/pointer.ts).
    for (const type of ['pointerrawupdate', 'pointerdown', 'keydown']) addEventListener(type, note, { capture: true });
    const count = () => {
      globalThis.drawn++;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    globalThis.since = performance.now();
  });
  for (let n = 0; n < 40; n++) {
    await page.mouse.move(300 + 4 * n, 300 + (n % 7));
    if (n % 10 === 0) await page.keyboard.press('Shift');
    if (n === 10) await page.mouse.down();
    if (n === 30) await page.mouse.up();
    await page.waitForTimeout(50);
  }
  const { delays, rate, step } = await page.evaluate(() => ({
    delays: globalThis.delays,
    rate: (1000 * globalThis.drawn) / (performance.now() - globalThis.since),
    step: Object.values(globalThis.pliant.simulation.latest.stats.stages).reduce((sum, ms) => sum + ms, 0),
  }));
  await page.close();
  return {
    scene: name,
    inputs: delays.length,
    'median ms': median(delays).toFixed(1),
    'p95 ms': quantile(delays, 0.95).toFixed(1),
    'worst ms': Math.max(...delays).toFixed(1),
    'frames/s': rate.toFixed(0),
    'step ms': step.toFixed(1),
  };
}
