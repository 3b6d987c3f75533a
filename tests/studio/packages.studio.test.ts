import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error: a plain script, shared with `npm test`'s set-up.
import { BROWSER_FLAGS, findBrowser } from '../../scripts/browser.mjs';
// @ts-expect-error: the server of `npm start`.
import { serve } from '../../scripts/serve.mjs';
import { PATIENCE, RUN } from './harness.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = join(ROOT, 'tests/packages');
const run = promisify(execFile);

/** The version of a package that this repository has installed: it lies in npm's cache. */
const installed = (name: string, from = 'node_modules') =>
  `${name}@${JSON.parse(readFileSync(join(ROOT, from, name, 'package.json'), 'utf8')).version}`;

/** The empty projects: what each installs beside our tarballs, and its pages. */
const PROJECTS = {
  three: {
    ours: ['pliant', '@pliant/three'],
    others: () => [installed('three')],
    pages: ['index', 'worker', 'webgpu', 'examples', 'template'],
  },
  react: {
    ours: ['pliant', '@pliant/three', '@pliant/react', '@pliant/rigid'],
    others: () => [
      ...['three', 'react', 'react-dom', '@react-three/fiber'].map((name) => installed(name)),
      installed('@dimforge/rapier3d-compat', 'packages/rigid/node_modules'),
    ],
    pages: ['index', 'rapier', 'template'],
  },
} as const;

/** Headers with which a page may share memory, and those of any simple host. */
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

describe.skipIf(!findBrowser())('packed tarballs in empty projects', RUN, () => {
  let folder: string;
  let browser: Browser;
  const addresses: Record<string, string> = {};
  const closers: (() => void)[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pliant-packages-'));
    const names = ['pliant', '@pliant/three', '@pliant/react', '@pliant/rigid'];
    await run('npm', ['pack', '--silent', '--pack-destination', folder, ...names.flatMap((name) => ['-w', name])], {
      cwd: ROOT,
    });
    const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
    const tarballOf = (name: string) => {
      const start = name.replace('@', '').replace('/', '-');
      return join(folder, tarballs.find((file) => new RegExp(`^${start}-\\d`).test(file))!);
    };
    for (const [name, { ours, others, pages }] of Object.entries(PROJECTS)) {
      const project = join(folder, name);
      cpSync(join(HERE, name), project, { recursive: true });
      if (name === 'three') {
        cpSync(join(ROOT, 'packages/three/examples/jellyCube.ts'), join(project, 'jellyCube.ts'));
        cpSync(join(ROOT, 'docs/examples'), join(project, 'examples'), { recursive: true });
        cpSync(join(ROOT, 'docs/.vitepress/theme/stage.mjs'), join(project, 'stage.mjs'));
      }
      // The template of create-pliant, beside the test's own pages.
      const template = join(ROOT, 'packages/create-pliant/templates', name);
      cpSync(join(template, 'src'), join(project, 'src'), { recursive: true });
      cpSync(join(template, 'index.html'), join(project, 'template.html'));
      writeFileSync(join(project, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
      const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
      await run('npm', ['install', ...quiet, ...ours.map(tarballOf), ...others()], { cwd: project });
      await build({
        root: project,
        configFile: false,
        logLevel: 'error',
        base: './',
        // As in the template's own configuration.
        oxc: { jsx: { runtime: 'automatic' } },
        worker: { format: 'es' },
        build: {
          target: 'es2022',
          minify: false,
          rolldownOptions: { input: pages.map((page) => join(project, `${page}.html`)) },
        },
      });
      for (const [host, headers] of [
        [name, {}],
        [`${name} isolated`, ISOLATED],
      ] as const) {
        const { address, close } = await serve({ folder: join(project, 'dist'), headers });
        addresses[host] = address;
        closers.push(close);
      }
    }
    browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS });
  }, RUN.timeout);

  afterAll(async () => {
    await browser?.close();
    for (const close of closers) close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  async function open(host: string, file: string): Promise<Page> {
    complaints.length = 0;
    const page = await browser.newPage({ viewport: { width: 480, height: 360 } });
    page.setDefaultTimeout(PATIENCE.timeout);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${addresses[host]}${file}`);
    return page;
  }

  /** Share of the pixels of a picture that are so, and their mean place (0 to 1 from the left and the top). */
  async function look(page: Page, name: string, colour: 'red' | 'green' | 'blue' | 'orange' | 'any') {
    const png = await page.screenshot();
    if (process.env.PLIANT_PICTURES) writeFileSync(join(process.env.PLIANT_PICTURES, `${name}.png`), png);
    return await page.evaluate(
      async ([data, wanted]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext('2d')!;
        context.drawImage(image, 0, 0);
        const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
        let [count, x, y] = [0, 0, 0];
        for (let k = 0; k < pixels.length / 4; k++) {
          const [r, g, b] = pixels.subarray(4 * k, 4 * k + 3);
          const most =
            wanted === 'red'
              ? r > 150 && g < 90 && b < 90
              : wanted === 'green'
                ? g > 150 && r < 90 && b < 90
                : wanted === 'blue'
                  ? b > 150 && r < 90 && g < 90
                  : wanted === 'orange'
                    ? r > 110 && r > 1.5 * g && r > 1.5 * b
                    : r + g + b > 250;
          if (!most) continue;
          count++;
          x += (k % image.width) / image.width;
          y += Math.floor(k / image.width) / image.height;
        }
        return { share: count / (image.width * image.height), x: x / count, y: y / count };
      },
      [png.toString('base64'), colour],
    );
  }

  it('three: a jelly cube of at most 15 lines falls and lies on the ground', async () => {
    const lines = readFileSync(join(ROOT, 'packages/three/examples/jellyCube.ts'), 'utf8').split('\n');
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(15);
    const page = await open('three', 'index.html');
    await expect.poll(async () => (await look(page, 'jelly-first', 'any')).share, PATIENCE).toBeGreaterThan(0.03);
    // The picture is 4.7 m high at the cube; it falls by one metre.
    await expect.poll(async () => (await look(page, 'jelly-later', 'any')).y, PATIENCE).toBeGreaterThan(0.57);
    // The first impact squashes the cube for a moment.
    await expect.poll(async () => (await look(page, 'jelly-later', 'any')).share, PATIENCE).toBeGreaterThan(0.03);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('worker, isolated: frames come by shared memory', async () => {
    const page = await open('three isolated', 'worker.html');
    await page.waitForFunction(() => (globalThis as never as Shown).page?.world.time > 0.5);
    expect(await page.evaluate(() => (globalThis as never as Shown).page.world.isShared)).toBe(true);
    await expect.poll(async () => (await look(page, 'worker-shared', 'red')).share, PATIENCE).toBeGreaterThan(0.02);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('worker, on any host: a cube falls, is grabbed and cut', async () => {
    const page = await open('three', 'worker.html');
    await page.waitForFunction(() => (globalThis as never as Shown).page?.world.time > 1.5);
    expect(await page.evaluate(() => (globalThis as never as Shown).page.world.isShared)).toBe(false);
    const lying = await look(page, 'worker', 'red');
    expect(lying.share).toBeGreaterThan(0.02);
    // A hand lifts it.
    const [x, y] = [lying.x * 480, lying.y * 360];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let k = 1; k <= 10; k++) {
      await page.mouse.move(x, y - 12 * k);
      await page.waitForTimeout(50);
    }
    const height = async () => (await look(page, 'worker-lifted', 'red')).y;
    await expect.poll(height, PATIENCE).toBeLessThan(lying.y - 0.05);
    await page.mouse.up();
    // A stroke cuts it: the faces inside are green.
    await page.evaluate(() => {
      const { grab, cutter } = (globalThis as never as Shown).page;
      grab.enabled = false;
      cutter.enabled = true;
    });
    // It falls again, which takes less than half a second of the world's time.
    const then = await page.evaluate(() => (globalThis as never as Shown).page.world.time);
    await page.waitForFunction((then) => (globalThis as never as Shown).page.world.time > then + 1, then);
    const at = await look(page, 'worker-again', 'red');
    await page.mouse.move(at.x * 480 + 100, at.y * 360 - 130);
    await page.mouse.down();
    await page.mouse.move(at.x * 480, at.y * 360, { steps: 4 });
    await page.mouse.move(at.x * 480 - 60, at.y * 360 + 130, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => (globalThis as never as Shown).page.meshes.length === 2);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(['', '?webgl'])('three: WebGPURenderer%s draws a cut ball, instances and debug lines', async (query) => {
    const page = await open('three', `webgpu.html${query}`);
    await page.waitForFunction(() => (globalThis as never as Shown).page?.world.time > 0.8);
    const [ball, bricks] = [await look(page, 'webgpu-ball', 'red'), await look(page, 'webgpu-bricks', 'blue')];
    expect(ball.share).toBeGreaterThan(0.01);
    expect(bricks.share).toBeGreaterThan(0.01);
    expect(ball.x).toBeLessThan(bricks.x);
    expect(await page.evaluate(() => (globalThis as never as Shown).page.cut())).toBe(2);
    const then = await page.evaluate(() => (globalThis as never as Shown).page.world.time);
    await page.waitForFunction((then) => (globalThis as never as Shown).page.world.time > then + 0.5, then);
    const parts = await look(page, `webgpu-cut${query.length}`, 'red');
    expect(parts.share).toBeGreaterThan(0.01);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('docs: every live example runs, moves and complains of nothing', async () => {
    const page = await open('three', 'examples.html');
    await page.waitForFunction(() => 'examples' in globalThis);
    type Examples = { examples: { names: string[]; run(name: string): Promise<{ moved: number; frames: number }> } };
    const names = await page.evaluate(() => (globalThis as never as Examples).examples.names);
    expect(names.sort()).toEqual(
      readdirSync(join(ROOT, 'docs/examples'))
        .filter((file) => file.endsWith('.js'))
        .map((file) => file.slice(0, -3))
        .sort(),
    );
    for (const name of names) {
      const { moved, frames } = await page.evaluate((n) => (globalThis as never as Examples).examples.run(n), name);
      expect([name, moved > 0.01, frames > 3]).toEqual([name, true, true]);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('react: bodies in strict mode, built behind a fallback, come and go with their components', async () => {
    const page = await open('react', 'index.html');
    await page.waitForFunction(() => (globalThis as never as Shown).page?.world.bodies.length === 2);
    // The world goes on while bodies are built in their threads.
    for (const colour of ['red', 'blue'] as const)
      await expect
        .poll(async () => (await look(page, `react-${colour}`, colour)).share, PATIENCE)
        .toBeGreaterThan(0.01);
    const [red, blue] = [await look(page, 'react-two', 'red'), await look(page, 'react-two', 'blue')];
    expect([red.share > 0.01, blue.share > 0.01, red.x < blue.x]).toEqual([true, true, true]);
    expect(await page.evaluate(() => (globalThis as never as Shown).page.seen.fallbacks)).toBeGreaterThan(0);
    // Both boxes came from one build.
    expect(
      await page.evaluate(() => {
        const [one, other] = (globalThis as never as Shown).page.world.bodies;
        return one.clustering.particle === other.clustering.particle;
      }),
    ).toBe(true);
    await page.evaluate(() => (globalThis as never as { setCount(n: number): void }).setCount(1));
    await page.waitForFunction(() => (globalThis as never as Shown).page.world.bodies.length === 1);
    await expect.poll(async () => (await look(page, 'react-one', 'blue')).share, PATIENCE).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(['three', 'react'])('%s: the template of create-pliant shows a cube that falls', async (name) => {
    const page = await open(name, 'template.html');
    // The cube is orange on a bright ground.
    // It begins at the upper edge of the picture, and lies at 0.37 of its height. A busy machine does not see it fall.
    const height = async () => {
      const { share, y } = await look(page, `template-${name}`, 'orange');
      return share > 0.01 ? y : 0;
    };
    await expect.poll(height, PATIENCE).toBeGreaterThan(0.3);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('Rapier: a rigid ball dents a soft bed and rests in it', async () => {
    const page = await open('react', 'rapier.html');
    await page.waitForFunction(() => (globalThis as never as Shown).page?.world.time > 2);
    const { y, speed } = await page.evaluate(() => {
      const { body } = (globalThis as never as Shown).page;
      return { y: body.translation().y, speed: Math.abs(body.linvel().y) };
    });
    expect(y).toBeGreaterThan(0.25);
    expect(y).toBeLessThan(0.58);
    expect(speed).toBeLessThan(0.3);
    const [ball, bed] = [await look(page, 'rapier', 'red'), await look(page, 'rapier', 'blue')];
    expect(ball.share).toBeGreaterThan(0.003);
    expect(ball.y).toBeLessThan(bed.y);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

/** Global of the pages, for this test. */
interface Shown {
  page: {
    world: { time: number; isShared: boolean; bodies: { clustering: { particle: Uint32Array } }[] };
    meshes: unknown[];
    grab: { enabled: boolean };
    cutter: { enabled: boolean };
    seen: { fallbacks: number };
    body: { translation(): { y: number }; linvel(): { y: number } };
    cut(): number;
  };
}
