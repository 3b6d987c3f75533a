import { expect, it } from 'vitest';
import { ticks } from './ticks.js';

it('comes as often as its period says at any step, also where the step changes', () => {
  for (const steps of [[1 / 60], [1 / 240], [1 / 7], [1 / 60, 1 / 240, 0.003]]) {
    let [time, came] = [0, 0];
    for (let k = 0; time < 4; k++) {
      const next = time + steps[k % steps.length];
      came += ticks(next, 0.25) - ticks(time, 0.25);
      time = next;
    }
    expect(Math.abs(came - 16)).toBeLessThanOrEqual(1);
  }
  // In steps of 1/60 s a period of 16 of them comes in every 16th, from the first on.
  const frames = Array.from({ length: 50 }, (_, k) => k);
  const due = frames.filter((k) => ticks(k / 60, 4 / 15) !== ticks((k + 1) / 60, 4 / 15));
  expect(due).toEqual([0, 16, 32, 48]);
});
