// Takes pictures of every gallery scene at three moments, in the studio itself: `npm run pictures [scene …]`.
// docs/pictures has all of them, packages/studio/public/thumbnails the middle one. Two pictures move: docs/pictures/studio.webp, and
// docs/pictures/squash-tear-cut.webp, three scenes side by side.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { animate } from './animate.mjs';
import { BROWSER_FLAGS, findBrowser } from './browser.mjs';
import { ROOT } from './run.mjs';

process.chdir(ROOT);
const THUMBNAILS = 'packages/studio/public/thumbnails';
const PICTURES = 'docs/pictures';
const [WIDTH, HEIGHT] = [640, 400];
/** Size of a thumbnail: all of them are loaded with the first page. */
const THUMBNAIL = [400, 250];
/** Shares of a scene's frames at which it is looked at. */
const MOMENTS = [0.08, 0.4, 1];
/** The picture that moves: frames of it, steps between them, and what hands do at which frame. Places are shares of the picture. */
const MOVING = { scene: 'clay', frames: 84, every: 6, rate: 20, cut: 38, pick: 52 };
const STROKE = { from: [0.42, 0.3], to: [0.36, 0.85] };
const GRIP = { at: [0.62, 0.55], lift: [0, 0.011, 0] };
/** Three scenes side by side, each in real time: 3 steps of 1/60 s a frame, 20 frames a second. */
const SIDE_BY_SIDE = {
  scenes: ['falling-bunny', 'broken-heart', 'cut'],
  width: 280,
  height: 260,
  frames: 60,
  every: 3,
  rate: 20,
};

const executablePath = findBrowser();
if (!executablePath) throw new Error('No Chromium found: install one, or name it in PLIANT_BROWSER.');
const wanted = process.argv.slice(2);
const scenes = readdirSync('scenes')
  .filter((file) => file.endsWith('.json') && file !== 'scene.schema.json')
  .map((file) => file.slice(0, -'.json'.length));
for (const name of wanted) if (!scenes.includes(name)) throw new Error(`There is no scene "${name}" in scenes/.`);
mkdirSync(THUMBNAILS, { recursive: true });
mkdirSync(PICTURES, { recursive: true });

const server = await preview({ root: 'packages/studio', preview: { port: 0 }, logLevel: 'error' });
const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS });
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
page.setDefaultTimeout(180_000);
page.on('pageerror', (error) => console.error(`  ${error.message}`));

for (const scene of wanted.length > 0 ? wanted : scenes) {
  const frames = await open(scene);
  for (const [n, share] of MOMENTS.entries()) {
    await goTo(Math.round(share * frames));
    const picture = await take(0.86);
    writeFileSync(`${PICTURES}/${scene}-${n + 1}.webp`, picture);
    if (n === 1) writeFileSync(`${THUMBNAILS}/${scene}.webp`, await scaled(picture, ...THUMBNAIL, 0.8));
  }
  console.log(`${scene}: ${MOMENTS.map((share) => Math.round(share * frames)).join(', ')}`);
}
if (wanted.length === 0 || wanted.includes(MOVING.scene)) {
  await open(MOVING.scene);
  const pictures = [];
  for (let n = 0; n < MOVING.frames; n++) {
    await goTo(n * MOVING.every);
    if (n === MOVING.cut) await page.evaluate(cut, STROKE);
    if (n === MOVING.pick) await page.evaluate(pick, GRIP);
    if (n > MOVING.pick) await page.evaluate(lift, GRIP);
    pictures.push(await take(0.75));
  }
  writeFileSync(`${PICTURES}/studio.webp`, animate(pictures, WIDTH, HEIGHT, 1000 / MOVING.rate));
  console.log(`${PICTURES}/studio.webp: ${MOVING.scene}, ${MOVING.frames} frames`);
}
if (wanted.length === 0 || SIDE_BY_SIDE.scenes.some((scene) => wanted.includes(scene))) {
  const { scenes: shown, width, height, frames, every, rate } = SIDE_BY_SIDE;
  await page.setViewportSize({ width, height });
  const rows = [];
  for (const scene of shown) {
    await open(scene);
    const row = [];
    for (let n = 0; n < frames; n++) {
      await goTo(n * every);
      row.push(await take(1));
    }
    rows.push(row);
  }
  const pictures = [];
  for (let n = 0; n < frames; n++)
    pictures.push(
      Buffer.from(
        await page.evaluate(join, { parts: rows.map((row) => row[n].toString('base64')), width, height, quality: 0.8 }),
        'base64',
      ),
    );
  const file = `${PICTURES}/squash-tear-cut.webp`;
  writeFileSync(file, animate(pictures, shown.length * width, height, 1000 / rate));
  console.log(`${file}: ${shown.join(', ')}, ${frames} frames`);
}
await browser.close();
server.httpServer.close();

/** A picture in another size. */
async function scaled(picture, width, height, quality) {
  const parts = [picture.toString('base64')];
  return Buffer.from(await page.evaluate(join, { parts, width, height, quality }), 'base64');
}

/** In the page: pictures side by side in one. All in base64. */
async function join({ parts, width, height, quality }) {
  const canvas = new OffscreenCanvas(parts.length * width, height);
  const context = canvas.getContext('2d');
  for (const [k, part] of parts.entries()) {
    const image = await createImageBitmap(
      new Blob([Uint8Array.from(atob(part), (c) => c.charCodeAt(0))], { type: 'image/webp' }),
    );
    context.drawImage(image, k * width, 0, width, height);
  }
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
}

/** In the page: a stroke of the knife. */
function cut({ from, to }) {
  const { simulation, graphics } = globalThis.pliant;
  const [a, b] = [from, to].map(([x, y]) => graphics.stage.rayAt(x * innerWidth, y * innerHeight));
  const list = ({ x, y, z }) => [x, y, z];
  return simulation.ask((id) => ({
    type: 'cut',
    id,
    origin: list(a.origin),
    from: list(a.direction),
    to: list(b.direction),
  }));
}

/** In the page: takes hold of what is seen at a place. */
async function pick({ at: [x, y] }) {
  const { simulation, graphics } = globalThis.pliant;
  const { origin, direction } = graphics.stage.rayAt(x * innerWidth, y * innerHeight);
  const list = ({ x, y, z }) => [x, y, z];
  const { id, hit } = await simulation.ask((id) => ({
    type: 'pick',
    id,
    origin: list(origin),
    direction: list(direction),
  }));
  globalThis.held = hit && { id, target: hit.point };
}

/** In the page: moves what is held on by a little. */
function lift({ lift }) {
  const { held } = globalThis;
  if (!held) return;
  held.target = held.target.map((value, a) => value + lift[a]);
  globalThis.pliant.simulation.send({ type: 'movePick', id: held.id, target: held.target });
}

/** Opens a scene at its first step; tells how many it has. */
async function open(scene) {
  await page.goto(`${server.resolvedUrls.local[0]}?renderer=webgl&quality=full&bare&paused&scene=${scene}`);
  await page.waitForFunction(() => globalThis.pliant?.graphics && globalThis.pliant.simulation.latest, undefined, {
    timeout: 180_000,
  });
  return await page.evaluate(() => globalThis.pliant.simulation.scene.frames);
}

/** Steps on to a frame, in small portions so that the page keeps up. */
async function goTo(frame) {
  for (;;) {
    const step = await page.evaluate(() => globalThis.pliant.simulation.latest.step);
    if (step >= frame) return;
    const steps = Math.min(20, frame - step);
    await page.evaluate((steps) => globalThis.pliant.simulation.send({ type: 'step', steps }), steps);
    await page.waitForFunction((wanted) => globalThis.pliant.simulation.latest.step >= wanted, step + steps, {
      timeout: 180_000,
    });
  }
}

/** The stage as it looks now, as WebP. */
async function take(quality) {
  const bytes = await page.evaluate(async (quality) => {
    const { stage, scenery } = globalThis.pliant.graphics;
    const blob = await stage.picture('image/webp', quality, () => scenery.update(Number.POSITIVE_INFINITY));
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  }, quality);
  return Buffer.from(bytes);
}
