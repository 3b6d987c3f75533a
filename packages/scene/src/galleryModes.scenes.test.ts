import type { Body } from 'pliant';
import { expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { loadOwn, runOwn as run, runScene } from './testing/gallery.js';

/** How far the ends of a bar hang below its middle (m). */
function hang({ restPositions: rest, positions }: Body): number {
  const mean = (at: (x: number) => boolean) => {
    const heights: number[] = [];
    for (let i = 0; i < rest.length / 3; i++)
      if (at(Math.abs(rest[3 * i]))) heights.push(positions[4 * i + 1] - rest[3 * i + 1]);
    return heights.reduce((sum, y) => sum + y, 0) / heights.length;
  };
  return mean((x) => x < 0.16) - mean((x) => x > 0.9);
}

test('quadratic-bar: its ends hang, those of the others do not, and all lie still', async () => {
  const { world, bodies } = await run('quadratic-bar', 6);
  const [rigid, linear, quadratic] = bodies.map(hang);
  report('ends of the bars below their middle', { rigid, linear, quadratic }, 'm');
  expect(quadratic).toBeGreaterThan(0.15);
  expect(Math.max(rigid, linear)).toBeLessThan(0.03);
  const { kineticEnergy, mass } = world.measure();
  expect(Math.sqrt((2 * kineticEnergy) / mass)).toBeLessThan(0.01);
});

/** Runs the squeezed cube, with its own area limit or another; largest width and least height (m). */
async function squeeze(seconds: number, max?: number) {
  const scene = await loadOwn('squeezed-cube');
  const { options } = scene.bodies[0];
  if (max) options.material = { ...options.material, raw: { ...options.material?.raw, areaLimit: { max } } };
  let [widest, lowest] = [0, 1];
  const { world } = await runScene(scene, seconds, (w) => {
    const { bboxMin, bboxMax } = w.measure();
    widest = Math.max(widest, bboxMax[0] - bboxMin[0], bboxMax[2] - bboxMin[2]);
    lowest = Math.min(lowest, bboxMax[1] - bboxMin[1]);
  });
  return { world, widest, lowest };
}

test('squeezed-cube: spreads half as far as without its area limit, and gets its shape back', async () => {
  const { world, widest, lowest } = await squeeze(7);
  const { bboxMin, bboxMax } = world.measure();
  const size = bboxMax.map((high, a) => high - bboxMin[a]);
  const free = await squeeze(3, 1000);
  report('height and width of a cube of 0.9 m', { lowest, widest, withoutLimit: free.widest, atTheEnd: size }, 'm');
  expect(lowest).toBeLessThan(0.22);
  expect(free.lowest).toBeLessThan(0.22);
  // From 0.9 m: by 28 cm, and by 65 cm without the limit.
  expect(widest).toBeGreaterThan(1.1);
  expect(widest - 0.9).toBeLessThan(0.5 * (free.widest - 0.9));
  for (const length of size) expect(Math.abs(length - 0.9)).toBeLessThan(0.01);
});
