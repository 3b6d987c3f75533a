import { describe, expect, test } from 'vitest';
import { LEVELS, Quality } from './quality.js';

const frames = (quality: Quality, count: number, took: number) => {
  for (let n = 0; n < count; n++) quality.note(took);
};

describe('the quality of drawing', () => {
  test('falls to the coarsest within a second of very slow frames', () => {
    const quality = new Quality(0);
    frames(quality, 25, 200);
    expect(quality.now).toBe(LEVELS.at(-1));
  });

  test('falls where every frame takes seconds', () => {
    const quality = new Quality(0);
    frames(quality, 6, 3000);
    expect(quality.now).toBe(LEVELS.at(-1));
  });

  test('comes back when frames are fast again, shadows with it', () => {
    const quality = new Quality(0);
    frames(quality, 25, 200);
    expect(quality.now.shadows).toBe(0);
    frames(quality, 60 * 15, 1000 / 60);
    expect(quality.now).toBe(LEVELS[0]);
  });

  test('stays where it is at 40 frames a second', () => {
    const quality = new Quality(3);
    frames(quality, 400, 25);
    expect(quality.level).toBe(3);
  });

  test('waits longer and longer where the better level is too slow', () => {
    const quality = new Quality(3);
    let changes = 0;
    for (let n = 0; n < 60 * 120; n++) if (quality.note(quality.level < 3 ? 45 : 16.7)) changes++;
    // Two minutes: without patience it would go up and down every two seconds.
    expect(changes).toBeLessThan(24);
    expect(changes).toBeGreaterThan(4);
  });

  test('ignores pauses, and never goes beyond the best that is allowed', () => {
    const quality = new Quality(4, 2);
    for (let n = 0; n < 5; n++) {
      quality.note(5000);
      frames(quality, 3, 25);
    }
    expect(quality.level).toBe(4);
    frames(quality, 60 * 60, 8);
    expect(quality.level).toBe(2);
  });
});
