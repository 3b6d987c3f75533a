import { expect, it } from 'vitest';
import { report } from '../testing/report.js';
import { LENGTH, splitsBent, THICK, TOUGHNESS } from './testing/bentPlate.js';

/** The least curvature at which it splits, to 2 %. */
async function critical(layers: number, middle: number): Promise<number> {
  let [low, high] = [0, 20];
  while (high - low > 0.02 * high) {
    const curvature = (low + high) / 2;
    if ((await splitsBent(layers, middle, curvature)).count > 0) high = curvature;
    else low = curvature;
  }
  return high;
}

/** Mean distance from the middle (m) of what the kernel (1 − d²/R²)² about a place on the face weighs: along a line across the plate it has the weight (1 − z²/R²)³. */
function depthSeen(): number {
  const reach2 = (9 * LENGTH * LENGTH) / 12;
  let [sum, moment] = [0, 0];
  for (let z = -THICK / 2 + 1e-4; z < THICK / 2; z += 2e-4) {
    const weight = Math.max(0, 1 - (z - THICK / 2) ** 2 / reach2) ** 3;
    sum += weight;
    moment += weight * z;
  }
  return moment / sum;
}

it('a plate thinner than fracture.length breaks when it is bent as far as the mean at its face says, with clusters through its whole thickness and with many', async () => {
  const middle = 0.08;
  const found = [];
  for (const layers of [3, 4, 6, 9]) found.push(await critical(layers, middle));
  // (1 + middle) (1 + κ z) = 1 + toughness.
  const expected = ((1 + TOUGHNESS) / (1 + middle) - 1) / depthSeen();
  report('curvature at which plates of 3, 4, 6, 9 layers split, and theory', [...found, expected], '1/m');
  // 4.92, 4.45, 4.22, 4.38; a flat plate has 3.56.
  for (const curvature of found) expect(Math.abs(curvature / expected - 1)).toBeLessThan(0.45);
  expect(Math.max(...found) / Math.min(...found)).toBeLessThan(1.2);
});
