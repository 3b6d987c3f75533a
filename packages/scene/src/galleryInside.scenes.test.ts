import { expect, test } from 'vitest';
import { expectSmoothCracks } from './testing/cracks.js';
import { runOwn } from './testing/gallery.js';

// As long as each takes to break; the cracks of other scenes are looked at where these are run.
test.each([
  ['plate-ductile', 2.5],
  ['plate-weak', 1],
])('%s: its surface is closed when it has broken, with faces of its inside', async (name, seconds) => {
  const { bodies } = await runOwn(name, seconds);
  const broken = bodies.filter((body) => body.core.history.broken);
  expect(broken.length).toBeGreaterThan(0);
  // The plate that yields is drawn out around the hole.
  for (const body of broken) expectSmoothCracks(body, 0.015);
});
