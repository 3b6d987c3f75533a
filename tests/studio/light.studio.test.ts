import { readFile } from 'node:fs/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { Document, WebIO } from '@gltf-transform/core';
import { readMaterials } from '@pliant/scene';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, RUN, Studio, unavailable } from './harness.js';

/** A picture of 2 × 2 pixels: green above, blue below. */
function png(): Uint8Array<ArrayBuffer> {
  const table = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const crc = (bytes: Buffer) => {
    let c = 0xffffffff;
    for (const byte of bytes) c = table[(c ^ byte) & 255] ^ (c >>> 8);
    return (c ^ 0xffffffff) >>> 0;
  };
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), body.length + 4);
    return out;
  };
  const head = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
  const rows = Buffer.from([0, 0, 200, 0, 0, 200, 0, 0, 0, 0, 200, 0, 0, 200]);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...parts]));
}

/** A closed box of 1 m with a texture: its upper half shows the upper half of the picture. */
async function texturedBox(): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const [positions, uvs, indices]: number[][] = [[], [], []];
  for (const axis of [0, 1, 2])
    for (const side of [-0.5, 0.5]) {
      const first = positions.length / 3;
      for (const [u, v] of [
        [-0.5, -0.5],
        [0.5, -0.5],
        [0.5, 0.5],
        [-0.5, 0.5],
      ]) {
        const place = [0, 0, 0];
        place[axis] = side;
        place[(axis + 1) % 3] = u;
        place[(axis + 2) % 3] = v;
        positions.push(...place);
        uvs.push(place[0] + 0.5, 0.5 - place[1]);
      }
      const quad = side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
      indices.push(...quad.map((n) => first + n));
    }
  const accessor = (type: 'VEC3' | 'VEC2' | 'SCALAR', array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const image = document.createTexture('halves').setImage(png()).setMimeType('image/png');
  const material = document.createMaterial('painted').setBaseColorTexture(image).setRoughnessFactor(0.9);
  const primitive = document
    .createPrimitive()
    .setIndices(accessor('SCALAR', Uint32Array.from(indices)))
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(positions)))
    .setAttribute('TEXCOORD_0', accessor('VEC2', Float32Array.from(uvs)))
    .setMaterial(material.setMetallicFactor(0));
  const mesh = document.createMesh('box').addPrimitive(primitive);
  document.createScene().addChild(document.createNode('box').setMesh(mesh));
  return new WebIO().writeBinary(document);
}

describe.skipIf(unavailable)('light and matter', RUN, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.close());

  /** Mean colour of the pixels around a point of the page, as they are drawn now, r, g and b of 255. */
  const colourAt = (x: number, y: number) =>
    studio.page.evaluate(
      async ({ x, y }) => {
        const { stage, scenery } = pliant.graphics!;
        const blob = await stage.picture('image/webp', 1, () => scenery.update(Number.POSITIVE_INFINITY));
        const picture = await createImageBitmap(blob);
        const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
        context.drawImage(picture, 0, 0);
        const box = stage.canvas.getBoundingClientRect();
        const { data } = context.getImageData(Math.round(x - box.left) - 2, Math.round(y - box.top) - 2, 5, 5);
        const sum = [0, 0, 0];
        for (let o = 0; o < data.length; o += 4) for (let c = 0; c < 3; c++) sum[c] += data[o + c] / 25;
        return sum;
      },
      { x, y },
    );

  it('takes at most 650 kB for the first scene, apart from the pictures of the gallery', async () => {
    const page = await studio.open({ scene: 'falling-ball' }, { viewport: { width: 480, height: 330 } });
    const responses: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (!/\.webp$/.test(response.url())) responses.push(response.body().catch(() => Buffer.alloc(0)));
    });
    await page.reload();
    await studio.until(20);
    const bytes = (await Promise.all(responses)).reduce((sum, body) => sum + gzipSync(body).length, 0);
    expect(bytes).toBeLessThan(650_000);
    // Scripts of workers are among them.
    expect(bytes).toBeGreaterThan(500_000);
  });

  it('draws worse where frames are slow, and a paused picture in full', async () => {
    const { page } = studio;
    // Every frame waits: whatever the machine, that is slow.
    await page.evaluate(() => {
      const burn = () => {
        const until = performance.now() + 90;
        while (performance.now() < until);
        if (!('burnt' in globalThis)) requestAnimationFrame(burn);
      };
      requestAnimationFrame(burn);
    });
    await page.waitForFunction(() => pliant.graphics!.stage.quality.now.shadows === 0);
    const coarse = await page.evaluate(() => pliant.graphics!.stage.renderer.getPixelRatio());
    expect(coarse).toBeLessThan(0.5);
    await page.evaluate(() => Object.assign(globalThis, { burnt: true }));
    await studio.pause();
    await page.waitForFunction(() => {
      const { drawn, renderer } = pliant.graphics!.stage;
      return drawn.density === 1 && drawn.shadows === 2 && renderer.getPixelRatio() === devicePixelRatio;
    });
    expect(studio.complaints).toEqual([]);
  });

  it('keeps the texture of a dropped GLB: on the screen, in pieces and in exports', async () => {
    const { page } = studio;
    const bytes = Array.from(await texturedBox());
    await page.evaluate((bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(bytes)], 'painted.glb'));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    }, bytes);
    await page.waitForFunction(() => pliant.simulation.latest?.bodies[0].name === 'painted');
    await studio.until(1);
    await studio.pause();
    await page.evaluate(() => pliant.simulation.send({ type: 'reset' }));
    await page.waitForFunction(() => pliant.simulation.latest!.step === 0);
    /** Colours in the upper and the lower half of the body. */
    const halves = async (name: string) => {
      const { x, top, bottom } = await studio.body(name);
      return [await colourAt(x, top + 0.35 * (bottom - top)), await colourAt(x, top + 0.8 * (bottom - top))];
    };
    // The picture is decoded after the first frame.
    await expect
      .poll(async () => (await halves('painted'))[0][1] - (await halves('painted'))[0][2])
      .toBeGreaterThan(60);
    const [upper, lower] = await halves('painted');
    expect(upper[1] - upper[0]).toBeGreaterThan(60);
    expect(lower[2] - lower[1]).toBeGreaterThan(60);
    // Cut across: both pieces keep it.
    const { x, y, left, right } = await studio.body('painted');
    await page.evaluate(
      async ({ ends }) => {
        const { stage } = pliant.graphics!;
        const [a, b] = ends.map(([x, y]) => stage.rayAt(x, y));
        const list = ({ x, y, z }: { x: number; y: number; z: number }) => [x, y, z] as [number, number, number];
        const [origin, from, to] = [list(a.origin), list(a.direction), list(b.direction)];
        await pliant.simulation.ask<'cut'>((id) => ({ type: 'cut', id, origin, from, to }));
      },
      {
        ends: [
          [left - 40, y],
          [right + 40, y],
        ],
      },
    );
    await page.waitForFunction(() => pliant.simulation.latest!.bodies.length === 2);
    expect((await colourAt(x, y - 12))[1]).toBeGreaterThan(80);
    await page.click('#open-keep');
    const coming = page.waitForEvent('download');
    await page.click('#export-glb');
    const glb = new Uint8Array(await readFile(await (await coming).path()));
    const { materials, images } = await readMaterials(glb, 'x.glb', []);
    const painted = materials.filter(({ name }) => name === 'painted');
    expect(painted).toHaveLength(1);
    expect(painted[0].pbrMetallicRoughness).toMatchObject({ roughnessFactor: 0.9, baseColorTexture: { index: 0 } });
    expect(Array.from(images[0]!.bytes)).toEqual(Array.from(png()));
    // Faces that the cut laid open have a material of their own.
    expect(materials.map(({ name }) => name)).toContain('painted inner');
    expect(studio.complaints).toEqual([]);
  });

  it('draws a body in the colour and the look that are chosen for it, and a saved scene has them', async () => {
    const page = await studio.show('materials');
    await page.setViewportSize({ width: 900, height: 600 });
    await studio.until(1);
    // A scene that is built anew waits at its start.
    await page.evaluate(() => pliant.run(false));
    await studio.unfold('simple');
    await page.selectOption('#body', { label: 'clay' });
    /** The body's material on the graphics card, and its colour on the screen at the start of the scene. */
    const drawn = async () => {
      await page.waitForFunction(() => !pliant.simulation.isBuilding && pliant.simulation.latest !== undefined);
      await page.evaluate(() => pliant.simulation.send({ type: 'reset' }));
      await page.waitForFunction(() => pliant.simulation.latest?.step === 0);
      const { x, y } = await studio.body('clay');
      const colour = await colourAt(x, y);
      const roughness = await page.evaluate(() => {
        const at = pliant.simulation.latest!.bodies.findIndex(({ name }) => name === 'clay');
        const { material } = pliant.graphics!.scenery.surfaces.group.children[at] as unknown as {
          material: { roughness: number }[];
        };
        return material[0].roughness;
      });
      return { colour, roughness };
    };
    const bluer = ([r, , b]: number[]) => b - r;
    const first = await drawn();
    expect(bluer(first.colour)).toBeLessThan(-40);
    expect(first.roughness).toBe(0.88);
    // The field begins with the colour that is drawn: that of clay.
    expect([await page.inputValue('#body-colour'), await page.inputValue('#body-look')]).toEqual(['#b4623c', '']);
    await page.fill('#body-colour', '#2038c0');
    await expect.poll(async () => bluer((await drawn()).colour), PATIENCE).toBeGreaterThan(40);
    await page.selectOption('#body-look', 'candy');
    await expect.poll(async () => (await drawn()).roughness, PATIENCE).toBe(0.28);
    const chosen = await drawn();
    expect(bluer(chosen.colour)).toBeGreaterThan(40);
    // The others are as they were.
    expect(await page.evaluate(() => pliant.document!.json.bodies.map(({ look, colour }) => look ?? colour))).toEqual([
      ...[undefined, undefined, undefined, 'candy', undefined],
    ]);
    for (let n = 0; n < 2; n++) await page.click('#undo');
    await expect.poll(async () => (await drawn()).roughness, PATIENCE).toBe(0.88);
    const again = await drawn();
    for (let c = 0; c < 3; c++) expect(again.colour[c]).toBeCloseTo(first.colour[c], -0.7);
    expect(await page.inputValue('#body-colour')).toBe('#b4623c');
    for (let n = 0; n < 2; n++) await page.click('#redo');
    await expect.poll(async () => (await drawn()).roughness, PATIENCE).toBe(0.28);
    await studio.unfold('things');
    const coming = page.waitForEvent('download');
    await page.click('#things-save');
    const text = (await readFile(await (await coming).path())).toString();
    await studio.show('falling-ball');
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'mine.json'));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    }, text);
    await page.waitForFunction(() => pliant.simulation.latest?.bodies.some(({ name }) => name === 'clay'));
    await page.evaluate(() => pliant.run(false));
    const opened = await drawn();
    expect(opened.roughness).toBe(0.28);
    expect(bluer(opened.colour)).toBeGreaterThan(40);
    await page.selectOption('#body', { label: 'clay' });
    expect([await page.inputValue('#body-colour'), await page.inputValue('#body-look')]).toEqual(['#2038c0', 'candy']);
    expect(studio.complaints).toEqual([]);
  });

  it('shows no ground that bodies fall through', async () => {
    const page = await studio.show('cantilever');
    await studio.until(0);
    // Scenes of the gallery have a floor where things have weight. Without it:
    await page.evaluate(async () => {
      const { document } = pliant;
      await pliant.open({ ...document!, json: { ...document!.json, colliders: [] } });
    });
    await studio.stepTo(10, false);
    const isThere = () => page.evaluate(() => pliant.graphics!.scenery.ground.mesh.visible);
    expect(await isThere()).toBe(true);
    const { x, top, bottom } = await studio.body(await page.evaluate(() => pliant.simulation.latest!.bodies[0].name));
    await page.keyboard.press('3');
    await page.mouse.move(x, top - 40);
    await page.mouse.down();
    await page.mouse.move(x, bottom + 40, { steps: 3 });
    await page.mouse.up();
    await page.waitForFunction(() => pliant.simulation.latest!.bodies.length === 2);
    const lowest = () =>
      page.evaluate(() => {
        const { arrays, counts } = pliant.simulation.latest!;
        let low = Number.POSITIVE_INFINITY;
        for (let i = 0; i < counts.particles; i++) low = Math.min(low, arrays.particles[4 * i + 1]);
        return low - pliant.simulation.scene!.ground;
      });
    for (let at = 20; (await lowest()) > 0; at += 5) await studio.stepTo(at, false);
    await expect.poll(isThere, PATIENCE).toBe(false);
    // It has fallen away: the ground is back.
    await studio.stepTo((await studio.step()) + 160, false);
    expect(await lowest()).toBeLessThan(-5);
    await expect.poll(isThere, PATIENCE).toBe(true);
    // On a floor it stays.
    await studio.show('falling-ball');
    await studio.stepTo(60, false);
    expect(await isThere()).toBe(true);
    expect(studio.complaints).toEqual([]);
  });

  it('shows obstacles that lie beside the bodies, also on a phone', async () => {
    const page = await studio.open({ scene: 'obstacles' }, { viewport: { width: 390, height: 844 } });
    await studio.until(0);
    const outside = () =>
      page.evaluate(() => {
        const { stage, scenery } = pliant.graphics!;
        const corners = scenery.obstacleCorners(pliant.simulation.latest!);
        stage.camera.updateMatrixWorld();
        let most = 0;
        for (let o = 0; o < corners.length; o += 4) {
          const at = stage.camera.position.clone().set(corners[o], corners[o + 1], corners[o + 2]);
          at.project(stage.camera);
          most = Math.max(most, Math.abs(at.x), Math.abs(at.y));
        }
        return [corners.length, most];
      });
    const [count, most] = await outside();
    expect(count).toBeGreaterThan(0);
    // A moving paddle reaches farther a moment later.
    expect(most).toBeLessThan(1.05);
    // Bodies matter more: the view does not zoom out as far as it takes for something that is far away.
    await page.evaluate(async () => {
      const { document } = pliant;
      const far = { type: 'box', size: [1, 1, 1], position: [9, 0.5, 0] };
      await pliant.open({ ...document!, path: `${document!.path}?far`, json: { ...document!.json, colliders: [far] } });
    });
    await studio.until(0);
    expect((await outside())[1]).toBeGreaterThan(1.5);
    expect(studio.complaints).toEqual([]);
  });

  it('keeps a ground below pieces that drift down without weight', async () => {
    const page = await studio.show('torn-creature');
    const heights = () =>
      page.evaluate(() => {
        const { arrays, counts } = pliant.simulation.latest!;
        let low = Number.POSITIVE_INFINITY;
        for (let i = 0; i < counts.particles; i++) low = Math.min(low, arrays.particles[4 * i + 1]);
        const { mesh } = pliant.graphics!.scenery.ground;
        return { low, ground: mesh.position.y, visible: mesh.visible, first: pliant.simulation.scene!.ground };
      });
    await studio.stepTo(10, false);
    const before = await heights();
    expect(before).toMatchObject({ visible: true, ground: before.first });
    await studio.stepTo(130, false);
    await expect.poll(async () => (await heights()).low, PATIENCE).toBeLessThan(before.first);
    const after = await heights();
    expect(after.visible).toBe(true);
    expect(after.ground).toBeLessThan(after.low - 0.1);
    expect(studio.complaints).toEqual([]);
  });
});
