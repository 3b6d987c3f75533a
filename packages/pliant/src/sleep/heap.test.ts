import { describe, expect, it } from 'vitest';
import { Heap } from './heap.js';

/** Times of bodies in one heap: how long each has been slow and has at most trembled (s). */
function fallsAsleep(bodies: [slowTime: number, tremblingTime: number][], sleepAfter = 0.5): boolean {
  const heaps = bodies.map(() => new Heap());
  for (let k = 1; k < heaps.length; k++) heaps[k % 2 ? k - 1 : k].join(heaps[k % 2 ? k : k - 1]);
  bodies.forEach(([slowTime, tremblingTime], k) => {
    heaps[k].add(slowTime, tremblingTime, sleepAfter);
  });
  const [answer] = heaps.map((heap) => heap.fallsAsleep);
  // All of a heap answer the same.
  expect(heaps.map((heap) => heap.fallsAsleep)).toEqual(heaps.map(() => answer));
  return answer;
}
const SLOW: [number, number] = [0.6, 3];
const TREMBLING: [number, number] = [0, 1.2];

describe('a heap of bodies falls asleep', () => {
  it('when all of them are slow, not while one moves, however many there are', () => {
    expect(fallsAsleep([SLOW])).toBe(true);
    expect(fallsAsleep(Array(50).fill(SLOW))).toBe(true);
    expect(fallsAsleep([...Array(49).fill(SLOW), [0, 0]])).toBe(false);
    expect(fallsAsleep([...Array(49).fill(SLOW), [0.3, 0.9]])).toBe(false);
  });

  it('with a few that have only trembled for twice as long', () => {
    expect(fallsAsleep([SLOW, SLOW, TREMBLING, SLOW])).toBe(true);
    expect(fallsAsleep([SLOW, SLOW, [0, 0.9], SLOW])).toBe(false);
    // Fewer than three quarters of these heaps are slow.
    expect(fallsAsleep([TREMBLING])).toBe(false);
    expect(fallsAsleep([TREMBLING, SLOW])).toBe(false);
    expect(fallsAsleep([TREMBLING, SLOW, SLOW])).toBe(false);
  });

  it('that does not touch what is restless, once it was cleared', () => {
    const [a, b] = [new Heap(), new Heap()];
    a.join(b);
    a.add(...SLOW, 0.5);
    b.add(0, 0, 0.5);
    expect(a.fallsAsleep).toBe(false);
    for (const heap of [a, b]) heap.clear();
    a.add(...SLOW, 0.5);
    b.add(0, 0, 0.5);
    expect([a.fallsAsleep, b.fallsAsleep]).toEqual([true, false]);
  });
});
