import type { Body } from 'pliant';
import { expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { runOwn } from './testing/gallery.js';

const topOf = (body: Body) => {
  const skin = body.getSkin();
  skin.update();
  let top = Number.NEGATIVE_INFINITY;
  for (let o = 1; o < skin.positions.length; o += 3) top = Math.max(top, skin.positions[o]);
  return top;
};

/** Height (m) of five rows of 10 cm. */
const HEIGHT = 0.5;

test('wall: it stands and sleeps until the ball comes, which knocks it down', async () => {
  let [asleep, hit] = [Number.NaN, Number.NaN];
  let standing = 0;
  const energies: number[] = [];
  const { world, bodies } = await runOwn('wall', 6, (w, events) => {
    const bricks = w.bodies.filter(({ name }) => name.includes('brick'));
    if (Number.isNaN(asleep) && bricks.every((body) => body.asleep)) {
      asleep = w.time;
      standing = Math.max(...bricks.map(topOf));
    }
    if (
      Number.isNaN(hit) &&
      events.some(({ type, ...e }) => type === 'touch' && 'bodies' in e && e.bodies.some(({ name }) => name === 'ball'))
    )
      hit = w.time;
    if (hit > 0) energies.push(w.measure().kineticEnergy);
  });
  expect(asleep).toBeLessThan(hit);
  expect(standing).toBeGreaterThan(0.98 * HEIGHT);
  expect(standing).toBeLessThan(1.02 * HEIGHT);
  // The bricks above where it hits are gone, those at the ends of the lowest row still stand.
  const bricks = bodies.filter(({ name }) => name.includes('brick'));
  const tumbled = bricks.filter((body) => {
    const { com } = world.measure(body);
    return Math.abs(com[2]) > 0.1;
  }).length;
  report('wall: asleep, hit by the ball, bricks that left it', { asleep, hit, tumbled }, 's, s, 1');
  expect(tumbled).toBeGreaterThan(10);
  expect(tumbled).toBeLessThan(50);
  for (const body of bodies) expect(world.measure(body).bboxMin[1]).toBeGreaterThan(-0.001);
  // Nothing flies off faster than the ball came: the energy of the hit only falls, but for what bricks gain by falling (60 J from the top row).
  expect(Math.max(...energies)).toBeLessThan(energies[0] + 60);
});
