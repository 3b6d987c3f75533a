import { describe, expect, test } from 'vitest';
import { LEVELS, Quality, SLOW_IN_SOFTWARE } from './quality.js';

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

  test('falls at 40 frames a second, where the display shows 60', () => {
    const quality = new Quality(3);
    for (let n = 0; n < 20; n++) quality.rest(1000 / 60);
    frames(quality, 400, 25);
    expect(quality.now).toBe(LEVELS.at(-1));
  });

  test('falls where every second frame comes too late, and stays where one in eight does', () => {
    const late = new Quality(3);
    for (let n = 0; n < 200; n++) late.note(n % 2 ? 1000 / 60 : 2000 / 60);
    expect(late.level).toBeGreaterThan(3);
    const rarely = new Quality(1, 1);
    for (let n = 0; n < 2000; n++) rarely.note(n % 8 ? 1000 / 60 : 2000 / 60);
    expect(rarely.level).toBeLessThanOrEqual(2);
  });

  test('stays at 40 frames a second without a graphics card', () => {
    const quality = new Quality(3, 1, SLOW_IN_SOFTWARE);
    frames(quality, 400, 25);
    expect(quality.level).toBe(3);
  });

  test('comes to the best on a display of 30 Hz', () => {
    const quality = new Quality(2);
    for (let n = 0; n < 20; n++) quality.rest(n === 3 ? 90 : 1000 / 30);
    frames(quality, 400, 1000 / 30);
    expect(quality.now).toBe(LEVELS[0]);
    // And falls where that is too slow.
    frames(quality, 100, 2000 / 30);
    expect(quality.level).toBeGreaterThan(3);
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
    const quality = new Quality(4, 2, SLOW_IN_SOFTWARE);
    for (let n = 0; n < 5; n++) {
      quality.note(5000);
      frames(quality, 3, 25);
    }
    expect(quality.level).toBe(4);
    frames(quality, 60 * 60, 8);
    expect(quality.level).toBe(2);
  });
});
