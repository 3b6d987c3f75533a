import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, RUN, SCENES, Studio, unavailable } from './harness.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** 125 000 particles take half a minute to be built here: 60 frames of it are the bench's affair, a few show that it runs. */
const LARGE: Record<string, number> = { 'creature-on-cylinders': 5 };

describe.skipIf(unavailable)('the studio', RUN, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.close());

  it('shows a body falling and denting on the first page, of less than a megabyte', async () => {
    const responses: Promise<Buffer>[] = [];
    const page = await studio.open();
    page.on('response', (response) => responses.push(response.body().catch(() => Buffer.alloc(0))));
    await page.reload();
    await page.waitForFunction(() => pliant?.graphics && (pliant.simulation.latest?.time ?? 0) > 1.5);
    const bytes = (await Promise.all(responses)).reduce((sum, body) => sum + gzipSync(body).length, 0);
    expect(bytes).toBeLessThan(1_000_000);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(studio.complaints).toEqual([]);
  });

  it('pauses, steps, goes back to a kept moment and starts over', async () => {
    const page = await studio.show('stretched-cube');
    await studio.until(120);
    await page.click('#play');
    await page.waitForFunction(() => !pliant.simulation.latest!.running);
    const at = await studio.step();
    await page.click('#step');
    await page.waitForFunction((at) => pliant.simulation.latest!.step === at + 1, at);
    const places = () => page.evaluate(() => Array.from(pliant.simulation.latest!.arrays.particles.subarray(0, 400)));
    const seek = async (frame: number) => {
      await page.evaluate((frame) => pliant.simulation.send({ type: 'seek', frame }), frame);
      await page.waitForFunction((frame) => pliant.simulation.latest!.step === frame, frame);
    };
    await seek(50);
    const first = await places();
    await seek(100);
    expect(await places()).not.toEqual(first);
    await seek(50);
    // The same bits: a run can be gone back to and on again.
    expect(await places()).toEqual(first);
    await page.click('#reset');
    await page.waitForFunction(() => pliant.simulation.latest!.step === 0);
    expect(studio.complaints).toEqual([]);
  });

  it('can be used by the keyboard alone', async () => {
    const page = await studio.show('stack');
    await studio.until(5);
    const reached = new Set<string>();
    for (let n = 0; n < 80; n++) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => document.activeElement?.id ?? ''));
    }
    for (const id of [
      'open-gallery',
      'open-panel',
      'theme',
      'open-help',
      'view',
      'tool-pick',
      'tool-cut',
      'play',
      'step',
      'reset',
      'scrub',
      'speed',
      'colouring',
    ])
      expect(reached, id).toContain(id);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('?');
    await page.waitForFunction(() => (document.querySelector('#help') as HTMLDialogElement).open);
    await page.keyboard.press('Escape');
    expect(studio.complaints).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has no serious violation of accessibility (%s)', async (colorScheme) => {
    const page = await studio.show('stack');
    await page.emulateMedia({ colorScheme });
    await studio.until(5);
    await page.evaluate(AXE);
    const look = () =>
      page.evaluate(async () => {
        // @ts-expect-error: put there by the script above.
        const { violations } = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] });
        return (violations as { impact: string; id: string; nodes: { html: string }[] }[])
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
    for (const section of await page.$$eval('#panel details', (all) => all.map(({ id }) => id)))
      await studio.unfold(section.replace('section-', ''));
    // A folded part is loaded when it is opened.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('#panel .content')].every((one) => one.children.length > 0),
    );
    await page.waitForSelector('#plot-stages canvas');
    expect(await look()).toEqual([]);
    for (const dialog of ['gallery', 'help']) {
      await page.click(`#open-${dialog}`);
      expect(await look()).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

  it('opens every scene of the gallery and runs 60 frames of it without a complaint', async () => {
    // Small and fast: most of the time goes into drawing by software.
    const page = await studio.open({ scene: 'stretched-cube' }, { viewport: { width: 480, height: 330 } });
    await studio.until(1);
    await page.selectOption('#speed', '4');
    for (const scene of SCENES) {
      await page.click('#open-gallery');
      await page.click(`[data-scene="${scene}"]`);
      await page.waitForFunction(
        ([scene, frames]) => pliant.document!.name === scene && (pliant.simulation.latest?.step ?? -1) >= frames,
        [scene, LARGE[scene] ?? 60] as const,
      );
      const { blank, particles, vertices } = await page.evaluate(async () => {
        const { stage, scenery } = pliant.graphics!;
        const pixels = async (before: () => void) => {
          // Without loss; Chromium leaves PNG until it has nothing else to do, for seconds.
          const picture = await createImageBitmap(await stage.picture('image/webp', 1, before));
          const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
          context.drawImage(picture, 0, 0);
          return context.getImageData(0, 0, picture.width, picture.height).data;
        };
        const shown = await pixels(() => {});
        const without = await pixels(() => {
          scenery.surfaces.group.visible = false;
        });
        let different = 0;
        for (let o = 0; o < shown.length; o += 4) if (Math.abs(shown[o] - without[o]) > 8) different++;
        return { blank: different < 100, ...pliant.simulation.latest!.counts };
      });
      expect({ scene, blank, complaints: studio.complaints }).toEqual({ scene, blank: false, complaints: [] });
      expect(particles).toBeGreaterThan(10);
      expect(vertices).toBeGreaterThan(10);
    }
  });

  it('is usable on a small screen, by touch', async () => {
    const page = await studio.open(
      { scene: 'drop' },
      { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true },
    );
    await studio.stepTo(600);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    for (const id of ['open-gallery', 'open-panel', 'tool-pick', 'tool-cut', 'play', 'scrub']) {
      const box = await page.locator(`#${id}`).boundingBox();
      expect(box, id).not.toBeNull();
      expect(box!.x, id).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width, id).toBeLessThanOrEqual(390);
      expect(Math.min(box!.width, box!.height), id).toBeGreaterThanOrEqual(16);
    }
    const before = await studio.body('creature');
    const touch = await studio.fingers();
    await touch('touchStart', [{ x: before.x, y: before.y }]);
    await page.waitForFunction(() => pliant.simulation.latest!.picks.length === 1);
    for (let n = 1; n <= 5; n++) await touch('touchMove', [{ x: before.x, y: before.y - 30 * n }]);
    await expect.poll(() => studio.height('creature'), PATIENCE).toBeGreaterThan(before.centre[1] + 0.1);
    await touch('touchEnd', []);
    expect(studio.complaints).toEqual([]);
  });

  it('draws the same with WebGPU', async () => {
    const page = await studio.open({ renderer: 'webgpu', scene: 'stack' });
    // Far enough for what the graphics card's process complains of to come.
    await studio.until(60);
    expect(await page.evaluate(() => pliant.graphics!.stage.backend)).toBe('WebGPU');
    expect(studio.complaints).toEqual([]);
  });
});
