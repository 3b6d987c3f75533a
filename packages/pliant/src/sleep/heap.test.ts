import { describe, expect, it } from 'vitest';
import { Heap } from './heap.js';

/** Times of bodies in one heap: how long each has been calm and has at most trembled (s). */
function isCalm(bodies: [calmFor: number, tremblesFor: number][], sleepAfter = 0.5): boolean {
  const heaps = bodies.map(() => new Heap());
  for (let k = 1; k < heaps.length; k++) heaps[k % 2 ? k - 1 : k].join(heaps[k % 2 ? k : k - 1]);
  bodies.forEach(([calmFor, tremblesFor], k) => {
    heaps[k].add(calmFor, tremblesFor, sleepAfter);
  });
  const [answer] = heaps.map((heap) => heap.isCalm);
  // All of a heap answer the same.
  expect(heaps.map((heap) => heap.isCalm)).toEqual(heaps.map(() => answer));
  return answer;
}
const CALM: [number, number] = [0.6, 3];
const TREMBLING: [number, number] = [0, 1.2];

describe('a heap of bodies falls asleep', () => {
  it('when all of them are calm, not while one moves, however many there are', () => {
    expect(isCalm([CALM])).toBe(true);
    expect(isCalm(Array(50).fill(CALM))).toBe(true);
    expect(isCalm([...Array(49).fill(CALM), [0, 0]])).toBe(false);
    expect(isCalm([...Array(49).fill(CALM), [0.3, 0.9]])).toBe(false);
  });

  it('with a few that have only trembled for twice as long', () => {
    expect(isCalm([CALM, CALM, TREMBLING, CALM])).toBe(true);
    expect(isCalm([CALM, CALM, [0, 0.9], CALM])).toBe(false);
    // What creeps by itself, or on one other, is not stopped on the way.
    expect(isCalm([TREMBLING])).toBe(false);
    expect(isCalm([TREMBLING, CALM])).toBe(false);
    expect(isCalm([TREMBLING, CALM, CALM])).toBe(false);
  });

  it('that does not touch what is restless, once it was cleared', () => {
    const [a, b] = [new Heap(), new Heap()];
    a.join(b);
    a.add(...CALM, 0.5);
    b.add(0, 0, 0.5);
    expect(a.isCalm).toBe(false);
    for (const heap of [a, b]) heap.clear();
    a.add(...CALM, 0.5);
    b.add(0, 0, 0.5);
    expect([a.isCalm, b.isCalm]).toEqual([true, false]);
  });
});
