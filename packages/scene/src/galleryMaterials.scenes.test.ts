import { expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { loadOwn, runScene } from './testing/gallery.js';

const DIAMETER = 0.5;

/** Heights (m) of the balls, by name: the least that each had, and at the end. */
async function drop(change: (material: Record<string, unknown>) => object = (material) => material) {
  const scene = await loadOwn('materials');
  for (const { options } of scene.bodies) options.material = change({ ...options.material });
  const lowest: Record<string, number> = {};
  const { world, bodies, warnings } = await runScene(scene, 5, (w) => {
    for (const body of w.bodies) {
      const { bboxMin, bboxMax } = w.measure(body);
      lowest[body.name] = Math.min(lowest[body.name] ?? 9, bboxMax[1] - bboxMin[1]);
    }
  });
  const heights = Object.fromEntries(bodies.map((body) => [body.name, world.measure(body).bboxMax[1]]));
  return { world, bodies, warnings, lowest, heights };
}

test('materials: the stiffer a ball, the less it is squeezed and the higher it stands; all sleep within 5 s', async () => {
  const { bodies, warnings, lowest, heights } = await drop();
  report('balls of 0.5 m, lowest and at rest', { lowest, heights }, 'm');
  const order = (of: Record<string, number>, ...names: string[]) => names.map((name) => of[name]);
  // Jelly and flesh have one modulus and differ in damping: in the impact alone.
  for (const of of [order(lowest, 'jelly', 'flesh', 'rubber', 'wood'), order(heights, 'jelly', 'rubber', 'wood')])
    for (let k = 1; k < of.length; k++) expect(of[k]).toBeGreaterThan(of[k - 1] + 0.002 * DIAMETER);
  expect(Math.abs(heights['flesh'] - heights['jelly'])).toBeLessThan(0.002 * DIAMETER);
  expect(bodies.map(({ name, asleep }) => [name, asleep])).toEqual(bodies.map(({ name }) => [name, true]));
  expect(warnings.map((line) => line.slice(0, 9))).toEqual(['bodies[2]', 'bodies[3]', 'bodies[4]']);
});

test('materials: clay keeps its dent, which the same clay without yield has not', async () => {
  const { bodies, heights } = await drop();
  const elastic = await drop(({ yield: _, ...others }) => others);
  report('height of the ball of clay', { itself: heights['clay'], elastic: elastic.heights['clay'] }, 'm');
  expect(heights['clay']).toBeLessThan(elastic.heights['clay'] - 0.05 * DIAMETER);
  for (const { name, plasticStrain } of bodies)
    expect([name, Math.max(...plasticStrain) > 0.1]).toEqual([name, name === 'clay']);
});
