import { inflateSync } from 'node:zlib';
import { buildWorld, loadScene } from '@pliant/scene';
import { expect, test } from 'vitest';
import { CUBE } from '../testing/scenes.js';
import { encodePng, type Image } from './png.js';
import { renderWorld } from './render.js';

async function picture(more: object = {}, size = { width: 64, height: 48 }): Promise<Image> {
  const text = new TextEncoder().encode(JSON.stringify({ ...CUBE, ...more }));
  const scene = await loadScene('cube.json', async () => text);
  const built = await buildWorld(scene, { backend: 'ts' });
  const image = renderWorld({ scene, built, world: built.world, memory: new Map() }, size);
  built.world.dispose();
  return image;
}

const pixel = ({ width, rgb }: Image, x: number, y: number) => [
  ...rgb.subarray(3 * (y * width + x), 3 * (y * width + x) + 3),
];
/** Largest difference of two channels: balls are coloured, planes and sky are nearly grey. */
const colourful = (p: number[]) => Math.max(...p) - Math.min(...p);

test('a body is in the middle, above the ground, below the sky', async () => {
  const image = await picture();
  expect(colourful(pixel(image, 32, 24))).toBeGreaterThan(60);
  expect(colourful(pixel(image, 1, 1))).toBeLessThan(30);
  expect(colourful(pixel(image, 1, 46))).toBeLessThan(30);
  // The plane is darker than the sky.
  expect(pixel(image, 1, 46)[0]).toBeLessThan(pixel(image, 1, 1)[0]);
});

test('a camera of the scene is used: a body beside its view is not seen', async () => {
  const from = (target: number[]) => picture({ colliders: [], cameras: [{ position: [0, 0.5, 6], target }] });
  expect(colourful(pixel(await from([0, 0.5, 0]), 32, 24))).toBeGreaterThan(60);
  const away = await from([6, 0.5, 6]);
  for (let x = 0; x < 64; x += 3) expect(colourful(pixel(away, x, 24))).toBeLessThan(30);
});

test('a box in front hides the body, and a body throws a shadow', async () => {
  const cameras = [{ position: [0, 0.5, 6], target: [0, 0.5, 0] }];
  const hidden = await picture({ cameras, colliders: [{ type: 'box', size: [2, 2, 0.2], position: [0, 0.5, 2] }] });
  expect(colourful(pixel(hidden, 32, 24))).toBeLessThan(30);
  const above = [{ position: [0, 9, 0.5], target: [0, 0, 0] }];
  const plain = { cameras: above, colliders: CUBE.colliders };
  const darkest = ({ rgb }: Image) =>
    rgb.reduce(
      (least, v, k) => (k % 3 === 0 && colourful([rgb[k], rgb[k + 1], rgb[k + 2]]) < 30 ? Math.min(least, v) : least),
      255,
    );
  const far = [{ ...CUBE.bodies[0], position: [0, 500, 0] }];
  const near = [{ ...CUBE.bodies[0], position: [0, 3, 0] }];
  expect(darkest(await picture({ ...plain, bodies: near }))).toBeLessThan(
    0.85 * darkest(await picture({ ...plain, bodies: far })),
  );
});

test('a PNG holds the pixels', async () => {
  const image = await picture({}, { width: 20, height: 15 });
  const png = Buffer.from(encodePng(image));
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([20, 15]);
  const rows = inflateSync(png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8));
  const back = new Uint8Array(image.rgb.length);
  for (let y = 0; y < 15; y++)
    for (let k = 0; k < 60; k++) back[60 * y + k] = rows[61 * y + 1 + k] + (y > 0 ? back[60 * (y - 1) + k] : 0);
  expect(back).toEqual(image.rgb);
});
