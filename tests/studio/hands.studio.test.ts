import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, RUN, Studio, unavailable } from './harness.js';

describe.skipIf(unavailable)('hands in the studio', RUN, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.close());

  it('pick a body up: its centre of mass rises, and falls when let go', async () => {
    const page = await studio.show('drop');
    await studio.stepTo(600);
    const before = await studio.body('creature');
    await page.mouse.move(before.x, before.y);
    await page.mouse.down();
    await page.waitForFunction(() => pliant.simulation.latest!.picks.length === 1);
    await page.mouse.move(before.x, before.y - 150, { steps: 5 });
    await expect.poll(() => studio.height('creature'), PATIENCE).toBeGreaterThan(before.centre[1] + 0.15);
    // The wheel moves what is held away from the eye, and leaves the view as it is; L locks it there, U lets go.
    const depth = () =>
      page.evaluate(() => {
        const { stage } = pliant.graphics!;
        const { to } = pliant.simulation.latest!.picks[0];
        return { held: stage.depthOf(stage.camera.position.clone().set(...to)), eye: stage.camera.position.toArray() };
      });
    const near = await depth();
    for (let n = 0; n < 4; n++) await page.mouse.wheel(0, -100);
    await expect.poll(async () => (await depth()).held, PATIENCE).toBeGreaterThan(1.15 * near.held);
    expect((await depth()).eye).toEqual(near.eye);
    await page.keyboard.press('l');
    await page.waitForFunction(() => pliant.simulation.latest!.picks[0].locked);
    await page.mouse.up();
    await page.keyboard.press('u');
    await page.waitForFunction(() => pliant.simulation.latest!.picks.length === 0);
    await expect.poll(() => studio.height('creature'), PATIENCE).toBeLessThan(before.centre[1] + 0.05);
    expect(studio.complaints).toEqual([]);
  });

  it('push it aside', async () => {
    const page = await studio.show('drop');
    await studio.stepTo(600);
    const before = await studio.body('creature');
    await page.keyboard.press('2');
    await page.mouse.move(before.left - 60, before.y);
    await page.mouse.down();
    const way = before.x + 80 - (before.left - 60);
    await studio.paced(15, (n) => page.mouse.move(before.left - 60 + (way * n) / 15, before.y));
    await expect.poll(async () => (await studio.body('creature')).x, PATIENCE).toBeGreaterThan(before.x + 30);
    await page.mouse.up();
    expect(studio.complaints).toEqual([]);
  });

  it('push it aside by keyboard', async () => {
    const page = await studio.show('drop');
    await studio.stepTo(600);
    const before = await studio.body('creature');
    await page.evaluate((centre) => {
      const { stage } = pliant.graphics!;
      stage.controls.target.set(centre[0], centre[1], centre[2]);
      stage.controls.update();
    }, before.centre);
    await page.keyboard.press('2');
    await page.focus('#view');
    await page.keyboard.press('Enter');
    // The ball appears in front of the creature, about which the view turns, at 0.76 of its distance; to the left of it it goes back to 0.99, then through its middle.
    const ball = () =>
      page.evaluate(() => {
        const { ball } = pliant.graphics!.scenery as unknown as { ball: { visible: boolean; position: { x: number } } };
        return ball.visible ? ball.position.x : undefined;
      });
    const start = (await ball())!;
    for (let n = 0; n < 24; n++) await page.keyboard.press('ArrowLeft');
    expect((await ball())!).toBeLessThan(start - 0.5);
    for (let n = 0; n < 9; n++) await page.keyboard.press('-');
    const isAside = async () => (await studio.body('creature')).centre[0] > before.centre[0] + 0.1;
    await studio.paced(48, async () => (await isAside()) || page.keyboard.press('ArrowRight'));
    expect(await isAside()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await ball()).toBeUndefined();
    expect(studio.complaints).toEqual([]);
  });

  it('cut it through: two bodies, whose volumes add up and which both move', async () => {
    const page = await studio.show('falling-ball');
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
    const at = await studio.step();
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
    await studio.pause();
    const state = () =>
      page.evaluate(() => {
        const { step, bodies, arrays } = pliant.simulation.latest!;
        return { step, bodies, places: Array.from(arrays.particles) };
      });
    const apart = await state();
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => pliant.simulation.latest!.bodies.length === 1);
    // Done again after a while: the same pieces at the same places, as they were when it was undone.
    await studio.pause(true);
    await studio.until((await studio.step()) + 10);
    await studio.pause();
    await page.keyboard.press('Control+Shift+z');
    await page.waitForFunction(() => pliant.simulation.latest!.bodies.length === 2);
    expect(await state()).toEqual(apart);
    expect(await page.isDisabled('#redo')).toBe(true);
    await page.click('#undo');
    await page.waitForFunction(() => pliant.simulation.latest!.bodies.length === 1);
    expect(studio.complaints).toEqual([]);
  });

  it('cut it in part: one body, with faces inside', async () => {
    const page = await studio.show('drop');
    await studio.stepTo(700);
    await studio.pause();
    const { x, y, top } = await studio.body('creature');
    await page.keyboard.press('3');
    await page.mouse.move(x, top - 30);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.up();
    await page.locator('#messages p', { hasText: 'not through' }).waitFor();
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

  it('on a phone: one finger lifts, two that come together turn and zoom, a long press and a later finger lock', async () => {
    const page = await studio.open(
      { scene: 'drop' },
      { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
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
    expect(await studio.partsOver('creature')).toEqual([]);
    const touch = await studio.fingers();
    const picks = (count: number) =>
      page.waitForFunction((count) => pliant.simulation.latest!.picks.length === count, count);
    const before = await studio.body('creature');
    // A drag that begins at once is no long press, however long it lasts. Moves do not wait for the page to answer: on a busy machine it answers after a second, and the finger would stand still meanwhile.
    await Promise.all([
      touch('touchStart', [before]),
      ...[30, 60, 90, 120, 150].map((up) => touch('touchMove', [{ x: before.x, y: before.y - up }])),
    ]);
    await expect.poll(() => studio.height('creature'), PATIENCE).toBeGreaterThan(before.centre[1] + 0.1);
    expect(await page.evaluate(() => pliant.simulation.latest!.picks.map(({ locked }) => locked))).toEqual([false]);
    await touch('touchEnd', []);
    await picks(0);
    await expect.poll(() => studio.height('creature'), PATIENCE).toBeLessThan(before.centre[1] + 0.1);
    // It fell by chance: back to where it lies in the middle of the view, so that no button is over it when the view comes nearer.
    await page.click('#reset');
    await page.waitForFunction(() => pliant.simulation.latest!.step < 600);
    await studio.stepTo(600);

    const { x, y } = await studio.body('creature');
    const eye = () =>
      page.evaluate(() => {
        const { camera, controls } = pliant.graphics!.stage;
        return { place: camera.position.toArray(), away: camera.position.distanceTo(controls.target) };
      });
    const first = await eye();
    // (Without inertia, which would turn the view on while it is looked at.) Both on the creature: none of them takes hold of it.
    await touch('touchStart', [
      { x: x - 20, y },
      { x: x + 20, y },
    ]);
    for (let n = 1; n <= 5; n++)
      await touch('touchMove', [
        { x: x - 20 - 6 * n, y: y + 6 * n },
        { x: x + 20 + 6 * n, y: y + 6 * n },
      ]);
    await touch('touchEnd', []);
    // Apart by more than twice as far comes nearer; down looks from above.
    await expect.poll(async () => (await eye()).away, PATIENCE).toBeLessThan(0.8 * first.away);
    expect((await eye()).place[1] / (await eye()).away).toBeGreaterThan(first.place[1] / first.away);
    await picks(0);

    const still = await eye();
    const held = await studio.grip('creature');
    await touch('touchStart', [held]);
    // A long press: the finger does not move.
    await page.waitForFunction(() => pliant.simulation.latest!.picks[0]?.locked);
    await touch('touchEnd', []);
    await studio.until((await studio.step()) + 10);
    expect(await page.evaluate(() => pliant.simulation.latest!.picks.map(({ locked }) => locked))).toEqual([true]);
    await page.click('#drop-picks');
    await picks(0);

    const again = await studio.grip('creature');
    const moved = { x: again.x, y: again.y - 30 };
    await touch('touchStart', [again]);
    await picks(1);
    await touch('touchMove', [moved]);
    // Later than what counts as together.
    await page.waitForTimeout(300);
    await touch('touchStart', [moved, { x: held.x + 60, y: held.y }]);
    await page.waitForFunction(() => pliant.simulation.latest!.picks[0]?.locked);
    await touch('touchMove', [moved, { x: held.x + 120, y: held.y }]);
    await touch('touchEnd', []);
    // Still locked with no finger down, and the view has not moved.
    await studio.until((await studio.step()) + 10);
    expect(await page.evaluate(() => pliant.simulation.latest!.picks.map(({ locked }) => locked))).toEqual([true]);
    expect(await eye()).toEqual(still);
    await page.click('#drop-picks');
    await picks(0);
    expect(studio.complaints).toEqual([]);
  });
});
