// Takes pictures of the studio at work, each at three sizes, light and dark, side by side in one file: `npm run views [name …]`.
// docs/pictures/views has them; docs/design/studio.md says which promise each shows.
import { mkdirSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { Document, WebIO } from '@gltf-transform/core';
import { chromium } from 'playwright-core';
import { BROWSER_FLAGS, findBrowser } from './browser.mjs';
import { ROOT } from './run.mjs';
import { serve } from './serve.mjs';

process.chdir(ROOT);
const FOLDER = 'docs/pictures/views';
const SIZES = [
  [1440, 900],
  [1024, 700],
  [390, 844],
];
/** Height of each picture in the file. */
const HEIGHT = 440;
const GAP = 6;
const QUALITY = 0.8;

/** The steps in the studio before a picture is taken, at the largest size. */
const VIEWS = {
  /** The page as a newcomer sees it. */
  first: () => open('hello', 20),
  gallery: async () => {
    await open('hello', 20);
    await page.click('#open-gallery');
  },
  search: async () => {
    await open('hello', 20);
    await page.click('#open-gallery');
    await page.fill('#gallery-search', 'break');
  },
  /** Everyday words, beside a body that has broken. */
  material: async () => {
    await open('broken-heart', 70);
    await unfold('simple');
  },
  advanced: async () => {
    await open('plate-strong', 30);
    await unfold('fracture');
    // Filled a moment later.
    await page.locator('#section-fracture .field').first().waitFor();
  },
  /** Bodies and obstacles that were added, one of them chosen. */
  things: async () => {
    await open('falling-ball', 0);
    await unfold('things');
    await page.selectOption('#add-body', 'ring');
    await built();
    await page.selectOption('#add-obstacle', 'ball');
    await built();
    await page.locator('#section-things .things button', { hasText: 'ring' }).click();
    await goTo(30);
  },
  /** A variant beside the scene, with plots of both. */
  compare: async () => {
    await open('stretched-cube', 0);
    await unfold('compare');
    await page.selectOption('#variant', 'clusters-1');
    await page.click('#variant-beside');
    await page.waitForFunction(() => globalThis.pliant.second?.latest);
    await page.evaluate(() => globalThis.pliant.run(true));
    await unfold('plots');
    await page.waitForFunction(() => globalThis.pliant.simulations.every(({ latest }) => latest.step > 60));
    await page.evaluate(() => globalThis.pliant.run(false));
  },
  /** Proxies as outlines, goals, and a legend. */
  show: async () => {
    await open('cantilever', 40);
    await unfold('view');
    for (const one of ['goals', 'proxies']) await page.check(`#show-${one}`);
    await page.selectOption('#colouring', 'stress');
  },
  /** A dropped GLB with a texture, cut while the world is paused. */
  mesh: async () => {
    await open('falling-ball', 0);
    await offer({
      name: 'striped.glb',
      mimeType: 'model/gltf-binary',
      buffer: Buffer.from(await stripedBall()),
    });
    await page.waitForFunction(() => globalThis.pliant.simulation.latest?.bodies[0].name === 'striped');
    await page.evaluate(() => globalThis.pliant.run(false));
    await goTo(40);
    await page.keyboard.press('3');
    const { x, y, high } = await boxOnPage();
    await page.mouse.move(x - 0.1 * high, y - 0.8 * high);
    await page.mouse.down();
    await page.mouse.move(x + 0.1 * high, y + 0.8 * high, { steps: 6 });
    await page.mouse.up();
    await page.waitForFunction(() => globalThis.pliant.simulation.latest.bodies.length === 2);
    await goTo(110);
  },
  /** A file that cannot be read: the scene stays, and a message says why. */
  problem: async () => {
    await open('materials', 60);
    await offer({
      name: 'sheet.obj',
      mimeType: 'model/obj',
      buffer: Buffer.from('v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0.2 1\nf 1 2 3\nf 1 3 4\n'),
    });
    await page.waitForSelector('#messages p.problem');
  },
  /** A build tells what it does, and can be cancelled: of five times the particles, so that it lasts as long as the pictures. */
  building: async () => {
    await open('falling-ball', 40);
    await page.evaluate(async () => {
      const { pliant } = globalThis;
      const path = `${location.href.split('?')[0]}scenes/creature-on-cylinders.json`;
      const json = await (await fetch(path)).json();
      json.bodies[0].sampling.count = 600_000;
      void pliant.open({ name: 'creature-on-cylinders', path, json, files: {} }, false);
    });
    await page.locator('#busy span', { hasText: 'creature' }).waitFor();
  },
  /** One point is locked and another held, with the thread from it to the hand. */
  hands: async () => {
    await open('hello', 20);
    await page.mouse.move(714, 250);
    await page.mouse.down();
    await page.mouse.move(640, 235, { steps: 4 });
    await page.keyboard.press('l');
    await page.mouse.up();
    await page.mouse.move(804, 250);
    await page.mouse.down();
    await page.mouse.move(930, 260, { steps: 4 });
    await goTo(70);
  },
  /** All looks, halved: each has an inside of its own. */
  looks: async () => {
    await open('hello', 0);
    await page.evaluate(async (json) => {
      const { pliant } = globalThis;
      await pliant.open({ name: undefined, path: `${location.href}looks.json`, json, files: {} }, false);
    }, looks());
    await built();
    await goTo(80);
    await page.evaluate(() => {
      const { graphics, simulation } = globalThis.pliant;
      graphics.stage.fitPoints(simulation.latest.arrays.particles, new Float32Array(0));
    });
  },
  /** The six scenes that break, from near by. */
  ...Object.fromEntries(
    [
      ['broken-heart', 80, 1],
      ['hollow-ball', 70, 0.65],
      ['plate-weak', 40, 0.8],
      ['torn-creature', 90, 0.65],
      ['swiss-cheese', 150, 0.85],
      ['twisted-bar-fracture', 480, 0.9],
    ].map(([scene, step, way]) => [
      `crack-${scene}`,
      async () => {
        await open(scene, step);
        await page.evaluate((way) => globalThis.pliant.graphics.stage.approach(way), way);
      },
    ]),
  ),
};

/** The section of the panel that is to be seen, if any. */
let shown;

const executablePath = findBrowser();
if (!executablePath) throw new Error('No Chromium found: install one, or name it in PLIANT_BROWSER.');
const wanted = process.argv.slice(2);
for (const name of wanted)
  if (!(name in VIEWS)) throw new Error(`There is no view "${name}"; expected ${Object.keys(VIEWS).join(', ')}.`);
mkdirSync(FOLDER, { recursive: true });
const { address, close } = await serve();
const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS });
const page = await browser.newPage({ viewport: { width: SIZES[0][0], height: SIZES[0][1] } });
page.setDefaultTimeout(180_000);
page.on('pageerror', (error) => console.error(`  ${error.message}`));
// As a newcomer finds it.
await page.addInitScript(() => localStorage.clear());

for (const name of wanted.length > 0 ? wanted : Object.keys(VIEWS)) {
  const [width, height] = SIZES[0];
  await page.setViewportSize({ width, height });
  await page.goto(`${address}?renderer=webgl&paused`);
  shown = undefined;
  await VIEWS[name]();
  const rows = [];
  for (const theme of ['light', 'dark']) {
    const row = [];
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.evaluate((theme) => {
        if (document.documentElement.dataset.theme !== theme) document.getElementById('theme').click();
      }, theme);
      if (shown) await page.locator(shown).evaluate((section) => section.scrollIntoView({ block: 'start' }));
      await still();
      row.push((await page.screenshot()).toString('base64'));
    }
    rows.push(row);
  }
  await page.mouse.up();
  const sheet = await page.evaluate(join, { rows, sizes: SIZES, high: HEIGHT, gap: GAP, quality: QUALITY });
  writeFileSync(`${FOLDER}/${name}.webp`, Buffer.from(sheet, 'base64'));
  console.log(`${FOLDER}/${name}.webp`);
}
await browser.close();
close();

/** Opens a scene of the gallery, paused, at a step. */
async function open(scene, step) {
  await page.waitForFunction(() => globalThis.pliant?.graphics && globalThis.pliant.simulation.latest);
  await page.evaluate(async (scene) => {
    const { pliant } = globalThis;
    if (pliant.document.name !== scene) await pliant.openScene(scene, false);
  }, scene);
  await built();
  await goTo(step);
}

async function built() {
  await page.waitForFunction(
    () => !globalThis.pliant.simulation.isBuilding && globalThis.pliant.simulation.latest !== undefined,
  );
}

/** Steps on to a step, in small portions so that the page keeps up. */
async function goTo(step) {
  for (;;) {
    const now = await page.evaluate(() => globalThis.pliant.simulation.latest?.step ?? 0);
    if (now >= step) return;
    await page.evaluate(
      (steps) => globalThis.pliant.simulation.send({ type: 'step', steps }),
      Math.min(20, step - now),
    );
    await page.waitForFunction((now) => globalThis.pliant.simulation.latest?.step > now, now);
  }
}

/** Opens the panel and unfolds a section of it. */
async function unfold(section) {
  if (!(await page.isVisible('#panel'))) await page.click('#open-panel');
  const inside = `#section-advanced #section-${section}`;
  if ((await page.locator(inside).count()) > 0) await unfold('advanced');
  const details = page.locator(`#section-${section}`);
  if ((await details.getAttribute('open')) === null) await details.locator('> summary').click();
  await details.locator('.content').first().waitFor();
  shown = `#section-${section}`;
}

/** Hands a file to the menu for the user's own meshes. */
async function offer(file) {
  await page.click('#open-own');
  await page.setInputFiles('#own-file', file);
  await page.keyboard.press('Escape');
}

/** The middle of all particles on the page, and their height there (CSS pixels). */
async function boxOnPage() {
  return await page.evaluate(() => {
    const { stage } = globalThis.pliant.graphics;
    const { arrays, counts } = globalThis.pliant.simulation.latest;
    const [xs, ys] = [[], []];
    stage.camera.updateMatrixWorld();
    for (let i = 0; i < counts.particles; i++) {
      const at = stage.camera.position
        .clone()
        .fromArray(arrays.particles, 4 * i)
        .project(stage.camera);
      xs.push((0.5 + 0.5 * at.x) * innerWidth);
      ys.push((0.5 - 0.5 * at.y) * innerHeight);
    }
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    return { x: (left + right) / 2, y: (top + bottom) / 2, high: bottom - top };
  });
}

/** Waits until nothing changes and everything is drawn as well as it is for pictures that stand still. */
async function still() {
  await page.evaluate(async () => {
    const { stage } = globalThis.pliant.graphics;
    const begin = performance.now();
    await new Promise((resolve) => {
      const look = () => {
        const took = performance.now() - begin;
        if ((took > 400 && !stage.stale && stage.drawn === stage.best) || took > 20_000) resolve();
        else requestAnimationFrame(look);
      };
      look();
    });
  });
}

/** In the page: pictures in rows, scaled to one height. All in base64. */
async function join({ rows, sizes, high, gap, quality }) {
  const widths = sizes.map(([width, height]) => Math.round((width * high) / height));
  const wide = widths.reduce((sum, width) => sum + width + gap, -gap);
  const canvas = new OffscreenCanvas(wide, rows.length * (high + gap) - gap);
  const context = canvas.getContext('2d');
  context.fillStyle = '#808080';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  for (const [r, row] of rows.entries()) {
    let left = 0;
    for (const [k, part] of row.entries()) {
      const bytes = Uint8Array.from(atob(part), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      context.drawImage(image, left, r * (high + gap), widths[k], high);
      left += widths[k] + gap;
    }
  }
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
}

/** A scene with a ball of every look, which fall open as they lie on the ground. */
function looks() {
  const names = [
    'rubber',
    'jelly',
    'clay',
    'chocolate',
    'glass',
    'cheese',
    'bread',
    'ceramic',
    'stone',
    'wood',
    'flesh',
    'metal',
  ];
  const place = (k) => [(k % 4) * 1.05 - 1.575, 0.26, Math.floor(k / 4) * 0.75 - 0.9];
  return {
    title: 'Looks',
    description: 'Every look, and what is inside.',
    bodies: names.map((look, k) => ({
      name: look,
      look,
      geometry: { type: 'sphere', radius: 0.25 },
      position: place(k),
      sampling: { count: 400 },
      material: { young: 200_000, dampingRatio: 1 },
    })),
    cuts: names.map((body, k) => ({
      at: 0.1,
      body,
      plane: { point: place(k), normal: [1, 0, 0.3] },
    })),
    colliders: [{ name: 'ground', type: 'plane', normal: [0, 1, 0], friction: 0.4 }],
    cameras: [{ name: 'front', position: [0, 3.1, 3.7], target: [0, 0.1, -0.1], fov: 40 }],
  };
}

/** A closed ball as GLB whose texture has stripes. */
async function stripedBall() {
  const [rings, sides] = [24, 48];
  const [positions, uvs, indices] = [[], [], []];
  for (let r = 0; r <= rings; r++)
    for (let s = 0; s <= sides; s++) {
      const [polar, around] = [(Math.PI * r) / rings, (2 * Math.PI * s) / sides];
      positions.push(Math.sin(polar) * Math.cos(around), Math.cos(polar), -Math.sin(polar) * Math.sin(around));
      uvs.push(s / sides, r / rings);
    }
  const at = (r, s) => r * (sides + 1) + s;
  for (let r = 0; r < rings; r++)
    for (let s = 0; s < sides; s++) {
      if (r > 0) indices.push(at(r, s), at(r + 1, s), at(r, s + 1));
      if (r < rings - 1) indices.push(at(r, s + 1), at(r + 1, s), at(r + 1, s + 1));
    }
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const material = document
    .createMaterial('stripes')
    .setBaseColorTexture(document.createTexture('stripes').setImage(stripes()).setMimeType('image/png'))
    .setRoughnessFactor(0.4)
    .setMetallicFactor(0);
  const primitive = document
    .createPrimitive()
    .setIndices(accessor('SCALAR', Uint32Array.from(indices)))
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(positions)))
    .setAttribute('TEXCOORD_0', accessor('VEC2', Float32Array.from(uvs)))
    .setMaterial(material);
  document
    .createScene()
    .addChild(document.createNode('ball').setMesh(document.createMesh('ball').addPrimitive(primitive)));
  return new WebIO().writeBinary(document);
}

/** A PNG of eight stripes in four colours. */
function stripes() {
  const [width, height] = [256, 8];
  const colours = [
    [214, 40, 57],
    [250, 244, 230],
    [29, 78, 137],
    [251, 183, 38],
  ];
  const rows = Buffer.concat(
    Array.from({ length: height }, () =>
      Buffer.from([0, ...Array.from({ length: width }, (_, x) => colours[Math.floor((8 * x) / width) % 4]).flat()]),
    ),
  );
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...parts]));
}

/** A part of a PNG file, with its checksum. */
function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  let sum = 0xffffffff;
  for (const byte of body) {
    sum ^= byte;
    for (let k = 0; k < 8; k++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  }
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE((sum ^ 0xffffffff) >>> 0, body.length + 4);
  return out;
}
