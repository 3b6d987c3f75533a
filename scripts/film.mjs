// Films the studio: six scenes with captions, 20 seconds, `npm run film -- [--size 960x540] [--rate 24] [--out out/film.webm]`.
// Every picture is drawn in full quality and encoded before the world steps on, so the film is as smooth on a slow machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny';
import { chromium } from 'playwright-core';
import { BROWSER_FLAGS, findBrowser } from './browser.mjs';
import { ROOT } from './run.mjs';
import { serve } from './serve.mjs';

process.chdir(ROOT);

/**
 * Scenes: the caption, seconds of the film, step at which it begins, simulated seconds a second, and how far the eye
 * turns meanwhile (radians).
 */
const SHOTS = [
  {
    scene: 'falling-bunny',
    caption: 'Soft bodies that squash and bounce',
    seconds: 3.4,
    from: 10,
    speed: 1,
    turn: 0.25,
  },
  { scene: 'pile', caption: 'Fifty of them, in real time', seconds: 3.2, from: 40, speed: 1.2, turn: 0.3 },
  { scene: 'broken-heart', caption: 'They tear …', seconds: 3.2, from: 20, speed: 0.8, turn: 0.2 },
  { scene: 'hollow-ball', caption: '… and shatter', seconds: 3.4, from: 18, speed: 0.6, turn: 0.35 },
  { scene: 'cut', caption: 'Cut them as you like', seconds: 3.2, from: 10, speed: 1, turn: 0.25 },
  { scene: 'clay', caption: 'Clay keeps its dents · pliant', seconds: 3.6, from: 0, speed: 0.9, turn: 0.25 },
];
/** Seconds over which one scene gives way to the next. */
const FADE = 0.3;
/** Bits a pixel of a picture: smooth surfaces need few. And bits a second at least: 20 seconds are then 2 MB. */
const BITS = 0.09;
const LEAST = 900_000;

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '960x540' },
    rate: { type: 'string', default: '24' },
    out: { type: 'string', default: 'out/film.webm' },
  },
});
const [width, height] = values.size.split('x').map(Number);
const rate = Number(values.rate);
if (!(width > 0 && height > 0 && rate > 0))
  throw new Error(
    `--size is ${values.size} and --rate ${values.rate}; expected two numbers, 960x540, and pictures a second.`,
  );

const executablePath = findBrowser();
if (!executablePath) throw new Error('No Chromium found: install one, or name it in PLIANT_BROWSER.');
const { address, close } = await serve();
const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS });
const page = await browser.newPage({ viewport: { width, height } });
page.on('pageerror', (error) => console.error(`  ${error.message}`));

const target = new BufferTarget();
const source = new EncodedVideoPacketSource('vp9');
const output = new Output({ format: new WebMOutputFormat(), target });
output.addVideoTrack(source, { frameRate: rate });
await output.start();
let written = Promise.resolve();
await page.exposeFunction('filmChunk', ({ type, timestamp, data, config }) => {
  const packet = new EncodedPacket(Buffer.from(data, 'base64'), type, timestamp / 1e6, 1 / rate);
  written = written.then(() => source.add(packet, config && { decoderConfig: config }));
});

await page.goto(`${address}?renderer=webgl&quality=full&bare&paused&scene=${SHOTS[0].scene}`);
await page.waitForFunction(() => globalThis.pliant?.graphics && globalThis.pliant.simulation.latest, undefined, {
  timeout: 180_000,
});
await page.evaluate(setUp, { width, height, rate, bitrate: Math.max(LEAST, Math.round(BITS * width * height * rate)) });

let pictures = 0;
for (const { scene, caption, seconds, from, speed, turn } of SHOTS) {
  await page.evaluate(openScene, scene);
  const dt = await page.evaluate(() => globalThis.pliant.simulation.scene.dt);
  const count = Math.round(seconds * rate);
  for (let n = 0; n < count; n++) {
    await goTo(from + Math.round((n * speed) / (rate * dt)));
    const fade = Math.min(1, (n + 1) / (FADE * rate), (count - n) / (FADE * rate));
    await page.evaluate(film, { caption, fade, turn: turn / count, timestamp: (pictures++ * 1e6) / rate });
  }
  console.log(`${scene}: ${count} pictures`);
}
await page.evaluate(() => globalThis.encoder.flush());
await written;
await output.finalize();
mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(values.out, new Uint8Array(target.buffer));
console.log(
  `${values.out}: ${(pictures / rate).toFixed(1)} s, ${width} × ${height}, ${(target.buffer.byteLength / 1e6).toFixed(1)} MB`,
);
await browser.close();
close();

/** Steps on to a frame. */
async function goTo(frame) {
  for (;;) {
    const step = await page.evaluate(() => globalThis.pliant.simulation.latest.step);
    if (step >= frame) return;
    await page.evaluate(
      (steps) => globalThis.pliant.simulation.send({ type: 'step', steps }),
      Math.min(20, frame - step),
    );
    await page.waitForFunction((step) => globalThis.pliant.simulation.latest.step > step, step, { timeout: 180_000 });
  }
}

/** In the page: prepares the encoder. */
function setUp({ width, height, rate, bitrate }) {
  const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  globalThis.sheet = new OffscreenCanvas(width, height);
  globalThis.encoder = new VideoEncoder({
    error: (error) => console.error(error.message),
    output: (chunk, metadata) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      const { codec, codedWidth, codedHeight } = metadata?.decoderConfig ?? {};
      globalThis.filmChunk({
        type: chunk.type,
        timestamp: chunk.timestamp,
        data: toText(bytes),
        config: codec && { codec, codedWidth, codedHeight },
      });
    },
  });
  globalThis.encoder.configure({
    codec: 'vp09.00.40.08',
    width,
    height,
    framerate: rate,
    bitrate,
    latencyMode: 'quality',
  });
}

/** In the page: another scene, at its first step. */
async function openScene(name) {
  const { pliant } = globalThis;
  const built = new Promise((resolve) => pliant.on('built', resolve));
  await pliant.openScene(name, false);
  await built;
  while (!pliant.simulation.latest) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** In the page: draws a picture with its caption, and encodes it. */
async function film({ caption, fade, turn, timestamp }) {
  const { stage, scenery } = globalThis.pliant.graphics;
  stage.turn(turn, 0);
  const blob = await stage.picture('image/webp', 1, () => scenery.update(Number.POSITIVE_INFINITY));
  const picture = await createImageBitmap(blob);
  const { sheet, encoder } = globalThis;
  const { width, height } = sheet;
  const context = sheet.getContext('2d');
  context.drawImage(picture, 0, 0, width, height);
  const size = Math.round(height / 18);
  context.font = `600 ${size}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  const wide = context.measureText(caption).width + 1.4 * size;
  context.globalAlpha = 0.82;
  context.fillStyle = '#14181d';
  context.beginPath();
  context.roundRect(1.1 * size, height - 2.9 * size, wide, 1.8 * size, 0.9 * size);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = '#ffffff';
  context.fillText(caption, 1.8 * size, height - 1.98 * size);
  context.globalAlpha = 1 - fade;
  context.fillStyle = '#dfe7ee';
  context.fillRect(0, 0, width, height);
  context.globalAlpha = 1;
  const frame = new VideoFrame(sheet, { timestamp });
  encoder.encode(frame, { keyFrame: timestamp === 0 });
  frame.close();
  picture.close();
}
