import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, Studio, unavailable } from './harness.js';

describe.skipIf(unavailable)('hands in the studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.close());

  it('pick a body up: its centre of mass rises, and falls when let go', async () => {
    const page = await studio.open({ scene: 'drop' });
    await studio.until(600);
    const before = await studio.body('creature');
    await page.mouse.move(before.x, before.y);
    await page.mouse.down();
    await page.waitForFunction(() => pliant.simulation.latest!.picks.length === 1);
    await page.mouse.move(before.x, before.y - 150, { steps: 5 });
    await expect.poll(() => studio.height('creature'), PATIENCE).toBeGreaterThan(before.centre[1] + 0.15);
    await page.mouse.up();
    await page.waitForFunction(() => pliant.simulation.latest!.picks.length === 0);
    await expect.poll(() => studio.height('creature'), PATIENCE).toBeLessThan(before.centre[1] + 0.05);
    expect(studio.complaints).toEqual([]);
  });

  it('push it aside', async () => {
    const page = await studio.open({ scene: 'drop' });
    await studio.until(600);
    const before = await studio.body('creature');
    await page.keyboard.press('2');
    await page.mouse.move(before.left - 60, before.y);
    await page.mouse.down();
    await page.mouse.move(before.x, before.y, { steps: 20 });
    await page.mouse.move(before.x + 80, before.y, { steps: 20 });
    await expect.poll(async () => (await studio.body('creature')).x, PATIENCE).toBeGreaterThan(before.x + 30);
    await page.mouse.up();
    expect(studio.complaints).toEqual([]);
  });

  it('cut it through: two bodies, whose volumes add up and which both move', async () => {
    const page = await studio.open({ scene: 'falling-ball' });
    await studio.until(20);
    await studio.pause();
    const whole = await page.evaluate(() => pliant.simulation.latest!.stats.volume);
    const { x, top, bottom } = await studio.body('ball');
    await page.keyboard.press('3');
    await page.mouse.move(x + 10, top - 30);
    await page.mouse.down();
    await page.mouse.move(x - 10, bottom + 30, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => pliant.simulation.latest!.bodies.length === 2);
    await page.waitForFunction(() => pliant.simulation.latest!.stats.pieces === 2);
    const { volume, places } = await page.evaluate(() => ({
      volume: pliant.simulation.latest!.stats.volume,
      places: Array.from(pliant.simulation.latest!.arrays.particles),
    }));
    expect(Math.abs(volume / whole - 1)).toBeLessThan(0.01);
    const at = await page.evaluate(() => pliant.simulation.latest!.step);
    await studio.pause(true);
    await studio.until(at + 60);
    const { bodies, moved } = await page.evaluate((places) => {
      const { bodies, arrays } = pliant.simulation.latest!;
      let first = 0;
      const moved = bodies.map(({ particles }) => {
        let sum = 0;
        for (let o = 4 * first; o < 4 * (first + particles); o++)
          if (o % 4 < 3) sum += Math.abs(arrays.particles[o] - places[o]) / particles;
        first += particles;
        return sum;
      });
      return { bodies: bodies.length, moved };
    }, places);
    expect(bodies).toBe(2);
    for (const way of moved) expect(way).toBeGreaterThan(0.005);
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => pliant.simulation.latest!.bodies.length === 1);
    expect(studio.complaints).toEqual([]);
  });

  it('cut it in part: one body, with faces inside', async () => {
    const page = await studio.open({ scene: 'drop' });
    await studio.until(700);
    await studio.pause();
    const { x, y, top } = await studio.body('creature');
    await page.keyboard.press('3');
    await page.mouse.move(x, top - 30);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.up();
    const cut = await page.waitForFunction(() => document.querySelector('#messages')!.textContent);
    expect(await cut.jsonValue()).toContain('not through');
    const { bodies, exported } = await page.evaluate(async () => {
      const { bodies: exported } = await pliant.simulation.ask<'exported'>((id) => ({ type: 'export', id }));
      return { bodies: pliant.simulation.latest!.bodies.length, exported: exported[0].groups };
    });
    expect(bodies).toBe(1);
    expect(exported.filter(({ kind }) => kind === 'inner').reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(
      6,
    );
    expect(studio.complaints).toEqual([]);
  });
});
