import { expect, test } from 'vitest';
import { runOwn as run } from './testing/gallery.js';
import { Twist } from './testing/twist.js';

test('plastic-bar: half of its twist stays when the clamps have let go', async () => {
  const twist = new Twist();
  const { world, bodies } = await run('plastic-bar', 6, ({ bodies: [bar], frame }) => {
    if (frame % 6 === 0) twist.look(bar);
  });
  console.log(`twist of the bar: ${twist.most.toFixed(2)} rad, ${twist.now.toFixed(2)} left`);
  // The clamps turn the ends by 4.8 rad. The same bar without a yield is back at 0.03.
  expect(twist.most).toBeGreaterThan(4.7);
  expect(twist.now).toBeGreaterThan(2);
  expect(Math.max(...bodies[0].plasticStrain)).toBeGreaterThan(0.1);
  const { kineticEnergy, mass } = world.measure();
  expect(Math.sqrt((2 * kineticEnergy) / mass)).toBeLessThan(0.05);
});
