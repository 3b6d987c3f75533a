import { expect, it } from 'vitest';
import { random } from '../math/random.js';
import type { Views } from '../state/layout.js';
import { testSeed } from '../testing/seed.js';
import { groupBodies, NONE } from './groups.js';

it('groups are of bodies that touch each other, directly or by others, and known by their lowest', () => {
  const next = random(testSeed('groups'));
  let groupOf: Uint32Array = new Uint32Array(4);
  for (const bodies of [1, 2, 9, 40, 300]) {
    const pairs = Array.from({ length: Math.floor(bodies * next() ** 2) }, () =>
      [next(), next()].map((r) => Math.floor(bodies * r)),
    );
    // Particle k and cluster k are those of contact k.
    const numbers = Uint32Array.from(pairs.keys());
    const s = {
      touching: numbers,
      touchCluster: numbers,
      bodyOf: Uint32Array.from(pairs, ([a]) => a),
      bodyOfCluster: Uint32Array.from(pairs, ([, b]) => b),
    } as unknown as Views;
    groupOf = groupBodies(groupOf, s, pairs.length, bodies);
    const expected = Array.from({ length: bodies }, (_, b) => (pairs.flat().includes(b) ? b : NONE));
    for (let changed = true; changed; ) {
      changed = false;
      for (const [a, b] of pairs) {
        const lowest = Math.min(expected[a], expected[b]);
        changed ||= expected[a] !== lowest || expected[b] !== lowest;
        expected[a] = expected[b] = lowest;
      }
    }
    expect(Array.from(groupOf.slice(0, bodies))).toEqual(expected);
  }
});
