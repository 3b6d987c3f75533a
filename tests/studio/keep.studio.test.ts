import { readFile } from 'node:fs/promises';
import { readMesh } from '@pliant/scene';
import type { Download } from 'playwright-core';
import { meshSolid } from 'pliant';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, RUN, Studio, unavailable } from './harness.js';

/** A closed mesh: an octahedron, 2 units wide. */
const OCTAHEDRON =
  'v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n' +
  'f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n';

describe.skipIf(unavailable)('keeping scenes and bringing meshes', RUN, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.close());

  const bytesOf = async (download: Download) => new Uint8Array(await readFile(await download.path()));

  /** Presses a button of a menu that hands over a file. */
  const fileBy = async (id: string) => {
    const { page } = studio;
    if (!(await page.locator('#keep').isVisible())) await page.click('#open-keep');
    const coming = page.waitForEvent('download');
    await page.click(`#${id}`);
    return coming;
  };

  const drop = (files: Record<string, string>, shiftKey = false) =>
    studio.page.evaluate(
      ({ files, shiftKey }) => {
        const dataTransfer = new DataTransfer();
        for (const [name, content] of Object.entries(files)) dataTransfer.items.add(new File([content], name));
        for (const type of ['dragenter', 'dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer, shiftKey }));
      },
      { files, shiftKey },
    );

  const named = (names: string[]) =>
    studio.page.waitForFunction(
      (names) => pliant.simulation.latest?.bodies.map(({ name }) => name).join() === names.join(),
      names,
    );

  it('drops a mesh, adds a second one, saves the scene and loads it again', async () => {
    const page = await studio.open({ scene: 'falling-ball' });
    await studio.until(1);
    await drop({ 'ööcta.obj': OCTAHEDRON });
    await named(['ööcta']);
    await studio.until(40);
    // A metre wide, and fallen.
    expect((await studio.body('ööcta')).centre[1]).toBeLessThan(1.1);
    await drop({ 'ööcta.obj': OCTAHEDRON }, true);
    await named(['ööcta', 'ööcta 2']);
    const saved = await fileBy('save-scene');
    expect(saved.suggestedFilename()).toBe('ööcta.json');
    const text = new TextDecoder().decode(await bytesOf(saved));
    expect(JSON.parse(text).$schema).toMatch(/\/scenes\/scene\.schema\.json$/);
    await studio.open({ scene: 'falling-ball' });
    await studio.until(1);
    await drop({ 'mine.json': text });
    await named(['ööcta', 'ööcta 2']);
    expect(await page.isClosed()).toBe(true);
    expect(studio.complaints).toEqual([]);
  });

  it('tells what is wrong with files in sentences, and keeps the scene', async () => {
    const page = await studio.show('falling-ball');
    await studio.until(1);
    for (const [files, said] of [
      [{ 'letter.doc': 'Dear Sir' }, 'letter.doc is neither a mesh nor a scene'],
      [{ 'empty.stl': '' }, 'empty.stl: the file is empty'],
      [{ 'x.json': '{ "particleFiles": ["a.txt"] }' }, 'a scene of the papers’ authors'],
      [{ 'x.json': '{ "bodies": [' }, 'x.json is not a scene: line 1'],
      [{ 'sheet.obj': 'v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0.2 1\nf 1 2 3\nf 1 3 4\n' }, 'sheet.obj is an open sheet'],
    ] as const) {
      await drop(files);
      const line = page.locator('#messages p.problem', { hasText: said });
      await line.waitFor();
      expect(await line.textContent()).not.toMatch(/undefined|\[object|http/);
      // It is no longer being read.
      expect(await page.locator('#messages p', { hasText: 'Reading' }).count()).toBe(0);
      await line.locator('button').click();
    }
    // A scene that is read but cannot be built: the open one stays, with its title, and runs on.
    const body = { geometry: { type: 'mesh', file: 'missing.obj' }, sampling: { count: 100 } };
    await drop({ 'broken.json': JSON.stringify({ title: 'Broken', bodies: [body] }) });
    await page.locator('#messages p.problem', { hasText: 'missing.obj' }).waitFor();
    const at = await studio.step();
    await studio.until(at + 5);
    expect(await page.textContent('#title h2')).toBe('Falling ball');
    expect(await page.title()).toBe('Falling ball · Pliant');
    expect(await page.evaluate(() => [pliant.document!.name, pliant.simulation.latest!.bodies[0].name])).toEqual([
      'falling-ball',
      'ball',
    ]);
    // A long build tells what it does, and can be ended.
    await page.evaluate(() => void pliant.openScene('creature-on-cylinders'));
    await page.locator('#busy span', { hasText: 'Building creature: finding its clusters' }).waitFor();
    expect(await page.locator('#busy progress').evaluate((bar: HTMLProgressElement) => bar.value)).toBeGreaterThan(0);
    await page.click('#cancel-build');
    await page.waitForSelector('#busy', { state: 'hidden' });
    await studio.until((await studio.step()) + 5);
    expect(await page.textContent('#title h2')).toBe('Falling ball');
    // The message goes with the next scene that opens.
    await studio.page.evaluate(() => pliant.openScene('stretched-cube'));
    await page.waitForFunction(() => document.querySelector('#messages .problem') === null);
    expect(studio.complaints.splice(0).filter((line) => !/404/.test(line))).toEqual([]);
  });

  it('shares a changed scene as a link that opens the same', async () => {
    const page = await studio.show('falling-ball');
    await studio.until(1);
    await page.click('#open-keep');
    await page.click('#share');
    await page.waitForFunction(() => (document.getElementById('link') as HTMLInputElement).value !== '');
    expect(await page.inputValue('#link')).toBe(`${studio.address}?scene=falling-ball`);
    const json = await page.evaluate(() => {
      const { json } = pliant.document!;
      pliant.rebuild({ ...json, title: 'Zwölf – 兎 🐇', gravity: [0.1, -3.3, 0] });
      return JSON.stringify(pliant.document!.json);
    });
    await page.click('#share');
    await page.waitForFunction(() => (document.getElementById('link') as HTMLInputElement).value.includes('#s='));
    const { hash } = new URL(await page.inputValue('#link'));
    const again = await studio.open({ scene: 'falling-ball', hash });
    await studio.until(1);
    expect(await again.evaluate(() => JSON.stringify(pliant.document!.json))).toBe(json);
    expect(await again.textContent('#title h2')).toBe('Zwölf – 兎 🐇');
    expect(studio.complaints).toEqual([]);
  });

  it('exports shapes that loaders read, pictures and videos', async () => {
    const page = await studio.show('falling-ball');
    await studio.until(20);
    await studio.pause();
    const glb = await fileBy('export-glb');
    expect(glb.suggestedFilename()).toMatch(/\.glb$/);
    const solid = meshSolid(await readMesh(await bytesOf(glb), 'x.glb'));
    expect(solid.warnings).toEqual([]);
    const ply = meshSolid(await readMesh(await bytesOf(await fileBy('export-ply')), 'x.ply'));
    expect(ply.warnings).toEqual([]);
    // The same moment in both: the ball is squashed to half its height within a few frames.
    expect(ply.volume! / solid.volume!).toBeCloseTo(1, 3);
    const cloud = await readMesh(await bytesOf(await fileBy('export-particles')), 'x.ply');
    expect(cloud.positions.length).toBe(3 * (await page.evaluate(() => pliant.simulation.latest!.counts.particles)));
    const moving = await bytesOf(await fileBy('bake-glb'));
    const json = JSON.parse(
      new TextDecoder().decode(
        moving.subarray(20, 20 + new DataView(moving.buffer, moving.byteOffset).getUint32(12, true)),
      ),
    );
    expect(json.animations).toHaveLength(1);
    expect(json.meshes[0].primitives[0].targets.length).toBeGreaterThan(100);
    const png = await bytesOf(await fileBy('save-picture'));
    expect(String.fromCharCode(...png.subarray(1, 4))).toBe('PNG');
    expect(png.length).toBeGreaterThan(5000);
    await studio.pause(true);
    await page.click('#record');
    // A busy page may never get to show 0:02.
    await page.locator('#recording', { hasText: /0:0[2-9]|[1-9]:|0:[1-9]/ }).waitFor();
    const coming = page.waitForEvent('download');
    await page.click('#recording');
    const video = await coming;
    expect(video.suggestedFilename()).toMatch(/\.(webm|mp4)$/);
    expect((await bytesOf(video)).length).toBeGreaterThan(2000);
    await page.locator('#recording').waitFor({ state: 'detached' });
    expect(studio.complaints).toEqual([]);
  });

  it('turns the view, lifts and cuts by keyboard alone', async () => {
    const page = await studio.show('drop');
    await studio.stepTo(600);
    await page.evaluate(() => {
      const { stage } = pliant.graphics!;
      stage.controls.target.set(0, 0.55, 0);
      stage.controls.update();
    });
    await page.focus('#view');
    const before = await studio.body('creature');
    await page.evaluate((centre) => {
      const { stage } = pliant.graphics!;
      stage.controls.target.set(centre[0], centre[1], centre[2]);
      stage.controls.update();
    }, before.centre);
    const eye = () => page.evaluate(() => pliant.graphics!.stage.camera.position.toArray());
    const first = await eye();
    for (const key of ['ArrowLeft', 'ArrowUp', '+']) await page.keyboard.press(key);
    expect(await eye()).not.toEqual(first);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => pliant.simulation.latest!.picks.length === 1);
    for (let n = 0; n < 8; n++) await page.keyboard.press('ArrowUp');
    await expect.poll(() => studio.height('creature'), PATIENCE).toBeGreaterThan(before.centre[1] + 0.15);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => pliant.simulation.latest!.picks.length === 0);
    await studio.pause();
    await page.evaluate(
      (centre) => {
        const { stage } = pliant.graphics!;
        stage.controls.target.set(centre[0], centre[1], centre[2]);
        stage.controls.update();
      },
      (await studio.body('creature')).centre,
    );
    await page.focus('#view');
    await page.keyboard.press('3');
    await page.keyboard.press('v');
    await page.waitForFunction(() => pliant.simulation.latest!.bodies.length > 1);
    expect(studio.complaints).toEqual([]);
  });
});
