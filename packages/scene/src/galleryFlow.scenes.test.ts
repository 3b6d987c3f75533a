import { expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { runOwn as run } from './testing/gallery.js';
import { Twist } from './testing/twist.js';

test('plastic-bar: half of its twist stays when the clamps have let go', async () => {
  const twist = new Twist();
  const { world, bodies } = await run('plastic-bar', 6, ({ bodies: [bar], frame }) => {
    if (frame % 6 === 0) twist.look(bar);
  });
  report('twist at most and at the end', { most: twist.most, left: twist.now }, 'rad');
  // The clamps turn the ends by 4.8 rad. The same bar without a yield is back at 0.03.
  expect(twist.most).toBeGreaterThan(4.7);
  expect(twist.now).toBeGreaterThan(2);
  expect(Math.max(...bodies[0].plasticStrain)).toBeGreaterThan(0.1);
  const { kineticEnergy, mass } = world.measure();
  expect(Math.sqrt((2 * kineticEnergy) / mass)).toBeLessThan(0.05);
});

test('clay: a roll bends over the rail, a lump takes the shape of the ball, and both stay so', async () => {
  const { world, bodies } = await run('clay', 5);
  const [roll, lump] = bodies;
  // The roll was 1.25 m long and straight: the sagitta of its axis was 0.
  const at = (low: number, high: number) => {
    const sum = [0, 0, 0, 0];
    for (let i = 0; i < roll.particleCount; i++) {
      const x = roll.restPositions[3 * i];
      if (x < low || x > high) continue;
      for (let a = 0; a < 3; a++) sum[a] += roll.positions[4 * i + a];
      sum[3]++;
    }
    return sum.slice(0, 3).map((value) => value / sum[3]);
  };
  const [left, middle, right] = [at(-1.3, -1), at(-0.67, -0.57), at(-0.24, 0.1)];
  const sagitta = middle[1] - (left[1] + right[1]) / 2;
  // The lump was a ball: its moments along its axes were alike.
  const { bboxMin, bboxMax } = world.measure(lump);
  const speed = Math.sqrt((2 * world.measure().kineticEnergy) / world.measure().mass);
  report(
    'bend of the roll (m), size of the lump (m), speed left (m/s)',
    { sagitta, size: bboxMax.map((high, a) => high - bboxMin[a]), speed },
    '',
  );
  expect(sagitta).toBeGreaterThan(0.15);
  expect(Math.max(...lump.plasticStrain)).toBeGreaterThan(0.3);
  expect(speed).toBeLessThan(0.02);
});
