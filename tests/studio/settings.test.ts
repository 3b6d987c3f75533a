import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, Studio, unavailable } from './harness.js';

describe.skipIf(unavailable)('settings in the studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.close());

  it('change the material of what runs, build anew what is clustered otherwise, and refuse what makes no sense', async () => {
    const page = await studio.open({ scene: 'cantilever' }, { viewport: { width: 1000, height: 700 } });
    await studio.until(30);
    const loads = () => page.evaluate(() => pliant.simulation.latest?.step ?? -1);
    await page.click('#section-material summary');
    const sag = () =>
      page.evaluate(() => Math.min(...pliant.simulation.latest!.arrays.particles.filter((_, k) => k % 4 === 1)));
    await studio.until(240);
    const [stiff, at] = [await sag(), await loads()];
    await page.fill('#set-material-stiffness', '0.05');
    await page.keyboard.press('Enter');
    // The same run goes on, and the bar sags further.
    await expect.poll(sag, PATIENCE).toBeLessThan(stiff - 0.02);
    expect(await loads()).toBeGreaterThan(at);
    await page.fill('#set-material-stiffness', '5');
    await page.keyboard.press('Enter');
    expect(await page.getAttribute('#set-material-stiffness', 'aria-invalid')).toBe('true');
    const clusters = await page.evaluate(() => pliant.simulation.latest!.stats.clusters);
    await page.click('#section-clustering summary');
    await page.fill('#set-clustering-count', String(clusters + 7));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => pliant.simulation.latest?.stats.clusters), PATIENCE).toBe(clusters + 7);
    expect(studio.complaints).toEqual([]);
  });

  it('compare two of one scene side by side, and plot what happens', async () => {
    const page = await studio.open({ scene: 'stretched-cube' }, { viewport: { width: 1000, height: 700 } });
    await studio.until(10);
    await page.click('#section-compare summary');
    await page.click('#compare-start');
    await page.waitForFunction(() => pliant.second?.latest !== undefined);
    await page.click('#edit-right');
    await page.click('#section-material summary');
    await page.fill('#set-material-stiffness', '0.2');
    await page.keyboard.press('Enter');
    // The halves start alike; then the softer one is slower to come back to its length.
    const length = (half: 'simulation' | 'second') =>
      page.evaluate((half) => {
        const x = pliant[half]!.latest!.arrays.particles.filter((_, k) => k % 4 === 0);
        return Math.max(...x) - Math.min(...x);
      }, half);
    await expect
      .poll(async () => Math.abs((await length('simulation')) - (await length('second'))), PATIENCE)
      .toBeGreaterThan(0.02);
    expect(await page.textContent('#label-right')).toContain('0.2');
    await page.click('#compare-end');
    await page.waitForFunction(() => pliant.second === undefined);
    await page.click('#section-plots summary');
    await page.waitForSelector('#plot-energy canvas');
    await page.waitForSelector('#plot-stages canvas');
    expect(studio.complaints).toEqual([]);
  });
});
