import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, RUN, Studio, unavailable } from './harness.js';

describe.skipIf(unavailable)('settings in the studio', RUN, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.close());

  it('change the material of what runs, build anew what is clustered otherwise, and refuse what makes no sense', async () => {
    const page = await studio.open({ scene: 'cantilever' }, { viewport: { width: 1000, height: 700 } });
    await studio.until(30);
    await studio.unfold('material');
    const sag = () =>
      page.evaluate(() => Math.min(...pliant.simulation.latest!.arrays.particles.filter((_, k) => k % 4 === 1)));
    await studio.stepTo(240);
    const [stiff, at] = [await sag(), await studio.step()];
    await page.fill('#set-material-young', '3e5');
    await page.keyboard.press('Enter');
    // The same run goes on, and the bar sags further.
    await expect.poll(sag, PATIENCE).toBeLessThan(stiff - 0.02);
    expect(await studio.step()).toBeGreaterThan(at);
    await page.fill('#set-material-young', '-5');
    await page.keyboard.press('Enter');
    expect(await page.getAttribute('#set-material-young', 'aria-invalid')).toBe('true');
    const clusters = await page.evaluate(() => pliant.simulation.latest!.stats.clusters);
    await studio.unfold('clustering');
    await page.fill('#set-clustering-count', String(clusters + 7));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => pliant.simulation.latest?.stats.clusters), PATIENCE).toBe(clusters + 7);
    expect(studio.complaints).toEqual([]);
  });

  it('are everyday words first, and what was changed can be taken back and done again', async () => {
    const page = await studio.show('clay');
    await studio.until(5);
    await studio.unfold('simple');
    const material = () => page.evaluate(() => pliant.document!.json.materials!['clay']);
    const words = (id: string) => page.textContent(`#simple-${id}-value`);
    const slide = (id: string, value: number) =>
      page.locator(`#simple-${id}`).evaluate((slider: HTMLInputElement, value) => {
        slider.value = String(value);
        slider.dispatchEvent(new Event('input'));
      }, value);
    const first = await material();
    expect([await page.inputValue('#simple-preset'), await words('dents'), await words('breaks')]).toEqual([
      'clay',
      'from a strain of 2 %',
      'never',
    ]);
    const at = await studio.step();
    await slide('softness', 190);
    expect(((await material())['young'] as number) < 3000).toBe(true);
    expect(await words('softness')).toBe('like pudding');
    // The same run goes on.
    expect(await studio.step()).toBeGreaterThanOrEqual(at);
    await slide('breaks', 60);
    expect((await material())['toughness']).toBeGreaterThan(0.01);
    const changed = await material();
    for (let n = 0; n < 2; n++) await page.keyboard.press('Control+z');
    expect(await material()).toEqual(first);
    for (let n = 0; n < 2; n++) await page.click('#redo');
    expect(await material()).toEqual(changed);
    // Another preset is that preset alone.
    await page.selectOption('#simple-preset', 'jelly');
    expect(await material()).toEqual({ preset: 'jelly' });
    await page.click('#undo');
    expect(await material()).toEqual(changed);
    expect(studio.complaints).toEqual([]);
  });

  it('have bodies and obstacles that are added, copied, moved and deleted', async () => {
    const page = await studio.show('falling-ball');
    await studio.until(1);
    await studio.unfold('things');
    const bodies = (names: string[]) =>
      page.waitForFunction(
        (names) =>
          !pliant.simulation.isBuilding &&
          pliant.simulation.latest?.bodies.map(({ name }) => name).join() === names.join(),
        names,
      );
    await page.selectOption('#add-body', 'box');
    await bodies(['ball', 'box']);
    await page.selectOption('#add-obstacle', 'ball');
    await page.waitForFunction(() => pliant.simulation.latest?.poses.length === 14);
    await page.locator('#section-things .things button', { hasText: 'box' }).click();
    await page.click('#thing-duplicate');
    await bodies(['ball', 'box', 'box 2']);
    await studio.pause();
    await page.fill('#thing-x', '-2');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await studio.body('box 2')).centre[0], PATIENCE).toBeCloseTo(-2, 0);
    await page.click('#thing-delete');
    await bodies(['ball', 'box']);
    await page.click('#undo');
    await bodies(['ball', 'box', 'box 2']);
    for (let n = 0; n < 4; n++) await page.click('#undo');
    await bodies(['ball']);
    expect(await page.evaluate(() => JSON.stringify(pliant.document!.json) === JSON.stringify(pliant.original))).toBe(
      true,
    );
    // At the start, paused, nothing moves away from under the hand, however long the page takes.
    const toStart = async () => {
      await page.evaluate(() => {
        pliant.run(false);
        pliant.simulation.send({ type: 'reset' });
      });
      await page.waitForFunction(() => pliant.simulation.latest?.step === 0 && !pliant.simulation.latest.running);
    };
    // By the hand, a body begins elsewhere.
    await toStart();
    await page.keyboard.press('5');
    const { x, y, centre } = await studio.body('ball');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 20, { steps: 3 });
    await page.mouse.up();
    await expect.poll(async () => (await studio.body('ball')).centre[0], PATIENCE).toBeGreaterThan(centre[0] + 0.1);
    await page.keyboard.press('1');
    // So does an obstacle. It is drawn under the hand while it is dragged, and can be taken back.
    await page.selectOption('#add-obstacle', 'bar');
    await page.waitForFunction(() => !pliant.simulation.isBuilding && pliant.simulation.latest?.poses.length === 14);
    const bar = () =>
      page.evaluate(() => {
        const { stage, scenery } = pliant.graphics!;
        const place = Array.from(pliant.simulation.latest!.poses.subarray(7, 10)) as [number, number, number];
        const at = stage.camera.position.clone().set(...place);
        at.project(stage.camera);
        const box = stage.canvas.getBoundingClientRect();
        // Meshes of obstacles have the size of the obstacles: that of the bar is the only one.
        const drawn = (scenery as unknown as { obstacles: { group: { children: { position: { x: number } }[] } } })
          .obstacles.group.children[0].position.x;
        const [x, y] = [box.left + (0.5 + 0.5 * at.x) * box.width, box.top + (0.5 - 0.5 * at.y) * box.height];
        return { x, y, place, drawn };
      });
    // At the start the ball is not in front of it.
    await toStart();
    const before = await bar();
    await page.keyboard.press('5');
    await page.mouse.move(before.x, before.y);
    await page.mouse.down();
    await page.mouse.move(before.x - 30, before.y - 10);
    await expect
      .poll(async () => {
        await page.mouse.move(before.x - 60, before.y - 20, { steps: 2 });
        return (await bar()).drawn;
      }, PATIENCE)
      .toBeLessThan(before.place[0] - 0.1);
    expect((await bar()).place).toEqual(before.place);
    await page.mouse.up();
    await expect.poll(async () => (await bar()).place[0], PATIENCE).toBeLessThan(before.place[0] - 0.1);
    await page.locator('#section-things .things button[aria-pressed=true]', { hasText: 'barobstacle' }).waitFor();
    expect(Number(await page.inputValue('#thing-x'))).toBeCloseTo((await bar()).place[0], 3);
    await page.click('#undo');
    await expect.poll(async () => (await bar()).place, PATIENCE).toEqual(before.place);
    await page.keyboard.press('1');
    await page.evaluate(() => pliant.run(true));
    // The last body stays.
    await page.locator('#section-things .things button', { hasText: 'ballbody' }).click();
    await page.click('#thing-delete');
    await page.locator('#messages p.problem', { hasText: 'at least one body' }).waitFor();
    expect(studio.complaints).toEqual([]);
  });

  it('of a body with the elastic law are its modulus and ratios, with a note of what is not reached', async () => {
    const page = await studio.show('materials');
    await studio.until(5);
    await studio.unfold('material');
    const isShown = (key: string) => page.isVisible(`#set-material-${key}`);
    expect([await isShown('young'), await isShown('poisson'), await isShown('dampingRatio')]).toEqual([
      true,
      true,
      true,
    ]);
    expect([await isShown('raw-stiffness'), await isShown('raw-limit-gamma')]).toEqual([false, false]);
    const note = () => page.textContent('#section-material p.note');
    await expect.poll(note, PATIENCE).toMatch(/that of jelly\.$/);
    await page.fill('#set-material-young', '1e9');
    await page.keyboard.press('Enter');
    await expect.poll(note, PATIENCE).toMatch(/young is 1\.00e\+9 Pa, of which .* Pa are reached/);
    expect(studio.complaints).toEqual([]);
  });

  it('are put back where the engine refuses them, with the reason', async () => {
    const page = await studio.show('stretched-cube');
    await studio.until(5);
    await studio.unfold('material');
    await studio.unfold('clustering');
    const said = (path: string) =>
      page.evaluate((path) => {
        const [part, ...way] = path.split('.');
        return way.reduce<unknown>(
          (at, key) => (at as Record<string, unknown>)[key],
          pliant.document!.json.bodies[0][part],
        );
      }, path);
    const write = async (id: string, value: string) => {
      await page.fill(id, value);
      await page.keyboard.press('Enter');
    };
    const field = (id: string) => expect.poll(() => page.inputValue(id), PATIENCE);
    await write('#set-material-raw-areaLimit-max', '1.5');
    await write('#set-material-raw-areaLimit-from', '1.2');
    const from = await studio.step();
    // Each in its range, but a soft cap must not begin below half of its maximum.
    await write('#set-material-raw-areaLimit-max', '8');
    await page.locator('#messages p.problem', { hasText: 'areaLimit.from is 1.2' }).waitFor();
    await field('#set-material-raw-areaLimit-max').toBe('1.5');
    expect(await said('material.raw.areaLimit.max')).toBe(1.5);
    await studio.until(from + 5);

    const before = await said('clustering.count');
    await write('#set-clustering-count', '1000000');
    await page.locator('#messages p.problem', { hasText: 'count is 1000000' }).waitFor();
    await field('#set-clustering-count').toBe(String(before));
    expect(await said('clustering.count')).toBe(before);
    // The world that runs is the one before.
    await studio.until((await studio.step()) + 5);
    expect(studio.complaints).toEqual([]);
  });

  it('show goals, outlines of proxies and what colours mean', async () => {
    const page = await studio.show('twisted-bar');
    await studio.stepTo(60, false);
    await studio.unfold('view');
    const { left, right, top, bottom } = await studio.body('bar');
    /** Share of the pixels in the box around the bar that have about a colour. */
    const shareOf = (colour: readonly number[]) =>
      page.evaluate(
        async ({ colour, box: [left, right, top, bottom] }) => {
          const { stage, scenery } = pliant.graphics!;
          const blob = await stage.picture('image/webp', 1, () => scenery.update(Number.POSITIVE_INFINITY));
          const picture = await createImageBitmap(blob);
          const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
          context.drawImage(picture, 0, 0);
          const at = stage.canvas.getBoundingClientRect();
          const { data } = context.getImageData(left - at.left, top - at.top, right - left, bottom - top);
          let count = 0;
          for (let o = 0; o < data.length; o += 4)
            if (colour.every((value, c) => Math.abs(data[o + c] - value) < 60)) count++;
          return (4 * count) / data.length;
        },
        { colour, box: [left, right, top, bottom].map(Math.round) },
      );
    const [pink, orange] = [
      [0xe0, 0x21, 0x8a],
      [0xe0, 0x60, 0x10],
    ];
    await page.uncheck('#show-surface');
    expect(await shareOf(pink)).toBeLessThan(0.001);
    await page.check('#show-goals');
    await expect.poll(() => shareOf(pink), PATIENCE).toBeGreaterThan(0.02);
    await page.uncheck('#show-goals');
    await expect.poll(() => shareOf(pink), PATIENCE).toBeLessThan(0.001);
    // Lines, between which one sees through.
    const clamps = await shareOf(orange);
    await page.check('#show-proxies');
    await expect.poll(() => shareOf(orange), PATIENCE).toBeGreaterThan(clamps + 0.1);
    expect(await shareOf(orange)).toBeLessThan(0.8);
    await page.uncheck('#show-proxies');
    await page.check('#show-surface');
    await page.selectOption('#colouring', 'toughness');
    await page.locator('#legend-low', { hasText: /^never breaks$/ }).waitFor();
    expect(await page.isVisible('#legend .ramp')).toBe(false);
    await page.selectOption('#colouring', 'stress');
    await page.locator('#legend-high', { hasText: /^0\.\d/ }).waitFor();
    expect(await page.isVisible('#legend .ramp')).toBe(true);
    await page.selectOption('#colouring', 'material');
    await page.waitForSelector('#legend', { state: 'hidden' });
    expect(studio.complaints).toEqual([]);
  });

  it('compare two of one scene side by side, and plot what happens', async () => {
    const page = await studio.show('stretched-cube');
    await studio.until(10);
    await studio.unfold('compare');
    await page.click('#compare-start');
    await page.waitForFunction(() => (pliant.second?.latest?.step ?? 0) > 0);
    // The same light falls on both.
    const suns = await page.evaluate(() =>
      [pliant.graphics!.stage.scene, pliant.graphics!.stage.beside!].map((scene) => {
        const sun = scene.children.find(({ type }) => type === 'DirectionalLight')!;
        return sun.position.toArray();
      }),
    );
    expect(suns[1]).toEqual(suns[0]);
    await page.click('#edit-right');
    await studio.unfold('material');
    await page.fill('#set-material-raw-stiffness', '0.2');
    await page.keyboard.press('Enter');
    await page.locator('#label-right', { hasText: '0.2' }).waitFor();
    // On a phone halves lie one above the other, and their labels beside the bodies.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForSelector('#halves.stacked');
    for (const id of ['label-left', 'label-right'])
      await expect
        .poll(async () => (await page.locator(`#${id}`).boundingBox())!, PATIENCE)
        .toMatchObject({ width: expect.toSatisfy((width: number) => width < 0.36 * 390) });
    await page.setViewportSize({ width: 900, height: 600 });
    await page.waitForSelector('#halves:not(.stacked)');
    // Halves run each at its own pace: they are compared at the same step of both.
    const lengthsAt = async (frame: number) => {
      await page.evaluate((steps) => {
        pliant.run(false);
        for (const one of pliant.simulations) {
          one.send({ type: 'reset' });
          one.send({ type: 'step', steps });
        }
      }, frame);
      await page.waitForFunction(
        (frame) => pliant.simulations.every(({ latest }) => latest?.step === frame && !latest.running),
        frame,
      );
      return page.evaluate(() =>
        pliant.simulations.map(({ latest }) => {
          const x = latest!.arrays.particles.filter((_, k) => k % 4 === 0);
          return Math.max(...x) - Math.min(...x);
        }),
      );
    };
    const [first, second] = await lengthsAt(0);
    expect(second).toBe(first);
    // They start alike; the softer one swings slower: 1.16 and 0.86 m.
    const [left, right] = await lengthsAt(10);
    expect(Math.abs(right - left)).toBeGreaterThan(0.1);
    // One is faster, and the same colour is the same speed in both.
    await studio.unfold('view');
    await page.selectOption('#colouring', 'speed');
    await page.waitForFunction(() => {
      const [a, b] = pliant.simulations.map(({ latest }) => latest?.range);
      return a && b && a.most !== b.most && a.high === b.high && a.high >= Math.max(a.most, b.most);
    });
    const high = await page.evaluate(() => pliant.second!.latest!.range!.high);
    await page.locator('#legend-high', { hasText: `${high} m/s` }).waitFor();
    await page.locator('#legend', { hasText: 'both halves' }).waitFor();
    await page.click('#compare-end');
    await page.waitForFunction(() => pliant.second === undefined);
    // A variant of the file, beside the scene: one cluster instead of ten.
    const clusters = () => page.evaluate(() => pliant.simulations.map(({ latest }) => latest?.stats.clusters));
    await page.selectOption('#variant', 'clusters-1');
    await page.locator('#variant-words', { hasText: 'the stiffest cube' }).waitFor();
    await page.click('#variant-beside');
    await expect.poll(clusters, PATIENCE).toEqual([10, 1]);
    await page.locator('#label-right', { hasText: 'clusters-1' }).waitFor();
    await page.click('#compare-end');
    await page.waitForFunction(() => pliant.second === undefined);
    await page.evaluate(() => pliant.run(true));
    await studio.unfold('plots');
    await page.waitForSelector('#plot-energy canvas');
    await page.waitForSelector('#plot-stages canvas');
    // Kinetic, gravity (none here), strain; measured as long as somebody looks.
    await page.waitForFunction(() => {
      const shown = [...document.querySelectorAll('#plot-energy output')].map((one) => Number(one.textContent));
      return shown.length === 3 && shown[0] > 0 && shown[1] === 0 && shown[2] > 0;
    });
    // They have the room of the panel: nothing of the sections above is left in it.
    const room = await page.evaluate(() => {
      const [panel, section] = ['panel', 'section-plots'].map((id) =>
        document.getElementById(id)!.getBoundingClientRect(),
      );
      return (panel.bottom - Math.max(panel.top, section.top)) / panel.height;
    });
    expect(room).toBeGreaterThan(0.9);
    await page.click('#section-plots summary');
    await page.waitForFunction(() => Number.isNaN(pliant.simulation.latest!.stats.strainEnergy));
    expect(studio.complaints).toEqual([]);
  });
});
