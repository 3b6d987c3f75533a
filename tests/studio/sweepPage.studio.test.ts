import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRequest } from '../../packages/sweep/src/measure/request.js';
import { explorePage } from '../../packages/sweep/src/page/page.js';
import type { Plan } from '../../packages/sweep/src/plan.js';
import type { StoredRun } from '../../packages/sweep/src/store.js';
import { encodePng } from '../../packages/sweep/src/thumbnail/png.js';
// @ts-expect-error: a plain script, shared with `npm test`'s set-up.
import { BROWSER_FLAGS, findBrowser } from '../../scripts/browser.mjs';
import { RUN } from './harness.js';

const YOUNG = [1e4, 1e5, 1e6];
const MODES = ['rigid', '<b>linear</b>'];

/** Six runs: three moduli by two modes. The last one failed. A picture is one colour. */
const plan: Plan = {
  title: 'Beam </script><script>alert(1)</script>',
  paths: [
    { path: 'bodies[0].material.young', scale: 'log' },
    { path: 'mode', scale: 'linear' },
  ],
  requests: ['height', 'sag', 'height@all'].map((text) => parseRequest(text, [])),
  seeded: false,
  warnings: [],
  runs: YOUNG.flatMap((young, a) =>
    MODES.map((mode, b) => ({
      number: 2 * a + b,
      combination: 2 * a + b,
      values: [young, mode],
      job: { id: `id${2 * a + b}`, task: 'simulate', input: {} },
    })),
  ),
};
const thumbnail = Buffer.from(encodePng({ width: 4, height: 3, rgb: new Uint8Array(36).fill(200) })).toString('base64');
const runs: StoredRun[] = plan.runs.map(({ number, job }) =>
  number === 5
    ? { id: job.id, status: 'killed', reason: 'its process had no memory left' }
    : {
        id: job.id,
        status: 'done',
        result: {
          values: { height: 1 + number / 10, sag: 0.5 - number / 20 },
          series: { height: { times: [0, 0.5, 1], values: [1, 1.5, 1 + number / 10] } },
          steps: 2,
          warnings: [],
          timing: { stepTime: 1, buildTime: 1, runTime: 1 },
        },
      },
);

const pictures = new Map(runs.slice(0, 5).map(({ id }) => [id, thumbnail]));

describe.skipIf(!findBrowser())('the page to explore a sweep', RUN, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-page-'));
  const complaints: string[] = [];
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    writeFileSync(join(folder, 'index.html'), explorePage(plan, runs, pictures));
    browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS });
    page = await browser.newPage({ viewport: { width: 1100, height: 1400 } });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const rows = () =>
    page.locator('#body tr').evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset.run)));
  const points = () =>
    page.locator('#scatter circle').evaluateAll((all) => all.map((dot) => Number((dot as SVGElement).dataset.run)));
  const lines = () => page.locator('#parallel path.run:not(.faded)').count();

  it('shows all runs three times: as rows, as lines and as points', async () => {
    expect(await page.locator('h1').textContent()).toBe(plan.title);
    expect(await page.locator('#summary').textContent()).toBe(
      '6 runs, 1 of them not done; bodies[0].material.young, mode varied',
    );
    expect(await rows()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await lines()).toBe(6);
    // The failed run has no value of its own to be drawn at.
    expect(await points()).toEqual([0, 1, 2, 3, 4]);
    expect(await page.locator('#body tr[data-run="5"]').textContent()).toContain('its process had no memory left');
    // Young's modulus is spaced by ratios: the middle one lies in the middle.
    const at = await page
      .locator('#scatter circle')
      .evaluateAll((all) => all.map((dot) => Number(dot.getAttribute('cx'))));
    expect(at[2]).toBeCloseTo((at[0] + at[4]) / 2, 0);
  });

  it('sorts by a column, up and down', async () => {
    const head = page.locator('th', { hasText: 'sag' });
    await head.click();
    expect(await rows()).toEqual([4, 3, 2, 1, 0, 5]);
    await head.click();
    expect(await rows()).toEqual([5, 0, 1, 2, 3, 4]);
    await page.locator('th').first().click();
  });

  it.each([
    ['young > 2e4 && height < 1.35', [2, 3]],
    ['young = 10000 || young = 1e6', [0, 1, 4, 5]],
    ['status != done', [5]],
    ['linear', [1, 3, 5]],
    ['', [0, 1, 2, 3, 4, 5]],
  ])('filters by %s', async (filter, left) => {
    await page.fill('#filter', filter);
    expect(await rows()).toEqual(left);
    expect(await lines()).toBe(left.length);
    expect(await page.locator('#shown').textContent()).toBe(`${left.length} of 6 runs`);
  });

  it('a filter that cannot be read is marked and changes nothing', async () => {
    await page.fill('#filter', 'weight > 3');
    expect(await page.locator('#filter.wrong').getAttribute('title')).toBe('no column weight');
    expect(await rows()).toHaveLength(6);
    await page.fill('#filter', '');
  });

  it('a range dragged along an axis chooses runs, and the button shows all again', async () => {
    const grip = (await page.locator('.grip[data-axis="height"]').boundingBox())!;
    const x = grip.x + grip.width / 2;
    await page.mouse.move(x, grip.y + 1);
    await page.mouse.down();
    // Heights from 1 to 1.4: the upper half has those above 1.2.
    await page.mouse.move(x, grip.y + 0.45 * grip.height);
    await page.mouse.up();
    expect(await rows()).toEqual([3, 4]);
    expect(await points()).toEqual([3, 4]);
    expect(await page.locator('.brush').count()).toBe(1);
    await page.click('#reset');
    expect(await rows()).toHaveLength(6);
  });

  it('a click on a row, a line or a point shows the run with its picture and its series', async () => {
    await page.click('#body tr[data-run="3"]');
    expect(await page.locator('#detail-title').textContent()).toBe('Run 3');
    expect(await page.locator('#facts').textContent()).toContain('<b>linear</b>');
    expect(
      await page.locator('#picture').evaluate((image: HTMLImageElement) => [image.complete, image.naturalWidth]),
    ).toEqual([true, 4]);
    const curve = (await page.locator('#curve path[stroke="#2f6fb0"]').getAttribute('d'))!;
    expect(curve.match(/[ML]/g)).toHaveLength(3);
    await page.locator('#scatter circle[data-run="1"]').click();
    expect(await page.locator('#detail-title').textContent()).toBe('Run 1');
    expect(await page.locator('#body tr.chosen').getAttribute('data-run')).toBe('1');
    await page.locator('#parallel path.run[data-run="2"]').dispatchEvent('click');
    expect(await page.locator('#detail-title').textContent()).toBe('Run 2');
    // A run without a result has neither.
    await page.click('#body tr[data-run="5"]');
    expect(await page.locator('#picture').isVisible()).toBe(false);
    expect(await page.locator('#curve').isVisible()).toBe(false);
  });

  it('asks for nothing, and complains about nothing', () => {
    expect(complaints).toEqual([]);
  });
});
