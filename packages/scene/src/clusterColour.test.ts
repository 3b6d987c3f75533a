import { expect, test } from 'vitest';
import { clusterColour } from './clusterColour.js';

test('the first hundred clusters have different colours, none of them dark or white', () => {
  const colours = Array.from({ length: 100 }, (_, c) => clusterColour(c));
  expect(new Set(colours.map(String)).size).toBe(100);
  for (const colour of colours) {
    expect(Math.max(...colour)).toBeGreaterThan(120);
    expect(Math.min(...colour)).toBeLessThan(200);
  }
});
